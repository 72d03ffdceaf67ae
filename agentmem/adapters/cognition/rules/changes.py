"""Changes that leave to the talk what they are about: `make it Thursday then`, 改到周五吧, `lamb, not beef`, `back to the old
one`, `scratch that`.

The matter of a change is the one statement of the speaker that has a value of the same type, or the words that are named
as wrong: of several the one that shares a topic word with the change, else the one just said. Where it is not one,
nothing is changed.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.comings_and_goings import tells_how_many_came, tells_of_a_part
from agentmem.adapters.cognition.rules.contrasts import put_in
from agentmem.adapters.cognition.rules.holders import says_of_another
from agentmem.adapters.cognition.rules.matters import (
    HELD_BEFORE,
    JUST_SAID,
    Matter,
    Talk,
    in_common,
    needs_no_name,
    one_of,
    own_words,
    question_of,
    reworded_by,
    said_bare,
    sharing,
    topic_of,
    values_in,
)
from agentmem.adapters.cognition.rules.model import COMMA, Act, Clause, Finding, Subject, Who
from agentmem.adapters.cognition.rules.questions import question_in
from agentmem.language.normal import digits, normalise
from agentmem.language.polarity import denies
from agentmem.language.time import find_times
from agentmem.language.tokens import terms
from agentmem.language.typed_values import CLOCK, DAY, NUMBER, TypedValue, is_one_type, typed_values

_I = re.IGNORECASE


@dataclass(frozen=True, slots=True)
class Change:
    """What the words of a matter become. `whole`: the clause says nothing but the new value, so that only together with
    the older words it can be understood. `answers`: the question of another talk that those words answer; it was not
    asked again, so that only what the clause itself says may take their place."""

    finding: Finding
    whole: bool
    answers: str = ""


_CUE = re.compile(
    r"改(?!天)|换|调[到成整为]|挪|移到|推[迟后]?到|延[到后期]|提前|转[到成]|[升降涨增减加砍压缩扩]至?[到为]|变[成更为]|更正|(?:^|那|要不|[,，])还是|不对|应该是|最后定|恢复|回到|现在是|只剩|不是.{1,12}是|那?就(?=[下这本]?[周星\d])|宽限"
    r"|\b(?:instead|switch\w*|mov(?:e|ed|ing)(?! (?:in|out|on|here|house)\b)|shift\w*|push(?:ed|ing)?|br(?:ing|ought) (?:it |that |the \w+ )?forward|re-?schedul\w+|postpon\w+|delay\w*|put (?:back|off)|swap\w*|chang(?:e|ed|ing)|rais(?:e|ed)|lower(?:ed)?|(?:cut|bump|knock|trim)\w* (?:\w+ ){0,3}(?:down |up )?to|rather|(?:let'?s |better |please |just )*(?:make|call) (?:it|that|this|them)|(?:(?:'s|is|are|was|went|gone|now) (?:up|down)|grown|risen) to|became|back to|now|actually|after all|(?:can|could|shall) (?:we|i) (?:do|say|have|try|come)|in the end|on second thoughts?|turns out|would (?:be|suit|work) better|suits? (?:me |us )?better|works? better|correction|it'?ll be|not .{1,20} but)\b",
    _I,
)
"""What says that a value comes in the place of another."""
_TAKES_PLACE = re.compile(
    r"改(?!天)|换|调[到成整为]|挪|移到|推[迟后]?到|延[到后期]|提前到|[升降涨增减加砍压缩]至?[到为]|变[成更为]"
    r"|\b(?:instead|switch\w*|mov(?:e|ed|ing)(?! (?:in|out|on|here|house)\b)|shift\w*|push(?:ed)?|br(?:ing|ought) (?:it |that |the \w+ )?forward|re-?schedul\w+|postpon\w+|swap\w*|chang(?:e|ed|ing)|(?:make|call) (?:it|that|this|them)|(?:(?:'s|is|are|was|went|gone|now) (?:up|down)|risen|grown|raised|lowered|cut) to)\b",
    _I,
)
"""Of these what needs a matter, whatever else is said."""
_REFUSED = re.compile(
    r"\b(?:sorry|afraid|unfortunately|can't|cannot|can not|fully booked|no (?:slots?|space|room|longer)|not (?:possible|available)|booked (?:up|solid)|unable)\b|抱歉|不好意思|不行|没办法|没法|不能|满了|约满|排满|没有(?:位|名额|货|空)|恐怕",
    _I,
)
_SURE_ACTS = (Act.ASSERT, Act.IDLE, Act.REQUEST, Act.QUESTION, Act.POLITE)
HEARD = re.compile(
    r"\b(?:if|unless|suppose|what if|wonder\w*|whether|maybe|might|perhaps|not sure|kidding|joking)\b|如果|要是|万一|假如|会不会|是不是|可能|说不定|开玩笑",
    _I,
)
_ASKS_INFORMATION = re.compile(
    r"^(?:what|how|when|where|who|why|which|is|are|was|were|did|do|does|has|have)\b|什么|多少|怎么|几点|哪|为什么", _I
)


def is_request(clause: Clause) -> bool:
    """Whether the change only holds when the other side agrees to it."""
    return clause.act in (Act.QUESTION, Act.REQUEST) and _IMPERATIVE.match(clause.text) is None


_IMPERATIVE = re.compile(
    r"(?:please |just |but |so |and |then |let'?s |better )*(?:make|move|push|bring|change|switch|swap|put|call|book|keep|send|use|cancel|replace)\b|(?:那|就|请|麻烦|帮我|给我|把|先|还是)*(?:改|换|挪|调|推|提前|延)(?!.*(?:行不行|可以[吗么]|行[吗么]|能不能|好[吗么不]))",
    _I,
)


def refuses(reply: str) -> bool:
    """Whether the agent's words turn a wish down."""
    return _REFUSED.search(reply) is not None


def changed(clause: Clause, talk: Talk) -> Change | None:
    """What the clause changes; None where it changes nothing, or nobody knows what."""
    asked = _ASKED.search(clause.text)
    if asked is not None:
        clause = replace(clause, text=clause.text[asked.start() :], subject=Subject(Who.NONE))
    if clause.act not in _SURE_ACTS or clause.subject.who is Who.THIRD or HEARD.search(clause.text):
        return None
    if clause.act is Act.QUESTION and _ASKS_INFORMATION.search(clause.text):
        return None
    return _refilled(clause, talk) or _valued(clause, talk) or _returned(clause, talk)


_ASKED = re.compile(
    r"(?<=\bso )(?:please |just |let'?s )?(?:make|call) (?:it|that|them)\b|(?<=所以)(?:改|换|加|减)[成到为]", _I
)
"""How a change is asked for behind its reason, whosever that is: my sister comes too, so make it eight."""


def _valued(clause: Clause, talk: Talk) -> Change | None:
    """A value that comes in the place of one of the same type."""
    text = _changing(clause.text)
    values = typed_values(text, talk.at)
    if not values or tells_of_a_part(text):
        return None
    topic = topic_of(text, talk, values)
    pool: Sequence[Matter] = talk.revaluable
    restates = _CUE.search(text) is None
    if restates:
        pool = [matter for matter in pool if matter.turn < talk.turn]
    pool = [matter for matter in pool if fits(matter, values, talk) and not _is_former(matter, talk)]
    pool = [matter for matter in pool if not says_of_another(clause, text, matter, talk)]
    if _TAKES_PLACE.search(text):
        pool = [matter for matter in pool if not _came_about(matter, talk)]
    if restates:
        pool = [matter for matter in pool if _is_restated(clause, topic, matter, talk)]
    if not topic and all(each.kind == NUMBER and float(each.value) < _OF_MONEY for each in values):
        pool = [matter for matter in pool if matter.turn in range(max(0, talk.turn - JUST_SAID), talk.turn)]
    if not topic and _TAKES_PLACE.search(text) is None and (asked := topic_of(question_in(talk.asked), talk, ())):
        pool = sharing(pool, asked, talk)
    found = _meant(pool, topic, talk)
    if found is None:
        return None
    found = _first_said(found, pool, talk)
    content = _with(found, values, text, talk)
    if content is None or normalise(content) == normalise(found.finding.content):
        return None
    answers = question_of(found) if talk.is_asked_elsewhere(found) else ""
    whole = not answers and in_common(topic, topic_of(found.finding.content, talk, ())) == len(topic)
    finding = reworded_by(found, content, clause.span, talk)
    return None if finding is None else Change(finding, whole and len(clause.text) < 80, answers)


def _with(matter: Matter, values: Sequence[TypedValue], text: str, talk: Talk) -> str | None:
    """The statement with these values of the text in the person's own words."""
    content, (start, end) = matter.finding.content, own_words(matter)
    put = put_in(content[start:end], values, text, talk.at)
    return None if put is None else f"{content[:start]}{put}{content[end:]}"


def _own_values(matter: Matter, talk: Talk) -> Sequence[TypedValue]:
    """The values in the person's own words of a statement."""
    start, end = own_words(matter)
    return typed_values(matter.finding.content[start:end], talk.at)


def _changing(text: str) -> str:
    """The part between commas that says what changes, where the clause first says why."""
    parts = [part for part in re.split(rf"{COMMA}|[，;；]", text) if _TAKES_PLACE.search(part) and _VALUED.search(part)]
    return parts[-1].strip() if parts else text


_VALUED = re.compile(
    r"\d|[周期拜][一二三四五六日天]|[一二两三四五六七八九十百千万半]|day\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|noon)\b",
    _I,
)
_FORMER = re.compile(
    r"多.{0,2}[一二两三四五六七八九十\d]|又|原来|原先|以前|之前是|上次|本来|\b(?:originally|formerly|previously|used to|was|were|had)\b",
    _I,
)


def _came_about(matter: Matter, talk: Talk) -> bool:
    """Whether the statement tells of a day that was over when it was said: nobody puts that off."""
    said_at = matter.at or talk.at
    times = [each for each in find_times(matter.finding.content, said_at) if each.dated and not each.recurring]
    return bool(times) and all(each.ends is not None and each.ends.date() <= said_at.date() for each in times)


def _is_former(matter: Matter, talk: Talk) -> bool:
    """Whether the statement tells of what was before, or came about; that stays what it was."""
    bare = said_bare(matter, talk)
    return _FORMER.search(bare) is not None or tells_how_many_came(bare) or tells_how_many_came(f"we {bare}")


def _first_said(found: Matter, pool: Sequence[Matter], talk: Talk) -> Matter:
    """Of statements that give one value the first: those after it name it as the reason of the change."""

    def days(matter: Matter) -> set[tuple[str, str]]:
        return {(each.kind, each.value) for each in values_in(matter.finding.content, matter, talk) if each.kind == DAY}

    return next((matter for matter in pool if days(matter) & days(found)), found)


_MORE = re.compile(
    r"\b(?:also|another|extra|more|as well|too|other|additional|besides|both|second|same)\b|再|另外?|还要|还有|加(?=[一两二三四五六七八九十\d])|又|也|其他|别的|多(?=[一两二三四五六七八九十\d])|各",
    _I,
)
_HAPPENED = re.compile(
    r"\b(?:was|were|did|had|went|got|came|took|paid|bought|saw|ran|spent|last|ago|yesterday|[a-z]{3,}ed)\b|[过]|昨|前天|上[周个次]|去年",
    _I,
)


def _is_restated(clause: Clause, topic: frozenset[str], matter: Matter, talk: Talk) -> bool:
    """Whether the clause gives the value of what an earlier statement gives one of, though it says of no change: most of
    the words of either are the other's, it adds nothing, and neither tells of what has happened."""
    old = topic_of(matter.finding.content, talk, ())
    shared = in_common(topic, old)
    if _I_ALONE.match(clause.text) and not _shares_owned(topic, matter, talk):
        return False
    if not shared or 2 * shared < min(len(topic), len(old)):
        return False
    both = (clause.text, said_bare(matter, talk))
    return all(_MORE.search(text) is None and _HAPPENED.search(text) is None for text in both)


_I_ALONE = re.compile(r"(?:and |but |so )?i\b|我(?!们)", _I)


def _shares_owned(topic: frozenset[str], matter: Matter, talk: Talk) -> bool:
    """Whether the topic has the thing of the person that the statement begins with, where it does: what one is oneself
    comes in the place of nothing that one's car is."""
    content = matter.finding.content
    owner = next((name for name in talk.names if content.startswith(name)), "")
    owned = _OWNED.match(content[len(owner) :])
    return owned is None or in_common(topic, topic_of(owned[1], talk, ())) > 0


_OWNED = re.compile(r"(?:'s |的)([\w-]+)")


_ROLE = re.compile(
    r"^(?:我们?)?(?P<fond>最(?:喜欢|爱|喜爱|常用)的[^,，是]{1,8}?)(?:现在|目前|已经|改)*(?:是|变?成)了?(?P<f>[^,，]{1,10}?)了?$"
    r"|^(?:now |currently )?(?:my|our)\s(?P<best>favou?rite [a-z][\w' -]{1,30}?)(?:'s| is| has become)(?: now| currently)?\s(?P<b>[^,.;]{1,40}?)(?: now| these days)?$"
    r"|^(?:现在|目前|如今|以后|往后)?(?P<zh>[^,，是叫我你他她它这那]{2,16}?)(?:现在|目前|已经|以后|改)*(?:是|叫|归|为)(?P<v>[^,，的是个很太有在]{2,6}?)了?$"
    r"|^(?:now |currently )?(?:the|our|my)\s(?P<en>[a-z][\w' -]{2,40}?)(?:'s| is| will be)(?: now| currently)?\s(?P<w>(?-i:[A-Z])[\w'-]*\.?(?: (?-i:[A-Z])[\w'-]+)?)(?: now| from now on)?$",
    _I,
)
"""Who or what fills a role or bears a name: 二车间的负责人是小蒋了, our contact is Priya now."""


def _refilled(clause: Clause, talk: Talk) -> Change | None:
    """Another who fills the role, or bears the name, of which an earlier statement says who does."""
    found = _ROLE.match(clause.text)
    if found is None or _MORE.search(clause.text) or denies(clause.text):
        return None
    name, role = _filled(found)
    for matter in reversed(talk.rewordable):
        bare = said_bare(matter, talk)
        said = _ROLE.match(bare) or _ROLE.match(f"my {bare}")
        if said is None or matter.turn >= talk.turn:
            continue
        old, same = _filled(said)
        if role == same and normalise(old) != normalise(name):
            finding = reworded_by(matter, _replaced(matter.finding.content, old, name), clause.span, talk)
            return None if finding is None else Change(finding, whole=True)
    return None


def _filled(found: re.Match) -> tuple[str, str]:
    """What fills a role, and the role."""
    parts = found.groupdict()
    role = next(parts[name] for name in ("fond", "best", "zh", "en") if parts[name])
    return next(parts[name] for name in ("f", "b", "v", "w") if parts[name]), _plain(role)


def _plain(role: str) -> str:
    return normalise(re.sub(r"^(?:现在|目前|如今|我们?的?|自己的?|the |our |my )+", "", role, flags=_I))


def _replaced(content: str, old: str, new: str) -> str:
    """The content with the last `old` in it as `new`."""
    at = content.rfind(old)
    return f"{content[:at]}{new}{content[at + len(old) :]}"


def fits(matter: Matter, values: Sequence[TypedValue], talk: Talk) -> bool:
    """Whether exactly one value of the statement is of the type of a new one, and differs."""
    old = values_in(matter.finding.content, matter, talk)
    kinds = {each.kind for each in values} - {CLOCK} or {CLOCK}
    hits = [each for each in old if any(is_one_type(each.kind, kind) for kind in kinds)]
    if len(hits) > 1:
        hits = [each for each in hits if each.kind in kinds]
    return len(hits) == 1 and any(hits[0].excludes(value) and _as_large(hits[0], value) for value in values)


def _as_large(old: TypedValue, new: TypedValue) -> bool:
    """Whether a number of nothing that is named may be of what the older counts: no code counts bags."""
    if NUMBER not in (old.kind, new.kind):
        return True
    one, other = float(old.value), float(new.value)
    if one.is_integer() and one < _FEW and not other.is_integer():
        return False
    return max(one, other) <= _FARTHEST * max(1.0, min(one, other))


_FARTHEST = 20
_OF_MONEY = 1_000
"""From here on a number with nothing it counts is most likely an amount of money (15k)."""
_FEW = 10
"""So many are counted whole: 6.8 comes in the place of no four people."""


def _meant(pool: Sequence[Matter], topic: frozenset[str], talk: Talk) -> Matter | None:
    """The one of these that a change with these topic words is about."""
    if topic:
        pool = sharing(pool, topic, talk)
        return one_of(pool)
    asked = sharing(pool, topic_of(talk.asked, talk, ()), talk)
    pool = [matter for matter in pool if needs_no_name(matter, talk)] or asked
    if len(pool) > 1:
        latest = max(matter.turn for matter in pool)
        just = [matter for matter in pool if matter.turn == latest and latest > HELD_BEFORE]
        pool = just or asked
    return pool[0] if len(pool) == 1 else None


_RETURN = re.compile(
    r"\b(?:back (?:to|on|with|in)|go(?:ing)? back to|as (?:it was|before|originally|planned)|return to|stick (?:with|to)|keep) (?:the |my |our )?(?:old|original|usual|previous|first|earlier|former|same)?\b|\bthe (?:old|original|usual|previous|first) (?:one|number|address|time|date|place|plan|size|price|order|way|day|slot)\b(?!'s| (?:is|was|has|had|will|isn't|wasn't|got|died|broke|went|never|kept|still|just|ran|fell|gave|stopped))|\bas (?:it was|before|originally planned|planned)\b"
    r"|(?:还是|恢复|回到|改回|换回|用回|搬回|按)(?:到|成|了)?(?:原来|以前|之前|原先|老|旧|第一[次个])|老(?:的|号|地方|时间|地址)|照旧|照原来|维持原",
    _I,
)
_SAYS_OLD = re.compile(
    r"\b(?:old|original|originally|usual|previous|first|earlier|former|same|before|planned|was)\b|[\u4e00-\u9fff]", _I
)
"""What says that it is something earlier: one may keep, or be back in, anything."""
_PART = re.compile(r"(?<!\d)\d{3,}(?!\d)")


def _returned(clause: Clause, talk: Talk) -> Change | None:
    """What held before holds again, and what had come in its place is over."""
    parts = re.split(rf"{COMMA}|[，;；]", clause.text)
    said = next((part for part in parts if _RETURN.search(part) or _BACK_TO.search(part)), None)
    if said is None or denies(said) or _NEXT_TIME.search(said):
        return None
    current = {normalise(matter.finding.content): matter for matter in talk.current}
    gone = (each for each in talk.matters if each.by is not None and normalise(each.by) in current)
    past = {normalise(each.finding.content): each for each in gone}
    over = (matter for content, matter in past.items() if content not in current)
    pool = [matter for matter in over if not talk.is_asked_elsewhere(matter)]
    kin = [matter for matter in pool if matter.finding.kind == current[normalise(matter.by or "")].finding.kind]
    pool = kin or pool
    if _MOVES_HOUSE.search(said):
        pool = [matter for matter in pool if matter.finding.attribute in ("city", "address")]
    if values := [each for each in typed_values(said, talk.at) if each.kind not in (DAY, CLOCK)]:
        pool = [matter for matter in pool if _gave(matter, values, talk)]
    elif _RETURN.search(said) is None:
        return None
    elif part := _PART.search(clause.text):
        pool = [each for each in pool if part.group() in digits(each.finding.value or each.finding.content)]
    elif len(pool) > 1 or _SAYS_OLD.search(said) is None:
        pool = sharing(pool, topic_of(said, talk, ()) - _AGAIN, talk)
    if len(pool) != 1:
        return None
    old = pool[0]
    by = () if old.by is None else (old.by,)
    again = replace(old.finding, spans=(clause.span,), cited=(), replaces=by, dated=True, closes=None)
    return Change(again, whole=True)


_BACK_TO = re.compile(r"[改换调降变]回(?=[^,，来去]{0,2}[\d一二两三四五六七八九十百千万])")


def _gave(matter: Matter, values: Sequence[TypedValue], talk: Talk) -> bool:
    """Whether the statement gave one of these values."""
    old = _own_values(matter, talk)
    return any(is_one_type(each.kind, value.kind) and each.value == value.value for each in old for value in values)


_MOVES_HOUSE = re.compile(r"\bmov(?:e|ed|es|ing)\b|搬", _I)

_NEXT_TIME = re.compile(
    r"下个?[周月次]|之后|平时|其[他它余]|\b(?:next (?:week|month|time)|after that|otherwise|the rest)\b", _I
)
"""After something that was so once, all is as it is."""
_AGAIN = terms("old original usual previous first earlier former same plan planned way 原来 以前 之前 老 旧 恢复 照旧")


_TAKEN_BACK = re.compile(
    r"^\W*(?:(?:no|oh|ok|okay|well|actually|sorry|wait|hmm|right|哦|嗯|那|啊|哎|不好意思|抱歉)[,，. ]+)*(?:(?:scratch|strike|forget|cancel|drop|ignore|undo) (?:that|it)\b|forget (?:i|what i|that i) (?:said|asked|mentioned)|(?:never ?mind|forget about it)(?: that)?\W*$|call it off|i take (?:that|it) back|当我没[说提讲]|就当我?没[说提讲]|先?别记|算了(?:吧|不|[,，]|$)|取消(?:吧|了|掉)|不算数|(?:刚才|刚刚|上面)(?:那[个句]|说的)?(?:不算|作废|取消))",
    _I,
)
_ONLY_MAYBE = re.compile(r"never ?mind|forget about it|算了", _I)


def takes_back(text: str, asked: str) -> bool:
    """Whether the turn takes back what was said in the one before; 算了 after an offer turns down the offer."""
    found = _TAKEN_BACK.match(text)
    if found is None:
        return False
    return _ONLY_MAYBE.search(found.group()) is None or not asked
