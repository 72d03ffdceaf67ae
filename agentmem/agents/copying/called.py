"""What people are called by, other than by their whole name: a surname with a title, a given name, a part."""

from collections.abc import Iterator
from typing import Final

from agentmem import patterns as re
from agentmem.agents.copying.spelling import plain, words
from agentmem.domain.naming import HAN, canonical_name

_HAN_ONLY: Final = re.compile(f"[{HAN}]{{1,4}}")
_PART: Final = re.compile(f"[^\\W\\d_{HAN}]{{3,}}")

_COMPOUND: Final = """
欧阳 司马 上官 诸葛 夏侯 皇甫 司徒 司空 尉迟 长孙 慕容 东方 令狐 宇文 公孙 端木 轩辕 独孤 南宫
西门 百里 呼延 濮阳 淳于 澹台 赫连 申屠 太史 钟离 闻人 拓跋 万俟 完颜 纳兰 单于 东郭 公冶 宗政
仲孙 闾丘 鲜于 第五 左丘 梁丘
"""
_TITLES: Final = """
先生 女士 小姐 太太 总 总监 经理 主任 主管 老师 教授 博士 校长 院长 部长 局长 处长 科长 厂长
队长 书记 董 老板 师傅 医生 医师 大夫 护士 律师 会计 工 工程师 哥 姐 叔 叔叔 阿姨 老 某 某某
同学 同志
"""
_COMMON: Final = """
小学 小时 小心 小组 小区 小说 小型 小结 小于 小数 小麦 小米 小车 小吃 小雨 小雪 小票 小额 小孩
小费 小众 小号 小声 小路 小样 小计 小节 小白 小家 小包 小店 小城 小镇 小高 小游 小单 小红 小工
小金 小贴 小事 小批 老师 老板 老年 老家 老人 老化 老旧 老式 老虎 老鼠 老实 老牌 老乡 老成 老龄
老客 阿姨 阿里
"""
_ORDINARY: Final = """
able ale amber angel april archer art ash august autumn baker ban bank banks bar barber barn base bass bay beach bean
bear beck bell berry best bill bin birch bird bishop black blank block bloom blue bond book booth bow box boy branch
brand bridge bridges brook brown buck bud bull burn burns bush butler butter cage can cannon card carpenter carter
case cash castle cell chance charity chase cherry christian church city clay cliff coal cook cooper corn cotton court
craft crane crew cross crow crystal cruise daisy dale dawn day days dean deer dell den diamond dick dollar don dove
down drake drew drum duck duke dusty earl east eve faith fall fan fang farmer faust field fields finch fish fisher
fleet flint flower flowers ford forest foster fountain fox frank free french frost fry gale game gang gardener gates
gay gene gentry gift glass glen gold golden good grace grant grave graves gray green grey grove guest gun guy hall ham
hand hang hardy hart harp hawk hay head heart heath heather heaven hedge hill hills holly home hood hook hope horn
house hue hull hunt hunter iris iron island ivory ivy jack jade jar jasmine jay jet job joy judge june just justice
keen key keys kid kind king knight lake lamb land lane law leaf liberty light lily link little lock long lord love low
major man marble march marina mark marks marsh marshal mason masters max may mead meadow mercy mercer melody miles
mill miller min mint miss mode monk moon moral more morning moss mount mouse nail nest new nice nick night noble noon
north norm oak ocean olive opal page pan parish park parks part pat patience pearl peck penny pepper perch petal pick
pierce pike pin pine ping piper plum poet pole pond pool pop pope porter post pound powder power powers precious price
pride prince prior pro prudence quick quill rain rand ran ray reader red reed reef rich ridge ring rise river rivers
road rob robin rock rocky rod rose rosemary rosy row royal ruby rue rush rusty sage sailor saint sale sales salt sand
sandy savage saw sea season self serene shade shadow shard sharp shell shepherd shine ship shore short silver simple
singer sky slate smart snow son song south spark spear spell spencer spring star steel stern steward stone storm story
street strong sue summer summers sun swan sweet swift table taco tailor tall tang tanner thorn tie tiger tiller tin
tree trip true trust turner twin usher vale van victor victory viola violet vista von wade walker wall ward warden
ware warner water waters way wave weaver week weir well wells west wheat wheeler white wild will willow win wind
winter wise wolf wood woods word worth wren wright yard york young zen account accounts admin agent anonymous bot
buyer client clients company contact customer customers demo developer editor employee group help info lead leads
manager member members name nobody office operator order owner partner patient person product project school sender
service services shop someone staff store student support supporter system team teacher tenant test tester tests
unknown user users vendor visitor worker and das del der des die dos las les los mac the for with from not all any old
one two
"""

COMPOUND: Final = frozenset(_COMPOUND.split())
TITLES: Final = tuple(_TITLES.split())
RUNS_ON: Final = {
    "总": "是共计体额数量价部成结和线表有在会能要算之",
    "工": "单作具厂业程人资艺序种时期地会商信",
    "老": "式旧化龄是虎鼠客用",
    "某": "种个些",
    "董": "事",
    "程": "序度式",
    "高": "度级中",
    "方": "便式法案向",
    "红": "书色",
    "平": "米台方",
}
"""Behind what somebody is called by, these make another word of its end: 一张工单 has no 张工 in it."""

COMMON: Final = frozenset(_COMMON.split())
"""Words that only look like what somebody is called by."""

ORDINARY: Final = frozenset(_ORDINARY.split())
"""Words that are names, or stand for one, only with a capital or beside the rest of the name."""


def han_forms(name: str) -> Iterator[str]:
    """What the bearer of a Chinese name is called: the given name, the surname with a title, 小 or 老 before either."""
    yield from (form for form in _forms(name) if form not in COMMON)


def _forms(name: str) -> Iterator[str]:
    spelled = plain(canonical_name(name))
    if not _HAN_ONLY.fullmatch(spelled):
        return
    long = len(spelled) > 2 and spelled[:2] in COMPOUND
    surname = spelled[:2] if long else spelled[0]
    given = spelled[len(surname) :] if long else spelled[-2:] if len(spelled) > 2 else spelled[1:]
    if len(given) > 1:
        yield given
    yield from (surname + title for title in TITLES)
    yield from (before + surname for before in "小老阿")
    if given:
        yield from (f"小{given[-1]}", f"阿{given[-1]}", f"{given[-1]}哥", f"{given[-1]}姐")


def latin_parts(name: str) -> list[str]:
    """The words of a name in letters, of three and more."""
    return [word for word in words(plain(name)) if _PART.fullmatch(word)]
