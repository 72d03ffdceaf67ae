"""What a system has to do to be measured, and the embedder that all of them share."""

import asyncio
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Literal, Protocol

from agentmem.adapters.embedder.fastembed import FastembedEmbedder
from agentmem.adapters.embedder.hashed import DEFAULT_SIZE, HashedEmbedder
from agentmem.errors import InvalidInput
from agentmem.evals.retrieval.dataset import Conversation, Question
from agentmem.evals.retrieval.timed import TimedEmbedder


class Peer(Protocol):
    """A memory system, opened and empty. `mode`: what it is and how it searches; `timed`: what it embeds with."""

    mode: str
    timed: TimedEmbedder

    def add(self, conversation: Conversation) -> None:
        """Keep its turns; on return they can be found."""
        ...

    def search(self, conversation: Conversation, question: Question, k: int) -> list[str]:
        """Ids of up to `k` turns of the conversation, best first."""
        ...


class SharedEmbedder:
    """One of agentmem's embedders, for callers that do not await."""

    def __init__(self, runner: asyncio.Runner, timed: TimedEmbedder) -> None:
        self._runner, self.timed = runner, timed

    def rows(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> list[list[float]]:
        """One unit vector per text."""
        return self._runner.run(self.timed.embed(texts, purpose=purpose)).tolist()


@contextmanager
def shared_embedder(name: str) -> Generator[SharedEmbedder]:
    """`hash`, `hash-256` or `fastembed:FOLDER`, as in agentmem's settings. Raises `InvalidInput`."""
    with asyncio.Runner() as runner:
        if hashed := re.fullmatch(r"hash(?:-(\d+))?", name):
            yield SharedEmbedder(runner, TimedEmbedder(HashedEmbedder(int(hashed[1] or DEFAULT_SIZE))))
        elif name.startswith("fastembed:"):
            local = FastembedEmbedder(name.removeprefix("fastembed:"))
            runner.run(local.__aenter__())
            yield SharedEmbedder(runner, TimedEmbedder(local))
        else:
            raise InvalidInput(f"embedder {name!r}: allowed here are hash, hash-SIZE and fastembed:FOLDER")
