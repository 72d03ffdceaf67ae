"""From a model's answer to an `Extract`: every name and every quote is led back to the piece, or left out.

A relation stands where one sentence has all its names as words, the two ends within what is quoted, and does
not deny it; what is said of a name, where the sentences about that name say most of its words, and its numbers,
denials and orders.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.llm.grounds import Ground, languages_of, locate, on_one_line
from agentmem.adapters.cognition.llm.output_schemas import Json, RelatedAnswer, ToldAnswer, Unusable, items
from agentmem.adapters.cognition.llm.reading import relation_name
from agentmem.domain.document import MAX_FOUND, Described, Extract, Quoted, Stated
from agentmem.domain.entity import EntityKind, Mention
from agentmem.domain.naming import canonical_name
from agentmem.errors import InvalidInput
from agentmem.language.clauses import Span, sentences
from agentmem.language.names import names_of
from agentmem.language.normal import fold, language_of
from agentmem.language.polarity import is_denied
from agentmem.language.relations import is_stated
from agentmem.language.support_check import has_new_number, has_new_tone, place_of, share_in, stands_in
from agentmem.language.tokens import tokens

_MARKS: Final = re.compile(r"[#:\uff03\uff1a]")
_BULLET: Final = re.compile(r"^\s*(?:[-*•]|\d+[.)、])?\s*")
_GOES_ON: Final = re.compile(
    r"(?:it|its|they|their|he|his|she|her|this|these|that|the|both|also)\b|它|其|他|她|该|本|此|这|同时|也|还",
    re.IGNORECASE,
)
SAID: Final = 0.6
"""The share of a summary's words, the name aside, that stand in what the text says of the name."""

_OPENING, _CLOSING = "(（[［", ")）]］"


@dataclass(slots=True)
class Finder:
    """Checks one answer against one piece, counting what it leaves out and why."""

    text: str
    instructions: str
    dropped: Counter[str] = field(default_factory=Counter[str])
    _ground: Ground = field(init=False)
    _sentences: list[Span] = field(init=False)
    _kinds: dict[str, EntityKind] = field(init=False)

    def __post_init__(self) -> None:
        languages = languages_of((self.text,), language_of(self.text))
        self._ground = Ground((self.text,), "", (), languages, self.instructions)
        self._sentences = sentences(self.text)
        self._kinds = {canonical_name(each.name): each.kind for each in names_of(self.text)}

    def find(self, answer: Json) -> Extract:
        """What stands. Raises `Unusable` where nothing of a non-empty answer does."""
        told, strange = items(answer, "entities", ToldAnswer)
        related, bad = items(answer, "relations", RelatedAnswer)
        self.dropped["malformed"] += bad + strange
        relations = [found for each in related[:MAX_FOUND] if (found := self._stated(each))]
        entities = [found for each in told[:MAX_FOUND] if (found := self._described(each))]
        if (told or related or bad or strange) and not (relations or entities):
            raise Unusable("named")
        return Extract(entities=tuple(entities), relations=tuple(relations))

    def _stated(self, item: RelatedAnswer) -> Stated | None:
        names = [found for name in (item.source, item.target, *item.others) if (found := self._named(name))]
        relation = relation_name(item.rel)
        if len(names) < 2 + len(item.others) or relation is None:
            self.dropped["name" if relation else "relation"] += 1
            return None
        sentence = self._sentence(item.quote, names)
        if sentence is None or canonical_name(names[0].name) == canonical_name(names[1].name):
            self.dropped["loop" if sentence else "quote"] += 1
            return None
        if not is_stated(sentence) or _denied(sentence, names[0], names[1]):
            self.dropped["open"] += 1
            return None
        try:
            return Stated(names=tuple(dict.fromkeys(names)), relation=relation, quote=self._quoted(sentence))
        except InvalidInput:
            self.dropped["malformed"] += 1
            return None

    def _described(self, item: ToldAnswer) -> Described | None:
        mention, summary = self._named(item.name), on_one_line(item.summary)
        sentence = self._sentence("", [mention]) if mention else None
        fault = self._ground.fault(summary)
        if mention is None or sentence is None or fault is not None:
            self.dropped[fault or "name"] += 1
            return None
        if not self._bears_out(summary, mention):
            self.dropped["invented"] += 1
            return None
        return Described(mention=mention, summary=summary, quote=self._quoted(sentence))

    def _named(self, name: str) -> Mention | None:
        """The name as it may stand, if the piece has it: what parts fields in a text form is no part of a name."""
        plain = on_one_line(name)
        if not 1 < len(plain) <= 80 or not plain.isprintable() or not stands_in(plain, self.text):
            return None
        return Mention(name=_MARKS.sub("_", plain), kind=self._kinds.get(canonical_name(plain), "thing"))

    def _sentence(self, quote: str, names: list[Mention]) -> Span | None:
        """The sentence that is quoted, if the quote has the first two names and the sentence all, or else the first
        that has them, as they were before any mark was taken out of them."""
        if not quote:
            return next((each for each in self._sentences if _has_all(each.text, names)), None)
        place = locate(quote, self.text)
        if place is None or not _has_all(self.text[slice(*place)], names[:2]):
            return None
        within = (each for each in self._sentences if each.start <= place[0] < each.end)
        return next((each for each in within if _has_all(each.text, names)), None)

    def _bears_out(self, summary: str, mention: Mention) -> bool:
        """Whether a summary says what the sentences that name the thing, and those that go on about it, say."""
        about: list[str] = []
        follows = False
        for each in self._sentences:
            named = _has_all(each.text, [mention])
            follows = named or (follows and _GOES_ON.match(each.text) is not None)
            about += [each.text + each.terminator] if follows else []
        if has_new_number(summary, about) or has_new_tone(summary, about):
            return False
        own = set(tokens(mention.name))
        return share_in((word for word in tokens(summary) if word not in own), about) >= SAID

    def _quoted(self, sentence: Span) -> Quoted:
        return Quoted(start=sentence.start, end=min(len(self.text), sentence.end + len(sentence.terminator)))


def _marked(text: str) -> str:
    return _MARKS.sub("_", fold(text))


def _has_all(text: str, names: Iterable[Mention]) -> bool:
    plain = _marked(text)
    return all(place_of(name.name, plain) is not None for name in names)


def _denied(sentence: Span, one: Mention, other: Mention) -> bool:
    text = _marked(sentence.text)
    places = sorted(place for name in (one, other) if (place := place_of(name.name, text)))
    if len(places) < 2:
        return True
    (start, end), (start_of_next, end_of_next) = places
    return is_denied(text[:start], text[end:start_of_next], text[end_of_next:])


def from_triples(text: str) -> Json:
    """The answer of a model that writes `(name#summary)` and `(source#relation#target#summary)`, one a line; brackets
    and marks of either width, brackets inside a name left whole. Raises `Unusable` where there is no such line."""
    entities: list[Json] = []
    relations: list[Json] = []
    for line in text.splitlines():
        bare = _BULLET.sub("", line).strip().rstrip(",，;；")
        if bare[:1] in tuple(_OPENING) and bare[-1:] in tuple(_CLOSING):
            parts = [part.strip() for part in re.split("[#\uff03]", bare[1:-1])]
            if len(parts) == 2:
                entities.append({"name": parts[0], "summary": parts[1]})
            elif len(parts) in (3, 4):
                relations.append({"source": parts[0], "rel": parts[1], "target": parts[2], "quote": ""})
    if not (entities or relations):
        raise Unusable("json")
    return {"entities": entities, "relations": relations}
