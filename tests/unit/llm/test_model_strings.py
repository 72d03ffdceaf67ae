"""A model string that cannot be used, told in one line that says what to do."""

import pytest

from agentmem.adapters.cognition.llm.engine import LlmCognition
from agentmem.adapters.cognition.llm.model_connection import LlmOptions
from agentmem.adapters.embedder.provider_embedder import PydanticAIEmbedder
from agentmem.adapters.models.provider_chat import PydanticAIChatModel
from agentmem.errors import InvalidInput

WANTED = "openai:gpt-5-mini or ollama:llama3"


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("openai:gpt-5-mini", "model 'openai:gpt-5-mini' needs a key: set the environment variable OPENAI_API_KEY"),
        ("nowhere:x", f"model 'nowhere:x': Unknown provider: nowhere; allowed: PROVIDER:MODEL, such as {WANTED}"),
        ("gpt5", f"model 'gpt5': Unknown model: gpt5; allowed: PROVIDER:MODEL, such as {WANTED}"),
    ],
)
@pytest.mark.parametrize("reader", [LlmCognition, PydanticAIChatModel])
def test_what_a_model_lacks_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, reader: type[LlmCognition | PydanticAIChatModel], model: str, told: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InvalidInput) as refused:
        reader(LlmOptions(model=model))
    assert str(refused.value) == told


def test_so_it_is_of_a_model_that_embeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InvalidInput, match=r"needs a key: set the environment variable OPENAI_API_KEY$"):
        PydanticAIEmbedder("openai:text-embedding-3-small")
