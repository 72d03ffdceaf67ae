"""What a person says of things and matters that no other rule reads: held in his words, as what he says.

The last of the rules: a clause that stands alone and gives something to go by (a value, a name, what is to be done, who
decides) is told as said by him. What gives nothing to go by is left to the turn.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.findings import finding
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Who
from agentmem.adapters.cognition.rules.retelling import echoed, retold_zh
from agentmem.domain.memory import Modality
from agentmem.language.injection import gives_orders
from agentmem.language.names import names_of

_I = re.IGNORECASE
_VALUE = re.compile(
    r"\d|[周月期拜][一二三四五六日天末底初]|[一二三四五六七八九十百千万两几半]+[点个月日号人位名套台件份家次条张本辆部间层岁天年块元斤板箱桌杯盒瓶包袋只双节课折档楼期度级]"
    r"|[今明后][天年晚早]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|noon|midnight|tomorrow|tonight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|thousand|dozen|half)\b",
    _I,
)
"""A number, a day or a time."""
_TO_DO_ZH = re.compile(
    r"(?:给|帮|让|叫|请|替)(?:我|我们|他|她)?[^,]{1,}|(?:要|得|必须|不能|不要|别|只要|只吃|只喝|只用|只能|不吃|不喝|不用|不要)[^,]{2,}|[送寄留订定约报排装修换改放写做搬用](?:到|在|成|给|个|一|两|去)?[^,]{2,}|(?:决定|安排|负责|归|由|听)[^,]{2,}"
)
_IS_ZH = re.compile(
    r"[^,我你他她它这那]{2,12}(?:的[^,]{1,8})?(?:(?:现在)?(?:就?是|叫|为|归|由|改名叫?|属于)|(?:在|到|住|放|走|用|选|找))(?!的|不|谁|哪|什么)[^,]{2,}"
)
_DONE_ZH = re.compile(
    r"^[^,我你他她它这那好行对是没谢知明麻辛]{2,8}?(?:总算|终于|已经|刚|都)*(?:办完|买|卖掉?|换|签|交|订|定|收到|用完|戒掉?|修好|装好|批|通过|考完|毕业|生|停|取消|改)了$"
)
_LEAD_EN = r"(?:(?:for|at|in|on|from|with|about|as for) [^,]{2,40}, ?)?"
_NOUN_EN = r"(?:(?:the|our|my|both|all|each|every|this|these|an?|no)\s)?(?:(?!(?:it|that|this|there|he|she|they|you|who|what|which|one|ones)\b)[\w&'.:-]+\s){0,5}?(?!(?:it|that|this|there|he|she|they|you|who|what|which)\b)[\w&.:-]+"
_VERB_EN = (
    r"(?:'s|'re|'ll|'d|'ve|\s(?:is|are|was|were|has|have|had|will|would|can|can't|cannot|could|must|mustn't|should|needs?|do|does|did|doesn't|don't|didn't|isn't|aren't|wasn't|weren't|won't|hasn't|haven't|may"
    r"|goes|go|went|gets?|got|comes?|came|takes?|took|makes?|made|keeps?|kept|lasts?|lasted|runs?|ran|starts?|started|ends?|ended|opens?|opened|closes?|closed|costs?|holds?|held|leaves?|left|lives?|lived|works?|worked"
    r"|stays?|stayed|sits?|sat|stands?|stood|broke|fell|arrived?|arrives|moved?|moves|changed?|changes|passed|failed|died|retired|resigned|signs?|signed|approves?|decides?|decided|handles?|pays?|paid|owns?|looks?|looked|feels?|felt|sounds?|matters?|means?|meant|fits?|suits?|suited|prefers?|wants?|wanted|likes?|loves?|hates?|helps?|helped|shuts?|expires?|expired|turns?|turned|grew|grows?|rose|dropped|drops?|increased|slipped|cracked|leaks?|leaked|stopped|stops?|covers?|includes?|included|belongs?|weighs?|measures?|says|showed|shows?|sells?|sold|takes?|ships?|accepts?))\b"
)
_SAYS_EN = re.compile(rf"^{_LEAD_EN}{_NOUN_EN}{_VERB_EN}.{{2,}}$", _I)
_EMPTY_EN = re.compile(
    r"^(?:the )?(?:mine|ours|theirs|thing|problem|point|truth|idea|question|answer|trouble|news|weather|traffic|sun|rain|world|life|time|nothing|something|everything|anything|everybody|everyone|nobody|somebody|people|bad news|good news|sounds?|looks?|thanks|fingers|god|heaven|hell|well|fine|ok|okay|yes|no|not|guess|change|update)\b",
    _I,
)
_SECOND = re.compile(r"\b(?:you|your|yours)\b|[你您]", _I)
_HIS_OPINION = re.compile(
    r"\b(?:lovely|brilliant|great|amazing|awful|terrible|perfect|wonderful|fantastic|horrible|ridiculous|nightmare|hilarious|funny|fabulous)\b|太[^,]{1,4}了|[好真](?:棒|美|赞|烦|爽|惨|累|难|贵|巧)|累|烦死|气死|笑死|吓|倒霉|无语|^别[笑怪介急担忘]|[我己]叫|^(?:免贵)?姓",
    _I,
)
_NO_MORE = re.compile(
    r"不再|不(?:去|参加|做|干|弄|办|报|学|练|来|用|要|麻烦|吃|喝|租|订|养|考|跑|上|住)[^,]{0,6}了$|\b(?:no longer|not any ?more|any more)\b",
    _I,
)
_HEARSAY = re.compile(r"\b(?:told|said|says|reckons?|claims?|thinks?|thought)\b|[说讲告]|觉得|认为|以为", _I)
_LONGEST = 120


def sayings(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """The clause as what he says, where it gives something to go by."""
    if clause.act not in (Act.ASSERT, Act.REQUEST) or clause.subject.who in (Who.SECOND, Who.WORLD, Who.THIRD):
        return
    if not 4 <= len(clause.text) <= _LONGEST or _SECOND.search(clause.text) or _HIS_OPINION.search(clause.text):
        return
    if gives_orders(clause.text) or _REMEMBER.match(clause.text) or _of_somebody_else(clause.text, discourse.label):
        return
    told = _told_zh(clause, discourse) if clause.lang == "zh" else _told_en(clause, discourse)
    if told is not None and not _HEARSAY.search(clause.text):
        kind = kind_of(clause.text, clause.lang)
        modality = Modality.NEGATED if _NO_MORE.search(clause.text) else Modality.STATED
        yield finding(clause, discourse, told, kind.name, max(3, kind.importance - 2), modality=modality)


_REMEMBER = re.compile(
    r"(?:please |and |so )*(?:remember|note|write down|keep in mind)\b|[请你您麻烦]*(?:记住|记得|记下|记录)", _I
)
"""What asks to be remembered is an order, and may be anything."""


def _of_somebody_else(text: str, label: str) -> bool:
    """Whether a clause begins with the name of a person who is not the speaker."""
    people = (each.name for each in names_of(text) if each.kind == "person")
    return any(text.startswith(name) and name not in label for name in people)


def _told_zh(clause: Clause, discourse: Discourse) -> str | None:
    text = clause.text
    named = _IS_ZH.match(text) is not None
    gives = named or _VALUE.search(text) or _TO_DO_ZH.search(text) or _DONE_ZH.match(text)
    if (
        not gives
        or _OTHERS_ZH.match(text)
        or (discourse.elsewhere and "我" not in text and not _OF_ITS_OWN.match(text))
    ):
        return None
    said = retold_zh(text, "自己", "对方")
    return f"{discourse.label}说{said}" if len(said) >= 4 else None


_OTHERS_ZH = re.compile(r"[老小][\u4e00-\u9fff](?![\u4e00-\u9fff]?的)[^,]{2,}")
_OF_ITS_OWN = re.compile(r"[^,我你他她它这那]{1,12}的[^,]{1,8}(?:是|叫|为|归)")
_OTHERS_EN = re.compile(
    r"(?-i:[A-Z][a-z]{2,})(?:'s| is| has| had| would| will| can't| can)?\s(?:wants?|wanted|likes?|loves?|hates?|thinks?|prefers?|lives?|works?|knows?|speaks?|studies|drives?|plays?|said|says|(?:now |still |just )?(?:on|off|away|at|ill|in|snowed|a|an|not)\b|an? |actually )"
)
"""Somebody else, by name: what is told of him is not told of the speaker."""


def _told_en(clause: Clause, discourse: Discourse) -> str | None:
    text = clause.text
    if (
        (_SAYS_EN.match(text) is None and _THERE_ARE.match(text) is None)
        or _EMPTY_EN.match(text)
        or _OTHERS_EN.match(text)
        or len(text.split()) < 4
    ):
        return None
    said = echoed(text, discourse.agent_name)
    first = text.split(" ", 1)[0]
    named = first[:1].isupper() and first.lower() not in _OPENERS and said[:1].upper() == first[:1]
    return f"{discourse.label} says {first[:1] if named else said[:1]}{said[1:]}"


_THERE_ARE = re.compile(
    r"there(?:'s| is| are|'re) (?:\w+ ){0,2}(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty)\b.*",
    _I,
)
_OPENERS = frozenset(
    [
        "the",
        "our",
        "my",
        "both",
        "all",
        "each",
        "every",
        "this",
        "these",
        "an",
        "a",
        "no",
        "some",
        "most",
        "half",
        "two",
        "three",
        "four",
        "five",
        "for",
        "at",
        "in",
        "on",
        "from",
        "with",
        "about",
        "as",
    ]
)
