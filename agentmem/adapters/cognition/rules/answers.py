"""Short answers: what is understood of the agent's question and the reply to it.

A question for a slot makes the plain sentence: 您的预算多少? and 三万 make 预算是三万. Any other open question is told with
its answer, because a bare answer says nothing by itself: Asked "How many cups a day?", Tom answers "about 180".
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator
from dataclasses import dataclass, replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.findings import keys_of
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.model import (
    Act,
    Clause,
    Discourse,
    Finding,
    Lang,
    Span,
    Who,
    has_han,
    language_of,
    plain,
)
from agentmem.adapters.cognition.rules.own_attributes import answered, kept
from agentmem.adapters.cognition.rules.paraphrase import confirms, rejects, retold_you
from agentmem.adapters.cognition.rules.questions import POINTING_EN, told_question
from agentmem.adapters.cognition.rules.retelling import echoed, retold_zh
from agentmem.language.time import find_times

_I = re.IGNORECASE
_NAME_ASKED = re.compile(
    r"全名|姓名|怎么称呼|如何称呼|名字|叫什么|贵姓|您是哪位|your (?:full |first |last )?name|who am i speaking|may i ask who",
    _I,
)
_CONTACT_ASKED = re.compile(
    r"联系方式|电话|手机|邮箱|微信(?!登录|支付)|号码|phone|number|e-?mail|contact|reach you", _I
)
_NAME_ZH = re.compile(r"^(?:我?(?:姓|叫|是|名叫))?(?P<v>[\u4e00-\u9fff·]{1,4})$")
_NAME_EN = re.compile(r"^(?:it'?s |i'?m |my name is )?(?P<v>(?:[A-Z][A-Za-z'-]+)(?: [A-Z][A-Za-z'-]+){0,2})$")
_SHORT_REPLY = re.compile(
    r"^(?:不知道|不清楚|不确定|没想好|随便|都行|都可以|看情况|再说|保密|不方便|没有了?|好|好的|行|可以|嗯|谢谢|你好|您好|不用|算了|[打做用试吃看买去来考]过了?|照旧|老样子|一样|不变|稍等|等下|等一下|我看看|none|no idea|not sure|whatever|anything|don't know|dunno|it depends|depends|hello|hi|thanks|thank you|ok|okay|sure|fine|great|nothing|maybe|let me .*|i'll .*|perfect|good|cool|sounds good|that's all)$",
    _I,
)
_YES_EN = re.compile(
    r"^(?:(?:so|ok|okay|and|great|perfect|got it),?\s+)?(?P<aux>do|are|have|would) you (?P<rest>[\w' ,$£€.&/-]{3,80})$",
    _I,
)


@dataclass(frozen=True, slots=True)
class _Slot:
    """A slot that questions ask for: how they do, what an answer must look like, and the sentence both make."""

    attribute: str
    kind: str
    asked: re.Pattern
    answer: re.Pattern
    zh: str
    en: str


_NUMBER = r"[\d一二两三四五六七八九十百千万半几]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred|thousand|once|twice|daily|weekly|monthly|every|each)\b"
_SLOTS = (
    _Slot(
        "budget",
        "budget",
        re.compile(r"预算|经费|\bbudget\b|how much .{0,20}\bspend", _I),
        re.compile(_NUMBER, _I),
        "{who}的预算是{v}",
        "{who}'s budget is {v}",
    ),
    _Slot(
        "city",
        "city",
        re.compile(
            r"(?:您|你)们?(?:公司|人)?(?:现在|目前|住)?(?:是)?在(?:哪|什么地方)|哪个城市|where (?:are|is|do) you(?:r \w+)? (?:\w+ )?(?:based|located|live)|(?:which|what) (?:city|town)\b",
            _I,
        ),
        re.compile(
            rf"(?:住?在)?(?P<v>(?:{zh.CITIES})市?[\u4e00-\u9fff]{{0,6}}|(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){{0,2}})$",
            _I,
        ),
        "{who}在{v}",
        "{who} is based in {v}",
    ),
    _Slot(
        "employer",
        "employer",
        re.compile(
            r"(?:您|你)们?的?(?:公司|单位)(?:叫|是)(?:什么|哪)|(?:在|是)哪家公司|(?:what|which) (?:company|firm)\b", _I
        ),
        re.compile(
            r"(?:在|叫|at |from )?(?P<v>[\u4e00-\u9fff]{2,16}|(?-i:[A-Z])[\w&'.-]+(?: (?-i:[A-Z])[\w&'.-]+){0,3})$", _I
        ),
        "{who}在{v}工作",
        "{who} works for {v}",
    ),
    _Slot(
        "business",
        "business",
        re.compile(r"业务|行业|什么生意"),
        re.compile(r"^(?:主要)?(?:是)?(?:做|搞)的?(?:是)?(?P<v>[^,，了]{2,24}?)的?$"),
        "{who}的业务是做{v}",
        "{who}'s business is {v}",
    ),
    _Slot(
        "occupation",
        "occupation",
        re.compile(
            r"职业(?:是|呢)|(?:您|你)(?:现在)?(?:是)?做什么(?:工作)?的?$|什么工作|what do you do$|what do you do for|what's your job",
            _I,
        ),
        re.compile(
            rf"(?:是|做)?(?:一?[名位个])?(?P<v>[\u4e00-\u9fffA-Za-z]{{0,10}}(?:{zh.OCCUPATION_END}))$|(?:an? )?(?P<v2>(?:[\w-]+ ){{0,3}}(?:{en.OCCUPATIONS}))$",
            _I,
        ),
        "{who}的职业是{v}",
        "{who} works as a {v}",
    ),
    _Slot(
        "current_system",
        "current_system",
        re.compile(
            r"(?:用的?|使用)(?:是)?(?:的)?(?:什么|哪[个家种])的?(?:系统|软件|平台)|(?:what|which) (?:software|system|platform|tool|provider)s? (?:do|are) you",
            _I,
        ),
        re.compile(
            r"(?:用的?|是|we use |using )*(?P<v>[A-Za-z][\w .+&-]{1,30}|[\u4e00-\u9fffA-Za-z0-9]{2,10}?)(?:的|系统|软件)*$",
            _I,
        ),
        "{who}现在用{v}",
        "{who} uses {v}",
    ),
)

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


def answers(clauses: list[Clause], discourse: Discourse) -> Iterator[tuple[Finding, Clause]]:
    """What the beginning of a turn says as an answer to `discourse.asked`, with each clause that it used up."""
    if not discourse.asked or not clauses or _ASIDE.match(plain(discourse.turn.text)):
        return
    if len(clauses) > 1 and (confirms(clauses[0].text) or rejects(clauses[0].text)) and len(clauses[0].text) < 6:
        clauses = clauses[1:]
    first = clauses[0]
    text = _bare(first.text)
    if (
        first.act in (Act.QUESTION, Act.CONDITIONAL, Act.REPORTED)
        or not text
        or text.startswith("免贵")
        or _SHORT_REPLY.match(text)
    ):
        return
    name = _name(text, discourse)
    if name is not None:
        yield _finding(name[0], (first,), discourse, attribute="name", value=name[1], kind="name"), first
        return
    if _CONTACT_ASKED.search(discourse.asked) and not re.search(r"时间|when|time|day", discourse.asked, _I):
        return
    used = _elliptic(clauses, discourse)
    asked = told_question(discourse.asked) if used else None
    found = _slotted(used[0], asked, discourse) if asked is not None else None
    if found is not None:
        yield found, first
    elif asked is not None and (told := _told(used, asked, discourse)) is not None:
        yield from ((told, clause) for clause in used)


_ASIDE = re.compile(
    r"\W*(?:by the way|btw|before i forget|on another (?:note|subject)|(?:oh,? )?(?:and )?(?:one|another) (?:more|other)? ?thing)\b"
    r"|\W*(?:(?:哦|啊|噢)[,，]?)?(?:对了|顺便(?:说|提|问)?(?:一下|一句|一嘴)?|话说|忘了说|还有(?:一件|件|个)事)",
    _I,
)
"""How one begins who says something else before he answers, or instead."""


def _bare(text: str) -> str:
    """The reply without what only opens or closes it."""
    return _CLOSES_ZH.sub("", _OPENS_ZH.sub("", _OPENS_EN.sub("", text))).strip(" ,，。.")


def _elliptic(clauses: list[Clause], discourse: Discourse) -> list[Clause]:
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


def _slotted(clause: Clause, asked: str, discourse: Discourse) -> Finding | None:
    """The answer as the value of the slot that the question asks for, where it looks like one."""
    text = _bare(clause.text)
    if (own := None if _hangs(text) else answered(asked, text, discourse)) is not None:
        attribute, value, content = own
        return _finding(content, (clause,), discourse, attribute=attribute, value=value, kind=attribute)
    for slot in _SLOTS:
        value = _value(slot, asked, text) if slot.asked.search(asked) and not _hangs(text) else None
        if value is not None:
            content = (slot.zh if language_of(asked) == "zh" else slot.en).format(who=discourse.label, v=value)
            return _finding(content, (clause,), discourse, attribute=slot.attribute, value=value, kind=slot.kind)
    return None


def _told(used: list[Clause], asked: str, discourse: Discourse) -> Finding | None:
    """The question and the words of these clauses as one statement."""
    text = _bare(plain(discourse.turn.text)[used[0].span.start : used[-1].span.end])
    if not text or _hangs(text) or not _fits(asked, text):
        return None
    if (chosen := _chosen(asked, text)) is not None:
        content = f"{discourse.label}{chosen}"
    elif language_of(asked) == "zh":
        content = f"被问到“{asked}”，{discourse.label}回答“{retold_zh(text, '自己', '对方')}”"
    else:
        content = f'Asked "{asked}", {discourse.label} answers "{echoed(text, discourse.agent_name)}"'
    weight = max(5, kind_of(text, language_of(text)).importance)
    return _finding(content, tuple(used), discourse, attribute=None, value=None, kind="answer", importance=weight)


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


def _hangs(text: str) -> bool:
    """Whether the answer needs more than its question to be understood."""
    pronoun = POINTING_EN.search(text)
    inside = pronoun is not None and pronoun.group().lower() in ("it", "them", "its", "their") and pronoun.start() > 6
    return (pronoun is not None and not inside) or re.search('[他她它]|这个|那个|[?"]', text) is not None


_TWO_THINGS = re.compile(r"和|与|以及|、|\band\b.{4}", _I)
_ROUGHLY = re.compile(r"^[A-Z][a-z]+(?= [$£€\d])")


def _value(slot: _Slot, asked: str, text: str) -> str | None:
    if _TWO_THINGS.search(asked):
        return None
    text = re.sub("^(?:预算|经费|budget)(?:是|大概)?", "", text, flags=_I)
    found = slot.answer.search(text)
    if found is None or len(text) > 40 or re.search("人数|几位|几个人", asked):
        return None
    value = next((value for value in found.groupdict().values() if value), None) or text
    return _ROUGHLY.sub(lambda word: word.group().lower(), value)


def _fits(asked: str, text: str) -> bool:
    """Whether the reply has what the question asks for."""
    if _TIMELY.search(asked):
        return _TIME.search(text) is not None
    if _COUNTING.search(asked):
        return re.search(_NUMBER, text, _I) is not None
    return not _NONE.match(text)


def _name(text: str, discourse: Discourse) -> tuple[str, str] | None:
    if not _NAME_ASKED.search(discourse.asked):
        return None
    found = _NAME_ZH.match(text)
    if found is not None:
        surname = len(found["v"]) == 1 or text.startswith(("姓", "我姓"))
        if surname:
            return (f"{discourse.label}姓{found['v']}", found["v"]) if found["v"] in zh.SURNAMES else None
        plausible = re.match(zh.NAME, found["v"]) is not None or found["v"] in discourse.person.name
        return (f"{discourse.label}的全名是{found['v']}", found["v"]) if plausible else None
    latin = _NAME_EN.match(text)
    if latin is not None:
        zh_asked = language_of(discourse.asked) == "zh"
        return (
            f"{discourse.label}的名字是{latin['v']}" if zh_asked else f"{discourse.label}'s name is {latin['v']}"
        ), latin["v"]
    return None


def slotted(found: Finding, discourse: Discourse) -> Finding:
    """A claim made his own, with the slot its words fill."""
    spoken = found.content.replace(discourse.label, "我们" if found.lang == "zh" else "we", 1)
    kind = kind_of(spoken.replace("我们的", "", 1) if found.lang == "zh" else spoken.replace("we's", "our"), found.lang)
    if kind.value is None:
        return found
    return replace(found, kind=kind.name, attribute=kind.attribute, value=kind.value)


def _finding(
    content: str,
    used: tuple[Clause, ...],
    discourse: Discourse,
    *,
    attribute: str | None,
    value: str | None,
    kind: str,
    importance: int = 7,
) -> Finding:
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


def affirmed(asked: str, text: str, discourse: Discourse) -> str | None:
    """A yes to a plain question, as the statement it affirms."""
    if not confirms(text) or _SHORT_REPLY.match(text):
        return None
    found = _YES_EN.match(asked) if not re.search(r"\bany\b", asked, _I) else None
    if found is None or re.search(
        r"\bor\b|\bany (?:questions|other)|\blike (?:me|to (?:hear|see|know|book|schedule|come|try|start))|\bmind\b|\bhear\b|\bknow\b",
        asked,
        _I,
    ):
        return None
    first = {"do": "you", "are": "you are", "have": "you have", "would": "you would"}[found["aux"].lower()]
    return retold_you(f"{first} {found['rest']}", discourse.label, discourse.agent_name)


_ACCEPT = re.compile(
    r"^(?:嗯+[,， ]*)?(?:可以|行|好|没问题|ok|方便|合适)(?:的|啊|呀|吧|了)*(?=[,，。! ]|$)|^(?:yes|yeah|yep|sure|perfect|great|that works|sounds good|works for me|fine|ok|okay|that'?s (?:fine|great|perfect))\b",
    _I,
)
_PROPOSED_ZH = re.compile(r"(?:可以|行|好|方便|合适|有空|有时间)(?:吗|么|不)$|怎么样$|如何$")
_PROPOSED_EN = re.compile(r"^(?:(?:ok|okay|great|so|how about|shall|would|does|is|can|could|should)\b)", _I)


def agreed_time(asked: str, text: str, discourse: Discourse) -> Finding | None:
    """`周六上午十点可以吗?` and `可以的`: the time both have settled on."""
    if not _ACCEPT.search(text) or not asked or rejects(text):
        return None
    zh_asked = language_of(asked) == "zh"
    if not (_PROPOSED_ZH if zh_asked else _PROPOSED_EN).search(asked):
        return None
    times = [mention for mention in find_times(asked, discourse.turn.at) if not mention.recurring]
    if not times:
        return None
    when = asked[times[0].start : times[-1].end]
    if len(when) > 40:
        return None
    when = when.removeprefix("约")
    content = f"{discourse.label}同意约在{when}" if zh_asked else f"{discourse.label} agrees to {when}"
    lang: Lang = "zh" if zh_asked else "en"
    return Finding(content, "appointment", 8, lang, (), "appointment", when)
