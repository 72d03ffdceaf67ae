"""Weights for what the rules engine ends, fitted on dialogues:

    python -m bench.succession [FILES] [--write]

The dialogues are those of `bench/data/talks`, written by people who had not seen the code: the letter before the `_` of
a file's name is its writer; and the short talks of `bench/data/succession.yaml`, by those who built the engine: with
them the weights do better on writers left out. FILES are further ones, in the format of docs/evaluation.md.

Each is played with nothing ended by weighing, and every clause is set beside every statement made before it. A
statement is over by the likeliest clause of the turn that the `why` of an `ended` item names (session#turn), stands
until then, and is left out afterwards; one that no item names should stand. Signs that speak for an ending keep weights
of no less than 0, those against it no more, so that few dialogues cannot teach the contrary; weights of 0 are not
stored. The table is for weights fitted on the other writers' dialogues; `--write` stores those fitted on all, with a
seal of them and of the dialogues: a test breaks where either is changed by hand.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import numpy as np
import yaml
from numpy.typing import NDArray

from agentmem.adapters.cognition.rules import engine, succession
from agentmem.adapters.cognition.rules.matters import Matter, is_of_another
from agentmem.adapters.cognition.rules.model import Clause
from agentmem.adapters.cognition.rules.succession_signs import Exchange, said_in, signs
from agentmem.domain.scenario import ExpectedEnd, Scenario
from agentmem.evals.memory.memory_run import measure
from agentmem.evals.scenarios.checks import holds
from agentmem.evals.scenarios.player import read_script
from agentmem.runtime.configuration.settings import Settings

Array = NDArray[np.float64]
STEPS, RATE, RIDGE, ROUNDS = 300, 0.08, 3e-4, 3
Label = Literal["ends", "before", "kept", "other", "unknown"]
WORTH: Mapping[Label, float] = {"ends": 3.0, "before": 3.0, "kept": 3.0, "other": 1.0, "unknown": 0.0}
"""How much a pair counts: of a statement with the turn that ends it, with a turn before that, of one that should stand,
and of one of which nothing is expected."""
AGAINST = (
    "again",
    "among many",
    "another relative",
    "of somebody",
    "once",
    "perhaps",
    "question",
    "reminds",
    "said in this talk",
    "statement denied",
    "told of another",
)
TALKS = Path(__file__).with_name("data") / "talks"
SHORT, OWN = Path(__file__).with_name("data") / "succession.yaml", "own"
OUT = Path(succession.__file__).with_name("succession.json")


def written(folder: Path) -> list[Path]:
    """The talks of `SHORT`, each as a dialogue in a file of this folder."""
    talks: list[Mapping[str, Any]] = yaml.safe_load(SHORT.read_text("utf-8"))
    return [_scenario(talk, folder / f"{OWN}_{number:03}.yaml") for number, talk in enumerate(talks)]


def _scenario(talk: Mapping[str, Any], path: Path) -> Path:
    chinese = not talk["id"].isascii()
    days = [f"2026-0{month}-02T10:00:00+00:00" for month in range(3, 10)]
    turns = [
        [{"agent": said[3:]} if said.startswith("a: ") else {"customer": said} for said in each]
        for each in talk["talk"]
    ]
    ends = [number for number, said in enumerate(turns[-1], start=1) if "customer" in said]
    last = f"s{len(turns)}"
    scenario = {
        "scenario": path.stem,
        "persona": {"id": f"desk_{path.stem}", "name": "Rowan", "language": "zh" if chinese else "en"},
        "customer": {"name": "陈立" if chinese else "Ann Lee"},
        "sessions": [
            {"id": f"s{place}", "at": days[place], "turns": said} for place, said in enumerate(turns, start=1)
        ],
        "expect": {
            "memories": [{"id": f"s{place}", "has": has} for place, has in enumerate(talk["stands"])],
            "ended": [
                {"id": f"e{place}", "has": has, "why": f"{last}#{ends[min(place, len(ends) - 1)]}"}
                for place, has in enumerate(talk["over"])
            ],
        },
    }
    path.write_text(yaml.safe_dump(scenario, allow_unicode=True), "utf-8")
    return path


@dataclass(frozen=True)
class Met:
    """A clause beside an earlier statement: the file, the statement, when it was compared, and their signs."""

    file: int
    content: str
    at: datetime
    signs: dict[str, float]


@dataclass
class Recorder:
    """Stands where statements are ended: notes what would be weighed, and ends nothing."""

    rows: list[Met] = field(default_factory=list[Met])
    file: int = 0

    def succeeded(self, clauses: Sequence[Clause], now: Exchange) -> Iterator[tuple[Clause, Matter, float]]:
        said = [said_in(clauses, place, now.talk) for place in range(len(clauses))]
        for place, known in enumerate(now.known):
            for each in said:
                if is_of_another(known.matter, each.clause, now.talk):
                    continue
                if found := signs(place, each, now):
                    self.rows.append(Met(self.file, known.matter.finding.content, now.talk.at, found))
        return iter(())

    def played(self, done: int, total: int) -> None:
        del total
        self.file = done


@dataclass(frozen=True)
class Lesson:
    """All pairs as numbers: `bags` are the rows among which one ends a statement; `writer` is of each row."""

    names: tuple[str, ...]
    signs: Array
    writer: NDArray[np.str_]
    label: NDArray[np.str_]
    bags: tuple[tuple[int, ...], ...]

    @property
    def bound(self) -> Array:
        """1 for signs that speak for an ending, -1 for those against one."""
        return np.where([name in AGAINST for name in self.names], -1.0, 1.0)


def lesson(rows: Sequence[Met], scenarios: Sequence[Scenario], writers: Sequence[str]) -> Lesson:
    """What the rows teach; scenarios and writers by file."""
    names = tuple(sorted({name for row in rows for name in row.signs}))
    turns = [_turns(each) for each in scenarios]
    label = [_label(row, scenarios[row.file], turns[row.file]) for row in rows]
    bags: dict[tuple[int, str, datetime], list[int]] = {}
    for place, (row, each) in enumerate(zip(rows, label, strict=True)):
        if each == "ends":
            bags.setdefault((row.file, row.content, row.at), []).append(place)
    return Lesson(
        names=names,
        signs=np.array([[row.signs.get(name, 0.0) for name in names] for row in rows]),
        writer=np.array([writers[row.file] for row in rows]),
        label=np.array(label),
        bags=tuple(map(tuple, bags.values())),
    )


def _turns(scenario: Scenario) -> Mapping[str, datetime]:
    """When each turn was said, by the names they have in `why`."""
    return {
        f"{session.id}#{number}": at
        for session in scenario.sessions
        for number, at in enumerate(session.moments(), start=1)
    }


def _label(row: Met, scenario: Scenario, turns: Mapping[str, datetime]) -> Label:
    expect = scenario.expect
    over = [item for item in expect.ended if _ends(item, row.content)]
    if over:
        ends = {turns[item.why] for item in over if item.why is not None and item.why in turns}
        return "ends" if row.at in ends else "before" if ends and row.at < min(ends) else "unknown"
    if any(holds(row.content, item.has) for item in expect.memories):
        return "kept"
    return "unknown" if any(holds(row.content, item.has) for item in expect.never) else "other"


def _ends(item: ExpectedEnd, content: str) -> bool:
    """Whether the item says of this statement that it is over."""
    return holds(content, item.has) and not (item.replaced_by and holds(content, item.replaced_by))


def fitted(taught: Lesson, writers: set[str]) -> tuple[Array, float]:
    """Weights and bias from these writers' dialogues: the likeliest row of each bag is taken for the one that ends, and
    again."""
    weights, bias = taught.bound * 1.0, 0.0
    inside = np.isin(taught.writer, list(writers))
    worth = np.array([WORTH[each] for each in taught.label.tolist()]) * inside
    for _ in range(ROUNDS):
        target, counted = np.zeros(len(worth)), np.where(taught.label == "ends", 0.0, worth)
        for rows in taught.bags:
            best = max(rows, key=lambda row: float(taught.signs[row] @ weights))
            target[best], counted[best] = 1.0, worth[best]
        weights, bias = _logistic(taught.signs, target, counted / counted.sum(), taught.bound)
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


def held_out(taught: Lesson) -> Array:
    """Of each row how likely weights fitted on the other writers' dialogues hold it to end its statement."""
    writers, found = set(taught.writer.tolist()), np.zeros(len(taught.writer))
    for writer in writers - {OWN}:
        weights, bias = fitted(taught, writers - {writer})
        own = taught.writer == writer
        found[own] = 1 / (1 + np.exp(-(taught.signs[own] @ weights + bias)))
    return found


def show(taught: Lesson, likely: Array, rows: Sequence[Met]) -> None:
    """By threshold: endings made, and of what should stand how much would be ended."""
    best: dict[tuple[str, int, str], float] = {}
    told = zip(rows, taught.label.tolist(), taught.writer.tolist(), likely.tolist(), strict=True)
    for row, label, writer, value in told:
        if writer != OWN:
            key = (label, row.file, row.content)
            best[key] = max(best.get(key, 0.0), value)
    labels: tuple[Label, ...] = ("ends", "before", "kept", "other")
    print(f"| from | {' | '.join(labels)} |\n|{'---|' * 5}")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        of = {each: [value for key, value in best.items() if key[0] == each] for each in labels}
        made = (f"{sum(value >= least for value in of[each])}/{len(of[each])}" for each in labels)
        print(f"| {least} | {' | '.join(made)} |")


def seal(held: Mapping[str, Any]) -> str:
    """What these weights and the dialogues they are fitted on are known by."""
    weights = json.dumps([held["bias"], held["weights"]], sort_keys=True)
    talks = b"".join(path.read_bytes() for path in (SHORT, *sorted(TALKS.glob("*.yaml"))))
    return sha256(talks + weights.encode()).hexdigest()[:16]


def main() -> None:
    """Play, fit, show, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--write", action="store_true", help=f"Store the weights in {OUT.name}.")
    options = parser.parse_args()
    settings, recorder = Settings(), Recorder()
    engine.succeeded = recorder.succeeded
    with TemporaryDirectory() as folder:
        files = [*sorted(TALKS.glob("*.yaml")), *written(Path(folder)), *options.files]
        scenarios = [read_script(path, settings).scenario for path in files]
        asyncio.run(measure(settings, files, told=recorder.played))
    taught = lesson(recorder.rows, scenarios, [path.stem.split("_")[0] for path in files])
    show(taught, held_out(taught), recorder.rows)
    weights, bias = fitted(taught, set(taught.writer.tolist()))
    rounded = {name: round(float(each), 2) for name, each in zip(taught.names, weights, strict=True)}
    held: dict[str, Any] = {"bias": round(bias, 2), "weights": {name: each for name, each in rounded.items() if each}}
    held["seal"] = seal(held)
    print(json.dumps(held, indent=2))
    if options.write:
        OUT.write_text(f"{json.dumps(held, indent=2)}\n", "utf-8")


if __name__ == "__main__":
    main()
