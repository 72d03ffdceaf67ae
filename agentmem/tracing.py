"""Traces, through OpenTelemetry's API alone: what was done, how much of it and how long. Spans hold ids and counts, and
of an error its class: never a word that anybody said.

Nothing is loaded here. Whoever sets an SDK up in this process has loaded the API, which takes 40 ms; where nobody has,
nobody listens, and a span is nothing.
"""

import sys
from collections import OrderedDict
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from opentelemetry.trace import Span as ApiSpan

Fact = str | int | float | bool | None
Kind = Literal["INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"]

MAX_TRAIL: Final = 4_096
MAX_LINKS: Final = 64
_API: Final = "opentelemetry.trace"
_LENGTHS: Final = [2, 32, 16, 2]


class TraceSpan:
    """What is being done."""

    __slots__ = ("_inner",)

    def __init__(self, inner: "ApiSpan | None" = None) -> None:
        self._inner = inner

    def tell(self, **facts: Fact) -> None:
        """Note these of it. Two underscores in a name stand for a dot; None tells nothing."""
        if self._inner is not None:
            self._inner.set_attributes(_attributes(facts))

    def call(self, name: str) -> None:
        """Give it another name, where that is known late."""
        if self._inner is not None:
            self._inner.update_name(name)

    def fail(self, kind: str) -> None:
        """It came to nothing, for a reason of this class."""
        if self._inner is not None:
            api = sys.modules[_API]
            self._inner.set_attribute("error.type", kind)
            self._inner.set_status(api.Status(api.StatusCode.ERROR))


_NOTHING: Final = TraceSpan()


@contextmanager
def span(
    name: str, kind: Kind = "INTERNAL", *, causes: Sequence[str | None] = (), current: bool = True, **facts: Fact
) -> Generator[TraceSpan]:
    """Something is done while the body runs; what is done in it is part of it. Of `causes`, as `traceparent` tells
    them, it is part of the last, and linked to the others. Not `current`, nothing is part of it: for what is done in
    pieces, with others in between."""
    api = _api()
    if api is None:
        yield _NOTHING
        return
    before = [each for each in map(_remote, dict.fromkeys(causes)) if each is not None]
    inner = api.get_tracer("agentmem").start_span(
        name,
        context=api.set_span_in_context(api.NonRecordingSpan(before[-1])) if before else None,
        kind=getattr(api.SpanKind, kind),
        attributes=_attributes(facts),
        links=[api.Link(each) for each in before[-MAX_LINKS:-1]],
    )
    made = TraceSpan(inner)
    try:
        if current:
            with api.use_span(inner, record_exception=False, set_status_on_exception=False):
                yield made
        else:
            yield made
    except Exception as error:
        made.fail(type(error).__name__)  # its words may be somebody's
        raise
    finally:
        inner.end()


def traceparent() -> str | None:
    """What is being done, as others are told of it (W3C Trace Context); None where nobody listens."""
    api = _api()
    if api is None:
        return None
    held = api.get_current_span().get_span_context()
    return f"00-{held.trace_id:032x}-{held.span_id:016x}-{held.trace_flags:02x}" if held.is_valid else None


class SpanTrail:
    """What was done last, by what it was done to, so that what is done to that later is linked to it."""

    def __init__(self) -> None:
        self._left: OrderedDict[str, str] = OrderedDict()

    def leave(self, keys: Iterable[str]) -> None:
        """These were dealt with in what is being done."""
        now = traceparent()
        if now is not None:
            for key in keys:
                self._left[key] = now
            while len(self._left) > MAX_TRAIL:
                self._left.popitem(last=False)

    def of(self, keys: Iterable[str]) -> list[str]:
        """In what these were dealt with."""
        return [found for key in keys if (found := self._left.get(key)) is not None] if self._left else []


COMMITTED: Final = SpanTrail()
"""Memories, by id, and in what they were committed in this process."""


def _api() -> ModuleType | None:
    """The API, where somebody set an SDK up behind it."""
    api = sys.modules.get(_API)
    return None if api is None or isinstance(api.get_tracer_provider(), api.ProxyTracerProvider) else api


def _remote(told: str | None) -> Any:
    """What somebody else does; None for what tells of nothing."""
    if told is None:
        return None
    parts = told.split("-")
    if [*map(len, parts)] != _LENGTHS or parts[0] != "00" or not set(told) <= set("0123456789abcdef-"):
        return None
    api = sys.modules[_API]
    made = api.SpanContext(int(parts[1], 16), int(parts[2], 16), True, api.TraceFlags(int(parts[3], 16)))
    return made if made.is_valid else None


def _attributes(facts: dict[str, Fact]) -> dict[str, Any]:
    return {name.replace("__", "."): value for name, value in facts.items() if value is not None}
