"""Weights for the ranking of turns, fitted on talks with evidence, and what each signal is worth:

    python -m bench.fit DATA... [--embedder hash] [--share 0.3] [--brief]

Each question's candidates are gathered as recall gathers them. The weights are those under which the evidence turns are
likeliest, of all candidates of the question, in a softmax over the scores (a conditional logit with a little L2, by
Newton's method); every set of data counts the same. Figures are of what the weights were not fitted on: with several
sets, each is ranked with weights fitted on the others; with one, each of its conversations. Each further line of the
table leaves one signal out and fits the rest anew. The weights printed at the end are fitted on all.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from agentmem.retrieval.pool import Pool
from agentmem.retrieval.profiles import MEMORIES
from agentmem.retrieval.query import RecallQuery
from agentmem.retrieval.signals import SIGNALS
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem_evals.retrieval.asking import DEPTH, FreeClock, RetrievalExam
from agentmem_evals.retrieval.dataset import Conversation
from agentmem_evals.retrieval.datasets import read_dataset
from agentmem_evals.retrieval.metrics import hit_at_1, ndcg_at, ranked_sessions, recall_at

STEPS, HALVINGS, RIDGE = 12, 20, 1e-3
Array = NDArray[np.float64]

OF_TURNS = [name for name in MEMORIES.weights if name not in ("asked", "importance")]
"""The signals that tell turns apart."""


@dataclass(frozen=True)
class Asked:
    """One question: the part of the data it is left out with, its evidence, its candidates, a row of signals each."""

    part: int
    evidence: frozenset[str]
    in_sessions: frozenset[str]
    turns: tuple[str, ...]
    sessions: tuple[str, ...]
    signals: Array

    @property
    def is_evidence(self) -> Array:
        """1 for each candidate that is evidence."""
        return np.array([turn in self.evidence for turn in self.turns], dtype=np.float64)


async def gathered(
    conversations: Sequence[Conversation], settings: Settings, names: Sequence[str], share: float | None
) -> list[Asked]:
    """The candidates of every question that has evidence; `share` stands in for the profile's `dense_share`."""
    found: list[Asked] = []
    clock = FreeClock(min(item.end for item in conversations))
    async with open_app(settings, clock=clock) as app:
        examination = RetrievalExam(app, clock)
        await examination.store(conversations, lambda _: None)
        for number, conversation in enumerate(conversations):
            session_of = {turn.id: turn.session or turn.id for turn in conversation.turns}
            for question in conversation.questions:
                if not question.evidence:
                    continue
                clock.moment = conversation.end
                scope = examination.scope(conversation)
                query = RecallQuery(scope, question.text, k=DEPTH)
                pool = (await app.searchable.recall.gather(query)).pool
                if share is not None:
                    pool = Pool(pool.question, pool.candidates, dense_share=share)
                turns = tuple(examination.turn(item.memory_id) for item in pool.candidates)
                rows = np.stack([SIGNALS[name](pool) for name in names], axis=1) if turns else np.zeros((0, len(names)))
                sessions = tuple(session_of[turn] for turn in turns)
                evidence = frozenset(question.evidence)
                relevant = frozenset(session_of[turn] for turn in evidence)
                found.append(Asked(number, evidence, relevant, turns, sessions, rows))
    return found


def fitted(asked: Sequence[Asked], columns: Sequence[int]) -> Array:
    """Weights under which the evidence is likeliest, each set of data counting the same."""
    known = [item for item in asked if item.is_evidence.any()]
    sizes = Counter(item.part for item in known)
    wide = max(len(item.turns) for item in known)
    rows, masks, shares = np.zeros((len(known), wide, len(columns))), np.full((len(known), wide), -1e9), []
    for place, item in enumerate(known):
        count = len(item.turns)
        rows[place, :count], masks[place, :count] = item.signals[:, columns], 0.0
        shares.append(np.pad(item.is_evidence / item.is_evidence.sum(), (0, wide - count)))
    counts = np.array([1 / (sizes[item.part] * len(sizes)) for item in known])
    wanted = np.einsum("q,qk,qkf->f", counts, np.array(shares), rows)
    weights, ridge = np.zeros(len(columns)), RIDGE * np.eye(len(columns))

    def cost(tried: Array) -> float:
        scores = rows @ tried + masks
        top = scores.max(axis=1)
        total = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
        return float(counts @ total - wanted @ tried + RIDGE / 2 * tried @ tried)

    for _ in range(STEPS):
        scores = rows @ weights + masks
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        mean = np.einsum("qk,qkf->qf", likely, rows)
        slope = np.einsum("q,qf->f", counts, mean) - wanted + RIDGE * weights
        spread = np.einsum("q,qk,qkf,qkg->fg", counts, likely, rows, rows, optimize=True)
        step = np.linalg.solve(spread - np.einsum("q,qf,qg->fg", counts, mean, mean) + ridge, slope)
        for _ in range(HALVINGS):
            if cost(weights - step) <= cost(weights):
                weights = weights - step
                break
            step = step / 2
    return weights


def figures(asked: Sequence[Asked], columns: Sequence[int]) -> dict[str, float]:
    """Of each part with weights fitted on the others, over all questions."""
    sums: dict[str, list[float]] = {}
    for left_out in sorted({item.part for item in asked}):
        weights = fitted([item for item in asked if item.part != left_out], columns)
        for item in asked:
            if item.part == left_out:
                _count(item, item.signals[:, columns] @ weights, sums)
    return {name: float(np.mean(values)) for name, values in sums.items()}


def _count(item: Asked, scores: Array, sums: dict[str, list[float]]) -> None:
    order = np.argsort(-scores, kind="stable").tolist()
    turns = [item.turns[row] for row in order]
    best = [(item.sessions[row], float(scores[row])) for row in order[:DEPTH]]
    sessions = ranked_sessions(best)
    for k in (5, 10, 20, 50):
        sums.setdefault(f"R@{k}", []).append(recall_at(k, turns, item.evidence))
    sums.setdefault("session Hit@1", []).append(hit_at_1(sessions, item.in_sessions))
    sums.setdefault("session R@5", []).append(recall_at(5, sessions, item.in_sessions))
    sums.setdefault("session NDCG@5", []).append(ndcg_at(5, sessions, item.in_sessions))


def _shown(name: str, values: dict[str, float]) -> None:
    print(f"| {name} | " + " | ".join(f"{value:.3f}" for value in values.values()) + " |", flush=True)


async def main() -> None:
    """Fit, leave out, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--embedder", default="hash")
    parser.add_argument("--share", type=float, help="The cosine's weight beside BM25, instead of the profile's.")
    parser.add_argument("--brief", action="store_true", help="Leave no signal out.")
    options = parser.parse_args()
    asked: list[Asked] = []
    for part, path in enumerate(options.data):
        with TemporaryDirectory() as folder:
            settings = Settings(data=Path(folder), embedder=options.embedder)
            found = await gathered(read_dataset(path), settings, OF_TURNS, options.share)
        asked += [replace(item, part=part) for item in found] if len(options.data) > 1 else found
    everything = list(range(len(OF_TURNS)))
    whole = figures(asked, everything)
    print(f"{len(asked)} questions, embedder {options.embedder}, each part ranked with weights fitted on the others\n")
    print("| signals | " + " | ".join(whole) + " |\n|---|" + "---|" * len(whole))
    _shown("BM25 alone", figures(asked, [OF_TURNS.index("lexical")]))
    _shown("all", whole)
    for place, name in enumerate(() if options.brief else OF_TURNS):
        _shown(f"without {name}", figures(asked, [column for column in everything if column != place]))
    weights = fitted(asked, everything)
    print("\nfitted on all:", {name: round(float(weight), 2) for name, weight in zip(OF_TURNS, weights, strict=True)})


if __name__ == "__main__":
    asyncio.run(main())
