"""Character Cards of version 2 and 3: who somebody is, and a lorebook.

What orders a model about (`system_prompt`, `post_history_instructions`) stays off unless it is asked for; decorators of
the lorebook are taken off; keys that are regular expressions are dropped and never run.
"""

from collections.abc import Iterator

from agentmem import patterns as re
from agentmem.agents.bundle.foreign.found import Dropped, Foreign, Passage, name_of
from agentmem.agents.bundle.foreign.loose import Mapping, first_text, mapping, mappings, text, texts
from agentmem.domain.memory import MemoryType
from agentmem.domain.value import JsonValue

SPECS = {"chara_card_v2": "character card v2", "chara_card_v3": "character card v3"}
_LEFT_BEHIND = (
    *("creator_notes", "creator_notes_multilingual", "tags", "creator", "character_version", "extensions", "assets"),
    *("source", "group_only_greetings", "creation_date", "modification_date"),
)
_DECORATOR = re.compile(r"^@@+[^\n]*\n?", re.MULTILINE)
_LOOKS_LIKE_REGEX = re.compile(r"^/.+/[a-z]*$", re.DOTALL)
_MACROS = re.compile(r"\{\{(char|user)\}\}|<(bot|user|char)>", re.IGNORECASE)
_MOST_KEYS = 32


def is_card(tree: JsonValue) -> bool:
    """Whether this is a card."""
    return text(mapping(tree).get("spec")) in SPECS and isinstance(mapping(tree).get("data"), dict)


def read_card(tree: JsonValue, *, accept_instructions: bool, person: str) -> Foreign:
    """The character as a persona, its lorebook, greetings and examples as long-term memories."""
    data, dropped = mapping(mapping(tree).get("data")), Dropped()
    name = name_of(first_text(data, "nickname", "name"), "") or None
    shown = _Shown(name or "", person)
    for field in _LEFT_BEHIND:
        dropped.note_given(field, data.get(field))
    orders = [shown.text(data.get(field)) for field in ("system_prompt", "post_history_instructions")]
    if not accept_instructions:
        named = ("system_prompt", "post_history_instructions")
        dropped.note("instructions", (field for field, order in zip(named, orders, strict=True) if order))
        orders = ["", ""]
    role = "\n\n".join(filter(None, (orders[0], *map(shown.text, (data.get("description"), data.get("scenario"))))))
    passages = (*_samples(data, shown), *_lore(mapping(data.get("character_book")), shown, dropped))
    said = SPECS[text(mapping(tree).get("spec"))]
    boundaries = (orders[1],) if orders[1] else ()
    return Foreign(said, name, role, shown.text(data.get("personality")), passages, dropped, boundaries)


class _Shown:
    """Texts with the names put where cards leave a gap for them."""

    def __init__(self, name: str, person: str) -> None:
        self._name, self._person = name, person

    def text(self, value: JsonValue) -> str:
        return _MACROS.sub(self._named, text(value))

    def _named(self, found: re.Match) -> str:
        return self._person if "user" in found[0].casefold() else self._name or found[0]


def _samples(data: Mapping, shown: _Shown) -> Iterator[Passage]:
    greetings = (text(data.get("first_mes")), *texts(data.get("alternate_greetings")))
    for kind, given in (*(("greeting", each) for each in greetings), ("example", text(data.get("mes_example")))):
        if given:
            yield Passage(MemoryType.LONGTERM, shown.text(given), None, kind=kind)


def _lore(book: Mapping, shown: _Shown, dropped: Dropped) -> Iterator[Passage]:
    dropped.note_given("extensions of the lorebook", book.get("extensions"))
    for entry in mappings(book.get("entries")):
        called = first_text(entry, "name", "comment") or ", ".join(texts(entry.get("keys"))[:3])
        if entry.get("enabled") is False:
            dropped.note("lorebook entries that are off", [called])
            continue
        dropped.note_given("extensions of lorebook entries", entry.get("extensions"))
        content, orders = _DECORATOR.subn("", text(entry.get("content")))
        dropped.note("decorators", count=orders)
        if content.strip():
            keys = _keys(entry, dropped)
            yield Passage(MemoryType.LONGTERM, shown.text(content), None, kind="lore", key=keys)
        else:
            dropped.note("lorebook entries without words", [called])


def _keys(entry: Mapping, dropped: Dropped) -> tuple[str, ...]:
    """The plain words an entry is found by."""
    given = [*texts(entry.get("keys")), *texts(entry.get("secondary_keys"))]
    patterns = [key for key in given if entry.get("use_regex") is True or _LOOKS_LIKE_REGEX.match(key)]
    dropped.note("regular expressions as keys", patterns)
    plain = [name_of(key, "") for key in given if key not in patterns]
    return tuple(dict.fromkeys(filter(None, plain)))[:_MOST_KEYS]
