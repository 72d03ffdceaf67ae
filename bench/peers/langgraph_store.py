"""LangGraph's store in memory, with a vector index."""

from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from langchain_core.embeddings import Embeddings
from langgraph.store.memory import InMemoryStore

from agentmem_evals.retrieval.dataset import Conversation, DatasetQuestion
from bench.peers.peer import Peer, SharedEmbedder, shared_embedder
from bench.peers.workload import plain


class Embedding(Embeddings):
    """The shared embedder, in LangChain's terms."""

    def __init__(self, shared: SharedEmbedder) -> None:
        self._shared = shared

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector per text."""
        return self._shared.rows(texts, "document")

    def embed_query(self, text: str) -> list[float]:
        """One vector."""
        return self._shared.rows([text], "query")[0]


class LangGraph:
    """One store; a conversation is a namespace. Nothing is written to disk."""

    def __init__(self, shared: SharedEmbedder) -> None:
        index = {"dims": shared.metered.size, "embed": Embedding(shared), "fields": ["text"]}
        self._store, self.embedder = InMemoryStore(index=index), shared.metered
        self.mode = f"LangGraph {version('langgraph')}, InMemoryStore, dense"

    def add(self, conversation: Conversation) -> None:
        """One by one."""
        for turn in conversation.turns:
            self._store.put((conversation.scope,), turn.id, {"text": plain(turn)})

    def search(self, conversation: Conversation, question: DatasetQuestion, k: int) -> list[str]:
        """By vectors alone: it has no other search."""
        return [hit.key for hit in self._store.search((conversation.scope,), query=question.text, limit=k)]


@contextmanager
def opened(embedder: str, folder: Path) -> Generator[Peer]:
    """`folder` stays empty."""
    with shared_embedder(embedder) as shared:
        yield LangGraph(shared)
