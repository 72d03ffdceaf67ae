"""Kinds of one detail that people keep apart: a mobile and a landline, an employer and an occupation, a car and a motorbike.

Who names one kind means no other: what shows that it is of another kind tells something else.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from agentmem import patterns as re
from agentmem.language.details import MOTORBIKES, WORKERS_EN, WORKERS_ZH
from agentmem.language.lookalikes import simplified


class DetailKind(NamedTuple):
    """One kind of a detail, on one of the axes along which that is told apart."""

    detail: str
    axis: int
    name: str


@dataclass(frozen=True, slots=True)
class KindWords:
    """What names it, and what shows that something told is of it. Where it is `required`, only what shows it is."""

    named: re.Pattern
    shown: re.Pattern
    required: bool = False


def _kind(named: str, shown: str = "", *, required: bool = False) -> KindWords:
    """One that is shown by what names it, and by what is `shown` besides."""
    both = f"{named}|{shown}" if shown else named
    return KindWords(re.compile(named, re.IGNORECASE), re.compile(both, re.IGNORECASE), required)


_WORK: Final = _kind(r"\b(?:work|office|business|company|job)\b|公司|单位|工作|办公|店里")
_PRIVATE: Final = _kind(
    r"\b(?:private|personal|home|house)\b|私人|个人|私用|自己的|家里?的?(?=电话|邮箱|地址|座机|号)|家庭|住址",
    r"(?<![大国专作画])家",
)
_USE: Final = {"work": _WORK, "private": _PRIVATE}

KINDS: Final[Mapping[str, tuple[Mapping[str, KindWords], ...]]] = {
    "phone": (
        {
            "mobile": _kind(r"\b(?:mobile|cell)\b|手机号?码?", r"(?<!\d)1[3-9]\d{9}(?!\d)"),
            "landline": _kind(r"\b(?:land ?line|home phone)\b|座机号?码?|固话|固定电话", r"(?<!\d)0\d{2,3}-?\d{7,8}(?!\d)"),
        },
        _USE,
    ),
    "email": (_USE,),
    "home": (_USE,),
    "job": (
        {
            "employer": _kind(
                r"\b(?:company|business|employers?|firm|work ?place)\b|\bworks? (?:for|at)\b|\bwhere\b.{0,30}?\b(?:work|job|employed)|公司|单位|在?哪里?儿?(?:上班|工作)",
                r"\b(?:work(?:s|ed|ing)?|employed|hired|intern\w*) (?:\w+ )?(?:at|for|with|by|in)\b|\bI(?:'m| am) (?:now )?(?:with|at)\b|上班|[在去到][^,，。]{1,14}(?:工作|任职|就职|实习|做|当)|跳槽|入职",
            ),
            "occupation": _kind(
                r"\b(?:job title|title|position|occupation|profession|role)\b|\bwhat\b.{0,30}?\bdo(?:es)?\b|职位|职务|职业|岗位|头衔|做什么|干什么",
                rf"\b{WORKERS_EN}\b|\bas an? \w|{WORKERS_ZH}",
            ),
        },
    ),
    "school": (
        {
            "university": _kind(r"\b(?:universit\w+|uni|college|degree|major)\b|大学|本科|硕士|博士|研究生|学院"),
            "secondary": _kind(r"\b(?:high|secondary|grammar|middle) school\b|高中|初中|中学|[一二三四五六七八九十]中"),
            "primary": _kind(r"\b(?:primary|elementary|prep) school\b|小学"),
            "nursery": _kind(r"\b(?:kindergarten|nursery|pre-?school)\b|幼儿园"),
        },
    ),
    "salary": (
        {
            "amount": KindWords(
                re.compile(
                    r"^(?!.*(?:\bpay ?day\b|\bpaid (?:on|every)\b|\bwhen\b|哪天|几号|日子|日期|发工资|发钱))", re.IGNORECASE
                ),
                re.compile(r"[€$£]|\d{3}|\d ?k\b|[千万块元]|\b(?:a|per|an) (?:month|year|hour|week)\b", re.IGNORECASE),
            ),
            "payday": _kind(
                r"\bpay ?day\b|\bpaid (?:on|every)\b|\bwhen\b.*\bpaid\b|哪天|几号|日子|日期|发工资|发钱",
                r"\bpaid (?:at the|in|by)\b|\b(?:paid|lands?|arrives?|comes?|goes)\b.*\b\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}[号日]",
            ),
        },
    ),
    "debt": (
        {
            "mortgage": _kind(r"\bmortgage\b|\b(?:home|house) loan\b|房贷", r"\bon the (?:house|flat|home)\b"),
            "car": _kind(r"\bcar loan\b|车贷", r"\bon the (?:car|van)\b"),
            "study": _kind(r"\bstud(?:ent|y) (?:loans?|debts?)\b|助学贷款|学贷"),
        },
    ),
    "car": (
        {
            "car": _kind(r"\bcars?\b|汽车|轿车|(?<![托行机单轮瓶动货包])车(?!牌)", r"\bsuv\b"),
            "motorbike": _kind(
                r"\b(?:motor ?(?:bike|cycle)s?|scooter)\b|摩托车?|电动车|电瓶车|机车", MOTORBIKES, required=True
            ),
            "van": _kind(r"\bvan\b|面包车|货车", r"\btransit\b|金杯|五菱", required=True),
        },
    ),
    "size": (
        {
            "shoes": _kind(r"\b(?:shoes?|boots?|trainers|sneakers)\b|鞋"),
            "shirt": _kind(r"\b(?:t-)?shirts?\b|衬衫|上衣|T恤"),
            "jacket": _kind(r"\b(?:jackets?|coats?|suits?|sweaters?)\b|外套|夹克|大衣|毛衣"),
            "dress": _kind(r"\b(?:dress(?:es)?|skirts?)\b|裙"),
            "trousers": _kind(r"\b(?:trousers?|pants|jeans|waist)\b|裤|腰"),
            "ring": _kind(r"\brings?\b|戒指|指圈"),
            "gloves": _kind(r"\bgloves?\b|手套"),
            "hat": _kind(r"\b(?:hats?|helmets?)\b|帽|头盔"),
        },
    ),
    "name": (
        {
            "nickname": _kind(
                r"\bnick ?name\b|\bpen name\b|\bstage name\b|外号|绰号|昵称|小名|笔名|网名|艺名",
                r"\bcalls? me\b|\bknown as\b|\bgo(?:es)? by\b|叫我|人称",
                required=True,
            ),
            "real": _kind(r"\b(?:real|full|legal|maiden|last|first|sur) ?name\b|真名|本名|大名|全名|原名"),
        },
    ),
}  # fmt: skip


def kinds_named(text: str, details: Iterable[str]) -> frozenset[DetailKind]:
    """The kinds of these details that a text names."""
    plain = simplified(text)
    return frozenset(
        DetailKind(detail, axis, name)
        for detail in details
        for axis, kinds in enumerate(KINDS.get(detail, ()))
        for name, kind in kinds.items()
        if kind.named.search(plain)
    )


def without_kinds(text: str, kinds: Iterable[DetailKind]) -> str:
    """A text without the words that name these."""
    for kind in kinds:
        text = KINDS[kind.detail][kind.axis][kind.name].named.sub(" ", text)
    return text


def kinds_shown(text: str, wanted: Iterable[DetailKind]) -> bool:
    """Whether a text shows of what kind it is, on an axis of one of these."""
    plain = simplified(text)
    axes = {(kind.detail, kind.axis) for kind in wanted}
    return any(kind.shown.search(plain) for detail, axis in axes for kind in KINDS[detail][axis].values())


def of_other_kind(text: str, wanted: Iterable[DetailKind]) -> bool:
    """Whether what is told in a text is of another kind than these, of which it shows none."""
    plain = simplified(text)
    for (detail, axis), named in groupby(sorted(wanted), key=lambda kind: kind[:2]):
        kinds = KINDS[detail][axis]
        meant = {kind.name for kind in named}
        shown = {name for name, kind in kinds.items() if kind.shown.search(plain)}
        if not shown & meant and (shown or all(kinds[name].required for name in meant)):
            return True
    return False
