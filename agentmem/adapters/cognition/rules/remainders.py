"""What stays of a statement of which a part is over: of several things said in one breath those that were not meant, and
of what somebody is, at a place where he is no more, what he is.
"""

# ruff: noqa: E501 - patterns read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.matters import QUOTES, Matter, Talk, in_common, topic_of

_I = re.IGNORECASE


def without_part(matter: Matter, said: str, talk: Talk) -> str | None:
    """The statement without the one of its parts that shares words with what was said; None where it has but one, where
    several do, where the part carries the subject of the others, and where it quotes: what is left of a reply is no reply."""
    content = matter.finding.content
    parts = [*_PART.finditer(content)]
    topic = topic_of(said, talk, ())
    shared = [place for place, part in enumerate(parts) if in_common(topic, topic_of(part.group(), talk, ()))]
    if len(shared) != 1 or shared == [0] or len(parts) == 1 or QUOTES.search(content):
        return None
    return f"{content[: parts[shared[0] - 1].end()]}{content[parts[shared[0]].end() :]}"


def without_place_of_work(matter: Matter, said: str, talk: Talk) -> str | None:
    """What somebody is, without where, where what was said is of that place or of another job; None where the statement
    does not say that."""
    found = matter.finding
    value = found.value if found.attribute == "occupation" else None
    if not value or value not in found.content:
        return None
    head, _, tail = found.content.partition(value)
    named = in_common(topic_of(said, talk, ()), topic_of(tail, talk, ())) > 0 or has_new_job(said)
    return f"{head}{value}" if named and _WHERE.match(tail) else None


_NEW_JOB = re.compile(
    r"^i(?:'ve| have)?(?: just| recently| now)* (?:got|have|found|started|landed|changed|switched) (?:(?:an? |my )?(?:new|different) job|jobs)(?: now)?$|^(?:an? |my )?new job(?: now)?$"
    r"|^我?(?:已经|刚刚?|最近|上个?[周月]|今年|也)*(?:换了(?:新|份|个|家)*(?:工作|公司|单位)|换(?:工作|公司|单位)了|跳槽了)$",
    _I,
)


def has_new_job(said: str) -> bool:
    """Whether somebody says that he has another job."""
    return _NEW_JOB.search(said.strip()) is not None


_WHERE = re.compile(r" (?:at|for|with|in) (?:(?:an?|the|my|our) )?[\w&'. -]{1,40}$")
_PART = re.compile(r"[^,，;；\s][^,，;；]*")
