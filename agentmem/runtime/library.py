"""What an agent can be asked: questions answered from its memories."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agentmem.answers.ask import Asker, Recaller, WordsOf
from agentmem.answers.question import AskQuery, Reply
from agentmem.domain.access import Grant
from agentmem.ports.narrator import Narrator
from agentmem.runtime.access import Access, needs


@dataclass(frozen=True, slots=True)
class Library:
    """Answers questions. `narrator` loads the model that tells answers; with None for one they are extractive."""

    access: Access
    recall: Recaller
    words: WordsOf
    narrator: Callable[[], Awaitable[Narrator | None]]

    @needs(Grant.READ, of="query")
    async def ask(self, query: AskQuery) -> Reply:
        """Answer a question from memory, with its sources. Raises `BackendUnavailable`, and `BadAnswer` where a
        model's answer cannot be used."""
        return await Asker(self.recall, self.words, await self.narrator())(query)
