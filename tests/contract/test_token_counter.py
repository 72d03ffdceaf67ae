"""Whatever counts tokens: the estimate always, tiktoken where its vocabulary is on this machine."""

import hashlib
from pathlib import Path

import pytest

from agentmem.adapters.models.tiktoken import tiktoken_counter
from agentmem.language.lengths import estimated_tokens
from agentmem.ports.models import TokenCounter

MODEL = "openai:gpt-5-mini"


@pytest.fixture(params=["estimate", "tiktoken"])
def count(request: pytest.FixtureRequest) -> TokenCounter:
    if request.param == "estimate":
        return estimated_tokens
    counter = tiktoken_counter(MODEL)
    if counter is None:
        pytest.skip("TIKTOKEN_CACHE_DIR holds no vocabulary o200k_base")
    return counter


@pytest.mark.parametrize("text", ["", "Hello", "罗小东的电话", "<|endoftext|>", "👍🏽\u0301\x00", "A" * 5_000])
def test_a_text_has_one_number_of_tokens(count: TokenCounter, text: str) -> None:
    assert count(text) == count(text)
    assert (count(text) > 0) == bool(text)
    assert count(text) <= 4 * len(text.encode())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tiktoken_counter.cache_clear()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("model", [MODEL, "openai-chat:gpt-4", "openai:nobody-knows", "ollama:gpt-5", "gpt-5", ""])
def test_nothing_is_fetched_for_a_model_whose_vocabulary_is_not_here(folder: Path, model: str) -> None:
    assert tiktoken_counter(model) is None
    assert list(folder.iterdir()) == []


def test_a_wrong_file_is_neither_used_nor_replaced(folder: Path) -> None:
    place = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
    file = folder / hashlib.sha1(place.encode()).hexdigest()
    file.write_text("IQ== 0\n", "utf-8")

    assert tiktoken_counter(MODEL) is None
    assert list(folder.iterdir()) == [file]
    assert file.read_text("utf-8") == "IQ== 0\n"


def test_without_the_folder_there_is_no_counter(monkeypatch: pytest.MonkeyPatch) -> None:
    tiktoken_counter.cache_clear()
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)

    assert tiktoken_counter(MODEL) is None
