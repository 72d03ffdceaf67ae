"""An embedder that is timed, so that its part can be taken out of a measured time."""

from collections.abc import Sequence
from time import perf_counter

from agentmem.ports.embedder import Embedder, Matrix, Purpose


class TimedEmbedder:
    """Delegates to another embedder and counts the seconds it takes."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.seconds = 0.0

    @property
    def fingerprint(self) -> str:
        """That of the embedder inside."""
        return self._inner.fingerprint

    @property
    def size(self) -> int:
        """That of the embedder inside."""
        return self._inner.size

    @property
    def semantic(self) -> bool:
        """That of the embedder inside."""
        return self._inner.semantic

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """See `Embedder.embed`."""
        begun = perf_counter()
        try:
            return await self._inner.embed(texts, purpose=purpose)
        finally:
            self.seconds += perf_counter() - begun
