"""From a model's answer to what it was asked to decide, on nothing but what it was offered: verdicts on pairs, entities
that names mean, scores of passages, insights and reviews.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agentmem.adapters.cognition.llm.grounds import Ground, languages_of, on_one_line
from agentmem.adapters.cognition.llm.output_schemas import (
    Decided,
    Deeper,
    Json,
    RankedAnswer,
    Reviewed,
    SameAnswer,
    Unusable,
    importance_of,
    items,
    numbers,
)
from agentmem.adapters.cognition.llm.prompts import insights_shown
from agentmem.domain.memory import MemoryNode, Modality
from agentmem.domain.naming import canonical_name
from agentmem.domain.staleness import REFLECTED
from agentmem.domain.statement import Insight, Pair, Review, Verdict
from agentmem.errors import InvalidInput
from agentmem.language.normal import digits, language_of
from agentmem.ports.cognition import Doubt, Reflected, ReflectionInput


def verdicts_of(answer: Json, pairs: Sequence[Pair], dropped: Counter[str]) -> tuple[Verdict, ...]:
    """One verdict per pair at most. A number not offered, or two verdicts on one pair, decide nothing.

    `same` on statements whose digits differ is not believed. Raises `Unusable` where no verdict is left of many.
    """
    decided, bad = items(answer, "verdicts", Decided)
    offered = {pair.number: pair for pair in pairs}
    found: dict[int, Verdict] = {}
    unclear: set[int] = set()
    for item in decided:
        pair = offered.get(item.pair)
        if pair is None or (item.verdict == "same" and digits(pair.new) != digits(pair.old)):
            dropped["pair"] += 1
            continue
        verdict = Verdict(number=item.pair, relation=item.verdict)
        if found.setdefault(item.pair, verdict) != verdict:
            unclear.add(item.pair)
    dropped["malformed"] += bad
    dropped["unclear"] += len(unclear)
    kept = tuple(found[number] for number in sorted(found) if number not in unclear)
    if (bad or not decided) and not kept:
        raise Unusable("verdicts")
    return kept


def same_of(answer: Json, doubts: Sequence[Doubt], dropped: Counter[str]) -> dict[int, int]:
    """One entity per name at most. A number that was not offered with that name, or two entities for one name, merge
    nothing. Raises `Unusable` where nothing of what came could be read."""
    said, bad = items(answer, "same", SameAnswer)
    offered = {doubt.number: {each.number for each in doubt.candidates} for doubt in doubts}
    found: dict[int, int] = {}
    unclear: set[int] = set()
    for item in said:
        if item.entity not in offered.get(item.name, ()):
            dropped["entity"] += 1
        elif found.setdefault(item.name, item.entity) != item.entity:
            unclear.add(item.name)
    dropped["malformed"] += bad
    dropped["unclear"] += len(unclear)
    if bad and not said:
        raise Unusable("pairs")
    return {name: entity for name, entity in found.items() if name not in unclear}


BEST: Final = 10


def scores_of(answer: Json, passages: int) -> list[float]:
    """The score of each passage from 1 to `passages`. Raises `Unusable` where one has none, two, or one out of range,
    and where a passage was not offered."""
    ranked, bad = items(answer, "scores", RankedAnswer)
    if bad:
        raise Unusable("scores", count=bad)
    found: dict[int, float] = {}
    for item in ranked:
        if not 1 <= item.passage <= passages:
            raise Unusable("passage", number=item.passage)
        if not 0 <= item.score <= BEST:
            raise Unusable("range", number=item.passage, best=BEST)
        if found.setdefault(item.passage, item.score) != item.score:
            raise Unusable("twice", number=item.passage)
    if missing := [number for number in range(1, passages + 1) if number not in found]:
        raise Unusable("unscored", number=missing[0])
    return [found[number] for number in range(1, passages + 1)]


@dataclass(frozen=True, slots=True)
class ModelDeepener:
    """Checks one answer against one request, counting what it leaves out and why."""

    request: ReflectionInput
    instructions: str
    dropped: Counter[str]

    def reflected(self, answer: Json) -> Reflected:
        """All that stands of the answer. Raises `Unusable` where there were insights and nothing stands."""
        insights, reviews, withdrawn = self._insights(answer), self._reviews(answer), self._withdrawn(answer)
        if answer.get("insights") and not (insights or reviews or withdrawn):
            others = sum(self.dropped.values()) - self.dropped["number"]
            raise Unusable("insights" if others or not self.dropped["number"] else "numbers")
        return Reflected(insights, reviews=reviews, withdrawn=withdrawn)

    def _withdrawn(self, answer: Json) -> tuple[str, ...]:
        """Of what was shown the insights that reflection drew and that are borne out no more, and the observations that
        are over. What is to end on a day that was said keeps that day."""
        drawn = [
            node for node in _numbered(answer, "insights_over", insights_shown(self.request)) if node.kind == REFLECTED
        ]
        over = _numbered(answer, "observations_over", self.request.observations)
        lasting = [node for node in over if node.invalid_at is None]
        return tuple(dict.fromkeys(node.memory_id for node in (*drawn, *lasting)))

    def _insights(self, answer: Json) -> tuple[Insight, ...]:
        """As many new and renewed attributes as were asked for, each once."""
        raw, bad = items(answer, "insights", Deeper)
        self.dropped["malformed"] += bad
        request = self.request
        held = {canonical_name(node.attribute) for node in request.insights if node.attribute}
        room = {True: request.refreshed, False: request.new_attributes}
        chosen: dict[str, Insight] = {}
        for item in raw:
            found = self._insight(item)
            if found is None:
                continue
            name = canonical_name(found.attribute)
            if name in chosen or not room[name in held]:
                self.dropped["surplus"] += 1
                continue
            room[name in held] -= 1
            chosen[name] = found
        return tuple(chosen.values())

    def _reviews(self, answer: Json) -> tuple[Review, ...]:
        """Decisions about doubtful memories. A number not offered, two decisions on one, or one that stands on nothing
        offered decide nothing; of the sources those count that were offered."""
        raw, bad = items(answer, "doubts", Reviewed)
        self.dropped["malformed"] += bad
        found: dict[int, Review] = {}
        unclear: set[int] = set()
        for item in raw:
            review = self._review(item)
            if review is None or found.setdefault(item.doubt, review) != review:
                unclear.add(item.doubt)
        self.dropped["unclear"] += len(unclear)
        return tuple(found[number] for number in sorted(found) if number not in unclear)

    def _review(self, item: Reviewed) -> Review | None:
        doubtful, observations = self.request.doubtful, self.request.observations
        sources = [observations[number - 1] for number in item.sources if 1 <= number <= len(observations)]
        if not 1 <= item.doubt <= len(doubtful) or (item.stands and not sources):
            return None
        return Review(
            memory_id=doubtful[item.doubt - 1].memory_id,
            stands=item.stands,
            source_ids=tuple(dict.fromkeys(node.memory_id for node in sources)),
        )

    def _insight(self, item: Deeper) -> Insight | None:
        observations = self.request.observations
        if not item.sources or not all(1 <= number <= len(observations) for number in item.sources):
            return self._drop("source")
        ground = self._ground()
        text, value = on_one_line(item.text), on_one_line(item.value)
        if fault := ground.fault(text):
            return self._drop(fault)
        if ground.invented_number(value) or not value.isprintable():
            return self._drop("number")
        content = ground.subject(text)
        if content is None:
            return self._drop("subject")
        try:
            return Insight(
                attribute=on_one_line(item.attr),
                value=value,
                content=content,
                modality=Modality.INFERRED,
                importance=importance_of(item.importance, 6),
                language=language_of(content),
                source_ids=tuple(dict.fromkeys(observations[number - 1].memory_id for number in item.sources)),
            )
        except InvalidInput:
            return self._drop("malformed")

    def _ground(self) -> Ground:
        request = self.request
        texts = tuple(node.content for node in request.observations)
        return Ground(
            texts=texts,
            label=request.person.label,
            names=(request.person.name,),
            languages=languages_of(texts, request.language),
            instructions=self.instructions,
            spoken_in=frozenset(node.valid_at.year for node in request.observations),
        )

    def _drop(self, reason: str) -> None:
        self.dropped[reason] += 1


def _numbered(answer: Json, key: str, shown: Sequence[MemoryNode]) -> list[MemoryNode]:
    """Those of the memories shown whose numbers stand under `key`."""
    return [shown[number - 1] for number in numbers(answer, key) if 1 <= number <= len(shown)]
