"""Whether a text can be shown to be nobody's own: no name, figure, time, place or sign of anybody, and nothing by which
people must not be grouped.

It refuses what is not plain: a value that stays for nothing costs little, one that tells of somebody much.
"""

from datetime import datetime
from typing import Final

from agentmem import patterns as re
from agentmem.agents.copying.marks import Marks
from agentmem.agents.copying.spelling import plain, words
from agentmem.language.names import names_of
from agentmem.language.times import find_times

LONGEST = 60

_HAN_SURNAMES: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖"
    "贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
_SURNAMES: Final = frozenset(
    """
    wang zhang liu chen yang huang zhao zhou xu zhu guo luo liang zheng xie tang deng feng cheng cai peng yuan dong su
    jiang lu ding wei ren yao shen zhong jin xia wu zou xiong bai meng qin qiu hou lei qian hao wong chan leung cheung
    lam kwok chow tsang kim choi jung nguyen tran pham smith johnson williams jones garcia davis rodriguez martinez
    hernandez lopez gonzalez wilson anderson thomas taylor jackson martin thompson harris clark lewis robinson patel
    singh kumar sharma gupta khan muller schmidt schneider fischer weber meyer wagner schulz hoffmann ivanov petrov
    rossi russo ferrari dubois durand tanaka suzuki sato watanabe
    """.split()  # noqa: SIM905 - reads best unbroken
)
"""Common surnames in letters: what people type has no capitals."""

_FIGURES: Final = re.compile(
    r"(?:\d\D*){4}|[零〇一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟]{3}|\d[\d.]*\s*(?:万|千|亿|元|块|k(?![a-z0-9])|usd|eur|rmb)|"
    r"\b(?:hundred|thousand|million|billion)s?\b"
)
"""More figures than a share or a size has, and sums: numbers that could be somebody's."""

_REACHED: Final = re.compile(r"[@#/\\]|www|(?:\.|\bdot\s)(?:com|cn|net|org)\b")
_SOMEBODY: Final = re.compile(
    r"先生|女士|小姐|太太|老师|[\u4e00-\u9fff]总(?![体是共计]|成本)|\b(?:mr|mrs|ms|miss|dr|prof)\b\.?|['’]s\b|"
    f"[小老阿][{_HAN_SURNAMES}](?![序书法式便案向色额麦米])|"
    f"[{_HAN_SURNAMES}](?:工(?![单作具厂业程人资艺序种时期])|哥|姐|叔|董|某|医生|医师|大夫|护士|律师|教授|博士|经理|主任|主管|校长|院长|老板|师傅)|"
    r"[这那某]位|我|儿子|女儿|老婆|老公|妻子|丈夫|前妻|前夫|"
    r"\b(?:my|his|her)\b|\b(?:ceo|cto|cfo|coo|founder|president|chair\w*|director|head|boss|wife|husband)\s+(?:of|at)\b"
)
_HANDLE: Final = re.compile(
    r"(?:微信|微博|抖音|钉钉|we\s?chat|weixin|vx|wx|qq|telegram|whatsapp|skype|tiktok|weibo)\s*(?:号|id)?\s*[:：是]?\s*[a-z_-]*\d|"
    r"微信号|工号|学号|账号|帐号|证号|车牌|\bids?\b\s*[:：]?\s*\w*\d"
)
_CODE: Final = re.compile(r"(?<![^\W_])(?=[a-z0-9]*[a-z])(?=[a-z0-9]*\d)[a-z0-9]+(?![^\W_])")
_VERSION: Final = re.compile(
    r"v?\d{1,3}|\d{1,3}(?:gb|mb|tb|kb|hz|st|nd|rd|th|[a-z])|[a-z]\d|h26[45]|ec2|mp[34]|[bcop]2[bcop]|k8s|i18n|web[23]|2fa"
)
"""Letters with figures that are no code of anybody's: versions, sizes, ordinals, words of the trade."""

_SENSITIVE: Final = re.compile(
    "病|癌|症|疾|患者|患有|药物|服药|怀孕|孕期|流产|残疾|残障|精神科|心理咨询|抑郁|自杀|艾滋|乙肝|阳性|手术|住院|化疗|透析|过敏|诊断|"
    "宗教|信教|信仰|佛教|基督|天主教|伊斯兰|穆斯林|道教|教徒|教会|清真|犹太|政治|党员|入党|选举|投票|工会|罢工|少数民族|种族|维吾尔|"
    "藏族|回族|同性恋|性取向|性向|跨性别|变性|性生活|基因|指纹|虹膜|离婚|婚外|出轨|犯罪|坐牢|前科|服刑|"
    r"\b(?:hiv|aids|cancer|tumou?r|diseases?|illness|diabet\w*|depression|depressed|bipolar|autis\w*|adhd|epilep\w*|disab\w*|"
    r"pregnan\w*|miscarr\w*|abortion\w*|medications?|surgery|chemo\w*|dialysis|diagnosed|hospitali\w*|therapist|addict\w*|"
    r"rehab|suicid\w*|allerg\w*|hepatitis|relig\w*|church\w*|mosques?|synagogues?|muslims?|islam\w*|christian\w*|"
    r"catholic\w*|jew(?:s|ish)?|hindu\w*|buddhis\w*|atheis\w*|halal|kosher|politic\w*|democrats?|republicans?|communis\w*|"
    r"socialis\w*|votes?|voted|voting|(?:trade|labou?r) unions?|racial|racist|ethnic\w*|gay|lesbian\w*|"
    r"bisexual\w*|transgender|queer|sexual\w*|genetic\w*|biometric\w*|fingerprints?|divorc\w*|convict\w*|criminal\w*|prison\w*)\b"
)
"""What people are not to be grouped by: health, belief, politics, origin, love, biometrics (GDPR, Art. 9), crimes."""

_TELLING: Final = (_FIGURES, _REACHED, _SOMEBODY, _HANDLE, _SENSITIVE)
_NAMES: Final = ("person", "place", "organisation")
_NO_SURNAME: Final = "太很最更超过不没"
"""With these the segmenter's guess at a name begins that is none: 太贵."""

_PROPER: Final = re.compile(r"(?<=\s)[A-Z][a-z]+|^[A-Z][a-z]+\s+[A-Z][a-z]+")
_ANY_DAY: Final = datetime.fromisoformat("2024-01-01T00:00:00+00:00")


def gives_nobody_away(value: str, marks: Marks, *, longest: int = LONGEST) -> bool:
    """Whether a text can be shown to be nobody's own."""
    if len(value) > longest or _PROPER.search(value) or marks.within(value) is not None:
        return False
    spelled = plain(value)
    coded = any(not _VERSION.fullmatch(code) for code in _CODE.findall(spelled))
    telling = coded or any(form.search(spelled) for form in _TELLING)
    return not telling and not _dated(value) and not _names_somebody(value, spelled)


def _dated(value: str) -> bool:
    return any(not mention.recurring for mention in find_times(value, _ANY_DAY))


def _names_somebody(value: str, spelled: str) -> bool:
    named = (mention for mention in names_of(value) if mention.kind in _NAMES)
    return any(mention.name[0] not in _NO_SURNAME for mention in named) or not _SURNAMES.isdisjoint(words(spelled))
