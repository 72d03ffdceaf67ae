"""What is wrong with a command line, told as it is told of anything that is given: where, what is wrong, what is
allowed. What typer says in other words than those known here stays as it is.
"""

from typing import Final

import typer

_WRONG: Final = "Invalid value for "
_MISSING: Final = ("Missing argument ", "Missing option ", "Missing parameter ")


def told(error: typer.TyperException, command: str) -> str:
    """The mistake in one line, and where to read on."""
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
