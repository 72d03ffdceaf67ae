"""Summing up facts in words of one's own, as a port; without one, a summary is made of the facts' own sentences."""

from collections.abc import Sequence
from typing import Protocol

from agentmem.ports.narrator import Summary


class Summariser(Protocol):
    """Sums up what it is given and nothing else; every narrator is one. Holds no state and writes nothing."""

    async def summarise(self, question: str, facts: Sequence[str]) -> Summary:
        """What the facts tell that bears on the question, in a few sentences; empty where they tell nothing about it.

        Raises `BadAnswer` when what came back cannot be used, after at most one repair, and `BackendUnavailable` when
        the service does not answer.
        """
        ...
