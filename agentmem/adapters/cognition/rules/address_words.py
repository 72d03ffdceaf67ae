"""What an address looks like behind the words that say that somebody lives or works there or wants something sent, and
whether these words speak of the speaker.
"""

# ruff: noqa: E501 - patterns read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.model import Lang

_I = re.IGNORECASE
_PLACE_ZH = r"\s*(?P<v>[\u4e00-\u9fffA-Za-z0-9-]{3,40}?(?:路|街|道|巷|弄|号|楼|室|小区|大厦|广场|园区|栋|幢|座|单元|村|镇|苑|花园|公寓|中心)(?:(?![送寄去])[\u4e00-\u9fffA-Za-z0-9-]){0,20})"
_ADDRESS_ZH = re.compile(
    r"(?:(?P<home>住(?![院过宿不校哪几])(?:在|到)?|搬[到去进]了)|地址(?:现在|目前|已经|也)*(?:是|在|:|为|[改换变][成为到]了?)?|寄到|寄往|送到|送去|[寄送]到?(?:家里?|公司|单位)[,，]|发货到|往(?=[^,，]{3,30}[送寄]))"
    + _PLACE_ZH
)
_PRONOUN_ZH = re.compile("[他她它我你您]")
_FOR_ANOTHER = re.compile(
    rf"(?:给|送|寄|到)我?(?:{zh.RELATED})|\b(?:to|for) (?:my|our) (?:\w+ )?(?:{en.HOUSEHOLD}|{en.COLLEAGUES})\b",
    _I,
)
"""To whom something goes whose address stands behind it."""
_NOT_HIS = re.compile("你们|您|your|同事|朋友|他|她")
_AT_WORK = re.compile(r"公司|单位|办公|\b(?:office|work|company|business|firm)(?:'s)?\b", _I)
_THEY_MOVED = re.compile(
    rf"(?:^|[,，。;；]) *我?们?的?(?:{zh.RELATED})[^,，。;；我]{{0,6}}[搬迁换][^,，。;；]{{0,6}}[,，](?![^,，]{{0,3}}我)"
    rf"|\b(?:my|our) (?:\w+ )?(?:{en.HOUSEHOLD}|{en.COLLEAGUES})(?:'s| has| have)?(?: just| recently)? moved\b(?!.*\b(?:my|our|i|we)\b)",
    _I,
)
"""Who has moved whose address stands behind it: 我姐搬家了，地址改成…"""
_PIECE = re.compile(r"[,，;；。.!！?？]")
_ADDRESS_EN = re.compile(
    r"(?:(?P<home>live at|living at|located at|we're(?: now)? (?:at|in)|moved (?:in)?to|it's(?: now)?)|address(?:'s| is| has changed to| changed to|:)?(?: now)?|(?:ship|deliver|send) (?:(?:it|them|that|this|everything|all) )?to)\s+"
    r"(?P<v>\d+[A-Za-z]?\s+(?-i:[A-Z])[\w' ]+(?:Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Drive|Dr|Close|Way|Court|Place|Square|Terrace|Boulevard|Blvd|Hill|Park|Row|Gardens)\b(?:,? (?:(?-i:[A-Z])[\w'-]*|\d\w*|flat|apartment|apt|unit|floor)){0,6})",
    _I,
)
ADDRESSES: tuple[tuple[Lang, re.Pattern], ...] = (("zh", _ADDRESS_ZH), ("en", _ADDRESS_EN))
_AT_HOME = re.compile(
    r"(?:(?:现在|目前|已经|刚|就|都|也|还|全家|一家人?|平时){0,3}(?:我们?|咱们?|本人)?(?:家里?|全家|一家人?|俩|两口子)?(?:现在|目前|已经|刚|就|都|也|还|一直|平时|自己){0,3}"
    r"|(?:(?:and|but|so|because|now|yes|well|actually) ){0,3}(?:(?:i|we)(?:'ve|'m|'re)?(?: (?:now|currently|both|all|still|just|recently|have|are|am|actually|only)){0,3}|(?:my|our) (?:new )?(?:house|home|flat|place|apartment|shop|office)(?: is)?)?) ?",
    _I,
)
"""What stands before where one lives, in its part of a sentence, where it is the speaker who lives there."""
_MOVED = re.compile(r"\b(?:(?:i|we)(?:'ve| have)?(?: \w+)? moved|(?:my|our)(?: new)? address)\b", _I)
"""What says that an address is the speaker's that is only pointed at: we've moved, it's 7 Castle Row now."""


def is_at_work(before: str) -> bool:
    """Whether the words before an address, in its part of a sentence, say that it is where one works."""
    return _AT_WORK.search(_PIECE.split(before)[-1]) is not None


def is_his(found: re.Match, head: str) -> bool:
    """Whether an address is where the speaker lives, or wants things sent, by the words `head` before it in its sentence."""
    part = _PIECE.split(head)[-1]
    if _PRONOUN_ZH.match(found["v"]) or _NOT_HIS.search(head[-8:]):
        return False
    if _FOR_ANOTHER.search(head) or _THEY_MOVED.search(head):
        return False
    if found["home"] is None:
        return True
    pointed = found["home"].lower().startswith("it's")
    return _AT_HOME.fullmatch(part) is not None and (not pointed or _MOVED.search(f"{head}{found.group()}") is not None)
