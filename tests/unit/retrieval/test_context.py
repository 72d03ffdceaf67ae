"""The block for a prompt: what stands in it, in which order, within which budget."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentmem.domain.memory import LAYERS, Ending, MemoryNode, MemoryType, Modality, StoreStatus, Trust
from agentmem.errors import InvalidInput
from agentmem.language.lengths import estimated_tokens
from agentmem.language.normal import Language, normalise
from agentmem.ports.models import TokenCounter
from agentmem.retrieval.context import SMALLEST_BUDGET
from agentmem.retrieval.context_wording import SECTIONS
from tests.support.nodes import a_memory
from tests.support.remembered import NONCE, a_quoted_turn, resting_on, told

FIXTURES = Path(__file__).parents[2] / "fixtures" / "context"
TALK = datetime(2024, 12, 26, 10, 3, tzinfo=UTC)


def a_whole_recall(language: Language) -> dict[str, list[MemoryNode]]:
    """One memory of every kind: recalled ones best first, the turns they rest on, and what else is known."""
    zh = language == "zh"
    number = a_quoted_turn(
        "这是我的电话 13800138000, 预算三十万" if zh else "My number is 555-0142, budget 30k", valid_at=TALK
    )
    seen = a_quoted_turn(
        "今天先到这里" if zh else "That is all for today", valid_at=TALK + timedelta(minutes=2), by="小美"
    )
    left = a_memory(
        "罗小东住在杭州" if zh else "Luo lives in Hangzhou",
        valid_at=TALK,
        invalid_at=TALK + timedelta(days=40),
        store_status=StoreStatus.EXPIRED,
    )
    phone = a_memory(
        "罗小东的电话是13800138000" if zh else "Luo's number is 555-0142",
        valid_at=TALK,
        evidence=resting_on(number, "13800138000" if zh else "555-0142"),
    )
    big = a_memory("罗小东有30万预算" if zh else "Luo has 30k to spend", valid_at=TALK + timedelta(days=3))
    small = a_memory(
        "罗小东没有预算" if zh else "Luo has nothing to spend",
        valid_at=TALK + timedelta(days=400),
        conflicts_with=(big.memory_id,),
        modality=Modality.NEGATED,
        speaker="王芳",
    )
    wish = a_memory(
        "罗小东想要报表" if zh else "Luo may want reports", memory_type=MemoryType.INSIGHT, modality=Modality.HYPOTHESIS
    )
    rules = a_memory(
        "开放时间\n每天九点开门。" if zh else "Opening hours\nWe open at nine.",
        memory_type=MemoryType.LONGTERM,
        kind="chunk",
        trust=Trust.OWNER,
        meta_data={
            "assetId": "rules",
            "title": "手册" if zh else "Handbook",
            "heading": "开放时间" if zh else "Opening hours",
            "place": 1,
        },
    )
    job = a_memory(
        "罗小东是工程师" if zh else "Luo is an engineer", attribute="occupation", value="工程师" if zh else "engineer"
    )
    nick = a_memory(
        "又叫小东" if zh else "is called Dong", attribute="alias", value="小东" if zh else "Dong", valid_at=TALK
    )
    return {"found": [phone, small, wish, rules, seen, left, big], "turns": [number], "known": [job, nick]}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_block_reads_as_it_is_written_down(language: Language) -> None:
    recall = a_whole_recall(language)
    block = told(*recall["found"], turns=recall["turns"], known=recall["known"], language=language)

    assert block.text + "\n" == (FIXTURES / f"{language}.txt").read_text("utf-8")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_line_leads_to_its_memories_and_they_to_their_episodes(language: Language) -> None:
    recall = a_whole_recall(language)
    block = told(*recall["found"], turns=recall["turns"], known=recall["known"], language=language)
    given = {node.memory_id for nodes in recall.values() for node in nodes}

    assert {key for line in block.lines for key in line.memory_ids} == given
    assert [line.text for line in block.lines] == [text for text in block.text.splitlines() if text.startswith("- ")]
    assert [line.section for line in block.lines] == sorted((line.section for line in block.lines), key=SECTIONS.index)
    phone = next(line for line in block.lines if line.memory_ids == (recall["found"][0].memory_id,))
    assert phone.episode_ids == (recall["turns"][0].memory_id,)


def test_a_title_that_is_also_the_first_heading_is_told_once() -> None:
    def piece(heading: str) -> MemoryNode:
        meta = {"assetId": "rules", "title": "Rules", "heading": heading, "place": 1}
        return a_memory(f"{heading}\nWe open at nine.", memory_type=MemoryType.LONGTERM, kind="chunk", meta_data=meta)

    for heading, shown in {"Rules": "Rules", "Rules › Hours": "Rules › Hours", "Hours": "Rules › Hours"}.items():
        assert f"- {shown}: “We open at nine.”" in told(piece(heading), language="en").text


def test_nothing_found_is_said_in_one_line() -> None:
    block = told(language="zh")

    assert block.abstained
    assert block.lines == ()
    assert "关于这个问题，没有任何记忆。" in block.text.splitlines()


def test_what_says_the_same_is_shown_once_with_all_its_ids() -> None:
    said = a_quoted_turn("I like tea")
    first, second = a_memory("Luo likes tea.", evidence=resting_on(said, "like tea")), a_memory("luo likes  TEA")
    again = a_quoted_turn("I like tea!")
    echo = a_quoted_turn("Luo likes tea", by="Wang")
    block = told(first, second, said, again, echo)

    assert [line.memory_ids for line in block.lines] == [
        (first.memory_id, second.memory_id, echo.memory_id),
        (said.memory_id, again.memory_id),
    ]


def test_two_facts_on_one_turn_quote_it_once() -> None:
    turn = a_quoted_turn("My name is Luo, and believe me or not, I am 40 years old")
    name, age = (a_memory(text, evidence=resting_on(turn, part)) for text, part in (("A", "Luo"), ("B", "40 years")))

    assert [line.text for line in told(name, age, turns=[turn]).lines if line.section == "quotes"] == [
        "- [2026-03-09 12:00 Mon] 罗小东: “Luo … 40 years”"
    ]


def test_a_fact_that_was_true_twice_shows_both_times() -> None:
    early = a_memory("Luo rents", valid_at=TALK, invalid_at=TALK + timedelta(days=5), store_status=StoreStatus.EXPIRED)
    late = a_memory("Luo rents", valid_at=TALK + timedelta(days=30))

    assert "“Luo rents” (2024-12-26 – 2024-12-31, ended; 2025-01-25 – now)" in told(late, early).text


def test_of_intervals_that_begin_together_the_one_still_open_comes_last() -> None:
    over = a_memory("Luo rents", valid_at=TALK, invalid_at=TALK + timedelta(days=5), store_status=StoreStatus.EXPIRED)

    assert (
        "“Luo rents” (2024-12-26 – 2024-12-31, ended; 2024-12-26 – now)"
        in told(a_memory("Luo rents", valid_at=TALK), over).text
    )


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({}, "(2026-03-09 – now)"),
        ({"valid_at": TALK + timedelta(days=900)}, "(from 2027-06-14, not begun yet)"),
        ({"store_status": StoreStatus.EXPIRED, "ending": Ending.ENDED}, "(2026-03-09 – unknown, ended)"),
        ({"store_status": StoreStatus.EXPIRED, "ending": Ending.FADED}, "(2026-03-09 – now)"),
        ({"valid_at": TALK, "invalid_at": TALK, "store_status": StoreStatus.EXPIRED}, "(2024-12-26, taken back)"),
        ({"modality": Modality.ASSERTED_BY_AGENT}, "(2026-03-09 – now; claimed by the agent itself, not confirmed)"),
        ({"modality": Modality.INFERRED}, "(2026-03-09 – now; inferred)"),
        ({"trust": Trust.UNTRUSTED}, "(2026-03-09 – now; from an untrusted source)"),
        ({"speaker": "Wang"}, "(2026-03-09 – now; according to Wang)"),
        ({"speaker": "罗小东"}, "(2026-03-09 – now)"),
    ],
)
def test_when_and_how_a_statement_is_held_stands_behind_it(fields: dict[str, object], shown: str) -> None:
    assert f"- “Luo rents” {shown}" in told(a_memory("Luo rents", **fields)).text.splitlines()


def test_memories_in_conflict_stand_together_and_are_named_so() -> None:
    nine = a_memory("Luo opens at nine", valid_at=TALK)
    other = a_memory("Luo sells bikes", valid_at=TALK + timedelta(days=1))
    ten = a_memory("Luo opens at ten", valid_at=TALK + timedelta(days=2), conflicts_with=(nine.memory_id,))
    lines = told(ten, other, nine).lines

    assert [line.memory_ids[0] for line in lines] == [nine.memory_id, ten.memory_id, other.memory_id]
    assert ["contradicted" in line.text for line in lines] == [True, True, False]


def test_a_person_is_introduced_by_what_the_facts_do_not_say() -> None:
    recalled = a_memory("Luo is an engineer", attribute="occupation", value="engineer")
    works = a_memory("Luo is at Acme", attribute="employer", value="Acme", modality=Modality.INFERRED)
    guessed = a_memory("Luo may be in Rome", attribute="city", value="Rome", modality=Modality.HYPOTHESIS)
    stranger = a_memory("Wang is a cook", attribute="occupation", value="cook", target_id="0" * 32, target_name="Wang")
    block = told(recalled, known=[recalled, works, guessed, stranger])

    assert [line.text for line in block.lines if line.section == "people"] == ["- 罗小东: “employer Acme (inferred)”"]


def test_at_most_twenty_facts_are_shown_the_best_ones() -> None:
    facts = [a_memory(f"Luo owns thing {number}", valid_at=TALK - timedelta(days=number)) for number in range(25)]
    block = told(*facts, budget=100_000)

    assert {line.memory_ids[0] for line in block.lines} == {node.memory_id for node in facts[:20]}
    assert block.left_out == 5


def test_the_best_survive_a_small_budget_and_are_shown_by_date() -> None:
    facts = [a_memory(f"Luo bought bicycle number {n}", valid_at=TALK - timedelta(days=n)) for n in range(18)]
    block = told(*facts, budget=SMALLEST_BUDGET)

    kept = [line.memory_ids[0] for line in block.lines]
    assert 0 < len(kept) < 18
    assert kept == [node.memory_id for node in reversed(facts[: len(kept)])]
    assert block.left_out == 18 - len(kept)


@pytest.mark.parametrize(
    "text", ["A sentence that is said. " * 500, "这是一句很长的话，说了又说。" * 700, "x" * 10_000]
)
def test_a_long_turn_is_cut_and_leaves_room_for_others(text: str) -> None:
    long, short = a_quoted_turn(text), a_memory("Luo has a dog")
    block = told(long, short, budget=600)

    assert [line.memory_ids for line in block.lines] == [(short.memory_id,), (long.memory_id,)]
    assert block.lines[1].text.endswith("…”")
    assert estimated_tokens(block.lines[1].text) <= 150


@pytest.mark.parametrize("budget", [-1, 0, SMALLEST_BUDGET - 1])
def test_a_budget_that_is_too_small_is_refused(budget: int) -> None:
    with pytest.raises(InvalidInput, match="needs at least 200"):
        told(a_memory("Luo rents"), budget=budget)


def test_a_budget_smaller_than_the_frame_by_its_own_count_is_refused() -> None:
    with pytest.raises(InvalidInput, match="needs at least 2"):
        told(a_memory("Luo rents"), budget=SMALLEST_BUDGET, count=len)


LETTERS = "罗小东住在杭州。，abc def. 12<>[]“”「」\n\u200d\u0301\u202e👍🏽🇩🇪éЖक्ष"
SHOWN = st.text(st.sampled_from(LETTERS), min_size=1, max_size=300).filter(lambda text: bool(normalise(text)))


@st.composite
def memories(draw: st.DrawFn) -> list[MemoryNode]:
    """Some memories with the turns they rest on, of any layer and standing."""
    found: list[MemoryNode] = []
    for _ in range(draw(st.integers(0, 8))):
        turn = a_quoted_turn(draw(SHOWN), valid_at=TALK + timedelta(hours=draw(st.integers(0, 20_000))))
        start = draw(st.integers(0, len(turn.content)))
        part = {"memory_id": turn.memory_id, "start": start, "end": draw(st.integers(start, len(turn.content)))}
        layer = draw(st.sampled_from([kind for kind in LAYERS if kind is not MemoryType.CONVERSATION]))
        node = a_memory(
            draw(SHOWN),
            memory_type=layer,
            modality=draw(st.sampled_from(Modality)),
            valid_at=turn.valid_at,
            evidence=(part,),
            meta_data={"assetId": "a", "title": "t"} if layer is MemoryType.LONGTERM else {},
        )
        found += draw(st.sampled_from([[turn], [node], [turn, node]]))
    return found


def bytewise(text: str) -> int:
    """A counter far from the estimate: as if every four bytes were a token."""
    return len(text.encode()) // 4


@settings(deadline=None, max_examples=60)
@given(memories(), st.integers(SMALLEST_BUDGET, 1_500), st.sampled_from([estimated_tokens, bytewise]), st.booleans())
def test_the_whole_block_is_never_over_its_budget(
    found: list[MemoryNode], budget: int, count: TokenCounter, chinese: bool
) -> None:
    block = told(*found, turns=found, budget=budget, count=count, language="zh" if chinese else "en")

    assert block.tokens == count(block.text) <= budget
    lines = block.text.splitlines()
    assert lines[0] == f"<memory {NONCE}>"
    assert lines[-1] == f"</memory {NONCE}>"
    assert [line.text for line in block.lines] == [text for text in lines if text.startswith("- ")]
    assert len(lines) == 3 + len({line.section for line in block.lines}) + len(block.lines) + block.abstained
    assert block.abstained or block.lines
    assert {key for line in block.lines for key in line.memory_ids} <= {node.memory_id for node in found}
