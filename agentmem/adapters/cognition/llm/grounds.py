"""What a model's answer rests on: the words it quotes, the names it gives, and whether a sentence it wrote may stand.

Quoted words are found as they stand, or but for width, case, white space and the marks around them. A wrong name would
merge two people. A sentence stands in the language spoken, about somebody named, with no number of its own; each check
answers with the reason for leaving it out, or None. The checks know the words that were said and nothing else; what
they cannot decide, they let pass.
"""

import unicodedata
from collections.abc import Iterable, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agentmem import patterns as re
from agentmem.bounded_cache import bounded_cache
from agentmem.characters import is_han, nfkc_with_offsets
from agentmem.domain.naming import canonical_name
from agentmem.domain.statement import Turn, Window
from agentmem.language.injection import LOOKALIKES
from agentmem.language.normal import language_of, normalise
from agentmem.language.numbers import parse_numbers

MAX_QUOTE: Final = 2_000
_EDGES: Final = " \t\r\n\"'“”‘’「」『』《》….。,;:!?\uff0c\uff1b\uff1a\uff01\uff1f"

_TYPESET: Final = {"'": "‘’`", '"': "“”", "-": "–—"}
_AS_SAID: Final = {ord(shown): said for said, shown in LOOKALIKES.items() if said not in _TYPESET["'"]} | {
    ord(typeset): typed for typed, many in _TYPESET.items() for typeset in many
}
"""A prompt shows the first in place of what was said, and a model quotes what it was shown; others it types as its
keyboard would."""

_GAP: Final = re.compile(r"…+|\.{3,}")


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Where in `text` the quoted words stand, as start and end; None where they do not. A quote with a gap stands from
    its first words to its last, where all of its parts do in this order.

    One character proves nothing unless it stands by itself between marks, as 行 does where somebody agrees.
    """
    if len(quote) > MAX_QUOTE:
        return None
    parts = [part for part in _GAP.split(quote) if part.strip(_EDGES)]
    if len(parts) < 2:
        return _place_of(quote, text)
    places = [place for part in parts if (place := _place_of(part, text))]
    in_order = all(one[1] <= other[0] for one, other in pairwise(places))
    return (places[0][0], places[-1][1]) if len(places) == len(parts) and in_order else None


def _place_of(quote: str, text: str) -> tuple[int, int] | None:
    wanted, _ = _folded(quote.strip(_EDGES))
    if not wanted:
        return None
    said, offsets = _folded(text)
    if len(wanted) < 2:
        alone = re.search(rf"(?<![^\W_]){re.escape(wanted)}(?![^\W_])", said)
        return (offsets[alone.start()], offsets[alone.end() - 1] + 1) if alone else None
    if quote.strip() in text:
        start = text.index(quote.strip())
        return start, start + len(quote.strip())
    place = said.find(wanted)
    if place < 0:
        return None
    return offsets[place], offsets[place + len(wanted) - 1] + 1


@bounded_cache(256)  # the turns of a window are looked through once per statement
def _folded(text: str) -> tuple[str, tuple[int, ...]]:
    """The text without case, width and white space, and the index each of its characters came from."""
    plain, offsets = nfkc_with_offsets(text)
    plain = plain.translate(_AS_SAID)
    letters: list[str] = []
    places: list[int] = []
    for character, offset in zip(plain, offsets, strict=True):
        if character.isspace():
            continue
        folded = character.casefold()
        letters.append(folded)
        places.extend([offset] * len(folded))
    return "".join(letters), tuple(places)


def folded(text: str) -> str:
    """The form in which quotes are compared."""
    return _folded(text)[0]


def sentence_at(text: str, end: int) -> str:
    """What follows the quote, up to and with the mark that ends its sentence."""
    for place in range(max(0, end - 1), len(text)):
        if text[place] in "。!?\uff01\uff1f\n" or (text[place] == "." and text[place + 1 : place + 2] in ("", " ")):
            return text[end - 1 : place + 1]
    return text[end - 1 :]


_NO_NAMES: Final = frozenset(
    ("你", "您", "我", "他", "她", "先生", "女士", "小姐", "老师", "客户", "用户", "顾客", "亲", "老板", "朋友")
) | frozenset(("you", "sir", "madam", "customer", "user", "client", "friend", "he", "she", "i", "me", "him", "her"))
_ADDRESS: Final = re.compile(
    r"[^\W\d_]{1,2}(?:先生|女士|小姐|太太|夫人|老师|师傅|同学|医生|大夫|律师|老板|经理|总|工)"
    r"|(?:mr|mrs|ms|miss|mx|sir|madam|dr|prof)\b\.?.*",
    re.IGNORECASE,
)
"""How one is addressed by a surname, which is no name of his own: whoever has the surname is called so."""

_SELF: Final = (
    "(?:叫我|我叫|我是|称呼我|喊我|call me|i am|i'm|my name is|name's"
    r"|\b(?:i am|i'm)(?: also| better| often| usually)? known as|\bi(?: also| usually| mostly)? go by)"
)


def plausible_alias(name: str, turn: Turn, window: Window, strangers: Set[str]) -> bool:
    """Whether it resembles the person's name or the person gave it, and belongs to nobody else in the talk."""
    plain = canonical_name(name)
    person = canonical_name(window.person.name)
    others = {canonical_name(window.agent_name), *strangers}
    if not 1 < len(name) <= 40 or not name.isprintable() or any(ch.isdigit() for ch in name):
        return False
    if plain == person or plain in others or plain in _NO_NAMES or plain == canonical_name(window.person.title or ""):
        return False
    if _ADDRESS.fullmatch(name.strip()):
        return False
    return _alike(plain, person) or _given(name, turn)


def _alike(name: str, person: str) -> bool:
    shared = {ch for ch in name if is_han(ch)} & {ch for ch in person if is_han(ch)}
    return bool(shared) or (name[:2] == person[:2] and name[0].isascii())


def _given(name: str, turn: Turn) -> bool:
    pattern = rf"{_SELF}\s*[\"“'「]?{re.escape(name)}"
    return not turn.by_agent and re.search(pattern, turn.text, re.IGNORECASE) is not None


MAX_TEXT: Final = 600
"""Characters of one statement; a longer one is no single sentence."""

_REFUSAL: Final = re.compile(
    r"""as\ an?\ (?:ai|artificial|language\ model) | i(?:'|’)?m\ (?:just\ )?an?\ (?:ai|language\ model)
    | i\ (?:can(?:no|'|’)t|am\ (?:unable|not\ able)\ to|(?:'|’)m\ (?:unable|not\ able)\ to)\ (?:\w+\ )?
      (?:help|assist|comply|provide|process|fulfil|answer|continue|extract|do\ that)
    | i(?:'|’)?m\ (?:very\ |so\ )?sorry,?\ (?:but\ )?i
    | (?:violat\w+|against)\ (?:our|my|the|openai\S*)\ (?:usage|use|content|safety)\ (?:polic|guideline)
    | (?:作为|我是)(?:一个|一款|一名)?(?:人工智能|ai|ai助手|语言模型|大模型|大语言模型)
    | 我(?:无法|不能|没法)(?:为您|帮您|帮你|给您)?(?:提供|回答|协助|处理|满足|完成|继续|生成)
    | (?:抱歉|对不起|很遗憾)[,\uff0c]?(?:但)?我?(?:无法|不能|没法)
    | (?:请求|提问|内容)(?:可能)?违反(?:了)?(?:相关|使用|内容|平台|安全)?(?:政策|规定|法律法规)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DATE: Final = re.compile(
    r"\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T ]?\d{1,2}:\d{2}(?::\d{2})?)?"
    r"|\d{4}年\d{1,2}月(?:\d{1,2}[日号])?|\d{1,2}:\d{2}"
)
_YEAR: Final = re.compile(
    r"(?<![\d.,/-])(?P<year>(?:19|20|21)\d\d)(?=年|[)\]）】])"
    r"|\b(?:in|of|since|until|till|by|from|before|after|during|year|early|mid|late|January|February|March|April|May|June"
    r"|July|August|September|October|November|December|\d{1,2},) (?P<stated>(?:19|20|21)\d\d)\b"
    r"(?![\d.,/%-]*\d| ?%| (?!(?:was|is|has|does|as|his|its|this)\b)[a-z]+s\b)",
    re.IGNORECASE,
)
"""A year that stands as one."""

YEARS_AROUND: Final = 5
"""So many years from when the words were said a year may lie that nobody named: last year, 去年, in three years."""
_SEPARATORS: Final = re.compile(r"(?<=\d)[\s,.()\-/+]+(?=\d)")
_FOREIGN: Final = re.compile(
    r"\b(?:le|les|des|est|une|dans|pour|avec|der|die|das|ist|nicht|und|ein|eine|el|los|las|una|que|para|por|con|il|"
    r"che|della|sono|não|uma|com|veut|quiere|möchte|vuole|está|het|een|niet|jest|nie|się)\b",
    re.IGNORECASE,
)
_LEADING_SUBJECT: Final = re.compile(
    r"^(?:该客户|该用户|客户|用户|顾客|对方|本人|他|她"
    r"|the (?:customer|user|client|person|speaker)\b|(?:he|she|they|customer|user)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ground:
    """All that was said in one window (or observed), whom it is about, and the language it may be told in.

    `known` was said before and may be told again with its numbers; `names` begins with the person's full name;
    `spoken_in` are the years in which it was said.
    """

    texts: tuple[str, ...]
    label: str
    names: tuple[str, ...]
    languages: frozenset[str]
    instructions: str = ""
    known: tuple[str, ...] = ()
    spoken_in: frozenset[int] = frozenset()

    def fault(self, text: str) -> str | None:
        """Why the sentence must not stand, or None."""
        checks = (
            ("malformed", not text or len(text) > MAX_TEXT or not text.isprintable()),
            ("refusal", refused(text)),
            ("copied", self._copied(text)),
            ("echo", len(text) > 12 and folded(text) in folded(self.instructions)),
            ("language", self._foreign(text)),
            ("number", self.invented_number(text)),
        )
        return next((name for name, failed in checks if failed), None)

    def says(self, words: str) -> bool:
        """Whether these words, width and case aside, were said by anybody, now or before."""
        wanted = folded(words)
        told = (*self.texts, *self.known, *self.names, self.label)
        return bool(wanted) and any(wanted in folded(text) for text in told)

    def subject(self, text: str) -> str | None:
        """The sentence with the person named as he is labelled, or None where it does not name him at all."""
        plain = folded(text)
        if folded(self.label) in plain:
            return text
        for name in sorted(self.names, key=len, reverse=True):
            if match := _mention(name, whole=name == self.names[0]).search(text):
                return f"{text[: match.start()]}{self.label}{text[match.end() :]}"
        if folded(self.names[0]) in plain:
            return text
        if match := _LEADING_SUBJECT.match(text):
            gap = " " if self.label[-1].isascii() and not text[match.end() :].startswith((" ", "'")) else ""
            return f"{self.label}{gap}{text[match.end() :]}"
        return None

    def invented_number(self, text: str) -> bool:
        """Whether a number of three digits or more was never said, as digits or in words (twelve hundred); dates
        aside, and years near those in which the words were said."""
        told = (*self.texts, *self.known, self.label)
        said = [_digits(part) for part in told]
        dateless = _YEAR.sub(self._year, _DATE.sub(" ", unicodedata.normalize("NFKC", text)))
        runs = [run for run in re.findall(r"\d{3,}", _digits(dateless)) if not any(run in part for part in said)]
        return bool(runs) and not set(runs) <= {amount for part in told for amount in _amounts(part)}

    def _year(self, found: re.Match) -> str:
        year = int(found["year"] or found["stated"])
        return " " if any(abs(year - spoken) <= YEARS_AROUND for spoken in self.spoken_in) else found[0]

    def _copied(self, text: str) -> bool:
        plain = normalise(text)
        for turn in self.texts:
            whole = normalise(turn)
            if plain == whole or (len(whole) > 8 and plain.endswith(whole) and _speech_tag(plain[: -len(whole)])):
                return True
        return False

    def _foreign(self, text: str) -> bool:
        if language_of(text) not in self.languages:
            return True
        allowed = {"CJK", "LATIN"}.union(*map(_scripts, (*self.texts, *self.names, self.label)))
        if not _scripts(text) <= allowed:
            return True
        strange = _FOREIGN.findall(text)
        return len(strange) >= 2 and len(strange) > 2 * len(_FOREIGN.findall(" ".join(self.texts)))


def _mention(name: str, *, whole: bool) -> re.Pattern:
    """Where a name stands as one: 小东 begins 小东想要 and is not in 小东西, Mel is not in Melbourne."""
    if name.isascii():
        return re.compile(rf"\b{re.escape(name)}\b")
    return re.compile(re.escape(name) if whole else rf"^{re.escape(name)}(?=[的想希是要在有说觉认需不会能对用做])")


def refused(text: str) -> bool:
    """Whether the text is a model declining."""
    return _REFUSAL.search(text) is not None


def on_one_line(text: str) -> str:
    """The sentence on one line."""
    return " ".join(text.split())


def languages_of(texts: Iterable[str], default: str) -> frozenset[str]:
    """The languages of the texts that have letters, and the default one."""
    return frozenset({default, *(language_of(text) for text in texts if any(ch.isalpha() for ch in text))})


@bounded_cache(256)
def _digits(text: str) -> str:
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", text))


@bounded_cache(256)
def _amounts(text: str) -> frozenset[str]:
    return frozenset(f"{amount.value:f}" for amount in parse_numbers(text))


def _speech_tag(prefix: str) -> bool:
    return len(prefix) <= 40 and bool(
        re.search(r"(?:[:\uff1a说道]|said|says|told \w+)[\s\"“「:,\uff1a\uff0c]*$", prefix, re.IGNORECASE)
    )


@bounded_cache(256)
def _scripts(text: str) -> frozenset[str]:
    found = {"LATIN"} if any(ch.isascii() and ch.isalpha() for ch in text) else set[str]()
    strange = {ch for ch in text if not ch.isascii() and ch.isalpha()}
    return frozenset(found) | {unicodedata.name(ch, "UNKNOWN").split(" ")[0] for ch in strange}
