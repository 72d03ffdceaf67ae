"""The small decisions of forgetting, each seen from both sides."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from agentmem.domain.entity import MENTIONS, named
from agentmem.domain.episode import BLOT
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType, RecordType, StoreStatus
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.language.normal import identifies
from agentmem.memory.cuts import NamesOf, is_all_of, pieces, saying, still_given, still_named, widened
from agentmem.memory.forget_plan import NOTHING, ForgetPlan, Meant, Traces, reopened, settle, unlinked
from agentmem.memory.put_right import PutRight
from agentmem.memory.repeated import Repeated, confirmed, take, values_gone
from agentmem.memory.support import still_said, tells_of
from agentmem.memory.wish import read_wish
from agentmem.questions.question import asked_for
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory

GONE, KEPT = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"


def nothing_asked(_: str) -> frozenset[str]:
    return frozenset()


def a_plan() -> ForgetPlan:
    return ForgetPlan(Meant(Scope(TENANT, AGENT), query="x"), erase=False, now=NOON, head=0)


def said_in(turn: MemoryNode, words: str) -> Evidence:
    start = turn.content.index(words)
    return Evidence(memory_id=turn.memory_id, start=start, end=start + len(words))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, False), ("tea", False), ("1234", False), ("12345", True), ("12 345", True), ("a@b.example", True)],
)
def test_five_digits_or_a_mail_address_are_one_of_a_kind(value: str | None, *, expected: bool) -> None:
    assert identifies(value) is expected


def test_of_the_evidence_the_clause_it_ends_in_is_taken_and_not_the_next_one() -> None:
    turn = a_memory("I like tea, my brother likes green tea a lot.", memory_type=MemoryType.CONVERSATION)
    first, second = pieces(turn.content)
    node = a_memory("罗小东 likes green tea a lot")
    for cut in (first, second):
        part = Evidence(memory_id=turn.memory_id, start=cut[0], end=cut[1])
        assert saying(node, turn.content, part, []) == [cut]


def test_a_clause_beside_the_evidence_is_never_taken_even_where_they_touch() -> None:
    text = "喜欢喝茶。喜欢喝绿茶。"
    first, second = pieces(text)
    node = a_memory("罗小东喜欢喝绿茶")
    touching = Evidence(memory_id=node.memory_id, start=first[0], end=second[0])
    assert saying(node, text, touching, []) == [first]
    behind = Evidence(memory_id=node.memory_id, start=first[1], end=second[1])
    assert saying(a_memory("罗小东喜欢喝茶"), text, behind, []) == [second]


def test_every_link_to_what_goes_is_loosed_and_every_other_stays() -> None:
    linked = a_memory(
        "x",
        supersedes=(GONE, KEPT),
        superseded_by=GONE,
        conflicts_with=(GONE, KEPT),
        needs_review=(GONE, KEPT),
    )
    loosed = unlinked(linked, {GONE})
    assert {name: loosed[name] for name in ("supersedes", "conflicts_with", "needs_review")} == {
        "supersedes": (KEPT,),
        "conflicts_with": (KEPT,),
        "needs_review": (KEPT,),
    }
    assert loosed["superseded_by"] is None
    assert unlinked(linked.revised(superseded_by=KEPT), {GONE})["superseded_by"] == KEPT
    assert unlinked(linked.revised(needs_review=(GONE,)), {GONE})["needs_review"] is None
    assert unlinked(linked.revised(needs_review=None), {GONE})["needs_review"] is None


def test_what_a_memory_is_about_stays_though_the_words_that_name_it_go() -> None:
    other = named(TENANT, AGENT, "Globex")
    mentions = [{"name": "罗小东", "kind": "person"}, {"name": "Globex", "kind": "organisation"}]
    about = named(TENANT, AGENT, "罗小东")
    node = a_memory(
        "罗小东 works at Globex", target_id=about, entity_ids=(about, other), meta_data={MENTIONS: mentions}
    )
    assert still_named(node, {"tea"})["entity_ids"] == (about,)
    assert still_named(node, {"globex"})["entity_ids"] == (about, other)


@pytest.mark.parametrize(("gone", "value"), [("call 555-0142", None), ("I like tea", "555-0142")])
def test_a_slot_is_filled_as_long_as_its_value_is_said(gone: str, value: str | None) -> None:
    plan, node = a_plan(), a_memory("call 555-0142, I like tea", attribute="phone", value="555-0142")
    start = node.content.index(gone)
    plan.cut(node, [(start, start + len(gone))])
    assert plan.state(node).value == value
    assert plan.state(node).attribute == (value and "phone")


def test_a_memory_without_a_slot_is_cut_as_well() -> None:
    plan, node = a_plan(), a_memory("call Ann, I like tea")
    plan.cut(node, [(0, len("call Ann"))])
    assert plan.state(node).content == "I like tea"


@pytest.mark.parametrize(
    ("facts", "clause", "expected"),
    [
        ([("phone", "555-014288")], "so 555 014288 it is", True),
        ([("phone", "555-014288")], "so it is", False),
        ([("city", "Leeds")], "Leeds is far", False),
    ],
)
def test_an_identifier_is_told_by_whoever_repeats_it(
    facts: Iterable[tuple[str, str]], clause: str, *, expected: bool
) -> None:
    held = [a_memory(f"x {value}", attribute=attribute, value=value) for attribute, value in facts]
    turn = a_memory(clause, memory_type=MemoryType.CONVERSATION, run_id="another")
    assert Repeated(held, nothing_asked).told_in(turn, clause) is expected


@pytest.mark.parametrize(("rest", "expected"), [("I go sailing every week", True), ("fine, thanks", False)])
def test_a_fact_without_a_value_stays_where_most_of_it_is_said_elsewhere(rest: str, *, expected: bool) -> None:
    first = a_memory("I go sailing every week", memory_type=MemoryType.CONVERSATION)
    second = a_memory(rest, memory_type=MemoryType.CONVERSATION)
    turns = {turn.memory_id: turn for turn in (first, second)}
    parts = [said_in(turn, turn.content) for turn in (first, second)]
    node = a_memory("罗小东 goes sailing every week", target_id=TARGET)
    assert still_said(node, parts, parts[1:], turns, turns) is expected


STILL_SAID: dict[str, tuple[dict[str, object], str, str, bool]] = {
    "half of a value is enough": ({"attribute": "vehicle", "value": "red car"}, "a red car", "a red bike", True),
    "less than half is not": (
        {"attribute": "vehicle", "value": "small red car"},
        "a small red car",
        "a red bike",
        False,
    ),
    "three of five words are enough": ({}, "boat harbour island village mountain", "boat harbour island", True),
    "two of five are not": ({}, "boat harbour island village mountain", "boat harbour", False),
    "a value without an attribute is words": (
        *({"value": "mountain"}, "boat harbour island village mountain"),
        *("boat harbour island village", True),
    ),
    "he says it himself": ({"speaker": "罗小东"}, "boat harbour", "boat harbour", True),
    "another says it": ({"speaker": "小美"}, "boat harbour", "boat harbour", False),
}


@pytest.mark.parametrize("name", STILL_SAID)
def test_a_fact_stays_where_who_vouches_for_it_says_enough_of_it(name: str) -> None:
    fields, said, again, expected = STILL_SAID[name]
    first, second = (a_memory(text, memory_type=MemoryType.CONVERSATION, speaker="罗小东") for text in (said, again))
    turns = {turn.memory_id: turn for turn in (first, second)}
    parts = [said_in(turn, turn.content) for turn in (first, second)]
    assert still_said(a_memory(said, **fields), parts, parts[1:], turns, turns) is expected


@pytest.mark.parametrize(("again", "stays"), [("boat harbour island", True), ("boat harbour", False)])
def test_how_much_of_a_fact_is_still_said_is_told_by_what_all_its_turns_said(again: str, *, stays: bool) -> None:
    said = "boat harbour island village mountain"
    first, second = (a_memory(text, memory_type=MemoryType.CONVERSATION) for text in (said, again))
    unknown = a_memory(said, memory_type=MemoryType.CONVERSATION)
    evidence = tuple(said_in(turn, turn.content) for turn in (first, second, unknown))
    node = a_memory(said, evidence=evidence, source_ids=tuple(part.memory_id for part in evidence))
    plan = a_plan()
    plan.drop(first)
    settle(plan, node, {turn.memory_id: turn for turn in (first, second)})
    assert (node.memory_id in plan.gone) is not stays


@pytest.mark.parametrize("record", [RecordType.ITEM, RecordType.SESSION_ITEM])
def test_a_value_goes_whole_where_a_part_of_its_words_goes(record: RecordType) -> None:
    turn = a_memory("I like tea, and I sail.", memory_type=MemoryType.CONVERSATION)
    fields = {"evidence": (said_in(turn, turn.content),), "source_ids": (turn.memory_id,)}
    item, fact = a_memory(turn.content, record=record, **fields), a_memory(turn.content, **fields)
    plan = a_plan()
    for node in (item, fact):
        take(plan, node, [(0, 11)])
    assert item.memory_id in plan.gone
    assert fact.memory_id not in plan.gone
    assert fact.memory_id in plan.cuts


REPEATED: dict[str, tuple[str, dict[str, object], bool]] = {
    "a number in the same talk": ("42", {}, True),
    "a number in another talk": ("42", {"run_id": "another"}, False),
    "one digit": ("7", {}, False),
    "a word": ("Leeds", {}, False),
    "a number that is somebody else's": ("42", {"target_id": KEPT}, False),
    "a number in no turn": ("42", {"memory_type": MemoryType.OBSERVATION}, False),
    "a word whose slot is named, in another talk": ("Leeds", {"run_id": "another"}, True),
}


@pytest.mark.parametrize("name", REPEATED)
def test_what_can_mean_nothing_else_is_told_again(name: str) -> None:
    value, fields, expected = REPEATED[name]
    fact = a_memory(f"x {value}", attribute="city", value=value)
    turn = a_memory(f"{name} {value}", **{"memory_type": MemoryType.CONVERSATION, **fields})
    repeated = Repeated([fact], lambda clause: frozenset({"city"} if "slot is named" in clause else ()))
    assert repeated.told_in(turn, turn.content) is expected


@pytest.mark.parametrize(
    ("clause", "expected"), [("他43岁了", False), ("还是43号", True), ("43, as I said", True), ("44号", False)]
)
def test_a_number_is_said_again_where_the_same_is_counted(clause: str, *, expected: bool) -> None:
    fact = a_memory("罗小东住43号", attribute="home", value="43")
    turn = a_memory(clause, memory_type=MemoryType.CONVERSATION)
    assert Repeated([fact], nothing_asked).told_in(turn, clause) is expected


def a_talk(*said: str, begin: int = 0) -> list[MemoryNode]:
    """Turns in which 罗小东 and the agent speak by turns."""
    return [
        a_memory(
            text, memory_type=MemoryType.CONVERSATION, meta_data={"turnIndex": at}, speaker=("罗小东", "小美")[at % 2]
        )
        for at, text in enumerate(said, start=begin)
    ]


def answered(said: str, answer: str, **fields: object) -> list[str]:
    """The clauses of what was said right after a turn that confirm it."""
    own, other = a_talk(said, answer)
    other = other.revised(**fields)
    return [turn.content[slice(*cut)] for turn, cut in confirmed([other, own], [(own, (0, len(own.content)))])]


def test_who_answers_right_behind_a_turn_confirms_the_values_of_two_digits_that_it_said() -> None:
    said, answer = "The flat has 42 m².", "Fine, 42 m² it is, and I like it."
    assert answered(said, answer) == ["42 m² it is"]
    assert answered(said, answer, speaker="罗小东") == []
    assert answered(said, answer, run_id="another") == []
    assert answered(said, "Fine, 43 m² it is.") == []


def test_turns_follow_each_other_by_their_numbers_beyond_the_ninth_too() -> None:
    first, *_, ninth, _ = turns = a_talk(
        "It has 42 m².", *8 * ["Fine."], "It has 17 m².", "17 m², 42 m², sorry, 18 m²."
    )
    told = [(turn, (0, len(turn.content))) for turn in (first, ninth)]
    turns = [turn.revised(run_id="talk") for turn in reversed(turns)]
    assert [turn.content[slice(*cut)] for turn, cut in confirmed(turns, told)] == ["17 m²"]


@pytest.mark.parametrize("begin", [0, 8])
def test_what_puts_a_value_right_is_found_wherever_in_a_talk_it_stands(begin: int) -> None:
    turns = a_talk("My birthday is May 12.", "Noted.", "No, sorry, it's May 13.", begin=begin)
    born = a_memory("罗小东's birthday is May 12", attribute="birthday", value="May 12")
    born = born.revised(evidence=(said_in(turns[0], "My birthday is May 12"),))
    found = PutRight.beside(reversed(turns), [], asked_for).clauses_of([born])
    assert {turn.memory_id for turn, _ in found} == {turns[2].memory_id}


def test_of_the_values_that_went_those_are_told_that_nothing_says_any_more() -> None:
    phone = a_memory("call 555-0142, in Rome", value="Rome")
    assert values_gone([(phone, None)]) == {"555-0142", "Rome"}
    assert values_gone([(phone, phone.revised(content="in Rome", value=None))]) == {"555-0142"}
    assert values_gone([(a_memory("size M", value="M"), None)]) == frozenset()


def test_a_turn_that_is_cut_twice_loses_both_stretches_and_no_other_word() -> None:
    turn = a_memory("I like tea, I live in Rome, I drive a bus.", memory_type=MemoryType.CONVERSATION)
    plan = ForgetPlan(Meant(Scope(TENANT, AGENT), query="x"), erase=True, now=NOON, head=0)
    first, second, _ = pieces(turn.content)
    plan.cut(turn, [first])
    plan.cut(turn, [second])
    assert plan.state(turn).content == "I drive a bus."


def test_what_is_spared_of_a_turn_is_in_no_cut() -> None:
    turn = a_memory("My mother Mia likes tea, she sings.", memory_type=MemoryType.CONVERSATION)
    plan = a_plan()
    plan.spared[turn.memory_id] = {(0, len("My mother Mia"))}
    plan.cut(turn, [(0, len(turn.content))])
    assert plan.state(turn).content.rstrip(BLOT) == "My mother Mia"
    untouched = a_memory("My mother Mia", memory_type=MemoryType.CONVERSATION)
    plan.spared[untouched.memory_id] = {(0, len(untouched.content))}
    plan.cut(untouched, [(0, len(untouched.content))])
    assert plan.state(untouched) == untouched
    assert untouched.memory_id not in plan.gone


def test_what_goes_already_is_not_spared_afterwards() -> None:
    plan, turn = a_plan(), a_memory("I like tea, I live in Oslo.", memory_type=MemoryType.CONVERSATION)
    tea, oslo = pieces(turn.content)
    plan.cut(turn, [tea])
    plan.spare(turn.memory_id, [tea, oslo])
    plan.cut(turn, [tea, oslo])
    assert plan.edited[turn.memory_id][1].content == f"{BLOT * 10}, I live in Oslo."


def test_a_name_of_two_characters_is_one_and_one_character_is_none() -> None:
    assert NamesOf(["林芳"]).stand_in("昨天林芳来了")
    assert not NamesOf(["林"]).stand_in("昨天林芳来了")


def test_a_turn_keeps_the_search_words_that_it_still_says() -> None:
    turn = a_memory("I like tea, I live in Rome.", memory_type=MemoryType.CONVERSATION, key=("tea", "Rome"))
    plan = a_plan()
    plan.cut(turn, pieces(turn.content)[:1])
    assert plan.state(turn).key == ("Rome",)


def test_no_way_to_the_erased_stays_in_what_was_noted_beside_a_memory() -> None:
    meta = {"seen": GONE, "with": [GONE, KEPT, 3], "of": KEPT, "number": 7}
    left = unlinked(a_memory("likes milk", meta_data=meta), {GONE})["meta_data"]
    assert left == {"with": [KEPT, 3], "of": KEPT, "number": 7}


def test_two_clauses_side_by_side_go_as_one_stretch() -> None:
    text = "I like tea, I live in Rome, I drive a bus."
    first, second, _ = pieces(text)
    ((start, end),) = widened(text, [second, first])
    assert text[:start] + text[end:] == "I drive a bus."


def test_no_clause_is_empty_where_a_text_breaks_off_at_a_joint() -> None:
    assert [cut for cut in pieces("我喜欢喝茶而且") if cut[0] >= cut[1]] == []


def test_what_was_given_along_goes_with_the_word_it_says_in_any_script() -> None:
    meta: dict[str, JsonValue] = {"note": "青霉素", "place": "成都"}
    assert still_given(meta, "我对青霉素过敏,住在成都", "住在成都") == {"place": "成都"}


def test_a_conclusion_stays_where_what_is_left_says_as_much() -> None:
    morning, evening = a_memory("drinks tea in the morning"), a_memory("drinks tea in the evening")
    assert not tells_of(a_memory("drinks tea"), [morning], [evening])
    assert tells_of(a_memory("drinks tea in the morning"), [morning], [evening])


@pytest.mark.parametrize(("cut", "expected"), [((0, 10), True), ((0, 9), False), ((1, 10), False), ((0, 20), True)])
def test_a_memory_is_all_of_a_stretch_that_holds_all_its_words(cut: tuple[int, int], *, expected: bool) -> None:
    turn = a_memory("I like tea, I live in Oslo.", memory_type=MemoryType.CONVERSATION)
    node = a_memory("罗小东 likes tea", evidence=(said_in(turn, "I like tea"),))
    assert is_all_of([node], turn.memory_id, cut) is expected


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("forget my phone", ["555-0142000"]),
        ("forget my email", ["nora@pine.example"]),
        ("forget my budget", ["Call 555-0142000 or nora@pine.example"]),
    ],
)
def test_of_a_clause_with_several_contacts_the_one_that_is_meant_is_told(query: str, told: list[str]) -> None:
    clause = "Call 555-0142000 or nora@pine.example"
    wish = read_wish(query, nothing_asked if "budget" in query else asked_for)
    assert [clause[slice(*cut)] for cut in wish.told_of(clause)] == told


def test_what_somebody_has_is_named_by_its_detail_by_its_value_or_by_all_its_words() -> None:
    phone = read_wish("forget my phone", asked_for).forget
    assert phone.names(" phone number", nothing_asked)
    assert not phone.names(" likes tea", nothing_asked)
    assert read_wish("forget the green kayak", asked_for).forget.names(" kayak is green", nothing_asked)


WRONG_WISHES: list[dict[str, object]] = [
    {"ids": GONE},
    {"ids": (5,)},
    {"query": 5},
    {"query": "a\x00b"},
    {"source": 5},
    {"query": "x", "own": "yes"},
    {},
    {"query": "x", "source": "y"},
    {"query": "x", "scope": Scope(TENANT, AGENT, TARGET, beside=("Tom",))},
]


@pytest.mark.parametrize("given", WRONG_WISHES, ids=str)
def test_a_wish_is_for_one_thing_that_is_what_it_is_declared_as(given: dict[str, object]) -> None:
    wish: dict[str, Any] = {"scope": Scope(TENANT, AGENT), **given}
    with pytest.raises(InvalidInput):
        Meant(**wish)


@pytest.mark.parametrize(
    ("erase", "layer", "before"),
    [
        (False, MemoryType.CONVERSATION, ""),
        (False, MemoryType.CONVERSATION, f"{BLOT * 5}. "),
        (False, MemoryType.OBSERVATION, ""),
        (True, MemoryType.CONVERSATION, ""),
        (True, MemoryType.CONVERSATION, f"{BLOT * 5}. "),
        (True, MemoryType.OBSERVATION, ""),
    ],
)
def test_evidence_beside_what_is_cut_stands_where_its_words_do(layer: MemoryType, before: str, *, erase: bool) -> None:
    turn = a_memory(f"{before}I like green tea. I have a dog.", memory_type=layer)
    plan = ForgetPlan(Meant(Scope(TENANT, AGENT), query="x"), erase=erase, now=NOON, head=0)
    gone = said_in(turn, "I like green tea.")
    plan.cut(turn, [(gone.start, gone.end)])
    part = plan.moved(said_in(turn, "I have a dog"))
    after = plan.state(turn).content
    assert "green tea" not in after
    assert part is not None
    assert after[part.start : part.end] == "I have a dog"
    assert erase or plan.moved(gone) is None


def test_of_what_is_spared_that_goes_which_goes_for_another_reason() -> None:
    plan = a_plan()
    plan.stretches[GONE] = {(3, 8)}
    plan.spare(GONE, [(3, 5), (5, 8), (3, 8), (2, 5), (6, 9)])
    assert plan.spared[GONE] == {(2, 5), (6, 9)}


def test_what_changes_is_of_a_person_and_of_the_graph_that_is_made_of_it() -> None:
    of_a_person = ForgetPlan(Meant(Scope(TENANT, AGENT, TARGET)), erase=False, now=NOON, head=0)
    graph = a_plan().lanes
    assert (len(graph), of_a_person.lanes) == (1, (Lane(TENANT, AGENT, TARGET), *graph))


@pytest.mark.parametrize("traced", [(), (GONE,)])
def test_a_copy_forgets_what_it_has_of_it_and_nothing_where_it_has_none(traced: tuple[str, ...]) -> None:
    assert Traces(Scope(TENANT, AGENT), traced, {}).meant.ids == (traced or (NOTHING,))


class Ledgered:
    """As much of a ledger as tells of one memory: as it is, and as it was before each change of it."""

    def __init__(self, node: MemoryNode, before: list[MemoryNode | None]) -> None:
        self.node, self.before = node, before

    async def get(self, _tenant: str, ids: Iterable[str]) -> dict[str, MemoryNode]:
        return dict.fromkeys(ids, self.node)

    async def history(self, _tenant: str, _id: str) -> list[Any]:
        return [SimpleNamespace(change=SimpleNamespace(before=each)) for each in self.before]


@pytest.mark.parametrize(
    ("before", "reopens"),
    [
        (["nothing", "valid"], True),
        (["nothing", "valid", "ended"], True),
        (["nothing"], False),
        (["nothing", "expired"], False),
        (["nothing", "expired", "ended"], False),
    ],
)
async def test_what_was_ended_by_what_goes_is_again_what_it_was_unless_it_was_over_before(
    before: list[str], *, reopens: bool
) -> None:
    valid = a_memory("罗小东 likes tea")
    ended = valid.revised(store_status=StoreStatus.EXPIRED, superseded_by=GONE, expired_at=NOON)
    expired = valid.revised(store_status=StoreStatus.EXPIRED, expired_at=NOON)
    states = {"nothing": None, "valid": valid, "ended": ended, "expired": expired}
    ender = a_memory("罗小东 likes coffee", memory_id=GONE, supersedes=(valid.memory_id,))
    ledger: Any = Ledgered(ended, [states[each] for each in before])
    found = await reopened(ledger, {GONE: ender})
    assert [(node, fields["store_status"], fields["superseded_by"]) for node, fields in found] == (
        [(ended, StoreStatus.VALID, None)] if reopens else []
    )
