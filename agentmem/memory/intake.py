"""From statements to memories: the checks that hold for both engines, and the node each statement becomes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.characters import is_han
from agentmem.domain.entity import TOLD_IN, Mention, named, with_mentions
from agentmem.domain.episode import episode_id, is_blotted
from agentmem.domain.event import USER_ID, Person, Spans, TurnSpoken, covered, echoes_of
from agentmem.domain.ids import TimestampGenerator, entity_id, memory_id
from agentmem.domain.memory import (
    Ending,
    Evidence,
    MemoryNode,
    MemoryType,
    Modality,
    StoreStatus,
    Trust,
    local_day,
    microseconds,
)
from agentmem.domain.naming import begun, canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.statement import MAX_STATEMENTS, Alias, Held, Quote, Reading, Statement, Turn, Window
from agentmem.domain.value import ASKED_WITH, RESERVED, JsonValue
from agentmem.errors import BadAnswer
from agentmem.language.normal import normalise
from agentmem.language.support_check import stands_in
from agentmem.ports.event_log import Sequenced

CONTEXT_TURNS = 4
"""Earlier turns a window may look back on: two rounds."""

_OF_THE_TURN = RESERVED | {"caption"}
"""What is kept with a turn and says nothing about what was made of it."""


def turn_of(item: Sequenced) -> Turn:
    """The part of a journaled turn that cognition sees."""
    assert isinstance(item.event, TurnSpoken)
    turn = item.event
    return Turn(
        turn_id=episode_id(turn),
        by_agent=turn.by_agent,
        speaker=turn.speaker,
        text=turn.text,
        at=turn.at,
        echoes=echoes_of(turn.meta) if turn.by_agent else (),
    )


def window_of(
    window_id: str,
    context: Sequence[Sequenced],
    turns: Sequence[Sequenced],
    persona: Persona,
    held: Sequence[MemoryNode] = (),
    others: Sequence[MemoryNode] = (),
) -> Window:
    """What cognition is given to read; `held` is what is remembered of the person, `others` what he told besides."""
    last, first = turns[-1].event, turns[0].event.at
    assert isinstance(last, TurnSpoken)
    return Window(
        window_id=window_id,
        agent_name=last.agent_name,
        person=last.person,
        language=persona.language,
        context=tuple(map(turn_of, context)),
        turns=tuple(map(turn_of, turns)),
        held=shown(_until(held, first)),
        others=tuple(map(_as_held, sorted(_until(others, first), key=_age)[-MAX_HELD:])),
        attributes=persona.memory.attributes,
    )


MAX_HELD = 200
"""Memories that are shown to a reading: the latest."""


def shown(nodes: Sequence[MemoryNode]) -> tuple[Held, ...]:
    """What a reading is shown of what is remembered: what the person stated and holds, or was replaced by what does."""
    stated = sorted((node for node in nodes if node.modality is Modality.STATED), key=_age)
    current = [node for node in stated if node.store_status is StoreStatus.VALID][-MAX_HELD:]
    heirs = _heirs(nodes, current)
    over = [node for node in stated if node.memory_id in heirs][-(MAX_HELD - len(current)) :]
    told = [*current, *(over if len(current) < MAX_HELD else ())]
    return tuple(_as_held(node, heirs.get(node.memory_id)) for node in sorted(told, key=_age))


def _heirs(nodes: Iterable[MemoryNode], current: Iterable[MemoryNode]) -> dict[str, str]:
    """For each memory that was replaced, at however many removes, by one of the current, the content of that. What was
    only said again in fuller words was not replaced."""
    before: dict[str, list[MemoryNode]] = {}
    for node in nodes:
        if node.superseded_by is not None and node.store_status is not StoreStatus.VALID:
            before.setdefault(node.superseded_by, []).append(node)
    heirs: dict[str, str] = {}
    for heir in current:
        ahead = [heir.memory_id]
        while ahead:
            replaced = [node for node in before.pop(ahead.pop(), []) if node.memory_id not in heirs]
            heirs |= {node.memory_id: heir.content for node in replaced if node.ending is not Ending.RETIRED}
            ahead += [node.memory_id for node in replaced]
    return heirs


def _until(nodes: Sequence[MemoryNode], at: datetime) -> list[MemoryNode]:
    """Those that time alone had not ended by then."""
    return [
        node
        for node in nodes
        if node.store_status is not StoreStatus.VALID or node.invalid_at is None or node.invalid_at > at
    ]


def _as_held(node: MemoryNode, by: str | None = None) -> Held:
    return Held(
        memory_id=node.memory_id,
        since=node.valid_at,
        until=node.invalid_at,
        said_at=max((part.said_at for part in node.evidence if part.said_at), default=node.valid_at),
        content=node.content,
        kind=node.kind,
        key=node.key,
        attribute=node.attribute,
        value=node.value,
        importance=node.importance,
        language="zh" if node.language == "zh" else "en",
        by=by,
        own=TOLD_IN not in node.meta_data,
        about=node.target_name if TOLD_IN in node.meta_data else None,
        maybe=node.modality is Modality.HYPOTHESIS,
    )


def _age(node: MemoryNode) -> tuple[datetime, int]:
    return node.valid_at, node.timestamp


def checked(reading: Reading, window: Window) -> Reading:
    """The reading, if all of it lies within the window.

    Raises `BadAnswer` for quotes outside the offered turns, for more than `MAX_STATEMENTS`, and for a claim about the
    person that no turn of this window carries. A turn copied whole, and told of its speaker, is left out: it is a
    conversation memory already; and so are what rests on nothing but an agent's echoes of what it remembered, and what
    tells words that were taken out of a turn.
    """
    if len(reading.statements) > MAX_STATEMENTS:
        raise BadAnswer(f"{len(reading.statements)} statements from one window, at most {MAX_STATEMENTS}")
    offered = {turn.turn_id: turn.text for turn in (*window.context, *window.turns)}
    current = {turn.turn_id for turn in window.turns}
    for item in (*reading.statements, *reading.aliases):
        for quote in item.quotes:
            if quote.turn_id not in offered or not quote.start < quote.end <= len(offered[quote.turn_id]):
                raise BadAnswer(f"a quote outside the window {window.window_id}")
        if not any(quote.turn_id in current for quote in item.quotes):
            raise BadAnswer(f"a statement that nothing in window {window.window_id} carries")
    if any(turn_id not in offered for turn_id in reading.rejected):
        raise BadAnswer(f"a rejected turn outside the window {window.window_id}")
    verbatim = {normalise(turn.text) for turn in window.turns}
    echoes = {turn.turn_id: turn.echoes for turn in (*window.context, *window.turns)}
    whole = (item for item in reading.statements if not is_blotted(f"{item.content}{item.value or ''}"))
    kept = (item for item in whole if item.about is not None or normalise(item.content) not in verbatim)
    return reading.revised(
        statements=tuple(item for item in kept if not _echoed(item.quotes, echoes)),
        aliases=tuple(item for item in reading.aliases if not _echoed(item.quotes, echoes)),
    )


def _echoed(quotes: Sequence[Quote], echoes: Mapping[str, Spans]) -> bool:
    return all(covered(quote.start, quote.end, echoes[quote.turn_id]) for quote in quotes)


def alias_statement(alias: Alias, window: Window) -> Statement:
    """The other name of the window's person, as a statement about him."""
    label = window.person.label
    content = f"{label}又叫{alias.name}" if window.language == "zh" else f"{label} is also called {alias.name}"
    return Statement(
        content=content,
        kind="identity",
        key=(alias.name,),
        attribute="alias",
        value=alias.name,
        importance=6,
        language=window.language,
        quotes=alias.quotes,
    )


@dataclass(frozen=True, slots=True)
class Author:
    """Whose memory is written: what all nodes of one window have in common."""

    tenant: str
    agent_id: str
    target_id: str
    run_id: str | None


@dataclass(frozen=True, slots=True)
class Drafter:
    """Makes a memory of each statement."""

    timestamps: TimestampGenerator
    now: Callable[[], datetime]

    def draft(
        self,
        statements: Mapping[int, Statement],
        window: Window,
        author: Author,
        worker: str,
        meta: Mapping[str, Mapping[str, JsonValue]],
    ) -> list[MemoryNode]:
        """One node per statement; the key of the mapping is its slot in the staged outcome. `meta` is what was given
        along with the turns, by their ids: a memory has that of the turns it was said in."""
        return [self._node(slot, item, window, author, worker, meta) for slot, item in statements.items()]

    def _node(
        self,
        slot: int,
        item: Statement,
        window: Window,
        author: Author,
        worker: str,
        meta: Mapping[str, Mapping[str, JsonValue]],
    ) -> MemoryNode:
        now = self.now()
        spoken_at = _spoken_at(item, window)
        valid_at = item.valid_at or spoken_at
        invalid_at = max(item.invalid_at, valid_at) if item.invalid_at else None
        over = invalid_at is not None and invalid_at <= spoken_at
        target_id, target_name = self._target(item, window, author)
        himself = () if target_id == author.target_id else _himself(item.content, window.person)
        mentions = (*_besides(item.mentions, (target_name, window.person.label)), *himself)
        return MemoryNode(
            memory_id=memory_id(author.tenant, author.agent_id, window.window_id, worker, slot),
            tenant=author.tenant,
            agent_id=author.agent_id,
            user_name=window.agent_name,
            target_id=target_id,
            target_name=target_name,
            run_id=author.run_id,
            memory_type=MemoryType(item.layer),
            kind=item.kind,
            content=begun(item.content),
            key=item.key,
            attribute=item.attribute,
            value=item.value,
            relation=item.relation,
            modality=item.modality,
            speaker=_speaker(item, window),
            language=item.language,
            store_status=StoreStatus.EXPIRED if over else StoreStatus.VALID,
            ending=_ending(item, valid_at, invalid_at) if over else None,
            timestamp=self.timestamps.next(microseconds(now)),
            dt=local_day(spoken_at),
            valid_at=valid_at,
            invalid_at=invalid_at,
            created_at=now,
            expired_at=now if over else None,
            source_ids=tuple(dict.fromkeys(quote.turn_id for quote in item.quotes)),
            evidence=_evidence(item, spoken_at, valid_at),
            importance=item.importance,
            entity_ids=(target_id, *(named(author.tenant, author.agent_id, each.name) for each in mentions)),
            trust=Trust.PRINCIPAL if target_id == author.target_id or _by_agent(item, window) else Trust.UNTRUSTED,
            meta_data=_meta(item, meta) | _of_whom(window, author, target_id) | with_mentions(mentions),
        )

    @staticmethod
    def _target(item: Statement, window: Window, author: Author) -> tuple[str, str]:
        person = window.person
        if item.about is None or canonical_name(item.about) in map(canonical_name, (person.name, person.label)):
            return author.target_id, person.name
        return entity_id(author.tenant, author.agent_id, canonical_name(item.about)), item.about


def _ending(item: Statement, valid_at: datetime, invalid_at: datetime | None) -> Ending:
    """How what is said to be over is over: a denial of what was never told to hold is nothing to keep apart."""
    if invalid_at != valid_at:
        return Ending.ENDED
    return Ending.RETIRED if item.modality is Modality.NEGATED else Ending.OVER_WHEN_TOLD


def _besides(mentions: Sequence[Mention], names: Sequence[str]) -> tuple[Mention, ...]:
    """The mentions of anything else than what bears these names. A person whose name is such a one of three
    characters and one more is a slip of the segmenter, which took the verb along: 罗小东用 in 罗小东用的是AIP."""
    known = set(map(canonical_name, names))

    def is_one(mention: Mention) -> bool:
        name = canonical_name(mention.name)
        return name in known or (
            mention.kind == "person" and len(name) == 4 and is_han(name[-1]) and name[:-1] in known
        )

    return tuple(each for each in mentions if not is_one(each))


def _himself(content: str, person: Person) -> Iterator[Mention]:
    """The person in whose talk it was told of somebody else, where it names him: it belongs to what is known of him."""
    if stands_in(canonical_name(person.name), canonical_name(content)):
        yield Mention(name=person.name, kind="person")


def _meta(item: Statement, meta: Mapping[str, Mapping[str, JsonValue]]) -> dict[str, JsonValue]:
    given = (meta.get(turn_id, {}) for turn_id in dict.fromkeys(quote.turn_id for quote in item.quotes))
    told = {name: value for each in given for name, value in each.items() if name not in _OF_THE_TURN}
    return {**told, ASKED_WITH: list(item.asked_with)} if item.asked_with else told


def _of_whom(window: Window, author: Author, target_id: str) -> dict[str, JsonValue]:
    if target_id != author.target_id:
        return {TOLD_IN: author.target_id}
    person = window.person
    return {name: value for name, value in (("title", person.title), (USER_ID, person.id)) if value}


def _evidence(item: Statement, spoken_at: datetime, valid_at: datetime) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(memory_id=quote.turn_id, start=quote.start, end=quote.end, said_at=spoken_at, since=valid_at)
        for quote in item.quotes
    )


def _spoken_at(item: Statement, window: Window) -> datetime:
    times = {turn.turn_id: turn.at for turn in (*window.context, *window.turns)}
    return max(times[quote.turn_id] for quote in item.quotes)


def _by_agent(item: Statement, window: Window) -> bool:
    turns = {turn.turn_id: turn for turn in (*window.context, *window.turns)}
    return turns[item.quotes[-1].turn_id].by_agent


def _speaker(item: Statement, window: Window) -> str:
    speakers = {turn.turn_id: turn.speaker for turn in (*window.context, *window.turns)}
    return speakers[item.quotes[-1].turn_id]
