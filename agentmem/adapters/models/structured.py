"""Any language model as a narrator and as a reranker: one structured call that answers from numbered passages, one that
takes a question apart, one that sums facts up, and one that gives each numbered passage a score."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import structlog

from agentmem.adapters.cognition.llm.caller import Log, ModelCaller
from agentmem.adapters.cognition.llm.decisions import scores_of
from agentmem.adapters.cognition.llm.model_connection import LlmOptions, ModelBacked, open_guarded
from agentmem.adapters.cognition.llm.output_schemas import Json, Unusable, numbers, texts
from agentmem.adapters.cognition.llm.prompts import answer_prompt, new_nonce, rank_prompt, split_prompt, summary_prompt
from agentmem.ports.models import Inquiry, Narrated, Rankable, Split, Summary

MAX_CHARS: Final = 8_000
"""Characters of an answer; a longer one was not asked for."""

LONGEST_PART: Final = 500
"""Characters of one question out of several."""


class ModelNarrator(ModelBacked):
    """`Narrator` through any model. Close it with `async with`.

    Passages are quoted data to the model, and an answer is believed only where it names offered passages.
    """

    def __init__(self, options: LlmOptions, *, nonce: Callable[[], str] = new_nonce) -> None:
        super().__init__(open_guarded(options), options)
        self._nonce = nonce
        self._caller = ModelCaller(self._opened.model, options)

    async def answer(
        self,
        question: str,
        passages: Sequence[str],
        graph: Sequence[str] = (),
        *,
        choices: Sequence[str] = (),
        today: str | None = None,
    ) -> Narrated:
        """See `Narrator.answer`."""
        budget = self._options.max_tokens_per_window
        prompt = answer_prompt(question, passages, graph, budget, self._nonce, choices, today)

        def check(answer: Json) -> Narrated:
            told = _told(answer, len(passages))
            return _chosen(told, choices) if choices else told

        told, usage = await self._caller.ask(prompt, check)
        return replace(told, usage=usage)

    async def split(self, question: str, *, most: int) -> Split:
        """See `Narrator.split`."""
        prompt = split_prompt(question, most, self._options.max_tokens_per_window, self._nonce)

        def check(answer: Json) -> tuple[str, ...]:
            return _parts(answer, most)

        parts, usage = await self._caller.ask(prompt, check)
        return Split(parts, usage)

    async def summarise(self, question: str, facts: Sequence[str]) -> Summary:
        """See `Narrator.summarise`."""
        prompt = summary_prompt(question, facts, self._options.max_tokens_per_window, self._nonce)
        text, usage = await self._caller.ask(prompt, _summed_up)
        return Summary(text, usage)


def _chosen(told: Narrated, choices: Sequence[str]) -> Narrated:
    """Raises `Unusable` for what is no number of a choice."""
    if told.text is None:
        return told
    number = int(told.text) if told.text.isascii() and told.text.isdigit() else 0
    if not 1 <= number <= len(choices):
        raise Unusable("choice", most=len(choices))
    return replace(told, text=choices[number - 1], choice=number)


def _parts(answer: Json, most: int) -> tuple[str, ...]:
    """Raises `Unusable` for none, for too many and for long ones."""
    parts = tuple(dict.fromkeys(texts(answer, "questions")))
    if not 1 <= len(parts) <= most or max(map(len, parts)) > LONGEST_PART:
        raise Unusable("questions", most=most)
    return parts


def _summed_up(answer: Json) -> str:
    """Raises `Unusable` for what is no text, or a long one."""
    text = answer.get("summary")
    if not isinstance(text, str) or len(text) > MAX_CHARS:
        raise Unusable("long", key="summary")
    return text.strip()


def _told(answer: Json, passages: int) -> Narrated:
    """Raises `Unusable` for an answer without a passage it rests on, or with one that was not offered."""
    text = answer.get("answer")
    if not isinstance(text, str) or len(text) > MAX_CHARS:
        raise Unusable("long", key="answer")
    if not text.strip():
        return Narrated(None)
    cited = tuple(sorted(set(numbers(answer, "passages"))))
    if not cited:
        raise Unusable("unfounded")
    if strange := [number for number in cited if not 1 <= number <= passages]:
        raise Unusable("passage", number=strange[0])
    return Narrated(text.strip(), cited)


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
