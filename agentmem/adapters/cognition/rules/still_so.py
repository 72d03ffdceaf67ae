"""What the agent asks whether it is still so, and is told that it is not: `Still Fridays?` and `No, Mondays now`.

The question names the matter, which the reply leaves out. It is the one statement that shares most of what the question
names; where two share as much, nothing ends.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterator, Sequence

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.changes import HEARD, Change
from agentmem.adapters.cognition.rules.matters import (
    Matter,
    Talk,
    in_common,
    own_words,
    question_of,
    recurs,
    reworded_by,
    said_bare,
    topic_of,
    values_in,
)
from agentmem.adapters.cognition.rules.model import Act, Clause, Who, has_han, plain
from agentmem.adapters.cognition.rules.paraphrase import confirms, rejects
from agentmem.adapters.cognition.rules.questions import asks_several, question_in
from agentmem.adapters.cognition.rules.told_answers import offered_in
from agentmem.language.gists import gist_of
from agentmem.language.polarity import denies
from agentmem.language.synonyms import kin_in
from agentmem.language.tokens import terms
from agentmem.language.typed_values import TypedValue, typed_values

_I = re.IGNORECASE
DONE = re.compile(
    r"\b(?:updated?|changed?|moved?|raised|lowered|upped|bumped|slid|slipped|switched|swapped|removed?|released|cancell?ed|adjusted|corrected|amended|replaced|retired|dropped|deleted|closed|instead|from now on|as of|going forward)\b|改|换|更新|更正|取消|调整|删|去掉|撤|停|注销|恢复|转[到为成]|[升降涨减挪搬]",
    _I,
)
"""What somebody says who has put a change into effect, or asks for it."""
_STILL = re.compile(
    r"\b(?:still|same|as (?:before|usual|ever|planned|agreed)|unchanged|(?:stay|stick|keep)(?:s|ing)?)\b|还是|还(?=[在要用吃喝住做是去走按跟开打])|不变|[没不]改|照旧|照样|一样|仍",
    _I,
)
"""How one asks whether all is as it was."""
_CHANGES = re.compile(
    r"[换改变](?:一下|掉|个)?[^,，]{0,4}[吗么]$|要不要[换改]|有(?:没有)?(?:变|改|变化|变动|调整)[^,，]{0,2}[吗么]?$|\b(?:chang(?:e|es|ed|ing)|different)\b",
    _I,
)
"""How one asks whether something is to be another."""
_NOT_SO = re.compile(
    r"^\W*(?:(?:oh|well|ah|er|um|actually|sorry|哦|噢|啊|嗯|哎|呃)[,，. ]+)*(?:(?:not|never) (?:any ?more|now|since|exactly)\b|(?:it(?:'s| has)? )?(?:has |have )?changed\b(?=\W*$)|(?:不了|不是了|变了|改了|换了|[没不](?:在|用|吃|喝|住|做|去)?了))",
    _I,
)
"""How one says that it is not, besides no."""
_MEANS_IT = re.compile(
    r"^\W*(?:(?:i|we)(?:'ve| have)? |已经|早就|都|刚)*(?:[a-z]+ (?:it|that|them|this)\b|[^\s,，]{1,5}了)",
    _I,
)
"""A clause that leaves to the question what it speaks of: `deferred it`, 退了."""
_ASKS_FOR = (
    re.compile(
        r"什么时候|几点|哪[天周]|几号|日期|时间|\b(?:when|what time|which day|what day|dates?|days?|times?)\b", _I
    ),
    re.compile(r"地址|哪里|哪儿|位置|\b(?:where|address|location)\b", _I),
    re.compile(r"几个人|几位|多少人|人数|\bhow many (?:people|of you|guests)|head ?count\b", _I),
    re.compile(r"多少钱|预算|价格?|费用|\b(?:budget|price|how much|cost)\b", _I),
)
"""What questions ask for, in one wording and another."""
_AND_ASKS = re.compile(r"\band (?:is|are|was|do|does|did|has|have|can|will|shall)\b", _I)
"""A question beside another, so that nobody knows to which the reply is."""
_FOR_GOOD = re.compile(r"\bfrom now on|going forward|in future|from then on|permanently\b|以后|往后|今后|从[今现]", _I)
_PUT_OFF = re.compile(r"\b(?:deferred|postponed|pulled out|called off|changed|swapped)\b|延期|推迟|退", _I)


def no_longer_so(turn: str, clauses: Sequence[Clause], talk: Talk) -> Iterator[tuple[Clause, Matter]]:
    """The statement about which the agent asked right before and that the turn says is over, with the clause that says
    so."""
    asked = question_in(talk.asked)
    first = next((each for each in clauses if each.act in (Act.ASSERT, Act.IDLE, Act.REQUEST)), None)
    if not asked or first is None or asks_several(talk.asked) or _AND_ASKS.search(asked) or HEARD.search(first.text):
        return
    matter = _asked_about(asked, talk)
    if matter is not None and _is_over(asked, plain(turn).strip(), first, matter, talk):
        yield first, matter
    elif _FOR_GOOD.search(turn) and asks_when(asked):
        yield from ((first, each) for each in _at_another_time(turn, talk))


def rechosen(clause: Clause, talk: Talk) -> Change | None:
    """Another of the things between which a question once left the choice, where the clause asks for it and for nothing
    else."""
    if clause.act not in (Act.ASSERT, Act.REQUEST) or HEARD.search(clause.text) or denies(clause.text):
        return None
    for matter in talk.current:
        start, end = own_words(matter)
        chosen, options = matter.finding.content[start:end].casefold(), offered_in(question_of(matter))
        taken = _taken(clause.text, [each for each in options if each not in chosen], talk)
        if taken is not None and matter.turn < talk.turn and talk.names:
            content = f"{talk.names[0]}选{taken}" if has_han(taken) else f"{talk.names[0]} chooses {taken}"
            finding = reworded_by(matter, content, clause.span, talk)
            return None if finding is None else Change(finding, whole=True)
    return None


def _taken(text: str, options: Sequence[str], talk: Talk) -> str | None:
    """Which of these a text asks for that names nothing else."""
    if _ASKS_THING.search(text) is None:
        return None
    named = [each for each in options if re.search(_WORD.format(re.escape(each)), text, _I)]
    alone = len(named) == 1 and topic_of(text, talk, ()) <= topic_of(named[0], talk, ()) | _ASKING
    return named[0] if alone else None


_WORD = r"(?<![A-Za-z]){}(?![A-Za-z])"
_ASKS_THING = re.compile(
    r"\b(?:please|from now on|instead|rather|make (?:it|that)|go (?:for|with)|switch|change)\b|[换改要选用]|吧$|以后",
    _I,
)
_ASKING = terms("please instead from now on switch change rather 换成 改成 要 选 用 以后")


def asks_when(asked: str) -> bool:
    """Whether a question asks for a time."""
    return _ASKS_FOR[0].search(asked) is not None


def _at_another_time(turn: str, talk: Talk) -> list[Matter]:
    """The one appointment that comes again and again on other days than the turn names for good."""
    days = gist_of(turn, talk.names).weekdays
    pool = [each for each in talk.current if each.turn < talk.turn - 1 and each.finding.kind == "appointment"]
    pool = [
        each for each in pool if recurs(each.finding.content) and gist_of(each.finding.content, talk.names).weekdays
    ]
    others = [each for each in pool if days and days.isdisjoint(gist_of(each.finding.content, talk.names).weekdays)]
    return others if len(pool) == 1 else []


def _asked_about(asked: str, talk: Talk) -> Matter | None:
    """The one statement that shares most values, and then most words, with the question."""
    values = typed_values(asked, talk.at)
    topic = topic_of(asked, talk, values)
    kin = kin_in(asked)
    pool = [each for each in talk.current if each.turn < talk.turn - 1 and kin_in(said_bare(each, talk)) == kin]
    scored = [(_shared(asked, matter, topic, values, talk), matter) for matter in pool]
    best = max((score for score, _ in scored), default=0)
    meant = [matter for score, matter in scored if score == best]
    return meant[0] if best and len(meant) == 1 else None


def _shared(asked: str, matter: Matter, topic: frozenset[str], values: Sequence[TypedValue], talk: Talk) -> int:
    content, asks = matter.finding.content, question_of(matter)
    alike = sum(pattern.search(asked) is not None and pattern.search(asks) is not None for pattern in _ASKS_FOR)
    held = {(each.kind, each.value) for each in values_in(content, matter, talk)}
    same = sum((each.kind, each.value) in held for each in values)
    return 2 * same + alike + in_common(topic, topic_of(content, talk, ()))


def _is_over(asked: str, turn: str, first: Clause, matter: Matter, talk: Talk) -> bool:
    """Whether the turn, which begins with the clause `first`, says that what was asked about is not so any more."""
    no = rejects(turn) or _NOT_SO.match(turn) is not None
    if _CHANGES.search(asked):
        return not no and (confirms(turn) or DONE.search(first.text) is not None)
    if _STILL.search(asked):
        return no or (not confirms(turn) and _gives_another(first, matter, talk))
    return _PUT_OFF.search(first.text) is not None and _MEANS_IT.match(first.text) is not None


def _gives_another(first: Clause, matter: Matter, talk: Talk) -> bool:
    """Whether the clause, which speaks of nothing else, gives another value of the type of the statement's own."""
    if first.subject.who in (Who.FIRST, Who.OWN, Who.THIRD):
        return False
    start, end = own_words(matter)
    old = values_in(matter.finding.content[start:end], matter, talk)
    new = typed_values(first.text, talk.at)
    return any(one.excludes(other) for one in old for other in new)
