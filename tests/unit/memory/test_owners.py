"""Whose details a talk tells is read in time that grows with the talk, and with nothing else."""

import sys
from collections.abc import Iterable
from types import FrameType

import pytest

from agentmem.language import people
from agentmem.language.people import KnownNames, Whom, people_in
from agentmem.memory import owners
from agentmem.memory.owners import OWN, Owner, TalkReader, is_fragment, shown
from tests.support.owned import AGENT_SAYS
from tests.support.timing import MARGIN, allowed, seconds_of

ROOMS = (people.__file__, owners.__file__)
LETTERS = "abcdefghijklmnopqrst"


def talk(size: int) -> list[str]:
    """Turns that each introduce somebody else."""
    names = [f"{a}{b}{c}".capitalize() + "ora" for a in LETTERS for b in LETTERS for c in LETTERS][:size]
    return [f"My friend {name} lives in Oslo." for name in names]


def calls(texts: list[str]) -> int:
    """How many functions of these rooms are called while a talk is read."""
    counted = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call") and frame.f_code.co_filename in ROOMS

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        reader = TalkReader.of(["Tom"], texts)
        found = [part for text in texts for part in reader.parts(text)]
    finally:
        sys.setprofile(before)
    assert len(found) >= len(texts)
    return counted


@pytest.mark.thorough
def test_a_talk_twice_as_long_takes_twice_the_calls() -> None:
    assert calls(talk(120)) < 2.2 * calls(talk(60))


def test_who_is_introduced_behind_his_name_is_sought_near_it_and_not_in_all_that_is_said() -> None:
    text = "I talked to Ann, my sister. " * 400

    def read() -> None:
        TalkReader.of(["Tom"], [text]).parts(text)

    assert seconds_of(read, 5) < MARGIN * allowed(text)


def test_a_clause_of_names_alone_changes_nothing_about_whom_is_spoken_of() -> None:
    text = "I have two cats, Misty and Fluff, and live in Oslo."
    parts = TalkReader.of(["Tom"], [text]).parts(text)
    assert next(part.subject for part in parts if "Oslo" in part.text) == (frozenset({OWN}),)


def test_a_known_name_stands_as_a_word_of_its_own_and_chinese_ones_anywhere() -> None:
    known = KnownNames(["ann", "marks and spencer", "孟伟"])
    assert list(known.placed_in("Ann met Annika at Marks and Spencer; Jo-Ann did not")) == [
        (0, 3, "ann"),
        (18, 35, "marks and spencer"),
    ]
    assert list(known.placed_in("我和孟伟去")) == [(2, 4, "孟伟")]
    assert [each.whom for each in people_in("ask ann's dog", known=known)] == [Whom(None, "ann")]
    assert ("ANN" in known, "ben" in known, len(known), sorted(known)[0]) == (True, False, 3, "ann")


def test_what_a_detail_is_called_is_nobodys_name() -> None:
    (passport,) = TalkReader.of(["Nora"], ["Passport is K5582204."]).parts("Passport is K5582204.")
    (ann,) = TalkReader.of(["Nora"], ["Ann is tall."]).parts("Ann is tall.")
    assert passport.subject == ()
    assert [shown(owner) for owners in ann.subject for owner in owners] == ["ann"]


def whose(*lines: str, me: str = "Nora") -> list[tuple[str, str]]:
    """Each clause of a talk and of whom it speaks: of several "&", of one of several "|"; behind ":" whose the things
    are that it names, where that is somebody else."""
    reader = TalkReader.of([me], [line.removeprefix(AGENT_SAYS) for line in lines])
    found: list[tuple[str, str]] = []
    for line in lines:
        for part in reader.parts(line.removeprefix(AGENT_SAYS), by_agent=line.startswith(AGENT_SAYS)):
            subject = " & ".join(map(named, part.subject))
            owned = " & ".join(named(owners) for owners, _ in part.owned)
            found.append((part.text, subject if owned in ("", subject) else f"{subject}: {owned}"))
    return found


def named(owners: Iterable[Owner]) -> str:
    return " | ".join(sorted(map(shown, owners)))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ("My wife Helen is a nurse. She likes tea.", "Her number is 555-0142."),
            ["wife", "wife", "wife"],
        ),
        (("My brother and my sister live in Oslo, he is 40, she is 42.",), ["brother & sister", "brother", "sister"]),
        (("My brother lives in Oslo and my sister lives in York.",), ["brother", "sister"]),
        (("My brother likes my sister's dog.",), ["brother"]),
        (("Ask my brother.",), ["brother"]),
        (("Diet Coke's price is high.",), ["diet coke"]),
        (("My boss and I are allergic to bees.",), ["boss & one's own"]),
        (("My friend Bob and my cousin Al live in Oslo.", "They like chess."), ["friend & cousin", "cousin | friend"]),
        (("Bob likes tea. Bob's dog barks.",), ["bob", "bob"]),
        (("我妈妈叫林芳,林芳住在苏州。", "她是老师。"), ["mother", "mother", "mother"]),
        (("我和我老婆住在苏州。",), ["one's own & wife"]),
        (("我的生日是6月4日,我老婆的是7月11日。",), ["one's own", "wife"]),
        (("My doctor gave me pills.", "My doctor is kind."), ["one's own", "doctor"]),
        (("我的医生给我开了药。", "我的医生很好。"), ["one's own", "doctor"]),
    ],
)
def test_a_clause_speaks_of_whom_it_means_first_and_who_is_named_together_with_him(
    lines: tuple[str, ...], expected: list[str]
) -> None:
    assert [owner for _, owner in whose(*lines)] == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("agent: What is your number?", "555-0142"), ["one's own", "one's own"]),
        (("agent: What is your son's number?", "555-0142", "agent: Thanks.", "555-0143"), ["son", "son", "", ""]),
        (("agent: What is your son's age?", "He is seven."), ["son", "son"]),
        (("agent: I see.", "Nice weather."), ["", ""]),
        (("My sister is ill.", "It is a cold."), ["sister", "sister"]),
        (("My sister is ill?", "A cold."), ["sister", ""]),
        (("My sister is ill.", "Nice weather."), ["sister", ""]),
        (("My sister is ill, nice weather.",), ["sister", "sister"]),
        (("我姐姐的号码换了。", "新号是13900001111。"), ["elder sister", "elder sister"]),
        (("我姐姐病了。", "天气很好。"), ["elder sister", ""]),
        (("My sister is ill. My brother is well. She rests.",), ["sister", "brother", "somebody"]),
        (("My sister is ill, my brother is well, she rests.",), ["sister", "brother", "sister"]),
    ],
)
def test_a_clause_without_anybody_speaks_of_the_one_before_where_it_goes_on(
    lines: tuple[str, ...], expected: list[str]
) -> None:
    assert [owner for _, owner in whose(*lines)] == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("Lucia is my mother. Lucia likes tea.",), ["mother", "mother"]),
        (("Lucia is my mother's friend. Lucia likes tea.",), ["mother friend", "mother friend"]),
        (("Lucia is my mother Ann. Lucia likes tea.",), ["lucia", "lucia"]),
        (("My mother is Lucia. Lucia likes tea.",), ["mother", "mother"]),
        (("My mother's name is Lucia. Lucia likes tea.",), ["mother", "mother"]),
        (("I met Al. My cousin is called Al.", "Al likes tea."), ["one's own", "cousin", "cousin"]),
        (("My sister Ann is ill.", "My sister Bea is well.", "Ann rests."), ["sister ann", "sister bea", "sister ann"]),
        (
            ("My sister Ann is ill.", "My sister Bea is well.", "My sister rests."),
            ["sister ann", "sister bea", "sister ann | sister bea"],
        ),
        (("My brother Max is ill.", "My boss Max is well.", "Max rests."), ["brother", "boss", "boss | brother"]),
        (("My brother Max is ill.", "My boss Max is well, Max rests."), ["brother", "boss", "boss"]),
        (
            ("My brother is ill.", "My sister is well.", "My siblings rest."),
            ["brother", "sister", "brother | sibling | sister"],
        ),
        (("My sister Ann is ill.", "My boss Ann rests."), ["sister", "boss"]),
        (("My mother Lucia is ill.", "My parents rest."), ["mother", "mother | parent"]),
        (("Ben's dog bit my brother. Ben's bike is red.",), ["ben", "ben"]),
        (("Ann's boss is my brother Tim. Ann's bike is red.",), ["ann", "ann"]),
        (("Passport is K55, Ann is tall.",), ["", "ann"]),
        (("Your son is ill, you are kind.",), ["listener son", "listener son"]),
    ],
)
def test_who_somebody_is_is_known_from_the_whole_talk(lines: tuple[str, ...], expected: list[str]) -> None:
    assert [owner for _, owner in whose(*lines)] == expected


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("My brother and my sister live in York.", ["My brother and my sister live in York"]),
        ("Nice weather and my sister lives in York.", ["Nice weather", "my sister lives in York"]),
        ("I like my brother and my sister lives in York.", ["I like my brother", "my sister lives in York"]),
        ("My brother lives in Hull, my sister in York.", ["My brother lives in Hull", "my sister in York"]),
        (
            "My brother lives in Hull while my sister lives in York.",
            ["My brother lives in Hull", "my sister lives in York"],
        ),
        ("My brother lives with my sister.", ["My brother lives with my sister"]),
        ("我爸和我妈住在苏州。", ["我爸和我妈住在苏州"]),
    ],
)
def test_who_is_only_named_with_another_is_in_one_clause_with_him(text: str, clauses: list[str]) -> None:
    assert [clause for clause, _ in whose(text)] == clauses


@pytest.mark.parametrize(
    ("me", "lines", "expected"),
    [
        ("Nora Finch", ("Nora is tall.", "Finch is tall."), ["one's own", "finch"]),
        ("J. Finch", ("J. is tall.",), [""]),
        ("Al Finch", ("Al is tall.",), ["al"]),
        ("周敏", ("周敏住在苏州。",), ["one's own"]),
    ],
)
def test_one_is_known_by_ones_first_name_as_well(me: str, lines: tuple[str, ...], expected: list[str]) -> None:
    assert [owner for _, owner in whose(*lines, me=me)] == expected


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("My seat is in coach 7, seat 14C.", ["seat 14C"]),
        ("My seat is in coach 7, it is 14C.", []),
        ("My seat is in coach 7, right by the big door.", []),
        ("My seat is in coach 7, at the door.", ["at the door"]),
        ("Seat 14C.", []),
        ("My seat is in coach 7, my bag.", []),
    ],
)
def test_a_clause_of_few_words_that_tells_nothing_only_adds_to_the_one_before(text: str, fragments: list[str]) -> None:
    assert [part.text for part in TalkReader.of(["Nora"], [text]).parts(text) if is_fragment(part)] == fragments
