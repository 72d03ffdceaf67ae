"""How English asks that something be forgotten: a frame that asks, a verb that does it, and what is meant."""

# ruff: noqa: E501 - patterns read best unbroken

from typing import Final

from agentmem import patterns as re
from agentmem.memory.request_extent import is_detail

_LEAD: Final = r"(?:(?:please|okay|ok|now|and|so|hey|hi|hello|actually|thanks|thank you|sorry|kindly|well|oh|no|yes|just|also|but|listen|look|be so kind as to|do me a favou?r and)[,!.\s]+)*"
_YOU: Final = r"(?:i(?: would|'d)? (?:just |really )?(?:want|need|like|prefer|rather|wish|ask|expect|hope)(?: that)?(?: you)?(?: to| would| could)?|i(?:'m| am) asking (?:that )?you(?: to)?|i would(?: rather| prefer| like)(?: that)? you(?: to)?)"
_FRAME: Final = rf"(?:(?:(?:can|could|would|will) (?:you|we)|(?:would|do) you mind|you (?:should|must|can|may|could|need to|have to|had better|'d better)|it would be (?:great|nice|good|better|best|kind) if you(?: could| would)?|{_YOU}|let's|let us|make sure(?: that)?(?: you| to)?|be sure to|try to|i think you should)[,\s]+(?:(?:please|just|kindly|now|also)[,\s]+)*)?"
_FORGET: Final = r"(?:forget(?:ting)?|forgot|unlearn(?:ing)?|unremember)"
_DELETE: Final = r"(?:delet(?:e|ing|ed)|eras(?:e|ing|ed)|remov(?:e|ing|ed)|wip(?:e|ing)(?: out)?|purg(?:e|ing)|scrub(?:bing)?|discard(?:ing)?|drop(?:ping)?|clear(?:ing)?|strik(?:e|ing)|destroy(?:ing)?|get(?:ting)? rid of|tak(?:e|ing) out|redact(?:ing)?|expunge|eliminate)"
_KEEPING: Final = r"(?:remember(?:ing)?|memori[sz](?:e|ing)|keep(?:ing)?|stor(?:e|ing)|sav(?:e|ing)|record(?:ing)?|hold(?:ing)?|retain(?:ing)?|not(?:e|ing)|logg?(?:ing)?|writ(?:e|ing) down|know(?:ing)?)"
_NOT: Final = r"(?:don't|do not|never|no longer|stop|quit|cease|avoid|not|didn't|(?:i )?(?:don't|do not) want you to|you (?:don't|do not) (?:need|have) to|you needn't)(?: (?:ever|please|any longer))*"
_PRETEND: Final = r"(?:pretend|act as if|act like|act as though|imagine)(?: that)? i (?:never|didn't|had not|hadn't|have never|had never) (?:ever )?(?:told|tell|said|say|mention|mentioned|wrote|write)(?: to)?(?: you)?(?: anything)?(?: about)?"
_ASKS: Final = re.compile(
    rf"^{_LEAD}{_FRAME}(?:(?P<forget>{_FORGET})|(?P<delete>{_DELETE})|(?P<keep>{_NOT} {_KEEPING})|(?P<pretend>{_PRETEND}))\b[:\s]*(?P<object>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_TOPIC: Final = re.compile(
    rf"^{_LEAD}(?P<object>[^,:;]{{3,200}}?)[,:;]\s*(?:but )?(?:please|could you|can you|just|you can|and)?[,\s]*(?:please )?(?:{_FORGET}|{_DELETE}) (?:it|that|this|them|those|all of (?:it|that))[\s.!?]*(?:please)?[\s.!?]*$",
    re.IGNORECASE | re.DOTALL,
)

_MEMORY: Final = (
    r"(?:(?:your|the) )?(?:memor(?:y|ies)|records?|notes?|files?|system|database|data|mind|head|log|logs|books|history)"
)
_FROM_MEMORY: Final = re.compile(
    rf"[,\s]*\b(?:from|in|on|off|out of) {_MEMORY}(?: of (?:me|us))?(?=$|[\s.,!?])", re.IGNORECASE
)
_ON_FILE: Final = re.compile(r"^(?:it )?on (?:file|record)\b\s*", re.IGNORECASE)
_ANY: Final = re.compile(
    r"^(?:about|that|this|any|all|every|everything|anything|whatever|what|the|a|an|of|on|regarding|concerning|fact|facts|part|parts|bit|bits|where|thing|things|stuff|point|information|info|details?|data|notes?|records?|mentions?|memor(?:y|ies)|traces?|entry|entries|remarks?|statements?|to)\b\s*",
    re.IGNORECASE,
)
_SAID: Final = re.compile(
    r"^(?:i|we)(?:'ve| have|'d| had)? (?:just |ever |once |already )?(?:told|said|say|gave|given|mentioned|wrote|sent|shared)(?: to)?(?: you)?\b\s*",
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
_OWN: Final = re.compile(r"^(?:i|i'm|i've|i'd|my|mine|me|our|ours|we|us|myself)\b", re.IGNORECASE)
_MY: Final = re.compile(r"^(?:my|our) (?P<thing>.*)$", re.IGNORECASE | re.DOTALL)
_ELSEWHERE: Final = re.compile(
    r"\b(?:from|off|in|on|out of|with|to) (?:the|this|that|a|an|my|our|your|his|her|their|its)\b", re.IGNORECASE
)


def wish_in(sentence: str) -> str | None:
    """What a sentence asks to be forgotten, without the words that ask; None where it asks nothing of the kind."""
    said = sentence.strip(" \t\"'").rstrip(" .!?\t\"'")
    topic = _TOPIC.match(said)
    if topic is not None:
        meant, told = _plain(topic["object"])
        return meant if meant and (told or _OWN.match(meant)) else None
    asked = _ASKS.match(said)
    if asked is None:
        return None
    meant, told = _plain(asked["object"])
    if not meant:
        return None
    if asked["pretend"]:
        return meant
    if asked["forget"]:
        return meant if told or _OWN.match(meant) or is_detail(_thing(meant)) else None
    return meant if _is_of_memory(meant, told=told) else None


def _is_of_memory(meant: str, *, told: bool) -> bool:
    """Whether what is to be deleted, or not to be kept, is something remembered of the speaker and nothing else."""
    elsewhere = _ELSEWHERE.search(meant) is not None
    if told:
        return not elsewhere or bool(_OWN.match(meant))
    return not elsewhere and bool(_MY.match(meant)) and is_detail(_thing(meant))


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
    if given is not None and _ANY.match(given["thing"] + " ") is None:
        return given["thing"].strip(), True
    began = plain
    for _ in range(12):
        for pattern in (_ON_FILE, _SAID, _KNOWN, _ANY):
            shorter = pattern.sub("", plain, count=1)
            if shorter != plain:
                break
        else:
            break
        plain = shorter
    told = told or (plain != began and began.lower() != f"about {plain}".lower())
    return plain.strip(" ,:;.!?\"'"), told
