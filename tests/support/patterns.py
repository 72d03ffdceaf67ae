"""Every pattern of the library that reads text, and every word that stands in one."""

import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import cast

import agentmem
from tests.support.pumps import words_of


@cache
def every_pattern() -> tuple[tuple[str, int], ...]:
    """Each pattern with its flags, as the modules of the library make them when they are loaded anew."""
    made: dict[tuple[str, int], None] = {}
    for module in _modules():
        for value in cast("dict[str, object]", vars(module)).values():
            made.update(dict.fromkeys(_patterns(value)))
    return tuple(made)


@cache
def every_word() -> tuple[str, ...]:
    """Each word of two characters or more that stands in a pattern, in a settled order."""
    return tuple(sorted({word for pattern, flags in every_pattern() for word in words_of(pattern, flags)}))


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(agentmem.__path__, "agentmem."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
            yield sys.modules[found.name]


def _patterns(value: object) -> Iterator[tuple[str, int]]:
    """The patterns in a value of a module, also within tuples, lists and mappings."""
    if isinstance(value, re.Pattern):
        pattern = cast("re.Pattern[str] | re.Pattern[bytes]", value)
        if isinstance(pattern.pattern, str):
            yield pattern.pattern, pattern.flags & ~re.UNICODE
    elif isinstance(value, (tuple, list)):
        for item in cast("tuple[object, ...]", value):
            yield from _patterns(item)
    elif isinstance(value, dict):
        for item in cast("dict[object, object]", value).values():
            yield from _patterns(item)
