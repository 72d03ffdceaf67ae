"""Taking words out of a text in whole clauses, with everything that points into it moved along; and which clauses say a
memory or name somebody.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from agentmem import patterns as re
from agentmem.characters import HAN
from agentmem.domain.entity import MENTIONS, mentions_of, named, with_mentions
from agentmem.domain.episode import OF_THE_TURN, title_told
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name, fold
from agentmem.domain.value import JsonValue
from agentmem.language.clauses import clauses, sentences
from agentmem.language.tokens import tokens

Cut = tuple[int, int]

_JOINT = re.compile(
    r"\s+(?:and|but)\s+(?=(?:i|i'm|my|you|your|he|his|she|her|we|our|they|their|it|its|the|there|is|was|has|lives?|works?|likes?|wants?"
    r"|needs?|can|also)\b)|(?:而且|并且|另外|还有|同时|以及|但是|不过)",
    re.IGNORECASE,
)
_HANGING = r"(?:[\s,，;；、]|\b(?:and|but)\b|而且|并且|另外|还有|同时|以及|但是|不过)+"
_BEFORE = re.compile(_HANGING + r"\Z", re.IGNORECASE)
_AFTER = re.compile(_HANGING, re.IGNORECASE)
_ENDING = re.compile(r"[.。!！?？\s]*(?:" + _HANGING + r")?", re.IGNORECASE)


def pieces(text: str) -> list[Cut]:
    """The clauses of a text, joined ones apart, as stretches of it."""
    found: list[Cut] = []
    for clause in (part for sentence in sentences(text) for part in clauses(sentence)):
        begin = clause.start
        for joint in _JOINT.finditer(text, clause.start, clause.end):
            if joint.start() > begin:
                found.append((begin, joint.start()))
                begin = joint.end()
        if begin < clause.end:
            found.append((begin, clause.end))
    return found


def apart(cuts: Iterable[Cut], spared: Iterable[Cut]) -> tuple[Cut, ...]:
    """These stretches without what of them is spared."""
    found = list(cuts)
    for begin, stop in spared:
        parts = (part for start, end in found for part in ((start, min(end, begin)), (max(start, stop), end)))
        found = list(dict.fromkeys((start, end) for start, end in parts if start < end))
    return tuple(found)


def widened(text: str, stretches: Iterable[Cut]) -> tuple[Cut, ...]:
    """The stretches in order, those that meet made one, each with the separators around it that nothing needs then."""
    cuts: list[Cut] = []
    for start, end in sorted(_with_separators(text, cut) for cut in stretches):
        if cuts and start <= cuts[-1][1]:
            cuts[-1] = (cuts[-1][0], max(end, cuts[-1][1]))
        else:
            cuts.append((start, end))
    return tuple(cuts)


def _with_separators(text: str, cut: Cut) -> Cut:
    """What stood before a last clause goes with it, and its full stop stays; of any other, what stands behind goes."""
    start, end = cut
    hanging, following = _BEFORE.search(text, 0, start), _AFTER.match(text, end)
    last = following is None or following.end() == len(text)
    if hanging and last and hanging.group().strip():
        return hanging.start(), end
    ending = _ENDING.match(text, end)
    return start, ending.end() if ending else end


def without(text: str, cuts: Sequence[Cut]) -> str:
    """What is left of the text."""
    kept: list[str] = []
    begin = 0
    for start, end in cuts:
        kept.append(text[begin:start])
        begin = end
    return "".join((*kept, text[begin:]))


def moved(part: Evidence, cuts: Sequence[Cut]) -> Evidence | None:
    """Where the words of a piece of evidence stand after the cuts; None where none of them is left."""
    start, end = _after(part.start, cuts), _after(part.end, cuts)
    return part.revised(start=start, end=end) if start < end else None


def _after(place: int, cuts: Sequence[Cut]) -> int:
    return place - sum(min(end, place) - start for start, end in cuts if start < place)


def still_named(node: MemoryNode, words: Collection[str]) -> dict[str, object]:
    """What a memory mentions, without the names that its remaining words do not say; nothing where all stay."""
    mentions = mentions_of(node)
    kept = tuple(each for each in mentions if set(tokens(each.name)) <= set(words))
    if len(kept) == len(mentions):
        return {}
    gone = {named(node.tenant, node.agent_id, each.name) for each in mentions if each not in kept}
    meta = {name: value for name, value in node.meta_data.items() if name != MENTIONS}
    return {
        "entity_ids": tuple(key for key in node.entity_ids if key not in gone or key == node.target_id),
        "meta_data": {**meta, **with_mentions(kept)},
    }


def still_given(meta: Mapping[str, JsonValue], before: str, after: str) -> dict[str, JsonValue]:
    """What was given along with a text, without what says any word that the text `after` says no more."""
    words = frozenset(tokens(before)) - frozenset(tokens(after))
    return {
        name: value
        for name, value in meta.items()
        if name in OF_THE_TURN or words.isdisjoint(tokens(f"{name} {json.dumps(value, ensure_ascii=False)}"))
    }


VERBATIM = (MemoryType.CONVERSATION, MemoryType.LONGTERM)
"""Types of memories that hold words as they were said or written."""

_HAN = re.compile(f"[{HAN}]")
_LETTER = f"[^\\W{HAN}]"
_SHORTEST = 2


def names_in(node: MemoryNode, target: str | None) -> Iterator[str]:
    """The names that a memory about this target gives it."""
    if node.target_id == target:
        yield node.target_name
        if node.attribute in ("name", "alias") and node.value:
            yield node.value


class NamesOf:
    """The names of one person. One of letters stands by itself, one of Chinese characters anywhere."""

    def __init__(self, names: Iterable[str]) -> None:
        plain = {name for each in names if len(name := canonical_name(each)) >= _SHORTEST}
        forms = sorted(map(_form, plain))
        self._any = re.compile("|".join(forms)) if forms else None

    def stand_in(self, text: str) -> bool:
        """Whether one of them is in the text."""
        return self._any is not None and self._any.search(fold(text)) is not None


def _form(name: str) -> str:
    form = re.escape(name)
    return form if _HAN.search(name) else f"(?<!{_LETTER}){form}(?!{_LETTER})"


def saying(node: MemoryNode, text: str, part: Evidence, beside: Iterable[MemoryNode]) -> list[Cut]:
    """The clauses within a piece of evidence that say the memory: those with its value, else those most like it. Of a
    clause that has the value of another fact as well only the value goes. None says what only the title told that was
    given along with the person."""
    if (title := title_told(node)) is not None and title not in text:
        return []
    within = [cut for cut in pieces(text) if cut[0] < part.end and part.start < cut[1]]
    valued = [cut for cut in within if node.value and node.value in text[slice(*cut)]]
    if valued and node.value:
        shared_with = {other.value for other in beside if other.value and other.value != node.value}
        return [_value_in(text, cut, node.value, shared_with) for cut in valued]
    words = set(tokens(node.content)) - set(tokens(node.target_name))
    shared = {cut: len(words & set(tokens(text[slice(*cut)]))) for cut in within}
    most = max(shared.values(), default=0)
    return [cut for cut, count in shared.items() if count == most] or [(part.start, part.end)]


def is_all_of(nodes: Iterable[MemoryNode], turn: str, cut: Cut) -> bool:
    """Whether one of these was made of nothing of a turn but words in this stretch."""
    start, end = cut
    parts = [[(part.start, part.end) for part in node.evidence if part.memory_id == turn] for node in nodes]
    return any(own and all(start <= begin and stop <= end for begin, stop in own) for own in parts)


def made_of(nodes: Iterable[MemoryNode], turn: str, cut: Cut) -> bool:
    """Whether one of these was made of words in this stretch of a turn."""
    start, end = cut
    parts = (part for node in nodes for part in node.evidence)
    return any(part.memory_id == turn and part.start < end and start < part.end for part in parts)


def clauses_said(node: MemoryNode, words: Iterable[str]) -> list[Cut]:
    """The clauses of a memory that say nothing but these words; none where that is all it says."""
    said, name = {token for each in words for token in tokens(each)}, set(tokens(node.target_name))
    found = pieces(node.content)
    again = [cut for cut in found if (own := set(tokens(node.content[slice(*cut)])) - name) and own <= said]
    return again if len(again) < len(found) else []


def _value_in(text: str, cut: Cut, value: str, others: Collection[str]) -> Cut:
    clause = text[slice(*cut)]
    if not any(other in clause.replace(value, "") for other in others):
        return cut
    start = cut[0] + clause.index(value)
    return start, start + len(value)
