"""Findings: a clause retold as a sentence about the person, whatever its rule; the things a statement is about, as short
noun phrases; and how whom it is about is related to something it names.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Mapping
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.model import Clause, Discourse, Finding, Who
from agentmem.adapters.cognition.rules.retelling import (
    echoed,
    mentions_self,
    retold_en,
    retold_zh,
    third_person,
    tidied_en,
)
from agentmem.domain.entity import Mention
from agentmem.domain.memory import Modality
from agentmem.domain.naming import canonical_name
from agentmem.language.names import names_of
from agentmem.language.relations import relations_of
from agentmem.language.tokens import ends_word

_LATIN = re.compile(r"(?<![A-Za-z@.])(?:[A-Z][A-Za-z0-9+#.-]*[A-Za-z0-9+#](?: [A-Z][A-Za-z0-9+-]+)*|[A-Z]{2,}[0-9]*)")
_CUT = re.compile(
    r"[的是在中里想希望给把和跟与将要了为及对于从用做有个些也都能会可以不没很太比较,，。、;:()\s]|觉得|需要|实现|添加|增加|使用|通过|进行|利用|改进|现有|我们|打算|计划|准备"
)
_THING = re.compile(
    r"[\u4e00-\u9fff]{0,8}(?:系统|软件|平台|网站|小程序|能力|功能|技术|业务|流程|数据|报表|设备|仓库|课程|房子|车|预算|价格|联系方式|电话|手机号?|微信|邮箱|合同|"
    r"分析|预测|自动化|智能体|问答|管理|决策|服务|方案|诊所|公司|工厂|学校|医院|店|团队|员工|孩子|儿子|女儿|职位|地址)$"
)
_THING_EN = re.compile(
    r"\b(?:[a-z]+[ -])?(?:crm|erp|system|software|platform|website|app|tool|budget|price|phone|email|practice|clinic|team|staff|office|warehouse|"
    r"fleet|flat|house|car|lease|contract|licen[cs]es?|integration|dashboard|report|data|spreadsheets?|inventory|booking|invoices?|appointment|delivery|training|membership)s?\b"
)


def keys_of(text: str, names: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Up to five keys in order of appearance. `names` are left out: they name the person, not the thing."""
    for name in names:
        text = text.replace(name, " ")
    found: dict[str, None] = dict.fromkeys(match.group() for match in _LATIN.finditer(text[:500]))
    for chunk in _CUT.split(text[:500]):
        thing = _THING.search(chunk)
        if thing is not None and len(thing.group()) > 1:
            found[thing.group()] = None
    for match in _THING_EN.finditer(text[:500]):
        found[match.group()] = None
    return tuple(found)[:5]


_BY_SLOT: Final[Mapping[str, str]] = {
    "employer": "WORKS_AT",
    "city": "LOCATED_IN",
    "current_system": "USES",
    "alias": "ALSO_CALLED",
}
"""Slots whose value is somebody or something else."""


def pair_in(
    content: str, subject: str, attribute: str | None, value: str | None
) -> tuple[str | None, tuple[Mention, ...]]:
    """The relation of `subject` to the first of the mentions, or None where there is none; and all mentions in the
    statement."""
    mentions = names_of(content)
    other = _filling(mentions, attribute, value)
    if other is not None and attribute in _BY_SLOT:
        return _BY_SLOT[attribute], _first(other, mentions)
    for pair in relations_of(content):
        if canonical_name(pair.source.name) == canonical_name(subject):
            return pair.relation, _first(pair.destination, mentions)
    return None, mentions


def _filling(mentions: tuple[Mention, ...], attribute: str | None, value: str | None) -> Mention | None:
    wanted = canonical_name(value) if attribute and value else None
    return next((each for each in mentions if canonical_name(each.name) == wanted), None)


def _first(other: Mention, mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    rest = (each for each in mentions if canonical_name(each.name) != canonical_name(other.name))
    return (other, *rest)


_I = re.IGNORECASE
_PREPOSED = re.compile(
    r"^(?:at|in|on|for|each|every|all|some|most|right|currently|with|from|these|today|this|last|next)\b", _I
)
WHEN = re.compile(r"现在|目前|最近|今年|去年|明年|以前|之前|原来|平时|每[天周月年]")
_ARTICLE = re.compile(r"^(?:the|this|that)\s+", _I)
_ING = re.compile(
    r"^(?:(?:currently|still|just|mainly|also|now|really|only|always|mostly|actively)\s+)*(?:\w+ing|based|located|interested|happy|ready|allergic|keen|hoping)\b",
    _I,
)
_FIRST_WORD = re.compile(
    r"^((?:really|just|also|still|currently|mainly|mostly|actually|only|definitely|never)\s+)?([A-Za-z']+)", _I
)
_BASE = frozenset(
    [
        "need",
        "want",
        "prefer",
        "love",
        "hate",
        "have",
        "use",
        "got",
        "run",
        "sell",
        "work",
        "live",
        "can't",
        "cannot",
        "must",
        "don't",
        "won't",
        "never",
        "would",
        "had",
        "used",
    ]
)


def agent_name(discourse: Discourse, lang: str) -> str:
    """How the agent's side is called in contents."""
    return "对方" if lang == "zh" else discourse.agent_name


def told(clause: Clause, discourse: Discourse) -> str | None:
    """The clause about the person by name; None where it cannot be said of him."""
    if clause.lang == "zh":
        return _told_zh(clause, discourse)
    return _told_en(clause, discourse)


def _told_zh(clause: Clause, discourse: Discourse) -> str | None:
    label, agent = discourse.label, agent_name(discourse, "zh")
    if mentions_self(clause.text):
        content = retold_zh(clause.text, f"{label}那边" if _AS_ONE_ZH.match(clause.text) else label, agent)
        return with_copula(content) if label in content else None
    text = retold_zh(clause.text, label, agent)
    own = clause.subject.who is Who.OWN and not WHEN.match(text)
    gap = " " if label[-1].isascii() and text[:1].isascii() else ""
    return with_copula(f"{label}的{text}" if own else f"{label}{gap}{text}")


_AS_ONE_ZH = re.compile(
    rf"(?:现在|目前|如今)?我们(?!公司|团队|单位)(?:现在|目前|一共|总共|大概|大约|差不多|这边|都)*(?:[有是共]|雇了|招了)?(?:大概|大约|差不多|不到|超过|近)?[\d一二两三四五六七八九十百千万]+(?:多|来|几)?[个名位]?(?:人|员工)(?:了|左右)?$"
    rf"|我们(?:现在|目前|就|这边)*是(?:一家|一个|一间|家|个|间)[^,]{{1,20}}(?:{zh.FIRM_END})(?:的)?$"
    r"|我们(?:是|公司)?(?:[\d一二三四五六七八九〇零]+年)?(?:成立|创办|创立|注册|上市)",
)
_AS_ONE_EN = re.compile(
    rf"we(?:'re|'ve| are| have| were| employ| run)?(?: now| currently| already| all| just| got| only)*(?: grown to| down to| up to)? (?:(?:about |around |roughly |nearly |over |almost |a team of |a staff of )?\d[\d,]*(?:[ -]\w+)? ?(?:people|staff|employees|strong|members|of us)\b{en.WHOLE_SIZE}"
    rf"|(?:a|an) (?:[\w&'-]+ ){{0,7}}?(?:{en.FIRM})\b(?!'s| owner| manager)|founded|established|incorporated|headquartered|(?:doubled|tripled|halved|expanded|downsized)\b|(?:open|closed) (?:on|from|until|at|every|all)\b)",
    _I,
)
"""What `we` are together and none of us is: how many, what kind of firm, since when, when open."""
_BARE_AMOUNT = re.compile(
    r"(?<=的)(?P<thing>[\u4e00-\u9fff]{0,6}?(?:预算|经费|资金|年龄|身高|体重|面积|生日|租金|房租|月租|工资|月薪|年薪|价格|报价|定金|押金|费用|工期|订单量|产量|销量|营业额|营收|客单价|人均)|[\u4e00-\u9fff]{0,6}?(?:公司|团队|店里?|工厂|诊所|办公室|部门|员工|人数|规模)(?=[\d一二两三四五六七八九十百千万]+(?:多|来|几)?[个名位]?(?:人|员工)))(?=[¥$]?(?:\d|[一二两三四五六七八九十百千]+[万千百岁元块月]))"
)


def with_copula(content: str) -> str:
    """A Chinese statement with the verb that people leave out between a thing and its amount."""
    return _BARE_AMOUNT.sub(lambda found: f"{found['thing']}{'有' if _HAS.search(found['thing']) else '是'}", content)


_HAS = re.compile("(?:公司|团队|店里?|工厂|诊所|办公室|部门|员工)$")


def _told_en(clause: Clause, discourse: Discourse) -> str | None:
    label, agent = discourse.label, agent_name(discourse, "en")
    content = retold_en(clause.text, label, agent)
    if _AS_ONE_EN.match(clause.text):
        content = content.replace(label, f"{label}'s organisation", 1)
    if label.casefold() in content.casefold():
        bare = clause.subject.who is Who.NONE and not content.startswith(label)
        return (fragment(echoed(clause.text, agent), label) if bare else None) or content
    if re.search(r"\byou(?:'ve|'re)?\b", clause.text, _I):
        return None
    content = _ARTICLE.sub("", clause.text)
    if clause.subject.who is Who.OWN and _PREPOSED.match(content):
        return f"{label} says {content[:1].lower()}{content[1:]}"
    if clause.subject.who is Who.OWN:
        return f"{label}'s {retold_en(content, label, agent)[:1].lower()}{retold_en(content, label, agent)[1:]}"
    return fragment(content, label)


def told_of(content: str, label: str) -> str | None:
    """What a statement about the person says of him, without him; None where it does not begin with him."""
    if not content.startswith(label):
        return None
    return content[len(label) :].removeprefix("'s ").removeprefix("的").strip(" ：:,，") or None


_WANTS = re.compile(
    r"^(?:(?:also|really|just|still|now|currently|mainly|mostly|only|actually) )*(?:wants?|needs?|requires?|would (?:like|love)|'d (?:like|love)|wishes|hopes|is hoping|plans|intends|is planning|is (?:looking|searching) for|is interested in|is keen on|is after|is in the market for|looking for)\s+(?=\S)"
    r"|^(?:现在|目前|也|还|就|最|主要|一直|特别|真的|急|,|，)*(?:希望|期望|想要|(?<!想)想(?!想|好(?!好))|需要|急需|求购|打算|计划(?!书)|缺(?!少)|要(?![求么是]))(?:的(?:就|主要)?是)?(?=\S)",
    _I,
)


def wanted(content: str, label: str) -> str:
    """What is wanted, without the person and the wanting."""
    told = told_of(content, label) or content.replace(label, "", 1).strip(" ：:")
    found = _WANTS.match(told)
    thing = told[found.end() :] if found is not None and ends_word(told, found.end()) else told
    return thing[:500] or content[:500]


def fragment(text: str, label: str) -> str | None:
    """An English clause without a subject, with the person as its subject."""
    text = tidied_en(text)
    if _ING.match(text):
        return f"{label} is {text[:1].lower()}{text[1:]}"
    first = _FIRST_WORD.match(text)
    if first is not None and first[2].lower() in _BASE:
        return f"{label} {(first[1] or '').lower()}{third_person(first[2])}{text[first.end() :]}"
    return None


def finding(
    clause: Clause,
    discourse: Discourse,
    content: str,
    kind: str,
    importance: int,
    *,
    attribute: str | None = None,
    value: str | None = None,
    modality: Modality = Modality.STATED,
    ended: bool = False,
    about: str | None = None,
) -> Finding:
    """A finding that rests on the whole clause."""
    return Finding(
        content=content,
        kind=kind,
        importance=importance,
        lang=clause.lang,
        spans=(clause.span,),
        attribute=attribute,
        value=value,
        about=about,
        modality=modality,
        key=keys_of(clause.text, (discourse.label, discourse.person.name)),
        ended=ended,
    )
