"""Every pattern of the library that reads text, and every word that stands in one."""

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import cast

import agentmem
from agentmem.patterns import Pattern
from tests.support.pumps import words_of


@cache
def every_pattern() -> tuple[Pattern, ...]:
    """The patterns that the modules of the library hold, in a settled order."""
    made: dict[str, Pattern] = {}
    for module in _modules():
        for value in cast("dict[str, object]", vars(module)).values():
            made.update((f"{each.pattern}\0{each.flags}", each) for each in _patterns(value))
    return tuple(made[key] for key in sorted(made))


@cache
def every_word() -> tuple[str, ...]:
    """Each word of two characters or more that stands in a pattern, in a settled order."""
    return tuple(sorted({word for each in every_pattern() for word in words_of(each.pattern, each.flags)}))


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(agentmem.__path__, "agentmem."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
            yield sys.modules[found.name]


def _patterns(value: object) -> Iterator[Pattern]:
    """The patterns in a value of a module, also within tuples, lists and mappings."""
    if isinstance(value, Pattern):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in cast("tuple[object, ...]", value):
            yield from _patterns(item)
    elif isinstance(value, dict):
        for item in cast("dict[object, object]", value).values():
            yield from _patterns(item)
