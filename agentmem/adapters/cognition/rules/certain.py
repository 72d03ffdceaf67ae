"""What a clause puts an end to for certain: what is called off or done no more, what belonged to somebody who has died or
to a job that was lost, and one of a kind in whose place it names another.

Certain means that the clause says so of the owner of the statement, and that no other statement may be meant.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Sequence
from dataclasses import dataclass

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.matters import AHEAD, QUOTES, Matter, Talk, in_common, topic_of, values_in
from agentmem.adapters.cognition.rules.model import Act, Clause, Finding, Span, Who
from agentmem.bounded_cache import bounded_cache
from agentmem.language.cues import topics_of
from agentmem.language.gists import Gist
from agentmem.language.tokens import terms
from agentmem.language.typed_values import CLOCK, DAY

_I = re.IGNORECASE


@dataclass(frozen=True, slots=True)
class HeldStatement:
    """A statement as it is looked at: what was found, its bare words as they were said, and their gist."""

    finding: Finding
    bare: str
    gist: Gist

    @property
    def words(self) -> frozenset[str]:
        """All that it names, values too."""
        return self.gist.words | self.gist.said


_UNSURE = re.compile(
    r"\b(?:if|unless|suppose|whether|maybe|might|perhaps|could|would|wish|almost|nearly)\b|如果|要是|万一|可能|也许|说不定|大概|差点"
    r"|\b(?:today|tonight|tomorrow|this (?:time|week|weekend|morning|afternoon|evening)|for now)\b|今[天晚早]|明[天晚早]|这[次回顿周]|先不|暂时",
    _I,
)
"""What is only supposed, or only so this once."""
_NOT_YET: tuple[Act, ...] = (Act.QUESTION, Act.REPORTED, Act.CONDITIONAL, Act.UNCERTAIN)


def ends_for_certain(
    clause: Clause, gist: Gist, held: HeldStatement, every: Sequence[HeldStatement], beside: str = ""
) -> bool:
    """Whether the clause, of this gist, ends the statement, one of `every` that holds; `beside`: it with the clauses right
    beside it."""
    if clause.act in _NOT_YET or _UNSURE.search(clause.text) or not _of_one(clause, held):
        return False
    return (
        _is_dead(clause.text, held)
        or (held.finding.attribute == "employer" and _JOB_LOST.search(clause.text) is not None)
        or (held.finding.attribute in ("employer", "occupation") and _RETIRED.search(clause.text) is not None)
        or (held.finding.attribute == "occupation" and _takes_up_another(clause.text, beside))
        or _works_elsewhere(clause.text, held)
        or _called_off(gist, held, every)
        or _ceased(clause.text, gist, held, every)
        or _another_of_its_kind(clause.text, gist, held, every)
    )


_KIN = re.compile(
    rf"\b(?P<en>{en.HOUSEHOLD})s?\b|(?:^|\b(?:my|our|their|his|her) )(?P<of>{en.COLLEAGUES})s?\b|(?P<zh>{zh.HOUSEHOLD})|(?:^|我们?的?)(?P<mine>{zh.COLLEAGUES})",
    _I,
)
_FIRST_NAME = re.compile(r"(?-i:[A-Z])[\w'-]+|[\u4e00-\u9fff]{2}")
_NAMES_NOBODY = re.compile(r"(?:I|We|My|Our|You|It|The|That|This|There|No|Not)\b|[我们你您它这那不没]", _I)
_PRONOUN = re.compile(r"(?:he|she|they|his|her|their)\b|[他她]", _I)


_DONE_TO_ME = re.compile(r"\b(?:taken|took|taking|weaned|put) (?:me|us) off\b|[给让叫]我们?(?:[都把])?(?:停|戒|退)", _I)
"""What somebody has stopped for the speaker, whoever that is."""


def _of_one(clause: Clause, held: HeldStatement) -> bool:
    """Whether both may speak of one and the same: of the same relative, of one who is named, or of nobody but the
    speaker."""
    if clause.subject.who is Who.THIRD and _PRONOUN.match(clause.subject.words.strip()):
        return False
    if _DONE_TO_ME.search(clause.text) is not None:
        return _kin_in(held.bare) <= _kin_in(clause.text)
    named = _FIRST_NAME.match(clause.text) if _NAMES_NOBODY.match(clause.text) is None else None
    if named is not None and named.group().casefold() in held.bare.casefold():
        return True
    said, known = _kin_in(clause.text), _kin_in(held.bare)
    return bool(said & known) or not (said or known or clause.subject.who is Who.THIRD)


@bounded_cache(8_192, longest=400)  # every clause is compared with all that was stated before it
def _kin_in(text: str) -> frozenset[str]:
    words = (word for found in _KIN.finditer(text) for word in found.groups() if word)
    return frozenset(word.casefold() for word in words)


_DIED = re.compile(
    r"^(?:(?:my|our|the|poor|dear|old|little) )*(?P<en>[\w' -]{2,30}?)(?: has| have|'s)?(?: just| sadly| recently| finally| suddenly)* (?:died|passed away|(?:been|was) put (?:down|to sleep))\b"
    r"|^(?:我们?家?的?)?(?P<zh>[^,，的]{1,8}?)(?:上个?[周月]|去年|今年|昨天|前天|前几天|最近|刚刚?|已经|突然|也|周[一二三四五六日]|\d{1,2}[月日号])*(?:去世|过世|离世|病逝|死|安乐死)了?",
    _I,
)


def _is_dead(text: str, held: HeldStatement) -> bool:
    """Whether somebody has died of whom the statement tells, a relative, a pet, or one who bears a name."""
    found = _DIED.match(text)
    if found is None:
        return False
    who = (found["en"] or found["zh"]).strip()
    if who.isascii():
        somebody = who[0].isupper() or _KIN.search(who) is not None
        return somebody and re.search(rf"\b{re.escape(who)}\b", held.bare, _I) is not None
    return who in held.bare


_JOB_LOST = re.compile(
    r"^i(?:'ve| have)?(?: just| recently| finally)* (?:(?:lost|quit|left|gave up) (?:my|the) job|resigned)\b"
    r"|^i(?:'ve been| have been| was| got)(?: just| recently)* (?:laid off|fired|sacked|made redundant|let go)\b"
    r"|^我?(?:现在|已经|刚刚?|上个?[周月]|去年|今年|前天|昨天|最近|终于|也)*(?:辞职|离职|失业|被裁员?|被辞退|被开除|[把辞][^,，]{0,4}工作辞?)了",
    _I,
)
_LEFT_WORK = re.compile(r"\b(?:quit|left|gave up|resigned)\b|辞职|离职|辞了", _I)
_RETIRED = re.compile(
    r"^i(?:'ve| have)?(?: just| recently| finally)* (?:(?!will\b|want\b|would\b|might\b|hope\b|plan\b)[^,]{2,40} and )?(?:have )?retired(?=$|,| (?:in|on|at|last|this|early|now|since|yesterday|today|a|two|three|from)\b)|^i'?m (?:now |already |finally )*retired\b(?!-)"
    r"|^我?(?:现在|已经|刚刚?|上个?[周月]|去年|今年|前天|昨天|最近|终于|也|[一二三四五六七八九十\d]+月份?)*退休(?:了|$)",
    _I,
)
_TAKES_UP = re.compile(
    r"\b(?:opened|started|set up|founded|launched|bought) (?:an?|my own|our own) (?:[\w'-]+ ){0,4}?[a-z]|开了?一?[家间个]|创业|自己当老板|转行|改行",
    _I,
)


def _takes_up_another(text: str, beside: str) -> bool:
    """Whether somebody leaves his work for something else that he takes up: to leave a firm ends no profession."""
    return _JOB_LOST.search(text) is not None and bool(_LEFT_WORK.search(text) and _TAKES_UP.search(beside))


_AT_WORK = re.compile(r" (?:at|for|with|in) |在.{1,16}(?:做|当|任|上班|工作)")


def _works_elsewhere(text: str, held: HeldStatement) -> bool:
    """Whether somebody has another job than the one of which the statement says where it is."""
    if held.finding.attribute not in ("employer", "occupation") or not has_new_job(text):
        return False
    return held.finding.attribute == "employer" or _AT_WORK.search(held.bare) is not None


_OCCASION = terms(
    "appointment booking plan meeting visit reservation order trip event session date lesson class 预约 约 约好 会议 计划 预订 订单 安排 事 事情"
)
"""Kinds of things that are called off: the statement may tell of one without its kind."""


_APPOINTED = terms("appointment 预约 约好")


def _called_off(gist: Gist, held: HeldStatement, every: Sequence[HeldStatement]) -> bool:
    """Whether all that is said to be over stands in the statement, and some of it in no other; or it is called by its
    kind alone, and the statement tells of the only one."""
    appointed = [each for each in every if each.finding.kind == "appointment"]
    for over in gist.over:
        if over <= _APPOINTED and appointed == [held]:
            return True
        named = over - frozenset(_OCCASION) or over
        if named <= held.words and any(
            all(word not in other.words for other in every if other is not held) for word in named
        ):
            return True
    return False


_CEASES = re.compile(
    r"(?<!差)不(?!错|止|仅|但|过|同|多|少|久|得不|好意思)[^,，]{0,5}了$|\bno longer\b|\bany ?(?:more|longer)\b", _I
)


def is_ceasing(text: str) -> bool:
    """Whether something is done no more."""
    return _CEASES.search(text) is not None


def _ceased(text: str, gist: Gist, held: HeldStatement, every: Sequence[HeldStatement]) -> bool:
    """Whether something is done no more that this statement alone has a word of."""
    if not is_ceasing(text):
        return False
    shared = {word for word in gist.words & held.gist.words if len(word) > 1}
    return any(all(word not in other.gist.words for other in every if other is not held) for word in shared)


_FIRM = "|".join(word for word in zh.FIRM_END.split("|") if len(word) > 1)
_OF_A_KIND = re.compile(
    rf"(?P<zh>[\u4e00-\u9fff]{{2,6}}?)(?P<head>{_FIRM})|\b(?P<en>(?:[A-Z][\w'-]*\s){{1,3}})(?P<noun>[A-Z][a-z]{{2,}})\b"
)
_BEFORE_NAME = re.compile("^.*[在去到从换成为是找了的给把用]")


def _another_of_its_kind(text: str, gist: Gist, held: HeldStatement, every: Sequence[HeldStatement]) -> bool:
    """Whether something is changed to another bank, school or the like than the one the statement alone names."""
    if not gist.moves:
        return False
    new, old = _named_kinds(text), _named_kinds(held.bare)
    kinds = {kind for kind in new.keys() & old.keys() if new[kind] != old[kind]}
    return bool(kinds) and all(kinds.isdisjoint(_named_kinds(other.bare)) for other in every if other is not held)


def _named_kinds(text: str) -> dict[str, str]:
    """The names in a text by the noun that closes them: 招商 by 银行, Oakwood by school."""
    found: dict[str, str] = {}
    for match in _OF_A_KIND.finditer(text):
        kind = (match["head"] or match["noun"]).casefold()
        found[kind] = (_BEFORE_NAME.sub("", match["zh"]) if match["zh"] else match["en"]).strip().casefold()
    return found


def without_what_ended(matter: Matter, said: str, talk: Talk) -> str | None:
    """The statement without what was said to be over; None where nothing would be left that says anything."""
    ways = (_without_place_of_work, _without_part, _without_joined)
    return next((rest for way in ways if (rest := way(matter, said, talk)) is not None), None)


def _without_part(matter: Matter, said: str, talk: Talk) -> str | None:
    """The statement without the one of its parts that shares words with what was said; None where it has but one, where
    several do, where the part carries the subject of the others, and where it quotes: what is left of a reply is no reply."""
    content = matter.finding.content
    parts = [*_PART.finditer(content)]
    topic = topic_of(said, talk, ())
    shared = [place for place, part in enumerate(parts) if in_common(topic, topic_of(part.group(), talk, ()))]
    if len(shared) != 1 or shared == [0] or len(parts) == 1 or QUOTES.search(content):
        return None
    return f"{content[: parts[shared[0] - 1].end()]}{content[parts[shared[0]].end() :]}"


_JOINT = re.compile(
    r",? (?:and|as well as|plus|along with) (?:also )?|(?P<with> with )|[、,，]?(?:和|以及|还有|并且|而且)|、", _I
)
_ITEM = re.compile(
    r"\b(?:an?|their|the|his|her|one|two|three|four|five|six|\d+)\s(?!.*\b(?:an?|their|the|his|her|one|two|three|four|five|six|\d+)\s)|[一二两三四五六七八九十\d][个只条台辆顶张把套间座匹头棵支件本](?!.*[一二两三四五六七八九十\d][个只条台辆顶张把套间座匹头棵支件本])",
    _I,
)


def names_only_a_part(matter: Matter, said: str, talk: Talk) -> bool:
    """Whether the statement tells of several things that are joined, and what was said is of some of them."""
    named, pieces = _joined(matter, said, talk)
    return bool(named) and len(named) < len(pieces)


def _without_joined(matter: Matter, said: str, talk: Talk) -> str | None:
    """The statement without the one thing of two that what was said names; None where it cannot be left out."""
    content, (named, pieces) = matter.finding.content, _joined(matter, said, talk)
    if len(pieces) != 2 or len(named) != 1:
        return None
    left, right = pieces
    if named == [right]:
        times = [each for each in values_in(content[right.start :], matter, talk) if each.kind in (DAY, CLOCK)]
        alone = right.end == len(content) and not times
        return content[: left.end] if alone else None
    first, other = _ITEM.search(content[left.start : left.end]), _ITEM.match(content[right.start :])
    return None if first is None or other is None else content[: left.start + first.start()] + content[right.start :]


def _joined(matter: Matter, said: str, talk: Talk) -> tuple[list[Span], list[Span]]:
    """Where the things that the statement joins stand, first those that what was said names; what is only with something
    goes with it."""
    content = matter.finding.content
    joints = [] if QUOTES.search(content) else [*_JOINT.finditer(content)]
    starts, ends = [0, *(each.end() for each in joints)], [*(each.start() for each in joints), len(content)]
    pieces = [Span(*each) for each in zip(starts, ends, strict=True)]
    topic = topic_of(said, talk, ())
    told = [
        each for each in pieces if topic_of(words := content[each.start : each.end], talk, ()) or _ITEM.search(words)
    ]
    named = [each for each in told if in_common(topic, topic_of(content[each.start : each.end], talk, ()))]
    named = named or [
        each for each in told if not topics_of(said).isdisjoint(topics_of(content[each.start : each.end]))
    ]
    beside = [each.end() for each in joints if each["with"]]
    if beside and named and (named[0].start < beside[0] or matter.finding.kind in AHEAD):
        return told, told
    return named, told


def _without_place_of_work(matter: Matter, said: str, talk: Talk) -> str | None:
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
