"""Finds the words that identify somebody in a text, however they are spelled: full names, a surname with a title, a
given name, ways to reach them.

Case, width, accents, hidden letters, lookalike letters of other scripts, traditional characters, letters that stand
apart, figures in Chinese and `(at)` make no difference.
"""

import unicodedata
from base64 import b64decode
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import unescape
from typing import Final
from urllib.parse import unquote

from agentmem import patterns as re
from agentmem.characters import HAN, has_han
from agentmem.domain.naming import canonical_name, fold
from agentmem.language.lookalikes import plain_form
from agentmem.language.word_lists import word_list

_FIGURES: Final = str.maketrans("零〇一二三四五六七八九壹贰貳叁肆伍陆柒捌玖幺", "0012345678912234567891")
_LETTERS_AMID_FIGURES: Final = re.compile(r"(?<=\d)[oil]+(?=\d)")
_AS_FIGURES: Final = str.maketrans("oil", "011")
_AS_LETTERS: Final = tuple(str.maketrans("013457", letters) for letters in ("oleast", "oieast"))
_ALONE: Final = re.compile(r"(?<![^\W_])[a-z](?![^\W_])")
_BETWEEN: Final = re.compile(r"[\s._·-]{1,3}")
_AT: Final = re.compile(
    r"[(\[{<]\s*(?:at|dot|艾特|点)\s*[)\]}>]|\s(?:at|dot)\s(?=[\w.-]+(?:\.|\sdot\s)\w|(?:com|net|org|cn|de|co|uk|io)\b)"
)
_HAN_CHARACTER: Final = re.compile(f"([{HAN}])")
_MIXED: Final = re.compile(r"[a-z]+\d|\d+[a-z]")


def plain(text: str) -> str:
    """The text as somebody would write it who hides nothing."""
    folded = fold(text)
    if not folded.isascii():
        bare = "".join(ch for ch in unicodedata.normalize("NFKD", folded) if unicodedata.category(ch) != "Mn")
        folded = "".join(map(plain_form, unicodedata.normalize("NFC", bare)))
    return _closed_up(folded)


def _closed_up(text: str) -> str:
    """The text with three and more letters that stand alone, one after the other, as one word: n o r a is nora."""
    runs: list[list[int]] = []
    for place in (found.start() for found in _ALONE.finditer(text)):
        if runs and _BETWEEN.fullmatch(text[runs[-1][-1] + 1 : place]):
            runs[-1].append(place)
        else:
            runs.append([place])
    parts: list[str] = []
    done = 0
    for run in runs:
        if len(run) > 2:
            parts += [text[done : run[0]], *(text[place] for place in run)]
            done = run[-1] + 1
    return "".join([*parts, text[done:]])


def joined(spelled: str) -> str:
    """Letters and figures of a plain text alone, whatever stands between them; figures as 0 to 9."""
    close = _close(_AT.sub(" ", spelled)).translate(_FIGURES)
    return _LETTERS_AMID_FIGURES.sub(lambda found: found[0].translate(_AS_FIGURES), close)


def _close(text: str) -> str:
    """The letters and figures of a text alone."""
    return "".join(filter(str.isalnum, text))


def words(spelled: str) -> list[str]:
    """The words of a plain text, each Chinese character one; marks that make a letter belong to its word."""
    apart = "".join(ch if ch.isalnum() or _is_mark(ch) else " " for ch in spelled)
    return (_HAN_CHARACTER.sub(re.filled(r" \1 "), apart) if has_han(apart) else apart).split()


def _is_mark(ch: str) -> bool:
    return unicodedata.category(ch) in ("Mn", "Mc")


def readings(spelled: str) -> Iterator[list[str]]:
    """The words of a plain text, and as they read where figures stand for letters: t0m is tom."""
    found = words(spelled)
    yield found
    if any(_MIXED.match(word) for word in found):
        for letters in _AS_LETTERS:
            yield [word.translate(letters) if _MIXED.match(word) else word for word in found]


_HAN_ONLY: Final = re.compile(f"[{HAN}]{{1,4}}")
_PART: Final = re.compile(f"[^\\W\\d_{HAN}]{{3,}}")


COMPOUND: Final = frozenset(word_list("surnames_zh", "compound", "compound, seldom"))
TITLES: Final = word_list("called_zh", "titles")
RUNS_ON: Final = {
    "总": "是共计体额数量价部成结和线表有在会能要算之",
    "工": "单作具厂业程人资艺序种时期地会商信",
    "老": "式旧化龄是虎鼠客用",
    "某": "种个些",
    "董": "事",
    "程": "序度式",
    "高": "度级中",
    "方": "便式法案向",
    "红": "书色",
    "平": "米台方",
}
"""Behind what somebody is called by, these make another word of its end: 一张工单 has no 张工 in it."""

COMMON: Final = frozenset(word_list("called_zh", "only look like names"))
"""Words that only look like what somebody is called by."""

ORDINARY: Final = frozenset(word_list("called_en", "ordinary"))
"""Words that are names, or stand for one, only with a capital or beside the rest of the name."""


def han_forms(name: str) -> Iterator[str]:
    """What the bearer of a Chinese name is called: the given name, the surname with a title, 小 or 老 before either."""
    yield from (form for form in _forms(name) if form not in COMMON)


def _forms(name: str) -> Iterator[str]:
    spelled = plain(canonical_name(name))
    if not _HAN_ONLY.fullmatch(spelled):
        return
    long = len(spelled) > 2 and spelled[:2] in COMPOUND
    surname = spelled[:2] if long else spelled[0]
    given = spelled[len(surname) :] if long else spelled[-2:] if len(spelled) > 2 else spelled[1:]
    if len(given) > 1:
        yield given
    yield from (surname + title for title in TITLES)
    yield from (before + surname for before in "小老阿")
    if given:
        yield from (f"小{given[-1]}", f"阿{given[-1]}", f"{given[-1]}哥", f"{given[-1]}姐")


def latin_parts(name: str) -> list[str]:
    """The words of a name in letters, of three and more, marks not counted."""
    return [word for word in words(plain(name)) if _PART.fullmatch("".join(ch for ch in word if not _is_mark(ch)))]


_SHORTEST_CONTACT = 5
_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile(f"[^\\W\\d_{HAN}]+")
_ENCODED = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{12,}={0,2}")


class NameMatcher:
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
