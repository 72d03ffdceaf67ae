"""Lines as they are typed, with the line editing and history of a terminal, or as they stand in a pipe."""

import asyncio
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from types import ModuleType

from agentmem.language.safe_text import safe_line

try:
    import readline as _editing
    import termios as _modes
except ImportError:  # not there on Windows, whose console edits lines by itself
    editing: ModuleType | None = None
    modes: ModuleType | None = None
else:
    editing, modes = _editing, _modes


def is_terminal() -> bool:
    """Whether somebody sits there."""
    return sys.stdin.isatty() and sys.stdout.isatty()


async def read_line(prompt: str, stop: asyncio.Event) -> str | None:
    """The next line; None at the end, or once `stop` is set. The history is that of this process: what people say is
    kept in the journal and nowhere else."""
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str | None] = loop.create_future()

    def read() -> None:
        found = read_at_once(prompt)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if line.done() else line.set_result(found))

    # A thread that waits for a key cannot be stopped; as a daemon it does not keep the program alive.
    threading.Thread(target=read, name="line input", daemon=True).start()
    stopping = asyncio.ensure_future(stop.wait())
    await asyncio.wait((line, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    return line.result() if line.done() else None


def read_at_once(prompt: str) -> str | None:
    """The next line, waited for; None at the end."""
    try:
        if is_terminal():
            return input(f"{safe_line(prompt)}> ")
        text = sys.stdin.readline()
    except (EOFError, OSError, UnicodeDecodeError):
        return None
    return text or None


@contextmanager
def terminal_restored() -> Generator[None]:
    """Leave the terminal as it was, also where a line was being edited when the program ended."""
    before = modes.tcgetattr(sys.stdin) if modes is not None and is_terminal() else None
    try:
        yield
    finally:
        if modes is not None and before is not None:
            modes.tcsetattr(sys.stdin, modes.TCSADRAIN, before)
