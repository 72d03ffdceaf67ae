"""Weights for what the rules engine writes down, fitted on statements that readers judged:

    python -m bench.usable JUDGED... [--write]

A line of JUDGED is one statement as JSON: its `content` and `kind`, the `person` and the `agent` by name, whom it is
`about` where that is somebody else, the `turn` with the `start` and `end` of its words in it, what the agent `heard`
says in that talk, the `talk` by name, and whether it is `usable` by itself. No such file is kept here: it holds talk
of strangers.

The table says what leaving out the statements below each bound would cost, each talk weighed by weights fitted on
other talks; `--write` stores the weights fitted on all, the bound taken off the bias.
"""

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agentmem.adapters.cognition.rules import usable
from agentmem.adapters.cognition.rules.model import Finding, Span
from agentmem.adapters.cognition.rules.usable import SpokenIn, signs_of
from agentmem.language.tokens import content_terms

Array = NDArray[np.float64]
RIDGE, STEPS, PARTS, LEAST, SMALLEST = 6.0, 12, 10, 12, 0.1
"""`LEAST`: statements that must have a sign for it to count; `SMALLEST`: weights below it are not stored."""
BOUND = 0.44
"""How likely of use a statement must be to be written down: of other talks it left out five of no use for each that was
true."""
OUT = Path(usable.__file__).with_name("usable.json")


@dataclass(frozen=True)
class JudgedStatement:
    """One statement: the talk it is of, its signs, and whether it is of use."""

    talk: str
    signs: frozenset[str]
    is_usable: bool


def read(line: str) -> JudgedStatement:
    """One line of a file."""
    row: dict[str, Any] = json.loads(line)
    found = Finding(row["content"], row["kind"], 5, "en", (Span(row["start"], row["end"]),), about=row["about"])
    spoken = SpokenIn(row["person"], row["agent"], row["turn"], content_terms(row["heard"]))
    return JudgedStatement(row["talk"], signs_of(found, spoken), row["usable"])


def fitted(judged: list[JudgedStatement], names: list[str]) -> Array:
    """Weights of the signs and last the bias: logistic regression by Newton's method, with a little L2."""
    rows, wanted = _matrix(judged, names), np.array([each.is_usable for each in judged], dtype=np.float64)
    weights, ridge = np.zeros(len(names) + 1), np.append(np.full(len(names), RIDGE), 1e-6)
    for _ in range(STEPS):
        likely = _likely(rows, weights)
        slope = rows.T @ (likely - wanted) + ridge * weights
        spread = (rows * (likely * (1 - likely))[:, None]).T @ rows + np.diag(ridge)
        weights = weights - np.linalg.solve(spread, slope)
    return weights


def _matrix(judged: list[JudgedStatement], names: list[str]) -> Array:
    return np.array([[*(float(name in each.signs) for name in names), 1.0] for each in judged])


def _likely(rows: Array, weights: Array) -> Array:
    return 1 / (1 + np.exp(-rows @ weights))


def left_out_in_turn(judged: list[JudgedStatement], names: list[str]) -> Array:
    """How likely of use each is by weights fitted on other talks."""
    part = {talk: place % PARTS for place, talk in enumerate(sorted({each.talk for each in judged}))}
    likely = np.zeros(len(judged))
    for left_out in range(PARTS):
        places = [place for place, each in enumerate(judged) if part[each.talk] == left_out]
        weights = fitted([each for each in judged if part[each.talk] != left_out], names)
        likely[places] = _likely(_matrix([judged[place] for place in places], names), weights)
    return likely


def main() -> None:
    """Fit, leave out, print, and store if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judged", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    judged = [read(line) for path in options.judged for line in path.read_text("utf-8").splitlines()]
    counts = Counter(sign for each in judged for sign in each.signs)
    names = sorted(name for name, count in counts.items() if count >= LEAST)
    likely, good = left_out_in_turn(judged, names), np.array([each.is_usable for each in judged])
    print(f"{len(judged)} statements, {int((~good).sum())} of no use, {len(names)} signs\n")
    print("| below | of no use | of use |\n|---|---|---|")
    for bound in np.arange(0.2, 0.65, 0.05):
        print(f"| {bound:.2f} | {int((~good & (likely < bound)).sum())} | {int((good & (likely < bound)).sum())} |")
    if options.write:
        *weights, bias = fitted(judged, names).tolist()
        held = {name: round(weight, 2) for name, weight in zip(names, weights, strict=True) if abs(weight) >= SMALLEST}
        bias = round(bias - float(np.log(BOUND / (1 - BOUND))), 2)
        OUT.write_text(json.dumps({"bias": bias, "weights": held}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
