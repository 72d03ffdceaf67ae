"""Plain facts: what the speaker says of himself, his firm, his things, and of others he names."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable
from dataclasses import replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.acts import is_doubtful
from agentmem.adapters.cognition.rules.comings_and_goings import tells_how_many_came
from agentmem.adapters.cognition.rules.endings import is_planned
from agentmem.adapters.cognition.rules.findings import agent_name, finding, told, told_of, wanted
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Who, plain
from agentmem.adapters.cognition.rules.retelling import strip_leading_self, tidied_en, tidied_zh
from agentmem.adapters.cognition.rules.subjects import is_child
from agentmem.domain.memory import Modality

_I = re.IGNORECASE
_PAST_ZH = re.compile(r"(?:以前|之前|原来|曾经|过去)(?:是|在|用|住|做|一直|的|租|开|叫|有)")
_PAST_EN = re.compile(
    r"\bused to (?!it\b)|^(?:my|our|the) (?:old |previous )?(?:budget|number|deadline|address|email|quote) was\b(?! (?:cut|reduced|lowered|raised|increased|changed|bumped))|\b(?:previously|formerly)\b|\bno longer\b",
    _I,
)
_STOPPED = re.compile(r"\bno longer\b", _I)
_DOES_ZH = re.compile(
    r"^(?:就是|主要|现在|目前|一直|专门)*(?:做|搞|干|从事|经营)(?:的)?(?:是)?(?!个|一|点|过|了|完|好|饭|梦|定|净|得|不|什么)(?P<v>[\u4e00-\u9fffA-Za-z]{2,20})$"
)
_EMPTY_ZH = re.compile(
    r"^(?:[是有在要用做搞去来说看想给把对跟和也都就还了的吧啊呢吗啦嗯好行个这那]|可以|考虑过|了解过|知道|现在|目前|已经|刚|没|不|一直|主要|自己|东西|一下|比较|情况|问题|事情?|时候|新|回来|想[通好]|到了|约|日子)*$"
)
_EMPTY_EN = re.compile(
    r"^(?:\W|\b(?:i|we|am|is|are|was|were|have|had|has|do|did|does|can|will|would|it|that|this|so|just|to|the|a|an|of|and|be|been|know|think|see|get|got|go|going|here|there|not|yes|no|ok|really|all|good|fine|well|too|very|one|some|any|about|for|in|at|on|with|my|our|me|us|you|your|m|re|ve|d|ll|s|t|don|back|then|now|need|want|like|could|should|what|how)\b)*$",
    _I,
)


def business(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """`做的社保的管理系统`: a clause without a subject says what his business is."""
    if clause.lang != "zh" or clause.act is not Act.ASSERT or clause.subject.who is not Who.NONE:
        return
    found = _DOES_ZH.match(clause.text)
    if found is None or "手术" in found["v"]:
        return
    value = found["v"].rstrip("的") if found["v"].endswith("的") else found["v"]
    yield finding(
        clause, discourse, f"{discourse.label}的业务是做{value}", "business", 7, attribute="business", value=value
    )


def past(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """What used to be is remembered as ended."""
    if clause.act is not Act.ASSERT or clause.subject.who not in (Who.FIRST, Who.OWN, Who.NONE):
        return
    pattern = _PAST_ZH if clause.lang == "zh" else _PAST_EN
    if not pattern.search(clause.text) or _STOPPED.search(clause.text):
        return
    content = told(clause, discourse)
    if content is not None:
        yield finding(clause, discourse, content, "past", 4, ended=True)


def facts(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """Whatever else is stated of the first person or of his things."""
    if clause.act not in (Act.ASSERT, Act.UNCERTAIN) or clause.subject.who not in (Who.FIRST, Who.OWN, Who.NONE):
        return
    if (
        clause.subject.who is Who.NONE
        and discourse.subject.who in (Who.THIRD, Who.SECOND, Who.WORLD)
        and not clause.opens_sentence
    ):
        return
    if clause.subject.who is Who.NONE and not clause.opens_sentence and _of_a_thing(clause, discourse):
        return
    if clause.subject.who is Who.OWN and _of_somebody(clause):
        return
    if not _tells(clause) or _OWN_NAME.sub("", clause.text) in discourse.person.name:
        return
    content = told(clause, discourse)
    if content is None:
        return
    kind = kind_of(_spoken(clause), clause.lang)
    modality = Modality.STATED if clause.act is Act.ASSERT else Modality.HYPOTHESIS
    slot = kind.attribute if kind.value is not None or kind.name not in _VALUED else None
    value = (kind.value or _said_of(content, slot, clause, discourse)) if slot else None
    if (
        slot in ("appointment",)
        and modality is Modality.STATED
        and not re.search(
            r"\d|[一二三四五六七八九十日天]|day|tomorrow|week|month|am\b|pm\b|noon|morning", clause.text, _I
        )
    ):
        slot, value = None, None
    if _gives_none(slot, clause, discourse):
        slot, value = None, None
    content = _TODAY.sub("", content) if slot in _VALUED else content
    if modality is Modality.HYPOTHESIS or (slot in _DENIABLE and _DENIAL.search(clause.text)):
        slot, value = None, None
    yield finding(
        clause, discourse, content, kind.name, kind.importance, attribute=slot, value=value, modality=modality
    )
    yield from _job_there(clause, discourse, slot)


_TODAY = re.compile(r"(?<=\S) today$", _I)
"""What is so of late and lasts: `we use HubSpot today` names no day."""
_AWAY = re.compile(
    r"出差|旅[游行]|出国|度假|探亲|\b(?:on (?:a |an )?(?:business|trip|holiday|vacation)|travell?ing)\b", _I
)


def _gives_none(slot: str | None, clause: Clause, discourse: Discourse) -> bool:
    """Whether the clause gives no value of the slot: it names a second one, where he goes, or how many came or went."""
    return (
        (slot in _BESIDE and _ADDITIVE.search(clause.text) is not None)
        or (slot in ("quantity", "headcount") and tells_how_many_came(clause.text))
        or _is_elsewhere(slot, clause, discourse)
        or (slot is not None and is_planned(clause.text) and _is_undecided(clause, discourse))
    )


def _is_undecided(clause: Clause, discourse: Discourse) -> bool:
    """Whether the words behind a plan say that nothing is decided yet."""
    return is_doubtful(plain(discourse.turn.text[clause.span.end :]), clause.lang)


def _is_elsewhere(slot: str | None, clause: Clause, discourse: Discourse) -> bool:
    """Whether it names where he goes, and not where he works or lives."""
    if slot == "employer":
        return _goes_there(clause, discourse)
    if slot == "city" and _FIRM_ZH.match(clause.text):
        return True
    return slot == "city" and _AWAY.search(discourse.turn.text[: clause.span.start]) is not None


def _goes_there(clause: Clause, discourse: Discourse) -> bool:
    """Whether `I'm at FitLab` says where he goes, and not where he works: something else was changed right before."""
    before = discourse.turn.text[: clause.span.start]
    return _AT_EN.match(clause.text) is not None and _CHANGED_EN.search(before) is not None


_FIRM_ZH = re.compile(r"我?们?的?(?:公司|总部|办公室|单位)")
"""Where a firm is, its people need not live."""
_AT_EN = re.compile(r"i(?:'m| am)\b", _I)
_CHANGED_EN = re.compile(
    r"\b(?:chang|switch|swapp)(?:ed|ing) (?!jobs?\b|companies\b|firms\b|employers?\b)[a-z]{3,20}s\b[^.!?]*$", _I
)


def _of_somebody(clause: Clause) -> bool:
    """Whether a thing without a word that makes it his may be the listener's, or anybody's."""
    if clause.lang == "en":
        return _MINE_EN.search(clause.subject.words) is None and kind_of(clause.text, "en").value is None
    return "我" not in clause.subject.words and re.search("你|您|是我", clause.text) is not None


_MINE_EN = re.compile(r"\b(?:my|our)\b", _I)


def _job_there(clause: Clause, discourse: Discourse, slot: str | None) -> Iterable[Finding]:
    """What somebody is where he works, beside the place: either may change alone."""
    told_already = slot == "occupation" or clause.lang != "zh" or clause.act is not Act.ASSERT
    job = None if told_already else _JOB_THERE.match(clause.text)
    if job is not None and not _DENIAL.search(clause.text) and not _ADDITIVE.search(clause.text):
        content = f"{discourse.label}的职业是{job['v']}"
        yield finding(clause, discourse, content, "occupation", 7, attribute="occupation", value=job["v"])


def _spoken(clause: Clause) -> str:
    """The clause with the subject that Chinese leaves out before a place."""
    left_out = clause.lang == "zh" and clause.subject.who is Who.NONE and clause.text.startswith("在")
    return f"我{clause.text}" if left_out else clause.text


_JOB_THERE = re.compile(
    rf"^(?:我|本人)?(?:现在|目前|一直|还|刚|去年|今年)*在(?!考虑|想|找)[^,]{{2,24}}?(?:担任|当|做|任)了?(?:一?[名位个])?(?P<v>[^,的了一我你]{{0,8}}(?:{zh.OCCUPATION_END})|(?:[A-Za-z]+ ){{0,3}}(?:engineer|developer|designer|manager|analyst|consultant|teacher|intern|sales|PM|HR|director))(?:的)?$"
)


def _tells(clause: Clause) -> bool:
    """Whether it says something, however short: `我单身`, `我吃素`."""
    if _says_something(clause):
        return True
    kind = kind_of(clause.text, clause.lang)
    return kind.attribute == "marital_status" or kind.name == "allergy" or _HABIT_ZH.fullmatch(clause.text) is not None


_HABIT_ZH = re.compile(r"我(?:也|还|会|经常)?(?:抽|喝|吃|养|骑|跑|打|练|玩|学|吸)[\u4e00-\u9fff]")


_BESIDE = frozenset(("current_system", "employer", "occupation", "business", "industry"))
"""Slots of which people name a second one beside the first."""

_ADDITIVE = re.compile(
    r"也(?=[是用在做当卖])|还(?=兼|做|有|卖|当|经营)|同时|另外|兼职|副业|\b(?:also|as well|too|on the side|part[- ]time|second job|another)\b",
    _I,
)
_VALUED = frozenset(
    (
        "budget",
        "birthday",
        "age",
        "headcount",
        "employer",
        "occupation",
        "business",
        "industry",
        "current_system",
        "city",
        "marital_status",
    )
)


_DENIABLE = _VALUED | {"possession", "quantity"}
"""Slots of which what is denied is no value: `I don't have a car` is no possession."""


def others(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """What is said of a third person is remembered about that person; of one's children and animals as one's family."""
    if clause.act is not Act.ASSERT or clause.subject.who is not Who.THIRD or clause.subject.person is None:
        return
    rest = tidied_zh(clause.predicate) if clause.lang == "zh" else tidied_en(clause.predicate)
    if len(rest) < 2 or _CUT_OFF.fullmatch(rest) or _OF_ANOTHERS_MIND.match(rest):
        return
    if is_child(clause.subject):
        said = _spelt_out(rest) if rest.startswith("'s ") else None
        whole = said is None or said.startswith("'")
        content = told(clause if whole else replace(clause, text=f"{clause.subject.words} {said}"), discourse)
        if content is not None:
            yield finding(clause, discourse, content, "family", 6, attribute="family", value=_rest(clause))
        return
    if clause.lang == "en" and (rest := _spelt_out(rest)) is None:
        return
    who = clause.subject.person
    rest = (
        re.sub(r"我们|我", discourse.label, rest)
        if clause.lang == "zh"
        else re.sub(r"\b(?:me|us)\b", discourse.label, re.sub(r"\b(?:my|our)\b", f"{discourse.label}'s", rest))
    )
    rest = (
        re.sub(r"[您你]们?", agent_name(discourse, "zh"), rest)
        if clause.lang == "zh"
        else _of_the_agent(rest, discourse)
    )
    if clause.predicate == clause.text and who in rest:
        content = rest
    else:
        content = f"{who}{rest}" if clause.lang == "zh" else _joined(who, clause.subject.words, rest)
    slot, value = _slot_of_another(clause)
    yield finding(clause, discourse, content, "person", 4, attribute=slot, value=value, about=who)


_CUT_OFF = re.compile(r"[\W\d]*|(?:is|are|was|does|do|did|has|can|isn't|doesn't)\s*,.*")


def _of_the_agent(text: str, discourse: Discourse) -> str:
    """The words with the agent by name where they speak to it."""
    return re.sub(
        r"\byou\b", discourse.agent_name, re.sub(r"\byours?\b", f"{discourse.agent_name}'s", text, flags=_I), flags=_I
    )


_OF_ANOTHERS_MIND = re.compile(
    r"(?:也|都|总|老|就|还|又|经常|一直|天天)*(?:说|讲|觉得|认为|以为|建议|嚷|嫌|骂|问|劝|念叨|猜)|(?:always |also |just |still )?(?:says?|said|thinks?|thought|reckons?|claims?|swears?|tells?|told|asks?|asked|goes(?=[,:]? [\"'“])|feels?|believes?|suggests?)\b",
    _I,
)
"""What somebody else says or thinks is no fact."""
_OWNED = re.compile(r"'s (?:[a-z]+ ){1,3}?(?:is|was|are|were|has|had)\b", _I)
_HAS_OR_IS = re.compile(
    r"'s (?=(?:just |now |already |recently |only |both )*(?P<has>\w+ed\b|been|got|gone|had|become|taken|grown|lost|left|started|made|done)?)",
    _I,
)
_IS = re.compile(
    r"'s (?=(?:just |now |still |also |only |very |really |quite |not )*(?:an?|the|in|at|on|from|into|\w+ing|allergic|vegan|vegetarian|married|single|retired|pregnant|ill|sick|away|off|back|\d+)\b)",
    _I,
)


def _spelt_out(rest: str) -> str | None:
    """The words behind a name with their verb in full; None where `'s` may as well make the name an owner."""
    if rest.startswith("'ll "):
        return f"will {rest[4:]}"
    if not rest.startswith("'s "):
        return rest if len(rest.split()) > 1 else None
    found = _HAS_OR_IS.match(rest)
    if found is not None and found["has"]:
        return f"has {rest[3:]}"
    if _IS.match(rest):
        return f"is {rest[3:]}"
    return rest if _OWNED.match(rest) else None


def _joined(who: str, subject: str, rest: str) -> str:
    """An English predicate behind a name; `Ann's` stays the owner of what follows."""
    if rest.startswith("'"):
        return f"{who}{rest}"
    owns = "'s" if subject.rstrip().endswith("'s") and not who.endswith("'s") else ""
    return f"{who}{owns} {rest[:1].lower()}{rest[1:]}"


_BARE = {"lives": "live", "works": "work", "is": "am", "has": "have", "uses": "use", "runs": "run", "'s": "am"}


def _slot_of_another(clause: Clause) -> tuple[str | None, str | None]:
    """The slot that another person's clause fills, read as if he spoke of himself."""
    said = clause.predicate.strip()
    if clause.lang == "zh":
        kind = kind_of(f"我{said}", "zh")
    else:
        verb, _, rest = said.partition(" ")
        kind = kind_of(f"I {_BARE.get(verb.lower(), verb)} {rest}".strip(), "en")
    sure = kind.value is not None and kind.attribute in _VALUED and not _DENIAL.search(said)
    beside = kind.attribute in _BESIDE and _ADDITIVE.search(said)
    return (kind.attribute, kind.value) if sure and not beside else (None, None)


def _of_a_thing(clause: Clause, discourse: Discourse) -> bool:
    """Whether a clause without a subject goes on about the thing named before rather than about him."""
    if not _OF_THINGS.match(clause.text):
        return False
    return discourse.subject.who is not Who.FIRST or clause.text.startswith("都是")


_OWN_NAME = re.compile(r"^(?:我|本人)(?:就)?(?:是|叫)|^(?:i'm|i am|this is|my name is)\s+", _I)
_DENIAL = re.compile(r"不(?!到|超过|止|错|少)|没|\b(?:not|never|no longer)\b|n't", _I)
_LETTER = re.compile(r"[\u4e00-\u9fffA-Za-z\d]")
_OF_THINGS = re.compile(
    r"没有|有(?!点|些)|在(?!考虑|找|想|学|做)|都|才|已经|经常|老是|总是|一共|总共|每[天周月年个次]|大概|大约|差不多|位于|分布在"
)


def _said_of(content: str, slot: str, clause: Clause, discourse: Discourse) -> str:
    """What the statement says, as the value of a slot of which people say many things."""
    if slot in ("need", "plan"):
        return wanted(content, discourse.label)
    return (told_of(content, discourse.label) or _rest(clause))[:500]


def _rest(clause: Clause) -> str:
    return (clause.predicate.strip(" ,") or clause.text)[:500]


def _says_something(clause: Clause) -> bool:
    """Whether anything is left when the small words are taken away."""
    if clause.lang == "en":
        return _EMPTY_EN.match(clause.text) is None and len(clause.text.split()) >= (
            3 if clause.subject.who in (Who.THING, Who.OFFER) else 2
        )
    rest = strip_leading_self(clause.text) if clause.subject.who is Who.FIRST else clause.text
    return len(rest) >= 3 and _EMPTY_ZH.match(rest) is None and _LETTER.search(rest) is not None
