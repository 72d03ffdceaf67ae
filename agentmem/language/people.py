"""Whom words mean: the speaker, somebody by what he is to one ("my neighbour's cat", 我妈), by name, or by a pronoun."""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han
from agentmem.language.lookalikes import simplified
from agentmem.language.names import placed_names
from agentmem.language.roles import ROLES, Sex


@dataclass(frozen=True, slots=True)
class Whom:
    """`path`: what he is to the speaker, step by step; empty for the speaker himself, None where a name or a pronoun
    does not say. `many`: more than one may be meant."""

    path: tuple[str, ...] | None
    name: str | None = None
    sex: Sex | None = None
    many: bool = False

    @property
    def is_pronoun(self) -> bool:
        """Whether only what was said before tells who it is."""
        return self.path is None and self.name is None


SELF: Final = Whom(())
LISTENER: Final = Whom(("listener",))


@dataclass(frozen=True, slots=True)
class MeantPerson:
    """Characters `start` to `end` of a text mean somebody. `owns`: something of his is named right after it, or before
    an "of"."""

    start: int
    end: int
    whom: Whom
    owns: bool = False


class KnownNames(Collection[str]):
    """Names that a text may say, looked up by where they could stand in it: it is read as fast whether ten are known or
    ten thousand."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._by_spelling: dict[str, str] = {}
        self._lengths: set[int] = set()
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Know one more."""
        if name:
            self._by_spelling.setdefault(name.lower(), name)
            self._lengths.add(len(name.lower()))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._by_spelling

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_spelling.values())

    def __len__(self) -> int:
        return len(self._by_spelling)

    def placed_in(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Where a text says one of them, of letters as a word of its own, of Chinese characters anywhere."""
        plain = text.lower()
        if len(plain) != len(text):  # a sign that is two in small letters
            plain = text
        for start in range(len(plain)):
            joined = start > 0 and _is_inside(plain[start - 1])
            for length in self._lengths:
                said = plain[start : start + length]
                name = self._by_spelling.get(said) if len(said) == length else None
                if name is None or not (
                    has_han(name) or not (joined or _is_inside(plain[start + length : start + length + 1]))
                ):
                    continue
                yield start, start + length, name


def _is_inside(sign: str) -> bool:
    """Whether a name of letters beside this sign is part of another word."""
    return (sign.isalnum() and not has_han(sign)) or sign in ("_", "-") if sign else False


_EN_WORDS: Final = {name: role.en for name, role in ROLES.items() if role.en}
_ZH_WORDS: Final = sorted(
    ((word, name) for name, role in ROLES.items() for word in role.zh.split("|") if role.zh),
    key=lambda pair: (-len(pair[0].replace("?", "")), pair[0]),
)
_IN_GROUP: Final = {f"r{place}": name for place, name in enumerate(ROLES)}
_ROLE_EN: Final = "|".join(f"(?P<r{place}>{_EN_WORDS[name]})" for place, name in enumerate(ROLES) if name in _EN_WORDS)
_LONG_ZH: Final = "|".join(word for word, _ in _ZH_WORDS if len(word) > 1)
_ANY_ZH: Final = "|".join(word for word, _ in _ZH_WORDS)
_ADJECTIVES_EN: Final = r"(?:(?:own|dear|older|elder|younger|little|big|new|old|current|former|late|best|eldest|youngest|first|second|other|close|good) ){0,2}"
_NAME_EN: Final = r"(?-i:(?:(?:Mr|Mrs|Ms|Miss|Dr)\.? )?[A-Z\u00c0-\u00de][\w\u00c0-\u024f'-]*[\w\u00c0-\u024f](?<!'s)(?: [A-Z\u00c0-\u00de][\w-]*\w(?<!'s)){0,2})"
_STEP_EN: Final = re.compile(
    rf"{_ADJECTIVES_EN}(?:{_ROLE_EN})(?![\w-])(?:,? (?P<name>{_NAME_EN})(?![\w]))?", re.IGNORECASE
)
_CALLED_EN: Final = re.compile(
    rf"(?:,? (?:(?:who|which|that) is |who's )?(?:called|named)|,? whose name is| and (?:(?:I|we) )?(?:call|called|named?) (?:her|him|it)) (?P<name>{_NAME_EN})",
    re.IGNORECASE,
)
_HAVING_EN: Final = re.compile(
    r"\b(?:I|we)(?:'ve|'d)?(?: (?:have|had|got|also|just|now|still|only|own|adopted|keep))* (?:have|got|had|own|adopted|keep|see|visit|hired|met|married) $|\b(?:I|we)'ve $",
    re.IGNORECASE,
)
"""What says of somebody behind it that he belongs to who speaks: "I have a dog, Rex"."""
_OWNS_EN: Final = re.compile(r"(?:['’]s|(?<=s)['’])(?=\s|$|[.,!?;])")
_HEAD_EN: Final = re.compile(
    r"\b(?:(?P<self>I|we)|(?P<mine>my|our)|(?P<alone>mine|ours|myself)|(?P<you>you|yours?|yourself)|(?P<he>he|him)|(?P<she>she)|(?P<his>his)|(?P<her>hers?)"
    r"|(?P<they>they|them)|(?P<theirs>theirs?)|(?P<one>an?|one of my|some|two|three|four))\b(?!-)",
    re.IGNORECASE,
)
_BARE_EN: Final = re.compile(
    rf"\b(?:the )?(?P<role>mum|mom|mummy|mommy|dad|daddy|grandma|grandpa|granny|kids|children|twins|{ROLES['landlord'].en}|{ROLES['boss'].en})\b(?![-\w])",
    re.IGNORECASE,
)
_OF_MINE: Final = re.compile(r" of (?:mine|ours)\b", re.IGNORECASE)
_OF_BEFORE: Final = re.compile(r"\b(?:of|belonging to|from) $", re.IGNORECASE)
_NOUN_AFTER: Final = re.compile(r"\s+[a-z\d]", re.IGNORECASE)


def people_in(
    text: str, *, selves: Collection[str] = (), known: Collection[str] = (), by_agent: bool = False
) -> list[MeantPerson]:
    """Whom a text means, in order of place. `selves`: names of who speaks, or of whom it is written; `known`: names of
    others that are known; `by_agent`: who is spoken to is the one it is about."""
    plain = simplified(text).replace("’", "'")
    found = [*_by_words_en(plain), *_by_words_zh(plain)] if has_han(plain) else list(_by_words_en(plain))
    found += _by_name(plain, selves, known if isinstance(known, KnownNames) else KnownNames(known))
    found.sort(key=lambda each: (each.start, -each.end))
    placed: list[MeantPerson] = []
    for each in found:
        last = placed[-1] if placed else None
        if last is not None and last.end == each.start and last.whom.path and _is_bare_name(last.whom, each.whom):
            placed[-1] = replace(each, start=last.start, whom=replace(last.whom, name=each.whom.name))
        elif last is None or each.start >= last.end:
            placed.append(each)
    return [replace(each, whom=_turned(each.whom)) for each in placed] if by_agent else placed


def _is_bare_name(role: Whom, name: Whom) -> bool:
    """Whether what stands right behind what somebody is is his name: 我同事周凯."""
    return role.name is None and name.name is not None and name.path is None


def _turned(whom: Whom) -> Whom:
    """The same where the other one speaks: "your son" of an agent is "my son" of the person."""
    if whom == SELF:
        return LISTENER
    return replace(whom, path=whom.path[1:]) if whom.path and whom.path[0] == LISTENER.path[0] else whom  # pyright: ignore[reportOptionalSubscript] - it has one


def _by_words_en(text: str) -> Iterator[MeantPerson]:
    for head in _HEAD_EN.finditer(text):
        kind, end = head.lastgroup, head.end()
        match kind:
            case "self":
                yield MeantPerson(head.start(), end, SELF)
            case "alone":
                yield MeantPerson(head.start(), end, SELF, owns=True)
            case "mine" | "you" | "his" | "her" | "theirs":
                yield from _owner_en(text, head.start(), end, kind)
            case "he" | "she" | "they":
                sex: Sex | None = {"he": "male", "she": "female"}.get(kind)  # pyright: ignore[reportAssignmentType] - of these two
                yield MeantPerson(head.start(), end, Whom(None, sex=sex, many=kind == "they"))
            case _:
                yield from _introduced_en(text, head.start(), end)
    for bare in _BARE_EN.finditer(text):
        role = _role_en(bare["role"])
        if role is not None:
            yield from _stepped_en(
                text,
                bare.start(),
                bare.end(),
                Whom((role,), many=bare["role"].lower() in ("kids", "children", "twins")),
            )


_OWNERS_EN: Final[Mapping[str, Whom]] = {
    "mine": SELF,
    "you": LISTENER,
    "his": Whom(None, sex="male"),
    "her": Whom(None, sex="female"),
    "theirs": Whom(None, many=True),
}


def _owner_en(text: str, start: int, end: int, kind: str) -> Iterator[MeantPerson]:
    """Whose something is, or who belongs to him."""
    owner = _OWNERS_EN[kind]
    if owner.path is not None and (step := _STEP_EN.match(text, end + 1)):
        yield from _stepped_en(text, start, step.end(), _joined(owner, step))
        return
    yield MeantPerson(start, end, owner, owns=_NOUN_AFTER.match(text, end) is not None and not _is_object(text, end))


_OBJECT: Final = re.compile(
    r"\s+(?:is|was|at|on|in|to|from|for|about|and|or|but|if|by|with|when|because|that|how|what|where|who|again|please)\b",
    re.IGNORECASE,
)


def _is_object(text: str, end: int) -> bool:
    """Whether what follows is no thing that somebody has: "call her on Monday"."""
    return _OBJECT.match(text, end) is not None


def _joined(owner: Whom, step: re.Match) -> Whom:
    group = next(name for name in _IN_GROUP if step.groupdict().get(name))
    return Whom((*(owner.path or ()), _IN_GROUP[group]), step["name"], many=_is_plural(step[group]))


def _is_plural(word: str) -> bool:
    return re.fullmatch(
        r".*(?:[^s]s|ies|children|kin|family)", word, re.IGNORECASE
    ) is not None and word.lower() not in ("sis", "missus")


def _stepped_en(text: str, start: int, end: int, whom: Whom) -> Iterator[MeantPerson]:
    """Who is meant in the end where one has another: "my neighbour's cat"."""
    for _ in range(4):
        owns = _OWNS_EN.match(text, end)
        further = _STEP_EN.match(text, owns.end() + 1) if owns is not None else None
        if owns is None or further is None:
            called = _CALLED_EN.match(text, end)
            name = called["name"] if called is not None and whom.name is None else whom.name
            of = _OF_BEFORE.search(text, max(0, start - 20), start) is not None
            named = called is not None and called.end() == len(text)
            yield MeantPerson(
                start, end if owns is None else owns.end(), replace(whom, name=name), owns is not None or of or named
            )
            return
        whom, end = _joined(replace(whom, name=None), further), further.end()


def _introduced_en(text: str, start: int, end: int) -> Iterator[MeantPerson]:
    """Somebody of whom it is said that he is one's: "a friend of mine", "one of my colleagues", "a dog called Rex"."""
    step = _STEP_EN.match(text, end + 1)
    if step is None:
        return
    mine = _OF_MINE.match(text, step.end())
    called = _CALLED_EN.match(text, step.end())
    whom = replace(_joined(SELF, step), many=False)
    if mine is not None or text[start:end].lower() == "one of my":
        yield MeantPerson(start, step.end() if mine is None else mine.end(), whom)
    elif called is not None:
        yield MeantPerson(start, step.end(), replace(whom, name=called["name"]), owns=True)
    elif step["name"] is not None and _HAVING_EN.search(text, max(0, start - 40), start):
        yield MeantPerson(start, step.end(), whom)


def _role_en(word: str) -> str | None:
    return next((name for name, words in _EN_WORDS.items() if re.fullmatch(words, word, re.IGNORECASE)), None)


_HEAD_ZH: Final = re.compile(
    r"(?P<self>(?:我|咱|俺|本人)(?:们)?(?:自己|本人)?)|(?P<you>[你您](?:们)?)|(?P<he>他(?!们))|(?P<she>她(?!们))|(?P<they>[他她它]们)"
)
_STEP_ZH: Final = re.compile(
    rf"(?:家里?)?(?:(?:[收领]?养|认识|请|雇|带)了?)?(?:的)?(?:[一那这]?[个位只条]|有一?[个位只条]|另一个|前|新|老|现任)??(?P<role>{_ANY_ZH})(?![区厂店院板科室费])"
)
_BARE_ZH: Final = re.compile(rf"(?P<role>{_LONG_ZH})")
_NAMED_ZH: Final = re.compile(
    r"(?:也|就)?(?:名?叫做?|的名字(?:叫|是)|[,，](?:[它他她]的?)?(?:名字)?叫做?)(?P<name>(?![我你您他她])[\u4e00-\u9fff·]{2,4}|[A-Z][A-Za-z]+)(?=$|[,，。.;；!！?？、\s]|的|她|他)"
)
_OWNS_ZH: Final = re.compile(r"(?:家)?的|家(?=[里的])?")


def _by_words_zh(text: str) -> Iterator[MeantPerson]:
    taken = 0
    for head in _HEAD_ZH.finditer(text):
        whom = {"self": SELF, "you": LISTENER, "he": Whom(None, sex="male"), "she": Whom(None, sex="female")}.get(
            head.lastgroup or "", Whom(None, many=True)
        )
        meant = _stepped_zh(text, head.start(), head.end(), whom)
        taken = meant.end
        yield meant
    for bare in _BARE_ZH.finditer(text):
        role = _role_zh(bare["role"])
        if role is not None and not (
            taken and text[bare.start() - 1 : bare.start()] in ("的", "家") and _follows(text, bare.start())
        ):
            yield _stepped_zh(text, bare.start(), bare.end(), Whom((role,), many=_is_several_zh(bare["role"], role)))


def _is_several_zh(word: str, role: str) -> bool:
    return "们" in word or role in ("parent", "relative")


def _follows(text: str, start: int) -> bool:
    """Whether a role stands behind whoever has it, which is read with him."""
    return re.search(rf"(?:{_ANY_ZH}|[我你您他她])(?:家|的|家的)$", text[:start]) is not None


def _stepped_zh(text: str, start: int, end: int, whom: Whom) -> MeantPerson:
    name: str | None = None
    for _ in range(4):
        step = _STEP_ZH.match(text, end)
        role = _role_zh(step["role"]) if step is not None else None
        if step is None or role is None or whom.is_pronoun:
            break
        whom, end = (
            Whom((*(whom.path or ()), role), many=_is_several_zh(step["role"], role)),
            step.end(),
        )
    if whom.path and (called := _NAMED_ZH.match(text, end)):
        name = called["name"]
    elif whom.path:
        name = _name_behind(text, end)
        end += len(name or "")
    owns = _OWNS_ZH.match(text, end)
    return MeantPerson(start, owns.end() if owns is not None else end, replace(whom, name=name), owns is not None)


_CALLED_SO: Final = re.compile(r"[老小阿][\u4e00-\u9fff](?=$|[\u4e00-\u9fff,，。的])")


def _name_behind(text: str, end: int) -> str | None:
    """The name right behind what somebody is: 同事老赵, 我女儿小美."""
    if (short := _CALLED_SO.match(text, end)) is not None and text[end + 1] not in "是区孩说学时店费板家心名姐妹":
        return short.group()
    near = text[end : end + 12]
    named = next((each for each in placed_names(near) if each.start == 0 and each.mention.kind == "person"), None)
    return None if named is None else named.mention.name


def _role_zh(word: str) -> str | None:
    return next((name for known, name in _ZH_WORDS if re.fullmatch(known, word)), None)


_VERB_EN: Final = re.compile(
    r"\s+(?:(?:is|was|has|had|will|can|just|also|now|still|always|never|usually|likes?|loves?|hates?|does|did|owes?|drives?|takes?|goes|went|got|gets|speaks|studies|plays|eats|drinks|earns?|weighs|[a-z]+s|[a-z]+ed)\b)"
)
_OPENS: Final = re.compile(
    r"(?:^|[.!?,;:\n]|\b(?:and|but|that|what|where|how|when|which(?: [a-z]+)?|because|so|while|whereas|if|who))\s*$",
    re.IGNORECASE,
)


_SHORT_ZH: Final = re.compile(
    r"(?<![\u4e00-\u9fff])[老小阿](?![区孩说学时店费板家师公乡人年本款号虎鼠程数])[\u4e00-\u9fff](?=的|在|住|有|是|说|喜欢|爱|对)"
)
"""What one is called for short, where it owns or does something: 小林的, 老赵住在."""


def _by_name(text: str, selves: Collection[str], known: KnownNames) -> Iterator[MeantPerson]:
    """Those whom a name means: a known one wherever it stands, another where it owns or does something."""
    for names, own in ((KnownNames(selves), True), (known, False)):
        for start, end, name in names.placed_in(text):
            if own or name not in selves:
                yield from _of_name(text, start, end, SELF if own else Whom(None, name))
    for short in _SHORT_ZH.finditer(text):
        yield from _of_name(text, short.start(), short.end(), Whom(None, short.group()))
    for each in placed_names(text):
        name = each.mention.name
        if each.mention.kind not in ("person", "thing") or name in known or name in selves:
            continue
        owns = _OWNS_EN.match(text, each.end) or text.startswith("的", each.end)
        acts = _OPENS.search(text, 0, each.start) and (_VERB_EN.match(text, each.end) or has_han(name))
        if owns or acts:
            yield from _of_name(text, each.start, each.end, Whom(None, name))


def _of_name(text: str, start: int, end: int, whom: Whom) -> Iterator[MeantPerson]:
    if whom == SELF and has_han(text):
        yield _stepped_zh(text, start, end, whom)
        return
    owns = _OWNS_EN.match(text, end)
    step = _STEP_EN.match(text, owns.end() + 1) if owns is not None and whom == SELF else None
    if step is not None:
        yield from _stepped_en(text, start, step.end(), _joined(whom, step))
        return
    of = _OF_BEFORE.search(text, max(0, start - 20), start) is not None
    behind = owns.end() if owns is not None else end + 1 if text.startswith("的", end) else end
    yield MeantPerson(start, behind, whom, owns=behind > end or of)
