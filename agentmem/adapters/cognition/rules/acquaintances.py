"""Whom the speaker has told of: by what names they go, and what they are to him.

They are learnt from what is held and as the talk goes on: `call Lena, my wife, on …`, 我姐，周岚，139…. A name that more
than one of them bears names nobody, unless it comes with what tells them apart: 财务的王芳.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator
from dataclasses import dataclass, field

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.domain.statement import Window
from agentmem.language.word_lists import word_list

_I = re.IGNORECASE
NO_PERSON = frozenset(
    (
        *word_list("names_en", "open a sentence", "calendar"),
        *("That", "This", "Mine", "Hers", "Yours", "Before", "School", "Work", "Home", "Mum", "Dad", "Mom"),
    )
)
"""Capitals at the beginning of a sentence that name nobody."""
_KIN_EN = rf"(?:{en.COLLEAGUES}|{en.HOUSEHOLD}|{en.KIN}|{en.ROLE})"
_KIN_ZH = rf"(?:{zh.RELATED})"
_WORD_EN = r"[A-Z][a-z]+(?:['-][A-Z][a-z]+)?"
NAME_EN = rf"(?-i:{_WORD_EN}(?: {_WORD_EN})?)"
_NAME_ZH = rf"(?:{zh.NAME}|{zh.LATIN_NAME}|[老小][\u4e00-\u9fff])"
_NUMBER = r"(?=[+(]?\d{2}|[\w.]{1,40}@)"
_SOME = r"(?:(?!(?:ex|old|former|previous|late|future|next|last)\b)[a-z-]+ )?"
_INTRODUCED = (
    re.compile(rf"\b(?:my|our) {_SOME}(?P<kin>{_KIN_EN}),? (?P<name>{NAME_EN})(?!\w)", _I),
    re.compile(rf"(?:^|(?<=[a-z.,;!?] ))(?<!\bhi )(?<!\bhey )(?<!\bhello )(?<!\bthanks )(?!(?:Ask|Call|Try|Ring|Text|Email|Contact|Tell|Meet|Phone) )(?P<name>{NAME_EN}), (?:my|our) {_SOME}(?P<kin>{_KIN_EN})(?=,| on | at )", _I),
    re.compile(rf"\b(?:my|our) {_SOME}(?P<kin>{_KIN_EN})[.,:]? (?P<name>{NAME_EN})[,:]? {_NUMBER}", _I),
    re.compile(rf"我们?家?的?(?P<kin>{_KIN_ZH})(?:吧|啊|呢)?[,。:; ]{{1,2}}(?:[他她]叫)?(?P<name>{_NAME_ZH})[,: ]*{_NUMBER}"),
    re.compile(rf"我们?家?的?(?P<kin>{_KIN_ZH})[^他她。;]{{0,12}}[,。;][他她](?:的?名字)?叫(?P<name>{_NAME_ZH})(?=$|[,。;!])"),
)  # fmt: skip
_SHARED = re.compile(
    r"\b(?:two|three|four|both|several) (?:(?:[a-z-]+ ){1,3}(?:called|named) (?P<one>(?-i:[A-Z][a-z]+))\b|(?P<many>(?-i:[A-Z][a-z]+))s\b)",
    _I,
)
"""A first name that several bear."""
_QUALIFIED_ZH = re.compile(
    rf"(?P<of>(?![^的]{{0,3}}[我你您他她找叫是给])[\u4e00-\u9fff]{{2,4}})的(?P<name>{zh.NAME}?)(?=$|[,。;!的]|电话|手机|微信|邮箱|号码|\d)"
)
_RELATIVE = re.compile(rf"{en.HOUSEHOLD}|{zh.HOUSEHOLD}", _I)
"""Who is that to somebody is hardly anything else to him besides: a friend may be a colleague, a sister is none."""
_KIN_OF_EN = re.compile(r" is [^.]{1,80}?'s (?P<kin>[a-z][a-z -]{2,20})$")
_KIN_OF_ZH = re.compile(r"是[^。]{1,40}?的(?P<kin>[\u4e00-\u9fff]{1,6})$")


@dataclass(slots=True)
class Acquaintances:
    """Names with what those who bear them are to the speaker, empty where that is not known; `shared` are names that
    several bear."""

    kin: dict[str, str] = field(default_factory=dict[str, str])
    shared: set[str] = field(default_factory=set[str])

    def learn(self, text: str) -> list[re.Match]:
        """Take in whom a normalised text introduces; where it says what those are whom it names for the first time."""
        met: list[re.Match] = []
        for each in _introduced(text):
            known, kin = self.kin.get(each["name"]), each["kin"].lower()
            if not known:
                met.append(each)
                self.add(each["name"], kin)
            elif _plain(known) != _plain(kin) and any(_RELATIVE.fullmatch(word) for word in (known, kin)):
                self.shared.add(each["name"])
        self.shared |= {name for found in _SHARED.finditer(text) for name in found.groups() if name}
        by_name: dict[str, set[str]] = {}
        for found in _QUALIFIED_ZH.finditer(text):
            by_name.setdefault(found["name"], set()).add(_unit(found["of"]))
        for name, units in by_name.items():
            if len(units) > 1:
                self.shared.add(name)
                self.kin |= {f"{unit}的{name}": "" for unit in units}
        return met

    def remember(self, name: str, content: str) -> None:
        """Take in somebody of whom `content` is held."""
        found = _KIN_OF_EN.search(content) or _KIN_OF_ZH.search(content)
        self.add(name, found["kin"] if found is not None and content.startswith(name) else "")

    def add(self, name: str, kin: str = "") -> None:
        """Take in somebody by name; what he is stays known."""
        self.kin[name] = kin.lower() or self.kin.get(name, "")

    def knows(self, name: str) -> bool:
        """Whether somebody goes by the name."""
        return bool(self._bearers(name)) or name in self.shared or self._first_of(name) in self.shared

    def called(self, name: str) -> str | None:
        """The full name of whom a name means, itself where nobody is known by it; None where it may be several."""
        bearers = self._bearers(name)
        if len(bearers) > 1 or name in self.shared:
            return None
        return bearers[0] if bearers else name

    def owners_in(self, text: str) -> Iterator[tuple[int, str | None]]:
        """Where something of theirs is spoken of, and whose, None where it may be of several: 刘洋的分机, `Dana's is`."""
        for name in (*self.kin, *self.shared):
            at = text.find(name)
            if at >= 0 and text.startswith(("的", "'s "), at + len(name)):
                yield at, self.called(name)

    def of_kin(self, word: str) -> str | None:
        """The name of the only one who is that to the speaker."""
        those = [name for name, kin in self.kin.items() if _plain(kin) == _plain(word.lower())]
        return those[0] if len(those) == 1 else None

    def _bearers(self, name: str) -> list[str]:
        return [each for each in self.kin if name in (each, self._first_of(each)) or each.endswith(f"的{name}")]

    @staticmethod
    def _first_of(name: str) -> str:
        return name.partition(" ")[0]


def qualified(unit: str, name: str) -> str:
    """How somebody is called who bears his name with others."""
    return f"{_unit(unit)}的{name}"


def _plain(kin: str) -> str:
    """妹 and 妹妹 are one."""
    return kin[:1] if kin == kin[:1] * 2 else kin


def _unit(words: str) -> str:
    return words.removesuffix("部门").removesuffix("部") if len(words) > 2 else words


def _introduced(text: str) -> Iterator[re.Match]:
    for pattern in _INTRODUCED:
        yield from (found for found in pattern.finditer(text) if found["name"].split()[0] not in NO_PERSON)


def acquaintances_of(window: Window) -> Acquaintances:
    """Those of whom the person has told before, as far as it is held or stands in the context."""
    people, label = Acquaintances(), window.person.label
    for held in window.others:
        if held.about is not None and not held.about.startswith(window.person.name):
            people.remember(held.about, held.content)
    for held in window.held:
        people.learn(held.content.replace(f"{label}'s ", "my ").replace(f"{label}的", "我"))
    for turn in window.context:
        if not turn.by_agent:
            people.learn(turn.text)
    return people
