"""A question of the agent and the reply to it, told as one statement: Asked "How many cups a day?", Tom answers "about 180".

An open question makes sense of any answer. A question of yes or no, or a proposal, does so of a reply that says more.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from dataclasses import replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules.findings import keys_of
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.model import (
    Act,
    Clause,
    Discourse,
    Finding,
    Span,
    Who,
    has_han,
    language_of,
    plain,
)
from agentmem.adapters.cognition.rules.own_attributes import kept
from agentmem.adapters.cognition.rules.questions import POINTING_EN, closed_question
from agentmem.adapters.cognition.rules.retelling import tidied_zh
from agentmem.language.time import find_times
from agentmem.language.tokens import content_terms

_I = re.IGNORECASE
SHORT_REPLY = re.compile(
    r"^(?:不知道|不清楚|不确定|没想好|随便|都行|都可以|看情况|再说|保密|不方便|没有了?|好|好的|行|可以|嗯|谢谢|你好|您好|不用|算了|[打做用试吃看买去来考]过了?|照旧|老样子|一样|不变|稍等|等下|等一下|我看看|none|no idea|not sure|whatever|anything|don't know|dunno|it depends|depends|hello|hi|thanks|thank you|ok|okay|sure|fine|great|nothing|maybe|let me .*|i'll .*|perfect|good|cool|sounds good|that's all)$",
    _I,
)
NUMBER = r"[\d一二两三四五六七八九十百千万半几]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred|thousand|once|twice|daily|weekly|monthly|every|each)\b"

_OPENS_EN = re.compile(
    r"^(?:(?:it'?s|that'?s|they'?re|that would be|it would be|that was|it was|um|uh|er|well|oh|yes|yeah|sure),?\s+)+",
    _I,
)
_OPENS_ZH = re.compile(r"^(?:就是|应该是|嗯+|哦|那|啊|呃|对|是的|有的?|您好|你好)[,， ]+|^(?:就是|应该是)")
_CLOSES_ZH = re.compile(r"[吧啊呀呢哈嘛哦]+$")
_TIMELY = re.compile(r"什么时候|什么时间|几点|哪天|周几|星期几|几号|\b(?:when|what time|what day|which day)\b", _I)
_TIME = re.compile(
    r"[\d一二三四五六七八九十年月日周号天点早晚午前后末底]|星期|随时|\b(?:\d|mon|tue|wed|thu|fri|sat|sun|week|month|day|morning|noon|evening|night|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|winter|now|soon|asap|today|tomorrow|easter|christmas|year)",
    _I,
)
_COUNTING = re.compile(r"多少|几[^乎]|多[大久高重远长宽]|how (?:many|much|big|large|long|old|often|far)", _I)
_NONE = re.compile(r"^(?:没有?|无|不|都[没不]|还好|暂时没)|^(?:no|none|nothing|not|never|nope|nah)\b", _I)
_LONGEST_ANSWER = 90


def bare(text: str) -> str:
    """The reply without what only opens or closes it."""
    return _CLOSES_ZH.sub("", _OPENS_ZH.sub("", _OPENS_EN.sub("", text))).strip(" ,，。.")


def elliptic(clauses: list[Clause], discourse: Discourse) -> list[Clause]:
    """The clauses at the beginning that have no subject of their own; no more than one sentence and what is short."""
    used: list[Clause] = []
    for clause in clauses:
        whose = clause.subject.who in (Who.NONE, Who.THING, Who.OFFER) or (
            clause.subject.who is Who.OWN and not re.match(r"我|咱|本人|(?:my|our)\b", clause.text, _I)
        )
        whose = whose and _OF_OTHERS.match(clause.text) is None
        length = clause.span.end - (used[0] if used else clause).span.start
        if not whose or clause.act is not Act.ASSERT or length > _LONGEST_ANSWER or any(kept(clause, discourse)):
            break
        if used and clause.opens_sentence:
            break
        used.append(clause)
    return used


_OF_OTHERS = re.compile(
    rf"[A-Z][a-z]+'s (?:\w+ )?(?:{en.HOUSEHOLD}|{en.COLLEAGUES})\b|(?:客户|客人|来的人)[^,]{{0,4}}有"
)
"""What is told of somebody else, though he has no name of his own."""


def told_with(
    used: list[Clause], asked: str, discourse: Discourse, *, closed: bool = False
) -> tuple[Finding, list[Clause]] | None:
    """The question and the words of these clauses as one statement, without those at the end that point elsewhere."""
    while len(used) > 1 and hangs(_reply_of(used, discourse)):
        used = used[:-1]
    text = _reply_of(used, discourse)
    if not text or hangs(text) or not (closed or _fits(asked, text)):
        return None
    if (chosen := _chosen(asked, text)) is not None:
        content = f"{discourse.label}{chosen}"
    elif language_of(asked) == "zh":
        content = f"被问到“{asked}”，{discourse.label}回答“{tidied_zh(text)}”"
    else:
        content = f'Asked "{asked}", {discourse.label} answers "{text}"'
    weight = max(5, kind_of(text, language_of(text)).importance)
    found = answer_finding(
        content, tuple(used), discourse, attribute=None, value=None, kind="answer", importance=weight
    )
    return replace(found, dated=_is_dated_by(asked, text, discourse)), used


def _is_dated_by(asked: str, text: str, discourse: Discourse) -> bool:
    """Whether the question says when, so that a day in the reply is no other: `Wednesday 10th?` and `Weds good`."""
    meant, said = ({each.iso for each in find_times(part, discourse.turn.at)} for part in (asked, text))
    return bool(meant) and not said <= meant


def _reply_of(used: list[Clause], discourse: Discourse) -> str:
    said = discourse.corrected or plain(discourse.turn.text)
    return bare(said[used[0].span.start : used[-1].span.end].replace('"', ""))


_EITHER = re.compile(
    r"(?:^|[选要是用做走吃喝坐住])(?P<a>[^,，选]{2,10})还是(?P<b>[^,，?？]{2,10})[?？]?$|\b(?P<c>\w+(?: \w+)?) or (?P<d>\w+(?: \w+)?)\??$",
    _I,
)
_WHICH_ONE = re.compile(r"^(?:那|就|先|还是|选|要|来)*|^(?:the |a |an )", _I)


def _chosen(asked: str, text: str) -> str | None:
    """One of two that the question offers, as his choice."""
    either = _EITHER.search(asked)
    taken = _WHICH_ONE.sub("", text, count=1).strip(" ,，。.")
    if either is None or len(taken) < 2:
        return None
    offered = [each.casefold() for each in either.groups() if each]
    if sum(taken.casefold() in each or each in taken.casefold() for each in offered) != 1 or len(taken) > 24:
        return None
    return f"选{taken}" if has_han(taken) else f" chooses {taken[:1].lower()}{taken[1:]}"


def hangs(text: str) -> bool:
    """Whether the answer needs more than its question to be understood."""
    pronoun = POINTING_EN.search(text)
    inside = pronoun is not None and pronoun.group().lower() in ("it", "them", "its", "their") and pronoun.start() > 6
    return (pronoun is not None and not inside) or re.search('[他她它]|这个|那个|[?"]', text) is not None


def _fits(asked: str, text: str) -> bool:
    """Whether the reply has what the question asks for."""
    if _TIMELY.search(asked):
        return _TIME.search(text) is not None
    if _COUNTING.search(asked):
        return re.search(NUMBER, text, _I) is not None
    return not _NONE.match(text)


def told_beside(clauses: list[Clause], discourse: Discourse) -> tuple[Finding, list[Clause]] | None:
    """A question of yes or no with what the reply says beside yes and no."""
    asked = None if discourse.settled else closed_question(discourse.asked)
    told = [each for each in clauses if not SHORT_REPLY.match(bare(each.text))]
    used = elliptic(told, discourse) if asked is not None and told else []
    if asked is None or _GOES_ON.match(asked) or not used or any(discourse.is_claimed(each.span) for each in used):
        return None
    reply = _reply_of(used, discourse)
    if len(content_terms(reply) - content_terms(asked)) < _TELLING and not _takes_one(asked, reply):
        return None
    return told_with(used, asked, discourse, closed=True)


def _takes_one(asked: str, reply: str) -> bool:
    """Whether the reply begins with one of several things that the question offers."""
    taken = _WHICH_ONE.sub("", reply, count=1).casefold()
    return sum(re.match(rf"{re.escape(each)}(?!\w)", taken) is not None for each in offered_in(asked)) == 1


def offered_in(asked: str) -> list[str]:
    """The things between which a question leaves the choice, in small letters."""
    parts = _OFFERED.split(asked) if OFFERS.search(asked) else []
    return [named for each in parts if (named := each.strip(" ?？").casefold())]


OFFERS = re.compile(r"\w, ?\w[^,]*(?:, ?|,? or )\w|\w,? or \w|还是|、", _I)
"""Several things between which a question leaves the choice."""
_OFFERED = re.compile(r"^[^:：?]{1,30}[:：] ?|,? or |, ?|[，、]|还是", _I)
_GOES_ON = re.compile(r"(?:is there )?(?:anything|something|what) else\b|还有(?:别的|其他|其它|什么)", re.IGNORECASE)
"""A question that asks for the next matter; what answers it is of any matter."""
_TELLING = 2
"""Words of its own with which a reply says more than yes or no."""


def answer_finding(
    content: str,
    used: tuple[Clause, ...],
    discourse: Discourse,
    *,
    attribute: str | None,
    value: str | None,
    kind: str,
    importance: int = 7,
) -> Finding:
    """A finding that rests on the clauses of an answer."""
    return Finding(
        content=content,
        kind=kind,
        importance=importance,
        lang=language_of(content.replace(discourse.label, "")),
        spans=(Span(used[0].span.start, used[-1].span.end),),
        attribute=attribute,
        value=value,
        key=keys_of(content, (discourse.label, discourse.person.name)),
    )
