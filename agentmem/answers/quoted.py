"""What was said that may bear on a question which nothing surely answers: the best that was found, each with its day,
told as what was said and not as the answer."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from agentmem.answers.extractive import AHEAD, ExtractedAnswer, gives_reason
from agentmem.answers.modes import held_from_to
from agentmem.answers.passages import Looked, Passage
from agentmem.answers.thin_evidence import WHETHER
from agentmem.domain.episode import is_blotted
from agentmem.domain.memory import MemoryType, Modality
from agentmem.language.cues import topics_of
from agentmem.language.gists import gist_of
from agentmem.language.normal import language_of
from agentmem.language.synonyms import kin_in, senses
from agentmem.language.tokens import tokens
from agentmem.questions.form import Wanted, has, wanted_by
from agentmem.questions.question import asked_for
from agentmem.questions.wanted_kind import is_a_question, is_of_the_kind
from agentmem.questions.whose import is_of_another
from agentmem.retrieval.wording import WORDINGS

MOST = 3
"""Passages that are quoted."""

_SAID = (MemoryType.CONVERSATION, MemoryType.OBSERVATION)
_AS_STATED = (Modality.STATED, Modality.NEGATED)


def quoted(question: str, looked: Looked, now: datetime, as_of: datetime | None = None) -> ExtractedAnswer:
    """The first few of what was found that somebody said of himself, each on a line of its own with its number; nothing
    where an attribute is asked for: what fills it is known as such, and what fills another one is beside the point."""
    likely = [one for one in looked.ranked[:MOST] if _may_be_quoted(one, question)]
    chosen = [one for one in likely if one.score * AHEAD >= likely[0].score or _shares(one, question)]
    if asked_for(question) or not _bears_on(question, chosen):
        return ExtractedAnswer(None, ())
    sources = tuple(replace(one, span=held_from_to(one.memory, question, now, as_of)) for one in chosen)
    lines = [f"{one.text}{one.note} [{number}]" for number, one in enumerate(sources, start=1)]
    return ExtractedAnswer("\n".join((WORDINGS[language_of(question)].unsure, *lines)), sources)


def _shares(one: Passage, question: str) -> bool:
    """Whether it shares a word with the question beside names, or a topic."""
    said, named = one.memory.content, frozenset(tokens(" ".join(_names(one))))
    shared = senses(frozenset(tokens(question)) - named) & senses(tokens(said))
    return bool(shared) or not topics_of(question).isdisjoint(topics_of(said))


def _bears_on(question: str, chosen: Sequence[Passage]) -> bool:
    """Whether one has the kind of thing that is asked for, one speaks of the relative that is, and one gives a reason
    where that is asked for."""
    texts, wanted = [one.text for one in chosen], wanted_by(question)
    return (
        any(_is_of_the_kind(one, wanted, question) for one in chosen)
        and kin_in(question) <= kin_in(" ".join(texts))
        and any(gives_reason(question, text) for text in texts)
    )


def _is_of_the_kind(one: Passage, wanted: Wanted | None, question: str) -> bool:
    if wanted == "number" and not has(one.text, wanted, question):
        return False
    return is_of_the_kind(wanted, one.text, question, _names(one))


def _may_be_quoted(one: Passage, question: str) -> bool:
    node = one.memory
    if node.memory_type not in _SAID or node.modality not in _AS_STATED or not one.text or is_blotted(one.text):
        return False
    said = one.text.removeprefix(f"{node.speaker}: ")
    asks = node.speaker != node.target_name and is_a_question(said)
    if asks or is_of_another(said, question, _names(one)):
        return False
    return WHETHER.search(question) is not None or not gist_of(node.content, (node.target_name,)).only_ends


def _names(one: Passage) -> tuple[str, ...]:
    return tuple(name for name in (one.memory.target_name, one.memory.speaker, one.memory.user_name) if name)
