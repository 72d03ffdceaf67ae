"""What each item of a dialogue comes to, by measure. Pure: memories and hits in, outcomes out.

The measures and what counts for each are defined in docs/evaluation.md.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus
from agentmem.domain.scenario import Expected, ExpectedEnd, ExpectedRecall, Has
from agentmem.evals.scenarios.checks import DERIVED, HELD, Known, fold, holds
from agentmem.language.clauses import clauses, sentences
from agentmem.language.polarity import denies

Measure = Literal[
    "found", "never", "ended", "wrong_endings", "once", "repeats", "recalls_first", "recalls", "as_of_first", "as_of",
    "answers", "wrong_answers",
]  # fmt: skip
MEASURES: Final[tuple[Measure, ...]] = get_args(Measure)
BAD: Final = frozenset[Measure]({"wrong_endings", "repeats", "wrong_answers"})
"""What these count should not be."""

FIRST = 3
"""So many hits are looked at for `recalls` and `as_of`; one for those called first."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one item came to. `counted`: whether it counts towards its measure, which for `BAD` ones is bad. `shown` is
    the content that decided it."""

    measure: Measure
    item: str
    counted: bool
    expected: Has | tuple[()] = ()
    shown: str | None = None
    why: str | None = None

    @property
    def good(self) -> bool:
        """Whether it is as it should be."""
        return self.counted is not (self.measure in BAD)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of how many counted."""

    count: int = 0
    of: int = 0

    @property
    def share(self) -> float | None:
        """From 0 to 1; None of nothing."""
        return self.count / self.of if self.of else None

    def data(self) -> dict[str, object]:
        """As JSON."""
        return {"count": self.count, "of": self.of, "share": None if self.share is None else round(self.share, 4)}


Tallies = Mapping[Measure, Tally]


def tallied(outcomes: Iterable[Outcome]) -> Tallies:
    """All measures, in their order, over these outcomes."""
    of, count = Counter[Measure](), Counter[Measure]()
    for outcome in outcomes:
        of[outcome.measure] += 1
        count[outcome.measure] += outcome.counted
    return {measure: Tally(count[measure], of[measure]) for measure in MEASURES}


def derived(memories: Iterable[MemoryNode]) -> list[MemoryNode]:
    """What was made of what was said, ended or not; turns and what was forgotten are left out."""
    return [
        node
        for node in memories
        if node.memory_type in (MemoryType.OBSERVATION, MemoryType.INSIGHT)
        and node.store_status is not StoreStatus.DELETED
        and not node.never_held
    ]


def expected(item: Expected, known: Known) -> list[Outcome]:
    """`found`, and as `wrong_endings` whether what should stand has been ended."""
    held = _first(item.has, known.held(item))
    gone = None if held else _first(item.has, _over(item, known))
    return [
        _outcome("found", item, held, counted=held is not None),
        _outcome("wrong_endings", item, gone, counted=gone is not None),
    ]


def never(item: Expected, known: Known) -> Outcome:
    """Whether nothing that is held as stated says so; what a clause denies it does not say."""
    modality = item.modality or Modality.STATED
    stated = (node for node in known.about_person(item) if node.modality is modality and node.is_valid(known.now))
    found = next((node for node in stated if _affirms(node, item.has)), None)
    return _outcome("never", item, found, counted=found is None)


def ended(item: ExpectedEnd, known: Known) -> Outcome:
    """Whether a memory with the old words is over, a guess too, and none that is held has them but one that says what
    came after (`replaced_by`) or denies them."""
    meant = [node for node in known.candidates(item) if item.modality in (None, node.modality)]
    affirmed = (node for node in meant if node.modality is not Modality.NEGATED and _affirms(node, item.has))
    still = [node for node in affirmed if node.is_valid(known.now)]
    if item.replaced_by is not None:
        still = [node for node in still if not says(node, item.replaced_by)]
    over = None if still else _first(item.has, (node for node in meant if not node.is_valid(known.now)))
    return _outcome("ended", item, still[0] if still else over, counted=over is not None)


def once(item: Expected, known: Known) -> Outcome:
    """Whether exactly one valid observation says so."""
    found = [node for node in known.held(item) if node.memory_type is MemoryType.OBSERVATION and says(node, item.has)]
    shown = " | ".join(node.content for node in found)
    return Outcome("once", item.id, len(found) == 1, item.has, shown or None, item.why)


def repeats(known: Known) -> list[Outcome]:
    """Of each valid observation with a value whether an earlier one says the same value of the same holder."""
    seen: dict[tuple[object, ...], MemoryNode] = {}
    outcomes: list[Outcome] = []
    for node in known.memories:
        if node.memory_type is MemoryType.OBSERVATION and node.value and node.is_valid(known.now):
            key = (node.agent_id, node.target_id, node.modality is Modality.NEGATED, fold(node.value))
            earlier = seen.setdefault(key, node)
            shown = None if earlier is node else f"{earlier.content} | {node.content}"
            outcomes.append(Outcome("repeats", node.memory_id, shown is not None, (), shown))
    return outcomes


def recalled(item: ExpectedRecall, hits: Sequence[MemoryNode], *, then: bool) -> list[Outcome]:
    """Whether the words stand in the first hit, and among the first three; `then`: of a question about a time."""
    one, some = ("as_of_first", "as_of") if then else ("recalls_first", "recalls")
    at = [node for node in hits[:FIRST] if holds(node.content, item.has)]
    shown = next((node.content for node in hits), None)
    return [
        Outcome(one, item.id, bool(at) and at[0] is hits[0], item.has, shown, item.why),
        Outcome(some, item.id, bool(at), item.has, at[0].content if at else shown, item.why),
    ]


def answered(item: ExpectedRecall, answer: str | None) -> list[Outcome]:
    """Whether what `ask` tells has the words, and whether it tells something else; neither where it is silent."""
    right = answer is not None and holds(answer, item.has)
    wrong = answer is not None and not right
    return [
        Outcome("answers", item.id, right, item.has, answer, item.why),
        Outcome("wrong_answers", item.id, wrong, item.has, answer, item.why),
    ]


def says(node: MemoryNode, has: Has) -> bool:
    """Whether the content, or the value, has every item."""
    return holds(node.content, has) or (node.value is not None and holds(node.value, has))


def _affirms(node: MemoryNode, has: Has) -> bool:
    """Whether what is left of the content, or of the value, without the clauses that deny has every item."""
    told = node.revised(content=_affirmed(node.content) or "-", value=node.value and _affirmed(node.value))
    return says(node, has) and says(told, has)


def _affirmed(text: str) -> str:
    parts = (part.text for sentence in sentences(text) for part in clauses(sentence))
    return ", ".join(part for part in parts if not denies(part))


def _over(item: Expected, known: Known) -> Iterable[MemoryNode]:
    """What an item may mean of what was held and is no longer."""
    return (
        node
        for node in known.candidates(item)
        if node.memory_type in DERIVED and node.modality in HELD and not node.is_valid(known.now)
    )


def _first(has: Has, nodes: Iterable[MemoryNode]) -> MemoryNode | None:
    return next((node for node in nodes if says(node, has)), None)


def _outcome(measure: Measure, item: Expected, found: MemoryNode | None, *, counted: bool) -> Outcome:
    return Outcome(measure, item.id, counted, item.has, _with_end(found) if found else None, item.why)


def _with_end(node: MemoryNode) -> str:
    """The content, and until when it holds where that is known: what is to change is no ending that was not made."""
    if node.store_status is not StoreStatus.VALID or node.invalid_at is None:
        return node.content
    return f"{node.content} (until {node.invalid_at:%Y-%m-%d})"
