"""Corrections of what is forgotten: what puts a value right may name nothing but another one ("no, May 13").
Where it stands tells what it is of, whether or not a memory was made of it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han
from agentmem.domain.episode import order_in_talk
from agentmem.domain.memory import Evidence, MemoryNode
from agentmem.language.details import details_of, only_resembles
from agentmem.language.lookalikes import simplified
from agentmem.language.names import names_of
from agentmem.language.normal import identifiers_in
from agentmem.language.typed_values import is_bare, is_one_type, typed_values
from agentmem.memory.cuts import Cut, pieces, saying, without
from agentmem.memory.sought import Asked

REACH: Final = 4
"""Turns after a value, the agent's among them, in which it is put right."""

_IDENTIFIER: Final = "identifier"
_SLIP: Final = re.compile(
    r"^(?:no|wait|oops)\b|\b(?:i meant?|sorry|correction|actually|my mistake|typo|misspoke|scratch that"
    r"|make (?:it|that)|(?:got|had) (?:it|that|this) wrong)\b"
    r"|不对|^不[,，是]|[说讲写打记搞弄填报][错岔混反]|口误|更正|纠正|应该是|应为|准确(?:地|来)?说",
    re.IGNORECASE,
)
"""What says that what was just said is to be put right."""
_LEAD: Final = re.compile(r"^(?:\s|[,，:：]|(?:it['’]?s|it is|in|at|from)\b|是|住?在)+", re.IGNORECASE)
_CAPITALS: Final = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3}")


@dataclass(frozen=True, slots=True)
class _Clause:
    turn: MemoryNode
    cut: Cut

    @property
    def text(self) -> str:
        return self.turn.content[slice(*self.cut)]

    @property
    def kinds(self) -> frozenset[str]:
        """The types of the values that it says."""
        coded = [_IDENTIFIER] if identifiers_in(self.text) else []
        return frozenset((*coded, *(value.kind for value in typed_values(self.text, self.turn.valid_at))))

    @property
    def slips(self) -> bool:
        """Whether it says that something is to be put right."""
        return _SLIP.search(self.text) is not None

    @property
    def bare(self) -> bool:
        """Whether it says nothing besides its values, and that they put something right."""
        said = _SLIP.sub("", self.text)
        codes = [(start, stop) for start, stop, _ in identifiers_in(said)]
        rest = _LEAD.sub("", without(said, codes))
        return is_bare(said, self.turn.valid_at) or (bool(codes) and not any(map(str.isalnum, rest)))

    @property
    def is_name(self) -> bool:
        """Whether it says nothing besides a name, and that it puts something right."""
        rest = _LEAD.sub("", _SLIP.sub("", self.text)).strip(" .!。！")
        named = [mention.name for mention in names_of(rest if has_han(rest) else f"about {rest}")]
        return named == [rest] if has_han(rest) else bool(named and _CAPITALS.fullmatch(rest))


@dataclass(frozen=True, slots=True)
class PutRight:
    """Finds what puts right the values of forgotten facts; what says a fact of those staying does not, which are known
    by the turns they were said in."""

    turns: Iterable[MemoryNode]
    staying: Mapping[str, Sequence[tuple[MemoryNode, Evidence]]]
    asked: Asked

    @classmethod
    def beside(cls, turns: Iterable[MemoryNode], staying: Iterable[MemoryNode], asked: Asked) -> "PutRight":
        """Where these facts stay."""
        said: dict[str, list[tuple[MemoryNode, Evidence]]] = {}
        for node in staying:
            for part in node.evidence:
                said.setdefault(part.memory_id, []).append((node, part))
        return cls(turns, said, asked)

    def clauses_of(self, facts: Iterable[MemoryNode]) -> Iterator[tuple[MemoryNode, Cut]]:
        """The clauses that put one of these facts right, soon after it was said, with their turns."""
        placed = sorted((at, turn.memory_id, turn) for turn in self.turns if (at := order_in_talk(turn)) is not None)
        order = {key: at for at, (_, key, _) in enumerate(placed)}
        for fact in facts:
            for part in fact.evidence if fact.value else ():
                at = order.get(part.memory_id)
                if at is not None:
                    later = [turn for _, _, turn in placed[at : at + 1 + REACH] if turn.run_id == placed[at][2].run_id]
                    yield from self._after(fact, part, later)

    def _after(self, fact: MemoryNode, part: Evidence, talk: Sequence[MemoryNode]) -> Iterator[tuple[MemoryNode, Cut]]:
        first = talk[0]
        begin = [_Clause(first, cut) for cut in saying(fact, first.content, part, ())]
        if not begin:
            return
        kinds = frozenset[str]().union(*(clause.kinds for clause in begin))
        for turn in talk:
            own = turn.speaker == first.speaker
            rest = [clause for clause in _clauses(turn) if turn is not first or clause.cut[0] >= begin[-1].cut[1]]
            for before, clause in zip((None, *rest), rest, strict=False):
                slips = clause.slips or (before is not None and before.slips)
                alike, meant = _alike(kinds, clause.kinds), (slips and clause.bare) or self._names(clause, fact)
                if alike and (self._says_else(clause, fact) or not meant):
                    return
                named = not kinds and own and slips and clause.is_name
                if alike or (named and not self._says_else(clause, fact)):
                    yield turn, clause.cut
            if not kinds and own and turn is not first:
                return

    def _names(self, clause: _Clause, fact: MemoryNode) -> bool:
        resembles = only_resembles(simplified(clause.text), details_of(fact.attribute))
        return fact.attribute is not None and not resembles and fact.attribute in self.asked(clause.text)

    def _says_else(self, clause: _Clause, fact: MemoryNode) -> bool:
        """Whether it names another slot, or says a fact that stays."""
        named, turn = self.asked(clause.text), clause.turn
        quoted = (saying(other, turn.content, part, ()) for other, part in self.staying.get(turn.memory_id, ()))
        return (bool(named) and fact.attribute not in named) or any(clause.cut in cuts for cuts in quoted)


def _clauses(turn: MemoryNode) -> list[_Clause]:
    return [_Clause(turn, cut) for cut in pieces(turn.content)]


def _alike(some: Iterable[str], others: Collection[str]) -> bool:
    return any(one == other or is_one_type(one, other) for one in some for other in others)
