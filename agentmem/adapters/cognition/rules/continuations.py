"""What a clause goes on about: the thing or the person of the clauses before it, whom it does not name itself."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable, Iterator
from dataclasses import replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Span, Subject, Who
from agentmem.adapters.cognition.rules.pronouns import Named
from agentmem.adapters.cognition.rules.standing import GOES_ON_ZH, MINE, WISHES_ZH, points_away
from agentmem.adapters.cognition.rules.subjects import is_child

_I = re.IGNORECASE


def carried(clause: Clause, before: Clause) -> Clause:
    """The clause with the subject of the one before it in its sentence, where it goes on about that: 我女儿八岁,上三年级;
    my budget was 10k but we had to cut it."""
    if clause.lang == "zh":
        if clause.subject == _NOBODY and before.subject.who is Who.FIRST and GOES_ON_ZH.match(clause.text):
            return replace(clause, subject=Subject(Who.NONE))
        verbal = clause.subject.who is Who.NONE or (clause.subject.who is Who.THING and GOES_ON_ZH.match(clause.text))
        goes_on = verbal and before.subject.who is Who.THIRD and before.subject.person is not None
        if (
            not goes_on
            or _is_asked(clause)
            or _ITS_OWN_ZH.search(clause.text)
            or before.act is Act.REPORTED
            or _SAYS_ZH.match(before.predicate)
            or WISHES_ZH.match(clause.text)
            or _TO_HIM_ZH.search(before.text + clause.text)
        ):
            return clause
        child = is_child(before.subject)
        subject = before.subject if child else replace(before.subject, words="")
        return replace(clause, text=f"{subject.words}{clause.text}", subject=subject, predicate=clause.text)
    thing = _MY_THING.match(before.text)
    if thing is None or len(_IT.findall(clause.text)) != 1 or clause.subject.who is Who.THIRD:
        return clause
    text = _IT.sub(f"{thing['owner']} {thing['name']}", clause.text)
    if clause.text.lower().startswith("it"):
        own = Subject(Who.OWN, thing["owner"])
        return replace(clause, text=text, subject=own, predicate=text[len(thing["owner"]) :].strip())
    return replace(clause, text=text, predicate=_IT.sub(f"{thing['owner']} {thing['name']}", clause.predicate))


def _of_nobody_sure(clause: Clause, before: Clause | None) -> Clause:
    """The clause without its person where a bare word for a relative may mean anybody's: 老人多, and 儿媳 in the middle of
    a sentence about somebody else."""
    subject = clause.subject
    if clause.lang == "en" or subject.who is not Who.THIRD or subject.person is None or MINE.search(subject.words):
        return clause
    generic = ("的" in subject.person and _GENERIC_ZH.search(subject.words)) or _MANY_ZH.match(clause.predicate)
    his = clause.opens_sentence or before is None or MINE.search(before.text) is not None
    if not generic and (his or _ANYBODYS_ZH.search(subject.words) is None):
        return clause
    return replace(clause, subject=replace(subject, person=None))


_MANY_ZH = re.compile("们|(?:也|都|又|很|太|比较|挺)?多(?![了大少久])")
_ITS_OWN_ZH = re.compile("(?<![在给跟帮和对陪到])我(?!们?家)|[没有]人|大家")
"""A subject of its own, which stands behind the time."""
_SAYS_ZH = re.compile("(?:也|都|总|老|就|还|又|一直)*(?:说|讲|觉得|认为|以为|嫌|骂|问|劝|念叨)")
"""What somebody says or thinks goes on in the clauses behind it, which tell nothing of him."""
_GENERIC_ZH = re.compile("(?:师傅|学生|客户|孩子们|小朋友|同学)$")
_ANYBODYS_ZH = re.compile(
    "(?:房东|房客|租客|邻居|老板|同事|领导|朋友|孩子|小孩|娃|儿子|女儿|闺女|儿媳妇?|女婿|哥哥?|姐姐?|弟弟?|妹妹?|亲戚)$"
)
"""Words that in the middle of a sentence may be said of anybody's."""
_NOBODY = Subject(Who.THING, "")
_ASKED_ZH = re.compile("换|改|减|加(?!班)|取消|退|得(?!了)|必须|别|请")


def _is_asked(clause: Clause) -> bool:
    """Whether something is to be done or to be otherwise, and not done already: that is asked of the listener, whoever was
    spoken of before."""
    return _ASKED_ZH.search(clause.text) is not None and not clause.text.endswith("了")


_TO_HIM_ZH = re.compile(
    "推荐|介绍|让我|叫我|告诉|送我|给我|建议|跟我|帮我|你|您|可以(?:直接|随时)|直接|欢迎|有(?:什么)?(?:急|要)?事|谢|好的|行$"
)
_MY_THING = re.compile(
    rf"^(?P<owner>my|our) (?P<name>(?!(?:\w+ )?(?:{en.HOUSEHOLD}|{en.COLLEAGUES}|team)\b)[a-z]+(?: [a-z]+)?)(?:'s| (?:is|was|has|had|runs|ends|keeps|needs|doesn't|isn't))\b",
    _I,
)
_IT = re.compile(r"\bit\b", _I)


def resolved(clauses: Iterable[Clause], discourse: Discourse, text: str) -> Iterator[Clause]:
    """The clauses of a text with he and she named, where only one whom they may mean was named before them in it, or the
    talk was about one ahead of it; what goes on about somebody without naming him stands with what it
    follows."""
    before = discourse.third if discourse.elsewhere else None
    others = Named(discourse.people, discourse.person.name)
    named: dict[str, str] = {}
    last: Clause | None = None
    for clause in clauses:
        proposed = text[clause.span.start : clause.span.end].endswith("吧")
        if last is not None and not (clause.opens_sentence or proposed):
            clause = carried(clause, last)
            if _goes_on(last, clause):
                last = _joined(last, clause, text)
                continue
        clause = _of_nobody_sure(clause, last)
        if last is not None:
            yield last
        if clause.subject.person is None and _ONE_OTHER.fullmatch(clause.subject.words):
            other = others.meant(clause.subject.words, _said_before(clause, text), named, before)
            clause = _of_the_child(clause, other, named.get(other or "", ""))
        elif clause.subject.person is None and len(named) == 1:
            clause = _with_him_named(clause, named, _said_before(clause, text), others)
        if clause.subject.person is not None:
            named.setdefault(clause.subject.person, _by_name(clause.subject))
        last = clause
    if last is not None:
        yield last


def _said_before(clause: Clause, text: str) -> str:
    """What was said right before a clause: looking through all of it each time would take the square of its length."""
    return text[max(0, clause.span.start - _NEAR) : clause.span.start]


_NEAR = 300


def _of_the_child(clause: Clause, person: str | None, words: str) -> Clause:
    """The clause of he or she told of the person; of one of the speaker's children with what it is."""
    subject = Subject(Who.THIRD, words, person)
    if clause.lang == "zh" or not _SCHOOL.match(clause.predicate) or not is_child(subject):
        return replace(clause, subject=replace(clause.subject, person=person))
    return replace(clause, text=f"{words}{clause.predicate}", subject=subject)


_SCHOOL = re.compile(r"(?:'s| is| goes| started| has started)(?: now)? (?:at|to) ", _I)
"""Where a child is or goes: a school, and no place of work."""


def _goes_on(before: Clause, clause: Clause) -> bool:
    """Whether a clause without a subject of its own says more of the person whom the one before it is about."""
    subject = clause.subject
    told = before.subject.who is Who.THIRD and before.subject.person is not None
    if not told or before.act is not Act.ASSERT or clause.act is not Act.ASSERT:
        return False
    if _NUMBERED.search(clause.text) or _TO_HIM_ZH.search(clause.text) or points_away(clause):
        return False
    if clause.lang == "en":
        return subject.who in (Who.NONE, Who.THING) and _AUXILIARY.match(clause.text) is not None
    own = not (MINE.search(clause.text) or _ITS_OWN_ZH.search(clause.text)) and kind_of(clause.text, "zh").value is None
    return own and subject.who in (Who.NONE, Who.THING, Who.OWN) and not _is_asked(clause)


_NUMBERED = re.compile(r"\d{6}|@")
_AUXILIARY = re.compile(
    r"(?:is|was|has|had|does|did|can|could|will|would|needs)(?:n't|'t|not)? (?!(?:he|she|it|they|we|you|i|the|that|this|there)\b)",
    _I,
)
"""How a predicate begins whose subject stands before it: `and can't do stairs`."""


def _joined(before: Clause, clause: Clause, text: str) -> Clause:
    more = f"{text[before.span.end : clause.span.start]}{clause.text}"
    return replace(
        before,
        span=Span(before.span.start, clause.span.end),
        text=f"{before.text}{more}",
        predicate=f"{before.predicate}{more}",
    )


def _by_name(subject: Subject) -> str:
    """Words for a person in a clause that does not begin with him."""
    words = subject.words.strip()
    if re.match(r"(?:my|our) ", words, _I):
        return f"{words[:1].lower()}{words[1:]}"
    kin = re.match("我们?家?的?(?=.)", words)
    return f"我的{words[kin.end() :]}" if kin else subject.person or words


def _with_him_named(clause: Clause, named: dict[str, str], said: str, others: Named) -> Clause:
    """The clause with the one other person by name where it says him, her or 他, and nothing else points away."""
    pattern = _HIM_ZH if clause.lang == "zh" else _HIM_EN
    pronouns = list(pattern.finditer(clause.text))
    person = others.meant(pronouns[0].group(), said, named, None) if len(pronouns) == 1 else None
    if person is None:
        return clause
    name = named[person]

    def called(found: re.Match) -> str:
        return f"{name}'s" if found["whose"] else name

    text = pattern.sub(called, clause.text)
    if clause.subject == _NOBODY:
        return replace(clause, text=text, subject=Subject(Who.THIRD, name, person), predicate=text)
    return replace(clause, text=text, predicate=pattern.sub(called, clause.predicate))


_HIM_EN = re.compile(
    r"\b(?:him|(?P<whose>his|(?:(?<=is )|(?<=was )|(?<=are )|(?<=in )|(?<=on )|(?<=at )|(?<=to )|(?<=of )|(?<=for )|(?<=with )|(?<=from ))her(?= (?!(?:to|in|on|at|for|from|with|and|but|so|too|now|well|\w+ly)\b)[a-z]))|her(?=$|[,.;]| (?:to|in|on|at|for|from|with|and|but)\b))\b",
    _I,
)
"""Of her before a noun only where it can be no object: `is her favourite`, and not `pays her well`."""
_HIM_ZH = re.compile("[他她](?![们人爸妈爹娘哥姐弟妹爷奶家老])(?P<whose>(?!))?")
_ONE_OTHER = re.compile(r"(?:现在|目前|最近|平时|主要|而|,)*[他她]|he|she", re.IGNORECASE)
