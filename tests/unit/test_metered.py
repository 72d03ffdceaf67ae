"""What thinking costs counts every call, those that sum communities up included."""

from collections.abc import Sequence

from agentmem.domain.statement import Usage
from agentmem.ports.models import Summariser, Summary
from agentmem.runtime.composition.telemetry import MeteredCognition
from tests.support.cognition import ScriptedCognition

COST = Usage(calls=1, tokens_in=20, tokens_out=5)


class Summing:
    async def summarise(self, question: str, facts: Sequence[str]) -> Summary:
        return Summary(" ".join(facts), COST)


async def test_a_summary_counts() -> None:
    metered = MeteredCognition(ScriptedCognition)

    async def load() -> Summariser:
        return Summing()

    summariser = await metered.counting(load)()
    assert summariser is not None
    assert (await summariser.summarise("?", ["a", "b"])).text == "a b"
    assert metered.usage == COST


async def test_without_a_model_nothing_sums_up() -> None:
    async def load() -> None:
        return None

    assert await MeteredCognition(ScriptedCognition).counting(load)() is None
