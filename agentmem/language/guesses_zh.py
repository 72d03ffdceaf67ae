"""Whether what the segmenter takes for a name in Chinese text is one: it guesses, and takes 胡子 for a person.

A word that could as well be a common one needs something beside it that is said with names, or has to come again.
"""

from typing import Final

from agentmem import patterns as re
from agentmem.language.coined_zh import DOES, PARTICLES, SURNAMES

_DOUBLE: Final = (
    "欧阳",
    "上官",
    "司马",
    "诸葛",
    "皇甫",
    "令狐",
    "司徒",
    "慕容",
    "尉迟",
    "长孙",
    "东方",
    "夏侯",
    "公孙",
    "端木",
)
_CALLED_SO: Final = re.compile(r"[小老阿][\u4e00-\u9fff]")
_NO_WORDS: Final = frozenset(
    "王李张刘陈杨赵吴徐孙朱郭罗郑谢宋唐许韩冯邓曹彭曾萧蔡潘董袁蒋沈吕苏魏贾薛侯邹崔陆谭廖邱姚汪姜傅卢蔺郝邵孟钱尹赖龚覃何梁"
)
"""Surnames that hardly begin a common word."""

_TAILS: Final = frozenset("树队洲狮鸟鱼茶楼站馆厂店桥街们")
"""Characters that close a common noun of three, and hardly a given name."""

_BEFORE: Final = re.compile(
    r"(?:叫|找|问|请|跟|和|与|同|由|给|让|陪|姓名[::]?|名字是|我是|他是|她是|认识|联系|同事|同学|朋友|妻子|丈夫|太太|先生|女儿|儿子|哥哥|姐姐|弟弟|妹妹"
    r"|老师|教授|医生|经理|主任|主管|总监|院长|校长|行长|店主|作者|工程师|设计师|创始人|负责人|、)\s*$"
)
_BEHIND: Final = re.compile(
    r"^\s*(?:说|问我|告诉|想要|认为|觉得|先生|女士|小姐|老师|教授|博士|医生|经理|主任|总监|工程师|院长|校长|同学|创办|创立|负责|担任|任职|加入|毕业|住在|喜欢|开发|设计|写的|写了|翻译|主编|牵头|主持|搬|离职|退休"
    r"|、[\u4e00-\u9fff]|[,,]?(?:他|她)(?:是|在|说)|的(?:妻子|丈夫|太太|爱人|儿子|女儿|哥哥|弟弟|姐姐|妹妹|父亲|母亲|同事|朋友|电话|手机|邮箱|生日))"
)
_ACTS: Final = re.compile(DOES)
_EMPLOYED: Final = (
    re.compile(r"(?:在|去|到|加入|进|离开)$"),
    re.compile(r"^(?:上班|工作|任职|实习|当|做|的(?:员工|同事|销售|工程师))"),
)
_ORDINAL: Final = re.compile(r"第?[一二三四五六七八九十百千两\d]+(?:版|楼|层|封|章|节|期|次|届|个)")
_LAY: Final = re.compile(r"[上下老大小新旧石木松湖河海沙铁前后山水][滩底街路桥林岛海边]")
"""Two characters that say what a place is like, and not which."""

_OPENED: Final = '《“「『"【'
_CLOSED: Final = '》”」』"】'


def is_employer(text: str, start: int, name: str) -> bool:
    """Whether somebody is said to work there."""
    before, behind = _around(text, start, name)
    at, doing = _EMPLOYED
    return at.search(before) is not None and doing.match(behind) is not None


def is_person(text: str, start: int, name: str) -> bool:
    """Whether a word that is taken for a person's name is one."""
    given = _given(name)
    if given is not None and len(given) == 2 and len(name) - len(given) == 1:
        return given[-1] not in _TAILS and not name.endswith("子")
    if given is not None and (len(name) - len(given) == 2 or name[0] in _NO_WORDS):
        return not name.endswith("子")
    fits = given is not None or _CALLED_SO.fullmatch(name) is not None or 2 <= len(name) <= 3
    if not fits or set(name[1:]) & PARTICLES or _ORDINAL.match(name):
        return False
    before, behind = _around(text, start, name)
    return bool(_BEFORE.search(before) or _BEHIND.match(behind) or _ACTS.match(behind))


def is_place(name: str) -> bool:
    """Whether a word that is taken for a place's name is one."""
    return not (_LAY.fullmatch(name) or _ORDINAL.match(name))


def is_thing(text: str, start: int, name: str) -> bool:
    """Whether a word of no known kind is a name: one that is quoted, or comes again."""
    before, behind = text[start - 1 : start], text[start + len(name) :][:1]
    quoted = before in _OPENED and behind in _CLOSED and bool(before and behind)
    return not _ORDINAL.match(name) and (quoted or text.count(name) > 1)


def _given(name: str) -> str | None:
    """What stands behind the surname."""
    size = 2 if name.startswith(_DOUBLE) else 1 if name[0] in SURNAMES else 0
    given = name[size:]
    return given if size and 1 <= len(given) <= 2 and not set(given) & PARTICLES else None


def _around(text: str, start: int, name: str) -> tuple[str, str]:
    return text[max(0, start - 12) : start], text[start + len(name) :][:12]
