"""Findings: a clause retold as a sentence about the person, whatever its rule; the things a statement is about, as short
noun phrases; and how whom it is about is related to something it names.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Mapping
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import Clause, Discourse, Finding, Who
from agentmem.adapters.cognition.rules.retelling import mentions_self, retold_en, retold_zh, third_person, tidied_en
from agentmem.domain.entity import Mention
from agentmem.domain.memory import Modality
from agentmem.domain.naming import canonical_name
from agentmem.language.names import names_of
from agentmem.language.relations import relations_of

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
        "like",
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
        content = retold_zh(clause.text, label, agent)
        return content if label in content else None
    text = retold_zh(clause.text, label, agent)
    own = clause.subject.who is Who.OWN and not WHEN.match(text)
    gap = " " if label[-1].isascii() and text[:1].isascii() else ""
    return f"{label}的{text}" if own else f"{label}{gap}{text}"


def _told_en(clause: Clause, discourse: Discourse) -> str | None:
    label, agent = discourse.label, agent_name(discourse, "en")
    content = retold_en(clause.text, label, agent)
    if label.casefold() in content.casefold():
        return content
    if re.search(r"\byou(?:'ve|'re)?\b", clause.text, _I):
        return None
    content = _ARTICLE.sub("", clause.text)
    if clause.subject.who is Who.OWN and _PREPOSED.match(content):
        return f"{label} says {content[:1].lower()}{content[1:]}"
    if clause.subject.who is Who.OWN:
        return f"{label}'s {retold_en(content, label, agent)[:1].lower()}{retold_en(content, label, agent)[1:]}"
    return fragment(content, label)


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
