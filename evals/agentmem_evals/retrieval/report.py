"""What was measured on a data set, as a value and in the form that is printed as JSON."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agentmem.retrieval.confidence import THRESHOLD
from agentmem_evals.retrieval.asking import DEPTH, Answered
from agentmem_evals.retrieval.dataset import Conversation
from agentmem_evals.retrieval.metrics import (
    ALL,
    Figures,
    ThresholdPoint,
    best_threshold,
    by_category,
    curve,
    figures,
    kept,
    ranked_sessions,
    recall_at,
    told_apart,
)

DIGITS = 4


@dataclass(frozen=True, slots=True)
class Abstention:
    """How a threshold on confidence tells what can be answered from what cannot.

    `chosen` is the best point of the curve on these very questions, hence flattering; `as_it_is` is recall's own
    abstaining (kept, refused); `refused` is the share refused at `chosen` by kind of question.
    """

    answerable: int
    others: int
    chosen: ThresholdPoint
    as_it_is: tuple[float, float]
    told_apart: float
    refused: Mapping[str, float]
    points: Sequence[ThresholdPoint]

    def data(self) -> dict[str, object]:
        """As JSON."""
        own_kept, own_refused = self.as_it_is
        return {
            "threshold": round(self.chosen.threshold, DIGITS),
            "answerable_kept": round(self.chosen.kept, DIGITS),
            "others_refused": round(self.chosen.refused, DIGITS),
            **{f"{name}_refused": round(share, DIGITS) for name, share in self.refused.items()},
            "told_apart": round(self.told_apart, DIGITS),
            "answerable": self.answerable,
            "others": self.others,
            "as_it_is": {"answerable_kept": round(own_kept, DIGITS), "others_refused": round(own_refused, DIGITS)},
            "curve": [[round(value, DIGITS) for value in (at.threshold, at.kept, at.refused)] for at in self.points],
        }


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """One measurement. `curves` hold recall at 1, 2, 3 and so on by category; `seconds` are those of each question,
    those of the embedder among them where the turns were added as `statements`."""

    embedder: str
    statements: bool
    stored: int
    skipped: int
    turns_per_second: float
    seconds: Sequence[float]
    turns: Mapping[str, Figures]
    sessions: Mapping[str, Figures]
    curves: Mapping[str, Sequence[float]]
    counts: Mapping[str, int]
    abstention: Abstention | None

    def milliseconds(self, share: float) -> float:
        """What `share` (0 to 1) of the recalls do not exceed."""
        return float(np.quantile(self.seconds, share)) * 1_000

    def data(self) -> dict[str, object]:
        """The report as JSON; `sessions` and `abstention` only where they mean something."""
        return {
            "questions": self.counts[ALL],
            "skipped": self.skipped,
            "categories": {name: count for name, count in self.counts.items() if name != ALL},
            "stored": self.stored,
            "statements": self.statements,
            "embedder": self.embedder,
            "k": DEPTH,
            "p50_ms": round(self.milliseconds(0.5), 2),
            "p95_ms": round(self.milliseconds(0.95), 2),
            "turns_per_second": round(self.turns_per_second),
            "turns": _rounded(self.turns),
            **({"sessions": _rounded(self.sessions)} if self.sessions else {}),
            **({"abstention": self.abstention.data()} if self.abstention else {}),
        }


def _rounded(groups: Mapping[str, Figures]) -> dict[str, Figures]:
    return {name: {key: round(value, DIGITS) for key, value in row.items()} for name, row in groups.items()}


def turn_figures(asked: Sequence[Answered], also: Collection[int]) -> dict[str, Figures]:
    """The figures of turns, by category."""
    return by_category(
        (item.question.category, figures([turn for turn, _ in item.found], item.question.evidence, also=also))
        for item in asked
    )


def session_figures(
    asked: Sequence[Answered],
    conversations: Sequence[Conversation],
    also: Collection[int],
) -> dict[str, Figures]:
    """The figures of sessions, by category; none where a turn has no session."""
    sessions = {(item.scope, turn.id): turn.session for item in conversations for turn in item.turns}
    if None in sessions.values():
        return {}

    def of(scope: str, turn: str) -> str:
        return str(sessions[scope, turn])

    return by_category(
        (
            item.question.category,
            figures(
                ranked_sessions(((of(item.scope, turn), value) for turn, value in item.found)),
                {of(item.scope, turn) for turn in item.question.evidence},
                also=also,
            ),
        )
        for item in asked
    )


def recall_curves(asked: Sequence[Answered]) -> dict[str, list[float]]:
    """Recall of turns at every k from 1 to the depth of the recalls, by category."""
    rows = (
        (
            item.question.category,
            {
                str(k): recall_at(k, [turn for turn, _ in item.found], item.question.evidence)
                for k in range(1, DEPTH + 1)
            },
        )
        for item in asked
    )
    return {name: list(means.values()) for name, means in by_category(rows).items()}


def abstention(asked: Sequence[Answered]) -> Abstention | None:
    """How recall's confidence tells questions apart; None where there are not both kinds of them."""
    answerable = [item.confidence for item in asked if item.question.answerable and not item.elsewhere]
    groups = {
        "unanswerable": [item.confidence for item in asked if not item.question.answerable and not item.elsewhere],
        "elsewhere": [item.confidence for item in asked if item.elsewhere],
    }
    others = [value for group in groups.values() for value in group]
    if not answerable or not others:
        return None
    points = curve(answerable, others)
    chosen = best_threshold(points)
    return Abstention(
        answerable=len(answerable),
        others=len(others),
        chosen=chosen,
        as_it_is=(kept(answerable, THRESHOLD), 1 - kept(others, THRESHOLD)),
        told_apart=told_apart(answerable, others),
        refused={name: 1 - kept(group, chosen.threshold) for name, group in groups.items() if group},
        points=points,
    )
