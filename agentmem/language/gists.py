"""What a statement is about, apart from its person: topic words, values by their type, and what it says has changed.

Two statements concern one matter where these meet, however unlike their wording; the names of the person, which make
unlike sentences alike, are left out before.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.bounded_cache import bounded_cache
from agentmem.language.normal import normalise
from agentmem.language.numbers import NumberMention, parse_numbers
from agentmem.language.time import TimeMention, find_times, zh_value
from agentmem.language.tokens import terms

_MOVED: str = (
    r"改[到成为去在用吃喝坐走签发寄约住]|换[到成为了]|调[到成为整]|挪[到回]|移到|搬[到去进来]|推迟|推后|延[到后期]|提前到|转到|转成|升[到为成]|降[到为成]|涨[到成]|增[至到加]|减[至到]|[砍压加缩扩]到|恢复|变[成为更]|更[改新换]|作废"
    r"|\b(?:instead|switch(?:ed|ing)?|moved?|moving|shift(?:ed)?|push(?:ed)? (?:back|to)|bring forward|brought forward|reschedul\w+|postpon\w+|swapp?(?:ed)?|chang(?:e|ed|ing)|(?:went|go(?:es|ing)?|gone) (?:up|down|back) |rais(?:e|ed)|lower(?:ed)?|replac(?:e|ed|es)|upgrad(?:e|ed)|downgrad(?:e|ed)|rather than|make (?:it|that)|(?:up|down|grown|risen|cut) to|turned into|became|back (?:to|on))\b"
)
_NOW: str = (
    r"现在|如今|目前|这回|以后|往后|今后|从[今现]|从.{1,6}(?:起|开始)|起改|还是|又|重新|不再|已经|只有|只剩|最后|后来|[\u4e00-\u9fff\d]了(?:\W|$)|照旧|暂"
    r"|\b(?:now(?:adays)?|these days|from now on|from (?:today|tomorrow|next|then|this) ?\w* on|any ?more|no longer|after all|again|once more|actually|scratch that|currently|only|the usual|since|from \w+ (?:on|onwards?)|until further notice|in the end|new)\b"
)
_STRONG, _WEAK = re.compile(_MOVED, re.IGNORECASE), re.compile(_NOW, re.IGNORECASE)
_CUES = re.compile(f"{_MOVED}|{_NOW}", re.IGNORECASE)

_STOP_AT = r"(?=[,，。.;；!！?？、]|\b(?:and|but|so|for|because|since|from|as|till|until)\b|$)"
_OVER = re.compile(
    r"(?:(?:已经)?不再|没再|别再?|不用再|戒掉?了?|放弃|取消了?|退掉了?|停掉了?|卖掉了?|撤回|不打算再?)(?P<a>[^,，。;；!！?？、]{2,20}?)了?(?=[,，。;；!！?？、]|$)"
    r"|不(?P<b>[^,，。;；!！?？、是]{2,12})了(?=[,，。;；!！?？、]|$)"
    r"|(?P<c>[^,，。;；!！?？、]{2,16}?)(?:取消|卖|丢|退|停|戒|作废|送人|送给.{1,6}|没|不干|不做|不要|不用|辞|扔|被偷|结束|转手|关门|拆)(?:掉|完)?(?:养)?了"
    r"|把?(?P<d>[^,，。;；!！?？、]{2,16}?)(?:换|改|调|挪)[成为到]"
    r"|从(?P<m>[^,，。;；!！?？、]{2,16}?)(?:出来|离开|离职|辞职|辞|走)(?:掉)?了"
    r"|[从由](?P<e>[^,，。;；!！?？、]{1,12}?)(?:改|换|调|挪|搬|转|移|升|降|涨|增|减|变)"
    r"|不是(?P<f>[^,，。;；!！?？、]{1,12}?)[,，]?(?:而)?是"
    rf"|\b(?:no longer|gave up|given up|giving up|quit(?:ting)?|stopp(?:ed|ing)|cancel(?:l?ed|l?ing)?|dropp(?:ed|ing)(?: out of)?|pull(?:ed|ing) out of|withdr(?:ew|awn|awing) from|sold|done with|got rid of|let go of|forget about|instead of|rather than|scrap(?:ped)?) (?:the |my |our )?(?P<g>(?:[^,.;!?]|,(?=\d)){{2,40}}?)\s?{_STOP_AT}"
    r"|(?P<h>[^,.;!?]{2,40}?)(?:'s| is| are| was| has been|'re) (?:gone|sold|cancell?ed|off|over|scrapped|dropped|closed|finished|off the list)\b"
    r"|(?P<w>[^,.;!?]{2,40}?) (?:only )?(?:has |have )?(?:fell apart|fallen apart|fell through|fallen through|wore out|worn out|came to an end|went bust|closed down)\b"
    r"|\b(?:not|don't|doesn't|do not|does not) (?P<i>[^,.;!?]{2,40}?) any ?(?:more|longer)\b"
    r"|\b(?:mov\w+|chang\w+|switch\w+|shift\w+|push\w+|rais\w+|cut|went|gone|goes|up|down) (?:[^,.;!?]{0,24} )?from (?P<j>[^,.;!?]{1,30}?) to\b"
    rf"|\bnot (?P<k>[^,.;!?]{{2,24}}?)(?:, but|,| but) "
    rf"|\b(?:doesn't|does not|don't|do not|can't|cannot|won't) (?P<n>[^,.;!?]{{2,40}}?)\s?{_STOP_AT}"
    r"|不(?:会|能|吃|喝|坐|去|用|开|养|抽)(?P<o>[^,，。;；!！?？、]{1,12})"
    r"|\bleft (?P<p>[^,.;!?(]{2,30}?)\s?(?=[,.;!?(]|\b(?:in|on|at|to|for|this|last|next|and|but|after|because|since)\b|$)"
    rf"|, not (?P<l>[^,.;!?]{{2,24}}?)\s?{_STOP_AT}"
    r"|(?P<q>(?:[^,.;!?]{1,24}? )?(?:chang|switch|swapp)(?:ed|ing) (?!minds\b)[a-z]{3,20}s)\b(?! to\b)"
    r"|(?P<r>[^,.;!?]{2,30}?) (?:has |have |had |just )?cancell?ed(?=\s?(?:[,.;!?]|$))"
    rf"|\bused to (?P<s>[^,.;!?]{{3,40}}?)\s?{_STOP_AT}"
    rf"|\b(?:(?:taken|took|taking|weaned|put) (?:me|us|him|her|them) off|(?:gone|went) off) (?:the |my |our )?(?P<v>[^,.;!?]{{2,30}}?)\s?{_STOP_AT}"
    r"|换了?一?[家个所间位只台](?P<t>[^,，。;；!！?？、的了]{2,8}?)了?(?=[,，。;；!！?？、]|$)"
    r"|(?:^|(?<=[,，我们]))(?:以前|之前|过去|曾经|原来|原先|从前)(?![的那说提])(?P<u>[^,，。;；!！?？、]{2,16})",
    re.IGNORECASE,
)
_ENDING: Final = frozenset("cmgphrvw")
"""The groups of `_OVER` whose own words say that something has ended; the others deny it, or name what came instead."""
_BESIDE_THAT = re.compile(r"[,，;；](?!.*(?:\b(?:now|instead|only|just|but)\b|现在|改|只|换)).*$", re.IGNORECASE)
"""What is told behind what is over, and names nothing in its place: why, or that one is sorry."""
_CONTRASTS = re.compile(r"\b(?:instead of|rather than|forget about)\b", re.IGNORECASE)
_ISO = re.compile(r"(?<!\d)\d{4}-\d\d(?:-\d\d)?(?:/\d{4}-\d\d(?:-\d\d)?)?(?!\d)")
_NOTE = re.compile(r"\s*\([\d/-]+\)")
_RANK = re.compile(
    r"(?P<zh>[零一二两三四五六七八九十百\d]{1,4})(?P<unit>年级|档|段|号楼|[楼层栋排路班室挡级杯盒])"
    r"|\b(?P<noun>grade|floor|flat|room|plot|unit|level|gate|platform|line|table|row|number|size|no\.?|stage|step|tier|team)\s(?P<of>\d{1,5}[a-z]?|one|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"|\b(?P<nth>\d{1,3})(?:st|nd|rd|th) (?P<place>floor|grade|row|team|year)\b",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"\b(?P<times>once|twice|three times|two times|four times|five times) (?:a|per|every) (?P<per>day|week|month|year)\b"
)
_TIMES: Mapping[str, str] = {"once": "1", "twice": "2", "two times": "2", "three times": "3", "four times": "4", "five times": "5"}  # fmt: skip
_SMALL: Mapping[str, str] = {
    name: str(place)
    for place, name in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], start=1
    )
}
ONE_AT_A_TIME: Mapping[str, re.Pattern] = {
    "home": re.compile(
        r"(?:住在?|租在|搬到了?|搬去|搬进|定居在?|落户)([^,，。;；!！?？、的了这那]{2,12})"
        r"|\b(?:lives?|living|based|moved|relocated|settled|rent(?:s|ed|ing)?(?: an? \w+)?|flat|house)(?: \w+ly)? (?:in|to|at|on) ([a-z][\w' -]{2,30})",
        re.IGNORECASE,
    ),
    "job": re.compile(
        r"在([^,，。;；!！?？、]{2,14}?)(?:做|当|任|带|上班|工作|读|教)"
        r"|\b(?:works?|working|runs?|leads?|heads?|employed)\b[^,.;!?]{0,30}? (?:at|for) ([a-z][\w&' -]{2,30})",
        re.IGNORECASE,
    ),
    "diet": re.compile(
        r"(素食|吃素|纯素|什么都吃|开荤|清真|生酮)|\b(vegetarian|veggie|vegan|pescatarian|(?<=eats )everything|(?<=eats )meat|keto|halal|kosher|no meat)\b",
        re.IGNORECASE,
    ),
}
"""What a person has one of at a time, though it fills no slot: the words that give it."""
_WISHED = re.compile(
    r"想|希望|打算|考虑|如果|要是|\b(?:would|want(?:s|ed)?|love to|like to|hop(?:es?|ing)|plan(?:s|ning)?|consider\w*|if|might|may|could|looking|used to)\b",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:make (?:it|that)|one (?:on|in|at)|it (?:to|for|on))\b|那[次个天]|这[次个]|^\W*(?:提前|推迟|改|换|挪)[到成]"
)
_WEEKDAY = re.compile(
    r"(?:周|星期|礼拜)([一二三四五六日天])|\b(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur|urs)?(?:day)?s?\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\s?(?:more |other |full |whole )?([a-z]{3,})", re.IGNORECASE)
_LIGHT = frozenset(
    terms(
        "say says said like want wants would need prefer think now instead change move back still only again after actually altogether all s "
        "please one day time thing get got go going do does yes new from keep take make use have these those "
        "提到 希望 觉得 想 要 去 来 说 请 现在 改 换 换成 改成 改为 改到 还是 以后 往后 已经 就是 没有 不 没 别 需要 打算 每天 每周 今年 上周 下周 这周 本周 变 恢复 时间 方面 自己 可以 了 最近 前 后 号 月 日 年 个 用"
    )
)
_WORD = re.compile(r"[^\W\d_]")
_EPOCH = datetime(2024, 1, 1, tzinfo=UTC)
REMEMBERED: Final = 400
"""Characters of a text up to which its gist is remembered."""


class Gist:
    """What a statement says, each part of it read when it is first asked for. Constructed from what `without_names` left
    of the statement."""

    def __init__(self, plain: str) -> None:
        self._plain = plain
        self._spoken = _NOTE.sub("", plain)

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words without those of values and of change."""
        return _topic(self._read)

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        """Its values in a comparable form by their type, such as `day` or `count of days`."""
        return _values(self._read)

    @cached_property
    def moves(self) -> bool:
        """Whether it says that something changed."""
        return _STRONG.search(self._spoken) is not None

    @cached_property
    def renews(self) -> bool:
        """Whether it says that something is so by now."""
        return _WEAK.search(self._spoken) is not None

    @cached_property
    def over(self) -> tuple[frozenset[str], ...]:
        """The words of each thing it denies, or says has ended or was put in another's place."""
        return tuple(_over(self._plain))

    @cached_property
    def only_ends(self) -> bool:
        """Whether it says that something is over, and nothing else."""
        return bool(self.over) and not _topic(_read(_OVER.sub(" ", self._plain)))

    @cached_property
    def tells_an_end(self) -> bool:
        """Whether that something has ended is what it says: nothing is named behind that."""
        last = list(_OVER.finditer(self._plain))[-1:]
        return any(
            found.lastgroup in _ENDING
            and _CONTRASTS.search(found.group()) is None
            and not _topic(_read(_BESIDE_THAT.sub("", self._plain[found.end() :])))
            for found in last
        )

    @cached_property
    def refers(self) -> bool:
        """Whether it leaves to what was said before what it is about."""
        return _REFERS.search(self._spoken) is not None or not self.words

    @cached_property
    def weekdays(self) -> frozenset[str]:
        """The days of the week that it names."""
        return frozenset(_weekdays(self._spoken))

    @property
    def said(self) -> frozenset[str]:
        """All its values."""
        return frozenset[str]().union(*self.values.values())

    @property
    def changes(self) -> bool:
        """Whether anything in it says that things are not as they were."""
        return self.moves or self.renews or bool(self.over)

    @cached_property
    def _read(self) -> "_Read":
        return _read(self._plain)


def gist_of(text: str, names: Iterable[str] = ()) -> Gist:
    """The gist of a statement about the person who bears these names, which are left out."""
    return gist_without_names(without_names(text, names))


def without_names(text: str, names: Iterable[str]) -> str:
    """The normal form of a text without these names: what makes unlike statements about one person alike."""
    return _nameless(text, tuple(names)) if len(text) <= REMEMBERED else _without_names(text, names)


def _without_names(text: str, names: Iterable[str]) -> str:
    plain = normalise(text)
    for name in sorted((named for each in names if (named := normalise(each))), key=len, reverse=True):
        if name[-1].isascii():
            plain = (
                f" {plain} ".replace(f" {name}'s ", " ").replace(f" {name}: ", " ").replace(f" {name} ", " ").strip()
            )
        else:
            plain = plain.replace(name, "")
    return plain


_nameless = lru_cache(8_192)(_without_names)  # what is held is compared with all that comes


@bounded_cache(8_192, longest=REMEMBERED)  # with its times and numbers
def gist_without_names(plain: str) -> Gist:
    """The gist of what `without_names` left of a statement."""
    return Gist(plain)


@dataclass(frozen=True, slots=True)
class _Read:
    """A text without the dates that were written behind its times, these `days`, and its times and numbers."""

    spoken: str
    days: list[str]
    times: list[TimeMention]
    numbers: list[NumberMention]


def _read(plain: str) -> _Read:
    spoken = _NOTE.sub("", plain)
    return _Read(spoken, _ISO.findall(plain), find_times(spoken, _EPOCH), parse_numbers(spoken))


def _topic(read: _Read) -> frozenset[str]:
    text = _without(read.spoken, (*read.times, *read.numbers))
    return frozenset(word for word in terms(_CUES.sub(" ", text)) if word not in _LIGHT and _WORD.search(word))


def _without(text: str, mentions: Iterable[TimeMention | NumberMention]) -> str:
    for mention in sorted(mentions, key=lambda each: -each.start):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return text


def _over(text: str) -> Iterator[frozenset[str]]:
    for found in _OVER.finditer(text):
        gone = _read(next((part for part in found.groups() if part), ""))
        if words := _topic(gone).union(*_values(gone).values()):
            yield words


def _values(read: _Read) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for kind, value in (*_numbered(read.spoken), *_timed(read), *_counted(read), *_settled(read)):
        found.setdefault(kind, set()).add(value)
    return {kind: frozenset(values) for kind, values in found.items()}


def _numbered(text: str) -> Iterator[tuple[str, str]]:
    for found in _RANK.finditer(text):
        if found["zh"]:
            yield f"which {found['unit']}", f"{zh_value(found['zh']) or found['zh']}"
        elif found["noun"]:
            yield f"which {found['noun'].lower()}", _SMALL.get(found["of"].lower(), found["of"])
        else:
            yield f"which {found['place'].lower()}", found["nth"]
    yield from (("weekday", day) for day in _weekdays(text))
    for found in _RATE.finditer(text):
        yield f"times a {found['per']}", _TIMES[found["times"]]


def _weekdays(text: str) -> Iterator[str]:
    return (found[1] or found[2].lower() for found in _WEEKDAY.finditer(text))


def _settled(read: _Read) -> Iterator[tuple[str, str]]:
    if _WISHED.search(read.spoken):
        return
    text = _without(read.spoken, read.times)
    for kind, pattern in ONE_AT_A_TIME.items():
        for found in pattern.finditer(text):
            yield from ((kind, word) for word in terms(found[1] or found[2]) - _LIGHT)


def _timed(read: _Read) -> Iterator[tuple[str, str]]:
    yield from (("day", day) for day in read.days)
    for mention in read.times:
        moment = mention.begins or mention.ends
        if mention.every is not None:
            yield "rhythm", normalise(mention.text)
        elif mention.precision in ("minute", "hour") and moment is not None:
            yield "clock", f"{moment:%H:%M}"
        elif mention.precision == "part" and moment is not None:
            yield "daypart", f"{moment:%H}"
        if moment is not None and mention.dated and not read.days and mention.precision != "second":
            yield "day", f"{moment:%m-%d}"


def _counted(read: _Read) -> Iterator[tuple[str, str]]:
    for number in read.numbers:
        value = f"{number.value:f}"
        if number.currency:
            yield "money", value
        elif number.unit:
            yield f"count of {number.unit}", value
        elif named := _COUNTED.match(read.spoken, number.end):
            noun = next(iter(terms(named[1])), named[1])
            yield f"count of {noun}", value
        else:
            yield "number", value
