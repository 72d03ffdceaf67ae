"""Reflection lays claims out by time as windows do: whatever arrives first, the same intervals come of it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType, Modality
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Pair, Usage, Verdict
from agentmem.ledger.plan import Plan
from agentmem.memory.candidates import drafted_pairs, open_pairs, undecided_pairs
from agentmem.memory.reconcile import by_pair, decided, reconcile
from agentmem.memory.relation import Relations
from agentmem.ports.cognition import Judged
from agentmem.ports.ledger import Selection
from tests.support.cognition import ScriptedCognition
from tests.support.journals import Place
from tests.support.nodes import AGENT, NOON, TENANT, a_memory
from tests.support.reflecting import added, reflected

NOW = NOON + timedelta(days=400)
RUNS, IN_BED, RUNS_AGAIN = "罗小东每天早上七点出门跑步", "罗小东每天早上七点躺在床上", "罗小东每天早上七点又出门跑步了"
WALKS, ILL, WALKS_AGAIN = "罗小东每天晚上九点出门散步", "罗小东每天晚上九点生病在家", "罗小东每天晚上九点又出门散步了"
VERDICTS: Mapping[frozenset[str], str] = {
    frozenset((RUNS, RUNS_AGAIN)): "same",
    frozenset((IN_BED, RUNS_AGAIN)): "replaces",
    frozenset((WALKS, WALKS_AGAIN)): "same",
    frozenset((WALKS, ILL)): "replaces",
    frozenset((ILL, WALKS_AGAIN)): "replaces",
}

Interval = tuple[str, int, int | None]
Story = Callable[[], list[MemoryNode]]


class Judge(ScriptedCognition):
    """Knows which of the sentences above say the same and which exclude each other."""

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        return Judged(verdicts_on(pairs), Usage(calls=1))


def verdicts_on(pairs: Sequence[Pair]) -> tuple[Verdict, ...]:
    known = {pair.number: VERDICTS.get(frozenset((pair.new, pair.old))) for pair in pairs}
    return tuple(
        Verdict.model_validate({"number": number, "relation": relation or "unrelated"})
        for number, relation in known.items()
    )


def day(number: int) -> datetime:
    return NOON + timedelta(days=number)


def claim(content: str, since: int, **fields: object) -> MemoryNode:
    turn = f"00000000-0000-5000-8000-{since:012d}"
    words = Evidence(memory_id=turn, start=0, end=4, said_at=day(since), since=day(since))
    return a_memory(content, valid_at=day(since), created_at=NOON, evidence=(words,), source_ids=(turn,), **fields)


def city(value: str, since: int, **fields: object) -> MemoryNode:
    return claim(f"罗小东住在{value}", since, attribute="city", value=value, **fields)


def free_statements() -> list[MemoryNode]:
    return [claim(RUNS, 0), claim(IN_BED, 31), claim(RUNS_AGAIN, 59)]


def free_statements_with_every_verdict() -> list[MemoryNode]:
    return [claim(WALKS, 0), claim(ILL, 31), claim(WALKS_AGAIN, 59)]


def slot_there_and_back() -> list[MemoryNode]:
    return [city("巴黎", 0), city("罗马", 10), city("巴黎", 20)]


def slot_with_a_fuller_value() -> list[MemoryNode]:
    return [city("上海", 0), city("上海浦东", 10), city("罗马", 20)]


def slot_denied() -> list[MemoryNode]:
    return [city("巴黎", 0), city("巴黎", 10, modality=Modality.NEGATED), city("罗马", 20)]


def slot_of_equal_age() -> list[MemoryNode]:
    return [city("巴黎", 0), city("马德里", 10), city("罗马", 10)]


def intervals(nodes: Sequence[MemoryNode]) -> set[Interval]:
    """Words, first day, last day of all that was true for a while; 又…了 only says that it was so before."""
    return {
        (
            node.content.replace("又", "").replace("了", ""),
            (node.valid_at - NOON).days,
            (node.invalid_at - NOON).days if node.invalid_at else None,
        )
        for node in nodes
        if node.invalid_at != node.valid_at
    }


def in_windows(claims: Sequence[MemoryNode]) -> set[Interval]:
    """What comes of them, each said in a window of its own."""
    plan = Plan(())
    for draft in claims:
        pairs = open_pairs(undecided_pairs(drafted_pairs([draft], list(plan.held())), Relations({})))
        verdicts = by_pair(decided(pairs, verdicts_on([item.pair for item in pairs])))
        reconcile(plan, [draft], Relations({}), verdicts, NOW)
    return intervals(list(plan.held()))


async def held(journal: SqlJournal) -> set[Interval]:
    scope = Scope(TENANT, AGENT)
    return intervals(await journal.ledger.select(Selection(scope, types=(MemoryType.OBSERVATION,))))


STORIES = (
    free_statements,
    free_statements_with_every_verdict,
    slot_there_and_back,
    slot_with_a_fuller_value,
    slot_denied,
    slot_of_equal_age,
)


@pytest.mark.parametrize("story", STORIES)
async def test_claims_that_reflection_meets_together_become_the_intervals_of_windows(
    story: Story, tmp_path: Path
) -> None:
    for number, order in enumerate(permutations(range(3))):
        claims = story()
        async with Place(f"sqlite:///{tmp_path}/{number}.db").journal() as journal:
            await added(journal, [claims[place] for place in order])
            await reflected(journal, Judge(), "once", now=NOW)
            assert await held(journal) == in_windows(claims), order


@pytest.mark.parametrize("story", STORIES[1:])
async def test_claims_that_reflection_meets_one_by_one_become_the_intervals_of_windows(
    story: Story, tmp_path: Path
) -> None:
    for number, order in enumerate(permutations(range(3))):
        claims = story()
        async with Place(f"sqlite:///{tmp_path}/{number}.db").journal() as journal:
            for place in order:
                await added(journal, [claims[place]], f"added/{place}")
                await reflected(journal, Judge(), f"after/{place}", now=NOW)
            assert await held(journal) == in_windows(claims), order


async def test_a_month_in_bed_ends_when_somebody_runs_again(tmp_path: Path) -> None:
    async with Place(f"sqlite:///{tmp_path}/journal.db").journal() as journal:
        await added(journal, free_statements())
        await reflected(journal, Judge(), "once", now=NOW)
        assert await held(journal) == {(RUNS, 0, None), (IN_BED, 31, 59)}
