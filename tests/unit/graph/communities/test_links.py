"""Which memories link whom, how strongly, and which community a fact is told in."""

import random
from datetime import timedelta

from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode, Modality, StoreStatus
from agentmem.graph.communities.clusters import FEW, Fact, Names, fact_of, home_of, is_held, links_of, weightiest
from tests.support.circles import fact
from tests.support.nodes import AGENT, NOON, TENANT


def seen(*nodes: MemoryNode) -> list[Fact]:
    names = Names()
    return [found for node in nodes if (found := fact_of(node, names)) is not None]


def a(name: str) -> str:
    return named(TENANT, AGENT, name)


def test_a_pair_fact_links_more_than_standing_in_one_statement() -> None:
    links = links_of(seen(fact("A uses B.", "A", "B"), fact("C, D.", "C", "D", relation=None)))
    assert links[a("A")][a("B")] > links[a("C")][a("D")] > 0


def test_parallel_facts_add_up() -> None:
    one = links_of(seen(fact("A uses B.", "A", "B")))
    two = links_of(seen(fact("A uses B.", "A", "B"), fact("A likes B.", "B", "A")))
    assert two[a("A")][a("B")] == two[a("B")][a("A")] == 2 * one[a("A")][a("B")]


def test_a_link_to_what_everybody_names_weighs_less() -> None:
    everybody = [fact(f"P{number} uses AIP.", f"P{number}", "AIP") for number in range(16)]
    links = links_of(seen(*everybody, fact("P0 uses Own.", "P0", "Own")))
    assert links[a("P0")][a("Own")] > 2 * links[a("P0")][a("AIP")]


def test_a_list_of_many_names_links_nobody_but_the_pair_it_relates() -> None:
    many = [f"N{number}" for number in range(FEW)]
    listed = links_of(seen(fact("a list", "A", *many, relation=None)))
    related = links_of(seen(fact("a list", "A", *many)))
    assert not any(listed.values())
    assert [key for key, near in related.items() if near] == [a("A"), a("N0")]


def test_the_agent_himself_links_nobody() -> None:
    (found,) = seen(fact("A knows 小美 and B.", "A", "小美", "B"))
    assert found.entities == (a("A"), a("B"))
    assert not found.related


def test_links_are_the_same_in_whatever_order_facts_come() -> None:
    dice = random.Random(3)
    names = [f"N{number}" for number in range(9)]
    facts = seen(*(fact(f"{number}", *dice.sample(names, 3)) for number in range(40)))
    assert links_of(facts) == links_of(dice.sample(facts, len(facts)))


def test_what_is_over_or_will_be_or_is_mere_guess_is_no_fact() -> None:
    held = fact("A uses B.", "A", "B")
    assert is_held(held)
    assert not is_held(held.revised(modality=Modality.HYPOTHESIS))
    assert not is_held(held.revised(modality=Modality.NEGATED))
    assert not is_held(held.revised(store_status=StoreStatus.EXPIRED))
    assert not is_held(held.revised(invalid_at=NOON + timedelta(days=9)))


def test_a_merged_entity_is_the_one_it_leads_on_to_and_a_ring_has_an_end() -> None:
    names = Names(onward={a("B"): a("C"), a("X"): a("Y"), a("Y"): a("X")})
    found = fact_of(fact("A uses B.", "A", "B"), names)
    assert found is not None
    assert found.entities == (a("A"), a("C"))
    assert names.root(a("X")) == names.root(a("Y"))


def test_a_fact_is_told_where_the_first_of_its_entities_is_at_home() -> None:
    (found,) = seen(fact("A uses B.", "A", "B"))
    assert home_of(found, {a("A"): "one", a("B"): "two"}) == "one"
    assert home_of(found, {a("B"): "two"}) == "two"
    assert home_of(found, {}) is None


def test_what_links_members_comes_before_what_is_important_of_one() -> None:
    linking, phone = seen(fact("A uses B.", "A", "B", importance=3), fact("A's phone", "A", importance=9))
    assert weightiest([phone, linking], 1) == (linking,)
