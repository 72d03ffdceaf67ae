"""Names in Chinese text, by the word classes of the segmenter and by the noun that closes a name (公司, 系统, 项目)."""

# ruff: noqa: E501 - word lists read best unbroken

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import rjieba

from agentmem import patterns as re
from agentmem.domain.entity import EntityKind
from agentmem.language.coined_zh import coined_names
from agentmem.language.guesses_zh import is_employer, is_person, is_place, is_thing
from agentmem.language.names_en import COMMON
from agentmem.language.normal import is_han

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

_GENERIC: Final = frozenset(
    [
        "管理",
        "业务",
        "数据",
        "信息",
        "技术",
        "智能",
        "智能化",
        "自动",
        "自动化",
        "现有",
        "原有",
        "传统",
        "新",
        "旧",
        "老",
        "主要",
        "核心",
        "相关",
        "其他",
        "客户",
        "用户",
        "企业",
        "个人",
        "公司",
        "内部",
        "外部",
        "后台",
        "前台",
        "线上",
        "线下",
        "办公",
        "电脑",
        "手机",
        "整个",
        "本",
        "该",
        "贵",
        "台风",
        "攀岩",
        "吉他",
        "铁路",
        "公路",
        "我司",
        "大",
        "小",
        "好",
        "同类",
        "专业",
        "完整",
        "一般",
        "普通",
        "产品",
        "系统",
        "平台",
        "项目",
        "服务",
        "功能",
        "能力",
        "人工智能",
        "人工",
        "方案",
        "解决方案",
        "软件",
        "工具",
        "模块",
        "部门",
        "团队",
        "学校",
        "医院",
        "银行",
        "酒店",
        "餐厅",
        "超市",
        "网站",
        "计划",
        "工程",
        "数据库",
        "模型",
        "流程",
        "内容",
        "方式",
        "情况",
        "问题",
    ]
)
_NO_PERSON: Final = frozenset(
    [
        "小姐",
        "先生",
        "女士",
        "老师",
        "老板",
        "师傅",
        "阿姨",
        "叔叔",
        "经理",
        "高兴",
        "明白",
        "安心",
        "小时",
        "全名",
        "白天",
        "周末",
        "方便",
        "高级",
        "和平",
        "温和",
        "安静",
        "万幸",
        "胡子",
        "叶子",
        "岳父",
        "洪水",
        "严格",
    ]
)
_CODE: Final = re.compile(r"(?=.*[A-Z])[A-Za-z][A-Za-z0-9+#.&-]*[A-Za-z0-9+#]|[A-Z]")
_LATIN_BEFORE: Final = re.compile(r"[A-Za-z0-9][,.;:]?[ \n]$")
_LATIN_AFTER: Final = re.compile(r" [A-Za-z]")


@dataclass(frozen=True, slots=True)
class _Word:
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
    group: list[_Word] = []
    for word in (*_tagged(text), _Word("", "x", len(text))):
        if word.tag in _INSIDE and word.text.strip() and not (word.tag == "eng" and not _is_code(word, text)):
            group.append(word)
        elif group:
            for at, name, kind in _named(group):
                works = kind in ("person", "thing") and is_employer(text, at, name)
                if works or _stands(text, at, name, kind):
                    yield at, name, "organisation" if works else kind
            group = []


def _stands(text: str, start: int, name: str, kind: EntityKind) -> bool:
    """Whether the segmenter's word for it is enough."""
    if kind == "person":
        return is_person(text, start, name)
    return is_place(name) and not (kind == "thing" and all(map(is_han, name)) and not is_thing(text, start, name))


def _is_code(word: _Word, text: str) -> bool:
    """Whether a Latin word is a name for its capitals alone: among Chinese, and not within a Latin sentence."""
    end = word.start + len(word.text)
    amid = _LATIN_BEFORE.search(text[max(0, word.start - 3) : word.start]) or _LATIN_AFTER.match(text[end : end + 2])
    return _CODE.fullmatch(word.text) is not None and not amid


def _tagged(text: str) -> Iterator[_Word]:
    start = 0
    for word, tag in rjieba.tag(text):
        yield _Word(word, tag, start)
        start += len(word)


def _named(group: list[_Word]) -> Iterator[tuple[int, str, EntityKind]]:
    """The names in a run of nouns: what a closing noun makes one, then what words are names by themselves."""
    last = max((place for place, word in enumerate(group) if word.text in _HEADS or _closing(word)), default=-1)
    if last >= 0 and (name := _closed(group[: last + 1])):
        yield name
        yield from _alone(group[last + 1 :])
    else:
        yield from _alone(group)


def _closing(word: _Word) -> str | None:
    """The noun at the end of one word that makes it a name: 社保局, 华为公司."""
    endings = (word.text[-size:] for size in _SIZES if len(word.text) > size)
    return next((ending for ending in endings if ending in _HEADS), None)


def _closed(group: list[_Word]) -> tuple[int, str, EntityKind] | None:
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


def _tells(word: _Word) -> bool:
    """Whether a word says which one it is, rather than what kind."""
    return (word.text not in _GENERIC and word.text not in _HEADS and len(word.text) > 1) or word.tag == "eng"


def _alone(group: Iterable[_Word]) -> Iterator[tuple[int, str, EntityKind]]:
    for word in group:
        kind = _TAGS.get(word.tag)
        if word.tag == "eng" and len(word.text) > 1 and word.text not in COMMON:
            yield word.start, word.text, "thing"
        elif word.tag == "eng" or (kind == "person" and not (2 <= len(word.text) <= 4 and word.text not in _NO_PERSON)):
            continue
        elif kind is not None and len(word.text) > 1 and word.text not in _GENERIC:
            yield word.start, word.text, kind
