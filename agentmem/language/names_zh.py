"""Names in Chinese text: by the word classes of the segmenter, by the noun that closes a name (公司, 系统, 项目), and by what
stands beside characters that form no known word.

A segmenter guesses at such characters and takes a neighbour along (`由周|以宁`). Cut by the dictionary alone they stay
single, so a row of them before a noun that closes a name (`青|峦|科技`), or after a role (`院长|韩|听|雪`), is one. It takes
胡子 for a person, too: a word that could as well be a common one needs something beside it that is said with names, or
has to come again.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import rjieba

from agentmem import patterns as re
from agentmem.characters import is_han
from agentmem.domain.entity import EntityKind
from agentmem.language.names_en import COMMON
from agentmem.language.word_lists import word_list

_TRADES: Final = frozenset(word_list("names_zh", "trades"))
"""What a firm does, which closes its name where the rest of it is coined: 青峦科技."""

_LANDS: Final = frozenset(["镇", "村", "县", "乡"])
_LAND_WORD: Final = 2
"""Characters of a place's name before the noun that closes it; they may be a word: 青石|镇."""

_MOST: Final = 4
"""Coined characters in one name."""

_FUNCTION: Final = frozenset(
    "的了是在和与或及由从到向对把被给让使为替跟同以于自用靠按经就也都还又再才只很更最不没未别这那哪此该本每各某其它他她我你您们个位名家条种座只台部份来去上下里外中内前后有无能会可要想做说看听问请叫如若但而且则即所之者着过吗呢吧啊一二两三四五六七八九十百千万第几多少大小新老旧好等第"
)
PARTICLES: Final = frozenset("的了是在和与或及由从到把被给也都还又这那哪他她我你们个位着过吗呢吧啊")
"""Characters no given name has."""

SURNAMES: Final = frozenset(word_list("surnames_zh", "common", "frequent", "seldom", "words of a dictionary"))
_ROLE: Final = (
    r"(?:行长|院长|校长|镇长|村长|县长|市长|矿长|厂长|店长|站长|馆长|科长|处长|局长|部长|船长|董事长|总经理|经理|总监|主任|主管|主编|老板|老板娘|所长|队长|组长|会长"
    r"|负责人|创始人|创办人|创办者|发明人|主持人|设计师|架构师|工程师|程序员|研究员|守塔人|店主|作者|译者|作家|画家|教授|院士|律师|会计|秘书|助理|顾问"
    r"|妻子|丈夫|太太|爱人|儿子|女儿|哥哥|弟弟|姐姐|妹妹|侄女|侄子|外甥女|外甥|孙子|孙女|同学|同事|朋友)(?:是|叫|为|：|:)?"
)
DOES: Final = r"(?:共同|一手|独立|亲自|全权|具体)?(?:负责|牵头|主持|领导|管理|主管|带领|开发|研发|设计|建造|制造|生产|创办|创立|创建|编写|撰写|翻译|提供|供应|承担|承办|维护|运维|运营|托管|收购|发起|发明|出品|资助|看守|执笔)"
_NEXT: Final = r"(?:$|[^\u4e00-\u9fff]|的|是|和|与|在|原|从|也|都|今年|去年|以前|曾|主管|负责|说|认为|觉得|出生|毕业|任|担任|创办|加入|接|有|把|被|给|向|写|开|住|来|去|研究|牵头|主持)"
_KIN: Final = r"的(?:妻子|丈夫|太太|爱人|儿子|女儿|哥哥|弟弟|姐姐|妹妹|父亲|母亲|同事|朋友|电话|手机|邮箱|生日)"
_ROLED: Final = (
    re.compile(rf"{_ROLE}(?P<name>[\u4e00-\u9fff]{{2,3}}?)(?={_NEXT})"),
    re.compile(rf"(?<![\u4e00-\u9fff])(?P<name>[\u4e00-\u9fff]{{2,3}})(?={_KIN})"),
)
_BY: Final = re.compile(rf"由(?P<name>[\u4e00-\u9fff]{{2,10}}?)(?={DOES})")
_AMID_LATIN: Final = re.compile(r"(?<=[A-Za-z] )(?P<name>[\u4e00-\u9fff]{2,10})(?=[ ,.;:!?)'’]|$)")
_HEADING: Final = re.compile(r"#*[ \t]*(?P<name>[\u4e00-\u9fff]{2,10})[ \t]*\n")
_TITLE: Final = re.compile(r"《(?P<name>[^《》\n]{1,40})》")


def coined_names(text: str, heads: Mapping[str, EntityKind]) -> Iterator[tuple[int, str, EntityKind]]:
    """Each name with its place and its kind; `heads` are further nouns that close a name. Names may overlap."""
    for start, name in (*((found.start("name"), found["name"]) for found in _TITLE.finditer(text)), *_recurring(text)):
        yield start, name, _kind(name, heads)
    for found in _AMID_LATIN.finditer(text):
        yield found.start("name"), found["name"], _kind(found["name"], heads)
    for found in (*(each for cue in _ROLED for each in cue.finditer(text)), *_BY.finditer(text)):
        kind = _kind(found["name"], heads)
        if kind != "thing":
            yield found.start("name"), found["name"], kind
    yield from _closed_by_noun(text, heads)


def _recurring(text: str) -> Iterator[tuple[int, str]]:
    """The heading of a text, wherever the text comes back to it: what it is about has that name."""
    heading = _HEADING.match(text)
    name = heading["name"] if heading is not None else ""
    if heading is None or text.find(name, heading.end()) < 0:
        return
    at = text.find(name)
    while at >= 0:
        yield at, name
        at = text.find(name, at + len(name))


def _kind(name: str, heads: Mapping[str, EntityKind]) -> EntityKind:
    if any(name.endswith(trade) and name != trade for trade in _TRADES):
        return "organisation"
    if head := next((head for head in heads if name.endswith(head) and name != head), None):
        return heads[head]
    return "person" if name[0] in SURNAMES and 2 <= len(name) <= 3 and not set(name[1:]) & PARTICLES else "thing"


def _closed_by_noun(text: str, heads: Mapping[str, EntityKind]) -> Iterator[tuple[int, str, EntityKind]]:
    words = rjieba.cut(text, False)
    starts = [0, *accumulate(map(len, words))]
    for place, word in enumerate(words):
        kind: EntityKind | None = "organisation" if word in _TRADES else "place" if word in _LANDS else heads.get(word)
        if kind is None:
            continue
        first = _place_word(words, place) if word in _LANDS else _coined(words, place)
        if starts[place] - starts[first] >= 2:
            yield starts[first], text[starts[first] : starts[place + 1]], kind


def _place_word(words: list[str], place: int) -> int:
    """Where the two characters before a word begin, one word or coined; `place` where there are none."""
    if place and len(words[place - 1]) == _LAND_WORD and all(map(is_han, words[place - 1])):
        return place - 1
    first = _coined(words, place)
    return first if place - first == _LAND_WORD else place


def _coined(words: list[str], place: int) -> int:
    """Where the row of single characters before a word begins."""
    first = place
    while first and place - first < _MOST and _is_coined(words[first - 1]):
        first -= 1
    return first


def _is_coined(word: str) -> bool:
    return len(word) == 1 and is_han(word) and word not in _FUNCTION


_DOUBLE: Final = word_list("surnames_zh", "compound")
_CALLED_SO: Final = re.compile(r"[小老阿][\u4e00-\u9fff]")
_NO_WORDS: Final = frozenset(word_list("surnames_zh", "begin no word"))
"""Surnames that hardly begin a common word."""

_TAILS: Final = frozenset("树队洲狮鸟鱼茶楼站馆厂店桥街们人册")
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


_USUAL: Final = frozenset(word_list("surnames_zh", "common", "frequent"))


_FORMS: Final = frozenset("总姐哥工嫂叔姨爷妈爸")
"""How somebody is addressed behind his surname."""


def is_full_name(name: str) -> bool:
    """Whether characters can be nothing but somebody's full name, whatever stands around them: a surname, and with it no
    word of the dictionary."""
    given = _given(name)
    if given is None or not (name[0] in _USUAL or name.startswith(_DOUBLE)) or given[-1] in _TAILS | _FORMS:
        return False
    coined = all(len(word) == 1 for word in rjieba.cut(name, False) if not word.startswith(_DOUBLE))
    return coined and (len(name) > 2 or [tag for _, tag in rjieba.tag(f"我是{name}")][-1] == "nr")


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


_KINDS: Final[dict[EntityKind, str]] = {
    "organisation": "公司 集团 银行 医院 大学 学院 中学 小学 学校 研究院 研究所 事务所 诊所 工厂 基金会 协会 委员会 局 部门 超市 酒店 餐厅 团队 股份 总局 社保局 税务局",
    "product": "系统 管理系统 平台 软件 小程序 网站 引擎 框架 数据库 模型 工具 产品 模块 插件 网关 服务器 机器人 智能体 中间件 仪表盘 组件 浏览器 操作系统",
    "project": "项目 工程 计划",
    "place": "园区 大厦 广场 路 街 机场 车站 港口 开发区 科技园",
}
_HEADS: Final[dict[str, EntityKind]] = {noun: kind for kind, nouns in _KINDS.items() for noun in nouns.split()}
_SIZES: Final = sorted({len(head) for head in _HEADS})
_TAGS: Final[dict[str, EntityKind]] = {
    "nr": "person",
    "nrfg": "person",
    "ns": "place",
    "nt": "organisation",
    "nz": "thing",
}
_INSIDE: Final = ("n", "j", "vn", "eng", "s", "b", "an", "f", "nz", "ns", "nr", "nt", "nrt", "nrfg", "l", "i")
"""Word classes that a name's parts before its closing noun are of."""

_GENERIC: Final = frozenset(word_list("names_zh", "say no which"))
_NO_PERSON: Final = frozenset(word_list("names_zh", "no person"))
_CODE: Final = re.compile(r"(?=.*[A-Z])[A-Za-z][A-Za-z0-9+#.&-]*[A-Za-z0-9+#]|[A-Z]")
_LATIN_BEFORE: Final = re.compile(r"[A-Za-z0-9][,.;:]?[ \n]$")
_LATIN_AFTER: Final = re.compile(r" [A-Za-z]")


@dataclass(frozen=True, slots=True)
class _ChineseWord:
    text: str
    tag: str
    start: int


def closing_noun(name: str) -> str | None:
    """The noun that says what kind of thing a name names, without what it is said to do: 系统 of 社保管理系统."""
    return min((head for head in _HEADS if len(name) > len(head) and name.endswith(head)), key=len, default=None)


def chinese_names(text: str) -> Iterator[tuple[int, str, EntityKind]]:
    """Each name with its place and its kind; a name may come twice."""
    coined = list(coined_names(text, _HEADS))
    yield from coined
    taken = {at for start, name, _ in coined for at in range(start, start + len(name))}
    for start, name, kind in _tagged_names(text):
        # The segmenter's guess takes a neighbour of the coined characters along.
        if taken.isdisjoint(range(start, start + len(name))):
            yield start, name, kind


def _tagged_names(text: str) -> Iterator[tuple[int, str, EntityKind]]:
    group: list[_ChineseWord] = []
    for word in (*_tagged(text), _ChineseWord("", "x", len(text))):
        if word.tag in _INSIDE and word.text.strip() and not (word.tag == "eng" and not _is_code(word, text)):
            group.append(word)
        elif group:
            for at, full, kind in _named(group):
                name = _without_verb(text, at, full) if kind == "person" else full
                works = kind in ("person", "thing") and is_employer(text, at, name)
                if works or _stands(text, at, name, kind):
                    yield at, name, "organisation" if works else kind
            group = []


def _without_verb(text: str, start: int, name: str) -> str:
    """A name of three characters without the verb that goes on behind a shorter one: 李雷 of 李雷有两个孩子."""
    goes_on = is_han(text[start + len(name) :][:1] or " ")
    runs_on = goes_on and len(name) == _RUN_ON and name[-1] in _GOES_ON and not name.startswith(_DOUBLE)
    return name[:-1] if runs_on and name[0] in SURNAMES else name


_RUN_ON: Final = 3
_GOES_ON: Final = frozenset("有会能要想做说看听问请叫去上下在是家开住买卖很都就也还没不被把给和跟与或")
"""Characters that go on behind a name, and that hardly any given name ends with."""


def _stands(text: str, start: int, name: str, kind: EntityKind) -> bool:
    """Whether the segmenter's word for it is enough."""
    if kind == "person":
        return is_person(text, start, name)
    return is_place(name) and not (kind == "thing" and all(map(is_han, name)) and not is_thing(text, start, name))


def _is_code(word: _ChineseWord, text: str) -> bool:
    """Whether a Latin word is a name for its capitals alone: among Chinese, and not within a Latin sentence."""
    end = word.start + len(word.text)
    amid = _LATIN_BEFORE.search(text[max(0, word.start - 3) : word.start]) or _LATIN_AFTER.match(text[end : end + 2])
    return _CODE.fullmatch(word.text) is not None and not amid


def _tagged(text: str) -> Iterator[_ChineseWord]:
    start = 0
    for word, tag in rjieba.tag(text):
        yield _ChineseWord(word, tag, start)
        start += len(word)


def _named(group: list[_ChineseWord]) -> Iterator[tuple[int, str, EntityKind]]:
    """The names in a run of nouns: what a closing noun makes one, then what words are names by themselves."""
    last = max((place for place, word in enumerate(group) if word.text in _HEADS or _closing(word)), default=-1)
    if last >= 0 and (name := _closed(group[: last + 1])):
        yield name
        yield from _alone(group[last + 1 :])
    else:
        yield from _alone(group)


def _closing(word: _ChineseWord) -> str | None:
    """The noun at the end of one word that makes it a name: 社保局, 华为公司."""
    endings = (word.text[-size:] for size in _SIZES if len(word.text) > size)
    return next((ending for ending in endings if ending in _HEADS), None)


def _closed(group: list[_ChineseWord]) -> tuple[int, str, EntityKind] | None:
    head = group[-1].text if group[-1].text in _HEADS else _closing(group[-1]) or ""
    kind = _HEADS[head]
    first = next((place for place, word in enumerate(group) if _tells(word)), None)
    if first is None or (first == len(group) - 1 and group[-1].text in _HEADS):
        return None
    code = group[first]
    # What is called by a code is the code, whatever kind of product it is said to be.
    if (
        code.tag == "eng"
        and code.text not in COMMON
        and kind == "product"
        and all(not _tells(word) or word.text in _HEADS for word in group[first + 1 :])
    ):
        return code.start, code.text, kind
    people = [word for word in group[first:-1] if word.tag == "nr"]
    if people and len(group) - first > 2:
        return None
    return code.start, "".join(word.text for word in group[first:]), kind


def _tells(word: _ChineseWord) -> bool:
    """Whether a word says which one it is, rather than what kind."""
    return (word.text not in _GENERIC and word.text not in _HEADS and len(word.text) > 1) or word.tag == "eng"


def _alone(group: Iterable[_ChineseWord]) -> Iterator[tuple[int, str, EntityKind]]:
    for word in group:
        kind = _TAGS.get(word.tag)
        if word.tag == "eng" and len(word.text) > 1 and word.text not in COMMON:
            yield word.start, word.text, "thing"
        elif word.tag == "eng" or (kind == "person" and not (2 <= len(word.text) <= 4 and word.text not in _NO_PERSON)):
            continue
        elif kind is not None and len(word.text) > 1 and word.text not in _GENERIC:
            yield word.start, word.text, kind
