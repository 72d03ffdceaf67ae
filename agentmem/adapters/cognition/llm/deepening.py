"""From a model's answer to insights that rest on observations it was offered."""

from collections import Counter
from dataclasses import dataclass

from agentmem.adapters.cognition.llm.answers import Deeper, Json, Reviewed, Unusable, items, weight_of
from agentmem.adapters.cognition.llm.grounds import Ground, languages_of, tidy
from agentmem.domain.memory import Modality
from agentmem.domain.statement import Insight, Review
from agentmem.errors import InvalidInput
from agentmem.language.normal import canonical_name, language_of
from agentmem.ports.cognition import ReflectionInput


@dataclass(frozen=True, slots=True)
class Deepener:
    """Checks one answer against one request, counting what it leaves out and why."""

    request: ReflectionInput
    instructions: str
    dropped: Counter[str]

    def insights(self, answer: Json) -> tuple[Insight, ...]:
        """As many new and renewed attributes as were asked for, each once. Raises `Unusable` where none stands."""
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
        if (raw or bad) and not chosen:
            raise Unusable("no insight rests on the numbered observations")
        return tuple(chosen.values())

    def reviews(self, answer: Json) -> tuple[Review, ...]:
        """Decisions about doubtful memories. A number not offered, two decisions on one, or one that stands on nothing
        offered decide nothing."""
        raw, bad = items(answer, "reviews", Reviewed)
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
        inside = all(1 <= number <= len(observations) for number in item.sources)
        if not 1 <= item.doubt <= len(doubtful) or not inside or (item.stands and not item.sources):
            return None
        return Review(
            memory_id=doubtful[item.doubt - 1].memory_id,
            stands=item.stands,
            source_ids=tuple(dict.fromkeys(observations[number - 1].memory_id for number in item.sources)),
        )

    def _insight(self, item: Deeper) -> Insight | None:
        observations = self.request.observations
        if not item.sources or not all(1 <= number <= len(observations) for number in item.sources):
            return self._drop("source")
        ground = self._ground()
        text, value = tidy(item.text), tidy(item.value)
        if fault := ground.fault(text):
            return self._drop(fault)
        if ground.invented_number(value) or not value.isprintable():
            return self._drop("number")
        content = ground.subject(text)
        if content is None:
            return self._drop("subject")
        try:
            return Insight(
                attribute=tidy(item.attr),
                value=value,
                content=content,
                modality=Modality.INFERRED,
                importance=weight_of(item.weight, 6),
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
        )

    def _drop(self, reason: str) -> None:
        self.dropped[reason] += 1
