"""The `llm` engine of cognition: a window, a set of pairs or a person's observations, each in one call to a model."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

import structlog

from agentmem.adapters.cognition.llm.caller import Log, ModelCaller
from agentmem.adapters.cognition.llm.decisions import ModelDeepener, same_of, verdicts_of
from agentmem.adapters.cognition.llm.extracting import Finder
from agentmem.adapters.cognition.llm.model_connection import LlmOptions, ModelBacked, open_guarded, utc_now
from agentmem.adapters.cognition.llm.output_schemas import Json
from agentmem.adapters.cognition.llm.prompts import (
    extract_prompt,
    judge_prompt,
    new_nonce,
    offered_turns,
    read_prompt,
    reflect_prompt,
    resolve_prompt,
)
from agentmem.adapters.cognition.llm.reading import ModelReader
from agentmem.adapters.cognition.llm.spoken_of import spoken_of
from agentmem.domain.document import Extract
from agentmem.domain.statement import Pair, Reading, Verdict, Window
from agentmem.ports.cognition import Doubt, Extracted, Judged, Read, Reflected, ReflectionInput, Resolved, UnreadPassage

MAX_PAIRS: Final = 60
"""Pairs judged in one call; the others stay undecided."""


class LlmCognition(ModelBacked):
    """`Cognition` through any model. Budgets and the breaker run on real time even where a scenario's clock does not:
    it is a real service that is paid and waited for. Close it with `async with` or `aclose`.
    """

    def __init__(
        self,
        options: LlmOptions,
        *,
        now: Callable[[], datetime] = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
        nonce: Callable[[], str] = new_nonce,
        spent_today: int = 0,
    ) -> None:
        super().__init__(open_guarded(options, now=now, monotonic=monotonic, spent_today=spent_today), options)
        self._nonce = nonce
        self._caller = ModelCaller(self._opened.model, options)
        self._log: Log = structlog.get_logger(__name__)

    @property
    def compares(self) -> bool:
        """See `Comparing`."""
        return True

    async def read(self, window: Window) -> Read:
        """See `Cognition.read`."""
        held = spoken_of(window)
        prompt = read_prompt(window, held, self._options.max_tokens_per_window, self._nonce)
        offered = offered_turns(window)
        dropped: Counter[str] = Counter()

        def check(answer: Json) -> Reading:
            reader = ModelReader(window, offered, held, prompt.instructions, dropped)
            return reader.read(answer)

        reading, usage = await self._caller.ask(prompt, check)
        self._report("read", dropped)
        return Read(reading, usage)

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        """See `Cognition.judge`."""
        if not pairs:
            return Judged(())
        # Some pairs may have been decided before: a model is shown no gaps.
        asked = [pair.revised(number=place) for place, pair in enumerate(pairs[:MAX_PAIRS], start=1)]
        dropped: Counter[str] = Counter()

        def check(answer: Json) -> tuple[Verdict, ...]:
            return verdicts_of(answer, asked, dropped)

        verdicts, usage = await self._caller.ask(judge_prompt(asked, self._nonce), check)
        self._report("judge", dropped)
        return Judged(tuple(each.revised(number=pairs[each.number - 1].number) for each in verdicts), usage)

    async def reflect(self, request: ReflectionInput) -> Reflected:
        """See `Cognition.reflect`."""
        if len(request.observations) < 2 and not (request.doubtful or request.insights):
            return Reflected(())  # nothing that no single observation says
        prompt = reflect_prompt(request, self._options.max_tokens_per_window, self._nonce)
        dropped: Counter[str] = Counter()

        def check(answer: Json) -> Reflected:
            return ModelDeepener(request, prompt.instructions, dropped).reflected(answer)

        reflected, usage = await self._caller.ask(prompt, check)
        self._report("reflect", dropped)
        return replace(reflected, usage=usage)

    async def resolve(self, doubts: Sequence[Doubt]) -> Resolved:
        """See `Resolver.resolve`."""
        if not doubts:
            return Resolved({})
        dropped: Counter[str] = Counter()

        def check(answer: Json) -> dict[int, int]:
            return same_of(answer, doubts, dropped)

        same, usage = await self._caller.ask(resolve_prompt(doubts, self._nonce), check)
        self._report("resolve", dropped)
        return Resolved(same, usage)

    @property
    def extracts(self) -> bool:
        """A model finds what rules do not."""
        return True

    async def extract(self, passage: UnreadPassage) -> Extracted:
        """See `Extractor.extract`."""
        prompt = extract_prompt(passage, self._options.max_tokens_per_window, self._nonce)
        dropped: Counter[str] = Counter()

        def check(answer: Json) -> Extract:
            return Finder(passage.text, prompt.instructions, dropped).find(answer)

        extract, usage = await self._caller.ask(prompt, check)
        self._report("extract", dropped)
        return Extracted(extract, usage)

    def _report(self, task: str, dropped: Counter[str]) -> None:
        if counts := {reason: count for reason, count in dropped.items() if count}:
            self._log.info("model_items_dropped", task=task, model=self.name, **counts)
