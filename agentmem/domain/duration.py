"""Lengths of time as people write them in files and options."""

from datetime import timedelta
from typing import Annotated, Final

from pydantic import BeforeValidator, TypeAdapter, ValidationError, WithJsonSchema

from agentmem import patterns as re
from agentmem.domain.bounds import MAX_SPAN

_ISO: Final = TypeAdapter(timedelta)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def _duration(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value.startswith("P"):  # as a persona is stored and handed out, ISO 8601
        try:
            return _ISO.validate_python(value)
        except ValidationError as error:
            raise ValueError("must be a duration such as 1d or P1D") from error
    number, unit = value[:-1], value[-1:]
    if unit not in _UNITS or not re.fullmatch(r"[0-9]{1,10}", number):
        raise ValueError("must be a whole number and one of s, m, h, d, w, such as 1d")
    try:
        return timedelta(**{_UNITS[unit]: int(number)})
    except OverflowError as error:
        raise ValueError(f"must be at most {MAX_SPAN.days}d") from error


Duration = Annotated[
    timedelta,
    BeforeValidator(_duration),
    WithJsonSchema({"type": "string", "pattern": r"^([0-9]+[smhdw]|P.+)$", "description": "Such as 12h or 1d."}),
]
