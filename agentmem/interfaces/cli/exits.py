"""Which error ends the program with which code, the one place that decides it; and what is wrong with a command line,
told as it is told of anything that is given."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import typer

from agentmem.errors import (
    AgentMemError,
    AlreadyThere,
    BackendUnavailable,
    BadAnswer,
    InternalError,
    InvalidInput,
    LeaseLost,
    NeedsRepair,
)

DONE, FAILED, USAGE, BAD_INPUT, UNAVAILABLE, NOT_FOUND = range(6)
INTERRUPTED, TERMINATED, BUG = 130, 143, 70


class Misuse(InvalidInput):
    """An argument of the command line is wrong, and no file."""


class Terminated(Exception):
    """SIGTERM ended an action that does not stop by itself."""


@contextmanager
def usage() -> Generator[None]:
    """What is invalid in here was typed on the command line."""
    try:
        yield
    except InvalidInput as error:
        raise Misuse(str(error)) from error


def exit_code(error: AgentMemError) -> int:
    """2 usage, 3 invalid file, 4 unavailable, held or to be repaired, 5 not found or not allowed, 70 our own fault."""
    from agentmem.runtime.configuration.config_layers import BadOverride

    match error:
        case Misuse() | BadOverride() | AlreadyThere():
            return USAGE
        case InvalidInput():
            return BAD_INPUT
        case BackendUnavailable() | NeedsRepair() | BadAnswer() | LeaseLost():
            return UNAVAILABLE
        case InternalError():
            return BUG
        case _:
            return NOT_FOUND


_WRONG: Final = "Invalid value for "
_MISSING: Final = ("Missing argument ", "Missing option ", "Missing parameter ")


def told(error: typer.TyperException, command: str) -> str:
    """The mistake in one line, and where to read on. What typer says in words unknown here stays as it is."""
    from pydantic import ValidationError

    from agentmem.domain.value import wording

    if isinstance(error.__cause__, ValidationError):
        error.message = wording(error.__cause__.errors(include_url=False)[0])
    return f"{_wrong(error.format_message().rstrip('. '))}; see `{command} --help`"


def _wrong(message: str) -> str:
    if message.startswith(_WRONG):
        place, _, wrong = message.removeprefix(_WRONG).partition(": ")
        value, _, choices = wrong.partition(" is not one of ")
        return f"{_plain(place)}: {value}" + (f"; allowed: {_plain(choices)}" if choices else "")
    if message.startswith(_MISSING):
        return f"{_plain(message.split(' ', 2)[2])}: is missing"
    return message


def _plain(text: str) -> str:
    return text.replace("'", "")
