"""Whose company a question names. What somebody says of "us", or what fills a slot of his that a company has too, is told
of the company that he works at or runs."""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Collection, Iterable
from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han
from agentmem.domain.attributes import base_of, slot_of
from agentmem.domain.memory import MemoryNode, MemoryType, Modality
from agentmem.domain.naming import canonical_name
from agentmem.language.clauses import sentences
from agentmem.language.word_lists import word_list

_OF_A_COMPANY: Final = frozenset({"headcount", "budget", "current_system", "business", "industry", "deadline"})
"""Slots of a person that are as much his company's."""

_ROLE: Final = (
    r"(?:head|director|manager|ceo|cto|cfo|coo|founder|owner|president|lead|buyer|engineer|developer|designer|accountant"
    r"|assistant|consultant|secretary|planner|supervisor|chef|nurse|teacher|analyst|administrator)(?: (?:of|for) [\w ]{1,30}?)?"
)
_KIND: Final = (
    "company|firm|business|shop|store|bakery|restaurant|agency|start-?up|studio|factory|clinic|practice|employer"
)
_STARTS_EN: Final = (
    r"(?:^|[^\w ] ?|\b(?:and|but|so|because|since|hi|hello|hey|yes|well|ok|this is|in \d{4}) )(?:now |currently )?"
)
_AM: Final = r"(?:['’]m| am|['’]re| are| is)"
_ALSO: Final = r"(?: (?:now|currently|still|also|both|just|actually))?"
_LEADS_EN: Final = re.compile(
    rf"{_STARTS_EN}(?:"
    rf"(?:i|we)(?:{_AM}{_ALSO} working|{_ALSO} works?)(?: as [\w ]{{1,40}}?)? (?:at|for)"
    rf"|(?:i|we){_AM}{_ALSO}(?: i,?)?(?: (?:the|an?)(?: [\w-]+){{0,2}}?|(?: [\w-]+)??) {_ROLE} (?:at|of|for|with)"
    rf"|i(?: here)?, (?:the |an? )?(?:[\w-]+ )?{_ROLE} (?:at|of|for|with)"
    rf"|(?:i|we)(?:{_AM}{_ALSO})?(?: i)?(?: calling| writing| speaking| here)? from"
    rf"|(?:i|we){_ALSO} (?:run|own|found|lead|start)(?:s|ed)?"
    rf"|(?:my|our|i['’]s) (?:(?:own|new|current|small|little|family) )?(?:{_KIND})(?: is)?(?: called| named)?"
    r"|we at)(?: the)? $"
)
"""What stands before the name of one's own company, in small letters, and says of oneself, and of nobody else, that one
is there; `i` stands for the speaker's name, too."""
_STARTS_ZH: Final = r"(?:(?:你好|您好|大家好|因为|所以|而且|但是?|不过|是的|对|嗯)[^\w ]?)*"
_I_ZH: Final = "(?:[我咱]们?|本人)(?:现在|目前|如今|一直|也|都|就|已经)?"
_OPENS_ZH: Final = f"(?:(?:^|.*[^\\w ] ?){_STARTS_ZH}{_I_ZH}|^{_STARTS_ZH}(?:我(?:叫|姓|是|今年)\\w{{1,12}}[^\\w ] ?)?)"
_LEADS_ZH: Final = re.compile(
    f"{_OPENS_ZH}(?:来自|[就任供]职于|的?(?:公司|单位|店|企业)(?:的?名字|全称)?(?:是|叫做?)?)"
    f"|(?:^|.*[^\\w ] ?){_STARTS_ZH}(?:[我咱]们|{_I_ZH}(?:开|创办|经营)了?(?:一?家)?)"
)
_AROUND_ZH: Final = (
    re.compile(f"{_OPENS_ZH}(?:在|是)"),
    re.compile(
        "(?:做|工作|上班|任职|当|担任|负责|管|干|就职"
        "|的(?!(?:[老新大]|潜在|长期)?(?:客户|对手|供应商|竞争|合作|用户|邻居|朋友|代理|经销|家属)))"
    ),
)
_NO_LONGER: Final = re.compile(
    r"\b(?:used to|formerly|previously|former|left|quit)\b|以前|之前|曾经?|离开|离职", re.IGNORECASE
)
_US: Final = re.compile(
    r"\b(?:we|us|our|ours)\b|[我咱]们(?!家)|公司|本店|[店厂]里|自己的?(?:老板|总?经理|老总|领导|团队|部门|店|厂)",
    re.IGNORECASE,
)
_NEAR: Final = 60
"""Characters before a name in which what leads to it is looked for."""

_OPENS: Final = re.compile("(?:请问|那么?|你知道)?")
_FIRM: Final = re.compile(
    "(?![我你您他她它咱这那哪该本贵谁每各])[\u4e00-\u9fff]{2,6}?"
    f"(?:{'|'.join(word_list('names_zh', 'trades'))})(?=[有的多用谁预现是规在要想打几什怎])"
)


def firm_of(question: str) -> str | None:
    """The firm that a Chinese question begins with, as its name shows: it closes with a trade."""
    opens = _OPENS.match(question)
    found = _FIRM.match(question, opens.end() if opens else 0)
    return canonical_name(found.group()) if found else None


def is_of_a_company(node: MemoryNode, sentence: str) -> bool:
    """Whether a sentence of what somebody told is as much about his company as about him."""
    if node.attribute is not None and base_of(slot_of(node.attribute)) in _OF_A_COMPANY:
        return True
    return _US.search(sentence) is not None


def is_his_company(node: MemoryNode, names: Collection[str]) -> bool:
    """Whether one of these names, in canonical form, is that of the company which its person works at or runs, as a
    memory says."""
    own = node.memory_type is MemoryType.OBSERVATION or (
        node.memory_type is MemoryType.CONVERSATION and node.speaker == node.target_name
    )
    if not own or not names or node.modality in (Modality.NEGATED, Modality.HYPOTHESIS):
        return False
    if node.attribute == "employer" and node.value:
        return any(_begins(canonical_name(node.value), name) for name in names)
    return any(_says(each, names) for each in _statements(node))


def _statements(node: MemoryNode) -> Iterable[str]:
    """What it says, sentence by sentence in canonical form, with "i" or 我 for the name of the one who says it."""
    owner = canonical_name(node.target_name)
    for each in sentences(node.content):
        if _NO_LONGER.search(each.text) is None:
            yield canonical_name(each.text).replace(owner, "我" if has_han(owner) else "i")


def _says(sentence: str, names: Iterable[str]) -> bool:
    return any(name in sentence and _leads_to(sentence, name) for name in names)


def _leads_to(sentence: str, name: str) -> bool:
    start = sentence.index(name)
    before, behind = sentence[max(0, start - _NEAR) : start], sentence[start + len(name) :]
    if not has_han(name):
        return not behind[:1].isalnum() and _LEADS_EN.search(before) is not None
    leads, follows = _AROUND_ZH
    around = leads.fullmatch(before) is not None and follows.match(behind) is not None
    return around or _LEADS_ZH.fullmatch(before) is not None


def _begins(value: str, name: str) -> bool:
    """Whether a company may be called by that name: by all of its own, or in Latin letters by the first words of it."""
    return value == name or (not has_han(name) and value.startswith(f"{name} "))
