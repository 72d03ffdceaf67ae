"""The configured reranker is the one that is opened."""

import pytest

from agentmem.adapters.models.structured import ModelReranker
from agentmem.errors import InvalidInput
from agentmem.retrieval.rerank import EpisodeMentions, LexicalOverlap, MarginalRelevance, NodeDistance, RankFusion
from agentmem.runtime.composition import wiring
from agentmem.runtime.configuration.settings import RecallSettings, Settings


def choosing(name: str) -> Settings:
    return Settings(recall=RecallSettings(reranker=name))


async def test_nothing_is_reranked_unless_asked_for() -> None:
    async with wiring.reranker(Settings()) as reranker:
        assert reranker is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("rrf", RankFusion),
        ("mmr", MarginalRelevance),
        ("mentions", EpisodeMentions),
        ("distance", NodeDistance),
        ("overlap", LexicalOverlap),
        ("openai-chat:some-model", ModelReranker),
    ],
)
async def test_a_reranker_is_opened_by_its_name(name: str, kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    async with wiring.reranker(choosing(name)) as reranker:
        assert type(reranker) is kind


async def test_a_local_model_that_cannot_be_used_is_one_clear_line() -> None:
    # Without the extra the line installs it, with it the line names the model.
    with pytest.raises(InvalidInput, match=r"pip install|'nobody/nothing' is neither"):
        async with wiring.reranker(choosing("fastembed:nobody/nothing")):
            pass


async def test_an_unknown_provider_is_named() -> None:
    with pytest.raises(InvalidInput, match="nobody:x"):
        async with wiring.reranker(choosing("nobody:x")):
            pass
