"""What forgetting will change: memories that go, turns that lose words, and what rested on them, which stays with what
still carries it, and without a way to what is gone."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from agentmem.domain.bounds import check_fields
from agentmem.domain.change import Change
from agentmem.domain.entity import graph_lane
from agentmem.domain.episode import blotted, is_blotted, says_nothing
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.value import ASKED_WITH, JsonValue
from agentmem.errors import InvalidInput
from agentmem.language.tokens import tokens
from agentmem.memory.cuts import VERBATIM, Cut, apart, moved, still_given, still_named, widened, without
from agentmem.memory.support import is_of_words, rests_on, still_said, tells_of
from agentmem.ports.ledger import Commit, Ledger

NOTHING = "00000000-0000-0000-0000-000000000000"
"""The id of no memory."""

HISTORY = "history"
"""In the `meta_data` of an insight: its earlier wordings."""

FROM_WORDS: Final = frozenset((HISTORY, ASKED_WITH))
"""What stands in `meta_data` that was made of a memory's words: it goes where some of them go."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What is to be forgotten, exactly one of these: memories by id, a turn with all that was made of it (`source`),
    what a wish names (`query`), or, with none of them, everything about the scope's target. `own`: the words of turns
    that were said to others stay, whatever they tell of him."""

    scope: Scope
    ids: tuple[str, ...] = ()
    source: str | None = None
    query: str | None = None
    own: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        named = sum((bool(self.ids), self.source is not None, self.query is not None))
        if named > 1 or (not named and self.scope.target is None):
            raise InvalidInput("forget takes exactly one of: ids, a source, a query, or a person")
        if self.scope.beside:
            raise InvalidInput("forget takes the scope of one person, with nobody beside")

    @property
    def everything(self) -> bool:
        """Whether a person is forgotten as a whole."""
        return not self.ids and self.source is None and self.query is None


@dataclass(slots=True)
class ForgetPlan:
    """What becomes of which memory: those in `gone`, and those that stay in `edited`, by id, as they were and will be.
    `cuts` are taken out of contents, `stretches` what they were widened from; what is `spared` is not cut. `named` are
    memories whose history speaks of what goes, `lost` those that an undo took out and of which only such a history is
    left, `left` those of other people's words that still name a person who goes. `early`: all that could be meant is
    not known yet."""

    meant: Meant
    erase: bool
    now: datetime
    head: int
    gone: dict[str, MemoryNode] = field(default_factory=dict[str, MemoryNode])
    edited: dict[str, tuple[MemoryNode, MemoryNode]] = field(default_factory=dict[str, tuple[MemoryNode, MemoryNode]])
    cuts: dict[str, tuple[Cut, ...]] = field(default_factory=dict[str, tuple[Cut, ...]])
    stretches: dict[str, set[Cut]] = field(default_factory=dict[str, set[Cut]])
    spared: dict[str, set[Cut]] = field(default_factory=dict[str, set[Cut]])
    early: bool = False
    named: set[str] = field(default_factory=set[str])
    lost: set[str] = field(default_factory=set[str])
    left: set[str] = field(default_factory=set[str])

    @property
    def changes(self) -> tuple[Change, ...]:
        """What the ledger is told: edits, and, where nothing is erased, what is told no longer."""
        edits = [
            Change(act="forget", before=before, after=after, reason="part of what it is based on was forgotten")
            for before, after in self.edited.values()
        ]
        if self.erase:
            return tuple(edits)
        ends = [
            Change(act="forget", before=node, after=node.forgotten(), reason="asked to forget it")
            for node in self.gone.values()
            if not node.is_forgotten
        ]
        return (*ends, *edits)

    def commit(self, run: str) -> Commit:
        """The changes as one run, ahead of whatever is being thought of the same people."""
        tenant, changes = self.meant.scope.tenant, self.changes
        if self.erase:
            return Commit(tenant, run, "forget", self.now, changes)
        lanes = self.lanes
        return Commit(tenant, run, "forget", self.now, changes, lanes[:-1], self.head, settled=True, ahead=lanes)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The lanes of all that changes, and last that of the graph, which is made of them."""
        scope = self.meant.scope
        between = graph_lane(scope.tenant, scope.agent)
        own = () if scope.target is None else (Lane(scope.tenant, scope.agent, scope.target),)
        found = (change.states[0].lane for change in self.changes)
        return (*(lane for lane in dict.fromkeys((*own, *found)) if lane != between), between)

    def state(self, node: MemoryNode) -> MemoryNode:
        """The memory as this plan leaves it."""
        return self.edited[node.memory_id][1] if node.memory_id in self.edited else node

    def drop(self, node: MemoryNode) -> None:
        """Let a memory go."""
        before = self.edited.pop(node.memory_id, (node, node))[0]
        self.cuts.pop(node.memory_id, None)
        self.gone[node.memory_id] = before

    def edit(self, node: MemoryNode, **fields: object) -> None:
        """Give a memory that stays other fields; its revision rises once."""
        before, after = self.edited.get(node.memory_id, (node, node))
        given = {"revision": before.revision + 1, "obs_updated": before.obs_updated + 1, **fields}
        changed = after.revised(**given)
        if changed.revised(revision=before.revision, obs_updated=before.obs_updated) != before:
            self.edited[node.memory_id] = (before, changed)

    def spare(self, turn: str, cuts: Iterable[Cut]) -> None:
        """Leave these stretches of a turn, but what of them goes already for another reason."""
        gone = self.stretches.get(turn, ())
        left = (cut for cut in cuts if not any(start <= cut[0] and cut[1] <= end for start, end in gone))
        self.spared.setdefault(turn, set()).update(left)

    def mark(self, node: MemoryNode) -> None:
        """Have it noted of a memory that stays as it is that an earlier state of it told what goes."""
        if node.memory_id not in self.edited:
            self.edited[node.memory_id] = (node, node.revised(revision=node.revision + 1))

    def cut(self, node: MemoryNode, stretches: Collection[Cut]) -> None:
        """Take stretches out of a memory's content; where nothing is left, let it go. Of words as they were said, which
        others point into, they are blotted out unless they are erased."""
        known = self.edited.get(node.memory_id, (node, node))[0]
        self.stretches.setdefault(node.memory_id, set()).update(stretches)
        cuts = apart(sorted(self.stretches[node.memory_id]), self.spared.get(node.memory_id, ()))
        if not cuts:
            return
        blots = not self.erase and known.memory_type in VERBATIM
        cuts = cuts if blots else widened(known.content, cuts)
        rest = blotted(known.content, cuts) if blots else without(known.content, cuts)
        if says_nothing(rest):
            self.drop(known)
            return
        self.cuts[node.memory_id] = cuts
        words = frozenset(tokens(rest))
        keys = tuple(key for key in known.key if words.issuperset(tokens(key)))
        slot = known.value is not None and not words.issuperset(tokens(known.value))
        fields: dict[str, object] = {"attribute": None, "value": None} if slot else {}
        meta = {name: value for name, value in known.meta_data.items() if name not in FROM_WORDS}
        if known.memory_type is MemoryType.CONVERSATION:
            meta = still_given(meta, known.content, rest)
        named = still_named(known.revised(meta_data=meta), words)
        self.edit(known, content=rest, key=keys, **fields | {"meta_data": meta} | named)

    def ungiven(self, turn: str) -> dict[str, JsonValue]:
        """What was given along with a turn, and goes with words of it."""
        if turn not in self.cuts:
            return {}
        before, after = (node.meta_data for node in self.edited[turn])
        return {name: value for name, value in before.items() if name not in after}

    def moved(self, part: Evidence) -> Evidence | None:
        """Where the words of a piece of evidence stand after the cuts; None where none of them is left."""
        cuts = self.cuts.get(part.memory_id, ())
        if not cuts:
            return part
        content = self.edited[part.memory_id][1].content
        if self.erase or not is_blotted(content):
            return moved(part, cuts)
        return None if says_nothing(content[part.start : part.end]) else part


@dataclass(frozen=True, slots=True)
class Traces:
    """What another agent, a copy, has of what is forgotten: memories that go, and stretches to be cut out of contents
    that are still the ones given, by id. `target`: a person who goes as a whole."""

    scope: Scope
    ids: tuple[str, ...]
    cuts: Mapping[str, tuple[str, frozenset[Cut]]]
    target: str | None = None

    @property
    def meant(self) -> Meant:
        """The same as a wish; where the copy has nothing of it, one for nothing."""
        if self.target is not None:
            return Meant(Scope(self.scope.tenant, self.scope.agent, self.target))
        return Meant(self.scope, ids=(*self.ids, *self.cuts) or (NOTHING,))


def unlinked(node: MemoryNode, gone: Collection[str]) -> dict[str, object]:
    """Every other way in which a memory names another, without those that are gone; and no earlier wording."""
    return {
        "supersedes": tuple(key for key in node.supersedes if key not in gone),
        "superseded_by": None if node.superseded_by in gone else node.superseded_by,
        "conflicts_with": tuple(key for key in node.conflicts_with if key not in gone),
        "needs_review": tuple(key for key in node.needs_review or () if key not in gone) or None,
        "meta_data": {
            name: _without(value, gone)
            for name, value in node.meta_data.items()
            if name not in FROM_WORDS and not (isinstance(value, str) and value in gone)
        },
    }


def _without(value: JsonValue, gone: Collection[str]) -> JsonValue:
    """A list of ids without those that are gone; every other value as it is."""
    if not isinstance(value, list):
        return value
    return [item for item in value if not (isinstance(item, str) and item in gone)]


ENDED_BY_WORD: Final = (MemoryType.OBSERVATION, MemoryType.INSIGHT)
"""Layers in which one memory ends another for what was said; pieces of documents take over from one another."""


async def reopened(ledger: Ledger, gone: Mapping[str, MemoryNode]) -> list[tuple[MemoryNode, dict[str, object]]]:
    """Those that memories which go had ended, with what they were before that: nobody says any more that they are
    over."""
    ended = {key for node in gone.values() if node.memory_type in ENDED_BY_WORD for key in node.supersedes}
    tenant = next(iter(gone.values())).tenant if gone else ""
    found: list[tuple[MemoryNode, dict[str, object]]] = []
    for node in (await ledger.get(tenant, ended - gone.keys())).values() if ended else ():
        before = await _before(ledger, node, gone)
        if before is not None:
            fields = ("store_status", "ending", "invalid_at", "expired_at", "superseded_by")
            found.append((node, {name: getattr(before, name) for name in fields}))
    return found


async def _before(ledger: Ledger, node: MemoryNode, gone: Collection[str]) -> MemoryNode | None:
    """The memory as it was before one of these ended it; None where it was over, or something else ended it."""
    if node.superseded_by not in gone:
        return None
    for entry in reversed(await ledger.history(node.tenant, node.memory_id)):
        before = entry.change.before
        if before is None or before.superseded_by not in gone:
            return before if before is not None and before.store_status is StoreStatus.VALID else None
    return None


def settle(plan: ForgetPlan, node: MemoryNode, known: Mapping[str, MemoryNode]) -> None:
    """Leave a memory with what still carries it, or let it go."""
    sources = rests_on(node)
    rest = [part for old in node.evidence if old.memory_id not in plan.gone and (part := plan.moved(old))]
    # Other words of a turn that were cut away go as if the turn were gone.
    unsaid = {part.memory_id for part in node.evidence} - {part.memory_id for part in rest}
    lost = (sources & plan.gone.keys()) | unsaid
    remaining = [known[key] for key in sources - lost if key in known]
    cut_into = is_of_words(node) and any(
        begin < part.end and part.start < stop
        for part in node.evidence
        for begin, stop in plan.cuts.get(part.memory_id, ())
    )
    if (lost or cut_into) and not _carried(plan, plan.state(node), rest, remaining, known):
        plan.drop(node)
        return
    kept: dict[str, object] = {
        "source_ids": tuple(key for key in node.source_ids if key not in lost),
        "depends_on": tuple(key for key in node.depends_on if key not in lost),
        "evidence": tuple(rest),
    }
    if plan.erase:
        kept |= unlinked(plan.state(node), plan.gone)
    elif lost:
        kept["meta_data"] = {name: told for name, told in plan.state(node).meta_data.items() if name not in FROM_WORDS}
    plan.edit(node, **kept)
    _ungive(plan, node)


def _ungive(plan: ForgetPlan, node: MemoryNode) -> None:
    """Take from a memory what was given along with its turns and went with words of them."""
    gone = [pair for part in node.evidence for pair in plan.ungiven(part.memory_id).items()]
    meta = plan.state(node).meta_data
    if gone:
        plan.edit(node, meta_data={name: value for name, value in meta.items() if (name, value) not in gone})


def _carried(
    plan: ForgetPlan,
    node: MemoryNode,
    rest: Sequence[Evidence],
    remaining: Sequence[MemoryNode],
    known: Mapping[str, MemoryNode],
) -> bool:
    if not remaining:
        return False
    if is_of_words(node):
        turns = {key: plan.state(turn) for key, turn in known.items()}
        rest = [part for part in rest if part.memory_id in turns]
        before = [part for part in node.evidence if part.memory_id in known]
        return bool(rest) and still_said(node, before, rest, known, turns)
    gone = [plan.gone[key] for key in rests_on(node) if key in plan.gone]
    return not tells_of(node, gone, remaining)
