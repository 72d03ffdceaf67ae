"""Label propagation: nodes of a weighted graph that hang together more with one another than with the rest.

Each node in turn takes the label that weighs most among its neighbours and keeps its own where no other weighs more, so
what lies within communities only ever grows and the rounds come to an end. A community that is full takes nobody in: a
dense graph falls apart into several, and none is so large that every fact costs a long list of members. The order of
the turns comes from a seed and the nodes' names: the same graph, in whatever order it is given, falls apart in the same
way.
"""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Final

Links = Mapping[str, Mapping[str, float]]
"""For each node its neighbours with weights above 0, the same from both ends."""

ROUNDS: Final = 100
"""At most; a graph of 20,000 nodes was seen to rest after 5 to 11."""


LARGEST: Final = 200
"""Members of a community at most."""


def propagate(links: Links, *, seed: str, rounds: int = ROUNDS, largest: int = LARGEST) -> dict[str, str]:
    """The label of each node: the name of one node of its community. A node without neighbours has its own."""
    order = sorted(links, key=lambda node: (_turn(seed, node), node))
    place = {node: number for number, node in enumerate(order)}
    beside = [sorted((place[other], weight) for other, weight in links[node].items()) for node in order]
    labels, sizes = list(range(len(order))), [1] * len(order)
    for _ in range(rounds):
        if not _one_round(labels, sizes, beside, largest):
            break
    return {node: order[labels[number]] for number, node in enumerate(order)}


def groups(labels: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The nodes of each label in the order of their names, the groups by their first node."""
    found: dict[str, list[str]] = {}
    for node in sorted(labels):
        found.setdefault(labels[node], []).append(node)
    return [tuple(nodes) for nodes in found.values()]


def plurality(weighed: Iterable[tuple[str, float]]) -> str | None:
    """The label with the largest sum of weights, the least by name of equal ones; None where there is none."""
    sums: dict[str, float] = {}
    for label, weight in sorted(weighed):
        sums[label] = sums.get(label, 0.0) + weight
    return min(sums, key=lambda label: (-sums[label], label), default=None)


def _one_round(labels: list[int], sizes: list[int], beside: list[list[tuple[int, float]]], largest: int) -> bool:
    """Whether a label changed."""
    changed = False
    for node, neighbours in enumerate(beside):
        sums: dict[int, float] = {}
        for other, weight in neighbours:
            sums[labels[other]] = sums.get(labels[other], 0.0) + weight
        own = labels[node]
        room = {label: weight for label, weight in sums.items() if sizes[label] < largest or label == own}
        most = max(room.values(), default=0.0)
        if room.get(own, 0.0) < most:
            labels[node] = min(label for label, weight in room.items() if weight == most)
            sizes[own] -= 1
            sizes[labels[node]] += 1
            changed = True
    return changed


def _turn(seed: str, node: str) -> bytes:
    return blake2b(f"{seed}\x1f{node}".encode(), digest_size=8).digest()
