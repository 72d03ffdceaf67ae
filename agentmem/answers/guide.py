"""What leads a traversal on: a model where there is one, the rules beside it and where its answer is no use."""

from collections.abc import Sequence

import structlog

from agentmem.answers.modes.traverse import summed_up
from agentmem.answers.split import MOST, parts_of
from agentmem.domain.statement import Usage
from agentmem.errors import BadAnswer, without_content
from agentmem.ports.narrator import Narrator

log = structlog.get_logger()


class Guide:
    """Takes one question apart and sums up what was found on the way; `usage` is what that has cost so far."""

    def __init__(self, narrator: Narrator | None) -> None:
        self._narrator = narrator
        self.usage = Usage()

    async def split(self, question: str) -> list[str]:
        """At most three questions, in the order in which to look for them. Raises `BackendUnavailable`."""
        if self._narrator is not None:
            try:
                split = await self._narrator.split(question, most=MOST)
            except BadAnswer as error:
                log.warning("question_not_split", reason=without_content(error))
            else:
                self.usage = self.usage.plus(split.usage)
                return list(split.questions)
        return parts_of(question)

    async def summarise(self, part: str, facts: Sequence[str]) -> str:
        """What the facts tell about a part of the question. Raises `BackendUnavailable`."""
        if self._narrator is not None:
            try:
                summary = await self._narrator.summarise(part, facts)
            except BadAnswer as error:
                log.warning("facts_not_summarised", facts=len(facts), reason=without_content(error))
            else:
                self.usage = self.usage.plus(summary.usage)
                return summary.text
        return summed_up(facts)
