"""Everybody an agent knows with the words that identify them, and whether a text can be shown to be about nobody: no
name, figure, time, place or sign of anybody, and nothing by which people must not be grouped.

What is not plain is refused: a value kept back costs little, one that identifies somebody costs much.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from agentmem import patterns as re
from agentmem.agents.copying.name_matcher import NameMatcher, joined, latin_parts, plain, words
from agentmem.domain.attributes import Own, base_of, slot_of, value_kind
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.value import JsonValue
from agentmem.language.names import names_of
from agentmem.language.time import find_times
from agentmem.language.values import canonical_value
from agentmem.language.word_lists import word_list
from agentmem.memory.support import rests_on

REACHES = ("phone", "email", "account")
PERSONAL = ("place", "money", "number", "date", "title")
"""Kinds of values by which a person is reached, and by which he can be guessed."""

_IDENTIFYING_SLOTS = frozenset(("address", "employer"))
_LOWER = re.compile(r"(?<![^\W_])[a-z]{3,}(?![^\W_])")
_MANY = 3
"""So many people share a part of their names that stands in the agent's documents as a word: it is one, as Customer in
Customer 17."""

_NUMBER = re.compile(r"(?!(?:19|20)\d\d[-.]\d{1,2}[-.]\d{1,2}(?!\d))\+?\d(?:[\s().-]?\d){7,14}")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


@dataclass(frozen=True, slots=True)
class MemoryOrigin:
    """Whom a memory is about, whether it is what was said or sensed itself, and which memories it was made from."""

    target: str
    raw: bool
    sources: frozenset[str]


@dataclass(slots=True)
class People:
    """What the memories of one agent say of people, taken in one by one; ended and deleted ones count as well.

    `own` are the agent's own attributes, `names` its names, `itself` the targets of these names. Whoever is neither the
    agent itself nor let through by name is a person here.
    """

    own: Own
    trails: dict[str, MemoryOrigin] = field(default_factory=dict[str, MemoryOrigin])
    spoke: set[str] = field(default_factory=set[str])
    itself: set[str] = field(default_factory=set[str])
    names: set[str] = field(default_factory=set[str])
    called: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    reached: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    personal: set[str] = field(default_factory=set[str])
    ordinary: set[str] = field(default_factory=set[str])

    def take(self, node: MemoryNode) -> None:
        """Take in one memory."""
        target, said = node.target_id, node.memory_type is MemoryType.CONVERSATION
        raw = said or node.memory_type is MemoryType.PERCEPTUAL
        self.trails[node.memory_id] = MemoryOrigin(target, raw, rests_on(node) | frozenset(node.supersedes))
        name = canonical_name(node.user_name)
        self.names.add(name)
        if target == entity_id(node.tenant, node.agent_id, name):
            self.itself.add(target)
        # What a customer gave to read is filed under him, and yet bears the agent's name.
        if canonical_name(node.target_name) != name:
            self.called[target].add(node.target_name)
        if node.memory_type is MemoryType.LONGTERM and target in self.itself:
            self.ordinary.update(_LOWER.findall(node.content))
        if said:
            self.spoke.add(target)
            if node.meta_data.get("role") != "agent":
                self._heard(target, node)
        if node.attribute and node.value:
            self._told(target, node.attribute, node.value)

    def _heard(self, target: str, node: MemoryNode) -> None:
        if node.speaker:
            self.called[target].add(node.speaker)
        for number in _NUMBER.findall(node.content):
            self.reached[target].update((number, canonical_value("phone", number)))
        self.reached[target].update(_EMAIL.findall(node.content))

    def _told(self, target: str, attribute: str, value: str) -> None:
        kind = value_kind(attribute, self.own)
        if kind == "name":
            self.called[target].add(value)
        elif kind in REACHES:
            self.reached[target].update((value, canonical_value(kind, value)))
        elif base_of(slot_of(attribute)) in _IDENTIFYING_SLOTS or kind in PERSONAL:
            self.personal.add(value)

    def behind(self, memory_id: str) -> frozenset[str] | None:
        """The targets whose words a memory rests on, at any remove; None where not all it rests on is there."""
        found: set[str] = set()
        ahead, seen = [memory_id], {memory_id}
        while ahead:
            trail = self.trails.get(ahead.pop())
            if trail is None:
                return None
            if trail.raw or trail.target not in self.itself:
                found.add(trail.target)
            ahead += trail.sources - seen
            seen |= trail.sources
        return frozenset(found)

    def different(self, targets: Iterable[str]) -> int:
        """How many people these targets are at least: two that share a name or a way to reach them are one."""
        first: dict[str, str] = {}
        parent: dict[str, str] = {}
        for target in set(targets):
            parent[target] = target
            words = {canonical_name(name) for name in self.called[target]}
            for word in words | {joined(plain(contact)) for contact in self.reached[target]}:
                parent[_root(parent, target)] = _root(parent, first.setdefault(word, target))
        return sum(each == parent[each] for each in parent)

    def marks(self, besides: Iterable[str], *, personal: bool = False) -> NameMatcher:
        """What gives away anybody but these targets and the agent itself; who spoke is given away by a part of his
        name as well. With `personal`, also what is only somebody's own, such as where he lives."""
        left = {*besides, *self.itself} - self.spoke
        marks = NameMatcher()
        marks.add_words(self.personal if personal else ())
        others = [target for target in self.called.keys() | self.reached.keys() if target not in left]
        generic = self._generic(others)
        for target in others:
            marks.add_names(self._names(target), parts=target in self.spoke, generic=generic)
            marks.add_contacts(self.reached[target])
        return marks

    def _names(self, target: str) -> list[str]:
        return [name for name in self.called[target] if canonical_name(name) not in self.names]

    def _generic(self, targets: Iterable[str]) -> frozenset[str]:
        """Parts of names that are words."""
        shared = Counter(
            word for target in targets for word in {w for n in self._names(target) for w in latin_parts(n)}
        )
        return frozenset(word for word, count in shared.items() if count >= _MANY and word in self.ordinary)


def texts_of(node: MemoryNode) -> Iterator[str]:
    """Every text a memory holds, wherever it stands in it."""
    fields = (node.content, node.target_name, node.speaker, node.kind, node.attribute, node.value, node.relation)
    yield from (text for text in fields if text)
    yield from node.key
    yield from _texts(node.meta_data)


def _texts(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            yield from value
            for item in value.values():
                yield from _texts(item)
        case list():
            for item in value:
                yield from _texts(item)
        case _:
            return


def _root(parent: Mapping[str, str], target: str) -> str:
    while parent[target] != target:
        target = parent[target]
    return target


LONGEST = 60

_HAN_SURNAMES: Final = "".join(word_list("surnames_zh", "common", "frequent"))
_SURNAMES: Final = frozenset(word_list("surnames_en", "common"))
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


def gives_nobody_away(value: str, marks: NameMatcher, *, longest: int = LONGEST) -> bool:
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
