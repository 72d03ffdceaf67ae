"""Requests in anybody's words: a clause that asks for something to go, and what it, or the clause before it, names.

What is read here is never more than a guess, which is obeyed only where the memory holds exactly what it means: "we
can't tell apps who we work for, so purge my employer's name", 劳驾忘一下卡号尾数.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han
from agentmem.language.clauses import Span, clauses
from agentmem.language.details import values_of
from agentmem.memory.cuts import Cut
from agentmem.memory.request_extent import OVER_ZH, is_detail, of_somebody

MAX_CLAUSES: Final = 8
"""Clauses of a sentence that are looked at."""

_POLITE_EN: Final = r"(?:(?:so|and|then|ok|okay|oh|well|hey|hi|ugh|also|but|now|please|pls|plz|kindly|just|actually|honestly|do|go ahead and|feel free to|better|you (?:can|may|could|should|must|might as well)(?: now| just)?|(?:can|could|will|would) you(?: please| just| kindly)?(?: be so kind as to| mind)?|be so kind as to|be a dear and|i(?: would|'d) (?:like|love|want|prefer|appreciate)(?: it if)? you(?: to|'d| would)?|i(?:'m| am) (?:begging|asking) you(?: to)?|i beg you(?: to)?|i (?:want|need) you to|it(?:'d| would) be (?:great|good|nice|best|better|lovely) if you(?: could|'d| would)?|make sure (?:you|to))[,\s]+)*"
_GO_EN: Final = r"(?:forget(?: about)?|unremember|delet(?:e|ing)|eras(?:e|ing)|remov(?:e|ing))"
_LOSE_EN: Final = re.compile(
    r"\b(?:lose|losing|bin|binning|ditch|ditching|chuck|scrap|scrapping|scrub|wipe|purge)\b", re.IGNORECASE
)
"""What is said of much else, and of a detail means that it be forgotten."""
_KEEP_EN: Final = r"(?:keep|store|save|hold(?: on to)?|hang on to|remember|note|record|retain|log)"
_FORMS_EN: Final = (
    re.compile(rf"^{_POLITE_EN}{_GO_EN}\b(?! to\b)\s*(?P<thing>.*)$", re.IGNORECASE),
    re.compile(
        rf"^{_POLITE_EN}(?:(?:there(?:'s| is) )?no (?:need|reason)(?: for you)? to|don't|do not|never|stop|you (?:don't|needn't|do not)(?: (?:have|need) to)?|i(?: would|'d) (?:rather|prefer(?: it if)?|feel better if|like it if) you (?:didn't|did not|don't|not)) {_KEEP_EN}(?:ing)?\b\s*(?P<thing>.*)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:.{0,60}?\b(?:if|that|want|like|prefer|see) )?(?P<thing>(?:my|our|his|her|their|the|[A-Z][\w-]*'s) [\w' -]{2,60}?) (?:(?:weren't|wasn't|isn't|aren't|is not|are not|were not|was not|shouldn't|should not|must not|mustn't|don't|doesn't|do not|does not|not|gone|out)\b(?: (?:to )?(?:be|belong|stay|stored|kept|saved|get|\w+ing(?: around)?))* ?(?:something you (?:remember|keep|store|know)|(?:stored|kept|saved|remembered|recorded|on file)(?: anywhere)?|(?:in|from|out of|off) (?:there|here|this|your|the)\b.*|anywhere)(?: any ?more| any longer| please)*|(?:can|may|should|must|has to|needs to) (?:now |all )?go(?: now| please)?)$",
        re.IGNORECASE,
    ),
    re.compile(rf"^{_POLITE_EN}(?P<lose>{_LOSE_EN.pattern})\s+(?P<thing>.+)$", re.IGNORECASE),
    re.compile(
        r"^.{0,40}?\b(?:had|have|keep|kept) no (?:memory|record|recollection) of (?P<thing>(?:my|our|his|her|their|the)\b.*)$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^{_POLITE_EN}pretend (?:that )?i never (?:said|told|mentioned)(?: you)?(?: anything)?(?: about)?\b\s*(?P<thing>.*)$",
        re.IGNORECASE,
    ),
)
_NOT_EN: Final = re.compile(
    r"\b(?:don'?t (?:you dare )?(?:ever )?(?:forget|delete|erase|remove)|never forget|(?:said|told|asked|says|tells|wants|wanted) (?:\w+ ){0,3}to (?:forget|delete|erase|remove)|if i|how (?:do|can|could) i|should i|let's|let us|remind)\b|\"|^(?:he|she|they|i|we|(?:my|the|our) \w+|\w+) (?:said|says|say|told|tells|yelled|shouted|thinks?|thought)(?: (?:me|him|her|them|us|so))?$|^(?:said|says) |^(?:never|no way|no|nope|haha|not a chance)$",
    re.IGNORECASE,
)
_INSTEAD_EN: Final = re.compile(
    r"\binstead\b|^let's\b|^let us\b|^how about\b|\b(?:we|i)(?:'re| are|'m| am|'ll| will)? \w+\b.*\bnow$|^we(?:'ll| will| can) (?:do|go|meet)\b",
    re.IGNORECASE,
)
AMBIGUOUS_EN: Final = re.compile(
    r"^(?:(?:so|and|then|ok|okay|oh|well|hey|hi|ugh|also|but|now|just|actually)[,\s]+)*(?:forget(?! (?:my|our|what|that|how|where|who|about my)\b)|wip(?:e|ing)|scrap|bin|ditch|trash|strik|clear|drop|lose|take|remov|get rid|(?:don't|do not) (?:remember|note|know)(?! (?:my|our|what|where|that)\b))",
    re.IGNORECASE,
)
"""What is said of much else than of a memory."""
_SAID_EN: Final = re.compile(
    rf"^{_POLITE_EN}(?:{_GO_EN}|scratch|strike|disregard|ignore) (?:what(?:ever)?|everything|anything|all|the (?:things?|parts?|bits?)) (?:that |where )?i(?:'ve| have)? (?:just )?(?:said|told you|mentioned|wrote)(?: to you)?(?: about| of| on)? (?P<thing>(?!it\b|that\b)\S.*)$",
    re.IGNORECASE,
)
"""What takes back what was said: that is told of nothing but a memory, whatever it is done with."""
POLITE_TOO_EN: Final = re.compile(
    r"\b(?:please|pls|plz|kindly|memory|record|records|notes|what(?:ever)? you (?:keep|know|have|remember)|thanks)\b",
    re.IGNORECASE,
)
_ASKS_YOU_EN: Final = re.compile(r"\b(?:would|could|will) you$", re.IGNORECASE)
CARRIED_EN: Final = re.compile(
    r"(?:my|our|the) (?:(?:mobile |cell )?phone|mobile|car|van|bike|bag|keys?|laptop|computer|wallet|purse|glasses|umbrella|charger|watch|coat|schedule|calendar|desk|room|house)(?: screen)?",
    re.IGNORECASE,
)
_LEFT_EN: Final = re.compile(
    r"\s*\b(?:(?:from|off|out of|in) (?:your|the|this|whatever|what|here|there|it)\b.*|(?:that )?i (?:just |already )?(?:gave|told|sent|mentioned|shared|wrote)\b.*|before .*|because .*|since .*|so (?:that )?.*|(?:any ?more|any longer|now|please|pls|thanks|for me|again|out|earlier|already|right away|immediately)\s*)$",
    re.IGNORECASE,
)
_LEAD_EN: Final = re.compile(
    r"^(?:(?:the|that|this|all|any|those|these|everything|anything|my)\b )?(?:(?:things?|parts?|bits?|stuff|line|note|details?|info(?:rmation)?) )?(?:(?:about|of|on|where|that) )?(?=\S)",
    re.IGNORECASE,
)
_POINTING: Final = re.compile(
    r"(?:it|that|this|them|those|these|one|all|the|of|ones|too|please|either|also|now|just|out|[\s,.!?]|它|他|她|这|那|个|些|条|句|话|件|事|儿|的|了|吧|都|也|一并|统统|先|就|我|你|您)*",
    re.IGNORECASE,
)

_GO_ZH: Final = r"(?:删(?:掉|除|了|咯|去)?|抹(?:掉|去|除)|清(?:掉|除|空|出去|理掉)|去掉|划掉|拿掉|拿走|消除掉?|擦掉|扔(?:了|掉)|移除|撤掉|忘(?:掉|了|记|一下|干净|却)?)"
_KEPT_ZH: Final = r"(?:(?:别|不要|不用|不必|不需要|犯不着|没必要|无需|不劳你|不劳您|能不能不|可不可以不|可以不)(?:再|继续|替我|帮我)*(?:记(?:着|住|得|下|录)?|存(?:着|下|储)?|留(?:着|下|存)?|保(?:留|存)|惦记|提(?:起|及)?)(?:着|了|住|在)?)"
_CORE_ZH: Final = re.compile(rf"(?P<kept>{_KEPT_ZH})|(?P<unsaid>当(?:我|作|做)*没(?:说|讲|提)(?:过)?)|(?P<go>{_GO_ZH})")
_ASKS_ZH: Final = re.compile(
    r"吧|快|请|麻烦|劳驾|拜托|求|行不|好不|好吗|可以吗|能不能|能否|帮我|给我|赶紧|赶快|统统|通通|全部|一并|^(?:把|将)|咯|嘛|一下|干净"
)
_BEGS_ZH: Final = re.compile(
    r"请|麻烦|劳驾|拜托|求|行不|好不|好吗|可以吗|能不能|能否|帮我|给我|赶紧|赶快|统统|通通|全部|一下|干净"
)
_NOT_ZH: Final = re.compile(
    r"(?:别|不要|不能|不会|不许|没|从未|难|不想|不敢)(?:再|给我|把[^,，]{0,8})?(?:忘|删)|(?:怎么|居然|竟然|为什么|差点|老是?|总是?|常常?|又|经常|容易)[^,，]{0,8}忘|(?:怎么|如何|怎样|咋)[^,，]{0,12}(?:删|清|抹|移除|注销)|(?:我|他|她|爸|妈|人家|大家)[^,，你您请帮]{0,4}(?:忘了|忘记)(?!吧)|(?:说|劝|叫|让|告诉|要求)(?:了|过|着)?我|如果|要是|忘(?:在|家|带|拿|车)|我想忘|[“\"]"
)
_INSTEAD_ZH: Final = re.compile(
    r"^(?:就|还是|先|直接|只)*(?:说说|聊聊|看看|谈谈|讲讲|改成|改到|改为|换成|换到|我们|咱们|聊)"
)
_HELPING_ZH: Final = re.compile(
    r"(?:你的?(?:记录|记忆|脑子)里?的|你记(?:着|下|住)?的(?:那|这)?[个些条]?|在?[你您]?[这那](?:里|儿|边)|我?(?:之前|刚才|上次|以前|前面)(?:跟|给|对)[你您](?:说|发|讲|提|留)?(?:过|的)*|把|将|给我|帮我|请你?|麻烦你?|劳驾|拜托你?|能不能|能帮我|可不可以|能|你|您|就|都|快(?!递|餐)|统统|通通|全部|一并|先|再|还是|赶紧|赶快|从[^,，]{1,8}?(?:里面?|中|那儿|那里|这儿)|了|吧|嘛|咯|哈|啊|呀|哦|～|~|…|\.|行不|好吗|可以吗|的?(?:那|这)(?:一?(?:句|条|个数|几个数字|件事|种事儿?|个|事儿?))|那段|啥的|有关的?|相关的?|^(?:和|跟|与)(?=[我他她])|好不好|行不行|啦|这(?:事|条)|的事儿?|不太?想)"
)
_KEPT_BEHIND_ZH: Final = re.compile(
    r"^(?:除了?|只|不过|但是?)?(?:把|要)?(?P<kept>[^,，]{1,10}?)(?:还是?|得|都|就|要|请|的话|照样|照旧|照常|继续|依然|先)*(?:(?:保留|留|记|存)(?:着|下|住|哦|吧)*|(?:别|不要|不用|不)(?:动|删|忘)(?:了|掉|哦|吧)*|不变)$|^除了?(?P<but>[^,，]{1,10})$"
)
_KEPT_BEHIND_EN: Final = re.compile(
    r"^(?:but |and |just |only )*(?:keep|hang on to|hold on to|leave) (?P<kept>[\w' -]{2,40})$|^(?:but |and )*(?P<stays>[\w'. -]{2,40}?) (?:stays?|(?:can|should|must|may) stay|(?:is|are) fine)\b.*$",
    re.IGNORECASE,
)


def puts_aside(text: str) -> bool:
    """Whether a clause says what is done instead: "forget Paris, let's go to Rome" asks for nothing."""
    return any(pattern.search(text.strip()) for pattern in (_INSTEAD_EN, _INSTEAD_ZH))


ASKING_LOOSELY: Final = (
    re.compile(
        rf"\b(?:{_GO_EN}|lose|losing|bin|binning|ditch|chuck|no (?:memory|record)|{_KEEP_EN}(?:ing|d|ed)?|stored|pretend|gone|go|belong|scratch|strike|disregard|ignore|in (?:t?here))\b",
        re.IGNORECASE,
    ),
    _CORE_ZH,
)
"""One of these is in whatever asks so."""


_APART: Final = re.compile(
    r"[;:\u2014\u2013\u2026?~\uff5e]|--|\s-\s|\.{2,}|\s(?:so(?! kind)|because|since|before)\s", re.IGNORECASE
)


def clauses_apart(text: str, sentence: Span, before: Span | None) -> list[Cut]:
    """The clauses of a sentence, behind the last of the one before it."""
    parts = [*(clauses(before)[-1:] if before is not None else []), *clauses(sentence)]
    return [cut for part in parts for cut in _apart(text, part.start, part.end)]


def _apart(text: str, start: int, end: int) -> list[Cut]:
    at, found = start, list[Cut]()
    for joint in _APART.finditer(text, start, end):
        found.append((at, joint.start()))
        at = joint.end()
    return [(begin, stop) for begin, stop in (*found, (at, end)) if text[begin:stop].strip()]


@dataclass(frozen=True, slots=True)
class LooseRequest:
    """Clauses `first` to `last` may ask that one of these be forgotten; the first that is held is meant."""

    first: int
    last: int
    wishes: tuple[str, ...]


def loose_request(parts: Sequence[str]) -> LooseRequest | None:
    """What clauses that stand in a row, those of one sentence and the one before it, may ask for."""
    if len(parts) > MAX_CLAUSES or any((_NOT_ZH if has_han(part) else _NOT_EN).search(part) for part in parts):
        return None
    for place, part in enumerate(parts):
        behind = parts[place + 1 :]
        thing = _asked_zh(part, behind) if has_han(part) else _asked_en(part, behind)
        if thing is not None:
            return _meant(parts, place, thing)
    return None


def _meant(parts: Sequence[str], place: int, thing: str) -> LooseRequest | None:
    before = _stated(parts[place - 1]) if place else ""
    pointing = _POINTING.fullmatch(thing) is not None
    wishes = [before] if pointing else [thing, *([f"{before}{'' if has_han(thing) else ' '}{thing}"] if before else [])]
    kept = next(filter(None, map(_kept, parts[place + 1 :])), None)
    wishes = [f"forget {wish}{_keeping(wish, kept)}" for wish in wishes if wish.strip()]
    return LooseRequest(place - bool(place and pointing), place, tuple(wishes)) if wishes else None


def _keeping(wish: str, kept: str | None) -> str:
    return "" if kept is None else f",但保留{kept}" if has_han(wish) else f" but keep {kept}"


def _kept(part: str) -> str | None:
    found = (_KEPT_BEHIND_ZH if has_han(part) else _KEPT_BEHIND_EN).match(part.strip())
    return next(filter(None, found.groups()), None) if found is not None else None


def _stated(part: str) -> str:
    """What a clause before a request names."""
    return _HELPING_ZH.sub("", _CORE_ZH.sub("", OVER_ZH.sub("", part))) if has_han(part) else part.strip()


def _asked_en(part: str, behind: Sequence[str]) -> str | None:
    said = _SAID_EN.match(part.strip())
    if said is not None:
        return said["thing"].strip(" ,.!?")
    found = next((match for form in _FORMS_EN if (match := form.match(part.strip()))), None)
    if found is None or any(map(puts_aside, (part, *behind))):
        return None
    thing, before = found["thing"].strip(" ,.!?"), ""
    polite = any(form.search(" ".join((part, *behind))) for form in (POLITE_TOO_EN, _ASKS_YOU_EN)) or any(
        map(_kept, behind)
    )
    pointing = _POINTING.fullmatch(thing) is not None and "forget" not in part.casefold()
    if AMBIGUOUS_EN.match(part.strip()) and not (polite or pointing):
        return None
    if CARRIED_EN.fullmatch(thing):
        return None
    while thing != before:
        thing, before = _LEFT_EN.sub("", thing).strip(), thing
    own = re.match(r"(?:my|our)\b", thing, re.IGNORECASE)
    meant = thing if own else _LEAD_EN.sub("", thing, count=1)
    return None if found.groupdict().get("lose") and not is_detail(_LEAD_EN.sub("", thing, count=1)) else meant


def _asked_zh(part: str, behind: Sequence[str]) -> str | None:
    found = _CORE_ZH.search(part)
    if found is None or any(map(puts_aside, behind)):
        return None
    go, rest = found["go"] or "", _HELPING_ZH.sub("", _CORE_ZH.sub("", part)).strip(" ,，。")
    sure = any(map(_kept, behind)) or (_names_it(rest) and (go not in _HAPPENED_ZH or "吧" in part))
    sure = sure or ("的事" in part and "吧" in part and of_somebody(rest))
    if go and not (sure or _ASKS_ZH.search(part)):
        return None
    if go in ("忘", "忘了", "忘记", "忘一下") and not (sure or _BEGS_ZH.search(part) or "我" in part or "咱" in part):
        return None
    return rest


_HAPPENED_ZH: Final = frozenset(("忘", "忘了", "忘记", "删", "删了"))
"""What by itself may tell what happened: 密码忘了."""
_MATTER_ZH: Final = re.compile(r".{1,12}的(?:事情?|事儿|打算|计划|想法|安排|念头|经历)")
_CODE: Final = re.compile(r"[\u4e00-\u9fff]?[A-Za-z\d](?=[^,，]*\d)[A-Za-z\d#*@._/-]{2,40}")


def _names_it(thing: str) -> bool:
    """Whether words are nothing but what a detail is called, a matter or a value."""
    return bool(_CODE.fullmatch(thing) or _MATTER_ZH.fullmatch(thing) or values_of(thing, "home")) or is_detail(thing)
