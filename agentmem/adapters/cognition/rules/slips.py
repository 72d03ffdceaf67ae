"""Slips that are put right at once: `sorry, typo: 555-0143`, `I meant Hale`, 打错了，是张.

A turn that is nothing but a sign of a slip and a value puts that value in the place of the one of its type that the same
person gave last. What it corrects was never true. Where two may be meant nothing is corrected, and nothing is read.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.changes import fits
from agentmem.adapters.cognition.rules.contrasts import put_in
from agentmem.adapters.cognition.rules.matters import QUOTES, Matter, Talk, own_words, reworded_by
from agentmem.adapters.cognition.rules.model import Finding, Span, has_han
from agentmem.language.normal import digits, normalise
from agentmem.language.typed_values import NUMBER, TypedValue, is_bare, typed_values

_I = re.IGNORECASE
_SURE: Final = "|".join((
    r"(?:(?:that was |it was |that's |i made )?a )?typo\b|i meant?\b(?: to (?:say|write|type|put)\b)?|correction\b|i should have said\b",
    r"(?:let me )?correct(?:ing)? (?:that|myself)\b|(?:make|scratch|strike) that\b|i (?:misspoke|mistyped)\b",
    r"(?:i )?(?:got|said|wrote|typed|spelled) (?:that|it) wrong\b|wrong (?:digits?|letters?|number|name|day|date|time)\b",
    r"(?:the )?(?:(?:last|first) )?(?:digit|letter|number|name)s? (?:is|was|are|were) wrong\b|\*",
    r"(?:(?:号码|电话|手机号?|名字|姓名?|数字?|日期|时间|地址|邮箱|金额|人数|最?后?[一二两三四五六七八九十\d]?[位个])(?:数字?)?)?(?:我)?(?:刚才?|刚刚|上面|前面)?(?:是)?(?:我)?[打说写记讲输填报搞弄]?错(?:字|话)?了?",
    r"(?:口|笔|手)误|我?(?:更正|纠正)(?:一下)?|我(?:是)?[想要]说的?是?|我(?:的)?意思是",
))  # fmt: skip
"""Signs that can mean nothing but a slip."""
_WEAK: Final = "|".join((
    r"(?:w?hoops|oops|arg?h|ugh|d'?oh|damn)\b|(?:no,? wait|wait,? no|hang on)\b|my (?:mistake|bad)\b",
    r"(?:sorry|apologies|pardon)\b|(?:it |that )?should (?:be|have been|read|say)\b",
    r"(?:真)?(?:不好意思|抱歉|对不起)|不对|不是(?=[,，])|应该?是|应为",
))  # fmt: skip
"""Signs that may be of something else: an apology, a cry, what only should be so."""
_FILLER: Final = (
    r"(?:oh|ah|uh|um|hmm|no|wait|well|actually|ok|okay|and|but|so|that)\b|[哦噢啊呃额嗯哎]呀?|不(?=[,，])|等等|等一下"
)
_MARKS: Final = r"[^\w*+($£€¥@'\"“]*"
_OPENING = re.compile(rf"{_MARKS}(?:(?P<sure>{_SURE})|(?P<weak>{_WEAK})|{_FILLER}){_MARKS}", _I)
_CLOSING = re.compile(
    rf"(?:(?P<said>\*)|[\s,，.。;；!！…—–-]+(?:thank(?:s| you)|cheers|谢谢|with (?:an?|one|two) \"?[a-z]{{1,2}}\"?|(?P<sure>i meant?|typo|correction|[打说写记]错了|口误|更正)|(?P<weak>sorry|my (?:mistake|bad)|oops|不好意思|抱歉))){_MARKS}$",
    _I,
)
_CONTRASTS = tuple(
    re.compile(pattern, _I)
    for pattern in (
        r"(?:it'?s |that'?s )?not (?P<old>[^,;，；]{1,60}?)(?:,|;| -+)? (?:but |it'?s |that'?s |rather )+(?P<new>[^,;，；]{1,60})",
        r"(?:it'?s |that'?s )?not (?P<old>[^,;，；]{1,60}?)(?:,|;| -+) (?P<new>[^,;，；]{1,60})",
        r"(?:it'?s |that'?s )?(?P<new>[^,;，；]{1,60}?),? (?:and not|not|rather than) (?P<old>[^,;，；]{1,60})",
        r"(?:并)?不是(?P<old>[^,，;；]{1,30}?)[,，;；\s]*(?:而|应该|就)?是(?P<new>[^,，;；]{1,30})",
        r"(?:应该|就)?是?(?P<new>[^,，;；]{1,30}?)[,，;；\s]*(?:而)?不是(?P<old>[^,，;；]{1,30})",
    )
)
"""What is named as wrong, `old`, and what is right."""
_MEANT = re.compile(r"(?:(?:oh|no|sorry|oops)[,. ]+)*i meant?\b", _I)
_STOPS: Final = " \t\n,，.。:：;；!！…—–-"
_ASKS = re.compile(r"[?？]|[吗呢么]\W*$")
_LONGEST: Final = 120
_MAIL = re.compile(r"[\w.+-]+@[\w.-]+\w")
_PHONE = re.compile(r"\+?\d(?:[\d()]|[ -](?=[\d(])){4,20}\d")
_HANDLE = re.compile(r"[A-Za-z_](?:[\w.-]{2,30})\w$")
_NAME_EN = re.compile(r"(?:(?<=\s)|^)[A-Z][\w'&-]*(?: (?:of |the |& )?[A-Z][\w'&-]*){0,3}$")
_WORD_EN = re.compile(r"^[a-z][\w'-]{2,}$")
_NAME_ZH = re.compile(r"[^\x00-\x7f我你您他她它了吗呢吧的不没，。、：；]{1,8}$")
_SMALL_EN: Final = frozenset(
    ("it", "its", "it's", "'s", "that", "that's", "is", "are", "was", "be", "been", "should", "my", "our", "the", "a", "an", "i", "i'm", "we", "at", "on", "in", "for", "to", "by", "from", "with", "have", "has", "named", "called", "spelled", "spelt", "about", "around")
)  # fmt: skip
_SMALL_ZH: Final = re.compile("我们|咱们|我|咱|的|是|应该|就|有|叫|姓|在|为|号码|一共|大概|大约|约|个|[\\s,，:：]")
_CALLED = re.compile(r"(?:[姓叫]|名字?是|住在?|来自)[^\x00-\x7f，。]{1,8}$")
"""Statements that end with what somebody is called, or where he lives: any other name may be the right one."""
_NAMED_EN = re.compile(r"\b[A-Z][\w'&-]*(?: (?:of |the |& )?[A-Z][\w'&-]*){0,3}")
_NAMED_ZH = re.compile(
    r".*(?:[姓叫在]|名字?是|公司是|来自|住在?|[搬去到])(?P<v>[^\x00-\x7f我你您他她它了的，。]{1,8})$"
)
_IS_SOMEBODY = re.compile(r"(?P<v>[^\x00-\x7f，。是的]{1,8})是")
_NEAR_EN, _NEAR_ZH, _NEARER, _NEAREST = 0.6, 0.5, 0.7, 0.8
"""Share of letters two spellings have in common from which one may be a slip for the other, from which a mere apology
makes it one, and from which it is hardly anything else."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What a slip becomes: the matter that was never true, the value that was wrong, and what was meant."""

    matter: Matter
    wrong: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class Slip:
    """What a turn says once its signs of a slip are taken off. `sure`: they can mean nothing else; `meant`: they are no
    sentence without what is meant; `old`: what is named as wrong; `span`: the turn."""

    text: str
    span: Span
    sure: bool
    meant: bool
    old: str | None = None


def slip_in(text: str) -> Slip | None:
    """The slip that the turn puts right; None where it has no sign of one, asks, or says much."""
    if len(text) > _LONGEST or _ASKS.search(text):
        return None
    rest, sure, weak = text.strip(), False, False
    while (found := _CLOSING.search(rest)) is not None:
        sure, weak, rest = (
            sure or bool(found["sure"] or found["said"]),
            weak or bool(found["weak"]),
            rest[: found.start()],
        )
    while (found := _OPENING.match(rest)) is not None:
        sure, weak, rest = sure or bool(found["sure"]), weak or bool(found["weak"]), rest[found.end() :]
    rest, span, meant = rest.strip(_STOPS), Span(0, len(text)), _MEANT.match(text) is not None
    for pattern in _CONTRASTS:
        contrast = pattern.fullmatch(rest)
        if contrast is not None:
            return Slip(contrast["new"].strip(), span, True, meant, contrast["old"].strip())
    return Slip(rest, span, sure, meant) if rest and (sure or weak) else None


def corrections(slip: Slip, recent: Sequence[Matter], talk: Talk, *, asked: bool) -> Sequence[Correction] | None:
    """What a slip puts right of the `recent` statements of its person, the latest last; none where it corrects nothing,
    and None where nobody can tell what it corrects. What follows a question, `asked`, with a mere apology is an answer,
    unless it is all but the same as what was said before."""
    matters = [each for each in recent if not QUOTES.search(each.finding.content)]
    found = [(matter, new) for matter in matters if (new := _put_right(matter, slip, talk)) is not None]
    if asked and not slip.sure:
        found = [(matter, new) for matter, new in found if new.near >= _NEAREST]
    if not found and slip.meant and _is_value(slip.text, talk):
        return None
    meant = _meant(found)
    if meant is None:
        return None
    made = ((matter, new, reworded_by(matter, new.content, slip.span, talk)) for matter, new in meant)
    return [
        Correction(matter, new.old, _anew(matter.finding, right, new))
        for matter, new, right in made
        if right is not None
    ]


def _is_value(text: str, talk: Talk) -> bool:
    """Whether a text is a value and nothing besides, so that it says nothing by itself."""
    return is_bare(text, talk.at) or any(shape.fullmatch(text) for shape in (_MAIL, _PHONE, _NAME_EN))


@dataclass(frozen=True, slots=True)
class _New:
    """The statement as it is right, the wrong value as it stood in it, how near the two are, from 0 to 1, and of a name
    the right one."""

    content: str
    old: str
    near: float
    right: str = ""


def _put_right(matter: Matter, slip: Slip, talk: Talk) -> _New | None:
    """The statement with what is right in the place of what was wrong, where that is of one type and nothing else is
    spoken of."""
    new = _contact(matter, slip) or _typed(matter, slip, talk) or _named(matter, slip, talk)
    if new is None or normalise(new.content) == normalise(matter.finding.content):
        return None
    if slip.old is not None and not _names(slip.old, new.old, talk):
        return None
    return new


def _names(wrong: str, old: str, talk: Talk) -> bool:
    """Whether the words that are said to be wrong give the old value."""
    if normalise(old) in normalise(wrong) or normalise(wrong) in normalise(old):
        return True
    one, other = typed_values(wrong, talk.at), typed_values(old, talk.at)
    return len(one) == len(other) == 1 and one[0].value == other[0].value


def _contact(matter: Matter, slip: Slip) -> _New | None:
    value = matter.finding.value
    if matter.finding.kind != "contact" or value is None or value not in matter.finding.content:
        return None
    for shape in (_MAIL, _PHONE, _HANDLE):
        new = shape.search(slip.text)
        if new is None:
            continue
        if shape.fullmatch(value) is None or not _says_no_more(slip.text, new.span(), matter):
            return None
        if normalise(new.group()) == normalise(value) or (shape is _PHONE and digits(new.group()) == digits(value)):
            return None
        put = _new(matter, value, new.group())
        return put if shape is not _HANDLE or put.near >= _NEARER else None
    return None


def _typed(matter: Matter, slip: Slip, talk: Talk) -> _New | None:
    values = typed_values(slip.text, talk.at)
    return _with(matter, values, slip, talk) or _with(matter, [_uncounted(each) for each in values], slip, talk)


def _uncounted(value: TypedValue) -> TypedValue:
    """A number with 个, which counts anything, as a number of nothing that is named."""
    return replace(value, kind=NUMBER, end=value.end - 1) if value.kind == "count 个" else value


def _with(matter: Matter, values: Sequence[TypedValue], slip: Slip, talk: Talk) -> _New | None:
    """The statement with these values in the place of its own."""
    if matter.finding.kind == "contact" or not values or len({each.kind for each in values}) != len(values):
        return None
    start, end = own_words(matter)
    content = matter.finding.content
    if not all(fits(matter, [value], talk) for value in values) or not _says_no_more(
        slip.text, _span_of(values), matter
    ):
        return None
    put = put_in(content[start:end], values, slip.text, talk.at)
    old = next(_of_type(content[start:end], values, talk), None)
    if put is None or old is None:
        return None
    return _New(f"{content[:start]}{put}{content[end:]}", old, 0.0)


def _of_type(own: str, values: Sequence[TypedValue], talk: Talk) -> Iterator[str]:
    """The values of the statement that are of the type of a new one."""
    for each in typed_values(own, talk.at):
        if any(each.excludes(value) for value in values):
            yield own[each.start : each.end]


def _span_of(values: Sequence[TypedValue]) -> tuple[int, int]:
    return values[0].start, values[-1].end


def _says_no_more(text: str, span: tuple[int, int], matter: Matter) -> bool:
    """Whether the words around a value are small ones, or stand in the statement: my sister's is of no number of mine."""
    around, content = f"{text[: span[0]]} {text[span[1] :]}", matter.finding.content.casefold()
    if has_han(around):
        return all(part in content for part in _SMALL_ZH.split(around.casefold()) if part)
    words = set(re.findall(r"[\w']+", around.casefold()))
    return words - _SMALL_EN <= set(re.findall(r"[\w']+", content))


def _named(matter: Matter, slip: Slip, talk: Talk) -> _New | None:
    """A name in the place of one it is near to in spelling, or of the only one, if any other may be meant."""
    if typed_values(slip.text, talk.at):
        return None
    label = next((name for name in talk.names if matter.finding.content.startswith(name)), "")
    own = matter.finding.content.removeprefix(label).rstrip("。.")
    return _named_in_han(matter, own, slip) if has_han(slip.text) else _named_in_latin(matter, own, slip, talk)


def _named_in_latin(matter: Matter, own: str, slip: Slip, talk: Talk) -> _New | None:
    new = _NAME_EN.search(slip.text) or _WORD_EN.search(slip.text)
    if new is None or not _says_no_more(slip.text, new.span(), matter):
        return None
    whole = [found.group() for found in _NAMED_EN.finditer(own) if not typed_values(found.group(), talk.at)]
    names = whole or (own.split()[-1:] if slip.sure else [])
    if " " not in new.group():
        names = names + [word for name in whole for word in name.split() if word != name]
    near = {name: _nearness(name, new.group()) for name in names}
    best = max(near, key=lambda name: near[name], default="")
    if best and near[best] >= (_NEAR_EN if slip.sure else _NEARER):
        first = new.group()[0].upper() if best[0].isupper() else new.group()[0]
        return _new(matter, best, f"{first}{new.group()[1:]}")
    alone = whole[0] if len(whole) == 1 and slip.sure and new.group()[0].isupper() else None
    return None if alone is None else _new(matter, alone, new.group())


def _named_in_han(matter: Matter, own: str, slip: Slip) -> _New | None:
    bare = re.sub(r"^.{0,12}?(?:是|[姓叫在住])(?=[^是姓叫在住]{1,8}$)", "", slip.text)
    old, new = _name_in(matter.finding, own), _NAME_ZH.fullmatch(bare)
    if old is None or new is None or not _says_no_more(slip.text, (len(slip.text) - len(bare), len(slip.text)), matter):
        return None
    called = _CALLED.search(own) is not None and slip.sure
    near = _nearness(old, bare) >= (_NEAR_ZH if slip.sure else _NEARER)
    return _new(matter, old, bare) if called or near else None


def _name_in(found: Finding, own: str) -> str | None:
    """The name that a Chinese statement gives: the value of its slot, or what it ends with."""
    if found.attribute in ("employer", "city", "name") and found.value and found.value in own:
        return found.value
    named = _NAMED_ZH.search(own) or (_IS_SOMEBODY.match(own) if found.content.startswith(own) else None)
    return named["v"] if named else None


def _new(matter: Matter, old: str, new: str) -> _New:
    content = matter.finding.content
    at = content.rfind(old)
    return _New(f"{content[:at]}{new}{content[at + len(old) :]}", old, _nearness(old, new), new)


def _nearness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False).ratio()


def _meant(found: Sequence[tuple[Matter, _New]]) -> Sequence[tuple[Matter, _New]] | None:
    """Of the statements that a slip may be about those that are: all that give the value said last, if no value said
    before it is nearer to the new one; None where it may be more than one."""
    if not found:
        return ()
    last = [each for each in found if each[0].at == found[-1][0].at]
    meant = [each for each in last if normalise(each[1].old) == normalise(last[-1][1].old)]
    nearest = max(new.near for _, new in found)
    if len(meant) < len(last) or (len(found) > len(last) and all(new.near < nearest for _, new in meant)):
        return None
    return meant


def _anew(wrong: Finding, right: Finding, new: _New) -> Finding:
    """The right statement, about whom it names, in the place of the wrong one and of all that one took the place of."""
    said = normalise(right.content)
    key = tuple(each for each in right.key if normalise(each) in said)
    about = new.right if wrong.about == new.old else wrong.about
    return replace(right, about=about, key=key, replaces=(*right.replaces, *wrong.replaces))
