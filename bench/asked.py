"""Weights for what is found first and for what is told without a model, fitted on talks with questions about them:

    python -m bench.asked [FILES] [--kept FOLDER] [--write]

The talks are `bench/data/talks`: by strangers who had not seen the code, with the words of each right answer; FILES are
read in their place. Each is played once; `--kept` keeps the stores there, and uses those that are there. First the
signs of the second look are fitted: the weights under which a hit with the right words is likeliest, of all that were
looked at, in a softmax over the scores. Then, with these, the signs of an answer: a logistic model of whether the right
words stand in what would be told; of some questions of another talk, which are asked as well, they never do. The
threshold is the lowest at which `WRONG` of the questions are answered wrongly, by weights fitted on other writers, who
are told by the first two characters of the files' names. `--write` stores both, with a seal: a test breaks where
weights or talks are changed by hand.
"""

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from agentmem.answers import sure_answer
from agentmem.answers.extractive import ExtractedAnswer
from agentmem.answers.passages import Looked
from agentmem.domain.scenario import ExpectedRecall, ExpectedThen
from agentmem.evals.scenarios.checks import holds
from agentmem.evals.scenarios.player import Player, read_script
from agentmem.evals.scenarios.scenario_run import Examiner, memories_of
from agentmem.retrieval import recall, second_look
from agentmem.retrieval.pool import Pool
from agentmem.retrieval.profiles import Profile
from agentmem.retrieval.query import Hit
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings, SqliteSettings, TransientIndexSettings
from agentmem.runtime.host.clocks import ManualClock

Array = NDArray[np.float64]
TALKS = Path(__file__).with_name("data") / "talks"
WRONG = 0.06
"""Of the questions so many may be answered wrongly; of other talk more are."""
ELSEWHERE = 2
"""Questions of another talk that each is asked."""
WHOLE_SCORE = 0.4
"""What one point of a score is worth as a logit: the signals' own weights were fitted to more, on longer talks."""
STEPS, RATE, RIDGE, TOP = 300, 0.06, 2e-3, 20


@dataclass
class Question:
    """A question with what was found, before the second look, and what would be told after it."""

    writer: str
    item: ExpectedRecall
    scores: list[float] = field(default_factory=list[float])
    signs: list[dict[str, float]] = field(default_factory=list[dict[str, float]])
    right: list[bool] = field(default_factory=list[bool])
    told: dict[str, float] = field(default_factory=dict[str, float])
    is_right: bool = False
    elsewhere: bool = False


class Recorder:
    """Stands where hits are looked at again and where it is decided what is told: notes what was weighed."""

    def __init__(self) -> None:
        self.question: Question | None = None
        self._looked_again, self._signs = recall.looked_again, sure_answer.signs_of

    def looked_again(self, hits: Sequence[Hit], pool: Pool, profile: Profile) -> tuple[Hit, ...]:
        if (question := self.question) is not None and not question.scores:
            question.scores = [hit.score for hit in hits[:TOP]]
            question.signs = second_look.signs(hits[:TOP], pool, profile)
            question.right = [holds(hit.memory.content, question.item.has) for hit in hits[:TOP]]
        return self._looked_again(hits, pool, profile)

    def signs_of(self, question: str, looked: Looked, answer: ExtractedAnswer) -> dict[str, float]:
        found = self._signs(question, looked, answer)
        if (asked := self.question) is not None and answer.text is not None:
            asked.told = found
            asked.is_right = not asked.elsewhere and holds(answer.text, asked.item.has)
        return found


async def asked(files: Sequence[Path], kept: Path, recorder: Recorder, *, answers: bool) -> list[Question]:
    """All questions about the talks, put to stores that are played where they are not kept yet; with `answers`, some of
    the talk before are asked as well, which nothing in this one answers."""
    found: list[Question] = []
    before: Sequence[ExpectedRecall] = ()
    for path in files:
        folder = kept / path.stem
        played = folder / "played"
        settings = Settings(data=folder, journal=SqliteSettings(), index=TransientIndexSettings(), embedder="hash")
        script = read_script(path, settings)
        begin = datetime.fromisoformat(played.read_text("utf-8")) if played.exists() else script.scenario.sessions[0].at
        clock = ManualClock(begin)
        async with open_app(settings, clock=clock) as app:
            if not played.exists():
                await Player(app, script, clock, lambda _: None).play()
                played.write_text(clock.now().isoformat(), "utf-8")
            examiner = await Examiner.over(app, script, await memories_of(app, script))
            for item in (*script.scenario.expect.recalls, *script.scenario.expect.as_of):
                recorder.question = Question(path.stem[:2], item)
                await (examiner.answer(item) if answers else examiner.hits(item))
                found.append(recorder.question)
            for item in before if answers else ():
                recorder.question = Question(path.stem[:2], item, elsewhere=True)
                await examiner.answer(item)
                found.append(recorder.question)
            recorder.question, before = None, script.scenario.expect.recalls[:ELSEWHERE]
    return found


@dataclass(frozen=True)
class Rows:
    """Hits as numbers, a row of signs each; `scores` is -1e9 where a question has no further hit."""

    names: tuple[str, ...]
    signs: Array
    scores: Array
    right: Array
    writer: NDArray[np.str_]


def rows_of(questions: Sequence[Question], names: Sequence[str]) -> Rows:
    """What can be learned about what is found first."""
    signs, right = np.zeros((len(questions), TOP, len(names))), np.zeros((len(questions), TOP))
    scores = np.full((len(questions), TOP), -1e9)
    for place, each in enumerate(questions):
        for row, of in enumerate(each.signs):
            signs[place, row] = [of.get(name, 0.0) for name in names]
            scores[place, row], right[place, row] = WHOLE_SCORE * each.scores[row], each.right[row]
    return Rows(tuple(names), signs, scores, right, np.array([each.writer for each in questions]))


def likeliest(rows: Rows, inside: NDArray[np.bool_]) -> Array:
    """Weights under which a hit with the right words is likeliest."""
    chosen = inside & (rows.right.sum(axis=1) > 0)
    right, scores = rows.right[chosen], rows.scores[chosen]
    spread = rows.signs.reshape(-1, len(rows.names)).std(axis=0) + 1e-6
    signs = rows.signs[chosen] / spread

    def slope(weights: Array) -> Array:
        likely = _shares(signs @ weights + scores)
        wanted = likely * right
        wanted /= np.maximum(wanted.sum(axis=1, keepdims=True), 1e-12)
        return np.einsum("qk,qkf->f", likely - wanted, signs) / len(signs) + RIDGE * weights

    return _descended(slope, len(rows.names)) / spread


def _shares(scores: Array) -> Array:
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    return likely / likely.sum(axis=1, keepdims=True)


def _descended(slope: Any, size: int) -> Array:
    weights, mean, square = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, STEPS):
        found = slope(weights)
        mean, square = 0.9 * mean + 0.1 * found, 0.99 * square + 0.01 * found**2
        weights = weights - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def sure(questions: Sequence[Question], names: Sequence[str], inside: NDArray[np.bool_]) -> tuple[Array, float]:
    """Weights and bias of a logistic model of whether what would be told has the right words."""
    told = inside & np.array([bool(each.told) for each in questions])
    signs = told_signs(questions, names)
    middle, spread = signs[told].mean(axis=0), signs[told].std(axis=0) + 1e-6
    inputs = np.append((signs[told] - middle) / spread, np.ones((int(told.sum()), 1)), axis=1)
    right = np.array([each.is_right for each in questions])[told]
    ridge = np.append(np.full(len(names), 10 * RIDGE), 0.0)

    def slope(weights: Array) -> Array:
        return inputs.T @ (1 / (1 + np.exp(-(inputs @ weights))) - right) / len(inputs) + ridge * weights

    weights = _descended(slope, len(names) + 1)
    return weights[:-1] / spread, float(weights[-1] - weights[:-1] @ (middle / spread))


def told_signs(questions: Sequence[Question], names: Sequence[str]) -> Array:
    """A row of signs for what would be told for each question."""
    return np.array([[each.told.get(name, 0.0) for name in names] for each in questions])


def threshold(likely: Array, right: NDArray[np.bool_], told: NDArray[np.bool_]) -> float:
    """The lowest from which on `WRONG` of the questions are answered wrongly at most."""
    order = np.argsort(-np.where(told, likely, -1.0))
    wrong = np.cumsum(told[order] & ~right[order])
    last = int(np.flatnonzero(wrong <= WRONG * len(order))[-1])
    return float(likely[order][last])


def seal(held: Mapping[str, Any]) -> str:
    """What these weights and the talks they are fitted on are known by."""
    talks = sha256()
    for path in sorted(TALKS.glob("*.yaml")):
        talks.update(path.read_bytes())
    numbers = json.dumps({name: value for name, value in held.items() if name != "seal"}, sort_keys=True)
    return sha256(talks.digest() + numbers.encode()).hexdigest()[:16]


def _stored(path: Path, held: dict[str, Any], *, write: bool) -> None:
    held["seal"] = seal(held)
    print(path.name, json.dumps(held, indent=2))
    if write:
        path.write_text(f"{json.dumps(held, indent=2)}\n", "utf-8")


def _named(names: Sequence[str], weights: Array, by: float = 1.0) -> dict[str, float]:
    return {name: round(float(each) / by, 2) for name, each in zip(names, weights, strict=True)}


def first_found(questions: Sequence[Question]) -> dict[str, float]:
    """Fit what is found first; print how often that is right with weights fitted on other writers."""
    rows = rows_of(questions, sorted({name for each in questions for of in each.signs for name in of}))
    scores = rows.scores.copy()
    for writer in np.unique(rows.writer):
        own = rows.writer == writer
        scores[own] += rows.signs[own] @ likeliest(rows, ~own)
    then = np.array([isinstance(each.item, ExpectedThen) for each in questions])
    for name, kind in (("recalls", ~then), ("as of", then)):
        for label, tried in (("before", rows.scores), ("after", scores)):
            best = np.take_along_axis(rows.right, np.argsort(-tried, axis=1, kind="stable"), axis=1)[kind]
            print(f"{name}, {label}: " + ", ".join(f"@{k} {best[:, :k].max(axis=1).mean():.3f}" for k in (1, 3, 10)))
    return _named(rows.names, likeliest(rows, np.ones(len(questions), dtype=np.bool_)), WHOLE_SCORE)


def answered(questions: Sequence[Question]) -> dict[str, Any]:
    """Fit what is told; print how many answers are right and wrong with weights fitted on other writers."""
    names = sorted({name for each in questions for name in each.told})
    told = np.array([bool(each.told) for each in questions])
    right, writers = np.array([each.is_right for each in questions]), np.array([each.writer for each in questions])
    signs, likely = told_signs(questions, names), np.zeros(len(questions))
    for writer in np.unique(writers):
        weights, bias = sure(questions, names, writers != writer)
        own = writers == writer
        likely[own] = 1 / (1 + np.exp(-(signs[own] @ weights + bias)))
    own = ~np.array([each.elsewhere for each in questions])
    least = threshold(likely[own], right[own], told[own])
    given = told & (likely >= least)
    print(f"{own.sum()} questions: right {(given & right).sum()}, wrong {(given & own & ~right).sum()}")
    print(f"told at all: right {right.sum()}; of {(~own).sum()} put elsewhere {(given & ~own).sum()} answered")
    weights, bias = sure(questions, names, np.ones(len(questions), dtype=np.bool_))
    return {"bias": round(bias, 2), "threshold": round(least, 2), "weights": _named(names, weights)}


def main() -> None:
    """Play, ask, fit, show, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--kept", type=Path, help="Where played stores are kept.")
    parser.add_argument("--write", action="store_true", help="Store the weights.")
    options = parser.parse_args()
    files, recorder = options.files or sorted(TALKS.glob("*.yaml")), Recorder()
    recall.looked_again, sure_answer.signs_of = recorder.looked_again, recorder.signs_of
    with nullcontext(options.kept) if options.kept else TemporaryDirectory() as folder:
        kept = Path(folder)
        weights = first_found(asyncio.run(asked(files, kept, recorder, answers=False)))
        _stored(second_look.STORED, {"weights": weights}, write=options.write)
        cast(dict[str, float], second_look.WEIGHTS).update(weights)
        held = answered(asyncio.run(asked(files, kept, recorder, answers=True)))
        _stored(sure_answer.STORED, held, write=options.write)


if __name__ == "__main__":
    main()
