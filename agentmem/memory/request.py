"""What somebody asks of the memory itself in the middle of a talk: that it forget something of his.

Only what is plainly asked counts. "I always forget my keys", "don't forget my birthday", 你忘了我的生日 and "forget it"
ask for nothing, and neither does a text to be edited ("delete my second paragraph"). What asks is not kept: it names
what is not to be told. Of a long text only the beginning and the end are read for it, see `MAX_READ`.
"""

import unicodedata

# ruff: noqa: E501 - patterns read best unbroken
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import ModuleType
from typing import Final

from agentmem import patterns as re
from agentmem.bounded_cache import bounded_cache
from agentmem.characters import has_han
from agentmem.domain.episode import blotted
from agentmem.language.clauses import Span, clauses, sentences
from agentmem.language.lookalikes import simplified
from agentmem.memory import request_en, request_zh
from agentmem.memory.cuts import Cut, pieces
from agentmem.memory.request_elsewhere import lies_elsewhere, wished_by_another
from agentmem.memory.request_extent import (
    MEANING_BEFORE,
    OVER_ZH,
    is_exclaimed,
    is_remark,
    joint_before,
    means_before,
    means_everything,
    tells_something,
)
from agentmem.memory.request_loose import ASKING_LOOSELY, LooseRequest, clauses_apart, loose_request, puts_aside
from agentmem.memory.request_named import is_code, is_name, same_name, untitled
from agentmem.memory.request_pleaded import ASKING_PLAINLY, Pleading, pleading
from agentmem.memory.wish import each_of, names_something

MAX_CHARS: Final = 400
"""Characters of a sentence that may ask; who writes more tells a story."""

MAX_LINES: Final = 4
"""Lines over which a request may be broken."""

MAX_READ: Final = 4_000
"""Characters at the beginning and at the end of a text in which anything may be asked; what stands between them is
something pasted, and no request."""

_UNFINISHED: Final = re.compile(r"(?:的|我|\b(?:my|our|the|of|about|that|and|or|i))$", re.IGNORECASE)
_BROKEN: Final = re.compile(r"\s+")

APOSTROPHES: Final = str.maketrans({"\u2019": "'", "\u2018": "'"})

_SIGNS: Final = frozenset({"So", "Sk", "Cf"})
_ASCII_SIGNS: Final = str.maketrans("", "", "^`")
"""Kinds of characters that are no words: emoji and what joins them."""

_AHEAD: Final = re.compile(r"^[\s*\-\u2013\u2014\u2022\u00b7\"'\u201c\u2018\u300c\u300e]+")
_SHORT: Final = re.compile(r"\b(?:pls|plz|pleas)\b", re.IGNORECASE)
_YOU_SHORT: Final = re.compile(r"\bu\b", re.IGNORECASE)
_NOT_SHORT: Final = re.compile(r"\b(do|does|did|is|was|should|would|could|must)nt\b", re.IGNORECASE)
"""How what asks is written in haste."""
_ASKS: Final = re.compile(
    r"^(?:(?:and|so|but|also|then)\s+)*(?:please|kindly|can you|could you|would you|will you|forget (?:that|what|my|our|everything))\b"
    r"|^(?:所以|那|也|再)*(?:请|麻烦|拜托|劳驾|帮我|你?能不能|你?可不可以|能否|可否|忘掉|把我)",
    re.IGNORECASE,
)
"""How a clause begins that plainly asks."""

_MAY_GO: Final = re.compile(
    r"可以(?:忘掉|忘了|忘|删掉|删了|删除)了?吧?[。.!！]?$|\b(?:can|may) (?:now )?be (?:forgotten|deleted)(?: now)?[.!]?$"
)
"""How a clause ends that lets something be forgotten."""

_TELLS: Final = re.compile(
    r"\b(?:said|says|say|told|tells|tell|asked|asks|wrote|writes|if|when)\b|说|讲|告诉|问|要求|写|如果|要是|时候?$",
    re.IGNORECASE,
)
"""Whether the next clause is what somebody else asks, or what is asked another time."""


@dataclass(frozen=True, slots=True)
class Request:
    """Characters `start` to `end` of a text ask that what `wish` names be forgotten; fit for `read_wish`. `names`: what
    is meant by name alone; of several the whole comes first, which may be one name. Where a name is one only if the
    memory knows it, or what is meant only if the memory holds it (`doubtful`), the request is `unsure`. `others`: what
    it means else, where the memory does not hold that."""

    start: int
    end: int
    wish: str
    names: tuple[str, ...] = ()
    doubtful: bool = False
    others: tuple[str, ...] = ()

    @property
    def unsure(self) -> bool:
        """Whether only the memory can tell that something is asked."""
        return self.doubtful or not all(is_name(name) or is_code(name) for name in self.parts)

    @property
    def parts(self) -> tuple[str, ...]:
        """Each name that is meant."""
        return self.names[1:] or self.names

    def wishes(self, known: Collection[str]) -> tuple[str, ...]:
        """One for each thing that is asked, where the memory knows these names, and holds what these wishes mean."""
        if self.doubtful:
            return next(((wish,) for wish in (self.wish, *self.others) if wish in known), ())
        if not self.names:
            return tuple(each_of(self.wish))
        if _is_known(self.names[0], known):
            return (self.wish,)
        named = all(is_name(name) or is_code(name) or _is_known(name, known) for name in self.parts)
        return tuple(f"forget {untitled(name)}" for name in self.parts) if named else ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What a text asks to be forgotten, in order; of several things asked in one, each. `unclear`: it seems to ask, and
    it cannot be told what. `kept`: the text with every such request blotted out. `unsure`: words that requests mean
    where they are names the memory knows, `doubtful`: wishes that are requests where it holds what they mean; read the
    text again with those it does. `pleading`: what is asked for where the rules cannot tell what is meant by it, to be
    looked for in what is held, and where it is said (`pleaded`). `begged`: it is plainly asked for ("please
    …"), so what is meant need be no name."""

    requests: tuple[Request, ...]
    unclear: bool
    kept: str
    unsure: tuple[str, ...] = ()
    begged: bool = False
    doubtful: tuple[str, ...] = ()
    pleading: Pleading | None = None
    pleaded: Cut = (0, 0)

    @property
    def wishes(self) -> tuple[str, ...]:
        """Each fit for `read_wish`."""
        return tuple(request.wish for request in self.requests)


def asked_in(text: str, known: Collection[str] = ()) -> Asked:
    """Read it once for all that it asks to be forgotten. `known`: names that the memory knows, and wishes that mean
    something it holds."""
    if not _may_ask(text):
        return Asked((), unclear=False, kept=text)
    parts = _ends_of(text)
    heard = [request for lines in parts for request in _requests(text, lines)]
    each = tuple(replace(one, wish=wish) for one in heard for wish in one.wishes(known))
    found = [one for one in heard if one.wishes(known)]
    unsure = tuple(name for one in heard if one.names[1:] or one not in found for name in one.names)
    unclear = not found and _seems_to_ask(parts)
    begged = any(_ASKS.match(_plain(text[one.start : one.end])) for one in heard)
    doubtful = tuple(wish for one in heard if one.doubtful for wish in (one.wish, *one.others))
    kept = blotted(text, [(one.start, one.end) for one in found])
    return Asked(each, unclear, kept, unsure, begged, doubtful, *((None, (0, 0)) if found else _pleaded(text, parts)))


def pleaded_in(text: str) -> tuple[Pleading | None, Cut]:
    """What a text plainly asks to be forgotten, and where, of what was carried out nothing: that is blotted."""
    return _pleaded(text, _ends_of(text)) if re.may_match(ASKING_PLAINLY, _plain(text)) else (None, (0, 0))


def _pleaded(text: str, parts: Sequence[Sequence[Span]]) -> tuple[Pleading | None, Cut]:
    """What is plainly asked, in the first sentence that does, and where."""
    for lines in parts:
        before: Span | None = None
        for sentence in lines:
            if len(sentence.text) <= MAX_CHARS and not is_remark(_plain(sentence.text)):
                cuts = clauses_apart(text, sentence, before)
                found = _pleading(text, sentence, cuts)
                if found is not None:
                    return found, (cuts[found.first][0], cuts[found.last][1])
            before = sentence
    return None, (0, 0)


def _pleading(text: str, sentence: Span, cuts: Sequence[Cut]) -> Pleading | None:
    own = sum(cut[0] >= sentence.start for cut in cuts)
    return pleading([_plain(text[slice(*cut)]).strip() for cut in cuts], own=own)


_SOMEHOW: Final = (*request_en.ASKING, *request_zh.ASKING, *MEANING_BEFORE, *ASKING_LOOSELY, *ASKING_PLAINLY)


def _may_ask(text: str) -> bool:
    """Whether a text holds any word that asks, so that it must be taken apart; most that is said does not."""
    words = _plain(text if len(text) <= 2 * MAX_READ else f"{text[:MAX_READ]} {text[-MAX_READ:]}").split()
    return re.may_match(_SOMEHOW, " ".join(words)) or re.may_match(request_zh.ASKING, "".join(words))


@bounded_cache(1_024, longest=MAX_CHARS)  # the engine asks it of a sentence and of each of its clauses
def forget_request(text: str) -> str | None:
    """The first of it, as `read_wish` reads it; None where nothing is asked."""
    heard = (request for lines in _ends_of(text) for request in _requests(text, lines))
    return next((request.wish for request in heard if not request.unsure), None)


def _is_known(name: str, known: Collection[str]) -> bool:
    return any(same_name(name, each) for each in known)


def _seems_to_ask(parts: Sequence[Sequence[Span]]) -> bool:
    short = (_plain(line.text) for lines in parts for line in lines if len(line.text) <= MAX_CHARS)
    return any(_of_language(said).is_unclear(said) and not lies_elsewhere(said) for said in short)


def _ends_of(text: str) -> list[list[Span]]:
    """The sentences in which something may be asked: those of the whole text, or of a long one those at its beginning
    and those at its end that are not cut through."""
    if len(text) <= 2 * MAX_READ:
        return [sentences(text)]
    head, tail = sentences(text, 0, MAX_READ), sentences(text, len(text) - MAX_READ)
    return [head if head and head[-1].terminator else head[:-1], tail[1:]]


_AGAIN: Final = re.compile(
    r"[,;，；]\s*(?:so |and |just |please |kindly )*(?:delete|forget|erase|remove) (?:it|that|this|them)(?: please)?(?=[\s.!]*$)"
    r"|[,，;；]\s*(?:请|就|都|帮我|赶紧)*(?:删掉|删了|删除|忘了|忘掉|清掉|抹掉)(?:它|了|吧|掉|好了)*(?=[\s。.!！]*$)",
    re.IGNORECASE,
)
"""What only asks once more: "…, please delete it"."""


def _requests(text: str, lines: Sequence[Span]) -> Iterator[Request]:
    before: Span | None = None
    taken = 0
    for place, sentence in enumerate(lines):
        if sentence.start < taken or len(sentence.text) > MAX_CHARS or is_remark(_plain(sentence.text)):
            continue
        found = _pointing_back(text, sentence, before) or list(_asked_in(text, sentence))
        found = found or _over_lines(text, lines[place : place + MAX_LINES])
        if all(request.doubtful for request in found):
            found = _together(found, _loosely(text, sentence, before))
        taken = found[-1].end if found else taken
        yield from found
        before = sentence


def _over_lines(text: str, lines: Sequence[Span]) -> list[Request]:
    """What is asked over several lines, the first of which asks nothing by itself: "forget", below it "my phone"."""
    first = lines[0]
    for line, after in pairwise(lines):
        end = after.end
        if line.terminator or not _BROKEN.fullmatch(text[line.end : after.start]) or end - first.start > MAX_CHARS:
            return []
        asked = _request(text, first.start, end, question=after.is_question)
        if asked is not None and not _UNFINISHED.search(after.text):
            return [asked]
    return []


def _pointing_back(text: str, sentence: Span, before: Span | None) -> list[Request]:
    """A clause that asks to forget "that" together with the statement right before it, which it means."""
    if before is not None and means_before(_plain(sentence.text), sentence=True):
        return [_of_statement(text, (before.start, before.end), sentence.end)]
    parts = clauses(sentence)
    for statement, asking in pairwise(parts):
        said = _plain(text[statement.start : statement.end])
        if means_before(_plain(text[asking.start : asking.end])) and not is_exclaimed(said):
            return [_of_statement(text, (statement.start, statement.end), asking.end)]
    joint = joint_before(sentence.text)
    if joint is None:
        return []
    start = next(part.start for part in reversed(parts) if part.start < sentence.start + joint)
    return [_of_statement(text, (start, sentence.start + joint), sentence.end)]


def _together(found: list[Request], loose: list[Request]) -> list[Request]:
    """A guess together with what it may mean else."""
    if not (found and loose):
        return found or loose
    (first, *_), (other, *_) = found, loose
    others = (*first.others, other.wish, *other.others)
    return [replace(first, start=min(first.start, other.start), end=max(first.end, other.end), others=others)]


def _loosely(text: str, sentence: Span, before: Span | None) -> list[Request]:
    """What a sentence may ask in words that no form knows, of itself or of the sentence before it."""
    cuts = clauses_apart(text, sentence, before)
    if sentence.is_question and not request_en.ASKS_YOU.search(sentence.text) and not has_han(sentence.text):
        return []
    said = _plain(sentence.text)
    if lies_elsewhere(said) or (has_han(said) and request_zh.only_tells(f"{said}{sentence.terminator}")):
        return []
    found = loose_request([_plain(text[slice(*cut)]).strip() for cut in cuts])
    if found is None:
        plain = _pleading(text, sentence, cuts)
        found = LooseRequest(plain.first, plain.last, (f"forget {plain.words}",)) if plain and plain.is_plain else None
    if found is None or cuts[found.last][1] <= sentence.start:
        return []
    wishes = [wish for wish in found.wishes if names_something(wish)]
    start, end = cuts[found.first][0], cuts[found.last][1]
    return [Request(start, end, wishes[0], doubtful=True, others=tuple(wishes[1:]))] if wishes else []


def _of_statement(text: str, statement: Cut, end: int) -> Request:
    said = OVER_ZH.sub("", request_zh.SECRET.sub("", request_en.SECRET.sub("", text[slice(*statement)].strip())))
    return Request(statement[0], end, f"forget {said}")


def _asked_in(text: str, sentence: Span) -> Iterator[Request]:
    """What a sentence asks as a whole; or from a clause on that plainly asks, or in that clause alone. What it tells
    besides is no part of it."""
    whole = _reaching(text, sentence.start, sentence)
    if whole is not None and not whole.unsure:
        yield whole
        return
    before = ""
    for clause in clauses(sentence):
        words = text[clause.start : clause.end]
        asks = _ASKS.match(_plain(words)) or (_MAY_GO.search(_plain(words)) and before)
        if asks and not _TELLS.search(before):
            asked = _reaching(text, clause.start, sentence)
            if asked is not None and not asked.unsure:
                yield asked
                return
        before = _plain(words)
    if whole is not None:
        yield whole


def _reaching(text: str, start: int, sentence: Span) -> Request | None:
    """What is asked from `start` on, up to where the sentence tells something that it does not ask to be forgotten."""
    parts = [part for part in _parts(sentence) if part[1] > start]
    reach: Request | None = None
    for (_, end), (begin, stop) in pairwise(parts):
        asked = _request(text, start, end)
        reach = asked if asked is None or reach is None or asked.wish != reach.wish else reach
        if (
            reach is not None
            and (reach.names or not _OWNED.search(reach.wish))
            and puts_aside(_plain(text[begin:stop]))
        ):
            return None
        if reach is not None and tells_something(_plain(text[begin:stop]), reach.wish, text[end:begin]):
            return None if reach.names and not _ASKS_SOMEBODY.search(_plain(text[start:end])) else reach
    return _request(text, start, sentence.end, question=sentence.is_question)


_ASKS_SOMEBODY: Final = re.compile(
    r"\b(?:please|kindly|you|about|memory|records?|notes)\b|请|麻烦|拜托|帮|你|您|吧|把|将|忘掉", re.IGNORECASE
)
"""What says of a bare name, which something is told behind, that it is to be forgotten and not put aside."""
_OWNED: Final = re.compile(r"\b(?:my|our|i|we|me|mine)\b|我|咱", re.IGNORECASE)
"""What says of a thing that it is one's own: that is no idea to be put aside."""


def _parts(sentence: Span) -> list[Cut]:
    return [(sentence.start + start, sentence.start + end) for start, end in pieces(sentence.text)]


def _request(text: str, start: int, end: int, *, question: bool = False) -> Request | None:
    said = " ".join(_plain(text[start:end]).split())
    again = _AGAIN.search(said)
    if again is not None:
        before = said[: again.start()]
        asked = _wish_of(before) or wished_by_another(before)
        if asked is not None:
            return Request(start, end, f"forget {asked}")
    if lies_elsewhere(said):
        return None
    said += "?" if question else ""
    wish = _of_language(said).wish_in(said)
    if wish is not None:
        return Request(start, end, f"forget {wish}") if names_something(wish) or means_everything(wish) else None
    names = _of_language(said).names_in(said)
    if names:
        return Request(start, end, f"forget {untitled(names[0])}", names)
    held = _of_language(said).held_in(said)
    return Request(start, end, f"forget {held}", doubtful=True) if held and names_something(held) else None


def _wish_of(said: str) -> str | None:
    wish = _of_language(said).wish_in(said)
    return wish if wish is not None and (names_something(wish) or means_everything(wish)) else None


def _of_language(said: str) -> ModuleType:
    return request_zh if has_han(said) else request_en


@bounded_cache(1_024, longest=MAX_CHARS)  # each of the ways in which something may be asked reads it
def _plain(said: str) -> str:
    """What is said in ordinary letters, without what stands before its first word."""
    if said.isascii():
        written = said.translate(_ASCII_SIGNS)
    else:
        letters = simplified(unicodedata.normalize("NFKC", said)).translate(APOSTROPHES)
        written = "".join(sign for sign in letters if unicodedata.category(sign) not in _SIGNS)
    spelled = _NOT_SHORT.sub(re.filled(r"\1n't"), _YOU_SHORT.sub("you", written))
    return _SHORT.sub("please", _AHEAD.sub("", spelled))
