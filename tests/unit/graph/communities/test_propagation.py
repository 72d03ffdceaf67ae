"""Label propagation: it ends, and the same graph falls apart in the same way."""

import random
from collections import Counter

import pytest

from agentmem.graph.communities.clusters import ROUNDS, groups, plurality, propagate

Graph = dict[str, dict[str, float]]


def graph(*edges: tuple[str, str, float]) -> Graph:
    found: Graph = {}
    for one, other, weight in edges:
        found.setdefault(one, {})[other] = found.get(one, {}).get(other, 0.0) + weight
        found.setdefault(other, {})[one] = found.get(other, {}).get(one, 0.0) + weight
    return found


def clique(*names: str, weight: float = 1.0) -> list[tuple[str, str, float]]:
    return [(one, other, weight) for place, one in enumerate(names) for other in names[place + 1 :]]


def random_graph(dice: random.Random) -> Graph:
    nodes = [f"n{number}" for number in range(dice.randint(1, 12))]
    found: Graph = {node: {} for node in nodes}
    for _ in range(dice.randint(0, 24)):
        one, other = dice.choice(nodes), dice.choice(nodes)
        if one != other:
            found[one][other] = found[other][one] = dice.choice((0.25, 1.0, 1.0, 2.0))
    return found


def shuffled(links: Graph, dice: random.Random) -> Graph:
    nodes = list(links)
    dice.shuffle(nodes)
    return {node: dict(dice.sample(list(links[node].items()), len(links[node]))) for node in nodes}


def test_two_nodes_with_two_parallel_facts_come_together() -> None:
    assert len(groups(propagate(graph(("a", "b", 1.0), ("a", "b", 1.0)), seed="s"))) == 1


def test_a_star_is_one_community() -> None:
    star = graph(*(("hub", f"leaf{number}", 1.0) for number in range(9)))
    assert [len(group) for group in groups(propagate(star, seed="s"))] == [10]


def test_a_ring_comes_to_rest() -> None:
    ring = graph(*((str(number), str((number + 1) % 50), 1.0) for number in range(50)))
    labels = propagate(ring, seed="s")
    assert labels == propagate(ring, seed="s", rounds=10 * ROUNDS)
    assert len(set(labels.values())) > 1


def test_two_cliques_with_a_thin_bridge_stay_two() -> None:
    links = graph(*clique("a", "b", "c", "d"), *clique("w", "x", "y", "z"), ("d", "w", 0.25))
    assert groups(propagate(links, seed="s")) == [("a", "b", "c", "d"), ("w", "x", "y", "z")]


def test_one_dense_whole_is_several_communities_of_a_bearable_size() -> None:
    dice = random.Random(7)
    everybody = graph(*clique(*map(str, range(60))))
    labels = propagate(everybody, seed="s", largest=20)
    assert max(Counter(labels.values()).values()) <= 20
    assert propagate(shuffled(everybody, dice), seed="s", largest=20) == labels
    assert propagate(everybody, seed="s", largest=20, rounds=ROUNDS + 1) == labels


def test_a_node_without_neighbours_stays_alone() -> None:
    assert propagate({"a": {}}, seed="s") == {"a": "a"}
    assert propagate({}, seed="s") == {}


@pytest.mark.thorough
def test_ten_thousand_graphs_come_to_rest_the_same_in_any_order() -> None:
    dice = random.Random(7)
    for _ in range(10_000):
        links = random_graph(dice)
        labels = propagate(links, seed="s")
        assert propagate(shuffled(links, dice), seed="s") == labels
        assert propagate(links, seed="s", rounds=ROUNDS + 1) == labels
        assert all(label in links for label in labels.values())


def test_the_plurality_of_equal_weights_is_the_first_by_name() -> None:
    assert plurality([("b", 1.0), ("a", 0.5), ("a", 0.5)]) == "a"
    assert plurality([("b", 2.0), ("a", 1.0)]) == "b"
    assert plurality([]) is None
