"""Names of persons, organisations, products, places and projects in Chinese and English text.

A missed name costs a link, a false one an entity that nobody meant: where nothing speaks for a name, there is none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from agentmem import patterns as re
from agentmem.bounded_cache import bounded_cache
from agentmem.characters import has_han
from agentmem.domain.entity import Mention
from agentmem.domain.naming import canonical_name
from agentmem.language.names_en import closing_word, english_names
from agentmem.language.names_zh import chinese_names, closing_noun
from agentmem.language.same_names import has_legal_form

MAX_CHARS: Final = 8_000
"""Characters of a text that are looked through."""

LONGEST_NAME: Final = 80

MOST: Final = 16
"""Names taken from one text, in the order of their first appearance."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A name where it stands: `text[start:end] == mention.name`."""

    start: int
    end: int
    mention: Mention


_HEADING_ROW = re.compile(r"(?m)^(?P<row>[ \t]*\|[^\n]*)\n[ \t]*\|[ \t|:-]*-[ \t|:-]*$")
"""The first row of a table, which says what its columns are."""


@bounded_cache(2_048, longest=300)  # a question is read again beside every sentence that might answer it
def placed_names(text: str) -> tuple[Placed, ...]:
    """The names in a text in order, as often as they appear; of two that overlap the one that begins first, and is
    longer."""
    plain = text[:MAX_CHARS]
    chinese = chinese_names(plain) if has_han(plain) else ()
    headings = [row.span("row") for row in _HEADING_ROW.finditer(plain)]
    found: list[Placed] = []
    for start, name, kind in sorted((*chinese, *english_names(plain)), key=lambda item: (item[0], -len(item[1]))):
        end = start + len(name)
        if any(first <= start < last for first, last in headings):
            continue
        if plain[start:end] == name and _is_name(name) and (not found or start >= found[-1].end):
            found.append(Placed(start, end, Mention(name=name, kind=kind)))
    return tuple(found)


def _is_name(name: str) -> bool:
    """Whether it may be kept as a name: printable, without outer blanks, and something besides marks."""
    return name.isprintable() and name == name.strip() and len(name) <= LONGEST_NAME and bool(canonical_name(name))


def names_of(text: str) -> tuple[Mention, ...]:
    """The names in a text, each once, in the order in which they appear; of several kinds the first that is known."""
    return each_once(placed_names(text))


def names_person(name: str) -> bool:
    """Whether nothing in a name says that it names something else than a person: a company, a system, a city."""
    if has_legal_form(name) or closing_noun(name) or closing_word(name):
        return False
    return all(mention.kind in ("person", "thing") for mention in names_of(name))


def each_once(placed: Iterable[Placed]) -> tuple[Mention, ...]:
    """The same of names that were found already."""
    found: dict[str, Mention] = {}
    for each in placed:
        key, kind = canonical_name(each.mention.name), each.mention.kind
        if key not in found:
            found[key] = each.mention
        elif found[key].kind == "thing":
            found[key] = found[key].revised(kind=kind)
    return tuple(found.values())[:MOST]
