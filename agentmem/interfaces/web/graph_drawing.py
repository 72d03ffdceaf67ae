"""Where the entities of a graph stand and which lines lead between them; the same graph always looks the same."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import networkx

WIDTH, HEIGHT = 960.0, 600.0
"""Of the drawing, in its own units."""

MARGIN_X, MARGIN_Y = 90.0, 52.0
MAX_DOTS: Final = 40
"""Entities that are drawn, the nearest and best linked; more could not be read."""

MIDDLE_RADIUS, RADIUS = 11.0, 7.0
SEED: Final = 7
ROUNDS: Final = 80


@dataclass(frozen=True, slots=True)
class DrawnDot:
    """An entity, so many steps from the middle."""

    entity: str
    name: str
    step: int
    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """What links two entities: the memories, by id, that name both."""

    x1: float
    y1: float
    x2: float
    y2: float
    ends: tuple[str, str]
    memory_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphDrawing:
    """Dots and lines; `left_out` entities had no room."""

    dots: tuple[DrawnDot, ...]
    lines: tuple[DrawnLine, ...]
    left_out: int


def drawn_around(
    middle: str, names: Mapping[str, str], steps: Mapping[str, int], links: Iterable[tuple[str, Sequence[str]]]
) -> GraphDrawing:
    """The graph of these entities around the one in the middle. A link is a memory with the entities it names: it leads
    from the first to each of the others."""
    between = _between(names, links)
    degree = dict.fromkeys(names, 0)
    for one, other in between:
        degree[one] += 1
        degree[other] += 1
    order = sorted(names, key=lambda each: (each != middle, steps.get(each, 0), -degree[each], each))
    kept = sorted(order[:MAX_DOTS])
    lines = {ends: ids for ends, ids in between.items() if ends[0] in kept and ends[1] in kept}
    places = _places(middle, kept, lines)
    dots = [
        DrawnDot(each, names[each], steps.get(each, 0), *places[each], MIDDLE_RADIUS if each == middle else RADIUS)
        for each in kept
    ]
    return GraphDrawing(
        tuple(sorted(dots, key=lambda dot: (dot.step, dot.entity))),
        tuple(DrawnLine(*places[a], *places[b], (names[a], names[b]), tuple(ids)) for (a, b), ids in lines.items()),
        len(names) - len(kept),
    )


def _between(
    names: Mapping[str, str], links: Iterable[tuple[str, Sequence[str]]]
) -> dict[tuple[str, str], dict[str, None]]:
    """By pairs of entities, in order, the memories that name both."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for memory_id, entities in links:
        ends = [each for each in dict.fromkeys(entities) if each in names]
        for other in ends[1:]:
            pair = (min(ends[0], other), max(ends[0], other))
            found.setdefault(pair, {})[memory_id] = None
    return dict(sorted(found.items()))


def _places(middle: str, entities: Sequence[str], lines: Iterable[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """Where each stands: linked ones near, the one in the middle in the middle, all within the drawing."""
    graph = cast(Any, networkx.Graph())
    graph.add_nodes_from(entities)
    graph.add_edges_from(lines)
    laid = cast("Mapping[str, Sequence[float]]", networkx.spring_layout(graph, seed=SEED, iterations=ROUNDS))
    x0, y0 = laid.get(middle, (0.0, 0.0))
    reach_x = max((abs(x - x0) for x, _ in laid.values()), default=0.0) or 1.0
    reach_y = max((abs(y - y0) for _, y in laid.values()), default=0.0) or 1.0
    return {
        each: (
            round(WIDTH / 2 + (x - x0) / reach_x * (WIDTH / 2 - MARGIN_X), 1),
            round(HEIGHT / 2 + (y - y0) / reach_y * (HEIGHT / 2 - MARGIN_Y), 1),
        )
        for each, (x, y) in laid.items()
    }
