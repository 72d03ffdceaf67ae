"""The pair fact in a statement: how whom it is about is related to something it names."""

from collections.abc import Mapping
from typing import Final

from agentmem.domain.entity import Mention
from agentmem.language.names import names_of
from agentmem.language.normal import canonical_name
from agentmem.language.relations import relations_of

_BY_SLOT: Final[Mapping[str, str]] = {
    "employer": "WORKS_AT",
    "city": "LOCATED_IN",
    "current_system": "USES",
    "alias": "ALSO_CALLED",
}
"""Slots whose value is somebody or something else."""


def pair_in(
    content: str, subject: str, attribute: str | None, value: str | None
) -> tuple[str | None, tuple[Mention, ...]]:
    """The relation of `subject` to the first of the mentions, or None where there is none; and all mentions in the
    statement."""
    mentions = names_of(content)
    other = _filling(mentions, attribute, value)
    if other is not None and attribute in _BY_SLOT:
        return _BY_SLOT[attribute], _first(other, mentions)
    for pair in relations_of(content):
        if canonical_name(pair.source.name) == canonical_name(subject):
            return pair.relation, _first(pair.destination, mentions)
    return None, mentions


def _filling(mentions: tuple[Mention, ...], attribute: str | None, value: str | None) -> Mention | None:
    wanted = canonical_name(value) if attribute and value else None
    return next((each for each in mentions if canonical_name(each.name) == wanted), None)


def _first(other: Mention, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    rest = (each for each in mentions if canonical_name(each.name) != canonical_name(other.name))
    return (other, *rest)
