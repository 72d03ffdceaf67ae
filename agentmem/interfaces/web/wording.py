"""The page's words in the languages it speaks; each is one folder of JSON files, one file a page."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal, cast

PageLanguage = Literal["en", "zh"]
LANGUAGES: Final[Mapping[PageLanguage, str]] = {"en": "English", "zh": "中文"}
"""Each by the name it has for itself."""

HTML_LANGUAGE: Final[Mapping[PageLanguage, str]] = {"en": "en", "zh": "zh-Hans"}
ENGINE: Final = "engine."
"""Of the file whose English words are the engine's own, with `{}` for what it fills in."""

_MAX_WORD: Final = 40
"""Characters of a line that make its word."""

_MAX_ACCEPTED: Final = 200
"""Characters of an `Accept-Language` that are looked at."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language, by file and key: `agents.title`."""

    language: PageLanguage
    texts: Mapping[str, str]

    def __call__(self, word: str, **parts: object) -> str:
        """The words for this, with its parts filled in. Raises `KeyError` for a word that there is not."""
        return self.texts[word].format(**parts) if parts else self.texts[word]

    def of_engine(self, told: str, otherwise: str | None = None) -> str:
        """A line of the engine in this language; what it does not know by heart is `otherwise`, or as it is."""
        if self.language == "en":
            return told
        for word, line in _engine_lines():
            if (parts := _parts_in(told, line)) is not None:
                return self.texts[word].format(*parts)
        return self.known(_word_of(told), told if otherwise is None else otherwise)

    def known(self, word: str, otherwise: str) -> str:
        """The words for this, or these others where there are none."""
        return self.texts.get(word, otherwise)


@lru_cache(maxsize=8)
def words_of(language: PageLanguage) -> Words:
    """Read from the package, once for each of `LANGUAGES`."""
    folder = files("agentmem.interfaces.web") / "words" / language
    texts: dict[str, str] = {}
    for file in folder.iterdir():
        if file.name.endswith(".json"):
            page = cast("dict[str, str]", json.loads(file.read_text(encoding="utf-8")))
            texts |= {f"{file.name.removesuffix('.json')}.{key}": text for key, text in page.items()}
    return Words(language, texts)


@lru_cache(maxsize=1)
def _engine_lines() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The lines that the engine tells reasons with, each cut at what it fills in, the longest first."""
    lines = [(word, tuple(text.split("{}"))) for word, text in words_of("en").texts.items() if word.startswith(ENGINE)]
    return tuple(sorted(lines, key=lambda each: -sum(map(len, each[1]))))


def _word_of(told: str) -> str:
    """Under which word a line would stand. A word stays when its line is put differently, so it finds the line that an
    earlier version told, which a store may still hold."""
    return ENGINE + told[:_MAX_WORD].replace(" ", "_")


def _parts_in(told: str, line: Sequence[str]) -> Sequence[str] | None:
    """What is filled into the line there, None where it is another line. No part of it is looked at twice."""
    first, *rest = line
    if not told.startswith(first) or (not rest and told != first):
        return None
    parts: list[str] = []
    at = len(first)
    for number, piece in enumerate(rest, start=1):
        last = number == len(rest)
        end = max(at, len(told) - len(piece)) if last else told.find(piece, at)
        if end < 0 or not told.startswith(piece, end):
            return None
        parts.append(told[at:end])
        at = end + len(piece)
    return parts


def chosen_language(cookie: str | None, accepted: str) -> PageLanguage:
    """What the reader chose, else the first language of `Accept-Language` that the page speaks, else English."""
    if cookie in LANGUAGES:
        return cookie
    wished = [_wish(part) for part in accepted[:_MAX_ACCEPTED].split(",")]
    for _, language in sorted(wished, key=lambda wish: -wish[0]):
        if language in LANGUAGES:
            return language
    return "en"


def _wish(part: str) -> tuple[float, str]:
    """How much a language is wished for, and its first letters."""
    name, _, rest = part.strip().partition(";")
    weight = rest.strip().removeprefix("q=")
    try:
        wished = float(weight) if rest else 1.0
    except ValueError:
        wished = 0.0
    return wished, name.strip().lower().partition("-")[0]
