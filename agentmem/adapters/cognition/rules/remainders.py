"""What stays of a statement of which a part is over: of several things said in one breath those that were not meant, and
of what somebody is, at a place where he is no more, what he is.
"""

# ruff: noqa: E501 - patterns read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.matters import Matter, Talk, in_common, is_reply, own_words, topic_of

_I = re.IGNORECASE


def without_part(matter: Matter, said: str, talk: Talk) -> str | None:
    """The statement without the one of its parts that shares words with what was said; None where it has but one, where
    several do, and where the part carries the subject of the others."""
    content, (start, end) = matter.finding.content, own_words(matter)
    parts = [*_PART.finditer(content, start, end)]
    topic = topic_of(said, talk, ())
    shared = [place for place, part in enumerate(parts) if in_common(topic, topic_of(part.group(), talk, ()))]
    if len(shared) != 1 or len(parts) == 1 or (shared == [0] and not is_reply(matter)):
        return None
    part = parts[shared[0]]
    if shared == [0]:
        return f"{content[:start]}{content[parts[1].start() :]}"
    return f"{content[: parts[shared[0] - 1].end()]}{content[part.end() :]}"


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
    r"^(?:(?:i|we)(?:'ve| have)?(?: just| recently| now)* (?:got|have|found|started|start|landed|changed|switched) )?(?:an? |my )?(?:(?:new|different|another) job|jobs)(?: now)?$"
    r"|^我?(?:已经|刚|刚刚|最近|上个?[周月]|今年|也)*(?:换了?(?:新|份|个|家)*(?:工作|公司|单位)|跳槽)了?$",
    _I,
)


def has_new_job(said: str) -> bool:
    """Whether somebody says that he has another job."""
    return _NEW_JOB.search(said.strip()) is not None


_WHERE = re.compile(r" (?:at|for|with|in) (?:(?:an?|the|my|our) )?[\w&'. -]{1,40}$")
_PART = re.compile(r"[^,，;；\s][^,，;；]*")
