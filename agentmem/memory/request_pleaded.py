"""Requests to forget whose verb is plain and whose object is not: "delete the kitchen money stuff", 团团的事全给我清了.

That somebody asks is read by the verb and to whom it is said; what he means is left to what is held, which is offered
and never taken: see `agents/talk/forget_in_talk.py`.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han
from agentmem.memory.request_elsewhere import lies_elsewhere
from agentmem.memory.request_extent import is_detail
from agentmem.memory.request_loose import puts_aside
from agentmem.memory.wish_parts import OWN

MAX_CLAUSES: Final = 8
"""Clauses that are looked at: those of a sentence, and the last of the sentence before it."""

MAX_BEFORE: Final = 2
"""Clauses before the one that asks which "it" may mean."""

_LEAD_EN: Final = r"(?:(?:and|so|um|uh|ok|okay|yeah|yes|please|pls|hey|hi|oh|well|look|right|sorry|actually|also|now|just|then|but|kindly|really|honestly|thanks|thank you)\b[,\s]*)*"
_YOU_EN: Final = r"(?:(?:(?:can|could|would|will) (?:you|we)(?: be so kind| mind)?|(?:would|do) you mind|i(?:'d| would)?(?: really)? (?:want|need|like|love|prefer|appreciate)(?: it if)? you(?: to| would| could)?|i(?:'m| am) asking you to|you (?:can|could|may|should|must|need to|have to|might as well)|be so kind|go ahead|feel free|do me a favou?r|make sure(?: that)? you|it(?:'d| would) be (?:great|good|nice|best|better|lovely) if you(?: could| would)?)[,\s]+(?:(?:as to|and|to|please|just|now|also|kindly)[,\s]+)*)?"
_KEEP_EN: Final = r"(?:keep|keeping|store|storing|save|saving|hold(?:ing)?(?: on to)?|remember(?:ing)?|record(?:ing)?|retain|log|hang on to|note)"
_SURE_EN: Final = rf"(?:forget(?:ting)?|unlearn|delet(?:e|ing)|eras(?:e|ing)|remov(?:e|ing)|purg(?:e|ing)|redact|(?:don't|do not|never|stop|quit|no longer) {_KEEP_EN})"
_WEAK_EN: Final = r"(?:wip(?:e|ing)|scrub|bin|los(?:e|ing)|ditch|nuke|kill|clear|drop|scrap|strike|discard|trash|dump|get(?:ting)? rid of|cross(?:ing)? out|(?:get|take|taking)(?= .{1,60} (?:out of|off|from) (?:your|the) ))"
_ASKS_EN: Final = re.compile(
    rf"^{_LEAD_EN}{_YOU_EN}(?:(?P<sure>{_SURE_EN})|(?P<weak>{_WEAK_EN}))\b(?P<thing>.*)$", re.IGNORECASE
)
_AHEAD_EN: Final = re.compile(rf"^{_LEAD_EN}", re.IGNORECASE)
_IDIOM_EN: Final = re.compile(rf"^(?!.*\b(?:please|you|my|our)\b){_LEAD_EN}forget\b", re.IGNORECASE)
"""What puts a thing aside, where more is said behind it: "forget about Rex, he's fine"."""
_OWN_LACK_EN: Final = re.compile(
    r"^(?!.*\b(?:please|you|my|our|that)\b)(?:don't|do not) (?:remember|know)\b", re.IGNORECASE
)
"""What may say of oneself that one does not remember."""
_ALL_OF_EN: Final = re.compile(r"\b(?:everything|anything|all|whatever|what you)\b", re.IGNORECASE)
"""What is said of what is known, and not of a thing."""
_NOT_EN: Final = re.compile(
    r"\b(?:(?:don't|do not|never|not|can't|cannot|won't|didn't) (?:ever |please |let (?:me|us) )?(?:forget|delete|erase|remove|lose)|let's|let us|remind|if i|how (?:do|can|could|should) i|should i)\b|\"|\b(?:said|says|told (?:me|us)|asked(?: me| us)?|yelled|wrote)\W*$|\b(?:says?|said|told|asked|wants?|wanted) (?:(?:me|us|him|her|them) )?(?:to )?(?:forget|delete|erase|remove|drop)\b",
    re.IGNORECASE,
)
"""What forbids it, puts it off, or tells that somebody else asks it."""
_OF_MEMORY_EN: Final = re.compile(
    r"\b(?:from|in|out of|off|on) (?:your|the) (?:memory|memories|notes?|records?|files?|system|database|data|head|mind)\b|\bwhat you (?:know|have|remember|store)\b|\b(?:your|the) memory\b|\byou (?:know|remember|have on)\b",
    re.IGNORECASE,
)
_IDLE_EN: Final = re.compile(
    r"\b(?:(?:from|in|out of|off|on|to) (?:your|the|my) (?:memory|memories|notes?|records?|files?|system|database|data|head|mind)|stuff|things?|bits?|parts?|infos?|information|details?|data|records?|notes?|traces?|anything|everything|whatever|all|would you|will you|could you|can you|be|so|kind|of mine|of ours|any ?more|any longer|thx|thanks|please|about|private|secret)\b",
    re.IGNORECASE,
)
"""What says nothing of what is meant."""
_POINTING_EN: Final = re.compile(
    r"(?:\s|[.,!?]|\b(?:it|that|this|them|those|these|one|all|of|out|off|too|now|also|him|her|the|from|your|about|again|ones|for me)\b)*",
    re.IGNORECASE,
)

_ASK_ZH: Final = r"(?:请|麻烦|拜托|劳驾|帮我|给我|帮忙|你|您|就|都|全|全部|也|能不能|可不可以|能否|可以|立刻|立即|马上|赶紧|快|先|把它|一并|统统)*"
_SURE_ZH: Final = r"(?:忘掉|忘了|忘记|忘却|删掉|删除|删了|删去|删一下|抹掉|抹去|抹了|抹除|清除|清掉|清了|清一下|去掉|移除|取消记录|(?:别|不要|不用|不必|不许|勿)(?:再|继续)*(?:给我|替我|帮我)*(?:记着|记住|记得|记录|记下|记|存着|存|保存|留着|留|保留)|当(?:作|做)?(?:我|你)?(?:没|不)(?:说过?|提过?|讲过?|知道))"
_ASKS_ZH: Final = re.compile(
    rf"^(?P<before>.*?){_ASK_ZH}(?P<sure>{_SURE_ZH})(?P<behind>.*?)(?:了|吧|啊|呀|哦|啦|哈|好吗|好不好|行吗|可以吗|谢谢|一下|[\s,，。.!！?？])*$"
)
_NOT_ZH: Final = re.compile(
    r"^(?!请|麻烦|拜托|劳驾|帮|给|你|您|能|可|快|先|都|就|那|再|还|顺便|赶紧|立刻|马上)[^,，把将]{1,8}[把将]|被|(?:别|不要|不能|不会|不许|没|从未|难|不想|不敢|差点|老是?|总是?|又|怎么|为什么|居然|竟然)(?:再|给我)?(?:忘|删)|(?<![帮给替])(?:我|他|她|人家|大家|爸|妈)(?:们)?(?:又|都|也|就|已经|早就?|刚|想|要|打算|准备|得|去)?(?:把[^,，]{1,10})?(?:忘|删|清|抹)|(?:说|劝|叫|让|告诉|要求)(?:了|过|着)?我|如果|要是|忘(?:在|带|拿|不|了?(?:跟|和|对|告诉|说|问))|是不是|有没有|会不会|(?<![你您])(?:应该|应当)(?:把[^,，]{1,10})?(?:忘|删|清|抹)|想忘|怎么|如何|[“\"]|吗$|(?<!好)(?<!行)(?<!可以)吗[?？]?$|提醒"
)
_HAPPENED_ZH: Final = frozenset(("忘了", "忘记", "删了", "清了", "抹了"))
_BEGS_ZH: Final = re.compile(r"请|麻烦|拜托|劳驾|帮|给我|你|您|吧|能不能|可以|把|掉$")
"""What may tell what happened, and what says that it is asked for: 密码忘了, 密码忘了吧."""
_ADDRESSED_ZH: Final = re.compile(r"请|麻烦|拜托|帮|[你您我咱]|把|的事|信息|点事")
_OF_MEMORY_ZH: Final = re.compile(r"记忆|记录|脑子|你那边|你这边|别再?记|不用记|不要记")
_ELSEWHERE_ZH: Final = re.compile(
    r"照片|图片|视频|文件|文档|段落?|句子|标题|表格|短信|消息|聊天|垃圾|闹钟|软件|程序|代码|评论|帖子|朋友圈|缓存|订单|购物车|菜单|的债|账号|账户"
)
_IDLE_ZH: Final = re.compile(
    r"的?(?:那|这)(?:件|个|些|条|点|段|趟)?(?:事儿?|信息|记录|内容)?|的?(?:事情?|事儿|信息|资料|记录|内容|情况)|关于|有关|全都?|都|把|将|给|掉|了|太|敏感|保密|秘密|私事|帮我|麻烦|请|你那边|你这边|翻篇|计划(?=取消)"
)
_POINTING_ZH: Final = re.compile(
    r"(?:它|他|她|这|那|个|些|条|句|话|件|事|儿|的|了|吧|都|也|就|我|你|您|全|给|把|再|先|不想|让|[\s,，。.!！])*"
)


@dataclass(frozen=True, slots=True)
class Pleading:
    """What clauses `first` to `last` ask to be forgotten, in the words of who asks, to be matched with what is held.
    `loosely`: the verb is said of much else as well, so that all of the words must be held; `of_memory`: he says that it
    is the memory he means."""

    first: int
    last: int
    words: str
    loosely: bool = False
    of_memory: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether nothing but a detail is named, so that it is asked for where it is held."""
        return not self.loosely and is_detail(OWN.sub("", self.words))


ASKING_PLAINLY: Final = (
    re.compile(rf"\b(?:{_SURE_EN}|{_WEAK_EN})\b", re.IGNORECASE),
    re.compile(_SURE_ZH),
)
"""One of these is in whatever pleads so."""


def pleading(parts: Sequence[str], own: int) -> Pleading | None:
    """What clauses in a row plainly ask to be forgotten, whatever it is; None where they ask nothing of the kind. Only
    the last ones are the sentence's `own`."""
    if not parts or own > MAX_CLAUSES or any(puts_aside(part) for part in parts):
        return None
    for place in range(len(parts) - own, len(parts)):
        found = (_read_zh if has_han(parts[place]) else _read_en)(parts, place)
        if found is not None:
            return found
    return None


def _read_en(parts: Sequence[str], place: int) -> Pleading | None:
    said = parts[place].strip(" \t,.!?")
    asked = _ASKS_EN.match(said)
    if asked is None or any(_NOT_EN.search(part) or lies_elsewhere(part) for part in parts):
        return None
    thing, first = _IDLE_EN.sub(" ", asked["thing"]), place
    if _POINTING_EN.fullmatch(thing):
        first = max(0, place - MAX_BEFORE)
        thing = _IDLE_EN.sub(" ", " ".join(_AHEAD_EN.sub("", part) for part in parts[first:place]))
    of_memory = _OF_MEMORY_EN.search(said) is not None
    if (_IDIOM_EN.match(said) and len(parts) > place + 1 and not of_memory) or _OWN_LACK_EN.match(said):
        return None
    loosely = bool(asked["weak"] or _IDIOM_EN.match(said)) and not of_memory and not _ALL_OF_EN.search(said)
    thing = " ".join(thing.split())
    return Pleading(first, place, thing, loosely, of_memory) if thing else None


def _read_zh(parts: Sequence[str], place: int) -> Pleading | None:
    said = parts[place].strip(" \t,，。.!！")
    asked = _ASKS_ZH.match(said)
    if asked is None or any(_NOT_ZH.search(part) or _ELSEWHERE_ZH.search(part) for part in parts):
        return None
    if any(map(lies_elsewhere, parts)):
        return None
    if asked["sure"] in _HAPPENED_ZH and not _BEGS_ZH.search(said):
        return None
    thing, first = _IDLE_ZH.sub("", f"{asked['before']}{asked['behind']}"), place
    if _POINTING_ZH.fullmatch(thing):
        first = max(0, place - MAX_BEFORE)
        thing = _IDLE_ZH.sub("", "".join(parts[first:place]))
    thing, of_memory = thing.strip(), _OF_MEMORY_ZH.search(said) is not None
    loosely = asked["sure"].startswith("忘") and not (of_memory or _ADDRESSED_ZH.search(said))
    return Pleading(first, place, thing, loosely, of_memory) if thing else None
