"""What was read in a file of another system becomes an agent: a persona, and memories that say they are untrusted."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from agentmem import patterns as re
from agentmem.agents.bundle.foreign.found import Foreign, Passage, name_of
from agentmem.agents.bundle.importing import Imported
from agentmem.agents.bundle.making import make, refuse_known
from agentmem.agents.copying.renaming import wire_of
from agentmem.assets.chunks import chunks
from agentmem.domain.bounds import MAX_TEXT
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.lineage import Lineage
from agentmem.domain.memory import MemoryNode, MemoryType, Trust, local_day, microseconds
from agentmem.domain.persona import Persona
from agentmem.domain.timestamp import TimestampGenerator
from agentmem.errors import InvalidInput
from agentmem.language.normal import canonical_name, language_of
from agentmem.ports.copies import Draft, Row
from agentmem.ports.journal import Journal

_NO_ID = re.compile(r"[^A-Za-z0-9_.-]+")
_TURN_IMPORTANCE, _IMPORTANCE = 3, 5


@dataclass(frozen=True, slots=True)
class Planting:
    """Makes agents of foreign files. `person` names whoever a file does not name, `digest` the file."""

    tenant: str
    digest: str
    person: str
    timestamps: TimestampGenerator
    now: datetime

    async def plant(
        self, journal: Journal, foreign: Foreign, *, agent_id: str | None, persona: Persona | None
    ) -> Imported:
        """Make an agent under `agent_id`, or the name in the file. It has the persona given, else that of the file,
        else one of no more than its name. Raises `InvalidInput`, having left nothing behind."""
        if persona is not None and (foreign.role or foreign.style):
            foreign.dropped.note("persona")
        whose = persona or persona_of(foreign, agent_id)
        await refuse_known(journal, self.tenant, whose.id)
        # With a blank in it, this is the id of no agent.
        source = f"{foreign.format} {self.digest[:16]}"
        draft = Draft("import", self.tenant, source, self.tenant, whose, {"bundle": self.digest, "signer": None})
        rows = await make(journal, draft, lambda copy, agent: self.rows(foreign, copy, agent), now=self.now)
        dropped = foreign.dropped
        return Imported(whose, foreign.format, rows, rows, trusted=False, dropped=dropped.counts, names=dropped.names)

    def rows(self, foreign: Foreign, copy: Lineage, persona: Persona) -> Iterator[Row]:
        """The memories as rows of a ledger, in the order of the file."""
        turns = Counter[str]()
        seq = 0
        for passage in foreign.passages:
            for text in _pieces(passage):
                seq += 1
                if passage.run is not None:
                    turns[passage.run] += 1
                node = self._node(passage, text, seq, persona, turns[passage.run or ""])
                yield Row(
                    seq=seq,
                    memory_id=node.memory_id,
                    target_id=node.target_id,
                    run=f"import/{self.digest[:16]}",
                    cause="import",
                    at=copy.began_at.isoformat(),
                    act="add",
                    reason=f"from a file of the form {foreign.format}",
                    after=wire_of(node),
                )

    def _node(self, passage: Passage, text: str, seq: int, persona: Persona, turn: int) -> MemoryNode:
        about = persona.name if passage.about is None else name_of(passage.about, self.person)
        at = min(passage.at or self.now, self.now)
        talk = passage.layer is MemoryType.CONVERSATION
        role = "agent" if passage.by_agent else "customer"
        return MemoryNode(
            memory_id=derived_id("planted", self.tenant, persona.id, self.digest, seq),
            tenant=self.tenant,
            agent_id=persona.id,
            user_name=persona.name,
            target_id=entity_id(self.tenant, persona.id, canonical_name(about)),
            target_name=about,
            run_id=name_of(passage.run, "import") if passage.run else None,
            memory_type=passage.layer,
            kind=passage.kind,
            content=text,
            key=passage.key,
            speaker=(persona.name if passage.by_agent else about) if talk else None,
            language=None if talk else language_of(text),
            timestamp=self.timestamps.next(microseconds(self.now)),
            dt=local_day(at),
            valid_at=at,
            created_at=self.now,
            importance=_TURN_IMPORTANCE if talk else _IMPORTANCE,
            trust=Trust.UNTRUSTED,
            meta_data={"role": role, "turnIndex": turn} if talk else {},
        )


def persona_of(foreign: Foreign, agent_id: str | None) -> Persona:
    """The persona of a file. Raises `InvalidInput` where it names nobody and neither does `agent_id`."""
    name = foreign.name or agent_id
    called = agent_id or _NO_ID.sub("_", foreign.name or "").strip("_.-")[:64]
    if not name or not called:
        raise InvalidInput(
            f"a file of the form {foreign.format} does not say how its agent is called: name it with --as"
        )
    texts = (foreign.role, *(passage.text for passage in foreign.passages[:20]))
    try:
        return Persona(
            id=called,
            name=name,
            role=foreign.role,
            style=foreign.style,
            boundaries=foreign.boundaries,
            language=language_of("\n".join(texts)[:4_000]),
        )
    except InvalidInput as error:
        raise InvalidInput(f"{called!r} can be no agent's id: letters, digits, _, . and -, at most 64") from error


def _pieces(passage: Passage) -> Iterator[str]:
    """A turn is kept as it was said, unless it is longer than any turn; other texts are cut as documents are."""
    if passage.layer is MemoryType.LONGTERM:
        yield from (chunk.text for chunk in chunks(passage.text, "text/plain"))
    else:
        yield from (passage.text[at : at + MAX_TEXT] for at in range(0, len(passage.text), MAX_TEXT))
