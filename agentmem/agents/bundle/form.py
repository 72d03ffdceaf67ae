"""What a bundle is made of: the names of its entries, the values in them, and how large anything may be."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints

from agentmem import patterns as re
from agentmem.domain.change import Act
from agentmem.domain.ids import Name, Uuid
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import AgentId, HirePolicy
from agentmem.domain.staleness import Attention
from agentmem.domain.value import Value

FORMAT: Literal["agentmem-bundle"] = "agentmem-bundle"
VERSION: Literal[1] = 1

MANIFEST, SIGNATURE, PERSONA = "manifest.json", "manifest.sig", "persona.json"
ENTRY = re.compile(r"persona\.json|(ledger|vectors)-\d{4}\.jsonl", re.ASCII)
"""Every name an entry may have, besides the manifest and its signature."""

MIB = 1 << 20
MAX_ENTRIES = 10_000
MAX_ENTRY = 64 * MIB
MAX_TOTAL = 4_095 * MIB
MAX_RATIO = 100
MAX_LINE = 8 * MIB
MAX_SMALL = 4 * MIB
"""Of the manifest, its signature and the persona."""

SHARD = 8 * MIB
"""How much of the ledger goes into one entry before the next is begun."""


class Entry(Value):
    """One entry as the manifest promises it; `size` in bytes, uncompressed."""

    size: int = Field(ge=1, le=MAX_ENTRY)
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Manifest(Value):
    """What a bundle holds. `head` is the ledger's last row when it was made, `embedder` the fingerprint of the vectors
    that come along, None where none do; `memories` and `rows` are counts. `bound` is what every contract of hire allows
    that the agent is bound by; None, and not written, where there is none."""

    format: Literal["agentmem-bundle"] = FORMAT
    version: Literal[1] = VERSION
    made_at: AwareDatetime
    tenant: Name
    agent_id: AgentId
    head: int = Field(ge=0)
    embedder: Name | None = None
    memories: int = Field(ge=0)
    rows: int = Field(ge=0)
    entries: dict[str, Entry] = Field(max_length=MAX_ENTRIES)
    bound: HirePolicy | None = None


class Seal(Value):
    """The signature of a manifest: Ed25519, key and signature in hex."""

    algorithm: Literal["Ed25519"] = "Ed25519"
    public_key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


class Row(Value):
    """One row of the ledger. `first`: no row of the same memory comes before it. `after` is what the row left, None
    where the memory was taken out; `attention` and `fades` are what the store noted beside the memory's last row."""

    seq: int = Field(ge=1)
    memory_id: Uuid
    target_id: Uuid
    first: bool = False
    run: Name
    cause: Name
    at: AwareDatetime
    act: Act
    reason: Annotated[str, StringConstraints(max_length=4_000)] = ""
    attention: Attention | None = None
    fades: int | None = Field(default=None, ge=0, lt=2**62)
    after: MemoryNode | None = None


class KeptVector(Value):
    """A vector from the cache: under the key of its text, float16 little-endian, in base64."""

    key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    vector: Annotated[str, StringConstraints(max_length=65_536)]
