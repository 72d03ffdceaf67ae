"""Every way of asking, with everything that may be asked for: what is heard depends on both."""

from typing import Final

import pytest

from agentmem.memory.request import asked_in
from agentmem.memory.request_extent import ALL_OF_ME

DETAILS: Final = ("my phone number", "my budget", "my sister's birthday", "my gate code")
"""What is told of nobody but somebody."""
OWN: Final = ("my place of birth", "my trip to Rome", "my paper on owls")
"""What is one's own, and may be written elsewhere than in a memory."""
ELSEWHERE: Final = ("my second paragraph", "the last row", "my table")
"""What is written elsewhere."""
TOLD: Final = (("what I told you about the trip", "trip"), ("the part about my surgery", "my surgery"))
"""What is called something told, and what is meant."""
ALL: Final = ("everything about me", "all my data", "everything you know about me")
NAMES: Final = ("Ann Lee", "Mr. Poe", "555-0142")
"""What is a name, or a value, by its form."""
IDEAS: Final = ("the weather", "dinner", "the surgery")
"""What may be put aside, or be told of nobody."""

FORGETS: Final = (
    "Forget {}.",
    "Please forget {}!",
    "Please don't remember {}.",
    "Stop remembering {}.",
    "I'd like you to forget {}.",
    "Could you forget {}?",
    "Hi! Forget {} now, please.",
    "Unlearn {}.",
)
"""What is said of a memory alone."""
FORGETS_AS: Final = ("Forget {} because it is wrong.", "Forget {}, it is wrong.")
"""The same with a reason."""
FORGETS_BEHIND: Final = (
    "{}, please forget it.",
    "{} should be forgotten.",
    "{} must be forgotten, please.",
    "{} should be deleted from your memory.",
    "{} can be forgotten now.",
    "Pretend I never told you about {}.",
    "I should never have mentioned {}, please forget it.",
    "Nobody should know about {}, please forget it.",
)
"""The same where what is meant stands first, or was told."""
DELETES: Final = (
    "Delete {}.",
    "Please delete {}.",
    "Could you delete {}?",
    "Get rid of {}.",
    "Don't keep {}.",
    "Stop storing {}.",
    "{} must not be kept anywhere.",
    "{} should be deleted.",
    "I want {} gone.",
)
"""What is said of much else, too."""
FROM_MEMORY: Final = ("Delete {} from your memory.", "Take {} out of your records.", "Delete {} on file.")
TELLS: Final = (
    "I always forget {}.",
    "Don't forget {}!",
    "Never forget {}.",
    "Did you forget {}?",
    "Should I delete {}?",
    "Should {} be deleted?",
    "Delete {}?",
    "I forgot {}.",
    "Tom said {} should be deleted.",
    "My boss told me to forget {}.",
    "I was so tired, forgot {}.",
    "Remove {} from the list.",
    "Make sure {} is never deleted.",
)
"""What asks for nothing."""


def said(frame: str, thing: str) -> str:
    words = frame.format(thing)
    return words[0].upper() + words[1:]


def heard(text: str) -> list[str]:
    return [wish.removeprefix("forget ").casefold() for wish in asked_in(text).wishes]


@pytest.mark.parametrize("frame", [*FORGETS, *FORGETS_AS, *FORGETS_BEHIND, *FROM_MEMORY])
def test_what_is_ones_own_is_heard_where_it_is_to_be_forgotten(frame: str) -> None:
    assert {thing: heard(said(frame, thing)) for thing in (*DETAILS, *OWN)} == {
        thing: [thing.casefold()] for thing in (*DETAILS, *OWN)
    }


@pytest.mark.parametrize("frame", DELETES)
def test_of_what_is_to_be_deleted_only_a_detail_is_heard_and_the_rest_is_asked_of_the_memory(frame: str) -> None:
    assert {thing: heard(said(frame, thing)) for thing in DETAILS} == {thing: [thing.casefold()] for thing in DETAILS}
    assert [heard(said(frame, thing)) for thing in (*OWN, *ELSEWHERE)] == [[]] * 6


@pytest.mark.parametrize("frame", [*FORGETS, *FORGETS_AS, *FROM_MEMORY, *DELETES[:6], "{}, delete it."])
@pytest.mark.parametrize(("thing", "meant"), TOLD)
def test_what_is_called_something_told_is_heard(frame: str, thing: str, meant: str) -> None:
    assert heard(said(frame, thing)) == [meant.casefold()]


@pytest.mark.parametrize("frame", [*FORGETS, *FORGETS_AS, *DELETES, "{}, delete it."])
def test_all_that_is_known_of_oneself_is_heard_however_it_is_asked(frame: str) -> None:
    assert {thing: heard(said(frame, thing)) for thing in ALL} == {thing: [ALL_OF_ME] for thing in ALL}


@pytest.mark.parametrize("frame", FORGETS)
def test_a_name_is_heard_where_it_is_to_be_forgotten(frame: str) -> None:
    assert [heard(said(frame, name)) for name in NAMES] == [["ann lee"], ["poe"], ["555-0142"]]


@pytest.mark.parametrize("frame", [*DELETES, "{}, delete it."])
def test_a_name_that_is_to_be_deleted_may_be_anything(frame: str) -> None:
    assert [heard(said(frame, name)) for name in NAMES] == [[], [], []]


@pytest.mark.parametrize("frame", [*FORGETS, *DELETES, "{}, delete it."])
def test_what_is_neither_ones_own_nor_told_is_not_heard(frame: str) -> None:
    assert [heard(said(frame, idea)) for idea in IDEAS] == [[], [], []]


@pytest.mark.parametrize("frame", TELLS)
def test_what_asks_for_nothing_is_kept_as_it_was_said(frame: str) -> None:
    for thing in (*DETAILS, *OWN, *ELSEWHERE, *NAMES):
        text = said(frame, thing)
        asked = asked_in(text)
        assert (asked.requests, asked.kept) == ((), text)


@pytest.mark.parametrize(
    ("text", "unclear"),
    [
        ("Forget everything.", True),
        ("Forget me.", True),
        ("Actually, forget I said that", True),
        ("Could you delete my data?", True),
        ("Forget the weather.", False),
        ("Please drop the dessert.", False),
    ],
)
def test_what_seems_to_ask_that_something_said_be_forgotten_is_unclear(text: str, *, unclear: bool) -> None:
    assert (asked_in(text).requests, asked_in(text).unclear) == ((), unclear)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Would you mind forgetting Ann Lee?", ["ann lee"]),
        ("Forgotten Ann Lee.", []),
        ("The house on Elm Street should be forgotten.", []),
        ("My house on Elm Street should be forgotten.", ["my house on elm street"]),
    ],
)
def test_a_form_of_the_word_asks_only_as_it_is_used(text: str, names: list[str]) -> None:
    assert heard(text) == names


def test_of_a_sentence_that_asks_as_a_whole_nothing_is_kept() -> None:
    for text in ("Hey, could you forget about my pregnancy?", "Sorry, forget what I said about my pregnancy."):
        assert not any(map(str.isalnum, asked_in(text).kept))


DETAILS_ZH: Final = ("我的电话", "我妹妹的生日", "我的门禁密码", "我的预算", "小林的病")
OWN_ZH: Final = ("我的出生地", "我的论文题目", "我的照片")
TOLD_ZH: Final = (
    ("我告诉你的关于手术的事", "手术"),
    ("我说过的我老婆的事", "我老婆"),
    ("我喜欢爵士这件事", "我喜欢爵士"),
)
ALL_ZH: Final = ("关于我的一切", "我的所有信息", "我跟你说过的所有事情")
NAMES_ZH: Final = ("王强", "李娜", "13900001111")
IDEAS_ZH: Final = ("天气", "手术", "大黄")
FORGETS_ZH: Final = (
    "忘掉{}",
    "请忘掉{}",
    "忘了{}吧",
    "把{}忘了吧",
    "请把{}忘掉",
    "{},请忘掉",
    "{}请你忘掉吧",
    "我希望你忘掉{}",
    "能不能忘掉{}?",
    "全部忘掉{}",
    "那忘掉{}好吗",
)
FORGETS_BEHIND_ZH: Final = ("{}应该忘掉", "{}可以忘掉吗?", "就当我没说过{}", "{}就当我没说过")
DELETES_ZH: Final = (
    "删除{}",
    "请删掉{}",
    "把{}删了",
    "不要保存{}",
    "别再记{}了",
    "别把{}记下来",
    "停止记录{}",
    "{}请删掉",
    "{}不要留",
    "帮我删除{}",
    "能不能把{}删掉?",
)
TELLS_ZH: Final = (
    "忘了{}",
    "别忘了{}",
    "你忘了{}吗?",
    "{}忘了",
    "我忘了{}",
    "老板叫我忘掉{}",
    "不要忘记{}",
    "你把{}删了吗?",
    "怎么忘了{}",
    "我把{}删了",
    "如果忘掉{}",
    "{}不能忘",
    "你会把{}删掉吗?",
)


@pytest.mark.parametrize("frame", [*FORGETS_ZH, *FORGETS_BEHIND_ZH])
def test_what_is_ones_own_is_heard_in_chinese_where_it_is_to_be_forgotten(frame: str) -> None:
    things = (*DETAILS_ZH, *OWN_ZH)
    assert {thing: heard(frame.format(thing)) for thing in things} == {thing: [thing] for thing in things}


@pytest.mark.parametrize("frame", DELETES_ZH)
def test_of_what_is_to_be_deleted_only_a_detail_is_heard_in_chinese(frame: str) -> None:
    assert {thing: heard(frame.format(thing)) for thing in DETAILS_ZH} == {thing: [thing] for thing in DETAILS_ZH}
    assert [heard(frame.format(thing)) for thing in OWN_ZH] == [[], [], []]


@pytest.mark.parametrize("frame", [*FORGETS_ZH, *FORGETS_BEHIND_ZH, *DELETES_ZH])
def test_what_is_called_something_told_and_all_of_oneself_are_heard_in_chinese(frame: str) -> None:
    assert [heard(frame.format(thing)) for thing, _ in TOLD_ZH] == [[meant] for _, meant in TOLD_ZH]
    assert [heard(frame.format(thing)) for thing in ALL_ZH] == [[ALL_OF_ME]] * len(ALL_ZH)


@pytest.mark.parametrize("frame", [*FORGETS_ZH, *(frame for frame in DELETES_ZH if "记" in frame)])
def test_a_chinese_name_is_heard_where_it_is_to_be_forgotten_or_not_to_be_remembered(frame: str) -> None:
    assert [heard(frame.format(name)) for name in NAMES_ZH] == [[name] for name in NAMES_ZH]


@pytest.mark.parametrize("frame", [*(frame for frame in DELETES_ZH if "删" in frame), "{}应该忘掉", "{}可以忘掉吗?"])
def test_a_chinese_name_that_is_to_be_deleted_may_be_anything(frame: str) -> None:
    assert [heard(frame.format(name)) for name in NAMES_ZH] == [[], [], []]


@pytest.mark.parametrize("kept", ["", ",但保留我的邮箱", ",我的邮箱留着"])
@pytest.mark.parametrize("frame", [*FORGETS_ZH[:2], *FORGETS_BEHIND_ZH[:1], *DELETES_ZH[:3]])
def test_what_is_neither_ones_own_nor_told_is_not_heard_in_chinese_whatever_is_kept(frame: str, kept: str) -> None:
    assert [heard(frame.format(idea) + kept) for idea in IDEAS_ZH] == [[], [], []]


@pytest.mark.parametrize("frame", TELLS_ZH)
def test_what_asks_for_nothing_in_chinese_is_kept_as_it_was_said(frame: str) -> None:
    for thing in (*DETAILS_ZH, *OWN_ZH, *NAMES_ZH):
        asked = asked_in(frame.format(thing))
        assert (asked.requests, asked.doubtful, asked.unclear, asked.kept) == ((), (), False, frame.format(thing))


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("删掉我养猫这件事", ["我养猫"]),
        ("别把我养猫记下来", ["我养猫"]),
        ("删掉我养猫", []),
        ("把我养猫删了", []),
        ("删除文件的内容", []),
        ("除了我的电话以外都忘掉", [f"{ALL_OF_ME} but keep 我的电话"]),
        ("只保留我的电话,其他的都忘掉", [f"{ALL_OF_ME} but keep 我的电话"]),
    ],
)
def test_a_state_is_heard_where_it_is_called_a_matter_or_is_not_to_be_kept(text: str, wishes: list[str]) -> None:
    assert heard(text) == wishes


@pytest.mark.parametrize("text", ["删除第二段", "删除它", "删除我的文件", "你把我的电话删了吗?"])
def test_what_is_deleted_elsewhere_is_not_asked_of_the_memory(text: str) -> None:
    assert (heard(text), asked_in(text).doubtful) == ([], ())
