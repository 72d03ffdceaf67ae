"""`python -m tests.soak.mutants PART [--every N]`: whether the tests notice when one guard is taken away.

One comparison, condition or negation at a time is turned around in the files of a part, or one call that stands for
itself is left out, and those tests of the part that reach its line are run until one fails: first those that noticed
another mutant, then the quickest. A mutant that no test notices is printed; the exit code is 1 where there are any.
What makes no difference stands in `EQUAL` with its reason.

Tests are collected once. Each mutant is tried in a fork of that process, in which the turned functions are exchanged,
so that nothing is imported again. A guard that stands outside every function cannot be tried so, and is printed too.
Limits are of processor time, so that a loaded machine tries as much as a quiet one.
"""

import argparse
import ast
import gc
import mmap
import os
import pickle
import resource
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, TypeVar

import pytest

from tests.soak.parts import EQUAL, PARTS, ROOT
from tests.support.say import say

T = TypeVar("T")

SECONDS = 300
"""Processor time that the tests of one mutant may take."""

ALL_SECONDS = 3_600
"""Processor time that all tests may take as they are."""

WAITING = 60
"""Seconds that one test may last: under a mutant it may wait for what never comes."""

_SIGNS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
"""Of each comparison its sign, and that of the other."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """Characters `start` to `end` of a file, on the lines `line` to `last`, say something else."""

    file: str
    line: int
    last: int
    start: int
    end: int
    words: str

    def in_text(self, text: str) -> str:
        """The file as it becomes."""
        return text[: self.start] + self.words + text[self.end :]


def mutants_of(file: str, text: str) -> Iterator[Mutant]:
    """Every guard of a file turned around, one at a time."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def place(line: int, column: int) -> int:
        row = text[starts[line - 1] : starts[line]].encode()[:column]
        return starts[line - 1] + len(row.decode())

    for node in ast.walk(ast.parse(text)):
        for part, words in _turned(node, text):
            assert part.end_lineno is not None
            assert part.end_col_offset is not None
            start, end = place(part.lineno, part.col_offset), place(part.end_lineno, part.end_col_offset)
            yield Mutant(file, part.lineno, part.end_lineno, start, end, words)


def _turned(node: ast.AST, text: str) -> Iterator[tuple[ast.expr, str]]:
    def said(part: ast.expr) -> str:
        words = ast.get_source_segment(text, part) or ""
        return f"({words})" if isinstance(part, ast.NamedExpr | ast.BoolOp | ast.IfExp) else words

    match node:
        case ast.Compare(left=left, ops=ops, comparators=compared):
            for turned in range(len(ops)):
                signs = [_SIGNS[type(op)][at == turned] for at, op in enumerate(ops)]
                parts = (f" {sign} {said(right)}" for sign, right in zip(signs, compared, strict=True))
                yield node, f"({said(left)}{''.join(parts)})"
        case ast.BoolOp(op=op, values=values):
            other = " or " if isinstance(op, ast.And) else " and "
            yield node, f"({other.join(f'({said(value)})' for value in values)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"({said(operand)})"
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.match_case(guard=ast.expr() as test):
            yield from _negated([test], said)
        case ast.comprehension(ifs=tests):
            yield from _negated(tests, said)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log")))):
            pass
        case ast.Expr(value=ast.Call() | ast.Await() as call):
            yield call, "None"
        case _:
            pass


def _negated(tests: Sequence[ast.expr], said: Callable[[ast.expr], str]) -> Iterator[tuple[ast.expr, str]]:
    """Tests that are not turned around for what they are made of."""
    for test in tests:
        if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
            yield test, f"(not ({said(test)}))"


@dataclass(frozen=True, slots=True)
class Reached:
    """How much processor time a test takes, and the lines of the part's files that it comes to."""

    seconds: float
    lines: frozenset[tuple[str, int]]


class Trials:
    """Takes the place of pytest's loop over the tests: they are run in forks, once as they are and once per mutant."""

    def __init__(self, part: str, mutants: Sequence[Mutant], seconds: float) -> None:
        self.part, self.mutants, self.seconds = part, mutants, seconds
        self.alive = 0
        self._noticed: Counter[int] = Counter()
        self._caches: list[Any] = []
        self._running = mmap.mmap(-1, 8)
        """The number of the test that a fork runs, which it shares with this process."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every mutant; `alive` counts those that nobody noticed."""
        files = {str(ROOT / mutant.file): mutant.file for mutant in self.mutants}
        self._caches = _caches()
        with tempfile.TemporaryDirectory() as folder:
            notes = Path(folder) / "reached"
            if not _in_fork(lambda: _note_reached(session, files, self._caches, notes), ALL_SECONDS):
                why = notes.read_text("utf-8") if notes.exists() else "they take too long, or end the process"
                say(f"{self.part}: the tests fail as they are, so they tell nothing: {why}")
                session.testsfailed = 1
                return True
            reached: list[Reached] = pickle.loads(notes.read_bytes())
        functions = _functions_in(files)
        for mutant in self.mutants:
            self._try(session, mutant, reached, functions)
        return True

    def _try(
        self, session: pytest.Session, mutant: Mutant, reached: list[Reached], functions: list[FunctionType]
    ) -> None:
        lines = {(mutant.file, line) for line in range(mutant.line, mutant.last + 1)}
        found = [at for at, test in enumerate(reached) if test.lines & lines]
        chosen = sorted(found, key=lambda at: reached[at].seconds / (1 + self._noticed[at]))
        codes = _exchanged(mutant)
        exchanged = [(one, codes[one.__code__]) for one in functions if one.__code__ in codes]
        if not exchanged:
            say(f"outside every function, not tried: {mutant.file}:{mutant.line} becomes {mutant.words}")
            return
        passed = _in_fork(lambda: self._passes_with(session, chosen, exchanged), self.seconds) if chosen else True
        if passed is False:
            self._noticed[int.from_bytes(self._running[:])] += 1
        told = "not noticed" if chosen else "reached by no test"
        if passed is None:
            told = f"noticed only by taking over {self.seconds} s"
        self.alive += passed is True
        if passed is not False:
            say(f"{told}: {mutant.file}:{mutant.line} becomes {mutant.words}")

    def _passes_with(
        self, session: pytest.Session, chosen: list[int], exchanged: list[tuple[FunctionType, CodeType]]
    ) -> bool:
        for cache in self._caches:
            cache.cache_clear()
        for function, code in exchanged:
            function.__code__ = code
        for at, after in zip(chosen, [*chosen[1:], None], strict=True):
            self._running[:] = at.to_bytes(8)
            if not _run(session, session.items[at], None if after is None else session.items[after]):
                return False
        return True


def _in_fork(run: Callable[[], bool], seconds: float) -> bool | None:
    """What `run` says in a process of its own; None where that needs more processor time."""
    child = os.fork()
    if child == 0:
        silent = os.open(os.devnull, os.O_RDWR)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
        passed = False
        try:
            passed = run()
        finally:
            os._exit(0 if passed else 1)
    _, status = os.waitpid(child, 0)
    spent = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
    return None if spent else status == 0


def _functions_in(files: Mapping[str, str]) -> list[FunctionType]:
    """All functions there are that stand in these files."""
    return [one for one in _alive(FunctionType) if one.__code__.co_filename in files]


def _caches() -> list[Any]:
    """What remembers what was made of a text; what patterns are made of depends on no guard that is turned around."""
    return [one for one in _alive(type(lru_cache(len))) if str(one.__module__).startswith(_READING)]


_READING = ("agentmem.memory", "agentmem.language", "agentmem.questions", "agentmem.adapters.cognition")


def _alive(kind: type[T]) -> list[T]:
    gc.unfreeze()
    found = [one for one in gc.get_objects() if isinstance(one, kind)]
    gc.freeze()
    return found


def _run(session: pytest.Session, item: pytest.Item, after: pytest.Item | None) -> bool:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
    return not session.testsfailed


def _note_reached(session: pytest.Session, files: dict[str, str], caches: Sequence[Any], notes: Path) -> bool:
    """Run every test as it is, and write down what it comes to where nothing was read before it."""
    lines = set[tuple[str, int]]()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        file = files.get(frame.f_code.co_filename)
        if file is not None:
            lines.add((file, frame.f_lineno))
            return trace
        return None

    reached: list[Reached] = []
    for item, after in zip(session.items, [*session.items[1:], None], strict=True):
        lines.clear()
        for cache in caches:
            cache.cache_clear()
        began = time.process_time()
        threading.settrace(trace)
        sys.settrace(trace)
        passed = _run(session, item, after)
        sys.settrace(None)
        if not passed:
            notes.write_text(item.nodeid, "utf-8")
            return False
        reached.append(Reached(time.process_time() - began, frozenset(lines)))
    notes.write_bytes(pickle.dumps(reached))
    return True


def _exchanged(mutant: Mutant) -> dict[CodeType, CodeType]:
    """The functions that a mutant changes, as they are and as they become."""
    text = (ROOT / mutant.file).read_text("utf-8")
    name = str(ROOT / mutant.file)
    was = compile(text, name, "exec", dont_inherit=True)
    becomes = compile(mutant.in_text(text), name, "exec", dont_inherit=True)
    changed = _functions(becomes)
    return {
        one: other
        for name, ones in _functions(was).items()
        if len(others := changed.get(name, [])) == len(ones)  # a function in what is left out is there no more
        for one, other in zip(ones, others, strict=True)
        if one != other
    }


def _functions(code: CodeType) -> dict[str, list[CodeType]]:
    """The functions in it by name, also those in others."""
    found: dict[str, list[CodeType]] = {}
    todo = [code]
    while todo:
        part = todo.pop()
        if part.co_flags & CO_OPTIMIZED:  # the body of a class has not
            found.setdefault(part.co_qualname, []).append(part)
        todo += (each for each in part.co_consts if isinstance(each, CodeType))
    return found


def _holds(path: str, parts: Sequence[str]) -> bool:
    return any(part in path for part in parts)


def main() -> int:
    """Try the mutants of a part; 1 where one survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.mutants", description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--every", type=int, default=1, help="try one of so many")
    parser.add_argument("--begin", type=int, default=0, help="pass over so many")
    parser.add_argument("--only", nargs="+", default=[""], help="files whose path holds one of these")
    parser.add_argument("--tests", nargs="+", default=[""], help="tests whose path holds one of these")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for the tests of one mutant: more under load")
    parser.add_argument("--marked", default="", help="only tests that pytest's -m chooses so, such as 'not thorough'")
    options = parser.parse_args()
    files, tests = PARTS[options.part]
    found = [mutant for file in files for mutant in mutants_of(file, (ROOT / file).read_text("utf-8"))]
    chosen = [mutant for mutant in found[options.begin :: options.every] if _holds(mutant.file, options.only)]
    tried = [mutant for mutant in chosen if (mutant.file, mutant.words) not in EQUAL]
    trials = Trials(options.part, tried, options.seconds)
    with tempfile.TemporaryDirectory() as folder:
        line = [
            "-q",
            "-s",
            "-m",
            options.marked,
            "-p",
            "no:cacheprovider",
            "--timeout",
            str(WAITING),
            "--basetemp",
            f"{folder}/tests",
        ]
        code = pytest.main([*line, *(each for each in tests if _holds(each, options.tests))], plugins=[trials])
    if code != pytest.ExitCode.OK:
        return 2
    equal = len(chosen) - len(trials.mutants)
    say(f"{options.part}: {len(chosen)} of {len(found)} mutants, {equal} the same, {trials.alive} not noticed")
    return 1 if trials.alive else 0


if __name__ == "__main__":
    sys.exit(main())
