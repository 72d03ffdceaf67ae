"""mem0 with its embedded Qdrant, memories kept as they are (`infer=False`), so that no model is called."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from fastembed import SparseTextEmbedding
from mem0 import Memory
from mem0.embeddings.base import EmbeddingBase
from mem0.utils.factory import EmbedderFactory
from stop_words import get_stop_words

from agentmem_evals.retrieval.dataset import Conversation, DatasetQuestion
from bench.peers.peer import Peer, SharedEmbedder, shared_embedder
from bench.peers.workload import plain


class Embedding(EmbeddingBase):
    """The shared embedder, handed over as the model of mem0's configuration."""

    def embed(self, text: str, memory_action: Literal["add", "search", "update"] | None = None) -> list[float]:
        """One vector."""
        model: Any = self.config.model
        return model.rows([text], "query" if memory_action == "search" else "document")[0]


class Mem0:
    """One `Memory`; a conversation is a user."""

    def __init__(self, memory: Memory, embedder: SharedEmbedder, mode: str) -> None:
        self._memory, self.embedder, self.mode = memory, embedder.metered, mode

    def add(self, conversation: Conversation) -> None:
        """One by one: without a model there is no other way."""
        for turn in conversation.turns:
            self._memory.add(plain(turn), user_id=conversation.scope, metadata={"turn": turn.id}, infer=False)

    def search(self, conversation: Conversation, question: DatasetQuestion, k: int) -> list[str]:
        """With no threshold, which would leave out what its keyword search finds."""
        scope = {"user_id": conversation.scope}
        found = self._memory.search(question.text, filters=scope, top_k=k, threshold=0.0)
        return [hit["metadata"]["turn"] for hit in found["results"]]


@contextmanager
def dense(embedder: str, folder: Path) -> Generator[Peer]:
    """Vectors alone: what runs where fastembed is not installed."""
    with _memory(embedder, folder) as (memory, shared):
        memory.vector_store._bm25_encoder = False  # its own mark for "there is none"
        yield Mem0(memory, shared, f"mem0 {version('mem0ai')}, dense")


@contextmanager
def hybrid(embedder: str, folder: Path) -> Generator[Peer]:
    """Vectors and its BM25 of stems. Its spaCy model, another download, is left out: no lemmas, no entity boosts."""
    with _memory(embedder, folder) as (memory, shared):
        # Its own encoder differs in one thing, the list of stop words, which it would download.
        memory.vector_store._bm25_encoder = SparseTextEmbedding(
            "Qdrant/bm25", specific_model_path=str(folder), stopwords=set(get_stop_words("en"))
        )
        yield Mem0(memory, shared, f"mem0 {version('mem0ai')}, dense + BM25")


@contextmanager
def _memory(embedder: str, folder: Path) -> Generator[tuple[Memory, SharedEmbedder]]:
    logging.disable(logging.WARNING)
    # It takes embedders by the names it knows and no others, so ours stands under one of them.
    EmbedderFactory.provider_to_class["langchain"] = f"{__name__}.Embedding"
    with shared_embedder(embedder) as shared:
        store = {"path": str(folder / "qdrant"), "embedding_model_dims": shared.metered.size}
        memory = Memory.from_config(
            {
                "embedder": {"provider": "langchain", "config": {"model": shared}},
                "vector_store": {"provider": "qdrant", "config": store},
                "llm": {"provider": "openai", "config": {"api_key": "never called"}},
                "history_db_path": str(folder / "history.db"),
            }
        )
        try:
            yield memory, shared
        finally:
            memory.close()
