"""The one place that knows which adapter stands behind which port; only what is configured is loaded.

Imports stand inside functions here, and nowhere else: each adapter costs up to a second and may not be installed.
"""

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from agentmem import patterns as re
from agentmem.errors import IndexBroken, InvalidInput, NeedsRepair
from agentmem.language.lengths import estimated_tokens
from agentmem.ledger.projection import ACTIVE
from agentmem.ports.agent_records import Signing
from agentmem.ports.cognition import Cognition
from agentmem.ports.embedder import Embedder
from agentmem.ports.journal import Journal
from agentmem.ports.memory_index import MemoryIndex
from agentmem.ports.models import ChatModel, Narrator, Reranker, TokenCounter
from agentmem.runtime.composition.backups import FOLDER as BACKUPS
from agentmem.runtime.composition.embedder_choice import chosen_embedder
from agentmem.runtime.configuration.settings import (
    EdgeIndexSettings,
    LlmSettings,
    QdrantIndexSettings,
    RulesSettings,
    Settings,
    SqliteSettings,
    TransientIndexSettings,
)

if TYPE_CHECKING:
    from agentmem.adapters.cognition.llm.model_connection import LlmOptions

Progress = Callable[[int, int], None]
"""Told how many are done, of how many."""


def refuse_lost_journal(settings: Settings) -> None:
    """Raise `NeedsRepair` where the journal's file is missing or empty and the index beside it is not: opened
    all the same, everything would seem to be forgotten."""
    file = settings.data / "journal.db"
    if not isinstance(settings.journal, SqliteSettings) or (file.exists() and file.stat().st_size):
        return
    if any(path.stat().st_size for path in settings.data.glob("index/*/segments/*/*id_tracker.mappings")):
        state = "empty" if file.exists() else "missing"
        raise NeedsRepair(
            f"journal {file} is {state} while the index beside it holds memories; put a backup back with "
            f"`agentmem restore FILE --force`, or move {settings.data / 'index'} away to begin anew"
        )


def journal(settings: Settings, routes: Mapping[str, Sequence[str]]) -> Journal:
    """SQLite in the data directory, or PostgreSQL."""
    from agentmem.adapters.journal.journal import SqlJournal

    backups = settings.data.absolute() / BACKUPS
    return SqlJournal(settings.journal_url, routes=routes, capacity=settings.queue.capacity, backups=backups)


@asynccontextmanager
async def embedder(settings: Settings, journal: Journal, *, anew: bool = False) -> AsyncGenerator[Embedder]:
    """The configured embedder, or the one chosen for the store, for a new one where it is filled `anew`; before any but
    the hashed one, which is faster, stands the journal's vector cache."""
    name = chosen_embedder(settings, None if anew else await journal.marks.mark(ACTIVE)).name
    if hashed := re.fullmatch(r"hash(?:-(\d+))?", name):
        from agentmem.adapters.embedder.hashed import DEFAULT_SIZE, HashedEmbedder

        yield HashedEmbedder(int(hashed[1] or DEFAULT_SIZE))
        return
    from agentmem.adapters.embedder.cached import CachedEmbedder

    if name.startswith("fastembed:"):
        from agentmem.adapters.embedder.fastembed import FastembedEmbedder

        async with FastembedEmbedder(name.removeprefix("fastembed:")) as local:
            yield CachedEmbedder(local, journal.vectors)
    else:
        from agentmem.adapters.embedder.provider_embedder import PydanticAIEmbedder

        async with PydanticAIEmbedder(name) as remote:
            yield CachedEmbedder(remote, journal.vectors)


def check(settings: Settings) -> None:
    """Raise `InvalidInput` for what is missing and can be told before anything is loaded."""
    if isinstance(settings.cognition, LlmSettings):
        _secret(settings.cognition.api_key_env, "cognition")


def quick_reader() -> Cognition:
    """The engine that reads by itself, at once and without a model."""
    from agentmem.adapters.cognition.rules.engine import RulesCognition

    return RulesCognition()


def cognition(settings: Settings) -> Cognition:
    """The rules, or a model."""
    match settings.cognition:
        case RulesSettings():
            from agentmem.adapters.cognition.rules.engine import RulesCognition

            return RulesCognition()
        case LlmSettings() as chosen:
            from agentmem.adapters.cognition.llm.engine import LlmCognition

            return LlmCognition(_llm_options(chosen))


def narrator(settings: Settings, stack: AsyncExitStack) -> Callable[[], Awaitable[Narrator | None]]:
    """Loads the model that tells answers when it is first wanted, to be closed by `stack`; None beside the rules."""
    loaded: list[Narrator] = []

    async def load() -> Narrator | None:
        if not loaded and isinstance(settings.cognition, LlmSettings):
            from agentmem.adapters.models.structured import ModelNarrator

            loaded.append(await stack.enter_async_context(ModelNarrator(_llm_options(settings.cognition))))
        return loaded[0] if loaded else None

    return load


def _llm_options(chosen: LlmSettings) -> "LlmOptions":
    from agentmem.adapters.cognition.llm.model_connection import LlmOptions

    given = chosen.model_dump(exclude={"engine", "api_key_env"})
    return LlmOptions(**given, api_key=_secret(chosen.api_key_env, "cognition"))


@asynccontextmanager
async def chat_model(settings: Settings, name: str) -> AsyncGenerator[ChatModel]:
    """The model that speaks, opened. Raises `InvalidInput` for an unknown or unusable name."""
    from agentmem.adapters.cognition.llm.model_connection import LlmOptions
    from agentmem.adapters.models.provider_chat import PydanticAIChatModel

    chosen = settings.chat
    options = LlmOptions(
        model=name,
        base_url=chosen.base_url,
        api_key=_secret(chosen.api_key_env, "chat"),
        timeout=chosen.timeout,
        retries=chosen.retries,
        max_wait=chosen.max_wait,
        max_output_tokens=chosen.max_output_tokens,
    )
    async with PydanticAIChatModel(options) as model:
        yield model


@asynccontextmanager
async def reranker(settings: Settings) -> AsyncGenerator[Reranker | None]:
    """The configured reranker, opened, or None where what was found stays in its order."""
    name = settings.recall.reranker
    if name == "none":
        yield None
    elif ":" not in name:
        yield _built_in_reranker(name)
    elif name.startswith("fastembed:"):
        from agentmem.adapters.models.local import FastembedReranker

        async with FastembedReranker(name.removeprefix("fastembed:")) as local:
            yield local
    else:
        from agentmem.adapters.cognition.llm.model_connection import LlmOptions
        from agentmem.adapters.models.structured import ModelReranker

        # No retries: there is no time for them.
        async with ModelReranker(LlmOptions(model=name, timeout=settings.recall.rerank_seconds, retries=0)) as remote:
            yield remote


def _built_in_reranker(name: str) -> Reranker:
    match name:
        case "rrf":
            from agentmem.retrieval.rerank import RankFusion

            return RankFusion()
        case "mmr":
            from agentmem.retrieval.rerank import MarginalRelevance

            return MarginalRelevance()
        case "mentions":
            from agentmem.retrieval.rerank import EpisodeMentions

            return EpisodeMentions()
        case "distance":
            from agentmem.retrieval.rerank import NodeDistance

            return NodeDistance()
        case _:
            from agentmem.retrieval.rerank import LexicalOverlap

            return LexicalOverlap()


def token_counter(model: str | None) -> TokenCounter:
    """The model's own, where its vocabulary is on this machine; else an estimate. Nothing is fetched."""
    if model is None:
        return estimated_tokens
    from agentmem.adapters.models.tiktoken import tiktoken_counter

    return tiktoken_counter(model) or estimated_tokens


def signing() -> Signing:
    """Ed25519. Raises `InvalidInput` with the line that installs it."""
    try:
        from agentmem.adapters.ed25519 import Ed25519Signing
    except ImportError as error:
        raise InvalidInput('signatures need: pip install "agentmem-framework[signing]"') from error
    return Ed25519Signing()


def index(settings: Settings, embedder: Embedder) -> MemoryIndex:
    """Qdrant Edge in the data directory, a Qdrant server, one folder or collection per embedder; or in memory."""
    slug = _slug(embedder.fingerprint)
    match settings.index:
        case EdgeIndexSettings() as embedded:
            from agentmem.adapters.memory_index.edge import EdgeIndex
            from agentmem.adapters.memory_index.edge_terms import GRAPH_OVER

            over = GRAPH_OVER if embedded.graph else None
            reserve = None if embedded.reserve_mb is None else embedded.reserve_mb << 20
            return EdgeIndex(settings.data / "index" / slug, size=embedder.size, graph_over=over, reserve=reserve)
        case QdrantIndexSettings() as chosen:
            from agentmem.adapters.memory_index.server import server_index

            key = chosen.api_key.get_secret_value() if chosen.api_key else None
            return server_index(
                collection_of(chosen, embedder.fingerprint),
                embedder.size,
                url=chosen.url,
                path=chosen.path,
                api_key=key,
            )
        case TransientIndexSettings():
            from agentmem.adapters.memory_index.in_memory import InMemoryIndex

            return InMemoryIndex()


def collection_of(chosen: QdrantIndexSettings, fingerprint: str) -> str:
    """The name of the collection with the vectors of an embedder."""
    return f"{chosen.collection}-{_slug(fingerprint)}"


async def discard_collection(settings: Settings, server: str, collection: str) -> None:
    """Throw away a collection at a URL or in a folder. Raises `BackendUnavailable`."""
    from agentmem.adapters.memory_index.server import server_index

    chosen, folder = settings.index, None if "://" in server else Path(server)
    if folder is None:
        same = isinstance(chosen, QdrantIndexSettings) and chosen.url == server
        secret = chosen.api_key if isinstance(chosen, QdrantIndexSettings) and same else None
        key = secret.get_secret_value() if secret is not None else None
        await server_index(collection, 1, url=server, api_key=key).discard()
    elif await asyncio.to_thread(folder.exists):
        await server_index(collection, 1, path=folder).discard()


async def open_index(settings: Settings, embedder: Embedder, stack: AsyncExitStack) -> tuple[MemoryIndex, str | None]:
    """The index, opened on `stack`, and why it had to be thrown away first, if it had to be."""
    broken = index(settings, embedder)
    try:
        return await stack.enter_async_context(broken), None
    except IndexBroken as error:
        await broken.discard()
        _discard(settings.data / "index" / _slug(embedder.fingerprint))  # where a file lies in its place
        return await stack.enter_async_context(index(settings, embedder)), str(error)


def discard_other_indexes(settings: Settings, fingerprint: str) -> None:
    """Throw away the embedded indexes of all other embedders. Nothing may hold them."""
    for path in (settings.data / "index").glob("*"):
        if not path.name.startswith(_slug(fingerprint)):
            _discard(path)


def discard_unused_indexes(settings: Settings, fingerprint: str) -> None:
    """The same, and of every embedder where the index in use is not an embedded one."""
    discard_other_indexes(settings, fingerprint)
    if not isinstance(settings.index, EdgeIndexSettings):
        for path in (settings.data / "index").glob("*"):
            _discard(path)


async def discard_every_index(settings: Settings) -> None:
    """Throw away all embedded indexes. Raises `HeldElsewhere`, having thrown away nothing more, where one is in use."""
    from agentmem.adapters.memory_index.edge import EdgeIndex

    for path in (settings.data / "index").glob("*"):
        if path.is_dir() and not path.is_symlink():
            await EdgeIndex(path, size=1).discard()


def is_damage(error: BaseException) -> bool:
    """Whether an error says that the file of a journal is damaged, or is none."""
    from agentmem.adapters.journal import dialect

    return dialect.is_damage(error)


def _discard(folder: Path) -> None:
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)
    else:
        folder.unlink(missing_ok=True)


def _slug(fingerprint: str) -> str:
    """A folder or collection name: what is readable of the fingerprint, and a digest of all of it."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", fingerprint).strip("-")[:40]
    return f"{readable}-{blake2b(fingerprint.encode(), digest_size=4).hexdigest()}"


def _secret(variable: str | None, section: str) -> SecretStr | None:
    if variable is None:
        return None
    value = os.environ.get(variable)
    if not value:
        raise InvalidInput(f"{section}.api_key_env: the environment variable {variable} is not set")
    return SecretStr(value)
