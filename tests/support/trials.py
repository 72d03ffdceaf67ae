"""Trials of operations on copies of one store, and what came of them: whole, or not begun; never half done."""

import asyncio
import os
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random

from tests.support.operations import CANARY, Ended, Operator, Place, Signature, Trial, make_place
from tests.support.syscalls import DIE, after_power_cut, copy_all


@dataclass(slots=True)
class Outcome:
    """What came of a series of trials."""

    killed: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])
    passed: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        return (
            f"{self.killed.total()} killed, {self.refused.total()} refused with an error, "
            f"{self.passed.total()} went through; {len(self.wrong)} wrong"
        )


class Series:
    """Trials on copies of one place; `root` is a folder that is not there yet or empty."""

    def __init__(self, root: Path, operator: Operator) -> None:
        self._root, self._operator = root, operator
        self._template = Place(root / "template")
        self._count = 0
        self._whole: dict[str, tuple[Signature, int]] = {}
        self.outcome = Outcome()
        asyncio.run(make_place(self._template))

    @cached_property
    def before(self) -> Signature:
        """What is known before anything is done."""
        place = self._copy("before")
        left = self._operator.look(Trial(str(place.root), "export"))
        shutil.rmtree(place.root)
        return left.known

    def whole(self, operation: str) -> tuple[Signature, int]:
        """What is known when nothing comes in between, and how many calls it takes."""
        if operation not in self._whole:
            place = self._copy(f"whole-{operation}")
            trial = Trial(str(place.root), operation)
            ended, left = self._operator.run(trial), self._operator.look(trial)
            assert ended.error is None, f"{operation} by itself: {ended}"
            assert not left.wrong, f"{operation} by itself: {left.wrong}"
            assert left.unusable is None, f"{operation} by itself: {left.unusable}"
            shutil.rmtree(place.root)
            self._whole[operation] = left.known, ended.calls
        return self._whole[operation]

    def try_(self, operation: str, nth: int, outcome: int, calls: str = "*", *, lasting: bool = False) -> None:
        """Interrupt the operation there, and write down what is wrong afterwards."""
        place = self._copy(f"{self._count}-{operation}")
        self._count += 1
        trial = Trial(str(place.root), operation, nth, outcome, calls, lasting)
        name = f"{operation}, {calls} {nth}: {'killed' if outcome == DIE else os.strerror(outcome)}"
        self._judge(place, trial, self._operator.run(trial), name)

    def cut_power(self, operation: str, nth: int) -> None:
        """Let the power fail there (0: when the operation said that it was done), and write down what is wrong."""
        place, keep = self._copy(f"{self._count}-{operation}"), self._root / f"{self._count}-durable"
        self._count += 1
        trial = Trial(str(place.root), operation, nth, DIE if nth else 0, keep=str(keep))
        ended = self._operator.run(trial)
        left = Place(self._root / f"{self._count}-left")
        after_power_cut(place.root, keep, left.root)
        shutil.rmtree(place.root)
        left.root.rename(place.root)
        self._judge(place, trial, ended, f"{operation}, power cut at {nth}")
        shutil.rmtree(keep)

    def _judge(self, place: Place, trial: Trial, ended: Ended, name: str) -> None:
        operation = trial.operation
        found = [*self._complaints(place, trial, ended)]
        self.outcome.wrong += [f"{name}: {complaint}" for complaint in found]
        kind = self.outcome.killed if ended.killed else self.outcome.refused if ended.error else self.outcome.passed
        kind[operation] += 1
        if not found:
            shutil.rmtree(place.root)

    def _complaints(self, place: Place, trial: Trial, ended: Ended) -> Iterable[str]:
        if not ended.known:
            yield f"an error that is not ours: {ended.error}"
        if ended.status and not (ended.killed and trial.outcome == DIE):
            yield f"the process ended with status {ended.status}"
        acknowledged = _acknowledged(place)
        left = self._operator.look(Trial(trial.root, trial.operation))
        if left.unusable is not None:
            yield f"cannot be used afterwards: {left.unusable}"
            return
        yield from left.wrong
        yield from self._half_applied(trial.operation, left.known, acknowledged)
        after, _ = self.whole(trial.operation)
        if ended.error is None and not ended.killed and left.known != after:
            yield f"said to be done, and is not: {_difference(left.known, after)}"
        if left.again is not None and not ("is here already" in left.again and left.known == after):
            yield f"cannot be done again: {left.again}"
        if left.then != after:
            yield f"done again it is not what it would have been: {_difference(left.then, after)}"
        yield from _left_lying(place, trial.operation)

    def _half_applied(self, operation: str, known: Signature, acknowledged: list[str]) -> Iterable[str]:
        if operation == "talk":
            spoken = Counter(content for *_, layer, _, content in known.elements() if layer == "conversation")
            yield from (f"lost: {text}" for text in acknowledged if not spoken[text])
            yield from (f"{count} times: {text}" for text, count in spoken.items() if count > 1)
        elif known not in (self.before, self.whole(operation)[0]):
            yield f"half applied: {_difference(known, self.before)}"

    def _copy(self, name: str) -> Place:
        place = Place(self._root / name)
        copy_all(self._template.root, place.root)
        return place


def _acknowledged(place: Place) -> list[str]:
    """The turns that were answered for."""
    told = place.acknowledged
    return told.read_text(encoding="utf-8").splitlines() if told.exists() else []


def _difference(known: Signature, other: Signature) -> str:
    more, less = known - other, other - known
    return f"{more.total()} more {[*more][:2]}, {less.total()} fewer {[*less][:2]}"


def _left_lying(place: Place, operation: str) -> Iterable[str]:
    """Files that nobody would look for, and words of the erased."""
    expected = {"export": "seller.zip", "backup": "store.backup"}.get(operation)
    yield from (f"left lying: {path.name}" for path in place.out.iterdir() if path.name != expected)
    if operation == "erase":
        files = (path for path in place.data.rglob("*") if path.is_file())
        yield from (f"still in {path.name}: {CANARY}" for path in files if CANARY.encode() in path.read_bytes())


def spread(calls: int, times: int, dice: Random) -> list[int]:
    """So many calls out of all, one at random in each equal part of them."""
    times = min(times, calls)
    return [1 + int((part + dice.random()) * calls / times) for part in range(times)]
