"""Whoever is addressed by name is not who a sentence is about."""

from agentmem.answers.demand import demand_of
from agentmem.answers.thin_evidence import is_thin
from agentmem.questions.asked_people import AskedPeople
from tests.support.nodes import a_memory


def test_a_sentence_to_the_agent_by_name_is_about_who_says_it() -> None:
    said = "Lottie can move the fitting to 5 September."
    node = a_memory(content=said, user_name="Lottie", target_name="Carla")
    demand = demand_of("When is the fitting?", AskedPeople())
    assert not is_thin(demand, node, said, said)
    assert is_thin(demand, node.revised(user_name="Clara"), said, said)
