"""Ports that count: everything is passed on, and what was called is remembered."""

from collections.abc import Callable, Mapping
from inspect import iscoroutinefunction
from typing import Any

Calls = list[tuple[str, Mapping[str, object]]]
"""What was called, by `port.method`, with the arguments given by name."""

PORTS = ("journal.ledger", "journal.events", "journal.registry")


class Counting:
    """Stands in for the port it wraps; the ports of a journal are counted by their own names."""

    def __init__(self, inner: object, name: str, calls: Calls) -> None:
        self._inner, self._name, self._calls = inner, name, calls

    def __getattr__(self, name: str) -> Any:
        held = getattr(self._inner, name)
        if f"{self._name}.{name}" in PORTS:
            return Counting(held, name, self._calls)
        return self._counted(name, held) if iscoroutinefunction(held) else held

    def _counted(self, name: str, held: Callable[..., Any]) -> Callable[..., Any]:
        async def call(*given: object, **named: object) -> object:
            self._calls.append((f"{self._name}.{name}", named))
            return await held(*given, **named)

        return call
