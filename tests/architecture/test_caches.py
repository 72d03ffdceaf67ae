"""Every cache has a bound that is written beside it, and what is remembered of texts is bounded in bytes."""

import ast
import gc
from collections.abc import Iterator
from functools import _lru_cache_wrapper  # pyright: ignore[reportPrivateUsage] - the type has no public name
from pathlib import Path
from typing import Any, cast

import pytest

from agentmem.domain.event import EVENTS
from agentmem.language.normal import normalise
from agentmem.language.polarity import parted
from agentmem.language.tokens import terms
from tests.architecture.test_house import ROOT, sources
from tests.support.heap import living
from tests.support.nodes import a_turn

MAX_ENTRIES = 65_536
WITHOUT_BOUND = {
    "agentmem/adapters/journal/event_log.py": "four statements, by two yes-or-no questions",
    "agentmem/runtime/facade/entrance.py": "one entry for each public operation, as many as are written",
}
"""Files with a cache that has no bound but what it is asked for, and why that is few."""

OF_ONE_TEXT = {
    "agentmem.patterns.text.read",
    "agentmem.patterns.linear._reading",
    "agentmem.patterns.compile",
}
"""Patterns are as long as we write them. What reads one text in linear time, pattern by pattern and place by place,
holds on to it between two of them: the last 4 texts, and the last 256 readings of a text by a pattern."""


def caches(path: Path) -> Iterator[tuple[int, str, int | None]]:
    """Line, name and stated bound of each cache a file makes."""
    text = path.read_text()
    for node in ast.walk(ast.parse(text)) if "cache" in text else ():
        if isinstance(node, ast.Call):
            used: list[tuple[ast.expr, ast.Call | None]] = [(node.func, node)]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            used = [(each, None) for each in node.decorator_list if not isinstance(each, ast.Call)]
        else:
            continue
        for function, call in used:
            if isinstance(function, ast.Name) and function.id in ("lru_cache", "cache", "bounded_cache"):
                yield function.lineno, function.id, _bound(call)


def _bound(call: ast.Call | None) -> int | None:
    given = [] if call is None else [*call.args, *(word.value for word in call.keywords if word.arg == "maxsize")]
    return next((each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, int)), None)


def test_every_cache_states_a_bound() -> None:
    left_out = {*WITHOUT_BOUND, "agentmem/bounded_cache.py"}
    unbounded = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in sources()
        if path.relative_to(ROOT).as_posix() not in left_out
        for line, name, bound in caches(path)
        if bound is None or not 0 < bound <= MAX_ENTRIES
    ]
    assert unbounded == []


@pytest.mark.thorough
def test_no_cache_holds_on_to_long_texts() -> None:
    """What is remembered of 30 long texts, and of 30 made of one long word, is nothing of them."""
    long = [f"{number} " + "喜欢跑步 likes tea, " * 2_000 for number in range(30)]
    words = [f"{number}" + "x" * 40_000 for number in range(30)]
    for text in (*long, *words):
        normalise(text)
        parted(text)
        terms(text)
        EVENTS.validate_json(a_turn(text).model_dump_json())
    held = {name: size for name, size in _held() if size > 4_100 and name not in OF_ONE_TEXT}
    assert held == {}


def _held() -> Iterator[tuple[str, int]]:
    """Each cache of the product with the length of the longest text among its keys."""
    wrappers: list[Any] = [each for each in living() if isinstance(each, _lru_cache_wrapper)]
    for wrapper in wrappers:
        if str(wrapper.__module__).startswith("agentmem"):
            yield f"{wrapper.__module__}.{wrapper.__qualname__}", max(_texts(wrapper), default=0)


def _texts(wrapper: Any) -> Iterator[int]:
    for inside in gc.get_referents(wrapper):
        for key in cast("dict[object, object]", inside) if isinstance(inside, dict) else ():
            parts = cast("tuple[object, ...]", key) if isinstance(key, tuple) else (key,)
            yield from (len(part) for part in parts if isinstance(part, str))
