"""The shapes a model answers in, and what is read of them.

Schemas are written by hand: a generated one takes three times the tokens. Items are validated one by one, so that one
bad item costs only itself; keys nobody asked for are not read, so nothing in them can set an id, a trust or a tenant.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeVar, cast, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, StrictBool, ValidationError

from agentmem import patterns as re
from agentmem.domain.statement import Related

Json = dict[str, Any]
"""An answer as it came, before any check."""

MAX_ITEMS: Final = 100
"""Items of one kind that are looked at at all."""


class Unusable(Exception):
    """The answer cannot be used as a whole. `reason` is one of `REASONS` in the prompts of each language, which goes
    back to the model with what is `given` put in."""

    def __init__(self, reason: str, **given: object) -> None:
        super().__init__(
            f"{reason}: {', '.join(f'{name} {value}' for name, value in given.items())}" if given else reason
        )
        self.reason, self.given = reason, given


def _blank(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) and value.strip() else value or []


def _whole(value: object) -> object:
    listed = cast(list[object], value) if isinstance(value, list) else [value]
    return tuple(item for item in listed[:MAX_ITEMS] if isinstance(item, int) and not isinstance(item, bool))


_Optional = Annotated[str | None, BeforeValidator(_blank)]
_Numbers = Annotated[tuple[int, ...], BeforeValidator(_whole)]


class _Item(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, hide_input_in_errors=True)


class SaidAnswer(_Item):
    """One statement with the words it rests on, and the numbers of held ones that it replaces or adds to; turn
    `until_turn` of the same window changes or ends it again."""

    text: str
    turn: int
    quote: str
    mode: Literal["stated", "inferred", "maybe", "denied"] = "stated"
    until_turn: _Numbers = ()
    since: _Optional = None
    until: _Optional = None
    about: _Optional = None
    attr: _Optional = None
    value: _Optional = None
    keys: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    asked_with: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    importance: object = None
    relation: _Optional = None
    insight: bool = False
    replaces: _Numbers = ()
    adds_to: _Numbers = ()


class EndedAnswer(_Item):
    """A held statement that is not true any more, as turn `turn` shows, or is so up to a later day; no turn where its
    day has passed. `says` are words of it, by which a slip in the number shows."""

    held: int
    says: _Optional = None
    turn: int | None = None
    until: _Optional = None


class Named(_Item):
    """Another name of the person."""

    turn: int
    name: str


class Decided(_Item):
    """The decision about one pair."""

    pair: int
    verdict: Related


class Deeper(_Item):
    """One insight and the numbers of the observations it rests on."""

    attr: str
    value: str
    text: str
    sources: tuple[int, ...]
    importance: object = None


class Reviewed(_Item):
    """Whether a doubtful memory stands, and the numbers of the observations it stands on."""

    doubt: int
    stands: StrictBool
    sources: tuple[int, ...] = ()


class ToldAnswer(_Item):
    """A thing, and one sentence about it."""

    name: str
    summary: str


class RelatedAnswer(_Item):
    """One statement that relates things, and the words that say so."""

    source: str
    rel: str
    target: str
    quote: str = ""
    others: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()


class RankedAnswer(_Item):
    """How well one passage answers the question, from 0 to 10."""

    passage: int
    score: float


class SameAnswer(_Item):
    """The known entity that one new name means."""

    name: int
    entity: int


ItemT = TypeVar("ItemT", bound=_Item)


def items(answer: Json, key: str, kind: type[ItemT]) -> tuple[list[ItemT], int]:
    """The well-formed items under `key` and the number of the others. Raises `Unusable` for too many or no list."""
    raw = answer.get(key, [])
    if not isinstance(raw, list):
        raise Unusable("list", key=key)
    listed = cast(list[object], raw)
    if len(listed) > MAX_ITEMS:
        raise Unusable("many", key=key, count=len(listed), most=MAX_ITEMS)
    good: list[ItemT] = []
    for item in listed:
        try:
            good.append(kind.model_validate(item))
        except (ValidationError, RecursionError):
            continue
    return good, len(listed) - len(good)


def numbers(answer: Json, key: str) -> list[int]:
    """The whole numbers under `key`."""
    raw = answer.get(key, [])
    listed = cast(list[object], raw) if isinstance(raw, list) else []
    return [item for item in listed[:MAX_ITEMS] if isinstance(item, int) and not isinstance(item, bool)]


def texts(answer: Json, key: str) -> list[str]:
    """The texts under `key` that show something, without outer blanks."""
    raw = answer.get(key, [])
    listed = cast(list[object], raw) if isinstance(raw, list) else []
    return [item.strip() for item in listed[:MAX_ITEMS] if isinstance(item, str) and item.strip()]


def importance_of(value: object, default: int) -> int:
    """An importance from 0 to 9, or the default where it is none."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 9:
        return int(value)
    return default


def from_text(text: str, keys: Sequence[str]) -> Json:
    """JSON out of a plain answer: fenced, with a word before or after it, or with trailing commas.

    A bare list is taken as the first of `keys`. Raises `Unusable` where there is none.
    """
    start = min((place for place in (text.find("{"), text.find("[")) if place >= 0), default=-1)
    end = max(text.rfind("}"), text.rfind("]")) + 1
    if start < 0 or end <= start:
        raise Unusable("json")
    body = text[start:end]
    for candidate in (body, re.sub(r",(\s*[}\]])", re.filled(r"\1"), body)):
        try:
            return shaped(json.loads(candidate), keys)
        except (ValueError, RecursionError):
            continue
    raise Unusable("json")


def shaped(answer: object, keys: Sequence[str]) -> Json:
    """The answer as an object with at least one of `keys`. Raises `Unusable` for any other shape."""
    found: Mapping[str, object] = {}
    if isinstance(answer, list):
        found = {keys[0]: cast(object, answer)}
    elif isinstance(answer, Mapping):
        found = cast(Mapping[str, object], answer)
    if not any(key in found for key in keys):
        raise Unusable("object", keys=", ".join(keys))
    return {key: found[key] for key in keys if key in found}


_TEXT: Final = {"type": "string"}
_INT: Final = {"type": "integer"}


def _object(required: Sequence[str], **properties: object) -> Json:
    return {"type": "object", "properties": properties, "required": list(required)}


def _list(item: object) -> Json:
    return {"type": "array", "items": item}


@dataclass(frozen=True, slots=True)
class Task:
    """What an answer is called and holds: the keys that are read, the likeliest first, and the schema sent with the
    question."""

    name: str
    keys: tuple[str, ...]
    schema: Json


def _task(name: str, required: Sequence[str] = (), **properties: object) -> Task:
    """All of the properties are required, unless some are named."""
    return Task(name, tuple(properties), _object(required or tuple(properties), **properties))


_SAID: Final[Mapping[str, object]] = {
    "text": _TEXT,
    "turn": _INT,
    "quote": _TEXT,
    "mode": {"enum": ["stated", "inferred", "maybe", "denied"]},
    "until_turn": _INT,
    "since": _TEXT,
    "until": _TEXT,
    "about": _TEXT,
    "attr": _TEXT,
    "value": _TEXT,
    "keys": _list(_TEXT),
    "asked_with": _list(_TEXT),
    "importance": _INT,
    "relation": _TEXT,
    "insight": {"type": "boolean"},
}
_COMPARED: Final[Mapping[str, object]] = {name: _list(_INT) for name in ("replaces", "adds_to")}
_NAMED: Final[Mapping[str, object]] = {
    "names": _list(_object(["turn", "name"], turn=_INT, name=_TEXT)),
    "rejected": _list(_INT),
}
_REFLECTED: Final[Mapping[str, object]] = {
    "insights": _list(
        _object(
            ["attr", "value", "text", "sources"],
            attr=_TEXT,
            value=_TEXT,
            text=_TEXT,
            sources=_list(_INT),
            importance=_INT,
        )
    ),
    "insights_over": _list(_INT),
    "observations_over": _list(_INT),
}


def _facts(**properties: object) -> Json:
    return _list(_object(["text", "turn", "quote", "mode"], **properties))


TASKS: Final[Mapping[str, Task]] = {
    "read": _task("read", ["facts"], facts=_facts(**_SAID), **_NAMED),
    "read_held": _task(
        "read",
        ["no_longer_true", "still_true", "facts"],
        no_longer_true=_list(_object(["held", "says"], held=_INT, says=_TEXT, turn=_INT, until=_TEXT)),
        still_true=_list(_INT),
        facts=_facts(**_SAID, **_COMPARED),
        **_NAMED,
    ),
    "judge": _task(
        "judge",
        verdicts=_list(
            _object(
                ["pair", "verdict"],
                pair=_INT,
                verdict={"enum": list(get_args(Related))},
            )
        ),
    ),
    "reflect": _task("reflect", ["insights"], **_REFLECTED),
    "reflect_doubts": _task(
        "reflect",
        ["insights", "doubts"],
        **_REFLECTED,
        doubts=_list(_object(["doubt", "stands"], doubt=_INT, stands={"type": "boolean"}, sources=_list(_INT))),
    ),
    "rank": _task("rank", scores=_list(_object(["passage", "score"], passage=_INT, score={"type": "number"}))),
    "resolve": _task("resolve", same=_list(_object(["name", "entity"], name=_INT, entity=_INT))),
    "answer": _task("answer", answer=_TEXT, passages=_list(_INT)),
    "split": _task("split", questions=_list(_TEXT)),
    "summary": _task("summary", summary=_TEXT),
    "extract": _task(
        "extract",
        entities=_list(_object(["name", "summary"], name=_TEXT, summary=_TEXT)),
        relations=_list(
            _object(
                ["source", "rel", "target", "quote"],
                source=_TEXT,
                rel=_TEXT,
                target=_TEXT,
                quote=_TEXT,
                others=_list(_TEXT),
            )
        ),
    ),
}
