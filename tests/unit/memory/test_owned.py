"""Of what was told only that goes which belongs to whom the wish means."""

from collections.abc import Sequence

import pytest

from agentmem.domain.entity import MENTIONS, named
from agentmem.domain.memory import Evidence, MemoryNode
from agentmem.errors import InvalidInput
from agentmem.memory.owned import OwnedTurns
from agentmem.memory.told import AllTold, ToldByOne, by_person, others_named
from agentmem.memory.wish import read_wish
from agentmem.memory.wish_parts import points_back
from agentmem.questions.question import asked_for
from tests.integration import test_forget_of_owners as of_owners
from tests.integration import test_forget_one_of_several as one_of_several
from tests.integration import test_forget_what_is_held as what_is_held
from tests.support.nodes import AGENT, NOON, TENANT, a_memory
from tests.support.owned import a_talk, left_of, spared_of, taken_of

TWO = ("My phone number is 555-0301.", "My cousin Ivo's phone number is 555-0302.")
PAIR = ("My sister's number is 555-0303.", "My brother's number is 555-0309.")
PARENTS = ("My mother's birthday is 4 June.", "My father's birthday is 9 May.", "My birthday is 2 July.")
SISTERS = ("My sister Ann lives in Leeds.", "My sister Bea lives in York.")
OLD_AND_NEW = ("My phone number was 555-0301.", "My phone number is 555-0309 now.")
TIM = ("My brother Tim is a nurse and he likes tea.", "I met Tim in May.", "I like chess.")
BIRTHDAYS = ("我的生日是6月4日,我老婆的是7月11日。",)
ANN = ("我同事叫Ann。", "Ann的手机号是5551234567。", "我的手机号是13900002222。")
ALLERGIES = ("我妈妈叫林芳。", "林芳对虾过敏。", "我对花生过敏。")


@pytest.mark.parametrize(
    ("lines", "request_", "gone"),
    [
        (TWO, "Forget my phone number.", ["My phone number is 555-0301"]),
        (TWO, "Forget Ivo's phone number.", ["My cousin Ivo's phone number is 555-0302"]),
        (TWO, "Forget my cousin's phone number.", ["My cousin Ivo's phone number is 555-0302"]),
        (TWO, "Forget the phone numbers but keep my cousin's.", ["My phone number is 555-0301"]),
        (TWO[1:], "Forget the phone number.", ["My cousin Ivo's phone number is 555-0302"]),
        (PAIR, "Forget her number.", ["My sister's number is 555-0303"]),
        (PAIR, "Forget his number.", ["My brother's number is 555-0309"]),
        (PAIR, "Forget their numbers.", ["My sister's number is 555-0303", "My brother's number is 555-0309"]),
        ((TWO[0], PAIR[0]), "Forget her number.", ["My sister's number is 555-0303"]),
        (PARENTS, "Forget my parents' birthdays.", ["My mother's birthday is 4 June", "My father's birthday is 9 May"]),
        ((SISTERS[0], "My sister Bea is well."), "Forget where my sister lives.", ["My sister Ann lives in Leeds"]),
        (SISTERS, "Forget where Ann lives.", ["My sister Ann lives in Leeds"]),
        ((*SISTERS, "My sister lives in Hull."), "Forget where Ann lives.", ["My sister Ann lives in Leeds"]),
        (
            ("My sister has my brother's number 555-0303.",),
            "Forget my brother's number.",
            ["My sister has my brother's number 555-0303"],
        ),
        (("My sister has my brother's number 555-0303.",), "Forget my sister's number.", []),
        (SISTERS, "Forget where my sisters live.", ["My sister Ann lives in Leeds", "My sister Bea lives in York"]),
        (
            ("My sister Ann's number is 555-0301.",),
            "Forget my sibling Ann's number.",
            ["My sister Ann's number is 555-0301"],
        ),
        (("My sister Ann's number is 555-0301.",), "Forget my boss Ann's number.", []),
        (TIM, "Forget Tim.", ["My brother Tim is a nurse", "he likes tea", "I met Tim in May"]),
        (BIRTHDAYS, "忘掉我的生日", ["我的生日是6月4日"]),
        (BIRTHDAYS, "忘掉我老婆的生日", ["我老婆的是7月11日"]),
        (ALLERGIES, "忘掉我妈妈的过敏", ["林芳对虾过敏"]),
        (ALLERGIES, "忘掉我的过敏", ["我对花生过敏"]),
        (ANN, "忘掉我的手机号", ["我的手机号是13900002222"]),
        (ANN, "忘掉我同事的手机号", ["Ann的手机号是5551234567"]),
        (ANN, "忘掉Ann的手机号", ["Ann的手机号是5551234567"]),
        (
            ("我爸的电话是13900002222。", "我妈的电话是13900003333。"),
            "忘掉家人的电话",
            ["我爸的电话是13900002222", "我妈的电话是13900003333"],
        ),
        (("小芳的生日是3月8日。", "小琴的生日是5月6日。"), "忘掉小芳的生日,小琴的留着", ["小芳的生日是3月8日"]),
    ],
)
def test_only_what_is_the_owners_goes(lines: tuple[str, ...], request_: str, gone: list[str]) -> None:
    assert taken_of(lines, request_) == gone


@pytest.mark.parametrize("met", ["I met Zoe.", "I saw a show.", "It rained.", "A friend came by."])
@pytest.mark.parametrize(
    ("of_another", "own", "mine", "other"),
    [
        ("Her number is 555-0303.", "My number is 555-0301.", "Forget my phone number.", "Forget her number."),
        ("Their number is 555-0303.", "My number is 555-0301.", "Forget my phone number.", "Forget their number."),
        ("He is 43 years old.", "I am 50 years old.", "Forget my age.", "Forget his age."),
        ("She lives at 3 Elm Road.", "I live at 4 Oak Road.", "Forget my address.", "Forget where she lives."),
    ],
)
def test_a_pronoun_for_somebody_who_was_not_named_is_not_oneself(
    met: str, of_another: str, own: str, mine: str, other: str
) -> None:
    lines = (met, of_another, own)
    assert taken_of(lines, mine) == [own.rstrip(".")]
    assert taken_of(lines, other) == [of_another.rstrip(".")]


@pytest.mark.parametrize("met", ["我认识了一个人。", "下雨了。"])
@pytest.mark.parametrize(
    ("of_another", "own", "mine"),
    [
        ("她的电话是13900001111。", "我的电话是13900002222。", "忘掉我的电话"),
        ("他今年43岁。", "我今年50岁。", "忘掉我的年龄"),
        ("他们住在青山路7号。", "我住在白云街9号。", "忘掉我住哪儿"),
    ],
)
def test_in_chinese_too_a_pronoun_for_somebody_who_was_not_named_is_not_oneself(
    met: str, of_another: str, own: str, mine: str
) -> None:
    assert taken_of((met, of_another, own), mine) == [own.rstrip("。")]


@pytest.mark.parametrize("giver", ["They gave me a new number", "She got us a new number"])
def test_what_somebody_does_for_one_is_told_of_oneself(giver: str) -> None:
    lines = (f"{giver}, my number is 555-0301.", f"{giver}, it is 555-0302.")
    gone = [words for words in taken_of(lines, "Forget my phone number.") if "555" in words]
    assert gone == ["my number is 555-0301", "it is 555-0302"]


@pytest.mark.parametrize(
    ("lines", "request_", "gone"),
    [
        (OLD_AND_NEW, "Forget my phone number.", ["My phone number was 555-0301", "My phone number is 555-0309 now"]),
        (OLD_AND_NEW, "Forget my old phone number.", ["My phone number was 555-0301"]),
        (OLD_AND_NEW, "Forget my current phone number.", ["My phone number is 555-0309 now"]),
        (
            ("My phone number is 555-0301.", "My new phone number is 555-0309."),
            "Forget my old phone number.",
            ["My phone number is 555-0301"],
        ),
        (
            ("My phone number is 555-0301.", "My new phone number is 555-0309."),
            "Forget my new phone number.",
            ["My new phone number is 555-0309"],
        ),
        (
            ("My sister's number is 555-0301.", "Her number was 555-0309 before."),
            "Forget my sister's old number.",
            ["Her number was 555-0309 before"],
        ),
        (
            ("我的旧手机号是13900002222。", "我的新手机号是13900003333。"),
            "忘掉我的旧手机号",
            ["我的旧手机号是13900002222"],
        ),
    ],
)
def test_what_held_before_is_told_from_what_holds(lines: tuple[str, ...], request_: str, gone: list[str]) -> None:
    assert taken_of(lines, request_) == gone


@pytest.mark.parametrize(
    ("lines", "request_", "gone"),
    [
        (
            ("My phone number was 555-0301.", "It is 555-0309 now."),
            "Forget my phone number.",
            ["My phone number was 555-0301", "It is 555-0309 now"],
        ),
        (
            ("My sister's number is 555-0301.", "She has a dog.", "Her new number is 555-0309."),
            "Forget my sister's number.",
            ["My sister's number is 555-0301", "Her new number is 555-0309"],
        ),
        (
            ("agent: What is your phone number?", "555-0142", "agent: And your age?", "43"),
            "Forget my phone number.",
            ["555-0142"],
        ),
        (("My seat is in coach 7, seat 14C.",), "Forget my seat.", ["My seat is in coach 7", "seat 14C"]),
        (
            ("I take metformin, 500 mg, twice a day.",),
            "Forget my medication.",
            ["I take metformin", "500 mg", "twice a day"],
        ),
        (
            ("我的手机号是13900002222。", "现在换成13900003333了。"),
            "忘掉我的手机号",
            ["我的手机号是13900002222", "现在换成13900003333了"],
        ),
    ],
)
def test_what_goes_on_about_it_goes_along(lines: tuple[str, ...], request_: str, gone: list[str]) -> None:
    assert taken_of(lines, request_) == gone


@pytest.mark.parametrize(
    ("lines", "request_", "named"),
    [
        (TWO, "Forget the phone number.", "cousin, one's own"),
        (("Mia's number is 555-0303 and Lea's number is 555-0304.",), "Forget her number.", "lea, mia"),
        (PARENTS, "Forget my parent's birthday.", "father, mother"),
        (SISTERS, "Forget where my sister lives.", "sister ann, sister bea"),
        (
            (SISTERS[0], "My sister Bea is well.", "My sister lives in Hull."),
            "Forget where my sister lives.",
            "sister ann",
        ),
        (
            ("My sister Ann is ill.", "My sister Bea is well.", "My sister lives in Hull."),
            "Forget where my sister lives.",
            "sister ann, sister bea",
        ),
        (("My doctor Ann is nice.", "My doctor Bea is strict."), "Forget my doctor.", "doctor ann, doctor bea"),
        (("我哥哥住在苏州。", "我弟弟住在无锡。"), "忘掉我兄弟的地址", "elder brother, younger brother"),
    ],
)
def test_where_it_is_not_clear_whose_is_meant_nothing_goes(lines: tuple[str, ...], request_: str, named: str) -> None:
    with pytest.raises(InvalidInput, match=f"not clear whose is meant to be forgotten: {named}"):
        taken_of(lines, request_)


@pytest.mark.parametrize(
    ("lines", "request_", "gone"),
    [
        (TWO[1:], "Forget the phone numbers but keep my cousin's.", []),
        (("Our club has 64 rowers.",), "Forget how many rowers we have but keep our club.", ["Our club has 64 rowers"]),
        (
            ("My number is 555-0301.", "My cousin is called Ivo.", "Ivo's number is 555-0302."),
            "Forget the phone numbers but keep my cousin's.",
            ["My number is 555-0301"],
        ),
        (
            ("I met Mr. Poe.", "My sister likes Mr. Poe."),
            "Forget Mr. Poe.",
            ["I met Mr. Poe", "My sister likes Mr. Poe"],
        ),
        (
            ("I live in Hull.", "My sister Ann is ill.", "My sister Bea is well.", "My sister lives in York."),
            "Forget the address.",
            ["I live in Hull"],
        ),
    ],
)
def test_what_is_kept_stays_and_what_is_surely_meant_goes(
    lines: tuple[str, ...], request_: str, gone: list[str]
) -> None:
    assert taken_of(lines, request_) == gone


@pytest.mark.parametrize(
    ("lines", "request_", "spared"),
    [
        (TWO, "Forget my phone number.", ["My cousin Ivo's", "My cousin Ivo's phone number is 555-0302"]),
        (TWO, "Forget Ivo's phone number.", ["My cousin Ivo's", "My phone number is 555-0301"]),
        (("我女儿叫小美。",), "忘掉我女儿的名字", []),
        (("我女儿叫小美。", "我儿子叫小宝。"), "忘掉我女儿的名字", ["我儿子", "我儿子叫小宝"]),
        (
            ("My brother Tim is a nurse.", "He likes tea."),
            "Forget my brother but keep that he likes tea.",
            ["He likes tea"],
        ),
    ],
)
def test_who_somebody_is_and_what_is_told_of_others_is_spared(
    lines: tuple[str, ...], request_: str, spared: list[str]
) -> None:
    assert spared_of(lines, request_) == spared


def test_turns_of_one_moment_are_read_in_the_order_of_their_talk() -> None:
    talk = [turn.revised(valid_at=NOON) for turn in a_talk([f"My code is {number}." for number in range(12)], "Nora")]
    owned = OwnedTurns.read(reversed(talk), [], asked_for)
    assert [turn.content for turn, _ in owned.parts] == [turn.content for turn in talk]


TOM_ID, ANN_ID = named(TENANT, AGENT, "Tom"), named(TENANT, AGENT, "Ann")


def test_what_is_held_is_apart_for_each_person_and_others_are_with_whose_turns_tell_of_them() -> None:
    nora, tom = a_memory("x"), a_memory("y", target_id=TOM_ID)
    of_nora = a_memory("z")
    quoted = a_memory("w", target_id=ANN_ID, evidence=(Evidence(memory_id=tom.memory_id, start=0, end=1),))
    apart = [([*held], [*others]) for held, others in by_person([nora, tom, of_nora], [of_nora, quoted])]
    assert apart == [([nora, of_nora], [of_nora]), ([tom], [quoted])]


@pytest.mark.parametrize(
    ("request_", "person", "names"),
    [
        ("forget Tim", None, ["Tim"]),
        ("forget Tim", TOM_ID, []),
        ("forget Ann", None, []),
        ("forget my brother", None, ["Tim"]),
        ("forget my brother", TOM_ID, ["Nora"]),
        ("forget my sister", None, []),
        ("forget my sister", TOM_ID, []),
    ],
)
def test_who_is_meant_as_a_whole_is_named_as_a_memory_names_him(
    request_: str, person: str | None, names: list[str]
) -> None:
    mentions = [{"name": "Nora", "kind": "person"}, {"name": "Acme", "kind": "organisation"}]
    node = a_memory("Tim is Nora's brother", target_name="Tim", target_id=TOM_ID, meta_data={MENTIONS: mentions})
    assert [*others_named(node, read_wish(request_, asked_for, known=["Tim", "Ann"]), person)] == names


def test_of_several_that_are_the_same_to_one_the_only_one_who_is_called_so_is_meant() -> None:
    lines = ("My doctor Ann is nice.", "My doctor Bea is my therapist.")
    assert taken_of(lines, "Forget my therapist.") == ["My doctor Bea is my therapist"]


ASKED = (
    *of_owners.CASES,
    *what_is_held.OF_A_KIND,
    *what_is_held.IN_OTHER_FORMS,
    *what_is_held.DELETED,
    *what_is_held.HANDED_ON,
    *what_is_held.IN_ANY_WORDS,
    *what_is_held.AS_SAID,
    *what_is_held.SEVERAL,
    *(case._replace(kept=case.lines) for case in what_is_held.NOTHING),
    *(
        of_owners.Case((telling, innocent), asks, (telling,), (innocent,))
        for asks, telling, innocent in of_owners.LOOKALIKES
    ),
    *(
        of_owners.Case(lines, pair.request, (pair.word,), (pair.stays,))
        for pair in (*one_of_several.NAMES, *one_of_several.KINDS)
        for lines in ((pair.goes, pair.stays), (pair.stays, pair.goes))
    ),
)
"""What is asked of a whole memory elsewhere."""


@pytest.mark.parametrize(
    "case", [case for case in ASKED if not points_back(case.request)], ids=lambda case: case.request
)
def test_of_the_turns_alone_what_is_asked_for_goes_and_nothing_else(case: of_owners.Case) -> None:
    said, left = "\n".join(case.lines), left_of(case.lines, case.request)
    assert [word for word in case.gone if word in said and word.rstrip(".。") in left] == []
    assert [word for word in case.kept if word in said and word.rstrip(".。") not in left] == []


def a_fact(content: str, attribute: str | None = None, value: str | None = None, **fields: object) -> MemoryNode:
    """What is held of Nora, unless it is named whom it is of."""
    return a_memory(content, **{"target_name": "Nora", "attribute": attribute, "value": value, **fields})


PHONE = a_fact("Nora's phone number is 555-0301", "phone", "555-0301")
OLD_PHONE = a_fact("Nora's phone number was 555-0300", "phone", "555-0300", invalid_at=NOON)
SONS = a_fact("Nora's son's phone number is 555-0302", "phone", "555-0302")
CAPTION = a_fact("Nora sent a picture", meta_data={"caption": "the gym on Mondays"})
NUMBERED = a_fact("Nora sent another", meta_data={"caption": 5})
ALIAS = a_fact("Nora is also called Bee", "alias", "Bee")
BROTHER = a_fact("Tim is Nora's brother", "family", "Tim")
TIM_WORKS = a_fact("Tim works at Acme", "employer", "Acme", target_name="Tim", target_id=named(TENANT, AGENT, "Tim"))
WORKS = a_fact("Nora works at Globex", "employer", "Globex")
FACTS = (PHONE, OLD_PHONE, SONS, CAPTION, NUMBERED, BROTHER, TIM_WORKS, WORKS)


@pytest.mark.parametrize(
    ("request_", "gone"),
    [
        ("Forget my phone number.", [PHONE, OLD_PHONE]),
        ("Forget my son's phone number.", [SONS]),
        ("Forget my old phone number.", [OLD_PHONE]),
        ("Forget my current phone number.", [PHONE]),
        ("Forget the phone numbers but keep my son's.", [PHONE, OLD_PHONE]),
        ("Forget my phone number but keep 555-0301.", [OLD_PHONE]),
        ("Forget my brother's job.", [TIM_WORKS]),
        ("Forget my job.", [WORKS]),
        ("Forget my brother.", [BROTHER, TIM_WORKS]),
        ("Forget my brother but keep where he works.", [BROTHER]),
        ("Forget the gym on Mondays.", []),
        ("Forget what I said about the gym on Mondays.", [CAPTION]),
        ("Forget my allergy.", []),
    ],
)
def test_of_what_was_made_of_a_talk_only_what_is_the_owners_goes(request_: str, gone: list[MemoryNode]) -> None:
    taken = taken_of(["My brother is called Tim."], request_, facts=FACTS)
    assert [words for words in taken if words[0] != "M"] == [node.content for node in gone]


def test_ones_other_name_is_known_from_what_was_made_of_a_talk() -> None:
    lines = ["Bee's number is 555-0301."]
    assert taken_of(lines, "Forget my phone number.", facts=[ALIAS]) == ["Bee's number is 555-0301"]
    assert taken_of(lines, "Forget my phone number.", facts=[WORKS.revised(value="Bee")]) == []


def quoting(turns: Sequence[MemoryNode], words: str, fact: MemoryNode) -> MemoryNode:
    """A fact that was made of these words of a turn."""
    turn = next(each for each in turns if words in each.content)
    start = turn.content.index(words)
    return fact.revised(evidence=(Evidence(memory_id=turn.memory_id, start=start, end=start + len(words)),))


@pytest.mark.parametrize(
    ("content", "mine", "other", "owner"),
    [
        ("Nora's son is seven, Nora's phone number is 555-0301", True, False, "son"),
        ("Nora's brother's phone number is 555-0301", False, True, "brother"),
        ("Nora's sister has Nora's brother's phone number 555-0301", False, True, "brother"),
    ],
)
def test_a_memory_is_of_whom_the_clause_that_tells_it_speaks_of(
    content: str, *, mine: bool, other: bool, owner: str
) -> None:
    fact = a_fact(content, "phone", "555-0301")
    assert taken_of([], "Forget my phone number.", facts=[fact]) == [content] * mine
    assert taken_of([], f"Forget my {owner}'s phone number.", facts=[fact]) == [content] * other


def test_a_relative_s_job_that_is_held_of_oneself_is_his() -> None:
    fact = a_fact("Nora's brother works at Acme", "employer", "Acme")
    assert taken_of([], "Forget my job.", facts=[fact]) == []
    assert taken_of([], "Forget my brother's job.", facts=[fact]) == [fact.content]


def test_of_several_that_are_the_same_to_one_only_what_is_made_of_the_one_who_is_called_so_goes() -> None:
    lines = ["My doctor Ann is nice.", "My doctor Bea is my therapist."]
    ann, bea = a_fact("Ann is Nora's doctor"), a_fact("Bea is Nora's therapist")
    assert taken_of(lines, "Forget my therapist.", facts=[ann, bea]) == [lines[1].rstrip("."), bea.content]


def test_what_tells_the_same_of_somebody_else_is_known_and_turns_are_no_facts() -> None:
    turns = a_talk(["Hello."], "Nora")
    owned = OwnedTurns.read([*turns, PHONE, SONS], [], asked_for)
    taken = owned.taken(read_wish("forget my phone number", asked_for), [PHONE, SONS], NOON)
    assert (taken.nodes, taken.others) == ((PHONE,), {SONS.memory_id})
    told = AllTold([ToldByOne([*turns, PHONE], [SONS], owned)], {}, [], frozenset())
    assert told.facts == [PHONE, SONS]


def test_what_names_nobody_is_of_whom_it_is_held_of() -> None:
    works = TIM_WORKS.revised(content="works at Acme")
    lines = ["My brother is called Tim."]
    assert taken_of(lines, "Forget my brother's job.", facts=[works]) == ["works at Acme"]
    assert taken_of(lines, "Forget my job.", facts=[works]) == []


@pytest.mark.parametrize(
    ("said", "content", "home", "work"),
    [
        ("My work phone is 5550143887", "Nora's phone is 5550143887", False, True),
        ("My phone is 5550143887", "Nora's phone is 5550143887", True, True),
        ("My work phone is 5550143887", "Nora's home phone is 5550143887", True, False),
        ("My work phone is there, I am on 5550143887", "Nora's phone is 5550143887", True, True),
    ],
)
def test_the_words_it_was_made_of_tell_of_which_kind_a_memory_is_where_it_does_not(
    said: str, content: str, *, home: bool, work: bool
) -> None:
    turns = a_talk([said, "I like tea."], "Nora")
    fact = quoting(turns, said, a_fact(content, "phone", "5550143887"))
    owned = OwnedTurns.read([*turns, fact], [], asked_for)
    found = [
        bool(owned.taken(read_wish(f"forget my {kind} phone number", asked_for), [fact], NOON).nodes)
        for kind in ("home", "work")
    ]
    assert found == [home, work]
    valueless = fact.revised(value=None)
    assert work == bool(owned.taken(read_wish("forget my work phone number", asked_for), [valueless], NOON).nodes)
    unquoted = fact.revised(evidence=())
    assert owned.taken(read_wish("forget my home phone number", asked_for), [unquoted], NOON).nodes or not home


def test_clauses_that_go_tell_all_of_a_memory_whose_value_they_do_not_say() -> None:
    turns = a_talk(["My phone number is 555-0301, I like tea."], "Nora")
    owned = OwnedTurns.read(turns, [], asked_for)
    taken = owned.taken(read_wish("forget my phone number", asked_for), [], NOON)
    valued = quoting(turns, "My phone number is 555-0301", PHONE)
    assert not taken.tell_all_of(valued)
    assert taken.tell_all_of(valued.revised(value=None))
    assert taken.tell_all_of(valued.revised(value="elsewhere"))
    assert not taken.tell_all_of(quoting(turns, "I like tea", a_fact("Nora likes tea")))


def test_what_goes_on_about_another_detail_stays() -> None:
    lines = ("My phone number is 5550142887.", "The new email is a@x.example.")
    assert taken_of(lines, "Forget my phone number.") == ["My phone number is 5550142887"]
    kinds = ("My home phone is 5550142887.", "The new work phone is 5550143887.")
    assert taken_of(kinds, "Forget my home phone number.") == ["My home phone is 5550142887"]
