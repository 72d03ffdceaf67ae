"""How English asks that something be forgotten: a frame that asks, a verb that does it, and what is meant."""

# ruff: noqa: E501 - patterns read best unbroken

from typing import Final

from agentmem import patterns as re
from agentmem.memory.request_elsewhere import MEMORY_EN
from agentmem.memory.request_extent import ALL_OF_ME, all_but, is_bare, is_detail, means_everything, of_somebody
from agentmem.memory.request_loose import AMBIGUOUS_EN, CARRIED_EN, POLITE_TOO_EN
from agentmem.memory.request_named import names_alone
from agentmem.memory.request_passive_en import ASKING as ASKING_PASSIVELY
from agentmem.memory.request_passive_en import KEEPING, LEAD, Passive, passive_in
from agentmem.memory.wish_parts import keeping

_YOU: Final = r"(?:i(?: would|'d)? (?:just |really )?(?:want|need|like|prefer|rather|wish|ask|expect|hope)(?: that)?(?: for)? (?:you|u)(?: to| would| could)?|i(?:'m| am) asking (?:that )?you(?: to)?|i would(?: rather| prefer| like)(?: that)? you(?: to)?)"
_FRAME: Final = rf"(?:(?:(?:can|could|would|will) (?:you|we)|(?:would|do) you mind|you (?:should|must|can|may|could|need to|have to|had better|'d better)|(?:it would|it'd) be (?:great|nice|good|better|best|kind|lovely|helpful) if (?:you|we)(?: could| would| can)?|i(?:'d| would| will|'ll)? (?:really |very much )?(?:appreciate(?: it)?|be (?:very |really )?(?:grateful|glad|happy|thankful)|prefer it|like it|love it) if you(?: could| would|'d| can)?|(?:would it be|is it) possible (?:for you )?to|(?:any|is there any) chance (?:that )?you (?:could|can|would|will)|(?:it is|it's)? ?(?:better|best)(?: if)? you|{_YOU}|let's|let us|make sure(?: that)?(?: you| to)?|be sure to|try to|i think you should)[,\s]+(?:(?:please|just|kindly|now|also)[,\s]+)*)?"
_FORGET: Final = r"(?:forget(?:ting)?|forgot|forgotten|unlearn(?:ing)?|unlearned|unremember)"
_DELETE: Final = rf"(?:tak(?:e|ing)(?= .{{0,80}}?\b(?:off|out of|from) {MEMORY_EN}\b)|delet(?:e|ing|ed)|eras(?:e|ing|ed)|remov(?:e|ing|ed)|wip(?:e|ing)(?: out)?|purg(?:e|ing)|scrub(?:bing)?|discard(?:ing)?|drop(?:ping)?|clear(?:ing)?|strik(?:e|ing)|destroy(?:ing)?|get(?:ting)? rid of|tak(?:e|ing) out|redact(?:ing)?|expung(?:e|ing)|eliminat(?:e|ing)|scrap(?:ping)?|cross(?:ing)? out|dispos(?:e|ing) of)"
_NOT: Final = r"(?:don't|do not|never|no longer|stop|quit|cease|avoid|not|didn't|did not|no longer|(?:i )?(?:don't|do not) want you to|you (?:don't|do not) (?:need|have) to|you needn't)(?: (?:ever|please|any longer))*"
_PRETEND: Final = r"(?:pretend|act as if|act like|act as though|imagine)(?: that)? i (?:never|didn't|had not|hadn't|have never|had never) (?:ever )?(?:told|tell|said|say|mention|mentioned|wrote|write)(?: to)?(?: you)?(?: anything)?(?: about)?"
_ASKS: Final = re.compile(
    rf"^{LEAD}(?P<frame>{_FRAME})(?:(?P<forget>{_FORGET})|(?P<delete>{_DELETE})|(?P<keep>{_NOT} {KEEPING})|(?P<pretend>{_PRETEND}))\b[:\s]*(?P<object>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_TOPIC: Final = re.compile(
    rf"^{LEAD}(?P<object>[^,:;]{{3,200}}?)[,:;]\s*(?:but )?(?:please|could you|can you|just|you can|and)?[,\s]*(?:please )?(?:{_FORGET}|{_DELETE}) (?:it|that|this|them|those|all of (?:it|that))[\s.!?]*(?:please)?[\s.!?]*$",
    re.IGNORECASE | re.DOTALL,
)
_WHAT_IS_KNOWN: Final = r"(?:what(?:ever)?|everything|all|the things)(?: that)? you(?:'ve| have)? (?:know|remember|stored?|saved?|have|got|kept|keep|hold|noted|recorded)(?: (?:of|about|on) (?:me|us))?"
_FROM_MEMORY: Final = re.compile(
    rf"[,\s]*\b(?:from|in|on|off|out of) (?:{MEMORY_EN}(?: of (?:me|us))?|{_WHAT_IS_KNOWN})(?=$|[\s.,!?])",
    re.IGNORECASE,
)
_ON_FILE: Final = re.compile(r"^(?:it )?on (?:file|record)\b\s*", re.IGNORECASE)
_OF_WHAT: Final = (
    r"(?= (?:about|that|of|on|regarding|concerning|as to|like|from|where|when|how|i|we|you|my|our)\b|[.!?]*$)"
)
_REMEMBERED: Final = re.compile(
    rf"^(?:(?:every|any)thing|whatever|what|(?:facts?|parts?|bits?|things?|stuff|points?|information|info|details?|data|notes?|records?|mentions?|memor(?:y|ies)|traces?|entry|entries|remarks?|statements?){_OF_WHAT})\b\s*",
    re.IGNORECASE,
)
"""What something is called that was told, or is remembered."""
_ANY: Final = re.compile(
    r"^(?:about|that|this|any|all|both|every|the|a|an|of|on|regarding|concerning|as for|as to|with regard to|when it comes to|to)\b\s*",
    re.IGNORECASE,
)
"""What may stand before any word, and tells nothing of where it is kept."""
_HEARD: Final = re.compile(
    r"^i (?:never|don't|do not|no longer)(?: ever)? (?:want|wish|like|care) to (?:hear|read|talk|speak|think|be reminded)(?: anything)?(?: of| about)? (?=(?:my|our)\b)(?P<thing>.*?)(?: again| any ?more| any longer| ever)*$",
    re.IGNORECASE,
)
_REASON: Final = re.compile(
    r"(?:,| -|;|:)?\s+(?:because|since|as (?:it|that|this|they)|so that|otherwise)\b.*$|[,;:]\s*(?:it|that|this|they|he|she)(?:'?s|'re| is| are| was| were| has| have| doesn't| does not| isn't| no longer)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
"""Why something is to be forgotten."""
_SAID: Final = re.compile(
    r"^(?:i|we)(?:'ve| have|'d| had)? (?:just |ever |once |already )?(?:told|said|say|gave|given|mentioned|wrote|sent|shared)(?: to)?(?: you)?(?: (?:yesterday|today|earlier|before|just now|recently|last (?:time|night|week|month|year)|this (?:morning|week)))?\b\s*",
    re.IGNORECASE,
)
_KNOWN: Final = re.compile(
    r"^(?:is |you(?:'ve| have)? )(?:(?:been )?(?:know|known|have|stored|saved|remember|kept|recorded|got|hold|noted|been told))(?: stored| saved| on file| recorded| kept)?\b\s*",
    re.IGNORECASE,
)
_GIVEN: Final = re.compile(
    r"^(?P<thing>[\w' -]{2,60}?) (?:(?:that |which )?i(?:'ve| have|'d)? (?:just |ever )?(?:gave|given|told|sent|mentioned|shared)(?: (?:to )?you)?|of (?:mine|ours))\b",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"(?:[,\s]+(?:any\s?more|any longer|please|thanks|thank you|ok|okay|now|right now|right away|at all|for me|again|will you|would you|could you|forget (?:it|that)|immediately|for good|forever))+\s*$",
    re.IGNORECASE,
)
_ANYWHERE: Final = re.compile(
    r"(?:anywhere|at all|by you|any ?more|any longer|delete it|erase it|forget it|please delete it|now)+", re.IGNORECASE
)
_POLITE: Final = re.compile(r"\b(?:please|kindly|i (?:want|need|would like|'d like|ask|wish))\b", re.IGNORECASE)
_REPORTED: Final = re.compile(
    r"\b(?!(?:i|i've|you|we)\b)[\w']+ (?:\w+ly |just |also )?(?:said|says|told|tells|ask(?:s|ed)|thinks?|thought|wants?|wanted|believes?|wrote|suggest(?:s|ed)|insist(?:s|ed)|hopes?)\b",
    re.IGNORECASE,
)
"""What somebody else says is to be done."""
_CLAUSE: Final = re.compile(r"(?:where|how|when|who|whom) (?:\w+ )?(?:i|we|my|our)\b", re.IGNORECASE)
_ALL: Final = re.compile(r"(?:absolutely )?(?:everything|all)(?: (?:else|of it))?", re.IGNORECASE)
_BUT: Final = re.compile(
    r"[,;]?\s*\b(?:(?:except|apart from|aside from|other than|save|excepting)(?: for| that)?|but(?: please)? (?:do )?(?:keep|remember|leave|not|don't forget|don't delete)|but)\b\s*",
    re.IGNORECASE,
)
_OWN: Final = re.compile(
    r"^(?:(?:where|how|when|who|whom|why|which)(?: \w+)? )?(?:i|i'm|i've|i'd|my|mine|me|our|ours|we|us|myself)\b",
    re.IGNORECASE,
)
_MY: Final = re.compile(r"^(?:my|our) (?P<thing>.*)$", re.IGNORECASE | re.DOTALL)
_ELSEWHERE: Final = re.compile(
    r"\b(?:from|off|in|on|out of|with|to) (?:the|this|that|a|an|my|our|your|his|her|their|its)\b", re.IGNORECASE
)


def wish_in(sentence: str) -> str | None:
    """What a sentence asks to be forgotten, without the words that ask; None where it asks nothing of the kind."""
    said = sentence.strip(" \t\"'").rstrip(" .!\t\"'")
    asks = said.endswith("?")
    said = said.rstrip(" .!?\t\"'")
    passive = passive_in(said, asks=asks)
    wanted = None if passive is None else _passive(passive)
    if wanted is not None:
        return wanted
    topic = _TOPIC.match(said)
    if topic is not None:
        return _own(topic["object"])
    asked = _ASKS.match(said)
    wondered = asks and asked is not None and asked["delete"] and not (asked["frame"] or POLITE_TOO_EN.search(said))
    return None if asked is None or wondered else _active(asked)


ASKS_YOU: Final = re.compile(r"\byou\b", re.IGNORECASE)
"""Who is asked by a question."""
_PLAINLY: Final = frozenset({"forget", "unlearn"})
_JOINTLY: Final = re.compile(r"\b(?:let's|let us|we)\b", re.IGNORECASE)
"""Who is to forget something besides the agent: an idea is put aside."""
_ABOUT: Final = re.compile(r"^(?:all )?about\b\s*", re.IGNORECASE)


def names_in(sentence: str) -> tuple[str, ...]:
    """What a sentence asks to be forgotten that has no other sign of being remembered than that it may be a name."""
    said = sentence.strip(" \t\"'").rstrip(" .!?\t\"'")
    asked = _ASKS.match(said)
    if asked is None or _JOINTLY.search(asked["frame"]):
        return ()
    if not (asked["forget"] or _stops_remembering(asked)):
        return ()
    if asked["forget"] and not asked["frame"] and asked["forget"].lower() not in _PLAINLY:
        return ()
    return names_alone(_ABOUT.sub("", _FROM_MEMORY.sub("", _TAIL.sub("", asked["object"].strip(" \t,.:;!?\"'")))))


_POINTING: Final = re.compile(
    r"(?:it|that|this|those|these|them|him|her|everything|anything|all|one|some|me|us)\b(?: (?:all|one|ones|now|too))*",
    re.IGNORECASE,
)
_THING_ELSEWHERE: Final = re.compile(
    r"\b(?:words?|sentences?|paragraphs?|lines?|rows?|columns?|cells?|sections?|chapters?|pages?|slides?|headings?|titles?|commas?|texts?|drafts?|documents?|files?|folders?|directory|branch(?:es)?|tables?|tests?|functions?|variables?|code|repo\w*|images?|photos?|pictures?|videos?|songs?|playlists?|apps?|alarms?|timers?|reminders?|messages?|chats?|conversations?|emails?|mails?|posts?|comments?|tweets?|cookies|cache|browser|backups?|database|duplicates?|spam|downloads?)\b",
    re.IGNORECASE,
)
"""What one has deleted elsewhere than in a memory."""


def held_in(sentence: str) -> str | None:
    """What a sentence asks to be deleted, or not to be kept, that only the memory can tell to be something remembered:
    "delete my place of birth"."""
    said = sentence.strip(" \t\"'").rstrip(" .!?\t\"'")
    asked = _ASKS.match(said)
    if asked is None or asked["forget"] or asked["pretend"] or asked["keep"] or _JOINTLY.search(asked["frame"]):
        return None
    if AMBIGUOUS_EN.match(said) and not POLITE_TOO_EN.search(said):
        return None
    meant, _ = _plain(_REASON.sub("", asked["object"]))
    elsewhere = _ELSEWHERE.search(meant) or _THING_ELSEWHERE.search(meant)
    return None if not meant or elsewhere or _POINTING.fullmatch(meant) or CARRIED_EN.fullmatch(meant) else meant


_REMEMBERS: Final = re.compile(r"\b(?:remember|memori[sz]|know)\w*$", re.IGNORECASE)
_STOPS: Final = re.compile(r"^(?:stop|quit|cease)\b", re.IGNORECASE)


def _stops_remembering(asked: re.Match) -> bool:
    """Whether somebody is asked to remember something no longer; "don't remember" alone says that one does not."""
    keep = asked["keep"] or ""
    return _REMEMBERS.search(keep) is not None and (_STOPS.search(keep) or _POLITE.search(asked.group())) is not None


_UNCLEAR: Final = re.compile(
    rf"^{LEAD}{_FRAME}(?:(?P<forget>{_FORGET})|{_DELETE}|{_NOT} {KEEPING})\b(?P<object>.*)$", re.IGNORECASE | re.DOTALL
)
_OF_SAYING: Final = re.compile(
    r"\b(?:me|i|i've|my|mine|we|our|us|you (?:know|have|remember)|told|said|talk(?:ed)?|conversation|memory|please)\b",
    re.IGNORECASE,
)
_IDIOM: Final = re.compile(
    r"[\s,]*(?:about )?(?:it|that|this|them|him|her)?(?:[,\s]+(?:now|then|ok|okay|please))*\s*(?:$|[,;:.])",
    re.IGNORECASE,
)
"""What stands behind "forget" in "forget it, let us go"."""

ASKING: Final = (_ASKS, _TOPIC, _UNCLEAR, *ASKING_PASSIVELY)
"""One of these matches whatever asks for something, or seems to."""


def is_unclear(sentence: str) -> bool:
    """Whether a sentence that asks for nothing plainly seems to ask that something said be forgotten."""
    asked = _UNCLEAR.match(sentence.strip(" \t\"'").rstrip(" .!?\t\"'"))
    if asked is None:
        return False
    polite = _POLITE.search(sentence) is not None
    if _IDIOM.match(asked["object"]) or (polite and asked["forget"]):
        return polite
    return _OF_SAYING.search(asked["object"]) is not None or _ALL.fullmatch(asked["object"].strip()) is not None


SECRET: Final = re.compile(
    r"^(?:nobody|no one|none) (?:else )?(?:should|must|may|can|needs? to|has to|is (?:meant|supposed) to) (?:ever )?(?:know|hear|learn|find out)(?: (?:of|about))? |^i (?:shouldn't|should not|should never) have (?:mentioned|told you(?: about)?|said|brought up) ",
    re.IGNORECASE,
)
"""What says of something that it is not, or was not, to be known."""


def _own(thing: str) -> str | None:
    heard = _HEARD.match(thing)
    if means_everything(thing):
        return ALL_OF_ME
    secret = SECRET.sub("", thing)
    meant, told = _plain(heard["thing"] if heard else secret)
    told = told or secret != thing
    return meant if meant and (told or _OWN.match(meant)) else None


def _passive(found: Passive) -> str | None:
    """What is to be gone; where nothing says that it is a memory, only a detail of the speaker is."""
    left = _TAIL.sub("", _REASON.sub("", _FROM_MEMORY.sub("", found.rest))).strip(" ,.;")
    if left and not _ANYWHERE.fullmatch(left):
        return None
    if _REPORTED.search(found.thing):
        return None
    if means_everything(found.thing):
        return ALL_OF_ME
    meant, told = _plain(found.thing)
    forgets = found.forgets or _FROM_MEMORY.search(found.rest) is not None
    if not meant or not (told or _OWN.match(meant)):
        return None
    return meant if forgets or _is_of_memory(meant, told=told) else None


def _active(asked: re.Match) -> str | None:
    thing = keeping(asked["object"])
    reason = _REASON.search(thing)
    if reason is not None and not any(map(str.isdigit, reason.group())):
        thing = thing[: reason.start()]
    if asked["pretend"]:
        return _plain(thing)[0] or None
    whole = _FROM_MEMORY.sub("", _TAIL.sub("", thing.strip(" \t,.:;!?\"'"))).strip(" ,:")
    rest = _BUT.split(whole, maxsplit=1)
    if means_everything(rest[0]) and (asked["forget"] or not is_bare(whole)):
        return " but keep ".join([ALL_OF_ME, *rest[1:]])
    if len(rest) == 2 and all_but(rest[0]):
        return f"{ALL_OF_ME} but keep {rest[1]}"
    meant, told = _plain(thing)
    if not meant:
        return None
    if asked["forget"]:
        return meant if told or _OWN.match(meant) or is_detail(_thing(meant)) or _is_anybodys(meant) else None
    clause = asked["keep"] and _CLAUSE.match(meant)
    if _OWN.match(meant) and _stops_remembering(asked):
        return meant
    return meant if clause or _is_of_memory(meant, told=told) else None


def _is_of_memory(meant: str, *, told: bool) -> bool:
    """Whether what is to be deleted, or not to be kept, is something remembered of the speaker and nothing else."""
    elsewhere = _ELSEWHERE.search(meant) is not None
    if told:
        return not elsewhere or bool(_OWN.match(meant))
    return not elsewhere and of_somebody(meant) and (is_detail(_thing(meant)) or _is_anybodys(meant))


def _is_anybodys(meant: str) -> bool:
    """Whether it names a detail of somebody, whoever he is, and what is to be kept of it."""
    return is_detail(_BUT.split(meant, maxsplit=1)[0])


def _thing(meant: str) -> str:
    own = _MY.match(meant)
    return own["thing"].strip() if own else meant


def _plain(text: str) -> tuple[str, bool]:
    """What is meant, and whether it was called something told or remembered."""
    plain = _TAIL.sub("", text.strip(" \t,.:;!?\"'"))
    without = _FROM_MEMORY.sub("", plain)
    told = without != plain
    plain = without.strip(" ,:")
    given = _GIVEN.match(plain.removeprefix("the ").removeprefix("that "))
    if given is not None and not any(pattern.match(given["thing"] + " ") for pattern in (_ANY, _REMEMBERED)):
        return given["thing"].strip(), True
    began = plain
    for _ in range(12):
        for pattern in (_ON_FILE, _SAID, _KNOWN, _REMEMBERED, _ANY):
            shorter = pattern.sub("", plain, count=1)
            if shorter != plain:
                break
        else:
            break
        told = told or pattern is not _ANY
        plain = shorter
    about = began.lower() == f"about {plain}".lower()
    told = told or (plain != began and not about and _OWN.match(plain) is not None)
    return plain.strip(" ,:;.!?\"'"), told
