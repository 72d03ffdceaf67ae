"""What was found of the support of questions, by way of asking and number of hops; all figures are from 0 to 1."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agentmem.answers.answer import AskMode
from agentmem_evals.multihop.world import WorldQuestion

DIGITS = 4


@dataclass(frozen=True, slots=True)
class AskedOutcome:
    """What asking a question came to. `found` is how many of its supports were among what was looked at;
    `depth` is None for a mode that takes no steps."""

    question: WorldQuestion
    mode: AskMode
    depth: int | None
    found: int
    answer: str | None

    @property
    def recall(self) -> float:
        """The share of the question's support among what was looked at; for questions that have any."""
        return self.found / self.question.hops

    @property
    def right(self) -> bool:
        """Whether the answer says what was asked for."""
        told = (self.answer or "").casefold()
        return any(answer.casefold() in told for answer in self.question.answers)


@dataclass(frozen=True, slots=True)
class MultihopFigures:
    """Over some questions with support: the share of the support that was found, of questions of which all of it was,
    of those that got an answer, and of those that got a right one."""

    questions: int
    recall: float
    complete: float
    answered: float
    right: float

    def data(self) -> dict[str, object]:
        """As JSON."""
        return {
            "questions": self.questions,
            "recall": round(self.recall, DIGITS),
            "complete": round(self.complete, DIGITS),
            "answered": round(self.answered, DIGITS),
            "right": round(self.right, DIGITS),
        }


@dataclass(frozen=True, slots=True)
class ModeRow:
    """One mode to one depth: figures by hops (`1`, `2` and so on, `2+`) and over all of these, and the share of
    unanswerable questions it left alone."""

    mode: AskMode
    depth: int | None
    by_hops: dict[str, MultihopFigures]
    over_all: MultihopFigures
    unanswerable: int
    abstained: float

    def data(self) -> dict[str, object]:
        """As JSON."""
        return {
            "mode": self.mode,
            "depth": self.depth,
            "all": self.over_all.data(),
            "hops": {name: figures.data() for name, figures in self.by_hops.items()},
            "unanswerable": self.unanswerable,
            "abstained": round(self.abstained, DIGITS),
        }


@dataclass(frozen=True, slots=True)
class MultihopReport:
    """One measurement."""

    documents: int
    turns: int
    k: int
    outcomes: tuple[AskedOutcome, ...]

    def rows(self, *, held_out: bool) -> list[ModeRow]:
        """A row for each mode and depth, over the questions that were held out or over the others."""
        chosen = [outcome for outcome in self.outcomes if outcome.question.held_out is held_out]
        ways: dict[tuple[AskMode, int | None], list[AskedOutcome]] = {}
        for outcome in chosen:
            ways.setdefault((outcome.mode, outcome.depth), []).append(outcome)
        return [_row(mode, depth, outcomes) for (mode, depth), outcomes in ways.items()]

    def data(self) -> dict[str, object]:
        """As JSON."""
        return {
            "documents": self.documents,
            "turns": self.turns,
            "k": self.k,
            "open": [row.data() for row in self.rows(held_out=False)],
            "held_out": [row.data() for row in self.rows(held_out=True)],
        }


def _row(mode: AskMode, depth: int | None, outcomes: Sequence[AskedOutcome]) -> ModeRow:
    lone = [outcome for outcome in outcomes if outcome.question.hops == 0]
    hops = sorted({outcome.question.hops for outcome in outcomes} - {0})
    by_hops = {str(count): _figures(each for each in outcomes if each.question.hops == count) for count in hops}
    if far := [outcome for outcome in outcomes if outcome.question.hops > 1]:
        by_hops["2+"] = _figures(far)
    over_all = _figures(outcome for outcome in outcomes if outcome.question.hops)
    return ModeRow(mode, depth, by_hops, over_all, len(lone), _share(outcome.answer is None for outcome in lone))


def _figures(outcomes: Iterable[AskedOutcome]) -> MultihopFigures:
    all_of = list(outcomes)
    return MultihopFigures(
        len(all_of),
        _share(outcome.recall for outcome in all_of),
        _share(outcome.recall == 1 for outcome in all_of),
        _share(outcome.answer is not None for outcome in all_of),
        _share(outcome.right for outcome in all_of),
    )


def _share(values: Iterable[float]) -> float:
    """The mean; 0 of none."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
