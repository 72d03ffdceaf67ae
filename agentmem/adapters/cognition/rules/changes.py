"""Changes that leave to the talk what they are about: `make it Thursday then`, 改到周五吧, `lamb, not beef`, `back to the old
one`, `scratch that`.

The matter of a change is the one statement of the speaker that has a value of the same type, or the words that are named
as wrong: of several the one that shares a topic word with the change, else the one just said. Where it is not one,
nothing is changed.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import Act, Clause, Finding, Who, has_han
from agentmem.language.gists import gist_of
from agentmem.language.normal import digits, normalise
from agentmem.language.time import annotate
from agentmem.language.tokens import terms
from agentmem.language.typed_values import CLOCK, DAY, NUMBER, TypedValue, is_one_type, typed_values, weekday_of

_I = re.IGNORECASE
HELD_BEFORE = -1
"""In `Matter.turn`: it was told before this window."""


@dataclass(frozen=True, slots=True)
class Matter:
    """A statement that a change may be about: the place of its turn in the window, and what has come in its place."""

    finding: Finding
    turn: int
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Talk:
    """What is known where a clause is read: the statements so far, the latest last; the names of their person; the turn's
    time and place; what the agent said right before."""

    matters: Sequence[Matter]
    names: tuple[str, ...]
    at: datetime
    turn: int
    asked: str = ""

    @property
    def current(self) -> list[Matter]:
        """What holds."""
        return [matter for matter in self.matters if matter.by is None]


@dataclass(frozen=True, slots=True)
class Change:
    """What the words of a matter become. `whole`: the clause says nothing but the new value, so that only together with
    the older words it can be understood."""

    finding: Finding
    whole: bool


_CUE = re.compile(
    r"改|换|调[到成整为]|挪|移到|推[迟后]?到|延[到后期]|提前|转[到成]|[升降涨增减加砍压缩扩]至?[到为]|变[成更为]|更正|还是|不对|应该是|最后定|恢复|回到|现在是|只剩|不是.{1,12}是"
    r"|\b(?:instead|switch\w*|mov(?:e|ed|ing)|shift\w*|push(?:ed|ing)?|br(?:ing|ought) (?:it |that |the \w+ )?forward|re-?schedul\w+|postpon\w+|delay\w*|put (?:back|off)|swap\w*|chang(?:e|ed|ing)|rais(?:e|ed)|lower(?:ed)?|(?:cut|bump|knock|trim)\w* (?:\w+ ){0,3}(?:down |up )?to|rather|(?:let'?s |better |please |just )*(?:make|call) (?:it|that|this|them)|(?:up|down|grown|risen) to|became|back to|now|actually|after all|in the end|on second thoughts?|turns out|would (?:be|suit|work) better|suits? (?:me |us )?better|works? better|correction|it'?ll be|not .{1,20} but)\b",
    _I,
)
"""What says that a value comes in the place of another."""
_TAKES_PLACE = re.compile(
    r"改|换|调[到成整为]|挪|移到|推[迟后]?到|延[到后期]|提前到|[升降涨增减砍压缩]至?[到为]|变[成更为]"
    r"|\b(?:instead|switch\w*|mov(?:e|ed|ing)|shift\w*|push(?:ed)?|br(?:ing|ought) (?:it |that |the \w+ )?forward|re-?schedul\w+|postpon\w+|swap\w*|chang(?:e|ed|ing)|(?:make|call) (?:it|that|this|them)|(?:up|down|risen|grown|raised|lowered|cut) to)\b",
    _I,
)
"""Of these what needs a matter, whatever else is said."""
_SMALL = frozenset(
    terms(
        "i we you he she they it its that this those these them us me my our your can could would will shall should may might let lets do does did done is are was were be been am "
        "make call say said so then well ok okay yes no yeah please thanks sorry just only really actually better best good fine great sure rather instead maybe after all now again more less "
        "have has had get got need want like prefer go going come coming put move moved moving push pushed bring brought forward back shift change changed changing switch swap swapped reschedule rescheduled postpone "
        "postponed delay delayed keep set book booked raise raised lower lowered cut up down to for of on at in by from with about around and or but not if as the a an too also end second thought thoughts turn turns out out "
        "work works suit suits one ones time day date thing things everything correction mean meant call off it'll that'll we'll i'll fit squeeze manage possible"
    )
    | set("吧了呢啊呀嘛就再先给把帮请我你您他她它们个的得地到成为在是有和跟与去来说想要能可以行好那这还也都又才更最不没对从往用做点些下上里会该应让按")
    | {"麻烦", "可能", "时间", "那个", "这个", "一下", "还是", "现在", "我们", "你们", "可以", "不行", "行不行", "好了", "改到", "改成", "换成", "推迟", "提前", "算了", "其实", "应该", "原来", "干脆", "不如", "最后", "决定", "需要", "希望", "想要", "调整", "预约", "那就"}
)  # fmt: skip
_REFUSED = re.compile(
    r"\b(?:sorry|afraid|unfortunately|can't|cannot|can not|fully booked|no (?:slots?|space|room|longer)|not (?:possible|available)|booked (?:up|solid)|unable)\b|抱歉|不好意思|不行|没办法|没法|不能|满了|约满|排满|没有(?:位|名额|货|空)|恐怕",
    _I,
)
_SURE_ACTS = (Act.ASSERT, Act.IDLE, Act.REQUEST, Act.QUESTION, Act.POLITE)
_HEARD = re.compile(
    r"\b(?:if|unless|suppose|what if|wonder\w*|whether|maybe|might|perhaps|not sure|kidding|joking)\b|如果|要是|万一|假如|会不会|是不是|可能|说不定|开玩笑",
    _I,
)
_ASKS_INFORMATION = re.compile(
    r"^(?:what|how|when|where|who|why|which|is|are|was|were|did|do|does|has|have)\b|什么|多少|怎么|几点|哪|为什么", _I
)
_NOTE = re.compile(r"\s?\(\d{4}-\d\d(?:-\d\d)?(?:/\d{4}-\d\d(?:-\d\d)?)?\)")
_ISO = re.compile(r"\((\d{4}-\d\d-\d\d)\)")


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
    if clause.act not in _SURE_ACTS or clause.subject.who is Who.THIRD or _HEARD.search(clause.text):
        return None
    if clause.act is Act.QUESTION and _ASKS_INFORMATION.search(clause.text):
        return None
    return _contrasted(clause, talk) or _valued(clause, talk) or _returned(clause, talk)


def _valued(clause: Clause, talk: Talk) -> Change | None:
    """A value that comes in the place of one of the same type."""
    values = typed_values(clause.text, talk.at)
    if not values or (_CUE.search(clause.text) is None and not _names_subject(clause.text, talk, values)):
        return None
    topic = topic_of(clause.text, talk, values)
    found = _meant([m for m in talk.current if _fits(m, values, talk.at)], topic, talk)
    if found is None:
        return None
    content = _put(found.finding.content, values, clause.text, talk.at)
    if content is None or normalise(content) == normalise(found.finding.content):
        return None
    whole = not topic or topic <= topic_of(found.finding.content, talk, ())
    return Change(_anew(found, content, clause), whole and len(clause.text) < 80)


def topic_of(text: str, talk: Talk, values: Sequence[TypedValue]) -> frozenset[str]:
    """What a text names besides values, small words, and words of change."""
    bare = _NOTE.sub("", text)
    for value in reversed(values):
        bare = f"{bare[: value.start]} {bare[value.end :]}"
    return gist_of(bare, talk.names).words - _SMALL


_COPULA = re.compile(r"(?:'s|\b(?:is|are|was|will be)\b)|(?:就是|改为|为|是|在|[:：])", _I)


def _names_subject(text: str, talk: Talk, values: Sequence[TypedValue]) -> bool:
    """Whether the text gives the value of something of his by a name under which an older statement gives one."""
    subject = _subject(text, talk)
    return bool(subject) and any(
        subject == _subject(matter.finding.content, talk) for matter in talk.current if _fits(matter, values, talk.at)
    )


def _subject(text: str, talk: Talk) -> frozenset[str]:
    copula = _COPULA.search(text, 1) if len(text) > 1 else None
    return gist_of(text[: copula.start()], talk.names).words - _SMALL if copula else frozenset()


def _fits(matter: Matter, values: Sequence[TypedValue], at: datetime) -> bool:
    """Whether exactly one value of the statement is of the type of a new one, and differs."""
    old = typed_values(matter.finding.content, at)
    kinds = {each.kind for each in values} - {CLOCK} or {CLOCK}
    hits = [each for each in old if any(is_one_type(each.kind, kind) for kind in kinds)]
    if len(hits) > 1:
        hits = [each for each in hits if each.kind in kinds]
    return len(hits) == 1 and any(hits[0].excludes(value) for value in values)


def _meant(pool: Sequence[Matter], topic: frozenset[str], talk: Talk) -> Matter | None:
    """The one of these that a change with these topic words is about."""
    if topic:
        pool = _sharing(pool, topic, talk)
        return pool[-1] if pool and (len(pool) == 1 or pool[-1].turn != pool[-2].turn) else None
    if len(pool) > 1:
        latest = max(matter.turn for matter in pool)
        just = [matter for matter in pool if matter.turn == latest and latest > HELD_BEFORE]
        pool = just or _sharing(pool, topic_of(talk.asked, talk, ()), talk)
    return pool[0] if len(pool) == 1 else None


def _sharing(pool: Sequence[Matter], topic: frozenset[str], talk: Talk) -> list[Matter]:
    """Those that share most words with the topic; none where none shares any."""
    shared = [len(topic & topic_of(matter.finding.content, talk, ())) for matter in pool]
    most = max(shared, default=0)
    return [matter for matter, count in zip(pool, shared, strict=True) if most and count == most]


def _put(content: str, values: Sequence[TypedValue], text: str, at: datetime) -> str | None:
    """The content with these values of the text in place of its own; None where they do not go in."""
    for value in sorted(values, key=lambda each: each.kind == CLOCK):
        old = typed_values(content, at)
        spoken = text[value.start : value.end].strip()
        places = [each for each in old if each.kind == value.kind] or [
            each for each in old if is_one_type(each.kind, value.kind)
        ]
        if len(places) == 1:
            put = _spoken(value, spoken, content[places[0].start : places[0].end], places[0], at)
            content = f"{content[: places[0].start]}{put}{content[places[0].end :]}"
        elif value.kind == CLOCK and (days := [each for each in old if each.kind == DAY]):
            gap = "" if has_han(spoken) else " at "
            content = f"{content[: days[0].end]}{gap}{spoken}{content[days[0].end :]}"
        elif value.kind == DAY:
            return None
    return content


def _spoken(value: TypedValue, spoken: str, before: str, place: TypedValue, at: datetime) -> str:
    """The new value as it stands in the older sentence: a day with its date, a number with the unit of the older."""
    if value.kind == DAY:
        return _dated(spoken, before, at)
    if value.kind == NUMBER and place.kind != NUMBER:
        unit = _UNIT.search(before)
        return f"{spoken}{unit.group() if unit else ''}"
    return spoken


_UNIT = re.compile(r"(?<![^\d一二两三四五六七八九十百千万亿kK多来几半])[^\d一二两三四五六七八九十百千万亿.,kK多来几半][^\d]*$")


def _dated(spoken: str, before: str, at: datetime) -> str:
    """A bare day of the week lies in the week of the day it takes the place of, where that lies ahead."""
    weekday, old = weekday_of(spoken), _ISO.search(before)
    if weekday is not None and old is not None:
        then = date.fromisoformat(old[1])
        day = then + timedelta(days=weekday - then.weekday())
        if day > at.date():
            return f"{spoken}{'' if has_han(spoken) else ' '}({day.isoformat()})"
    return annotate(spoken, at)


def _anew(matter: Matter, content: str, clause: Clause) -> Finding:
    """The statement in its new words, resting on the clause that changed it."""
    old = matter.finding
    value = _value(old, content)
    return replace(
        old,
        content=content,
        value=value,
        attribute=old.attribute if value else None,
        spans=(clause.span,),
        cited=(),
        replaces=(old.content,),
        dated=matter.turn == HELD_BEFORE,
        closes=None,
    )


def _value(old: Finding, content: str) -> str | None:
    """The value of its slot in the new words: what stands where the old value stood."""
    if old.value is None:
        return None
    plain, was = _NOTE.sub("", content), _NOTE.sub("", old.content)
    at = was.find(_NOTE.sub("", old.value))
    if at < 0:
        return None
    tail = len(was) - at - len(_NOTE.sub("", old.value))
    return plain[at : len(plain) - tail] or None


_TERM_EN = r"(?:(?:the|a|an|my|our|some|any) )?(?P<{name}>[a-z][\w'&-]*(?: [a-z][\w'&-]*){{0,2}}?)"
_X, _Y = _TERM_EN.format(name="x"), _TERM_EN.format(name="y")
_TERM_ZH = r"(?P<{name}>[^\s,，。;；!！?？、的了是不把换改]{{1,10}}?)"
_XZ, _YZ = _TERM_ZH.format(name="x"), _TERM_ZH.format(name="y")
_END = r"(?=\s*(?:[,.;!?-]|$|\b(?:please|then|now|actually|this time|after all|for|in|on|at|and|from)\b))"
_END_ZH = r"(?=(?:吧|了|啊|哈|呢|的)*\s*(?:[,，。;；!！?？]|$))"
_PAIRS = tuple(
    re.compile(pattern, _I)
    for pattern in (
        rf"\bnot {_X}(?:,|;| -+)? (?:but |it'?s |that'?s |i (?:meant|mean|said) )?{_Y}{_END}",
        rf"\b{_Y},? (?:not|instead of|rather than|and not|in place of) {_X}{_END}",
        rf"\b(?:swap(?:ped|ping)?|chang(?:e|ed|ing)|switch(?:ed|ing)?|replac(?:e|ed|ing)) {_X} (?:for|to|with|by|into|out for) {_Y}{_END}",
        rf"\bfrom {_X} (?:to|onto) {_Y}{_END}",
        rf"\binstead of {_X}, {_Y}{_END}",
        rf"不(?:是|要){_XZ}(?:了)?\s*[,，]?\s*(?:而是|是|要|改要|改成|换成|我?要的?是){_YZ}{_END_ZH}",
        rf"(?:是|要|换|改|用){_YZ}\s*[,，]?\s*(?:而)?不(?:是|要){_XZ}{_END_ZH}",
        rf"把?{_XZ}(?:就|都|也|给我|帮我)?(?:换|改|调|变)[成为做用]了?{_YZ}{_END_ZH}",
        rf"[从由]{_XZ}(?:换|改|转|变|搬|调|升|降)[到成为]了?{_YZ}{_END_ZH}",
    )
)
"""What is named as wrong or gone, `x`, and what comes in its place, `y`."""


def _contrasted(clause: Clause, talk: Talk) -> Change | None:
    """A thing in the place of another that is named: the statement is the one that says the other."""
    for pattern in _PAIRS:
        for found in pattern.finditer(clause.text):
            old, new = found["x"].strip(), found["y"].strip()
            if normalise(old) in _NO_TERM or normalise(new) in _NO_TERM or normalise(old) == normalise(new):
                continue
            named = _word(old)
            said = [matter for matter in talk.current if len(named.findall(matter.finding.content)) == 1]
            said = [matter for matter in said if normalise(new) not in normalise(matter.finding.content)]
            matter = said[-1] if said and (len(said) == 1 or said[-1].turn != said[-2].turn) else None
            if matter is not None:
                content = named.sub(lambda _: annotate(new, talk.at), matter.finding.content)
                return Change(_anew(matter, content, clause), len(clause.text) < 60)
    return None


_NO_TERM = frozenset("it that this them those these him her me us you one ones all the a an 这个 那个 它 他 她 我 你 这 那 什么 一个".split())


def _word(term: str) -> re.Pattern:
    bound = (r"(?<![\w'])", r"(?![\w'])") if term[:1].isascii() else ("", "")
    note = r"(?:\s?\(\d{4}-\d\d(?:-\d\d)?(?:/\d{4}-\d\d(?:-\d\d)?)?\))?"
    return re.compile(f"{bound[0]}{re.escape(term)}{bound[1]}{note}", _I)


_RETURN = re.compile(
    r"\b(?:back (?:to|on|with|in)|go(?:ing)? back to|as (?:it was|before|originally|planned)|return to|stick (?:with|to)|keep) (?:the |my |our )?(?:old|original|usual|previous|first|earlier|former|same)?\b|\bthe (?:old|original|usual|previous|first) (?:one|number|address|time|date|place|plan|size|price|order|way|day|slot)\b|\bas (?:it was|before|originally planned|planned)\b"
    r"|(?:还是|恢复|回到|改回|换回|用回|搬回|按)(?:到|成|了)?(?:原来|以前|之前|原先|老|旧|第一[次个])|老(?:的|号|地方|时间|样子|地址)|照旧|照原来|维持原",
    _I,
)
_PART = re.compile(r"(?<!\d)\d{3,}(?!\d)")


def _returned(clause: Clause, talk: Talk) -> Change | None:
    """What held before holds again, and what had come in its place is over."""
    if _RETURN.search(clause.text) is None:
        return None
    current = {normalise(matter.finding.content): matter for matter in talk.current}
    past = {
        normalise(matter.finding.content): matter
        for matter in talk.matters
        if matter.by is not None and normalise(matter.by) in current
    }
    pool = [matter for content, matter in past.items() if content not in current]
    if part := _PART.search(clause.text):
        pool = [matter for matter in pool if part.group() in digits(matter.finding.value or matter.finding.content)]
    elif len(pool) > 1:
        pool = _sharing(pool, topic_of(clause.text, talk, ()) - _AGAIN, talk)
    if len(pool) != 1:
        return None
    old = pool[0]
    assert old.by is not None
    again = replace(old.finding, spans=(clause.span,), cited=(), replaces=(old.by,), dated=True, closes=None)
    return Change(again, whole=True)


_AGAIN = terms("old original usual previous first earlier former same plan planned way 原来 以前 之前 老 旧 恢复 照旧")

_TAKEN_BACK = re.compile(
    r"^\W*(?:(?:no|oh|ok|okay|well|actually|sorry|wait|hmm|right|哦|嗯|那|啊|哎|不好意思|抱歉)[,，. ]+)*(?:(?:scratch|strike|forget|cancel|drop|ignore|undo) (?:that|it)\b|forget (?:i|what i|that i) (?:said|asked|mentioned)|(?:never ?mind|forget about it)(?: that)?\W*$|call it off|i take (?:that|it) back|当我没[说提讲]|就当我?没[说提讲]|先?别记|算了(?:吧|不|[,，]|$)|取消(?:吧|了|掉)|不算数|(?:刚才|刚刚|上面)(?:那[个句]|说的)?(?:不算|作废|取消))",
    _I,
)
_ONLY_MAYBE = re.compile(r"never ?mind|forget about it|算了", _I)
_CALLED_OFF = re.compile(
    r"\b(?:cancel(?:l?ed|ling)?|call(?:ed)? off|scrap(?:ped)?|drop(?:ped)?|forget(?: about)?|skip|scratch|no (?:longer )?need (?:for )?|(?:don't|won't|do not) need|leave out|remove)\s+(?:the |my |our |that |those |any )?(?P<a>[a-z][\w' -]{2,40}?)(?=\s*(?:[,.;!?]|$|\b(?:please|any ?more|after all|then|for now|altogether|instead|and|as|because|since)\b))"
    r"|\b(?:the|my|our|that)\s(?P<b>[a-z][\w' -]{2,40}?)(?:'s| is| are| has been| have been| was| were| got)\s(?:now |just |all )?(?:cancel\w*|called off|off(?= *(?:[,.;!?]|$|now|after))|scrapped|not happening|no longer (?:needed|happening|on|required))"
    r"|(?:取消|去掉|退掉|删掉|停掉)了?(?P<c>[^\s,，。;；!！?？、了吧的]{2,12})"
    r"|(?P<d>[^\s,，。;；!！?？、的]{2,12}?)(?:我|就|先|也|都|那边|这边|已经)*(?:取消|不要|不用|作罢|不办|不去|不做|不订|不约|不买|不租|不报|退掉|退)(?:了|吧|掉了)"
    r"|(?:别|不用|不要|不必)(?:订|做|留|送|加|安排|准备|买|寄)(?P<e>[^\s,，。;；!！?？、的了]{2,12})了",
    _I,
)


def takes_back(text: str, asked: str) -> bool:
    """Whether the turn takes back what was said in the one before; 算了 after an offer turns down the offer."""
    found = _TAKEN_BACK.match(text)
    if found is None:
        return False
    return _ONLY_MAYBE.search(found.group()) is None or not asked


def called_off(clause: Clause, talk: Talk) -> Iterator[Matter]:
    """The matter that the clause names and says is off."""
    if clause.act in (Act.CONDITIONAL, Act.UNCERTAIN, Act.REPORTED, Act.QUESTION) or _HEARD.search(clause.text):
        return
    for found in _CALLED_OFF.finditer(clause.text):
        named = topic_of(next(part for part in found.groups() if part), talk, ())
        pool = [m for m in talk.current if named and named <= topic_of(m.finding.content, talk, ())]
        if pool and (len(pool) == 1 or pool[-1].turn != pool[-2].turn):
            yield pool[-1]
            return
