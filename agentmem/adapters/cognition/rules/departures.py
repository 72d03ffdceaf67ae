"""What is over by what a turn says, though no value takes its place: left, given up, decided by somebody else, out of the
question; and things that take the place of things, `Porto` of `Lisbon`, 基础套餐 of 全面套餐.

As with changes the matter must be one statement that was made before; where it is not one, nothing ends.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.changes import HEARD
from agentmem.adapters.cognition.rules.contrasts import exchanged
from agentmem.adapters.cognition.rules.matters import Matter, Talk, in_common, one_of, said_bare, topic_of
from agentmem.adapters.cognition.rules.model import Act, Clause, Who
from agentmem.language.tokens import terms
from agentmem.language.typed_values import DAY, typed_values

_I = re.IGNORECASE


@dataclass(frozen=True, slots=True)
class Departure:
    """A matter that is over; `content`: its words with the new thing in the place of the old. `denied`: the clause itself
    says no more than that."""

    matter: Matter
    content: str | None = None
    denied: bool = False


_DECIDES = re.compile(
    r"\b(?:decid(?:e|es|ed|ing)|decisions?|choos(?:e|es|ing)|pick(?:s|ing)|call\b(?=,| not|$)|up to (?!\d)|sign(?:s|ed|ing)? (?:\w+ )?off|approv(?:e|es|ing)|(?:last|final) (?:say|word)|in charge)|决定|说了算|做主|拿主意|拍板|签字|审批|由.{1,6}定|听[^,，]{1,10}的|[由归].{1,6}(?:管|负责|接)",
    _I,
)
_QUITS = re.compile(
    r"\b(?:pull(?:ing|ed)? out|drop(?:ping|ped)? out|quit(?:ting)?|giv(?:e|ing|en) up|gave up|step(?:ping|ped)? down|withdr\w+|count me out|stopp?(?:ed|ing)?|no longer|gone off|go(?:ne|ing)? without|(?:not|n't) (?:\w+ ){0,6}any ?(?:more|longer)|(?:won't be|not) (?:coming|doing|going|taking|needing|joining))\b"
    r"|不(?:再)?(?:去|参加|做|干|弄|办|报|学|练|来|用|要|吃|喝|租|订|养|考|跑|上|住|麻烦|买|卖)[^,，]{0,6}了|退(?:出|掉|了)|戒了|算了",
    _I,
)
_JOB = re.compile(
    r"\b(?:as|am|'m|is|been|was) (?:now |currently |still )?(?:an? |the )?(?:[\w-]+ ){0,2}[a-z]+(?:(?<!nev)(?<!ev)(?<!ov)(?<!aft)(?<!oth)(?<!bett)(?<!old)er|ist|ian|man|nurse|chef|clerk|porter|cook|pilot|guide|agent|rep)\b|\bwork(?:s|ed|ing)? (?:at|for|as|in|with)\b|\b(?:driv|manag|runn|lead|head|teach|freelanc)ing (?:for |at |a |the |my |procurement)|\b(?:runs?|manages?|leads?|heads?) [a-z ]{2,30} (?:at|for)\b|\b(?:is|am|'m) with (?:a|an|the|[A-Z])|\b(?:set up|started (?:up )?) ?on (?:my|their) own|self-employed|\bfreelanc"
    r"|在[^,，]{2,14}(?:上班|工作|任职|做|当|带|教书)|入职|跳槽|回[^,，]{2,12}上班|自由职业|自由接|自己单干|自己创业",
    _I,
)
_NEW_JOB = re.compile(
    r"\b(?:now|these days|back (?:at|managing|in|with|on|to)|joined|started|set up|on my own|from now on)\b|现在|如今|又回|入职|跳槽|刚|改行|转行",
    _I,
)
_HOME = re.compile(
    r"\b(?:li(?:ves?|ving) (?:in|at|on)|(?:flat|house|room|apartment|cottage|bungalow) (?:in|on|at|near)|rent(?:s|ing|ed)? (?:in|a|an|on)|moved (?:in)?to|based in)\b|住在?|租在|租了|定居|搬[到进]",
    _I,
)
_NEW_HOME = re.compile(
    r"\b(?:(?:have|'ve|has) (?:just |now )?moved|moved (?:in)?to|now live|living (?:in|at) .* now|(?:have|'ve|has) been in (?-i:[A-Z])[\w' ]+ since|new (?:flat|house|place|address))\b|搬[到进去]|搬家|新家",
    _I,
)
_LAID_OFF = re.compile(
    r"\b(?:let me go|laid (?:me )?off|made (?:me )?redundant|sacked|fired me|lost my job|got the sack|handed in my notice|(?:that|it) didn't last)\b|被裁|裁员.{0,4}我|辞职了|离职了|下岗",
    _I,
)


def departed(clauses: Sequence[Clause], talk: Talk) -> Iterator[tuple[Clause, Departure]]:
    """What the clauses of a turn say is over, each with the clause that says so."""
    told = [clause for clause in clauses if clause.act not in (Act.QUESTION, Act.CONDITIONAL, Act.REPORTED)]
    sure = [clause for clause in told if clause.act in (Act.ASSERT, Act.IDLE, Act.REQUEST)]
    ended: set[str] = set()
    for clause in sure:
        for departure in (
            _decided(clause, talk),
            _quit(clause, clauses, talk),
            _employed(clause, talk),
            _rehoused(clause, talk),
            _same_head(clause, talk),
        ):
            if departure is not None and departure.matter.finding.content not in ended:
                ended.add(departure.matter.finding.content)
                yield clause, departure
    for clause, departure in _displaced(told, talk):
        if departure.matter.finding.content not in ended:
            yield clause, departure


def _earlier(talk: Talk) -> list[Matter]:
    """What was stated in another turn and still holds."""
    return [matter for matter in talk.current if matter.turn < talk.turn]


_OF_DECIDING = frozenset(
    [
        "decid",
        "decision",
        "choos",
        "pick",
        "call",
        "up",
        "sign",
        "off",
        "approv",
        "say",
        "word",
        "charg",
        "thing",
        "anyth",
        "everyth",
        "myself",
        "决定",
        "说",
        "做主",
        "主意",
        "定",
        "签字",
        "审批",
        "管",
        "负责",
        "听",
        "由",
        "归",
        "自己",
        "也",
        "来",
        "事",
        "我",
        "事情",
    ]
)


def _decided(clause: Clause, talk: Talk) -> Departure | None:
    """Somebody else decides what an earlier statement says who decides."""
    if _DECIDES.search(clause.text) is None:
        return None
    topic = topic_of(clause.text, talk, ()) - _OF_DECIDING
    pool = [matter for matter in _earlier(talk) if _DECIDES.search(said_bare(matter, talk))]
    shared = [matter for matter in pool if topic & topic_of(matter.finding.content, talk, ())]
    only = pool[0] if len(pool) == 1 and topic <= _names_in(clause.text) else None
    found = one_of(shared) or only
    return None if found is None else Departure(found)


def _names_in(text: str) -> frozenset[str]:
    """The words of a text that are written as names."""
    return frozenset(word for name in re.findall(r"\b[A-Z][a-z]+", text) for word in terms(name))


def _quit(clause: Clause, clauses: Sequence[Clause], talk: Talk) -> Departure | None:
    """He no longer does, wants or takes part in what an earlier statement says he does."""
    if _QUITS.search(clause.text) is None or clause.subject.who is Who.THIRD:
        return None
    topic = topic_of(clause.text, talk, ())
    pool = [matter for matter in _earlier(talk) if _covers(topic, topic_of(matter.finding.content, talk, ()))]
    found = one_of(pool)
    return None if found is None else Departure(found, denied=True)


def _covers(topic: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a topic has half of another's words, or two of them."""
    shared = in_common(topic, other)
    return shared > 1 or (shared > 0 and 2 * shared >= len(other))


def _employed(clause: Clause, talk: Talk) -> Departure | None:
    """A new work, or the loss of it, ends the one that was held."""
    own = clause.subject.who is not Who.THIRD
    new = own and _JOB.search(clause.text) is not None and _NEW_JOB.search(clause.text) is not None
    if not new and _LAID_OFF.search(clause.text) is None:
        return None
    pool = [
        matter for matter in _earlier(talk) if _JOB.search(said_bare(matter, talk)) and matter.finding.about is None
    ]
    return Departure(pool[0]) if len(pool) == 1 else None


def _rehoused(clause: Clause, talk: Talk) -> Departure | None:
    """A new home ends the one that was held."""
    if _NEW_HOME.search(clause.text) is None or clause.subject.who is Who.THIRD:
        return None
    pool = [each for each in _earlier(talk) if _HOME.search(said_bare(each, talk)) and each.finding.about is None]
    return Departure(pool[0]) if len(pool) == 1 and _BESIDES.search(said_bare(pool[0], talk)) is None else None


_BESIDES = re.compile(r"\b(?:with|and)\b|[,，](?:有|养|和|还)", _I)
"""It says more than where he lives, and that does not end with it."""


_PICKS = re.compile(
    r"(?:换成?|改成?|选|要|还是)[办做去吃喝住买租点]?(?P<zh>[^\s,，。的是了吧得就你我办做去吃喝买租签行]{3,8})|\b(?:it'?s|make (?:it|that)|rather have|prefer|take|have|go (?:for|with)|switch to|change to) (?:the |an? |my )?(?P<m>[a-z]+) (?P<h>[a-z]{4,})\b",
    _I,
)
_PUT_RIGHT = re.compile(
    r"换|改|还是|\b(?:muddled|mixed|wrong|mistake|sorry|actually|no|mean|meant|instead|rather|change|switch|after all)\b",
    _I,
)


def _same_head(clause: Clause, talk: Talk) -> Departure | None:
    """A thing of one sort in the place of another of that sort: 基础套餐 of 全面套餐, `the right knee` of `my left knee`."""
    for found in _PICKS.finditer(clause.text):
        new = found["zh"] or f"{found['m']} {found['h']}"
        pattern = (
            rf"(?<![一-龥])[^\s,，。“”的是了选要换先]{{1,4}}?{re.escape(new[-2:])}(?![一-龥])|(?<=[选要换先是])[^\s,，。“”的是了选要换先]{{1,4}}?{re.escape(new[-2:])}"
            if found["zh"]
            else rf"\b(?!{re.escape(found['m'])}\b|the\b|my\b|their\b|an?\b|his\b|her\b)[a-z]+ {re.escape(found['h'])}\b"
        )
        sort = re.compile(pattern, _I)
        pool = [
            matter
            for matter in _earlier(talk)
            if new not in matter.finding.content and len(sort.findall(said_bare(matter, talk))) == 1
        ]
        matter = one_of(pool)
        old = sort.search(said_bare(matter, talk)) if matter else None
        if matter is not None and old is not None and _PUT_RIGHT.search(clause.text):
            told = exchanged(matter.finding.content, old.group(), new, talk.at)
            return None if told is None else Departure(matter, told)
    return None


_UNFIT = re.compile(
    r"^(?:but |and |so |as |bad news,? |update,? |sorry,? |unfortunately,? |change of plan,? )*(?:the |my |our )?(?P<en>[a-z][\w' -]{2,30}?)(?:'s|'re| is| are| isn't| aren't| has| have| was)(?: \w+)? (?:out\b|off\b|shut|closed|no good|not (?:for|on|going|possible)|for us|too |heaving|full|gone|cancel\w*|fully|sold out|dead\b|unavailable|away|busy|packed|rubbish|not working)"
    r"|^(?P<zh>[^\s,，我你他她]{2,8}?)(?:也|就|都|那边|这边|那个|我)*(?:太|不(?:行|要|去|弄|做|办|用|考虑|合适)|贵|机会少|黄了|关了|满了|停了|塞不下|看不清|字太小)",
    _I,
)
_TURNS_TO = re.compile(
    r"\b(?:instead|rather|better|go(?:ing)? (?:for|to|with)|switch|let's|we'll (?:do|have|go|take))\b|换|改|还是|准备去|想转|转去|先",
    _I,
)
_PLACE = r"(?P<p>to|at|in|with|from|for)"


def _displaced(clauses: Sequence[Clause], talk: Talk) -> Iterator[tuple[Clause, Departure]]:
    """What a turn says will not do, while it turns to something else."""
    turns = next((clause for clause in reversed(clauses) if _TURNS_TO.search(clause.text)), None)
    if turns is None:
        return
    for clause in clauses:
        unfit = _UNFIT.match(clause.text)
        if unfit is None:
            continue
        term = (unfit["en"] or unfit["zh"]).strip()
        named = re.compile(rf"(?<![a-z]){re.escape(term)}(?:s\b)?", _I)
        matter = one_of([each for each in _earlier(talk) if len(named.findall(said_bare(each, talk))) == 1])
        if matter is not None:
            yield turns, Departure(matter, _elsewhere(matter, term, turns, talk))


def _elsewhere(matter: Matter, term: str, turns: Clause, talk: Talk) -> str | None:
    """The words of the matter with the new place, where both are named behind one preposition."""
    content = matter.finding.content
    old = re.search(rf"\b(?:{_PLACE} )?(?P<x>(?:the )?{re.escape(term)})\b", content, _I)
    new = re.search(rf"\b{_PLACE} (?P<y>(?:the [a-z]+|[A-Z][\w'-]+(?: [A-Z][\w'-]+)*))", turns.text)
    if old is None or new is None or (old["p"] or new["p"]).lower() != new["p"].lower():
        return None
    return exchanged(content, old["x"], new["y"], talk.at)


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


_CALLED_OFF = re.compile(
    r"\b(?:cancel(?:l?ed|ling)?|call(?:ed)? off|scrap(?:ped)?|drop(?:ped)?|forget(?: about)?|skip|scratch|no (?:longer )?need (?:for )?|(?:don't|won't|do not) need|leave out|remove)\s+(?:the |my |our |that |those |any )?(?P<a>[a-z][\w' -]{2,40}?)(?=\s*(?:[,.;!?]|$|\b(?:please|any ?more|after all|then|for now|altogether|instead|and|as|because|since)\b))"
    r"|\b(?:the|my|our|that)\s(?P<b>[a-z][\w' -]{2,40}?)(?:'s| is| are| has been| have been| was| were| got)\s(?:now |just |all )?(?:cancel\w*|called off|off(?= *(?:[,.;!?]|$|now|after))|scrapped|not happening|no longer (?:needed|happening|on|required))"
    r"|(?:取消|去掉|退掉|删掉|停掉)了?(?P<c>[^\s,，。;；!！?？、了吧的]{2,12})"
    r"|(?P<d>[^\s,，。;；!！?？、的]{2,12}?)(?:我|就|先|也|都|那边|这边|已经)*(?:取消|不要|不用|作罢|不办|不去|不做|不订|不约|不买|不租|不报|退掉|退)(?:了|吧|掉了)"
    r"|(?:别|不用|不要|不必)(?:订|做|留|送|加|安排|准备|买|寄)(?P<e>[^\s,，。;；!！?？、的了]{2,12})了",
    _I,
)


def called_off(clause: Clause, talk: Talk) -> Iterator[Matter]:
    """The matter that the clause names and says is off."""
    if clause.act in (Act.CONDITIONAL, Act.UNCERTAIN, Act.REPORTED, Act.QUESTION) or HEARD.search(clause.text):
        return
    for found in _CALLED_OFF.finditer(clause.text):
        part = next(part for part in found.groups() if part)
        named = topic_of(part, talk, typed_values(part, talk.at))
        earlier = (matter for matter in talk.current if matter.turn < talk.turn)
        pool = [m for m in earlier if named and named <= topic_of(m.finding.content, talk, ())]
        pool = pool or [m for m in _earlier(talk) if not named and _says_when(m, part, talk)]
        if pool and (len(pool) == 1 or pool[-1].turn != pool[-2].turn):
            yield pool[-1]
            return


def _says_when(matter: Matter, part: str, talk: Talk) -> bool:
    """Whether the statement gives the day that is called off: `cancel Thursday`."""
    days = {value.value for value in typed_values(part, talk.at) if value.kind == DAY}
    return any(each.kind == DAY and each.value in days for each in typed_values(matter.finding.content, talk.at))
