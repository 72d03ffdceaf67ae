"""Marks: the words that give somebody away, looked for in texts however these are spelled."""

from base64 import b64decode
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import unescape
from urllib.parse import unquote

from agentmem import patterns as re
from agentmem.agents.copying.called import ORDINARY, RUNS_ON, han_forms, latin_parts
from agentmem.agents.copying.spelling import joined, plain, readings, words
from agentmem.domain.naming import HAN, canonical_name

_SHORTEST_CONTACT = 5
_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile(f"[^\\W\\d_{HAN}]+")
_ENCODED = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{12,}={0,2}")


class Marks:
    """Names, what people are called by them, and how they are reached. Looking a text through costs what the text is
    long, however many people there are: 0.5 ms for 600 characters and 20,000 people."""

    def __init__(self) -> None:
        self._joined: set[str] = set()
        self._loose: set[str] = set()
        self._lengths: defaultdict[str, set[int]] = defaultdict(set)
        self._phrases: set[tuple[str, ...]] = set()
        self._counts: defaultdict[str, set[int]] = defaultdict(set)
        self._parts: set[str] = set()

    def add_names(self, names: Iterable[str], *, parts: bool, generic: Collection[str] = ()) -> None:
        """Names of one person; with `parts`, also what he may be called by them, but for `generic` words."""
        for name in names:
            self._add(name)
            if parts:
                forms = set(han_forms(name)) - self._joined
                self._loose |= forms
                self._add_joined(forms)
                self._parts.update(word for word in latin_parts(name) if word not in generic)

    def add_contacts(self, contacts: Iterable[str]) -> None:
        """Numbers and addresses, found in whatever groups they are written."""
        forms = (joined(plain(contact)) for contact in contacts)
        self._add_joined(form for form in forms if len(form) >= _SHORTEST_CONTACT)

    def add_words(self, given: Iterable[str]) -> None:
        """Words that are nobody's name and yet somebody's own."""
        for word in given:
            self._add(word)

    def _add(self, name: str) -> None:
        spelled = plain(canonical_name(name))
        if len(spelled) < 2:
            return
        if _HAN.search(spelled):
            self._add_joined([spelled])
        elif spelled in ORDINARY:
            self._parts.add(spelled)
        elif split := tuple(words(spelled)):
            self._add_phrase(split)
            self._add_phrase(("".join(split),))

    def _add_joined(self, forms: Iterable[str]) -> None:
        for form in map(joined, forms):
            if len(form) > 1:
                self._joined.add(form)
                self._lengths[form[:2]].add(len(form))

    def _add_phrase(self, split: tuple[str, ...]) -> None:
        self._phrases.add(split)
        self._counts[split[0]].add(len(split))

    def within(self, text: str) -> str | None:
        """A mark the text holds, or None."""
        found = self._read(text)
        if found is None:
            found = next(filter(None, map(self._read, _decoded(text))), None)
        return found

    def _read(self, text: str) -> str | None:
        spelled = plain(text)
        found = self._closely(joined(spelled))
        for split in readings(spelled) if found is None else ():
            found = found or self._word_by_word(split) or self._part(split, text)
        return found

    def _closely(self, text: str) -> str | None:
        for place in range(len(text) - 1):
            for length in self._lengths.get(text[place : place + 2], ()):
                mark = text[place : place + length]
                if mark in self._joined and not self._runs_on(mark, text[place + length : place + length + 1]):
                    return mark
        return None

    def _runs_on(self, mark: str, after: str) -> bool:
        return bool(after) and mark in self._loose and after in RUNS_ON.get(mark[-1], "")

    def _word_by_word(self, split: Sequence[str]) -> str | None:
        for place, word in enumerate(split):
            for count in self._counts.get(word, ()):
                if tuple(split[place : place + count]) in self._phrases:
                    return " ".join(split[place : place + count])
        return None

    def _part(self, split: Iterable[str], text: str) -> str | None:
        """A part of a name; one that is a word as well only with a capital."""
        for word in self._parts.intersection(split):
            if word not in ORDINARY or any(plain(one) == word for one in _LATIN.findall(text) if one[0].isupper()):
                return word
        return None


def _decoded(text: str) -> Iterator[str]:
    """What stands in a text in base64, and the text where it stands in the codes of web addresses or pages."""
    if "%" in text or "&#" in text:
        yield unquote(unescape(text))
    for found in _ENCODED.finditer(text):
        code = found[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            yield b64decode(code + "=" * (-len(code) % 4), validate=True).decode()
        except ValueError:
            continue
