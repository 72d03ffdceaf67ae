"""What an agent says in one turn, what it rests on and costs, and which parts of it only repeat what it had just been
told.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Final

from agentmem.agents.talk.forget_in_talk import Forgetting
from agentmem.domain.statement import Usage
from agentmem.language.clauses import clauses, sentences
from agentmem.language.tokens import terms
from agentmem.retrieval.query import Hit, Words


@dataclass(slots=True)
class Reply:
    """Read it with `async for`, or with `whole()`. `used` are the memories the model was shown, best first, `words`
    those they rest on; `recalled` is False where nothing could be looked up. `text` and `usage` grow while it is read;
    `complete`: it was said to its end and is in the journal. One that is not read to its end is not remembered.
    `forgotten`: what became of each thing that the person asked to be forgotten."""

    run_id: str
    pieces: AsyncGenerator[str] = field(init=False)
    recalled: bool = True
    used: tuple[Hit, ...] = ()
    words: dict[str, list[Words]] = field(default_factory=dict[str, list[Words]])
    text: str = ""
    usage: Usage = Usage()
    complete: bool = False
    forgotten: tuple[Forgetting, ...] = ()

    def __aiter__(self) -> AsyncIterator[str]:
        return self.pieces

    async def whole(self) -> str:
        """Read to the end; all that was said."""
        async for _ in self.pieces:
            pass
        return self.text


SHARE: Final = 0.5
"""Of the words of a clause that stand in one told text. Marking too much loses what the agent asserts of itself, which
stays in the conversation anyway; marking too little lets a memory become evidence for itself."""

MAX_CHARS: Final = 20_000
"""Characters of one told text that are looked at."""


def echoes(text: str, told: Iterable[str]) -> list[list[int]]:
    """Stretches `[start, end]` of the text, in order and apart, each a clause that one of the told texts says."""
    sources = [terms(source[:MAX_CHARS]) for source in told]
    marked: list[list[int]] = []
    for sentence in sentences(text) if sources else ():
        for clause in clauses(sentence):
            words = terms(clause.text)
            if words and max(len(words & source) for source in sources) >= SHARE * len(words):
                marked.append([clause.start, clause.end])
    return marked


def repeats(text: str, told: Iterable[str]) -> bool:
    """Whether the text as a whole says what one of the told texts says."""
    words = terms(text)
    return any(len(words & terms(source[:MAX_CHARS])) >= SHARE * len(words) for source in told)
