"""What a wish takes and what it leaves, by whose it is: each clause of the turns and each memory has an owner, and only
those of the one whom the wish means go.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from agentmem import patterns as re
from agentmem.domain.episode import order_in_talk
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.value import asked_with
from agentmem.errors import InvalidInput
from agentmem.language.detail_kinds import kinds_shown
from agentmem.language.details import details_named
from agentmem.language.people import Whom, people_in
from agentmem.language.typed_values import is_bare
from agentmem.memory.cuts import Cut, apart, made_of, pieces, saying
from agentmem.memory.owners import OWN, Owner, ReadClause, TalkReader, goes_on, is_fragment, shown
from agentmem.memory.request_named import is_name
from agentmem.memory.sought import Asked, Sought
from agentmem.memory.wish import Wish

Owners = tuple[frozenset[Owner], ...]
"""Whose something is: of each who has it together with others, all whom the words may mean."""

_MINE: Final[Owners] = (frozenset((OWN,)),)
_PAST: Final = re.compile(
    r"\b(?:used to|formerly|previously|until|before|back then|old|former|was|were)\b|以前|之前|原来|从前|过去|旧|曾经|那时",
    re.IGNORECASE,
)
"""What says of a value that it holds no longer."""
_VALUE: Final = re.compile(
    r"[\d@]|\b(?:now|new|changed|moved|is|was)\b(?! (?:for|about|because|not|really|very|so|too)\b)|换|改|新|现在|是",
    re.IGNORECASE,
)
"""What a clause has that goes on about a detail and tells it anew."""
_ANOTHER: Final = re.compile(r"\W*it(?:['’]s| is| was) an? (?!new|different|other)", re.IGNORECASE)
"""How it begins where it tells of what kind a thing is."""


@dataclass(frozen=True, slots=True)
class TellingClause:
    """A clause of a turn that tells what a wish names, and whose it is."""

    turn: MemoryNode
    part: ReadClause
    owners: Owners

    @property
    def key(self) -> tuple[str, Cut]:
        """Where it stands."""
        return self.turn.memory_id, self.part.cut


@dataclass(frozen=True, slots=True)
class TakenByWish:
    """What goes: clauses of turns, memories; and what must not be cut, by turn. `others`: memories that tell the same
    of somebody else."""

    clauses: tuple[TellingClause, ...] = ()
    nodes: tuple[MemoryNode, ...] = ()
    spared: Mapping[str, set[Cut]] = field(default_factory=dict[str, set[Cut]])
    others: frozenset[str] = frozenset()

    def tell_all_of(self, node: MemoryNode) -> bool:
        """Whether clauses that go tell all of a memory that is to go: what else it was made of tells something else. One
        that has a value is told where that is said."""
        telling = [each for each in self.clauses if made_of([node], each.turn.memory_id, each.part.cut)]
        said = [each.turn.content[slice(*cut)] for each in telling for cut in pieces(each.turn.content)]
        return bool(telling) and not (node.value and any(node.value in clause for clause in said))


@dataclass(frozen=True, slots=True)
class OwnedTurns:
    """The turns of one person's talks with whose each clause is, and what was made of them."""

    talk: TalkReader
    parts: Sequence[tuple[MemoryNode, ReadClause]]
    asked: Asked

    @classmethod
    def read(cls, held: Iterable[MemoryNode], others: Iterable[MemoryNode], asked: Asked) -> "OwnedTurns":
        """What is held of one person, the turns in the order in which they were said. What was read out of them of
        `others` tells, too, who is who."""
        held, others = list(held), list(others)
        said = sorted((node for node in held if node.memory_type is MemoryType.CONVERSATION), key=_when)
        facts = [node for node in held if node.memory_type is not MemoryType.CONVERSATION]
        named = {node.value for node in facts if node.attribute in ("name", "alias") and node.value}
        selves = {*named, *(node.target_name for node in held)}
        talk = TalkReader.of(selves, [node.content for node in (*said, *facts, *others)])
        parts = [(turn, part) for turn in said for part in talk.parts(turn.content, by_agent=_by_agent(turn))]
        return cls(talk, parts, asked)

    def taken(self, wish: Wish, nodes: Iterable[MemoryNode], now: datetime, *, sure: bool = True) -> TakenByWish:
        """What goes of these turns and memories. Raises `InvalidInput` where it is not clear whose is meant and it has
        to be `sure`."""
        told = list(self._told(wish.forget))
        about = [(node, self.owners_of(node, wish.forget)) for node in nodes if self._says(wish.forget, node)]
        taken = self._chosen(wish, told, about, now, sure=sure)
        if taken.clauses or taken.nodes or wish.former or wish.current:
            return taken
        return self._chosen(wish, self._seeming(wish), [], now, sure=sure)

    def _seeming(self, wish: Wish) -> list[TellingClause]:
        """The clauses that seem to tell one matter that is named; none where they may tell several."""
        hinting = [(turn, part, wish.forget.hints_in(part.text, turn.content)) for turn, part in self.parts]
        found = [
            (TellingClause(turn, part, self._of(part, wish.forget)), hints) for turn, part, hints in hinting if hints
        ]
        meant = self._meant(wish, [clause.owners for clause, _ in found], sure=True)
        found = [(clause, hints) for clause, hints in found if _is_of(clause.owners, meant)]
        one = len({hints for _, hints in found}) == 1
        return list(self._with_fragments([clause for clause, _ in found])) if one else []

    def _with_fragments(self, told: Iterable[TellingClause]) -> Iterator[TellingClause]:
        """These clauses with what is only added to each: "I see a therapist, Dr. Hale, every Thursday"."""
        known, owners = {each.key: each for each in told}, None
        for turn, part in self.parts:
            own = known.get((turn.memory_id, part.cut))
            owners = own.owners if own is not None else owners if is_fragment(part) else None
            if own is not None or owners is not None:
                yield own or TellingClause(turn, part, owners or ())

    def _chosen(
        self,
        wish: Wish,
        told: Sequence[TellingClause],
        about: Sequence[tuple[MemoryNode, Owners]],
        now: datetime,
        *,
        sure: bool,
    ) -> TakenByWish:
        """Of what tells what is named, what is his whom the wish means, and not to be kept."""
        meant = self._meant(wish, [each.owners for each in told] + [whose for _, whose in about], sure=sure)
        kept = {each.key for each in self._told(wish.keep) if self._keeps(wish.keep, each.owners)}
        mine = [each for each in told if _is_of(each.owners, meant)]
        mine = [each for each in mine if each.key not in kept] or (mine if wish.forget.counted else [])
        mine = list(_of_age(mine, wish))
        gone = [node for node, owners in about if _is_of(owners, meant) and not self.stays(wish, node, now)]
        over = {id(node) for node in gone}
        others = frozenset(node.memory_id for node, _ in about if id(node) not in over)
        return TakenByWish(tuple(mine), tuple(gone), self._spared(wish, told, mine, kept), others)

    def taken_whole(self, wish: Wish, nodes: Iterable[MemoryNode], now: datetime) -> TakenByWish:
        """The same where somebody is meant as a whole: all that is told of him. Raises `InvalidInput` where several
        may be meant."""
        meant = frozenset[Owner]()
        for whom in wish.forget.people:
            found = self.talk.cast.owners(whom)
            if len(found) > 1 and not whom.many:
                if len(told := [each for each in self.parts if wish.forget.said_in(each[1].text)]) != 1:
                    raise _unclear(found)
                # Several are a doctor to one, and only one of them is called the therapist.
                nodes = [node for node in nodes if wish.forget.said_in(_whole(node))]
                return TakenByWish(tuple(TellingClause(turn, part, part.subject) for turn, part in told), tuple(nodes))
            meant |= found - {OWN}
        about = [node for node in nodes if self._tells_of(node, wish, meant)]
        gone = [node for node in about if not self.stays(wish, node, now)]
        kept = self._parts_kept(wish, gone, [node for node in about if node not in gone], meant)
        mine = [
            TellingClause(turn, part, part.subject) for turn, part in self.parts if self._is_about(part, wish, meant)
        ]
        mine = [each for each in mine if each.key not in kept]
        spared: dict[str, set[Cut]] = {}
        for (turn, cut), less in kept.items():
            spared.setdefault(turn, set()).update(apart([cut], [each.part.cut for each in less]))
        return TakenByWish((*mine, *(each for less in kept.values() for each in less)), tuple(gone), spared)

    def _parts_kept(
        self, wish: Wish, gone: Sequence[MemoryNode], staying: Sequence[MemoryNode], meant: frozenset[Owner]
    ) -> dict[tuple[str, Cut], list[TellingClause]]:
        """The clauses that tell what is to be kept of somebody, or of which memories were made that stay, each with
        what of it goes all the same: what he is to the person, and values of what goes."""
        told = {each.key for each in self._told(wish.keep)}
        values = {node.value for node in staying if node.value}
        found: dict[tuple[str, Cut], list[TellingClause]] = {}
        for turn, part in self.parts:
            if (turn.memory_id, part.cut) in told or _says_any(staying, turn, part.cut):
                cuts = [cut for owners, cut in part.roles if owners <= meant]
                over = (node.value for node in gone if node.value and made_of([node], turn.memory_id, part.cut))
                cuts += [_place_in(part, value) for value in over if _says_apart(part.text, value, values)]
                less = [replace(part, start=begin, end=stop, text=turn.content[begin:stop]) for begin, stop in cuts]
                found[turn.memory_id, part.cut] = [TellingClause(turn, each, each.subject) for each in less]
        return found

    def kept(
        self, wish: Wish, nodes: Iterable[MemoryNode], now: datetime
    ) -> tuple[list[MemoryNode], dict[str, list[Cut]]]:
        """Of everything, the memories and, by turn, the clauses that tell what is to be kept of those whose it is."""
        keep = wish.keep
        staying = [node for node in nodes if self.stays(wish, node, now)]
        told = {each.key for each in self._told(keep) if self._keeps(keep, each.owners)}
        found: dict[str, list[Cut]] = {}
        for turn, part in self.parts:
            named = wish.is_kept(part.text, self.asked) and self._keeps(keep, self._of(part, keep))
            if named or (turn.memory_id, part.cut) in told or _says_any(staying, turn, part.cut):
                found.setdefault(turn.memory_id, []).append(part.cut)
        return staying, found

    def _is_about(self, part: ReadClause, wish: Wish, meant: frozenset[Owner]) -> bool:
        """Whether a clause tells of somebody, says something of his, or names him by the words of the wish."""
        owned = tuple(owners for owners, _ in part.owned)
        return _is_of(part.subject, meant) or _is_of(owned, meant) or wish.forget.said_in(part.text)

    def _tells_of(self, node: MemoryNode, wish: Wish, meant: frozenset[Owner]) -> bool:
        return _is_of(self.owners_of(node, wish.forget), meant) or wish.forget.said_in(_whole(node))

    def owners_of(self, node: MemoryNode, sought: Sought) -> Owners:
        """Whose detail a memory tells."""
        talk = TalkReader(self.talk.cast, written=True)
        parts = talk.parts(node.content)
        telling = next((part for part in parts if sought.told_in(part.text, self.asked)), next(iter(parts), None))
        found = self._of(telling, sought) if telling is not None and (telling.subject or telling.owned) else ()
        return found or self._target(node)

    def _target(self, node: MemoryNode) -> Owners:
        cast = self.talk.cast
        meant = people_in(node.target_name, selves=cast.selves, known=(node.target_name,))
        return tuple(filter(None, (cast.owners(each.whom) for each in meant[:1]))) or _MINE

    def _of(self, part: ReadClause, sought: Sought) -> Owners:
        owning = tuple(owners for owners, phrase in part.owned if sought.names(phrase, self.asked))
        return owning or part.subject or _MINE

    def _says(self, sought: Sought, node: MemoryNode) -> bool:
        if sought.kinds and self._made_of_other_kind(sought, node):
            return False
        return sought.fills(node) or sought.told_in(node.content, self.asked) or sought.said_in(_whole(node))

    def _made_of_other_kind(self, sought: Sought, node: MemoryNode) -> bool:
        """Whether only the clauses that a memory was made of show that it is of another kind than is named."""
        if kinds_shown(node.content, sought.kinds):
            return False
        made = [part.text for turn, part in self.parts if made_of([node], turn.memory_id, part.cut)]
        valued = [sought.said_of(node.value, text) for text in made if node.value and node.value in text]
        return bool(made) and all(sought.is_of_other_kind(text) for text in valued or made)

    def _told(self, sought: Sought) -> Iterator[TellingClause]:
        """The clauses that tell it, and those that only tell its value because the one before named it."""
        named = told = False
        for turn, part in self.parts if sought else ():
            tells = sought.told_in(part.text, self.asked)
            bare = part.inherits and not told and is_bare(part.text, turn.valid_at)
            of_else = bool(details_named(part.text) - sought.details) or (
                kinds_shown(part.text, sought.kinds) and sought.is_of_other_kind(part.text)
            )
            of_else = of_else or (told and _ANOTHER.match(part.text) is not None)
            further = part.inherits and not of_else and goes_on(part.text) and _VALUE.search(part.text)
            on = named and bool(part.elliptic or bare or further)
            on = on or (told and is_fragment(part) and not of_else)
            if tells or on:
                yield TellingClause(turn, part, self._of(part, sought))
            named, told = tells or on or bool(details_named(part.text) & sought.details), tells or on

    def _meant(self, wish: Wish, told: Collection[Owners], *, sure: bool) -> frozenset[Owner]:
        """Whose detail is meant, of those who have it."""
        having = frozenset(owner for owners in told for each in owners if len(each) == 1 for owner in each)
        people = wish.forget.people
        if not people:
            several = len({frozenset(owners) for owners in told}) > 1
            return self._unnamed(wish, having, sure=sure and several)
        found = frozenset[Owner]()
        for whom in people:
            meant = self._whom(whom, having)
            doubtful = any(len(each) > 1 and each & meant for owners in told for each in owners)
            if len(meant) > 1 and not whom.many:
                held = meant & having
                if len(held) > 1 or doubtful:
                    raise _unclear(held or meant)
                meant = held
            found |= meant
        return found

    def _whom(self, whom: Whom, having: frozenset[Owner]) -> frozenset[Owner]:
        if not whom.is_pronoun:
            return self.talk.cast.owners(whom)
        others = having - {OWN}
        return frozenset(owner for owner in others if whom.sex is None or self.talk.cast.sex(owner) in (None, whom.sex))

    def _unnamed(self, wish: Wish, having: frozenset[Owner], *, sure: bool) -> frozenset[Owner]:
        kept = frozenset[Owner]().union(*(self._whom(whom, having) for whom in wish.keep.people))
        rest = having - kept if kept else having
        forget, names = wish.forget, self.talk.cast.names
        known = wish.name is not None and (is_name(wish.name) or canonical_name(wish.name) in names)
        if sure and len(rest) > 1 and not (forget.every or forget.of_value or kept or known):
            raise _unclear(rest)
        return rest

    def _keeps(self, keep: Sought, owners: Owners) -> bool:
        """Whether what is told of these is to be kept; of whom it is, where the wish does not say."""
        named = [whom for whom in keep.people if not whom.is_pronoun]
        if not named:
            return bool(keep)
        kept = frozenset[Owner]().union(*(self.talk.cast.owners(whom) for whom in named))
        return any(each & kept for each in owners)

    def stays(self, wish: Wish, node: MemoryNode, now: datetime) -> bool:
        """Whether a memory that tells what is named is to be kept all the same."""
        if (wish.former and node.is_valid(now)) or (wish.current and not node.is_valid(now)):
            return True
        keep = wish.keep
        return bool(keep) and self._says(keep, node) and self._keeps(keep, self.owners_of(node, keep))

    def _spared(
        self, wish: Wish, told: Iterable[TellingClause], taken: Iterable[TellingClause], kept: set[tuple[str, Cut]]
    ) -> dict[str, set[Cut]]:
        """What of the turns must stay: who somebody is, where it is not his name that goes, what is told of others, and
        what is to be kept."""
        gone = {each.key for each in taken}
        spared: dict[str, set[Cut]] = {}
        for turn, part in self.parts:
            place = turn.memory_id, part.cut
            named = () if wish.forget.of_name and place in gone else part.named
            cuts = [*named, *([part.cut] if place in kept - gone else [])]
            if cuts:
                spared.setdefault(turn.memory_id, set()).update(cuts)
        for each in told:
            if each.key not in gone:
                spared.setdefault(each.turn.memory_id, set()).add(each.part.cut)
        return spared


def _says_any(nodes: Iterable[MemoryNode], turn: MemoryNode, cut: Cut) -> bool:
    """Whether a clause of a turn says one of these memories that were made of it."""
    own = ((node, part) for node in nodes for part in node.evidence if part.memory_id == turn.memory_id)
    said = (each for node, part in own for each in saying(node, turn.content, part, ()))
    return any(start < cut[1] and cut[0] < end for start, end in said)


def _place_in(part: ReadClause, value: str) -> Cut:
    start = part.start + part.text.index(value)
    return start, start + len(value)


def _says_apart(clause: str, value: str, others: Iterable[str]) -> bool:
    """Whether a clause says a value that is no part of these others, nor they of it."""
    return value in clause and not any(value in other or other in value for other in others)


def _is_of(owners: Owners, meant: frozenset[Owner]) -> bool:
    return bool(owners) and all(each <= meant for each in owners)


def _of_age(taken: Sequence[TellingClause], wish: Wish) -> Iterator[TellingClause]:
    """Of what somebody told at different times: all, what held before, or what holds now."""
    last = {each.owners: each.turn.memory_id for each in taken if not _PAST.search(each.part.text)}
    for each in taken:
        holds = last.get(each.owners) == each.turn.memory_id and not _PAST.search(each.part.text)
        if not (wish.former or wish.current) or holds is wish.current:
            yield each


def _unclear(owners: Iterable[Owner]) -> InvalidInput:
    return InvalidInput(f"it is not clear whose is meant to be forgotten: {', '.join(sorted(map(shown, owners)))}")


def _whole(node: MemoryNode) -> str:
    caption = node.meta_data.get("caption")
    return "\n".join(
        (node.content, *node.key, caption if isinstance(caption, str) else "", *asked_with(node.meta_data))
    )


def _when(turn: MemoryNode) -> tuple[datetime, tuple[str, int], str]:
    return turn.valid_at, order_in_talk(turn) or ("", 0), turn.memory_id


def _by_agent(turn: MemoryNode) -> bool:
    """Whether the agent said it."""
    return turn.speaker not in (None, turn.target_name)
