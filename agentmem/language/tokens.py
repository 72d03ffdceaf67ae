"""Words for lexical search, and the sparse vectors made of them.

Chinese by dictionary, English by base form and stem, numbers and codes whole. The vectors carry the term-frequency
half of BM25; the search engine applies the other half, inverse document frequency.
"""

import math
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate

import rjieba
import Stemmer

from agentmem import patterns as re
from agentmem.bounded_cache import bounded_cache
from agentmem.characters import is_han
from agentmem.language.normal import digits, trigram_similarity
from agentmem.language.time import BASE_OF

K1 = 1.2
B = 0.75
"""How soon a repeated word stops counting, and how much length is held against a text: see `docs/retrieval.md`."""

QUERY_CHARACTERS = 2_000
"""Characters of a question that are searched with."""

REMEMBERED = 300
"""Characters up to which the terms of a text are remembered: a talk looks at what it recalls again and again."""

AVERAGE_LENGTH = 12.0
"""Tokens in an average memory (13 in spoken English turns, 9 in Chinese ones, stop words left out).

Fixed, so that a vector depends on its own text alone and never has to be made again.
"""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd〇"
_LATIN = "a-z\u00df-\u024f"
_LATIN_KINDS = {
    "email": re.compile(r"[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}"),
    "phone": re.compile(r"(?<![0-9-])(?:\d{3}[ -]\d{3,4}[ -]\d{4}|\d{3,4}-\d{7,8})(?![0-9-])"),
    "amount": re.compile(r"(?<![0-9,.])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![0-9,])"),
    "code": re.compile(rf"[{_LATIN}0-9]+(?:[._+/:-][{_LATIN}0-9]+)*"),
    "word": re.compile(rf"[{_LATIN}]+(?:\+\+|\#|'[a-z]{{1,3}}(?![{_LATIN}]))?"),
}
"""In this order, the first that fits at a place."""
_AHEAD = {
    "email": re.compile(r"[a-z0-9._%+-]{1,64}@"),
    "phone": re.compile(r"\d{3}"),
    "amount": re.compile(r"\d{1,3},\d{3}"),
    "code": re.compile(rf"[{_LATIN}._+/:-]{{0,40}}\d"),
}
"""What must stand at a place for a kind to be tried: quickly seen, and mostly missing."""
_HAN_KIND = {"han": re.compile(f"[{_HAN}]+")}
_OTHER_KIND = {"other": re.compile(r"[^\W_]+")}
_KINDS = {
    "latin": _LATIN_KINDS | _OTHER_KIND,
    "han": _HAN_KIND,
    "mark": {"email": _LATIN_KINDS["email"]},
    "other": _OTHER_KIND,
}
_BEGINS = re.compile(rf"(?P<latin>[{_LATIN}0-9])|(?P<han>[{_HAN}])|(?P<mark>[._%+-])|(?P<other>[^\W_])")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORDS_ALONE = str.maketrans({chr(code): " " for code in range(128) if not (chr(code).isalpha() or chr(code) == "'")})
_LONGEST_ENDING = 3
"""Letters after an apostrophe that belong to the word before it: don't, they're."""
_SPECIAL = re.compile(r"[0-9@+#]")

_EN_STOP = _words(
    "a an the and or but if of to in on at for from by with as is am are was were be been being do does did have has "
    "had i you he she it we they me him her us them my your his its our their this that these those there here what "
    "which who whom when where why how not so than too very can could will would shall should may might must just "
    "about into over then also im ive id dont"
)
_ZH_STOP = _words(
    "的 了 是 在 我 你 您 他 她 它 我们 你们 他们 她们 咱们 和 与 或 也 都 就 还 又 吗 呢 吧 啊 呀 哦 嗯 嘛 哈 么 "
    "这 那 这个 那个 这些 那些 有 把 被 给 对 跟 让 从 到 着 过 地 得 之 而 但 但是 因为 所以 如果 什么 怎么 哪 "
    "哪些 谁 请问 一个 一下 多少 几 几个 哪里 哪儿 怎样 如何 为什么 多久 多长 多大 时候 多 少"
)
_STOP = _EN_STOP | _ZH_STOP

# PyStemmer ships no types.
_stem_word: Callable[[str], str] = Stemmer.Stemmer("english").stemWord  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def tokens(text: str) -> list[str]:
    """The search terms of a text in order, with repeats. Stop words go, unless there is nothing else."""
    words = _split(text)
    return [term for word in words if (term := _term(word))] or [_stem(word) for word in words]


def content_terms(text: str) -> frozenset[str]:
    """The search terms of a text that are no stop words, each once."""
    return frozenset(term for word in _split(text) if (term := _term(word)))


def _split(text: str) -> list[str]:
    plain = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    return list(_latin_words(plain)) if plain.isascii() and not _SPECIAL.search(plain) else _pieces(plain)


def terms(text: str) -> frozenset[str]:
    """The search terms of a text, each once."""
    return _remembered(text) if len(text) <= REMEMBERED else frozenset(tokens(text))


@lru_cache(8_192)
def _remembered(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


def _latin_words(plain: str) -> Iterator[str]:
    """The words of an ASCII text in lower case, with the short endings that an apostrophe parts from them."""
    for word in plain.translate(_WORDS_ALONE).split():
        if "'" in word:
            yield from _contracted(word.split("'"))
        else:
            yield word


def _contracted(parts: Iterable[str]) -> Iterator[str]:
    before = ""
    for part in parts:
        if before and 0 < len(part) <= _LONGEST_ENDING:
            yield f"{before}'{part}"
            before = ""
        else:
            yield from (before,) if before else ()
            before = part
    yield from (before,) if before else ()


def _pieces(plain: str) -> list[str]:
    """The words of a text. It is gone through from place to place: what stands at one tells which kinds it may be."""
    words: list[str] = []
    at = 0
    while (begins := _BEGINS.search(plain, at)) is not None:
        at = begins.end()
        for kind, pattern in _KINDS[begins.lastgroup or ""].items():
            found = pattern.match(plain, begins.start()) if _may_be(kind, plain, begins.start()) else None
            if found is not None:
                _append(words, kind, found.group())
                at = found.end()
                break
    return words


def _may_be(kind: str, plain: str, at: int) -> bool:
    ahead = _AHEAD.get(kind)
    return ahead is None or ahead.match(plain, at) is not None


NEAR = 0.9
"""Character 3-gram Jaccard from which two texts with equal digits and words count as one wording."""


def in_one_wording(one: str, other: str) -> bool:
    """Whether two texts are the same but for their form: a long sentence with Tuesday is not one with Thursday."""
    alike = digits(one) == digits(other) and content_terms(one) == content_terms(other)
    return alike and trigram_similarity(one, other) >= NEAR


def sparse(text: str, also: Iterable[str] = ()) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Term ids, ascending, and their BM25 term-frequency weights, for a text that is stored; terms that it is found by
    `also` do not make it longer."""
    words = tokens(text)
    counts = Counter(map(_identity, [*with_characters(words, text), *set(also)]))
    length = K1 * (1 - B + B * len(words) / AVERAGE_LENGTH)
    ids = sorted(counts)
    return tuple(ids), tuple(counts[i] * (K1 + 1) / (counts[i] + length) for i in ids)


def query_sparse(text: str, also: Iterable[str] = ()) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Term ids, ascending, and their weights, for a text that is searched with: the square root of their number.

    Of a long text the end counts, for that is where a talk has got to.
    """
    last = unicodedata.normalize("NFKC", text[-QUERY_CHARACTERS:])
    words = tokens(last)
    kept = frozenset(ch for word in words for ch in word)
    asked = "".join(ch for ch in last if ch in kept or not is_han(ch))
    counts = Counter(map(_identity, [*with_characters(words, asked), *set(also)]))
    ids = sorted(counts)
    return tuple(ids), tuple(math.sqrt(counts[i]) for i in ids)


def term_ids(terms: Iterable[str]) -> list[int]:
    """The ids of these terms in sparse vectors, ascending."""
    return sorted({_identity(term) for term in terms})


def with_characters(words: Iterable[str], text: str) -> list[str]:
    """The words, and the single Chinese characters of the text: 舞 is what 跳舞 and 舞蹈 have in common."""
    if text.isascii():
        return list(words)
    longer = [word for word in words if len(word) > 1 or not is_han(word)]
    return longer + [ch for ch in unicodedata.normalize("NFKC", text) if is_han(ch) and ch not in _STOP]


def _append(words: list[str], kind: str, piece: str) -> None:
    match kind:
        case "han":
            for word in rjieba.cut(piece):
                words.append(word)
                if len(word) > 2:  # a part of a name must find the name: 小东 in 罗小东
                    words.extend(word[i : i + 2] for i in range(len(word) - 1))
        case "phone":
            parts = re.split("[ -]", piece)
            words.extend([*parts, "".join(parts)])
        case "amount":
            words.append(piece.replace(",", ""))
        case _:
            words.append(piece)


@bounded_cache(65_536, longest=64)
def _term(word: str) -> str:
    """What a word is searched by; empty for a stop word."""
    return "" if word in _STOP or word.replace("'", "") in _STOP else _stem(word)


def _stem(word: str) -> str:
    if "'" in word:
        word = word.removesuffix("'s").replace("'", "")
    return _stem_word(BASE_OF.get(word, word)) if word.isascii() and word.isalpha() else word


@bounded_cache(65_536, longest=64)
def _identity(token: str) -> int:
    """A stable 32-bit id; two words in a vocabulary of 100,000 share one about once."""
    return zlib.crc32(token.encode("utf-8", "surrogatepass"))


def ends_word(text: str, end: int) -> bool:
    """Whether a Chinese word ends there: 缺席 does not end behind 缺."""
    near = text[: end + _LONGEST_WORD]
    return text[:end].isascii() or end in accumulate(map(len, rjieba.cut(near, False)))


_LONGEST_WORD = 8
