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
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.model import (
    Act,
    Clause,
    Discourse,
    Finding,
    language_of,
    plain,
)
from agentmem.adapters.cognition.rules.own_attributes import answered
from agentmem.adapters.cognition.rules.paraphrase import confirms, rejects, retold_you
from agentmem.adapters.cognition.rules.questions import told_question
from agentmem.adapters.cognition.rules.told_answers import (
    NUMBER,
    SHORT_REPLY,
    answer_finding,
    bare,
    elliptic,
    hangs,
    told_beside,
    told_with,
)
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


_SLOTS = (
    _Slot(
        "budget",
        "budget",
        re.compile(r"预算|经费|\bbudget\b|how much .{0,20}\bspend", _I),
        re.compile(NUMBER, _I),
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


def answers(clauses: list[Clause], discourse: Discourse) -> Iterator[tuple[Finding, Clause]]:
    """What the beginning of a turn says as an answer to `discourse.asked`, with each clause that it used up."""
    if not discourse.asked or not clauses or _ASIDE.match(plain(discourse.turn.text)):
        return
    if len(clauses) > 1 and (confirms(clauses[0].text) or rejects(clauses[0].text)) and len(clauses[0].text) < 6:
        clauses = clauses[1:]
    first = clauses[0]
    text = bare(first.text)
    if (
        first.act in (Act.QUESTION, Act.CONDITIONAL, Act.REPORTED)
        or not text
        or text.startswith("免贵")
        or SHORT_REPLY.match(text)
    ):
        return
    name = _name(text, discourse)
    if name is not None:
        yield answer_finding(name[0], (first,), discourse, attribute="name", value=name[1], kind="name"), first
        return
    if _CONTACT_ASKED.search(discourse.asked) and not re.search(r"时间|when|time|day", discourse.asked, _I):
        return
    if _may_ask_of_another(discourse):
        return
    used = elliptic(clauses, discourse)
    asked = told_question(discourse.asked) if used else None
    found = _slotted(used[0], asked, discourse) if asked is not None else None
    if found is not None:
        yield found, first
        return
    told = told_with(used, asked, discourse) if asked is not None else told_beside(clauses, discourse)
    if told is not None:
        yield from ((told[0], clause) for clause in told[1])


def _may_ask_of_another(discourse: Discourse) -> bool:
    """Whether a question that names nobody may be about the relative or the animal that was named before it."""
    asked = discourse.asked
    return discourse.beside and _OF_A_LIFE.search(asked) is not None and _NAMES_SOMEBODY.search(asked) is None


_OF_A_LIFE = re.compile(
    r"过敏|忌口|病史|病|[吃喝睡怕]|(?<!入)住|多大|几岁|岁|年级|体重|身高|多重|多高|性格|爱好|喜欢|疫苗|驱虫|学过|基础|成绩|上学|药"
    r"|\b(?:allerg\w*|eats?|eating|diet\w*|old|ages?|weigh\w*|tall|heights?|grade|school|lives?|likes?|afraid|vaccin\w*|sleeps?|medic\w*|pills?|hobb\w*|breed)\b",
    _I,
)
"""What is asked of whoever lives: health, food, age, school, habits."""
_NAMES_SOMEBODY = re.compile(rf"[您你]|{zh.RELATED}|\b(?:you|your|he|she|his|her|{en.HOUSEHOLD}|{en.COLLEAGUES})\b", _I)
_ASIDE = re.compile(
    r"\W*(?:by the way|btw|before i forget|on another (?:note|subject)|(?:oh,? )?(?:and )?(?:one|another) (?:more|other)? ?thing)\b"
    r"|\W*(?:(?:哦|啊|噢)[,，]?)?(?:对了|顺便(?:说|提|问)?(?:一下|一句|一嘴)?|话说|忘了说|还有(?:一件|件|个)事)",
    _I,
)
"""How one begins who says something else before he answers, or instead."""


def _slotted(clause: Clause, asked: str, discourse: Discourse) -> Finding | None:
    """The answer as the value of the slot that the question asks for, where it looks like one."""
    text = bare(clause.text)
    if (own := None if hangs(text) else answered(asked, text, discourse)) is not None:
        attribute, value, content = own
        return answer_finding(content, (clause,), discourse, attribute=attribute, value=value, kind=attribute)
    others = _is_of_another(asked)
    for slot in _SLOTS:
        value = _value(slot, asked, text) if slot.asked.search(asked) and not (others or hangs(text)) else None
        if value is not None:
            content = (slot.zh if language_of(asked) == "zh" else slot.en).format(who=discourse.label, v=value)
            return answer_finding(content, (clause,), discourse, attribute=slot.attribute, value=value, kind=slot.kind)
    return None


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


def _name(text: str, discourse: Discourse) -> tuple[str, str] | None:
    if not _NAME_ASKED.search(discourse.asked) or _is_of_another(discourse.asked):
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


def _is_of_another(asked: str) -> bool:
    """Whether a question asks what somebody or something else is: 猫咪叫什么, `what does your husband do`."""
    if _OTHERS.search(asked) is not None:
        return True
    named = _NAME_OF_ZH.search(asked)
    return named is not None and _HIS_NAME_ZH.fullmatch(named["whose"]) is None


_OTHERS = re.compile(rf"{zh.RELATED}|[他她它]|\b(?:{en.HOUSEHOLD}|{en.COLLEAGUES}|he|she|his|her|its)\b", _I)
_NAME_OF_ZH = re.compile(r"(?:^|[,，。!！?？ ])(?P<whose>[^,，。!！?？ ]*?)的?(?:全名|姓名|名字|叫什么)")
_HIS_NAME_ZH = re.compile(
    r"(?:请问|麻烦|方便|可以|能|告诉|我|们|说|报|提供|登记|留|填|写|核对|一?下|个|那|先|再|还有|您|你|本人|客户|顾客|怎么|应该|如何|称呼|是|的)*"
)


def slotted(found: Finding, discourse: Discourse) -> Finding:
    """A claim made his own, with the slot its words fill."""
    spoken = found.content.replace(discourse.label, "我们" if found.lang == "zh" else "we", 1)
    kind = kind_of(spoken.replace("我们的", "", 1) if found.lang == "zh" else spoken.replace("we's", "our"), found.lang)
    if kind.value is None:
        return found
    return replace(found, kind=kind.name, attribute=kind.attribute, value=kind.value)


def affirmed(asked: str, text: str, discourse: Discourse) -> str | None:
    """A yes to a plain question, as the statement it affirms."""
    if not confirms(text) or SHORT_REPLY.match(text):
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
    r"^(?:嗯+[,， ]*)?(?:可以|行|好|成|没问题|ok|方便|合适)(?:的|啊|呀|吧|了|嘞)*(?=[,，。! ]|$)|^(?:yes|yeah|yep|sure|perfect|great|lovely|brilliant|ideal|go for it|[a-z]+day it is|that works|sounds good|works for me|fine|ok|okay|that'?s (?:fine|great|perfect))\b",
    _I,
)
_PROPOSED_ZH = re.compile(r"(?:可以|行|好|方便|合适|有空|有时间)(?:吗|么|不)$|怎么样$|如何$")
_PROPOSED_EN = re.compile(r"^(?:(?:ok|okay|great|so|how about|shall|would|does|is|can|could|should)\b)", _I)


def agreed_time(asked: str, text: str, discourse: Discourse) -> Finding | None:
    """`周六上午十点可以吗?` and `可以的`: the time both have settled on."""
    if not asked or rejects(text) or _AGAINST.search(_FIRST_SENTENCE.split(text, maxsplit=1)[0]):
        return None
    zh_asked = language_of(asked) == "zh"
    when = _when(asked, text, discourse)
    if when is None:
        return None
    content = f"{discourse.label}同意约在{when}" if zh_asked else f"{discourse.label} agrees to {when}"
    return Finding(content, "appointment", 8, "zh" if zh_asked else "en", (), "appointment", when)


_FIRST_SENTENCE = re.compile(r"[.!?;。！？；]")
_AGAINST = re.compile(
    r"\b(?:no(?! (?:problem|worries))|not(?! a problem)|nobody|never|but|though)\b|n't\b|不(?!错|介意|用|客气|好意思)|没(?!问题|事|关系)|但",
    _I,
)
"""What speaks against a day in the same breath that seems to accept it: `sure there'd be nobody here`."""


def _when(asked: str, text: str, discourse: Discourse) -> str | None:
    """The time that is asked for in a question, where the reply accepts it."""
    proposed = _PROPOSED_ZH if language_of(asked) == "zh" else _PROPOSED_EN
    if not _ACCEPT.search(text) or not proposed.search(asked):
        return None
    times = [mention for mention in find_times(asked, discourse.turn.at) if not mention.recurring]
    when = asked[times[0].start : times[-1].end] if times else ""
    when = re.sub("^(?:in|on|at) ", "", when.removeprefix("约"), flags=_I)
    return when if 0 < len(when) <= _LONGEST_TIME else None


_LONGEST_TIME = 40
