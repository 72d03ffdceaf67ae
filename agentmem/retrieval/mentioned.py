"""What a question may be naming: pieces of it that could be the key of a memory. Whether they are, the index knows."""

from collections.abc import Iterator
from typing import Final

from agentmem import patterns as re
from agentmem.language.normal import canonical_name, is_han

MOST_NAMES: Final = 64
LONGEST_QUESTION: Final = 2_000
"""Characters of a question that are looked through."""

_LONGEST_WORDS, _LONGEST_HAN = 3, 8
_WORD: Final = re.compile(r"[^\W_\u3400-\u9fff]+(?:[.+#'’-][^\W_\u3400-\u9fff]+)*[+#]*")
_FRAME_ZH: Final = re.compile(r"[的了吗呢吧啊嘛]|什么|怎么样?|如何|多少|哪里|哪些|为什么|请问|是不是|有没有")
_FRAME_EN: Final = re.compile(
    r"an?|the|and|or|of|to|in|on|at|for|from|by|with|about|not|is|are|was|were|be|do|does|did|has|have|had|can|could|"
    r"will|would|should|i|you|he|she|it|we|they|me|him|her|us|them|my|your|his|its|our|their|this|that|what|which|"
    r"who|whom|when|where|why|how",
    re.IGNORECASE,
)


def names_in(question: str) -> tuple[str, ...]:
    """Up to 64 possible names in canonical form, the shortest first: runs of up to three Latin words, of two to eight
    Han characters, and of both where nothing stands between them; words that only frame a question left out."""
    found = dict.fromkeys(canonical_name(name) for name in (*_latin(question), *_chinese(question)))
    likely = [name for name in found if len(name) > 1]
    return tuple(sorted(likely, key=len)[:MOST_NAMES])


def _latin(question: str) -> Iterator[str]:
    words = list(_WORD.finditer(question[:LONGEST_QUESTION]))
    for first, begin in enumerate(words):
        last = begin.start()
        for word in words[first : first + _LONGEST_WORDS]:
            if question[last : word.start()].strip() or _FRAME_EN.fullmatch(word.group()):
                break
            last = word.end()
            yield question[begin.start() : last]


def _chinese(question: str) -> Iterator[str]:
    for piece in _FRAME_ZH.split(question[:LONGEST_QUESTION]):
        for run in re.findall(r"[^\W_]+", piece):
            if not run.isascii() and len(run) <= 2 * _LONGEST_HAN:
                yield run
            yield from _pieces(run)


def _pieces(run: str) -> Iterator[str]:
    for size in range(2, min(_LONGEST_HAN, len(run)) + 1):
        for start in range(len(run) - size + 1):
            if all(map(is_han, run[start : start + size])):
                yield run[start : start + size]
