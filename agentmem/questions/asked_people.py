"""Whom a question asks about, whose company it names, and whether what was found is about somebody else. What somebody says
of "us", or what fills a slot of his that a company has too, is told of the company that he works at or runs."""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han
from agentmem.domain.attributes import base_of, slot_of
from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode, MemoryType, Modality
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.graph.walk import EntityNames
from agentmem.language.clauses import sentences
from agentmem.language.names import Placed, placed_names
from agentmem.language.record_fields import record_answers
from agentmem.language.synonyms import kin_in, relative_free, relative_of
from agentmem.language.tokens import tokens
from agentmem.language.word_lists import word_list
from agentmem.ports.memory_index import MemoryIndex, Where
from agentmem.questions.called import LETTER
from agentmem.questions.question import asked_for, names_in

_OF_THE_ASKER: Final = re.compile(r"[我咱俺]|\b(?:i|my|mine|me|our|ours|us|we)\b", re.IGNORECASE)
_ANY_WORD: Final = "0"
"""Beside it `tokens` leaves out what only frames a question."""
_NAMING: Final = frozenset({"name", "alias"})
_SPEAKER: Final = r"我们?|咱们?|i|my|our"
_SURNAME: Final = "[\u4e00-\u9fff]?"
"""What may stand behind a Latin name: Kevin王."""


_CALLED: Final = re.compile(r"[小老阿](?![区孩说学时组店费吃板师公家乡人年本款号虎鼠外字程数])[\u4e00-\u9fff]")
"""What one is called by those who know him, and no common word."""

_SLOT: Final = re.compile(
    r"的?(?:手机|电话|号码|预算|邮箱|微信|地址|住址|生日|年龄|职业|爱好)|今年|多大|几岁|住[在哪]|在哪|喜欢|想买|想要"
)


@dataclass(frozen=True, slots=True)
class AskedPeople:
    """Names that a question says, in canonical form, and all ids of the entities that bear them; none where it asks of
    the asker himself, or of nobody. `staff`: the ids of those whose company bears one of the names. `of_all`: it is put
    to the memories of all people."""

    names: tuple[str, ...] = ()
    ids: frozenset[str] = frozenset()
    staff: frozenset[str] = frozenset()
    of_all: bool = False

    def __bool__(self) -> bool:
        return bool(self.names)

    def named_in(self, text: str) -> bool:
        """Whether a text says one of the names."""
        plain = canonical_name(text)
        return any(_whole(name).search(plain) for name in self.names)

    def within(self, text: str) -> "AskedPeople":
        """Those that a part of the question names; all, where it names none of them."""
        names = tuple(name for name in self.names if name in canonical_name(text))
        return replace(self, names=names) if names else self

    def known_by(self, nodes: Iterable[MemoryNode]) -> "AskedPeople":
        """With those who bear one of the names, or whose company does, as one of these memories says, whatever entities
        have come of it."""
        held = list(nodes)
        said = {each.target_id for each in held if each.attribute in _NAMING and self.named_in(each.value or "")}
        staff = frozenset(each.target_id for each in held if is_his_company(each, self.names))
        return replace(self, ids=self.ids | said, staff=self.staff | staff)

    def all_named_in(self, node: MemoryNode, told: str) -> bool:
        """Whether each of the names is said, or borne by whom a memory is about or who tells it of his company."""
        if self.told_as_staff(node, told):
            return True
        names = (name for name in self.names if tokens(f"{name} {_ANY_WORD}") != [_ANY_WORD])
        own = f"{node.target_name} {node.speaker or ''}"
        return all(replace(self, names=(name,)).named_in(f"{own} {told}") or _calls(name, own) for name in names)

    def begins(self, sentence: str) -> bool:
        """Whether a sentence begins with one of the names."""
        return canonical_name(sentence).startswith(self.names)

    def left_out(self, question: str) -> str:
        """A question without the names."""
        plain = canonical_name(question)
        for name in self.names:
            plain = _whole(name, r"(?:['’]s?\b)?").sub(" ", plain)
        return plain

    def having(self, question: str) -> bool:
        """Whether it asks what one of them has: 有 after a name, "does" or "has" before it."""
        names = "|".join(map(re.escape, self.names))
        has = rf"(?:{names})(?:家里?)?(?:现在|一共|总共)?没?有|\b(?:does|do|did|has|have) (?:{names})(?!\w)"
        return re.search(has, canonical_name(question)) is not None

    def owning(self, question: str) -> bool:
        """Whether it asks for what is called one of theirs."""
        names = "|".join(map(re.escape, self.names))
        return re.search(rf"(?:{names})(?:['’]s?\b|\s?的)", canonical_name(question)) is not None

    def bare(self, question: str) -> str:
        """A question without what makes one step of "Nora's son" and "Nora's phone number"."""
        plain = canonical_name(question)
        for name in self.names:
            plain = relative_free(name, plain)
        return plain

    def has(self, node: MemoryNode, sentence: str, question: str) -> bool:
        """Whether a sentence of a memory is about one of them, and not about a relative that was not asked for."""
        of_them = self.is_one(node) or self.told_as_staff(node, sentence)
        if not of_them and not self.named_in(f"{sentence} {_headed(node)}"):
            return False
        owners = (*self.names, canonical_name(node.target_name))
        owner = "|".join([_SPEAKER, *(f"{re.escape(name)}{_SURNAME if name.isascii() else ''}" for name in owners)])
        relative, rest = relative_of(owner, sentence)
        return not relative or not relative.isdisjoint(kin_in(question)) or self.named_in(rest)

    def told_as_staff(self, node: MemoryNode, sentence: str) -> bool:
        """Whether somebody tells it of his company, which is the one that is named."""
        return node.target_id in self.staff and is_of_a_company(node, sentence)

    def is_one(self, node: MemoryNode) -> bool:
        """Whether it is about one of them as a whole: what he said himself, or what was understood of him."""
        if node.memory_type is MemoryType.CONVERSATION:
            return node.speaker is not None and self._bears(node.speaker)
        if node.memory_type is MemoryType.LONGTERM:
            return False
        return node.target_id in self.ids or self._bears(node.target_name)

    def _bears(self, name: str) -> bool:
        """Whether it is one of the names, or a longer form of one: Kevin王 for Kevin."""
        plain = canonical_name(name)
        return any(_whole(one).search(plain) or _calls(one, plain) for one in self.names) and not kin_in(plain)


def _calls(name: str, plain: str) -> bool:
    """Whether 小林 may be that one, by any character of his name."""
    return len(name) == len("小林") and _CALLED.fullmatch(name) is not None and name[1] in plain


def _headed(node: MemoryNode) -> str:
    """What a piece of a document stands under, and the piece itself: its sentences leave out what it is about."""
    return " ".join((*node.key, node.content)) if node.memory_type is MemoryType.LONGTERM else ""


@lru_cache(maxsize=1_024)
def _whole(name: str, mark: str = "") -> re.Pattern:
    """The name as a word, with a `mark` after it, both as a pattern."""
    before = "" if has_han(name[:1]) else f"(?<![{LETTER}])"
    after = "" if has_han(name[-1:]) else f"(?![{LETTER}])"
    return re.compile(before + re.escape(name) + after + mark)


async def asked_people(index: MemoryIndex, where: Where, question: str) -> AskedPeople:
    """Whom it names. A name nobody is known by is taken where its form leaves no doubt: a Chinese one with 的 after it,
    or, where only one person's memories are looked at, one at the beginning that a slot follows, such as 小林 or 何田.

    Raises `BackendUnavailable`.
    """
    if _OF_THE_ASKER.search(question):
        return AskedPeople()
    question = _OFFICE.sub("", _WHEN.sub("", question))
    scope = where.scope
    known = EntityNames(Where(Scope(scope.tenant, scope.agent)))
    by_form = placed_names(question)
    likely = dict.fromkeys((*(canonical_name(each.mention.name) for each in by_form), *names_in(question)))
    ids = {name: named(scope.tenant, scope.agent, name) for name in likely}
    await known.learn(index, ids.values())
    borne = _longest(name for name, entity in ids.items() if known.payloads.get(entity))
    new = [
        canonical_name(each.mention.name)
        for each in by_form
        if not has_han(each.mention.name) or (not borne and question[each.end : each.end + 1] == "的")
    ]
    if (firm := firm_of(question)) is not None:
        new.append(firm)
    elif scope.target is not None and not borne and not new:
        new = _named_first(question, by_form)
    names = _longest((*borne, *new))
    roots = {known.root(ids[name]) for name in names if name in ids}
    return AskedPeople(tuple(names), frozenset((*known.all_ids(roots), *(ids[name] for name in names if name in ids))))


_OFFICE: Final = re.compile(
    r"\b(?:CEO|CTO|CFO|COO|VP|Head|Director|Manager|Owner|Founder|President|Boss) (?:of|at) (?=[A-Z])"
)
"""What somebody is in a firm, no part of its name."""

_WHEN: Final = re.compile(r"(?:以前|之前|从前|过去|原来|原先|最初|当初|现在|目前|如今)(?=的)")
"""What stands between a name and the 的 that says whose something is."""


def _named_first(question: str, by_form: Sequence[Placed]) -> list[str]:
    """The name that a question begins with, if what it asks for stands right behind it; at most one."""
    called = _CALLED.match(question)
    ends = [*(each.end for each in by_form if not each.start), *((called.end(),) if called else ())]
    return [canonical_name(question[:end]) for end in ends if _SLOT.match(question[end:])][:1]


def _longest(names: Iterable[str]) -> Sequence[str]:
    """The names that are no part of another."""
    all_of = list(dict.fromkeys(names))
    return [name for name in all_of if not any(name != other and name in other for other in all_of)]


_STEP: Final = re.compile(r"的|['’]s?\s|\b(?:of|by|behind|who|whom|whose|that|which|where)\b", re.IGNORECASE)
"""What leads from one thing to another."""


async def asks_about_somebody_else(
    index: MemoryIndex, where: Where, question: str, nodes: Sequence[MemoryNode]
) -> bool:
    """Whether it names others than those whose slots are filled, and none of the memories fills it for them.

    A name that leads on to the owner of such a slot is his, and whoever asks of himself may name others. Where more
    than one step leads to whom it is asked of, it is enough that a memory says the name. Raises `BackendUnavailable`.
    """
    slots, question = asked_for(question), _WHEN.sub("", question)
    filled = [node for node in nodes if node.attribute in slots]
    if not filled or any(record_answers(node.content, question) for node in nodes):
        return False
    whom = (await asked_people(index, where, question)).known_by(nodes)
    if not whom or any(whom.has(node, node.content, question) for node in filled):
        return False
    if _is_their_own(question, whom):
        told = (node for node in nodes if whom.has(node, node.content, question))
        return not any(asked_for(node.content) & slots for node in told)
    return not any(whom.named_in(_told(node)) for node in nodes)


def _is_their_own(question: str, whom: AskedPeople) -> bool:
    """Whether one step at the most leads from a name to what is asked for."""
    return len(_STEP.findall(whom.bare(question))) + len(_STEP.findall(question)) <= 1


def _told(node: MemoryNode) -> str:
    return " ".join((node.content, node.target_name, *node.key, *filter(None, (node.speaker,))))


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
