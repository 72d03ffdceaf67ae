"""Whether a wish means all that is known of whoever asks: "everything about me", 关于我的一切."""

# ruff: noqa: E501 - patterns read best unbroken

from typing import Final

from agentmem import patterns as re
from agentmem.language.lookalikes import simplified

ALL_OF_ME: Final = "everything about me"
"""The wish as it is handed on."""

_SOME_EN: Final = r"(?:data|information|info|details?|records?|facts?|memor(?:y|ies)|notes?|things?|stuff|traces?|bits?|pieces?|files?|history)"
_EACH_EN: Final = rf"(?:(?:absolutely |literally )?(?:everything|anything|whatever|every (?:single )?{_SOME_EN}|(?:all|any)(?: (?:of )?(?:it|that|this|the|your))?(?: {_SOME_EN})?))(?: else)?"
_KNOWN_EN: Final = r"(?:(?:(?:that |which |what )?(?:you(?:'ve| have| had)?|is|was|has been|i(?:'ve| have)?) (?:ever |just |already )?(?:been )?(?:know|known|have|had|got|store[ds]?|saved?|kept|keep|remember(?:ed)?|recorded|learn(?:ed|t)|hold|held|told|collected|gathered|heard|said|mentioned|shared|gave|given)(?: (?:to|with))?(?: you)?(?: stored| saved| on file| recorded| kept| in (?:your )?memory)?|there is|there's) ?)"
_OF_ME_EN: Final = r"(?:(?:that is |that's |which is |there is )?(?:about|on|of|regarding|concerning|relating to|related to|to do with|with regard to) (?:me|myself|mine)(?: myself| personally)?)"
_MINE_EN: Final = rf"(?:my|our) (?:(?:personal|private|own|entire|whole|complete) )*{_SOME_EN}"
_WHOLE_EN: Final = re.compile(
    rf"(?:{_EACH_EN} (?:{_KNOWN_EN})?{_OF_ME_EN}"
    rf"|{_EACH_EN} (?:that |which |what )?i(?:'ve| have)? (?:ever |just |already )?(?:told|said|mentioned|shared|gave|given)(?: (?:to|with))?(?: you)?(?: (?:so far|until now|today))?"
    rf"|(?:all|every|any)(?: (?:of|single))? {_MINE_EN}"
    rf"|my (?:entire |whole |complete )?(?:personal |private )?(?:data|information|info|details|records|memories)"
    rf"|(?:all )?(?:the )?{_SOME_EN} (?:that )?(?:{_KNOWN_EN})?{_OF_ME_EN}"
    rf"|(?:what|whatever|all) you(?:'ve| have)? (?:know|have|got|store[d]?|saved?|kept|keep|remember|recorded|learn(?:ed|t)|hold|collected)(?: stored| saved| on file| recorded)? {_OF_ME_EN})",
    re.IGNORECASE,
)
_BARE_EN: Final = re.compile(r"my (?:data|information|info|details|records|memories)", re.IGNORECASE)

_EACH_ZH: Final = r"(?:所有|全部|一切|任何|整个|全|每一?[条个件])"
_SOME_ZH: Final = r"(?:个人)?(?:信息|资料|资讯|数据|记录|记忆|记载|内容|情况|档案|隐私|事情?|东西|话|历史)"
_ME_ZH: Final = r"(?:我|本人|咱)(?:们|自己|个人|本人)?"
_TOLD_ZH: Final = (
    r"(?:以前|之前|曾经|刚才|从前)?(?:跟你|和你|对你|给你|向你)?(?:所?)(?:说|讲|告诉|提|聊|分享)(?:过|到|你|给你)*"
)
_KEPT_ZH: Final = r"(?:你(?:们)?(?:所?)(?:知道|记得|记住|记着|记录|记|保存|存|掌握|了解|收集)(?:过|了|着|下)*的?)"
_WHOLE_ZH: Final = re.compile(
    rf"(?:{_KEPT_ZH})?(?:{_EACH_ZH}的?)?(?:{_KEPT_ZH})?(?:(?:关于|有关|跟|和|与|对|涉及){_ME_ZH}(?:有关|相关)?|{_ME_ZH})的?(?:个人)?(?:{_EACH_ZH}|{_SOME_ZH}|的)*"
    rf"|{_EACH_ZH}的?{_ME_ZH}{_TOLD_ZH}的?(?:{_SOME_ZH})*|{_ME_ZH}{_TOLD_ZH}的?(?:{_EACH_ZH}|{_SOME_ZH}|的)*"
)
_QUANTIFIED_ZH: Final = re.compile(r"所有|全部|一切|任何|整个|全都|统统|通通|每一?[条个件]|彻底|都")
_ABOUT_ME_ZH: Final = re.compile(rf"(?:关于|有关|跟|和|与|涉及){_ME_ZH}|个人(?:信息|资料|数据)")
_NAMED_ZH: Final = re.compile(rf"{_EACH_ZH}|{_SOME_ZH}|(?:关于|有关){_ME_ZH}的?$")


def means_everything(text: str) -> bool:
    """Whether a text, without the words that ask, plainly means everything that is known of who says it."""
    plain = simplified(" ".join(text.split())).strip(" \t,.:;!?\"'，。！？：；“”")
    return _WHOLE_EN.fullmatch(plain) is not None or _whole_zh(plain)


def is_bare(text: str) -> bool:
    """Whether it names nothing but data, which may be kept elsewhere as well: "my data"."""
    return _BARE_EN.fullmatch(text.strip()) is not None


def _whole_zh(plain: str) -> bool:
    if _WHOLE_ZH.fullmatch(plain) is None or _NAMED_ZH.search(plain) is None:
        return False
    return _QUANTIFIED_ZH.search(plain) is not None or _ABOUT_ME_ZH.search(plain) is not None
