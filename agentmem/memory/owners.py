"""Whose detail each clause of a talk tells: the person's own, somebody's by what he is to him, or by name.

Who somebody is is taken from the whole talk ("my mother is called Lucia", 同事老赵), a pronoun and a clause without a
subject from what was said right before. Where that leaves more than one, the clause is of each of them, and of none
for sure.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from agentmem import patterns as re
from agentmem.domain.naming import canonical_name
from agentmem.language.clauses import sentences
from agentmem.language.details import details_named, without_details
from agentmem.language.lookalikes import simplified
from agentmem.language.names import names_of
from agentmem.language.people import LISTENER, KnownNames, MeantPerson, Whom, people_in
from agentmem.language.roles import ROLES, Sex, is_within
from agentmem.memory.cuts import Cut, pieces

Owner = tuple[str, ...]
"""One person: what he is to who speaks, step by step, and his name where it is known; empty for who speaks."""

OWN: Final[Owner] = ()
_EITHER: Final[tuple[Sex, ...]] = ("male", "female")
_SPEAKER: Final = frozenset((OWN,))
_SOMEBODY: Final = frozenset((("somebody",),))
"""Whom a pronoun means that stands for nobody who was named: surely not who speaks."""
_NAME: Final = "called "

_JOINT: Final = re.compile(r"\s+(?:and|but|while|whereas)\s+$|[,;]\s*$", re.IGNORECASE)
_TOGETHER: Final = re.compile(r"\s*(?:and|or|和|跟|与|、|&)\s*", re.IGNORECASE)
_VERB: Final = (
    r"\b(?:is|are|was|were|am|has|have|had|does|do|did|can|will|lives?|lived|works?|takes?|likes?|loves?|hates?|goes|went"
    r"|plays?|teach(?:es)?|stud(?:y|ies)|drives?|rides?|owns?|keeps?|runs?|sells?|makes?|speaks?|wants?|needs?|prefers?|eats?|drinks?|sings?|collects?|uses?|wears?|starts?|enjoys?|paints?|writes?|smokes?|weighs?|earns?|owes?"
    r"|\w+ed)\b|['’](?:s|re|m|ve)\b"
)
_SAYS: Final = re.compile(rf"{_VERB}|\d|是|在|有|对", re.IGNORECASE)
_TELLING: Final = re.compile(rf"{_VERB}|\b(?:i|we|you|he|she|they|it|and|but|so)\b|[\u4e00-\u9fff]", re.IGNORECASE)
_PRESCRIBED: Final = re.compile(r"\b(?:prescribed|gave|put|diagnosed) me\b|给我(?:开|查|做|诊断|打)", re.IGNORECASE)
"""What a doctor did to who speaks, which is of him."""
_TO_ME: Final = re.compile(r"\b(?:me|us)\b", re.IGNORECASE)
"""To whom something comes that somebody does: "they gave me a new number"."""
_LEFT_OUT: Final = re.compile(r"\s*(?:(?:is|are|was|were|on)\b|(?<!家)(?:是|呢|在|叫))", re.IGNORECASE)
"""What stands behind a possessor that leaves the thing out; 我家在… tells where one lives."""
_BETWEEN_NAMES: Final = re.compile(r"\band\b|[和与、,]")
_GOES_ON: Final = re.compile(
    r"\s*(?:(?:and|but|so|now|well|oh|actually|sorry|no)[,\s]+)*(?:it|that|the new|the old|the number|this|now it)\b"
    r"|\s*(?:现在|以后|后来|目前|又)?(?:新的?|旧的?|号码|它|改成|换成|变成|现在是)|\s*[\d+(][\d\s()+-]*\W*$",
    re.IGNORECASE,
)
"""How a turn begins that goes on about what was said right before it."""


@dataclass(frozen=True, slots=True)
class ReadClause:
    """Characters `start` to `end` of a text: a clause, or one of those joined in it. `subject`: of whom it speaks, one
    set for each who is; `owned`: whose the things are that it names, each with the words right behind. `named`: who is
    introduced in it, which says nothing of his details, `roles`: what each is said to be, before his name.
    `inherits`: it speaks of whom the clause before it does; `elliptic`: of the same thing as well ("mine is …")."""

    start: int
    end: int
    text: str
    subject: tuple[frozenset[Owner], ...] = ()
    owned: tuple[tuple[frozenset[Owner], str], ...] = ()
    named: tuple[Cut, ...] = ()
    roles: tuple[tuple[frozenset[Owner], Cut], ...] = ()
    inherits: bool = False
    elliptic: bool = False

    @property
    def cut(self) -> Cut:
        """Its place."""
        return self.start, self.end


@dataclass(slots=True)
class Cast:
    """Who is known by which name, and as what: of the person, and of others; `called`: who is known as what."""

    selves: frozenset[str]
    names: KnownNames = field(default_factory=KnownNames)
    paths: dict[str, set[tuple[str, ...]]] = field(default_factory=dict[str, set[tuple[str, ...]]])
    called: dict[tuple[str, ...], dict[str, None]] = field(default_factory=dict[tuple[str, ...], dict[str, None]])
    seen: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])

    def know(self, name: str, path: tuple[str, ...] | None) -> None:
        """Take note of a name, and of what its bearer is to the person."""
        plain = canonical_name(name)
        if plain in {canonical_name(own) for own in self.selves}:
            return
        held = self.paths.setdefault(plain, set())
        self.names.add(plain)
        if path:
            held.add(path)
            self.called.setdefault(path, {})[plain] = None
            self.seen.add(path)

    def _called(self, path: tuple[str, ...]) -> Collection[str]:
        return self.called.get(path, ())

    def _one(self, path: tuple[str, ...], name: str | None) -> Owner:
        """The owner who is this to the person, and is called so: of several that are the same to him, by name."""
        return (*path, _NAME + name) if name is not None and len(self._called(path)) > 1 else path

    def owners(self, whom: Whom) -> frozenset[Owner]:
        """All whom these words may mean."""
        if whom.name is not None:
            return self._named(canonical_name(whom.name), whom.path)
        if whom.path is None:
            return frozenset()
        if not whom.path:
            return frozenset((OWN,))
        held = {path for path in self.seen if _fits(path, whom.path)} or {whom.path}
        return frozenset(self._one(path, name) for path in held for name in (self._called(path) or [None]))

    def _named(self, name: str, path: tuple[str, ...] | None) -> frozenset[Owner]:
        paths = self.paths.get(name, set())
        if path and path not in paths:
            within = {each for each in paths if _fits(each, path)}
            return frozenset(self._one(each, name) for each in within or {path})
        held = {path} if path else paths
        return frozenset(self._one(each, name) for each in held) or frozenset(((_NAME + name,),))

    def sex(self, owner: Owner) -> Sex | None:
        """Of whom it is known."""
        role = next((step for step in reversed(owner) if step in ROLES), None)
        return ROLES[role].sex if role is not None else None


def _fits(path: tuple[str, ...], meant: tuple[str, ...]) -> bool:
    return len(path) == len(meant) and all(is_within(one, other) for one, other in zip(path, meant, strict=True))


@dataclass(slots=True)
class TalkReader:
    """Turns of a person and of the agent with him, in order, as far as one tells whose something is. What is `written` of
    the person may mean him by a pronoun."""

    cast: Cast
    written: bool = False
    others: tuple[frozenset[Owner], ...] = ()
    before: tuple[frozenset[Owner], ...] = ()
    asked: bool = False

    @classmethod
    def of(cls, selves: Iterable[str], texts: Iterable[str]) -> "TalkReader":
        """Having heard these texts for who is who."""
        cast = Cast(frozenset(_names(selves)))
        said = [simplified(text) for text in texts]
        for _ in range(2):  # a name that is told later is known earlier as well
            for text in said:
                _introduce(cast, text)
        return cls(cast)

    def parts(self, text: str, *, by_agent: bool = False) -> list[ReadClause]:
        """Those of the next turn."""
        plain = simplified(text)
        people = _people(self.cast, plain, by_agent=by_agent)
        if self.before and not (self.asked or _GOES_ON.match(plain)):
            self.before = ()
        found: list[ReadClause] = []
        heard: list[frozenset[Owner]] = []
        ends = iter([sentence.end for sentence in sentences(plain)])
        until = next(ends, 0)
        for start, end in _parted(plain, people):
            while start >= until:
                self.others, heard = tuple(dict.fromkeys(heard)) or self.others, []
                until = next(ends, len(plain))
            inside = [each for each in people if start <= each.start and each.end <= end]
            found.append(self._part(plain, (start, end), inside, heard))
        self.others = tuple(dict.fromkeys(heard)) or self.others
        self.asked = by_agent and text.rstrip().endswith(("?", "？"))
        return found

    def _part(self, text: str, cut: Cut, people: Sequence[MeantPerson], heard: list[frozenset[Owner]]) -> ReadClause:
        placed: list[tuple[MeantPerson, frozenset[Owner]]] = []
        for each in people:
            owners = self._whom(each.whom, heard) or self._unnamed(each.whom, text[slice(*cut)])
            if owners and LISTENER.path not in owners:
                placed.append((each, owners))
                heard += [owners] if owners != _SPEAKER and not each.whom.is_pronoun else []
        subject = _subject(text, placed)
        owned = tuple((owners, text[each.end : cut[1]][:40]) for each, owners in placed if each.owns)
        inherits = not placed
        if placed and not (self.before and _only_adds_names(self.cast, text, cut)):
            self.before = subject or (owned[-1][0],)
        introduced = [(each, owners) for each, owners in placed if each.whom.path and each.whom.name]
        named = tuple((each.start, each.end) for each, _ in introduced)
        roles = tuple((owners, cut) for each, owners in introduced for cut in _before_name(text, each))
        subject = (_SPEAKER,) if _PRESCRIBED.search(text, *cut) else subject or (self.before if inherits else ())
        elliptic = any(each.owns and _LEFT_OUT.match(text, each.end) for each, _ in placed)
        return ReadClause(*cut, text[slice(*cut)], subject, owned, named, roles, inherits, elliptic)

    def _whom(self, whom: Whom, heard: Sequence[frozenset[Owner]]) -> frozenset[Owner]:
        if not whom.is_pronoun:
            owners = self.cast.owners(whom)
            here = frozenset[Owner]().union(*heard)
            return owners & here if whom.path is None and owners & here else owners
        near = tuple(dict.fromkeys(heard)) or self.others
        fit = [owners for owners in near if whom.sex in (None, *(self._sex(owners)))]
        return frozenset[Owner]().union(*fit)

    def _unnamed(self, whom: Whom, clause: str) -> frozenset[Owner]:
        return _SOMEBODY if whom.is_pronoun and not (self.written or _TO_ME.search(clause)) else frozenset()

    def _sex(self, owners: frozenset[Owner]) -> tuple[Sex, ...]:
        known = frozenset(self.cast.sex(owner) for owner in owners)
        return tuple(sex for sex in _EITHER if sex in known or None in known)


def _only_adds_names(cast: Cast, text: str, cut: Cut) -> bool:
    """Whether a clause adds nothing but names to the one before: "I have two cats, Misty and Fluff, and live in Oslo"."""
    named = (each.strip().casefold() for each in _BETWEEN_NAMES.split(text[slice(*cut)]))
    joined = text[max(0, cut[0] - 2) : cut[0]].rstrip().endswith((",", "，"))
    return joined and all(each in cast.names for each in named)


def _before_name(text: str, introduced: MeantPerson) -> Iterator[Cut]:
    """What stands before his name where somebody is introduced: "My sister" in "My sister Mia"."""
    name = text.rfind(introduced.whom.name or "", introduced.start, introduced.end)
    if name > introduced.start:
        yield introduced.start, name


def _names(names: Iterable[str]) -> Iterator[str]:
    """Names of a person, and the first of several words in each: Ben Carver is Ben."""
    for name in names:
        yield name
        first, *rest = name.split()
        if rest and len(first) > 2 and not first.endswith("."):
            yield first


def _people(cast: Cast, text: str, *, by_agent: bool = False) -> list[MeantPerson]:
    """Whom a text means; no name is what a detail is called where a sentence begins with it: "Passport is …"."""
    found = people_in(text, selves=cast.selves, known=cast.names, by_agent=by_agent)
    return [each for each in found if each.whom.path is not None or not _is_a_detail(each.whom.name)]


def _is_a_detail(name: str | None) -> bool:
    named = details_named(name) if name else frozenset[str]()
    return bool(named) and not without_details(name or "", named).strip()


def _introduce(cast: Cast, text: str) -> None:
    people = _people(cast, text)
    for place, each in enumerate(people):
        whom = each.whom
        if whom.name is not None and LISTENER.path != whom.path:
            cast.know(whom.name, whom.path)
            for name in _named_with(text, each):
                cast.know(name, whom.path)
        elif whom.path and whom.path != LISTENER.path:
            cast.seen.add(whom.path)
            for name in _named_beside(text, each):
                cast.know(name, whom.path)
        if whom.path is None and whom.name is not None:
            after = people[place + 1] if place + 1 < len(people) else None
            if after is not None and _is_said_to_be(text, each, after):
                cast.know(whom.name, after.whom.path)


def _named_with(text: str, first: MeantPerson) -> Iterator[str]:
    """The names of those who are the same as the first of several: "two dogs, Rex and Bella"."""
    end = first.end if _SEVERAL.match(text, first.start) else len(text)
    while further := _FURTHER.match(text, end):
        yield further["name"]
        end = further.end()


def _named_beside(text: str, role: MeantPerson) -> Iterator[str]:
    """The name that a text gives to who is something to somebody: "my mother is Lucia", "this is Rex, my dog"."""
    behind = _NAME_BEHIND.match(text, role.end)
    if behind is not None:
        yield behind["name"]
    before = _NAME_BEFORE.search(text, max(0, role.start - _NAME_REACH), role.start)
    if before is not None and not role.owns and _ENDS_ROLE.match(text, role.end):
        yield from (each.name for each in names_of(before[0]) if each.name == before["name"])


def _is_said_to_be(text: str, name: MeantPerson, role: MeantPerson) -> bool:
    """Whether a text says of a name only what its bearer is to somebody: "Lucia is my mother"."""
    alone = bool(role.whom.path) and role.whom.name is None and not role.owns
    return alone and bool(_IS.fullmatch(text[name.end : role.start]) and _ENDS.match(text, role.end))


_NAME_BEHIND: Final = re.compile(
    r"(?:['’]s)?(?: name)? (?:is|was|'s) (?:also )?(?:called |named )?(?P<name>(?-i:(?:(?:Mr|Mrs|Ms|Miss|Dr)\.? )?[A-Z\u00c0-\u00de][\w'-]*\w(?: [A-Z][\w-]+){0,2}))(?= too\b| and\b|\s*[,.;!?]|\s*$)",
    re.IGNORECASE,
)
_NAME_BEFORE: Final = re.compile(r"\b(?:is|meet|with|to|about|and) (?P<name>[A-Z\u00c0-\u00de][\w'-]*\w)(?:, | \()$")
_NAME_REACH: Final = 60
"""Characters before what somebody is, in which his name may stand."""
_SEVERAL: Final = re.compile(r"(?:two|three|four)\b", re.IGNORECASE)
_FURTHER: Final = re.compile(r"(?:,? and|,) (?P<name>[A-Z\u00c0-\u00de][\w'-]*\w)(?=\s*(?:$|[,.;!?]| and\b))")
_ENDS_ROLE: Final = re.compile(r"\s*(?:$|[,.;!?)，。；！？])")
_IS: Final = re.compile(r"(?:,| is| was|['’]s|是|就是)\s*")
_ENDS: Final = re.compile(r"\s*(?:$|[,.;!?，。；！？]|and\b|but\b)")


def _parted(text: str, people: Sequence[MeantPerson]) -> Iterator[Cut]:
    """The clauses of a text; one that goes on about somebody else behind an "and" is parted there, and who is only
    named together with another is not parted from him."""
    for start, end in _joined(text, people):
        at = start
        for each in people:
            if at < each.start < end:
                joint = _JOINT.search(text, at, each.start)
                if (
                    joint is not None
                    and _SAYS.search(text, at, joint.start())
                    and _SAYS.search(text, each.end - 2, end)
                ):
                    yield at, joint.start()
                    at = each.start
        yield at, end


def _joined(text: str, people: Sequence[MeantPerson]) -> Iterator[Cut]:
    held: Cut | None = None
    for start, end in pieces(text):
        begun = held is not None and _TOGETHER.fullmatch(text[held[1] : start]) is not None
        if held is not None and not begun:
            yield held
        start = held[0] if held is not None and begun else start
        held = (start, end)
        alone = any(start <= each.start and each.end == end for each in people)
        if not alone or _SAYS.search(text, start, end):
            yield held
            held = None
    if held is not None:
        yield held


def _subject(text: str, placed: Sequence[tuple[MeantPerson, frozenset[Owner]]]) -> tuple[frozenset[Owner], ...]:
    """Of whom a clause speaks: the first that it means, and who is named together with him."""
    if not placed:
        return ()
    found, (last, _) = [placed[0][1]], placed[0]
    for each, owners in placed[1:]:
        if not _TOGETHER.fullmatch(text[last.end : each.start]):
            break
        found.append(owners)
        last = each
    return tuple(found)


def is_fragment(part: ReadClause) -> bool:
    """Whether a clause only adds to the one before it: "…, seat 14C"."""
    return part.inherits and part.start > 0 and len(part.text.split()) <= MAX_ADDED and not _TELLING.search(part.text)


MAX_ADDED: Final = 3
"""Words of what is only added."""


def goes_on(text: str) -> bool:
    """Whether a clause goes on about what was said right before it: "it's …", 新号是…"""
    return _GOES_ON.match(text) is not None


def shown(owner: Owner) -> str:
    """An owner as an answer tells him."""
    return " ".join(owner).replace(_NAME, "") or "one's own"
