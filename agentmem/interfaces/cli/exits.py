"""Which error ends the program with which code; the one place that decides it."""

from collections.abc import Generator
from contextlib import contextmanager

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
