"""A file of another system becomes an agent: its format is told by its content, not its name; then come a persona, and
memories marked as untrusted.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import cast

from pydantic_core import from_json

from agentmem import patterns as re
from agentmem.agents.bundle.foreign.character_card import SIGNATURE, card_of, is_card, read_card
from agentmem.agents.bundle.foreign.loose_json import Foreign, ForeignPassage, name_of
from agentmem.agents.bundle.foreign.memory_exports import (
    is_chatgpt,
    is_letta,
    is_mem0,
    read_chatgpt,
    read_letta,
    read_mem0,
)
from agentmem.agents.bundle.importing import Imported, make, refuse_known
from agentmem.agents.copying.renaming import wire_of
from agentmem.assets.decoding import check_bulk
from agentmem.assets.pieces import chunks
from agentmem.domain.bounds import MAX_TEXT
from agentmem.domain.ids import TimestampGenerator, derived_id, entity_id
from agentmem.domain.lineage import Lineage
from agentmem.domain.memory import MemoryNode, MemoryType, Trust, local_day, microseconds
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.language.normal import language_of
from agentmem.ports.agent_records import CopiedRow, CopyDraft
from agentmem.ports.journal import Journal
from agentmem.private_files import open_named

MAX_JSON = 16 * 1024 * 1024
"""Bytes of a file of JSON, which take up to twenty times as much in memory."""

_READ = "Letta .af, Character Card V2 or V3 (JSON or PNG), Mem0 JSON, ChatGPT conversations.json"
_ZIP = b"PK"


def is_zip(path: Path) -> bool:
    """Whether the file begins as a zip does, and so is a bundle or nothing. Raises `InvalidInput`."""
    return _beginning(path).startswith(_ZIP)


def read_foreign(path: Path, *, accept_instructions: bool, person: str) -> Foreign:
    """A file of another system. `person` is put where a file speaks of its user. Raises `InvalidInput`."""
    try:
        return _read(path, accept_instructions=accept_instructions, person=person)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from error
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error


def _read(path: Path, *, accept_instructions: bool, person: str) -> Foreign:
    passed: list[str] = []
    if _beginning(path) == SIGNATURE:
        with open_named(path) as file:
            content, passed = card_of(file)
    else:
        content = _content(path)
    tree = _parsed(content)
    if isinstance(tree, str):  # an agent file may be JSON inside a JSON string
        tree = _parsed(tree.encode())
    if is_card(tree):
        card = read_card(tree, accept_instructions=accept_instructions, person=person)
        card.dropped.note("other text in the picture", passed)
        return card
    if is_letta(tree):
        return read_letta(tree, accept_instructions=accept_instructions)
    if is_chatgpt(tree):
        return read_chatgpt(tree)
    if is_mem0(tree):
        return read_mem0(tree)
    raise InvalidInput(f"is no bundle, and nothing else that is read: {_READ}")


def _beginning(path: Path) -> bytes:
    try:
        with open_named(path) as file:
            return file.read(len(SIGNATURE))
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error


def _content(path: Path) -> bytes:
    with open_named(path) as file:
        content = file.read(MAX_JSON + 1)
    if len(content) > MAX_JSON:
        raise InvalidInput(f"larger than {MAX_JSON:,} bytes")
    return content.removeprefix(b"\xef\xbb\xbf")


def _begins_well(content: bytes) -> bool:
    """Whether it begins as an object does, a string, an empty list or a list of objects."""
    begun = content.lstrip()
    return begun[:1] in (b"{", b'"') or (begun[:1] == b"[" and begun[1:].lstrip()[:1] in (b"{", b"]"))


def _parsed(content: bytes) -> JsonValue:
    """JSON, refused where it is nested more than 200 deep."""
    if not content.strip():
        raise InvalidInput("is empty")
    if not _begins_well(content):
        raise InvalidInput(f"is no object and no list of objects, so nothing that is read: {_READ}")
    check_bulk(content)
    try:
        return cast(JsonValue, from_json(content, allow_inf_nan=False))
    except ValueError as error:
        raise InvalidInput(
            f"is no JSON: {' '.join(str(error).split())[:120]}, and nothing else that is read: {_READ}"
        ) from error


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
        draft = CopyDraft("import", self.tenant, source, self.tenant, whose, {"bundle": self.digest, "signer": None})
        rows = await make(journal, draft, lambda copy, agent: self.rows(foreign, copy, agent), now=self.now)
        dropped = foreign.dropped
        return Imported(whose, foreign.format, rows, rows, trusted=False, dropped=dropped.counts, names=dropped.names)

    def rows(self, foreign: Foreign, copy: Lineage, persona: Persona) -> Iterator[CopiedRow]:
        """The memories as rows of a ledger, in the order of the file."""
        turns = Counter[str]()
        seq = 0
        for passage in foreign.passages:
            for text in _pieces(passage):
                seq += 1
                if passage.run is not None:
                    turns[passage.run] += 1
                node = self._node(passage, text, seq, persona, turns[passage.run or ""])
                yield CopiedRow(
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

    def _node(self, passage: ForeignPassage, text: str, seq: int, persona: Persona, turn: int) -> MemoryNode:
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
        raise InvalidInput(f"a file of the form {foreign.format} does not say how its agent is called: give it an id")
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


def _pieces(passage: ForeignPassage) -> Iterator[str]:
    """A turn is kept as it was said, unless it is longer than any turn; other texts are cut as documents are."""
    if passage.layer is MemoryType.LONGTERM:
        yield from (chunk.text for chunk in chunks(passage.text, "text/plain"))
    else:
        yield from (passage.text[at : at + MAX_TEXT] for at in range(0, len(passage.text), MAX_TEXT))
