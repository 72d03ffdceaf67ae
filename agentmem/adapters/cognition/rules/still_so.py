"""What the agent asks whether it is still so, and is told that it is not: `Still Fridays?` and `No, Mondays now`.

The question names the matter, which the reply leaves out. It is the one statement that shares most of what the question
names; where two share as much, nothing ends.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterator, Sequence

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.changes import HEARD
from agentmem.adapters.cognition.rules.ending_words import CEASES, DONE
from agentmem.adapters.cognition.rules.matters import Matter, Talk, in_common, own_words, topic_of, values_in
from agentmem.adapters.cognition.rules.model import Act, Clause, plain
from agentmem.adapters.cognition.rules.paraphrase import confirms, rejects
from agentmem.adapters.cognition.rules.questions import asks_several, question_in
from agentmem.language.gists import gist_of
from agentmem.language.typed_values import TypedValue, typed_values

_I = re.IGNORECASE
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
    r"^\W*(?:(?:oh|well|ah|er|um|actually|sorry|哦|噢|啊|嗯|哎|呃)[,，. ]+)*(?:(?:not|never) (?:any ?more|now|since|exactly)\b|(?:it(?:'s| has)? )?(?:has |have )?changed\b|(?:不了|不是了|变了|改了|换了|[没不](?:在|用|吃|喝|住|做|去)?了))",
    _I,
)
"""How one says that it is not, besides no."""
_MEANS_IT = re.compile(
    r"^\W*(?:(?:i|we)(?:'ve| have)? |已经|早就|都|刚)*(?:[a-z]+ (?:it|that|them|this)\b|[a-z]+(?: out| off| up| down)?\W*$|[^\s,，]{1,5}了)",
    _I,
)
"""A clause that leaves to the question what it speaks of: `deferred it`, 退了."""
_AND_ASKS = re.compile(r"\band (?:is|are|was|do|does|did|has|have|can|will|shall)\b", _I)
"""A question beside another, so that nobody knows to which the reply is."""
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


def _asked_about(asked: str, talk: Talk) -> Matter | None:
    """The one statement that shares most values, and then most words, with the question."""
    values = typed_values(asked, talk.at)
    topic = topic_of(asked, talk, values)
    scored = [(_shared(matter, topic, values, talk), matter) for matter in talk.current if matter.turn < talk.turn - 1]
    best = max((score for score, _ in scored), default=0)
    meant = [matter for score, matter in scored if score == best]
    return meant[0] if best and len(meant) == 1 else None


def _shared(matter: Matter, topic: frozenset[str], values: Sequence[TypedValue], talk: Talk) -> int:
    content = matter.finding.content
    held = {(each.kind, each.value) for each in values_in(content, matter, talk)}
    same = sum((each.kind, each.value) in held for each in values)
    return 2 * same + in_common(topic, topic_of(content, talk, ()))


def _is_over(asked: str, turn: str, first: Clause, matter: Matter, talk: Talk) -> bool:
    """Whether the turn, which begins with the clause `first`, says that what was asked about is not so any more."""
    no = rejects(turn) or _NOT_SO.match(turn) is not None
    if _CHANGES.search(asked):
        return not no and (confirms(turn) or DONE.search(first.text) is not None)
    if _STILL.search(asked):
        return no or (not confirms(turn) and _gives_another(first, matter, talk))
    ends = CEASES.search(first.text) is not None or _PUT_OFF.search(first.text) is not None
    return ends and _MEANS_IT.match(first.text) is not None and not gist_of(asked, talk.names).over


def _gives_another(first: Clause, matter: Matter, talk: Talk) -> bool:
    """Whether the clause gives another value of the type of the statement's own."""
    start, end = own_words(matter)
    old = values_in(matter.finding.content[start:end], matter, talk)
    new = typed_values(first.text, talk.at)
    return any(one.excludes(other) for one in old for other in new)
