"""Names of persons, organisations, products, places and projects in Chinese and English text.

A missed name costs a link, a false one an entity that nobody meant: where nothing speaks for a name, there is none.
"""

from typing import Final

from agentmem.domain.entity import Mention
from agentmem.domain.naming import canonical_name
from agentmem.language.names_en import english_names
from agentmem.language.names_zh import chinese_names
from agentmem.language.normal import is_han

LONGEST: Final = 8_000
"""Characters of a text that are looked through."""

LONGEST_NAME: Final = 80

MOST: Final = 16
"""Names taken from one text, in the order of their first appearance."""


def names_of(text: str) -> tuple[Mention, ...]:
    """The names in a text, each once, in the order in which they appear; of several kinds the first that is known."""
    plain = text[:LONGEST]
    chinese = chinese_names(plain) if any(map(is_han, plain)) else ()
    found: dict[str, Mention] = {}
    for _, name, kind in sorted((*chinese, *english_names(plain)), key=lambda item: item[0]):
        key = canonical_name(name)
        if (
            key
            and name.isprintable()
            and len(name) <= LONGEST_NAME
            and (key not in found or found[key].kind == "thing")
        ):
            found[key] = Mention(name=found[key].name if key in found else name, kind=kind)
    return tuple(found.values())[:MOST]
