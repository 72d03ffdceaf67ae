"""From a model's answer to one score for each passage it was offered."""

from typing import Final

from agentmem.adapters.cognition.llm.answers import Json, Ranked, Unusable, items

BEST: Final = 10


def scores_of(answer: Json, passages: int) -> list[float]:
    """The score of each passage from 1 to `passages`. Raises `Unusable` where one has none, two, or one out of range,
    and where a passage was not offered."""
    ranked, bad = items(answer, "scores", Ranked)
    if bad:
        raise Unusable(f"{bad} scores were not of the form passage, score")
    found: dict[int, float] = {}
    for item in ranked:
        if not 1 <= item.passage <= passages:
            raise Unusable(f"there is no passage {item.passage}")
        if not 0 <= item.score <= BEST:
            raise Unusable(f"the score of passage {item.passage} is not between 0 and {BEST}")
        if found.setdefault(item.passage, item.score) != item.score:
            raise Unusable(f"passage {item.passage} has two scores")
    if missing := [number for number in range(1, passages + 1) if number not in found]:
        raise Unusable(f"no score for passage {missing[0]}")
    return [found[number] for number in range(1, passages + 1)]
