"""Which embedder a store gets whose configuration names none."""

from pathlib import Path

import pytest

from agentmem.runtime.composition.embedder_choice import chosen_embedder
from agentmem.runtime.configuration.settings import ChatSettings, LlmSettings, Settings

READS = LlmSettings(model="openai:gpt-5-mini")


@pytest.fixture(autouse=True)
def nothing_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, and no model on the disk."""
    for name in ("OPENAI_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY", "CO_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "none"))


def test_what_is_configured_is_used() -> None:
    assert chosen_embedder(Settings(embedder="hash-64"), "openai:other@3").name == "hash-64"


@pytest.mark.parametrize(
    ("held", "name"),
    [
        ("hash-256", "hash-256"),
        ("openai:text-embedding-3-small@1536", "openai:text-embedding-3-small"),
        ("fastembed:BAAI/bge-small-zh-v1.5@512", "fastembed:BAAI/bge-small-zh-v1.5"),
    ],
)
def test_a_store_keeps_the_embedder_it_was_filled_with(held: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    assert chosen_embedder(Settings(cognition=READS), held).name == name


@pytest.mark.parametrize(
    ("settings", "variable", "name"),
    [
        (Settings(cognition=READS), "OPENAI_API_KEY", "openai:text-embedding-3-small"),
        (Settings(chat_model="openai-chat:gpt-5"), "OPENAI_API_KEY", "openai:text-embedding-3-small"),
        (Settings(chat_model="google:gemini-3-pro"), "GEMINI_API_KEY", "google:gemini-embedding-001"),
    ],
)
def test_the_provider_of_a_configured_model_embeds_and_says_so(
    settings: Settings, variable: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "key")
    choice = chosen_embedder(settings)
    assert choice.name == name
    assert "is sent every text" in choice.why


def test_a_provider_without_a_key_or_with_another_server_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen_embedder(Settings(cognition=READS)).name == "hash"
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    elsewhere = "http://localhost:1234/v1"
    assert chosen_embedder(Settings(cognition=READS.model_copy(update={"base_url": elsewhere}))).name == "hash"
    chat = ChatSettings(base_url=elsewhere)
    assert chosen_embedder(Settings(chat_model="openai-chat:local", chat=chat)).name == "hash"
    assert chosen_embedder(Settings(chat_model="anthropic:claude-sonnet-4-5")).name == "hash"


def test_without_model_and_files_the_hashed_one_says_what_it_cannot_find() -> None:
    choice = chosen_embedder(Settings())
    assert choice.name == "hash"
    assert "other words" in choice.why


def test_a_local_model_whose_files_are_there_is_used_and_none_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fastembed = pytest.importorskip("fastembed")
    model = "sentence-transformers/all-MiniLM-L6-v2"
    [known] = [each for each in fastembed.TextEmbedding.list_supported_models() if each["model"] == model]
    folder = tmp_path / f"models--{known['sources']['hf'].replace('/', '--')}"
    (folder / "snapshots" / "abc").mkdir(parents=True)
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path))
    assert chosen_embedder(Settings()).name == f"fastembed:{model}"
