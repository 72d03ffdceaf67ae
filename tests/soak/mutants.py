"""`python -m tests.soak.mutants PART [--every N]`: whether the tests notice when one guard is taken away.

One comparison, condition or negation at a time is turned around in the files of a part, and those tests of the part
that reach its line are run, the quickest first, until one fails. A mutant that no test notices is printed; the exit
code is 1 where there are any. What makes no difference stands in `EQUAL` with its reason.

Tests are collected once. Each mutant is tried in a fork of that process, in which the turned functions are exchanged,
so that nothing is imported again. A guard that stands outside every function cannot be tried so, and is printed too.
"""

import argparse
import ast
import gc
import os
import pickle
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from tests.support.say import say

ROOT = Path(__file__).parents[2]
SECONDS = 300
"""How long the tests of one mutant may take; all tests as they are, twelve times as much."""

PARTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "access": (
        ("agentmem/runtime/facade/access.py", "agentmem/runtime/facade/showing.py", "agentmem/domain/scope.py"),
        (
            *("tests/attacks/test_isolation.py", "tests/attacks/test_returns.py", "tests/attacks/test_revocation.py"),
            *("tests/architecture/test_access.py", "tests/architecture/test_guards.py"),
            *("tests/attacks/test_handed_out.py", "tests/attacks/test_talks.py", "tests/unit/domain"),
            "tests/unit/test_showing.py",
        ),
    ),
    "tokens": (
        (
            *("agentmem/runtime/facade/tokens.py", "agentmem/domain/access_token.py"),
            *("agentmem/adapters/journal/keeping.py", "agentmem/interfaces/http/callers.py"),
            *("agentmem/interfaces/http/guard.py", "agentmem/interfaces/http/issued.py"),
        ),
        (
            *("tests/attacks/test_http.py", "tests/attacks/test_issued_tokens.py", "tests/integration/test_serve.py"),
            *("tests/attacks/test_callers.py", "tests/attacks/test_mcp.py"),
            *("tests/contract/journal/test_access_tokens.py", "tests/integration/test_cli_token.py"),
            *("tests/unit/domain", "tests/integration/test_http_direct.py", "tests/integration/test_http.py"),
        ),
    ),
    "values": (
        ("agentmem/domain/bounds.py", "agentmem/domain/value.py", "agentmem/runtime/facade/entrance.py"),
        ("tests/unit/domain", "tests/attacks/test_entrances.py", "tests/integration/test_poison.py"),
    ),
    "forgetting": (
        (
            *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "agentmem/memory").glob("request*.py"))),
            *("agentmem/memory/forget.py", "agentmem/memory/forget_plan.py", "agentmem/memory/repeated.py"),
            *("agentmem/memory/cuts.py", "agentmem/memory/wish.py", "agentmem/memory/wish_parts.py"),
            *("agentmem/memory/put_right.py", "agentmem/memory/owned.py", "agentmem/memory/owners.py"),
            *("agentmem/memory/sought.py", "agentmem/memory/matters.py", "agentmem/memory/support.py"),
            *("agentmem/memory/retold_entities.py", "agentmem/memory/erase.py"),
            "agentmem/agents/talk/forget_in_talk.py",
            *("agentmem/runtime/facade/forget_requests.py", "agentmem/runtime/host/ahead.py"),
            *("agentmem/language/details.py", "agentmem/language/detail_kinds.py", "agentmem/language/people.py"),
        ),
        (
            *("tests/unit/memory", "tests/unit/rules/test_memory_wishes.py", "tests/attacks/test_forgotten.py"),
            *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests/integration").glob("test_forg*.py"))),
            *("tests/integration/test_asked_to_forget.py", "tests/integration/test_requests_read_once.py"),
            *("tests/integration/test_imported_requests.py", "tests/integration/test_cli_forget.py"),
            *("tests/integration/test_erase.py", "tests/integration/test_erase_copies.py"),
            *("tests/integration/test_undo_beside_newer.py", "tests/integration/test_undo_after_erasure.py"),
            *("tests/integration/test_entities_taken_back.py", "tests/integration/test_told_of_others.py"),
        ),
    ),
}
"""The files whose guards are turned around, and the tests that must notice."""

_BOUNDS = "agentmem/domain/bounds.py"
EQUAL: dict[tuple[str, str], str] = {
    **{
        (_BOUNDS, words): "a short cut: what is done without it finds as little wrong with these values"
        for words in (
            "((value is None) and (value is True) and (value is False))",
            "((not isinstance(value, _LOOKED_INTO)) and (not value))",
        )
    },
    **dict.fromkeys(
        (
            ("agentmem/domain/value.py", "(TYPE_CHECKING)"),
            ("agentmem/domain/value.py", '("pattern" in found)'),
            ("agentmem/runtime/facade/entrance.py", "(not (inspect.iscoroutinefunction(call)))"),
            ("agentmem/runtime/facade/entrance.py", "(not (inspect.isasyncgenfunction(call)))"),
        ),
        "decides while modules are imported, which a fork comes too late for",
    ),
    ("agentmem/memory/cuts.py", "(start <= place)"): "a stretch that begins at a place takes nothing from before it",
    (
        "agentmem/memory/put_right.py",
        "(clause.cut[0] > begin[-1].cut[1])",
    ): "something stands between any two clauses, so that none begins where another ends",
    (
        "agentmem/interfaces/http/callers.py",
        "((caller.issued is None) or (not self._looked))",
    ): "who is known is looked up anew, which lets nobody else in",
    (
        "agentmem/runtime/facade/access.py",
        "((access.principal.operator) and (not rule.grants))",
    ): "looking through what the operator is told, or through what needs no grant, leaves nothing out",
}
"""What stands in a file after the turn and makes no difference in a trial, with the reason."""

_OTHER: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}


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
        return ast.get_source_segment(text, part) or ""

    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            yield node, f"({said(left)} {_OTHER[type(op)]} {said(right)})"
        case ast.BoolOp(op=op, values=values):
            other = " or " if isinstance(op, ast.And) else " and "
            yield node, f"({other.join(f'({said(value)})' for value in values)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"({said(operand)})"
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            yield test, f"(not ({said(test)}))"
        case _:
            pass


@dataclass(frozen=True, slots=True)
class Reached:
    """How long a test takes, and the lines of the part's files that it comes to."""

    seconds: float
    lines: frozenset[tuple[str, int]]


class Trials:
    """Takes the place of pytest's loop over the tests: they are run in forks, once as they are and once per mutant."""

    def __init__(self, part: str, mutants: Sequence[Mutant], seconds: float) -> None:
        self.part, self.mutants, self.seconds = part, mutants, seconds
        self.alive = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every mutant; `alive` counts those that nobody noticed."""
        files = {str(ROOT / mutant.file): mutant.file for mutant in self.mutants}
        with tempfile.TemporaryDirectory() as folder:
            notes = Path(folder) / "reached"
            if not _in_fork(lambda: _note_reached(session, files, notes), 12 * self.seconds):
                why = notes.read_text("utf-8") if notes.exists() else "they take too long, or end the process"
                say(f"{self.part}: the tests fail as they are, so they tell nothing: {why}")
                session.testsfailed = 1
                return True
            reached: list[Reached] = pickle.loads(notes.read_bytes())
        for mutant in self.mutants:
            self._try(session, mutant, reached)
        return True

    def _try(self, session: pytest.Session, mutant: Mutant, reached: list[Reached]) -> None:
        lines = {(mutant.file, line) for line in range(mutant.line, mutant.last + 1)}
        order = sorted((test.seconds, at) for at, test in enumerate(reached) if test.lines & lines)
        chosen = [session.items[at] for _, at in order]
        exchanged = _exchanged(mutant)
        if not exchanged:
            say(f"outside every function, not tried: {mutant.file}:{mutant.line} becomes {mutant.words}")
            return
        passed = _in_fork(lambda: _passes_with(session, chosen, exchanged), self.seconds) if chosen else True
        told = "not noticed" if chosen else "reached by no test"
        if passed is None:
            told = f"noticed only by taking over {self.seconds} s"
        self.alive += passed is True
        if passed is not False:
            say(f"{told}: {mutant.file}:{mutant.line} becomes {mutant.words}")


def _in_fork(run: Callable[[], bool], seconds: float) -> bool | None:
    """What `run` says in a process of its own; None where it takes longer."""
    child = os.fork()
    if child == 0:
        silent = os.open(os.devnull, os.O_RDWR)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        passed = False
        try:
            passed = run()
        finally:
            os._exit(0 if passed else 1)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _passes_with(session: pytest.Session, items: list[pytest.Item], codes: dict[CodeType, CodeType]) -> bool:
    gc.unfreeze()
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__ in codes:
            one.__code__ = codes[one.__code__]
    return all(_run(session, item, after) for item, after in zip(items, [*items[1:], None], strict=True))


def _run(session: pytest.Session, item: pytest.Item, after: pytest.Item | None) -> bool:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
    return not session.testsfailed


def _note_reached(session: pytest.Session, files: dict[str, str], notes: Path) -> bool:
    """Run every test as it is, and write down what it comes to."""
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
        began = time.perf_counter()
        threading.settrace(trace)
        sys.settrace(trace)
        passed = _run(session, item, after)
        sys.settrace(None)
        if not passed:
            notes.write_text(item.nodeid, "utf-8")
            return False
        reached.append(Reached(time.perf_counter() - began, frozenset(lines)))
    notes.write_bytes(pickle.dumps(reached))
    return True


def _exchanged(mutant: Mutant) -> dict[CodeType, CodeType]:
    """The functions that a mutant changes, as they are and as they become."""
    text = (ROOT / mutant.file).read_text("utf-8")
    name = str(ROOT / mutant.file)
    was = compile(text, name, "exec", dont_inherit=True)
    becomes = compile(mutant.in_text(text), name, "exec", dont_inherit=True)
    pairs = zip(_functions(was), _functions(becomes), strict=True)
    return {one: other for one, other in pairs if one != other}


def _functions(code: CodeType) -> Iterator[CodeType]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            if part.co_flags & CO_OPTIMIZED:  # the body of a class has not
                yield part
            yield from _functions(part)


def main() -> int:
    """Try the mutants of a part; 1 where one survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.mutants", description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--every", type=int, default=1, help="try one of so many")
    parser.add_argument("--begin", type=int, default=0, help="pass over so many")
    parser.add_argument("--only", default="", help="files whose path holds this")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for the tests of one mutant: more under load")
    options = parser.parse_args()
    files, tests = PARTS[options.part]
    found = [mutant for file in files for mutant in mutants_of(file, (ROOT / file).read_text("utf-8"))]
    chosen = [mutant for mutant in found[options.begin :: options.every] if options.only in mutant.file]
    tried = [mutant for mutant in chosen if (mutant.file, mutant.words) not in EQUAL]
    trials = Trials(options.part, tried, options.seconds)
    with tempfile.TemporaryDirectory() as folder:
        line = ["-q", "-s", "-m", "", "-p", "no:cacheprovider", "--timeout", "0", "--basetemp", f"{folder}/tests"]
        code = pytest.main([*line, *tests], plugins=[trials])
    if code != pytest.ExitCode.OK:
        return 2
    equal = len(chosen) - len(trials.mutants)
    say(f"{options.part}: {len(chosen)} of {len(found)} mutants, {equal} the same, {trials.alive} not noticed")
    return 1 if trials.alive else 0


if __name__ == "__main__":
    sys.exit(main())
