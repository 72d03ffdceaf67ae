"""Weights for what the rules engine ends, fitted on short talks written for that:

    python -m bench.succession [FILES] [--write]

The talks are `bench/data/succession.yaml`: our own, written by those who built the engine and knew it, so the table
says how well the weights fit and not how well they do. What they are worth is measured on talk of strangers, with
`agentmem eval memory`. FILES are further dialogues to fit on, as docs/evaluation.md has them.

Each is played with nothing ended by weighing, and every clause is set beside every statement made before it. A
statement is over where an `ended` item names it, by the likeliest clause of a turn with the words that replace it; one
that no item names should stand. Signs that speak for an ending keep weights of no less than 0, those against it no
more, so that few dialogues cannot teach the contrary; weights of 0 are not stored. The table is cross-validated over
ten parts of the talks; `--write` stores the weights fitted on all, with a seal of them and of the talks: a test breaks
where either is changed by hand. Weights that end what should stand are bettered by more talks, never one by one.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from agentmem.adapters.cognition.rules import engine, succession
from agentmem.adapters.cognition.rules.matters import Matter
from agentmem.adapters.cognition.rules.model import Clause
from agentmem.domain.scenario import Expectations, ExpectedEnd
from agentmem.evals.memory.memory_run import measure
from agentmem.evals.scenarios.checks import holds
from agentmem.evals.scenarios.player import read_script
from agentmem.language.cues import topics_of
from agentmem.runtime.configuration.settings import Settings

Array = NDArray[np.float64]
JOINED = 6
STEPS, RATE, RIDGE, ROUNDS, PARTS = 400, 0.08, 3e-4, 4, 10
ENDED, KEPT = 3.0, 10.0
"""How much a pair counts beside one of which nothing is expected: of an ended statement, and one that should stand."""
AGAINST = (
    "reminds",
    "perhaps",
    "once",
    "heard",
    "of somebody",
    "another relative",
    "statement denied",
)
TALKS = Path(__file__).with_name("data") / "succession.yaml"
OUT = Path(succession.__file__).with_name("succession.json")


def written(folder: Path) -> list[Path]:
    """The talks of `TALKS`, each as a dialogue in a file of this folder, and again among others about other things."""
    talks: list[Mapping[str, Any]] = yaml.safe_load(TALKS.read_text("utf-8"))
    alone = [{**talk, "over": _over(talk)} for talk in talks]
    return [_scenario(talk, folder / f"{number:03}.yaml") for number, talk in enumerate([*alone, *_joined(talks)])]


def _joined(talks: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Talks of one language put together, none of which shares a topic with another: what ends something in one ends
    nothing in the others."""
    order: list[int] = np.random.default_rng(0).permutation(len(talks)).tolist()
    left = [talks[place] for place in order]
    while left:
        chosen: list[Mapping[str, Any]] = []
        for talk in left:
            if len(chosen) < JOINED and all(_apart(talk, other) for other in chosen):
                chosen.append(talk)
        left = [talk for talk in left if talk not in chosen]
        if len(chosen) > 1:
            yield {
                "id": chosen[0]["id"],
                "talk": [[said for talk in chosen for said in talk["talk"][at]] for at in (0, 1)],
                "stands": [words for talk in chosen for words in talk["stands"]],
                "over": [item for talk in chosen for item in _over(talk)],
            }


def _over(talk: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What a talk says is over, each with the turns of its own that may say so."""
    said = [said for said in talk["talk"][1] if not said.startswith("a: ")]
    return [{"has": words, "replaced_by": [list(said)]} for words in talk["over"]]


def _apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two talks are in one language, and share no topic."""
    topics = [topics_of(" ".join(said for session in talk["talk"] for said in session)) for talk in (one, other)]
    return one["id"].isascii() == other["id"].isascii() and not (topics[0] & topics[1] - succession.LOOSE)


def _scenario(talk: Mapping[str, Any], path: Path) -> Path:
    chinese = not talk["id"].isascii()
    days = [f"2026-0{month}-02T10:00:00+00:00" for month in range(3, 10)]
    turns = [
        [{"agent": said[3:]} if said.startswith("a: ") else {"customer": said} for said in each]
        for each in talk["talk"]
    ]
    scenario = {
        "scenario": path.stem,
        "persona": {"id": f"desk_{path.stem}", "name": "Rowan", "language": "zh" if chinese else "en"},
        "customer": {"name": "陈立" if chinese else "Ann Lee"},
        "sessions": [{"id": day[:7], "at": day, "turns": said} for day, said in zip(days, turns, strict=False)],
        "expect": {
            "memories": [{"id": f"s{place}", "has": has} for place, has in enumerate(talk["stands"])],
            "ended": [{"id": f"e{place}", **item} for place, item in enumerate(talk["over"])],
        },
    }
    path.write_text(yaml.safe_dump(scenario, allow_unicode=True), "utf-8")
    return path


@dataclass(frozen=True)
class Met:
    """A clause beside an earlier statement: the file, the statement, the turn, and their signs."""

    file: int
    content: str
    turn: str
    signs: dict[str, float]


@dataclass
class Recorder:
    """Stands where statements are ended: notes what would be weighed, and ends nothing."""

    rows: list[Met] = field(default_factory=list[Met])
    file: int = 0

    def succeeded(self, clauses: Sequence[Clause], now: succession.Exchange) -> Iterator[tuple[Clause, Matter, float]]:
        for place in range(len(clauses)):
            said = succession.said_in(clauses, place, now.talk)
            for known in now.known:
                if found := succession.signs(known, said, now):
                    self.rows.append(Met(self.file, known.matter.finding.content, now.turn, found))
        return iter(())

    def played(self, done: int, total: int) -> None:
        del total
        self.file = done


@dataclass(frozen=True)
class Lesson:
    """All pairs as numbers: `bags` are the rows among which one ends a statement, with the file of each."""

    names: tuple[str, ...]
    signs: Array
    file: NDArray[np.int64]
    weight: Array
    kept: NDArray[np.bool_]
    bags: tuple[tuple[int, tuple[int, ...]], ...]

    @property
    def bound(self) -> Array:
        """1 for signs that speak for an ending, -1 for those against one."""
        return np.where([name in AGAINST for name in self.names], -1.0, 1.0)


def lesson(rows: Sequence[Met], expected: Sequence[Expectations]) -> Lesson:
    """What the rows teach; `expected` by file."""
    names = tuple(sorted({name for row in rows for name in row.signs}))
    weight, kept = np.ones(len(rows)), np.zeros(len(rows), dtype=bool)
    bags: dict[tuple[int, str, str], list[int]] = {}
    named: dict[tuple[int, str, str], list[int]] = {}
    for place, row in enumerate(rows):
        expect = expected[row.file]
        over = [item for item in expect.ended if _ends(item, row.content)]
        for item in over:
            key = (row.file, item.id, row.content)
            bags.setdefault(key, []).append(place)
            if item.replaced_by and holds(row.turn, item.replaced_by):
                named.setdefault(key, []).append(place)
        kept[place] = not over and any(holds(row.content, item.has) for item in expect.memories)
        false = any(holds(row.content, item.has) for item in expect.never)
        weight[place] = 0.0 if over or (false and not kept[place]) else KEPT if kept[place] else 1.0
    return Lesson(
        names=names,
        signs=np.array([[row.signs.get(name, 0.0) for name in names] for row in rows]),
        file=np.array([row.file for row in rows]),
        weight=weight,
        kept=kept,
        bags=tuple((key[0], tuple(named.get(key, those))) for key, those in bags.items()),
    )


def _ends(item: ExpectedEnd, content: str) -> bool:
    """Whether the item says of this statement that it is over."""
    return holds(content, item.has) and not (item.replaced_by and holds(content, item.replaced_by))


def fitted(taught: Lesson, files: set[int]) -> tuple[Array, float]:
    """Weights and bias from these files: the likeliest row of each bag is taken for the one that ends, and again."""
    weights, bias = taught.bound * 1.0, 0.0
    inside = np.isin(taught.file, list(files))
    for _ in range(ROUNDS):
        target, worth = np.zeros(len(taught.weight)), np.where(inside, taught.weight, 0.0)
        for file, rows in taught.bags:
            if file in files:
                best = max(rows, key=lambda row: float(taught.signs[row] @ weights))
                target[best], worth[best] = 1.0, ENDED
        weights, bias = _logistic(taught.signs, target, worth / worth.sum(), taught.bound)
    return weights, bias


def _logistic(signs: Array, target: Array, worth: Array, bound: Array) -> tuple[Array, float]:
    weights, bias = np.zeros(signs.shape[1]), -3.0
    mean, square = np.zeros(len(weights) + 1), np.zeros(len(weights) + 1)
    for step in range(1, STEPS):
        wrong = worth * (1 / (1 + np.exp(-(signs @ weights + bias))) - target)
        slope = np.append(signs.T @ wrong + RIDGE * weights, wrong.sum())
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        moved = RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights, bias = weights - moved[:-1], bias - moved[-1]
        weights = np.where(bound * weights > 0, weights, 0.0)
    return weights, float(bias)


def cross_validated(taught: Lesson) -> Array:
    """Of each row how likely weights fitted on other files hold it to end its statement."""
    files = np.unique(taught.file)
    part = dict(zip(files.tolist(), (np.random.default_rng(0).permutation(len(files)) % PARTS).tolist(), strict=True))
    found = np.zeros(len(taught.weight))
    for number in range(PARTS):
        weights, bias = fitted(taught, {file for file, own in part.items() if own != number})
        left = np.array([part[file] == number for file in taught.file.tolist()])
        found[left] = 1 / (1 + np.exp(-(taught.signs[left] @ weights + bias)))
    return found


def show(taught: Lesson, likely: Array, rows: Sequence[Met]) -> None:
    """By threshold: endings made, and statements ended that should stand, of all and of those that are expected."""
    standing: dict[tuple[int, str], tuple[float, bool]] = {}
    for place, row in enumerate(rows):
        if taught.weight[place]:
            before = standing.get((row.file, row.content), (0.0, False))
            standing[row.file, row.content] = max(before[0], likely[place]), before[1] or bool(taught.kept[place])
    print("| from | ended | wrongly | of them expected |\n|---|---|---|---|")
    expected = sum(kept for _, kept in standing.values())
    for least in (0.4, 0.5, 0.6, 0.7, 0.8):
        made = sum(max(likely[list(rows)]) >= least for _, rows in taught.bags)
        wrong = [kept for value, kept in standing.values() if value >= least]
        print(f"| {least} | {made}/{len(taught.bags)} | {len(wrong)}/{len(standing)} | {sum(wrong)}/{expected} |")


def seal(held: Mapping[str, Any]) -> str:
    """What these weights and the talks they are fitted on are known by."""
    weights = json.dumps([held["bias"], held["weights"]], sort_keys=True)
    return sha256(TALKS.read_bytes() + weights.encode()).hexdigest()[:16]


def main() -> None:
    """Play, fit, show, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--write", action="store_true", help=f"Store the weights in {OUT.name}.")
    options = parser.parse_args()
    settings, recorder = Settings(), Recorder()
    engine.succeeded = recorder.succeeded
    with TemporaryDirectory() as folder:
        files = [*written(Path(folder)), *options.files]
        expected = [read_script(path, settings).scenario.expect for path in files]
        asyncio.run(measure(settings, files, told=recorder.played))
    taught = lesson(recorder.rows, expected)
    show(taught, cross_validated(taught), recorder.rows)
    weights, bias = fitted(taught, set(taught.file.tolist()))
    rounded = {name: round(float(each), 2) for name, each in zip(taught.names, weights, strict=True)}
    held: dict[str, Any] = {"bias": round(bias, 2), "weights": {name: each for name, each in rounded.items() if each}}
    held["seal"] = seal(held)
    print(json.dumps(held, indent=2))
    if options.write:
        OUT.write_text(f"{json.dumps(held, indent=2)}\n", "utf-8")


if __name__ == "__main__":
    main()
