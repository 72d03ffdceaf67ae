"""What an agent says in one turn: pieces while it is said, and what it rests on and cost when it is over."""

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field

from agentmem.domain.statement import Usage
from agentmem.retrieval.query import Hit, Words


@dataclass(slots=True)
class Reply:
    """Read it with `async for`, or with `whole()`. `used` are the memories the model was shown, best first, `words`
    those they rest on; `recalled` is False where nothing could be looked up. `text` and `usage` grow while it is read;
    `complete`: it was said to its end and is in the journal. One that is not read to its end is not remembered."""

    run_id: str
    pieces: AsyncGenerator[str] = field(init=False)
    recalled: bool = True
    used: tuple[Hit, ...] = ()
    words: dict[str, list[Words]] = field(default_factory=dict[str, list[Words]])
    text: str = ""
    usage: Usage = Usage()
    complete: bool = False

    def __aiter__(self) -> AsyncIterator[str]:
        return self.pieces

    async def whole(self) -> str:
        """Read to the end; all that was said."""
        async for _ in self.pieces:
            pass
        return self.text
