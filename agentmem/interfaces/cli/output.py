"""What the command line prints: one answer on stdout, everything else on stderr.

Consoles read no markup and no emoji codes, and every text from outside goes through `words`.
"""

import json
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO

from rich.console import Console, ConsoleRenderable
from rich.text import Text

from agentmem.language.safe_text import safe_json, safe_line, safe_text

Data = Mapping[str, object] | Sequence[object]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command found: `data` for `--json`, `shown` for people, and the exit code.

    `text` instead of `shown` is for another program to read on: its lines are not fitted to the terminal.
    """

    data: Data
    shown: Sequence[ConsoleRenderable] = ()
    code: int = 0
    text: str | None = None


def words(text: object, style: str = "") -> Text:
    """Text from outside, harmless and as it is."""
    return Text(safe_text(str(text)), style=style)


def to_copy(text: str) -> Text:
    """A line with a command to be copied: only the terminal itself breaks it."""
    return Text(safe_text(text), style="dim", no_wrap=True)


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """A console that prints what it is given."""
    return _Console(stderr=stderr, markup=False, emoji=False, highlight=False, soft_wrap=False)


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where answers and progress go."""

    as_json: bool
    out: Console = field(default_factory=console)
    err: Console = field(default_factory=lambda: console(stderr=True))

    @property
    def lively(self) -> bool:
        """Whether what is being done can be shown while it is done."""
        return self.err.is_terminal and not self.as_json

    def print(self, answer: Answer) -> None:
        """Print the answer."""
        if self.as_json:
            print_json(answer.data, self.out.file)
        elif answer.text is not None:
            self.out.file.write(safe_text(answer.text) + "\n")
            self.out.file.flush()
        else:
            for shown in answer.shown:
                self.out.print(shown, soft_wrap=isinstance(shown, Text) and shown.no_wrap is True)

    def note(self, text: str) -> None:
        """Tell something that is not part of the answer."""
        self.err.print(words(text, "dim"), soft_wrap=True)

    def report(self, kind: str, message: str) -> None:
        """Tell what went wrong: in one line and, with `--json`, as an object in the place of the answer."""
        line = safe_line(message)
        self.err.file.write(f"agentmem: {line}\n")
        if self.as_json:
            print_json({"error": {"kind": kind, "message": line}}, self.out.file)

    @contextmanager
    def busy(self, doing: str) -> Generator[Callable[[str], None]]:
        """A spinner while the body runs; the callable says what is being done now."""
        if not self.lively:
            yield lambda _: None
            return
        with self.err.status(words(doing)) as status:
            yield lambda text: status.update(words(text))

    @contextmanager
    def counted(self, doing: str) -> Generator[Callable[[int, int], None]]:
        """A bar while the body runs, told how many are done of how many."""
        if not self.lively:
            yield lambda _done, _total: None
            return
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
        )

        columns = (SpinnerColumn(), TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=self.err, transient=True) as progress:
            task = progress.add_task(doing, total=None)
            yield lambda done, total: progress.update(task, completed=done, total=total)


def print_json(data: Data, file: IO[str] | None = None) -> None:
    """One JSON value on stdout, or in this file."""
    target = file or sys.stdout
    target.write(safe_json(json.dumps(data, ensure_ascii=False, allow_nan=False)) + "\n")
    target.flush()


def report_error(kind: str, message: str, *, as_json: bool) -> None:
    """One line on stderr and, with `--json`, an error object on stdout."""
    Terminal(as_json).report(kind, message)
