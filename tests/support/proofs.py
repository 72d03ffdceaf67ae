"""`python -m tests.support.proofs` writes `agentmem/patterns/proved.json` anew, for all patterns of the library."""

import importlib
import pkgutil
from functools import cache

import agentmem
from agentmem.patterns import Pattern
from agentmem.patterns.proved import write
from tests.support.heap import living


@cache
def held() -> tuple[tuple[str, int], ...]:
    """All patterns that are held anywhere once every module is loaded, each with its flags."""
    for found in pkgutil.walk_packages(agentmem.__path__, "agentmem."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    return tuple(sorted({(each.pattern, each.flags) for each in living() if isinstance(each, Pattern)}))


if __name__ == "__main__":
    write(held())
