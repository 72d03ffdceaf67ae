"""From a model's answer to which new names mean which of the entities they were offered with."""

from collections import Counter
from collections.abc import Sequence

from agentmem.adapters.cognition.llm.answers import Json, Same, Unusable, items
from agentmem.ports.cognition import Doubt


def same_of(answer: Json, doubts: Sequence[Doubt], dropped: Counter[str]) -> dict[int, int]:
    """One entity per name at most. A number that was not offered with that name, or two entities for one name, merge
    nothing. Raises `Unusable` where nothing of what came could be read."""
    said, bad = items(answer, "same", Same)
    offered = {doubt.number: {each.number for each in doubt.candidates} for doubt in doubts}
    found: dict[int, int] = {}
    unclear: set[int] = set()
    for item in said:
        if item.entity not in offered.get(item.name, ()):
            dropped["entity"] += 1
        elif found.setdefault(item.name, item.entity) != item.entity:
            unclear.add(item.name)
    dropped["malformed"] += bad
    dropped["unclear"] += len(unclear)
    if bad and not said:
        raise Unusable("no pair of numbers of a name and an entity")
    return {name: entity for name, entity in found.items() if name not in unclear}
