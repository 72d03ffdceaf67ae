"""What the agent reads back of a turn, told with the words it is of: Ann says "drop it to four", and Tess confirms
"Four bags a month". Each alone hangs on the talk around it; together they say what was agreed.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.changes import refuses
from agentmem.adapters.cognition.rules.findings import keys_of
from agentmem.adapters.cognition.rules.model import (
    Act,
    Clause,
    Discourse,
    Finding,
    Span,
    language_of,
    pieces,
    plain,
    sentences,
)
from agentmem.adapters.cognition.rules.paraphrase import rejects
from agentmem.adapters.cognition.rules.retelling import echoed, retold_zh
from agentmem.domain.statement import Turn, Window
from agentmem.language.names import names_of
from agentmem.language.polarity import denies
from agentmem.language.tokens import content_terms
from agentmem.language.typed_values import typed_values

_LONGEST: Final = 100
"""Characters of the longest words that are told of either side."""
_TELLING: Final = 2
"""Words without which the two say nothing together."""
_SAID: Final = (Act.ASSERT, Act.REQUEST)
_OTHERS: Final = re.compile(r"\b(?:he|she|him|his|hers?|they|them|theirs?|mrs?|ms|miss|dr)\b|[他她]", re.IGNORECASE)
"""Somebody else is spoken of: what is read back may be his."""


def read_back(
    clauses: Sequence[Clause], found: Iterable[Finding], reply: Turn | None, window: Window, discourse: Discourse
) -> Iterator[Finding]:
    """The clauses of a turn of which nothing was found and that the agent's `reply` begins by reading back, unless the
    person then denies it."""
    if reply is None:
        return
    after = window.turns[window.turns.index(reply) + 1 :][:1]
    if any(rejects(each.text.strip()) for each in after if not each.by_agent):
        return
    confirmed = _first_sentence(reply.text)
    if confirmed is None or refuses(reply.text) or _OTHERS.search(f"{discourse.turn.text} {confirmed}"):
        return
    told = [span for each in found for span in each.spans]
    said = [
        each
        for each in clauses
        if each.act in _SAID
        and not any(span.start < each.span.end and each.span.start < span.end for span in told)
        and not denies(each.text)
        and _repeats(confirmed, each.text, discourse.turn.at)
    ]
    if not said or said[-1].span.end - said[0].span.start > _LONGEST:
        return
    span = Span(said[0].span.start, said[-1].span.end)
    words = plain(discourse.turn.text)[span.start : span.end].replace('"', "")
    confirmed = _part(confirmed, words, discourse.turn.at)
    if sum(1 for term in content_terms(f"{words} {confirmed}") if len(term) > 1) < _TELLING:
        return
    yield Finding(
        content=_both(words, confirmed, discourse),
        kind="agreed",
        importance=5,
        lang=language_of(confirmed),
        spans=(span,),
        key=keys_of(f"{words} {confirmed}", (discourse.label, discourse.person.name)),
        cited=((reply.turn_id, Span(0, len(confirmed))),),
    )


def _first_sentence(text: str) -> str | None:
    """The words that a reply begins with, where they ask nothing and are short."""
    body = plain(text)
    first = next(sentences(body), None)
    if first is None or first.mark == "?" or first.end > _LONGEST:
        return None
    return body[: first.end].replace('"', "'")


def _part(confirmed: str, said: str, at: datetime) -> str:
    """The words of the agent up to the last of their parts that repeat what was said: the rest is of other matters."""
    parts = list(pieces(confirmed, 0, len(confirmed)))
    ends = [each.end for each in parts if _repeats(confirmed[each.start : each.end], said, at)]
    return confirmed[: ends[-1]] if ends else confirmed


def _repeats(confirmed: str, said: str, at: datetime) -> bool:
    """Whether both have a value or a name, or two words."""
    values = {(each.kind, each.value) for each in typed_values(said, at)}
    names = {each.name for each in names_of(said)}
    return (
        any((each.kind, each.value) in values for each in typed_values(confirmed, at))
        or any(each.name in names for each in names_of(confirmed))
        or len(content_terms(said) & content_terms(confirmed)) > 1
    )


def _both(words: str, confirmed: str, discourse: Discourse) -> str:
    if language_of(confirmed) == "zh":
        return f"{discourse.label}说“{retold_zh(words, '自己', '对方')}”，{discourse.agent_name}确认“{confirmed}”"
    said = echoed(words, discourse.agent_name)
    return f'{discourse.label} says "{said}", and {discourse.agent_name} confirms "{confirmed}"'
