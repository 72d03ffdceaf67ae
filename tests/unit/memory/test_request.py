"""What plainly asks to be forgotten is heard, and nothing else is."""

import pytest

from agentmem.domain.episode import BLOT
from agentmem.memory.request import MAX_CHARS, MAX_READ, asked_in, forget_request
from agentmem.memory.request_extent import ALL_OF_ME, is_remark, means_everything
from agentmem.memory.request_loose import MAX_CLAUSES
from agentmem.memory.wish import read_wish
from agentmem.questions.question import asked_for
from tests.support.nodes import a_memory

PHONE = a_memory("Tom's phone number is 555-0142", attribute="phone", value="555-0142")


@pytest.mark.parametrize(
    "text",
    [
        "Forget my phone number.",
        "Please forget my phone number",
        "Thanks! Could you forget my phone number?",
        "Delete my phone number from your memory.",
        "请忘掉我的电话",
        "忘记我的电话吧",
        "把我的电话忘了吧",
        "请把我的电话从记忆里删掉",
        "不要再记我的电话",
        "Don't keep my phone number.",
        "Please remove my mobile number from your records",
        "Stop storing my phone number",
        "Could you erase my phone number, please?",
        "Don't remember my phone number",
        "Forget the phone number I gave you.",
        "I'd like you to forget my phone number",
        "Delete what I told you about my phone number",
        "请删除我的手机号",
        "删掉我的电话号码吧",
        "不要保存我的电话",
        "别再留着我的手机号了",
        "别把我的电话记下来",
        "能不能把我的电话删掉？",
        "忘掉我告诉你的关于电话的事",
    ],
)
def test_a_request_names_what_it_means(text: str) -> None:
    asked = forget_request(text)
    assert asked is not None
    assert read_wish(asked, asked_for).forget.fills(PHONE)


@pytest.mark.parametrize(
    "text",
    [
        "I always forget my phone number.",
        "Don't forget my birthday!",
        "Forget it.",
        "Forget about it, let's have pizza.",
        "Did you forget my phone number?",
        "Delete my second paragraph.",
        "Remove my name from the list of speakers.",
        "我忘了我的电话",
        "你忘了我的生日",
        "你忘了我的电话吗？",
        "别忘了我的生日",
        "帮我删除我的订单",
        "忘了我的生日吗？",
        "Don't save my changes.",
        "Don't keep my table waiting",
        "Don't you remember my phone number?",
        "I don't remember my phone number",
        "Don't delete my phone number!",
        "Remove my phone number from the flyer.",
        "Delete my address from the letter",
        "Should I delete my budget?",
        "Stop keeping my daughter waiting",
        "删除我的文件",
        "不要删除我的电话",
        "我删了我的微信",
        "你把我的电话删了吗？",
        "不要保存我的修改",
        "别取消我的预约",
    ],
)
def test_talk_of_forgetting_asks_for_nothing(text: str) -> None:
    assert forget_request(text) is None


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("I'd like you to forget my address", {"address", "work_address", "city"}),
        ("Forget my email address", {"email", "work_email"}),
        ("Please don't remember my birthday", {"birthday"}),
        ("Erase my home address from your memory", {"address", "work_address", "city"}),
        ("不要保存我的邮箱地址", {"email", "work_email"}),
        ("把我的生日从记忆里抹去", {"birthday"}),
        ("请删除我的预算", {"budget"}),
        ("别留我的微信号了", {"wechat"}),
    ],
)
def test_no_more_is_meant_than_was_named(text: str, attributes: set[str]) -> None:
    asked = forget_request(text)
    assert asked is not None
    meant = read_wish(asked, asked_for).forget
    assert (meant.attributes, meant.besides) == (attributes, frozenset())


@pytest.mark.parametrize(
    ("text", "unclear"),
    [
        ("You can drop the hotel.", False),
        ("Forget the band, let's hire a DJ.", False),
        ("Let's drop the dessert course.", False),
        ("You can delete the notes app.", False),
        ("Don't keep the receipt.", False),
        ("Get rid of the sofa.", False),
        ("Forget all the hotels.", False),
        ("忘了乐队吧", False),
        ("把酒店删了吧", False),
        ("Please forget the band.", True),
        ("I want you to forget the surgery.", True),
        ("请删除我的订单", True),
    ],
)
def test_a_plan_that_is_given_up_is_no_memory_to_forget(text: str, *, unclear: bool) -> None:
    asked = asked_in(text)
    assert (asked.requests, asked.unclear) == ((), unclear)
    assert asked.kept == text


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("Forget what I said about the band.", "forget band"),
        ("Please forget everything about the trip.", "forget trip"),
        ("Delete the part about the surgery.", "forget surgery"),
        ("Forget the budget.", "forget budget"),
        ("Could you forget the surgery I mentioned?", "forget surgery"),
    ],
)
def test_what_is_called_something_said_or_remembered_is_meant(text: str, wish: str) -> None:
    assert forget_request(text) == wish


@pytest.mark.parametrize(
    "text",
    [
        "ｆｏｒｇｅｔ my phone number",
        "for\u200bget my phone number",
        "Forget\n  my phone number",
        "Please don’t\tkeep my phone number",
        "把 我 的 电 话 刪 掉",
        "I was at sea. " * 600 + "\nForget my phone number.",
    ],
)
def test_what_asks_is_heard_however_it_is_written(text: str) -> None:
    assert asked_in(text).requests


@pytest.mark.parametrize("text", ["I live in Oslo.", "我住在上海", "My phone number is 555-0142.", ""])
def test_what_holds_no_word_that_asks_is_kept_as_it_is(text: str) -> None:
    asked = asked_in(text)
    assert (asked.requests, asked.unclear, asked.unsure, asked.kept) == ((), False, (), text)


@pytest.mark.parametrize("text", ["卡号尾数可以忘一下吗?", "我的卡号尾数别记着了好吗?"])
def test_a_chinese_question_may_ask(text: str) -> None:
    assert asked_in(text).doubtful


@pytest.mark.parametrize("text", ["The locker code can go now?", "Should the locker code be deleted?"])
def test_an_english_question_asks_only_what_it_asks_you_to_do(text: str) -> None:
    assert not asked_in(text).doubtful


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("Please don't keep my phone number, delete it.", "forget my phone number"),
        ("Petra doesn't want her allergy stored, delete it.", "forget Petra's allergy"),
        ("王磊不想让你记他的身份证号,删了吧", "forget 王磊的身份证号"),
    ],
)
def test_what_only_asks_once_more_means_what_was_asked_before_it(text: str, wish: str) -> None:
    assert asked_in(text).wishes == (wish,)


def test_a_request_over_lines_ends_where_it_is_finished() -> None:
    assert not any(map(str.isalnum, asked_in("please forget\nmy phone number and\nmy email").kept))
    assert asked_in("Things to forget\nthe rain").requests == ()


def test_who_writes_a_longer_sentence_tells_a_story() -> None:
    asking = "Forget that I like "
    longest = asking + "a" * (MAX_CHARS - len(asking))
    assert asked_in(longest).requests
    assert not asked_in(f"{longest}a").requests


@pytest.mark.parametrize("begun", [3, 12], ids=["within what asks", "behind it"])
def test_a_text_of_twice_what_is_read_is_read_whole(begun: int) -> None:
    middle, sea = "Forget my phone number. ", "I was at sea. " * MAX_READ
    before = sea[: MAX_READ - begun - 2] + ". "
    text = f"{before}{middle}{sea}"[: 2 * MAX_READ]
    assert text[MAX_READ - begun :].startswith(middle)
    assert asked_in(text).requests
    assert not asked_in(f"{text}.").requests


def test_of_a_longer_text_no_sentence_is_read_that_is_cut_through() -> None:
    sea = "I was at sea. " * MAX_READ
    asking = "Forget my phone number"
    before = sea[: MAX_READ - len(asking) - 2] + ". "
    assert not asked_in(f"{before}{asking}, said the letter. {sea}").requests
    assert asked_in(f"{' ' * 2 * MAX_READ}{sea[:MAX_READ]}\n{asking}.").requests


def test_what_seems_to_ask_and_is_longer_than_may_ask_is_not_unclear() -> None:
    asking = "Please forget the "
    longest = asking + "a" * (MAX_CHARS - len(asking))
    assert (asked_in(longest).unclear, asked_in(f"{longest}a").unclear) == (True, False)


def test_a_request_over_lines_may_be_as_long_as_one_on_a_line() -> None:
    asking = "Forget\nthat I like "
    longest = asking + "a" * (MAX_CHARS - len(asking))
    assert asked_in(longest).requests
    assert not asked_in(f"{longest}a").requests


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("The gate code - no need to keep that.", "forget The gate code"),
        ("The gate code: no need to keep that.", "forget The gate code"),
        ("门禁密码…别记着了", "forget 门禁密码"),
    ],
)
def test_what_stands_before_a_dash_a_colon_or_dots_is_meant_behind_it(text: str, wish: str) -> None:
    assert asked_in(text).doubtful == (wish,)


@pytest.mark.parametrize("text", ["I was so tired, forgot my phone number.", "我太累了,忘了我的电话。"])
def test_what_a_later_clause_tells_is_not_asked(text: str) -> None:
    assert (asked_in(text).requests, asked_in(text).kept) == ((), text)


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("Forget the budget, let's go to Rome.", False),
        ("Forget Ann Lee, let's go to Rome.", False),
        ("Forget what I said about dinner, let's go to Rome.", False),
        ("Forget the budget.", True),
        ("Forget Ann Lee.", True),
        ("Forget my budget, let's go to Rome.", True),
    ],
)
def test_an_idea_is_put_aside_for_another_and_what_is_ones_own_is_not(text: str, *, heard: bool) -> None:
    assert bool(asked_in(text).wishes) is heard


def test_what_is_no_name_by_its_form_is_asked_of_the_memory() -> None:
    assert asked_in("Forget about biscuit.").unsure == ("biscuit",)
    assert asked_in("Forget about biscuit and Mr. Poe.").unsure == ("biscuit and Mr. Poe", "biscuit", "Mr. Poe")
    assert asked_in("Forget about Mr. Poe.").unsure == ()
    assert forget_request("Forget about Mr. Poe.") is not None
    assert forget_request("Forget about biscuit.") is None


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("Please strike the surgery.", ("forget surgery",)),
        ("Strike the surgery.", ()),
        ("Purge the surgery.", ("forget surgery",)),
        ("Purge the paragraph.", ()),
        ("Purge it.", ()),
        ("Purge my keys.", ()),
    ],
)
def test_what_is_deleted_is_asked_of_the_memory_where_it_may_lie_there(text: str, doubtful: tuple[str, ...]) -> None:
    assert asked_in(text).doubtful == doubtful


@pytest.mark.parametrize("text", ["forget biscuit", "Unlearn biscuit.", "Please forget biscuit."])
def test_what_is_plainly_to_be_forgotten_may_be_a_name(text: str) -> None:
    assert asked_in(text).unsure == ("biscuit",)


@pytest.mark.parametrize("text", ["Forget about the weather, it rains.", "I'd forgotten biscuit.", "Delete biscuit."])
def test_what_is_not_plainly_asked_or_is_deleted_names_nobody(text: str) -> None:
    assert "biscuit" not in asked_in(text).unsure


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("My surgery should be forgotten.", ("forget My surgery",)),
        ("What I said about the surgery should be forgotten.", ("forget surgery",)),
        ("The surgery should be forgotten.", ()),
        ("Everything about me should be forgotten.", (f"forget {ALL_OF_ME}",)),
        ("All my data must be deleted.", (f"forget {ALL_OF_ME}",)),
    ],
)
def test_what_should_be_gone_is_ones_own_or_was_said(text: str, wishes: tuple[str, ...]) -> None:
    assert asked_in(text).wishes == wishes


@pytest.mark.parametrize("text", ["关于我的信息", "我的所有信息", "与我有关的一切", "everything about me"])
def test_all_that_is_known_of_oneself_is_meant(text: str) -> None:
    assert means_everything(text)


@pytest.mark.parametrize("text", ["我的信息", "我", "我的东西", "我说过的话", "my surgery"])
def test_what_may_be_less_than_all_is_not_all(text: str) -> None:
    assert not means_everything(text)


@pytest.mark.parametrize("text", ["Forget my phone, I left it at home.", "把我的生日忘了,你真过分"])
def test_what_only_tells_what_happened_is_a_remark(text: str) -> None:
    assert is_remark(text)
    assert asked_in(text).requests == ()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("We got new lockers, no need to keep the locker code any longer.", "forget locker code"),
        ("Please lose my order number.", "forget my order number"),
        ("预算那个数别记着,怪不好意思的", "forget 预算"),
        ("装修预算那个数别记着,电话留着", "forget 装修预算,但保留电话"),
        ("密码忘了吧", "forget 密码"),
        ("密码忘掉", "forget 密码"),
        ("我的卡号尾数忘了吧", "forget 我的卡号尾数"),
        ("咱的卡号尾数忘了吧", "forget 咱的卡号尾数"),
        ("哎呀密码不能说的，快忘掉快忘掉！", "forget 密码"),
        ("和我前夫有关的，统统删掉。", "forget 我前夫"),
        ("浙B8M52T这个删掉", "forget 浙B8M52T"),
        ("Lose the nickname, would you?", "forget nickname"),
        ("Lose the nickname, but keep my name.", "forget nickname but keep my name"),
    ],
)
def test_what_no_form_knows_is_asked_of_the_memory(text: str, first: str) -> None:
    assert asked_in(text).doubtful[0] == first


@pytest.mark.parametrize(
    "text",
    [
        "Lose my order number.",
        "He said, no need to keep the locker code.",
        "密码忘了",
        "车牌删了",
        "王强忘了吧",
        "会员卡号,忘了吧",
        "你忘了我告诉你的关于我老婆的事吗?",
        "你会把我的信息删掉吗?",
        "I lost my keys. Forget it.",
    ],
)
def test_what_is_said_of_much_else_asks_nothing(text: str) -> None:
    assert (asked_in(text).wishes, asked_in(text).doubtful) == ((), ())


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("My sister's locker code, no need to keep the number.", ("number", "My sister's locker code number")),
        ("装修预算，别记着那个尾数了", ("装修预算尾数",)),
        ("密码忘掉", ("密码",)),
    ],
)
def test_what_stands_before_it_may_belong_to_what_is_meant(text: str, wishes: tuple[str, ...]) -> None:
    assert asked_in(text).doubtful == tuple(f"forget {wish}" for wish in wishes)


def test_of_what_stands_before_it_only_what_it_points_to_goes_with_a_request() -> None:
    lockers = "We got new lockers, no need to keep the locker code any longer."
    kept = asked_in(lockers, ["forget locker code"]).kept
    assert kept.replace(BLOT, "") == "We got new lockers, ."
    pointing = asked_in("The gate code, no need to keep that.", ["forget The gate code"]).kept
    assert pointing.replace(BLOT, "") == "."


def test_a_sentence_of_more_clauses_is_a_story() -> None:
    few = ["well"] * (MAX_CLAUSES - 2)
    assert asked_in(", ".join([*few, "the gate code", "no need to keep that."])).doubtful
    assert not asked_in(", ".join([*few, "well", "the gate code", "no need to keep that."])).doubtful
