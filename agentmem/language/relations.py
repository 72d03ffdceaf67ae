"""How names in one sentence are related, by the words between them: `AIP 支持 社保管理系统`, `Acme uses Redis`.

Only what stands between two neighbouring names counts, and only where it is one of the known ways to relate two
things: a pair that merely shares a sentence has no relation. What is denied, disbelieved, asked,
supposed or merely possible relates nobody (see `polarity`).

The names of relations are UPPER_SNAKE and say what the first is to the second; each has its counterpart where the
second may come first.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agentmem import patterns as re
from agentmem.domain.entity import Mention
from agentmem.domain.naming import canonical_name
from agentmem.language.clauses import Span, sentences
from agentmem.language.names import Placed, placed_names
from agentmem.language.polarity import begins_denial, is_denied, is_disbelieved

RELATIONS_EN: Final = {
    "USES": r"uses?|used|using|runs on|ran on|works? with|is using|is based on|is built on|is powered by|is written in|adopted|switched to|moved to using",
    "DEPENDS_ON": r"depends? on|depended on|relies on|relied on|requires?|needs?",
    "SUPPORTS": r"supports?|supported|is compatible with|works? for",
    "PROVIDES": r"provides?|provided|offers?|offered|includes?|contains?|comes with",
    "SUPPLIES": r"supplies|supplied|delivers? to|ships? to|sells? to|sold",
    "SUPPLIED_BY": r"(?:is|are|was|were) (?:supplied|delivered|provided|sold) by|buys from|bought from|comes from|is a customer of",
    "OWNS": r"owns?|owned|acquired|bought|took over",
    "OWNED_BY": r"(?:is|are|was|were) (?:owned|acquired|bought) by|belongs? to|is a subsidiary of",
    "PART_OF": r"is (?:a |the )?(?:part|module|component|division|member|branch|department|unit) of|is in the|is included in",
    "LOCATED_IN": r"(?:is|are|was|were) (?:located|based|headquartered|situated) (?:in|at|near)|lives? in|lived in|is in|sits in|stands in|has its (?:seat|office|headquarters) in|operates in",
    "WORKS_AT": r"works? (?:at|for|with)|worked (?:at|for)|is employed (?:at|by)|joined|is (?:an? |the )?[\w -]{2,30} (?:at|of|for)",
    "LEADS": r"leads?|led|manages?|managed|heads?|headed|runs|directs?|is responsible for|is in charge of|looks after|oversees",
    "LED_BY": r"(?:is|are|was|were) (?:led|managed|headed|run|directed|overseen) by|reports? to",
    "MADE": r"built|builds|develops?|developed|makes|made|created|designed|wrote|invented|produces?|produced|publishes|published|launched|launches|released|releases",
    "MADE_BY": r"(?:(?:is|are|was|were) )?(?:made|built|developed|created|designed|written|invented|produced|published|maintained|launched|released) by|is (?:a|the) product of",
    "FOUNDED": r"(?:co-)?founded|(?:co-)?founds|set up|established",
    "FOUNDED_BY": r"(?:(?:is|was|were) )?(?:co-)?(?:founded|established|set up) by",
    "IS_A": r"is an?|is one of|is an? (?:kind|type|version|variant|fork) of",
    "MAINTAINS": r"maintains?|maintained|operates|operated|hosts?|hosted|administers",
    "MAINTAINED_BY": r"(?:is|are|was|were) (?:operated|hosted|administered|kept) by",
    "CONNECTS_TO": r"connects? (?:to|with)|connected to|integrates? with|integrated with|talks? to|sends? (?:data |events |orders |messages )?to|writes? to|reads? from|feeds|syncs? with|exports? to|is linked to|links? to",
    "STORES_IN": r"stores? (?:its |the |all )?(?:data|records|files|events|orders|documents) in|(?:is|are) stored in|keeps (?:its |the )?\w+ in",
    "REPLACED": r"replaces?|replaced|supersedes?|superseded",
    "REPLACED_BY": r"(?:is|was|were) replaced by|was superseded by|gave way to",
    "KNOWS": r"knows|met|is (?:married to|a friend of|a colleague of|the (?:wife|husband|son|daughter|brother|sister) of)|married",
    "NAMED_AFTER": r"is named after|was named after",
    "PARTNERS_WITH": r"partners? with|partnered with|cooperates with|works together with",
}
RELATIONS_ZH: Final = {
    "IS_A": r"是(?:一[种款个类家套]|其中一[种款个])",
    "USES": r"使用了?|采用了?|用的?是|用了?|基于|运行在|搭载",
    "DEPENDS_ON": r"依赖于?|需要|离不开",
    "SUPPORTS": r"支持|兼容|适用于|帮助|服务于|面向",
    "PROVIDES": r"提供了?|包含|包括|内置|具有|具备|推出了?",
    "SUPPLIES": r"供应|供货给|出售给",
    "SUPPLIED_BY": r"采购自|来自",
    "OWNS": r"拥有|收购了?|控股|买下了?",
    "OWNED_BY": r"归属于?|隶属于",
    "PART_OF": r"属于",
    "LOCATED_IN": r"位于|坐落于|设在|总部(?:位于|在|设在)|住在",
    "WORKS_AT": r"就职于|任职于|供职于|加入了?",
    "LEADS": r"负责|领导|管理着?|主管|主持|带领|牵头",
    "MADE": r"开发了?|研发了?|建造了?|制造了?|设计了?|发布了?|编写了?|上线了",
    "MADE_BY": r"出自",
    "FOUNDED": r"创立了?|创办了?|创建了?|成立了",
    "MAINTAINS": r"维护着?|运维|托管",
    "CONNECTS_TO": r"对接了?|集成了?|连接到?|接入了?|同步到|写入|读取|推送到|打通",
    "STORES_IN": r"(?:的?数据)?(?:存储|保存|存放|存)在",
    "REPLACED": r"替换了?|取代了?|代替了?",
    "KNOWS": r"认识|的(?:同事|朋友|妻子|丈夫|儿子|女儿)是",
}
AROUND_ZH: Final = (
    ("SUPPLIED_BY", "由", "供应|提供|供货"),
    ("OWNED_BY", "被", "收购|买下|控股"),
    ("OWNED_BY", "是", "的?(?:全资)?子公司|旗下"),
    ("PART_OF", "是", "的(?:一部分|一个|组成部分|模块|部门|子系统)"),
    ("LOCATED_IN", "在", "$|[,，、;；]|办公|开设|落户"),
    ("WORKS_AT", "在", "工作|上班|任职|就职"),
    ("WORKS_AT", "是", "的(?:员工|\\w{0,4}经理|总监|\\w{0,4}工程师|负责人|顾问|\\w{0,2}主管|会计|老板|创始人)"),
    ("LED_BY", "由|归", "负责|领导|管理|主管|主持|牵头|管"),
    ("LED_BY", "向", "汇报"),
    ("MADE_BY", "由", "开发|研发|建造|制造|设计|发布|编写|出品"),
    ("MADE_BY", "是", "(?:开发|研发|推出|发布|制造|出品)的"),
    ("FOUNDED_BY", "由", "创立|创办|创建|发起成立"),
    ("MAINTAINED_BY", "由", "维护|运维|托管"),
    ("REPLACED_BY", "被", "替换|取代|代替"),
    ("KNOWS", "和|与", "是(?:同事|朋友|夫妻)|结婚"),
    ("NAMED_AFTER", "以", "命名"),
    ("PARTNERS_WITH", "与|和|同", "(?:达成)?合作"),
)
"""Ways to relate two names that close behind the second one: 由刘强维护."""

LONGEST_BETWEEN: Final = 40
"""Characters between two names that are related."""

_ADVERB_EN: Final = r"(?:\s*,(?:[^,]{1,30},)?)?\s+(?:(?:also|now|still|currently|already|mainly|only|recently|later|then|even|fully|directly|both|has|have|had|will|can)\s+)*"
_ADVERB_ZH: Final = (
    r"[\s]*(?:目前|现在|已经?|也|还|都|主要|正在?|一直|今年|去年|后来|随后|可以?|能够?|会|将|直接|则|即)*"
)
_AFTER_EN: Final = r"\s+(?:the |a |an |its |their |our |his |her |both |from |in |of |new |old |own )*"
_AFTER_ZH: Final = r"[\s的了]*(?:一个|一款|一家|一套|整个|新的?|旧的?|原有的?|名为|叫做?|自己的?)?\s*"
_ASKED: Final = re.compile(r"(?:吗|么|呢)\s*$")
_SUPPOSED: Final = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|assuming|imagine|in case|provided that|as if|as though)\b|如果|若|假如|假设|倘若|要是|万一|是否|即使|除非|只要|一旦|的话",
    re.IGNORECASE,
)
_POSSIBLE: Final = re.compile(
    r"\b(?:may|might|could|would|should|maybe|perhaps|possibly|plans? to|planned to|wants? to|hopes? to)\b"
    r"|可能|也许|或许|计划|打算|考虑|建议|应该|应当|希望|想要|有望",
    re.IGNORECASE,
)
_PERHAPS: Final = re.compile(
    r"^\W*(?:maybe|perhaps|possibly|probably|presumably|可能|也许|或许|大概)\b|[,，]\s*(?:maybe|perhaps|possibly|probably|presumably|可能|也许|或许|大概)(?:吧|是)?\W*$",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(r"[,，;；]")


def _together(prefix: str, ways: Mapping[str, str], suffix: str, flags: int = 0) -> re.Pattern:
    """All ways of a language as one pattern, each under the name of its relation: one match instead of thirty."""
    return re.compile(f"{prefix}(?:{'|'.join(f'(?P<{how}>{words})' for how, words in ways.items())}){suffix}", flags)


_EN: Final = _together(_ADVERB_EN, RELATIONS_EN, _AFTER_EN, re.IGNORECASE)
_ZH: Final = _together(_ADVERB_ZH, RELATIONS_ZH, _AFTER_ZH)
_AROUND: Final = [
    (how, re.compile(f"{_ADVERB_ZH}(?:{words}){_AFTER_ZH}"), re.compile(f"\\s*(?:{end})"))
    for how, words, end in AROUND_ZH
]
_GOES_ON: Final = re.compile(
    r"^[^,，;；、]{0,6}(?:,|，|;|；|、|\s+and\b)\s*(?:and|并且|并|而且|同时|也)?\s*(?P<rest>\S.*)$", re.DOTALL
)
"""What leads from one thing said of a subject to the next."""

_KIND_ZH: Final = "产品|系统|平台|公司|项目|工具|软件|服务|团队|模块|集团|企业|机构|部门|引擎|网关|组件"
_KIND_EN: Final = "product|system|platform|company|project|tool|software|service|team|module|app|engine|gateway|library|firm|component"
_NAMELESS: Final = re.compile(
    rf"[\s\-*•·]*(?:(?:它|该(?:{_KIND_ZH})|本(?:{_KIND_ZH}))|(?:It|(?:This|The) (?:{_KIND_EN}))(?=\s))", re.IGNORECASE
)
"""A sentence whose subject is a word for what the heading names."""

_BULLET: Final = re.compile(r"[\s\-*•·]*")


@dataclass(frozen=True, slots=True)
class Related:
    """A statement that relates names: how the first is related to the second, and who else is in it.

    `text` is the sentence that says so, with its end mark, and `start` its place; `words` are those before the second.
    """

    source: Mention
    relation: str
    destination: Mention
    text: str
    start: int
    words: str = ""
    others: tuple[Mention, ...] = ()


@dataclass(slots=True)
class _Statement:
    source: Mention
    relation: str
    words: str
    end: int
    ends: list[Mention]


def relations_of(text: str, named: Sequence[Placed] | None = None, topic: Mention | None = None) -> list[Related]:
    """The statements of a text that relate names, in order; each once, however many names it relates.

    `named` are the names of the text where they are known already. `topic` is what the text as a whole is about: it
    stands for a subject that is missing or a mere pronoun, as long as nothing before was said of anybody else.
    """
    places = placed_names(text) if named is None else named
    found: list[Related] = []
    alone = topic is not None
    for sentence in sentences(text):
        inside = (each for each in places if sentence.start <= each.start and each.end <= sentence.end)
        within = [each for each in inside if not begins_denial(each.mention.name)]
        if not within:
            continue
        first = _implied(sentence, within, topic if alone else None)
        alone = alone and topic is not None and (first is not None or _same(within[0].mention, topic))
        if is_stated(sentence):
            row = within if first is None else [first, *within]
            whole = sentence.text + sentence.terminator
            found += (
                Related(one.source, one.relation, one.ends[0], whole, sentence.start, one.words, tuple(one.ends[1:]))
                for one in _statements(sentence, row)
            )
    return found


def is_stated(sentence: Span) -> bool:
    """Whether a sentence states anything, as the one who says it believes."""
    text = sentence.text
    if sentence.is_question or is_disbelieved(text):
        return False
    return not any(pattern.search(text) for pattern in (_ASKED, _SUPPOSED, _PERHAPS))


def _same(one: Mention, other: Mention) -> bool:
    return canonical_name(one.name) == canonical_name(other.name)


def _implied(sentence: Span, within: Sequence[Placed], topic: Mention | None) -> Placed | None:
    """The topic where it is the subject without being named: `该平台支持…`, or in Chinese `支持…`."""
    if topic is None or topic.kind == "person" or any(_same(each.mention, topic) for each in within):
        return None
    opening = _NAMELESS.match(sentence.text) or _BULLET.match(sentence.text)
    at = sentence.start + (opening.end() if opening is not None else 0)
    if at > within[0].start:
        return None
    between = sentence.text[at - sentence.start : within[0].start - sentence.start]
    named = _NAMELESS.match(sentence.text) is not None
    if not named and _ZH.fullmatch(between) is None:
        return None
    return Placed(at, at, topic)


def _statements(sentence: Span, row: Sequence[Placed]) -> list[_Statement]:
    """The statements of one sentence; a name that no words relate belongs to the one that it follows."""
    found = list(_related(sentence, row))
    if not found:
        return []
    known = {canonical_name(one.name) for each in found for one in (each.source, *each.ends)}
    for each in row:
        if canonical_name(each.mention.name) not in known:
            known.add(canonical_name(each.mention.name))
            held = next((one for one in reversed(found) if one.end <= each.start), found[0])
            held.ends.append(each.mention)
    return found


def _related(sentence: Span, row: Sequence[Placed]) -> Iterator[_Statement]:
    subject: Placed | None = None
    for left, right in pairwise(row):
        between, after = _between(sentence, left.end, right.start), _between(sentence, right.end, right.end + 20)
        relation = _relation(between, after)
        # "Acme uses Redis and depends on Kafka": what goes on behind the second name is said of the first.
        if relation is None and subject is not None and (rest := _GOES_ON.match(between)):
            relation = _relation(f" {rest['rest']}", after)
        else:
            subject = left
        if relation is None or _same(subject.mention, right.mention) or _is_open(sentence, subject, right):
            subject = None
        else:
            yield _Statement(subject.mention, relation, between.strip(), right.end, [right.mention])


def _between(sentence: Span, start: int, end: int) -> str:
    return sentence.text[start - sentence.start : max(0, end - sentence.start)]


def _is_open(sentence: Span, subject: Placed, right: Placed) -> bool:
    """Whether the clause says what may be, or is planned, or is not so."""
    before = _between(sentence, sentence.start, subject.start)
    between = _between(sentence, subject.end, right.start)
    if _POSSIBLE.search(_CLAUSE_END.split(before)[-1] + between) is not None:
        return True
    return is_denied(before, between, _between(sentence, right.end, sentence.end))


def _relation(between: str, after: str) -> str | None:
    if not between or len(between) > LONGEST_BETWEEN or is_denied("", between, ""):
        return None
    for how, words, end in _AROUND:
        if words.fullmatch(between) and end.match(after):
            return how
    found = _ZH.fullmatch(between) or _EN.fullmatch(between)
    return found.lastgroup if found is not None else None
