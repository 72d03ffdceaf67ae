"""Any language model as a reranker: one structured call that gives each numbered passage a score."""

from collections.abc import Callable, Sequence
from typing import Final

import structlog

from agentmem.adapters.cognition.llm.caller import Log, ModelCaller
from agentmem.adapters.cognition.llm.decisions import scores_of
from agentmem.adapters.cognition.llm.model_connection import LlmOptions, ModelBacked, open_guarded
from agentmem.adapters.cognition.llm.output_schemas import Json
from agentmem.adapters.cognition.llm.prompts import new_nonce, rank_prompt
from agentmem.ports.models import Inquiry, Rankable

MAX_PASSAGES: Final = 60
"""Passages scored in one call; those behind them rank behind them."""

UNREAD: Final = -1.0
"""The relevance of a passage that was not sent: below every score."""


class ModelReranker(ModelBacked):
    """`Reranker` through any model. Close it with `async with` or `aclose`.

    Passages are quoted data to the model, and what it answers is believed only where it gives each of them, and no
    other, one score from 0 to 10.
    """

    def __init__(self, options: LlmOptions, *, nonce: Callable[[], str] = new_nonce) -> None:
        super().__init__(open_guarded(options), options)
        self._nonce = nonce
        self._caller = ModelCaller(self._opened.model, options)
        self._log: Log = structlog.get_logger(__name__)

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """Scores from 0 to 10. See `Reranker.rerank`."""
        if not items:
            return []
        passages = [item.memory.content for item in items[:MAX_PASSAGES]]
        prompt = rank_prompt(inquiry.text, passages, self._options.max_tokens_per_window, self._nonce)

        def check(answer: Json) -> list[float]:
            return scores_of(answer, len(passages))

        scores, usage = await self._caller.ask(prompt, check)
        spent = {"tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out}
        self._log.info("passages_ranked", model=self._options.name, passages=len(passages), **spent)
        return scores + [UNREAD] * (len(items) - len(passages))
