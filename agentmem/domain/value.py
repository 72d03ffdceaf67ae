"""The base of all values that cross a boundary: frozen, validated, camelCase on the wire, and within bounds;
lengths of time as people write them in files and options; and the names under which agentmem itself keeps something
with turns and memories, which nobody else sets."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Annotated, Any, Final, Self, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    JsonValue,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from agentmem import patterns as re
from agentmem.domain.bounds import (
    MAX_DOCUMENT,
    MAX_INT,
    MAX_ITEMS,
    MAX_META,
    MAX_SPAN,
    MAX_TIME,
    MIN_INT,
    MIN_TIME,
    TIMES,
    json_fault,
    text_fault,
)
from agentmem.errors import InvalidInput

__all__ = [
    "ASKED_WITH",
    "CORRECTED",
    "RESERVED",
    "Checked",
    "Duration",
    "JsonObject",
    "JsonValue",
    "Kept",
    "Value",
    "asked_with",
    "check_unreserved",
    "invalid",
    "wording",
]

_MINUTE: Final = timedelta(minutes=1)
_LEFT_ALONE: Final = frozenset({"metadata", "serialization", "config", "default", "ref", "expected", "function"})
_BOUNDS: Final[Mapping[str, Mapping[str, object]]] = {
    "str": {"max_length": MAX_DOCUMENT},
    "int": {"ge": MIN_INT, "le": MAX_INT, "strict": True},
    "float": {"allow_inf_nan": False, "strict": True},
    "datetime": {"ge": MIN_TIME, "le": MAX_TIME},
    "timedelta": {"ge": timedelta(0), "le": MAX_SPAN},
    "list": {"max_length": MAX_ITEMS},
    "tuple": {"max_length": MAX_ITEMS},
    "dict": {"max_length": MAX_ITEMS},
}


def _bounded(schema: Any, owner: type[BaseModel]) -> Any:
    """The schema, with whatever it leaves open bounded. Other values in it that are `Checked` are so already."""
    if isinstance(schema, list | tuple):  # an alternative and its label are a tuple
        parts = [_bounded(part, owner) for part in cast("Sequence[Any]", schema)]
        return parts if isinstance(schema, list) else tuple(parts)
    if not isinstance(schema, dict):
        return schema
    known = cast("dict[str, Any]", schema)
    kind = known.get("type")
    if not isinstance(kind, str):  # fields or alternatives by name, whatever those are called
        return {name: _bounded(part, owner) for name, part in known.items()}
    if kind == "model" and known["cls"] is not owner and issubclass(known["cls"], Checked):
        return known
    found = {name: part if name in _LEFT_ALONE else _bounded(part, owner) for name, part in known.items()}
    for name, bound in _BOUNDS.get(kind, {}).items():
        found.setdefault(name, bound)
    if kind == "str" and "pattern" not in found:
        return core_schema.no_info_after_validator_function(_whole, cast(CoreSchema, found))
    if kind == "datetime":
        return core_schema.no_info_after_validator_function(_writable, cast(CoreSchema, found))
    return found


def _whole(text: str) -> str:
    if "\x00" in text:
        raise ValueError(text_fault(text))
    return text


def _writable(moment: datetime) -> datetime:
    """The same moment at an offset of whole minutes, as JSON has it; zones of long ago and of programs have others."""
    offset = moment.utcoffset()
    if offset is None or not offset % _MINUTE:
        return moment
    return moment.astimezone(timezone(int(offset / _MINUTE) * _MINUTE))


def _kept(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if fault := json_fault(value, MAX_META):
        raise ValueError(fault)
    return value


def _stored(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if fault := json_fault(value):
        raise ValueError(fault)
    return value


Kept = Annotated[dict[str, JsonValue], AfterValidator(_kept)]
"""What somebody has kept with a turn: JSON of at most `MAX_META` characters."""

JsonObject = Annotated[dict[str, JsonValue], AfterValidator(_stored)]
"""What is kept with a memory, by us and by others."""


class _Refusing(type(BaseModel)):
    """Makes of pydantic's complaint one of ours, so that nobody who makes a value has to know of pydantic."""

    if not TYPE_CHECKING:

        def __call__(cls, *given, **named):
            try:
                return super().__call__(*given, **named)
            except ValidationError as error:
                raise invalid(error) from None
            except (ArithmeticError, RecursionError) as error:  # a stranger's value that fails to say what it is
                raise InvalidInput(f"holds a value that cannot be read: {type(error).__name__}") from error


class Checked(BaseModel, metaclass=_Refusing):
    """A value whose fields are within bounds, whatever they are declared as; see `domain.bounds`. Made by its class, it
    raises `InvalidInput`; read by `model_validate`, pydantic's own error, which tells where in a file something is."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        """Bounds for what the fields leave open."""
        return cast(CoreSchema, _bounded(handler(source), source))

    def revised(self, **changes: object) -> Self:
        """A validated copy with some fields changed (Python names). Raises `InvalidInput`."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**fields, **changes})


class Value(Checked):
    """A frozen value. Unknown keys are refused; Python and wire names are both accepted."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
    )


def invalid(error: ValidationError, about: str = "") -> InvalidInput:
    """The first complaint on one line, after `about`, which names whatever it is in."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part)[:60] for part in first["loc"])
    return InvalidInput(": ".join(filter(None, (about, place, wording(first)))))


def wording(problem: ErrorDetails) -> str:
    """What is wrong, in words."""
    kind, context = problem["type"], problem.get("ctx", {})
    limit = context.get("ge", context.get("le"))
    if kind == "value_error":
        return str(context["error"])
    if limit in (MIN_INT, MAX_INT):
        return "must be a whole number that fits 64 bits"
    if isinstance(limit, str) and limit[:10] in _FARTHEST:
        return f"must be a time {TIMES}"
    if kind in ("string_too_short", "too_short") and context.get("min_length") == 1:
        return "must not be empty"
    if kind in _WORDING:
        return _WORDING[kind].format_map({name: _short(value) for name, value in context.items()})
    return problem["msg"].replace("Input should", "should", 1)


def _short(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


_A_TIME: Final = "must be a date and time such as 2024-12-26T10:00:00+08:00"
_WORDING: Final[Mapping[str, str]] = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_type": "must be text",
    "string_unicode": "holds half a surrogate pair: it is not valid text",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must be of the form {pattern}",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "path_type": "must be the path of a file or folder",
    "literal_error": "must be one of {expected}",
    "enum": "must be one of {expected}",
    "union_tag_invalid": "unknown {discriminator} '{tag}'; allowed: {expected_tags}",
    "union_tag_not_found": "needs {discriminator}, which says what it is",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be {ge} or more",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be {le} or less",
    "datetime_type": _A_TIME,
    "datetime_parsing": _A_TIME,
    "datetime_from_date_parsing": _A_TIME,
    "timezone_aware": "needs a UTC offset, as in 2024-12-26T10:00:00+08:00",
    "invalid-json-value": "holds what is no JSON",
}
_FARTHEST: Final = {f"{moment:%Y-%m-%d}" for moment in (MIN_TIME, MAX_TIME)}


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


ASKED_WITH: Final = "askedWith"
"""Under which name a memory has the words that somebody would ask for it with."""

CORRECTED: Final = "corrected"
"""Under which name a memory has that somebody gave it other words by hand."""

_WHOSE: Final = ("user_id", "agent_id", "run_id", "tenant", "userId", "title")
_OF_TURNS: Final = ("role", "turnIndex", "claimedAt", "note")
_OF_MEMORIES: Final = ("mentions", "toldIn", "judged", "history", "lineage", "people", ASKED_WITH, CORRECTED)
_OF_DOCUMENTS: Final = ("assetId", "assetVersion", "heading")
_OF_ENTITIES: Final = ("kinds", "spoke", "talkedTo", "mergedBy", "counted", "toldBy", "apart")

RESERVED: Final = frozenset({*_WHOSE, *_OF_TURNS, *_OF_MEMORIES, *_OF_DOCUMENTS, *_OF_ENTITIES})
"""Names in `meta` and `meta_data` that our own code reads as what it wrote itself. The stretches of a turn in which an
agent only repeats (`echoes`) a framework may tell too: they make nothing."""


def asked_with(meta: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """The words that somebody would ask with for a memory which has these metadata."""
    words = meta.get(ASKED_WITH)
    return tuple(word for word in words if isinstance(word, str)) if isinstance(words, list) else ()


def check_unreserved(field: str, names: Iterable[str]) -> None:
    """Raise `InvalidInput` for a name that is ours."""
    for name in names:
        if name in RESERVED:
            raise InvalidInput(f"{field}.{name}: is set by agentmem and cannot be given")
