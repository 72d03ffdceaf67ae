"""`python -m tests.soak.mutants PART [--every N]`: whether the tests notice when one guard is taken away.

In a copy of the repository one comparison, condition or negation at a time is turned around in the files of a part, and
the tests of that part are run. A mutant that no test notices is printed; the exit code is 1 where there are any. What
makes no difference that anybody could see is told apart by whoever reads the list.
"""

import argparse
import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, ignore_patterns

from tests.support.say import say

ROOT = Path(__file__).parents[2]
SECONDS = 300

PARTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "access": (
        ("agentmem/runtime/facade/access.py", "agentmem/runtime/facade/showing.py", "agentmem/domain/scope.py"),
        (
            *("tests/attacks/test_isolation.py", "tests/attacks/test_returns.py", "tests/attacks/test_revocation.py"),
            *("tests/architecture/test_access.py", "tests/architecture/test_guards.py"),
            *("tests/attacks/test_handed_out.py", "tests/attacks/test_talks.py", "tests/unit/domain"),
        ),
    ),
    "values": (
        ("agentmem/domain/bounds.py", "agentmem/domain/value.py", "agentmem/runtime/facade/entrance.py"),
        ("tests/unit/domain", "tests/attacks/test_entrances.py", "tests/integration/test_poison.py"),
    ),
    "forgetting": (
        (
            *("agentmem/memory/forget.py", "agentmem/memory/forget_plan.py", "agentmem/memory/repeated.py"),
            *("agentmem/memory/cuts.py", "agentmem/memory/wish.py", "agentmem/memory/support.py"),
        ),
        (
            *("tests/integration/test_forget.py", "tests/unit/memory", "tests/attacks/test_forgotten.py"),
            *("tests/integration/test_asked_to_forget.py", "tests/integration/test_erase_copies.py"),
            *("tests/integration/test_forget_ahead.py", "tests/integration/test_forgot_before.py"),
        ),
    ),
}
"""The files whose guards are turned around, and the tests that must notice."""

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
    """Characters `start` to `end` of a file say something else."""

    file: str
    line: int
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
            yield Mutant(file, part.lineno, start, end, words)


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


def survives(root: Path, mutant: Mutant, tests: tuple[str, ...]) -> bool:
    """Whether the tests pass with the mutant in the copy at `root`."""
    file = root / mutant.file
    text = file.read_text("utf-8")
    file.write_text(mutant.in_text(text), "utf-8")
    path = os.pathsep.join(str(root / folder) for folder in (".", "workers", "evals"))
    line = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--timeout", str(SECONDS), *tests]
    try:
        ran = subprocess.run(
            line, cwd=root, env={**os.environ, "PYTHONPATH": path}, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    finally:
        file.write_text(text, "utf-8")
    return ran.returncode == 0


def main() -> int:
    """Try the mutants of a part; 1 where one survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.mutants", description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--every", type=int, default=1, help="try one of so many")
    parser.add_argument("--begin", type=int, default=0, help="pass over so many")
    options = parser.parse_args()
    files, tests = PARTS[options.part]
    found = [mutant for file in files for mutant in mutants_of(file, (ROOT / file).read_text("utf-8"))]
    chosen = found[options.begin :: options.every]
    alive = 0
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "copy"
        copytree(ROOT, root, ignore=ignore_patterns(".git", ".venv*", "__pycache__", ".agentmem"))
        if not survives(root, Mutant(files[0], 0, 0, 0, ""), tests):
            say(f"{options.part}: the tests fail as they are, so they tell nothing")
            return 2
        for mutant in chosen:
            if survives(root, mutant, tests):
                alive += 1
                say(f"not noticed: {mutant.file}:{mutant.line} becomes {mutant.words}")
    say(f"{options.part}: {len(chosen)} of {len(found)} mutants, {alive} not noticed")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
