"""What a system has to do to be measured, and the embedder that all of them share."""

import asyncio
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from time import process_time
from typing import Protocol

from agentmem.adapters.embedder.fastembed import FastembedEmbedder
from agentmem.adapters.embedder.hashed import DEFAULT_SIZE, HashedEmbedder
from agentmem.errors import InvalidInput
from agentmem.ports.embedder import Embedder, Matrix, Purpose
from agentmem_evals.retrieval.asking import TimedEmbedder
from agentmem_evals.retrieval.dataset import Conversation, DatasetQuestion


class MeteredEmbedder(TimedEmbedder):
    """Counts the processor's seconds too, over all threads: unlike the clock's, other programs do not add to them."""

    processor = 0.0

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """See `Embedder.embed`."""
        begun = process_time()
        try:
            return await super().embed(texts, purpose=purpose)
        finally:
            self.processor += process_time() - begun


class Peer(Protocol):
    """A memory system, opened and empty. `mode`: what it is and how it searches; `embedder`: what it embeds with."""

    mode: str
    embedder: MeteredEmbedder

    def add(self, conversation: Conversation) -> None:
        """Keep its turns; on return they can be found."""
        ...

    def search(self, conversation: Conversation, question: DatasetQuestion, k: int) -> list[str]:
        """Ids of up to `k` turns of the conversation, best first."""
        ...


class SharedEmbedder:
    """One of agentmem's embedders, for callers that do not await."""

    def __init__(self, runner: asyncio.Runner, inner: Embedder) -> None:
        self._runner, self.metered = runner, MeteredEmbedder(inner)

    def rows(self, texts: Sequence[str], purpose: Purpose) -> list[list[float]]:
        """One unit vector per text."""
        return self._runner.run(self.metered.embed(texts, purpose=purpose)).tolist()


@contextmanager
def shared_embedder(name: str) -> Generator[SharedEmbedder]:
    """`hash`, `hash-256` or `fastembed:FOLDER`, as in agentmem's settings. Raises `InvalidInput`."""
    with asyncio.Runner() as runner:
        if hashed := re.fullmatch(r"hash(?:-(\d+))?", name):
            yield SharedEmbedder(runner, HashedEmbedder(int(hashed[1] or DEFAULT_SIZE)))
        elif name.startswith("fastembed:"):
            local = FastembedEmbedder(name.removeprefix("fastembed:"))
            runner.run(local.__aenter__())
            yield SharedEmbedder(runner, local)
        else:
            raise InvalidInput(f"embedder {name!r}: allowed here are hash, hash-SIZE and fastembed:FOLDER")
