"""Chinese names that no dictionary has: what their neighbours say about characters that form no known word.

A segmenter guesses at such characters and takes a neighbour along (`由周|以宁`). Cut by the dictionary alone they stay
single, so a row of them before a noun that closes a name (`青|峦|科技`), or behind a role (`院长|韩|听|雪`), is one.
"""

# ruff: noqa: E501 - word lists read best unbroken

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final

import rjieba

from agentmem import patterns as re
from agentmem.domain.entity import EntityKind
from agentmem.language.normal import is_han

_TRADES: Final = frozenset(
    [
        "科技",
        "物流",
        "电力",
        "矿业",
        "食品",
        "能源",
        "医药",
        "制药",
        "药业",
        "书店",
        "出版社",
        "传媒",
        "网络",
        "电子",
        "通信",
        "机械",
        "钢铁",
        "化工",
        "汽车",
        "航空",
        "地产",
        "置业",
        "建设",
        "建筑",
        "生物",
        "农业",
        "牧业",
        "渔业",
        "茶业",
        "纺织",
        "服饰",
        "保险",
        "证券",
        "基金",
        "资本",
        "投资",
        "咨询",
        "教育",
        "重工",
        "集团",
    ]
)
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

SURNAMES: Final = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏窦章苏潘葛范彭郎鲁韦马苗方俞任袁柳鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄穆萧尹姚邵湛汪祁毛禹狄米贝明臧计成戴宋庞熊纪舒屈项祝董梁杜阮蓝闵席季麻贾路江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫经房裘缪解应宗丁宣邓郁单洪包诸左石崔吉龚程邢裴陆荣翁荀羊甄曲封储靳段富巫乌焦巴谷车侯班秋仲伊宫宁仇栾厉祖武符刘景詹束龙叶幸司黎薄白蒲邰赖卓蔺屠蒙池乔阴胥苍闻党翟谭姬申冉桑桂牛边温庄晏柴瞿阎慕连茹习艾容向古易慎戈廖衡步耿满弘匡国文广阙欧利师巩聂晁敖冷辛那简饶曾关游"
)
_ROLE: Final = (
    r"(?:行长|院长|校长|镇长|村长|县长|市长|矿长|厂长|店长|站长|馆长|科长|处长|局长|部长|船长|董事长|总经理|经理|总监|主任|主管|主编|老板|老板娘|所长|队长|组长|会长"
    r"|负责人|创始人|创办人|创办者|发明人|主持人|设计师|架构师|工程师|程序员|研究员|守塔人|店主|作者|译者|作家|画家|教授|院士|律师|会计|秘书|助理|顾问"
    r"|妻子|丈夫|太太|爱人|儿子|女儿|哥哥|弟弟|姐姐|妹妹|侄女|侄子|外甥|孙子|孙女|同学|同事|朋友)(?:是|叫|为|：|:)?"
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
    yield from _closed(text, heads)


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


def _closed(text: str, heads: Mapping[str, EntityKind]) -> Iterator[tuple[int, str, EntityKind]]:
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
