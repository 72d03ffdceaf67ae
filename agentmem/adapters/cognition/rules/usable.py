"""Whether a statement is of use by itself, to somebody who reads it weeks later: `Ann Lee measured again`, `cried a bit` and
陈立觉得高了 are not, for what was measured stands in the turn, which is found by itself.

Weighed by signs of its grammar, fitted by `bench/usable.py` on statements that readers judged. No word here comes from
one talk: the signs are classes of words, how long it is, what it names, and where in its turn it was said.
"""

# ruff: noqa: E501 - patterns read best unbroken

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import Finding, has_han
from agentmem.adapters.cognition.rules.wholeness import is_whole
from agentmem.language.time import BASE_OF
from agentmem.language.tokens import content_terms

_I = re.IGNORECASE
WEIGHED = frozenset((
    "fact", "person", "family", "quantity", "possession", "constraint", "preference", "complaint", "opinion", "need",
    "appointment", "habit", "plan",
))  # fmt: skip
"""Kinds whose statements may be of no use; the others tell a value, or a reply with its question."""
_PERSON, _OTHER, _AGENT = "PERSON", "OTHER", "AGENT"


@dataclass(frozen=True, slots=True)
class SpokenIn:
    """Where something was found: how the person and the agent are called in it, the turn, and all terms that the agent
    uses in the talk."""

    label: str
    agent: str
    turn: str
    heard: frozenset[str]


def is_usable(found: Finding, spoken: SpokenIn) -> bool:
    """Whether it is a whole sentence and says enough by itself. What takes the place of something else always does."""
    if not is_whole(found, spoken.label, spoken.agent):
        return False
    of_a_slot = found.attribute is not None and found.attribute != found.kind
    if found.kind not in WEIGHED or of_a_slot or found.replaces or found.cited or _NAMES_A_FAULT.search(found.content):
        return True
    bias, weights = _weights()
    return bias + sum(weights.get(sign, 0.0) for sign in signs_of(found, spoken)) >= 0


_NAMES_A_FAULT = re.compile("抱怨| complains that ")
_OPINION = re.compile(f"{_PERSON}(?:觉得| finds that )")


def signs_of(found: Finding, spoken: SpokenIn) -> frozenset[str]:
    """What speaks for or against its being of use by itself, each sign with the language it is of."""
    content = _masked(found, spoken.label, spoken.agent)
    lang = "zh" if has_han(content) else "en"
    signs = (f"{lang} {sign}" for sign in (*_of_words(content, lang, spoken.heard), *_of_place(found, spoken.turn)))
    kind = "opinion" if _OPINION.search(content) else found.kind
    return frozenset((f"kind {kind}", *(("of another",) if found.about else ()), *signs))


def _masked(found: Finding, label: str, agent: str) -> str:
    """The statement without the names of whom it is about and of the agent, which may be words of any kind."""
    content = found.content.replace(agent, _AGENT)
    if found.about:
        content = content.replace(found.about, _OTHER)
    return content.replace(label, _PERSON)


_MASKS = re.compile(f"{_PERSON}|{_OTHER}|{_AGENT}|对方|自己")


def _of_words(content: str, lang: str, heard: frozenset[str]) -> Iterator[str]:
    bare = _MASKS.sub(" ", content)
    yield from (name for name, pattern in _CLASSES[lang].items() if pattern.search(content))
    if lang == "en" and _is_past(bare):
        yield "past"
    named = [word for word in content_terms(bare) if len(word) > 1 and word not in _SMALL]
    if not heard.isdisjoint(named):
        yield "taken up"
    length = len(_WORD.findall(bare))
    yield from (f"names {least}" for least in (1, 2, 4, 6) if len(named) >= least)
    yield from (f"words {least}" for least in (3, 5, 7, 9, 12) if length >= least)


def _is_past(bare: str) -> bool:
    """Whether the first of its words that is no adverb is a verb of the past."""
    words = [word for word in bare.lower().split() if word not in _ADVERBS and not word.endswith("ly")]
    return bool(words) and (words[0].endswith("ed") or words[0] in _PAST)


_ADVERBS = frozenset(("just", "only", "also", "even", "still", "now", "never", "always", "really", "'s"))
_PAST = frozenset(BASE_OF) - {"is", "are", "am", "has", "does", "goes", "being"}


def _of_place(found: Finding, said: str) -> Iterator[str]:
    """Where in its turn it was said: what matters comes first, and asides at the end."""
    if not found.spans:
        return
    start, end = found.spans[0].start, found.spans[-1].end
    if start <= _EDGE:
        yield "opens"
    if end >= len(said) - _EDGE:
        yield "closes"


_EDGE = 2
"""Characters that may stand before the first word of a turn or behind its last."""
_WORD = re.compile(r"[A-Za-z']+|\d[\d.,:]*|[\u4e00-\u9fff]")
_SMALL = content_terms(
    "thing something anything nothing everything one lot bit some any all more less much many good bad fine ok okay well"
    " nice great get go come say tell ask think know want need like try make take put see look keep let mean feel find"
    " again still just only even already ever never always really quite very too also maybe then now today once twice yes"
    " no not way day time first last next back up down out off over away here there"
)
"""Terms that name nothing."""

_CLASSES: dict[str, dict[str, re.Pattern]] = {
    "en": {
        "it": re.compile(r"\b(?:it|this|that)\b", _I),
        "anything": re.compile(r"\b(?:\w+thing|everybody|everyone|nobody|somebody|someone|anyone|anybody|whatever|stuff|things?|bits?|lots?)\b", _I),
        "denied": re.compile(r"\b(?:not|never|no|nobody|nothing|without|none)\b|n't", _I),
        "would": re.compile(r"\b(?:would|could|should|might|may)\b", _I),
        "will": re.compile(r"\b(?:will|going to)\b", _I),
        "can": re.compile(r"\b(?:can|can't|cannot)\b", _I),
        "is": re.compile(r"\b(?:is|are|isn't|aren't)\b", _I),
        "now": re.compile(r"\b(?:now|these days|any ?more|no longer|since|instead|nowadays)\b", _I),
        "again and again": re.compile(r"\b(?:every|each|always|usually|weekly|daily|monthly|\w+days|once a|twice a|times a|nights|mornings|evenings|afternoons)\b", _I),
        "day": re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\d(?:st|nd|rd|th)\b", _I),
        "figure": re.compile(r"\d"),
        "article": re.compile(r"\ban?\b"),
        "preposition": re.compile(r" (?:at|in|on|for|with|from|to|by|of|near|about|under|over|behind) "),
        "name": re.compile(r"(?<=[a-z,;] )(?!PERSON|OTHER|AGENT)[A-Z][a-z]+"),
        "retold": re.compile(rf"^{_PERSON} (?:says|finds that)\b"),
        "says": re.compile(rf"^(?:{_PERSON}|{_OTHER}) (?:\w+ly |just |only |also |still |did |didn't |has |will |should |would |never |keeps? )*(?:say|says|said|tell|tells|told|ask|asks|asked|mention|mentioned|warn|warned|wonder|wonders|wondered|think|thinks|thought|know|knows|knew|mean|means|meant|guess|guesses|suppose|supposes|hope|hopes|feel|feels|felt|see|sees|saw|hear|hears|heard|remember|remembers|forget|forgets|forgot|joke|jokes|joked)\b"),
        "feels": re.compile(r"\b(?:cr(?:y|ies|ied)|laugh\w*|lov(?:e|es|ed)|hat(?:e|es|ed)|worr(?:y|ies|ied)|afraid|sorry|happy|glad|cross|tired|fine|thanks?|proud|sad|angry|grumpy|thrilled)\b", _I),
        "agent": re.compile(_AGENT),
        "their": re.compile(r"\btheir\b"),
        "comma": re.compile(","),
        "hangs": re.compile(r"\b(?:of|to|in|on|at|for|with|from|about|up|down|out|off|over|there|here|it|one|them|that|this|him|her|too|again|already|then|yet|ago|either|anyway|so|more|enough|\w+ly)$", _I),
    },
    "zh": {
        "this": re.compile("[这那]"),
        "denied": re.compile("[不没别甭]"),
        "done": re.compile(r"[\u4e00-\u9fff][了过]"),
        "ends in done": re.compile("了$"),
        "ends in of": re.compile("的$"),
        "wants": re.compile("希望|想|需要"),
        "figure": re.compile(r"[\d二两三四五六七八九十百千万]"),
        "one": re.compile("[一半几]"),
        "unit": re.compile(r"[\d一二两三四五六七八九十百千万半几](?:[台套家间辆张份平亩吨单条件箱位人户斤层年次天岁块元万千百桌棵米点号月盒瓶只把口]|个|公里|小时|厘米)"),
        "day": re.compile(r"周[一二三四五六日天末]|星期|礼拜|[月号]|[\d一二两三四五六七八九十]点|[今明去]年|[下上]周|[明昨今]天"),
        "again and again": re.compile("每|天天|经常|一般|平时|总是|老是|都是|一直"),
        "now": re.compile("现在|如今|目前|[改换]|以后|不再|已经"),
        "degree": re.compile("[太很真挺最]|特别|得很|极了|受不了|要命"),
        "says": re.compile("[说问讲听叫]|告诉"),
        "feels": re.compile("知道|觉得|担心|高兴|心疼|习惯|喜欢|[怕气哭笑服懵慌骂爱]|放心"),
        "has": re.compile("有"),
        "adverb": re.compile("[就才都也还又再]"),
        "begins with adverb": re.compile(f"^(?:{_PERSON}|{_OTHER})[就又也还都再才可哪真那这]"),
        "result": re.compile(r"[^觉记值懒显舍获取懂认只非]得(?!到)[\u4e00-\u9fff]"),
        "as soon as": re.compile(r"一[\u4e00-\u9fff]{1,3}就"),
    },
}  # fmt: skip


@lru_cache(maxsize=1)
def _weights() -> tuple[float, dict[str, float]]:
    held = json.loads(files("agentmem.adapters.cognition.rules").joinpath("usable.json").read_text("utf-8"))
    return held["bias"], held["weights"]
