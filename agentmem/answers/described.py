"""Whether a question asks something of what it does not name but describes: the founder of a company, a colleague's
boss. Such a question takes a step before the one that answers it."""

from typing import Final

from agentmem import patterns as re
from agentmem.language.names import placed_names

LONGEST: Final = 2_000
"""Characters of a question that are looked at."""

_FRAME_EN: Final = re.compile(r"^\W*(?:and )?(?:who|what) (?:is|are|was|were) ", re.IGNORECASE)
_TIE_EN: Final = re.compile(
    r"\b(?:the|a|an) (?:[\w-]+ ){1,4}?(?:of|behind|underneath|beneath|inside|in|at|by|for|from|with|on|used by|who|that"
    r"|which|whose) |\w['’]s? (?=[a-z])",
    re.IGNORECASE,
)
_ROLE_ZH: Final = re.compile(
    r"(?:负责|创始|创办|牵头|主持|主理|掌门|发明|合伙|继任|联系|介绍|代言|守塔|承办|推荐)人|(?:创办|开发|设计|维护|经营|发明|研发|管理|领导|作)者"
    r"|(?:董事|院|校|行|厂|矿|镇|市|县|村|部|局|处|科|店|班|组|队|社|会|船)长|(?:总)?经理|老板|主任|主管|上司|(?:架构|设计|工程|会计|律)师|程序员"
    r"|(?:合作|供应|开发|供货|制造|经销|代理)[方商]|公司|企业|厂家|客户|太太|妻子|丈夫|爱人|儿子|女儿|父亲|母亲|哥哥|弟弟|姐姐|妹妹"
    r"|同学|同事|朋友|邻居|老师|学生|徒弟"
)
_FRAME_ZH: Final = re.compile(
    r"(?:是(?:谁|什么(?:人|公司)?|哪(?:家|位|个|些)?)|叫什么(?:名字)?|有(?:谁|哪些)|都?有什么)\W*$"
)
_OWNED_ZH: Final = re.compile(r"(?<=[^\s我你您他她它])的")


def is_described(question: str) -> bool:
    """Whether it asks for something of what it describes."""
    text = question[:LONGEST]
    return _ties_zh(text) > 1 or _ties_en(text) > 1


def _ties_en(text: str) -> int:
    """How many steps the words name; what is asked of the last is one, unless it is only who that is."""
    ties = sum(1 for _ in _TIE_EN.finditer(text))
    return ties if ties == 0 or _FRAME_EN.search(text) else ties + 1


def _ties_zh(text: str) -> int:
    names = placed_names(text)
    roles = [role for role in _ROLE_ZH.finditer(text) if not any(each.start < role.end() <= each.end for each in names)]
    ended = {role.start() for role in roles} | {each.start for each in names}
    owned = [found for found in _OWNED_ZH.finditer(text) if found.end() not in ended]
    ties = len(roles) + len(owned)
    return ties if not roles or _FRAME_ZH.search(text) else ties + 1
