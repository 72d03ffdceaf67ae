"""Spellings: what is left of a text when it makes no difference how it is written.

Case, width, accents, hidden letters, letters of other scripts that look the same, traditional characters, letters that
stand apart, figures in Chinese, and `(at)` do not count.
"""

import unicodedata
from collections.abc import Iterator
from typing import Final

from agentmem import patterns as re
from agentmem.domain.naming import HAN, fold
from agentmem.language.lookalikes import plain_form

_FIGURES: Final = str.maketrans("零〇一二三四五六七八九壹贰貳叁肆伍陆柒捌玖幺", "0012345678912234567891")
_LETTERS_AMID_FIGURES: Final = re.compile(r"(?<=\d)[oil]+(?=\d)")
_AS_FIGURES: Final = str.maketrans("oil", "011")
_AS_LETTERS: Final = tuple(str.maketrans("013457", letters) for letters in ("oleast", "oieast"))
_SPACED: Final = re.compile(r"(?<![^\W_])[a-z](?:[\s._·-]{1,3}[a-z](?![^\W_])){2,}")
_AT: Final = re.compile(
    r"[(\[{<]\s*(?:at|dot|艾特|点)\s*[)\]}>]|\s(?:at|dot)\s(?=[\w.-]+(?:\.|\sdot\s)\w|(?:com|net|org|cn|de|co|uk|io)\b)"
)
_APART: Final = re.compile(r"[\W_]+")
_WORD: Final = re.compile(f"[{HAN}]|[^\\W_{HAN}]+")
_MIXED: Final = re.compile(r"[a-z]+\d|\d+[a-z]")


def plain(text: str) -> str:
    """The text as somebody would write it who hides nothing."""
    folded = fold(text)
    if not folded.isascii():
        bare = "".join(ch for ch in unicodedata.normalize("NFKD", folded) if unicodedata.category(ch) != "Mn")
        folded = "".join(map(plain_form, unicodedata.normalize("NFC", bare)))
    return _SPACED.sub(lambda found: _APART.sub("", found[0]), folded)


def joined(spelled: str) -> str:
    """Letters and figures of a plain text alone, whatever stands between them; figures as 0 to 9."""
    close = _APART.sub("", _AT.sub(" ", spelled)).translate(_FIGURES)
    return _LETTERS_AMID_FIGURES.sub(lambda found: found[0].translate(_AS_FIGURES), close)


def words(spelled: str) -> list[str]:
    """The words of a plain text, each Chinese character one."""
    return _WORD.findall(spelled)


def readings(spelled: str) -> Iterator[list[str]]:
    """The words of a plain text, and as they read where figures stand for letters: t0m is tom."""
    found = words(spelled)
    yield found
    if any(_MIXED.match(word) for word in found):
        for letters in _AS_LETTERS:
            yield [word.translate(letters) if _MIXED.match(word) else word for word in found]
