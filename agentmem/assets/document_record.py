"""The record of a document: which version of it is known, of which pieces, in order, it consists, and their facts.

The record finds the pieces again without looking through all documents. It is kept like a memory, so that it changes
together with them and is taken back with them; but it states nothing, so it holds at no time and nothing finds it.
"""

from collections.abc import Sequence
from datetime import datetime

from agentmem.assets.pieces import Descent
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, RecordType, StoreStatus, local_day
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Selection

FACTS = "facts"
"""Where a record lists the facts; one that was written before there were any has no such list."""


def record_id(tenant: str, agent: str, asset_id: str) -> str:
    """The memory id of a document's record."""
    return derived_id("document", tenant, agent, asset_id)


def record_ids(descent: Descent, asset_id: str) -> tuple[str, ...]:
    """The ids a document's record may have; see `Descent.ids`."""
    return descent.ids(lambda tenant, agent: record_id(tenant, agent, asset_id))


def new_record(
    asset: AssetReceived, pieces: Sequence[str], facts: Sequence[str], now: datetime, timestamp: int
) -> MemoryNode:
    """The record of this version, which consists of these pieces and says these facts."""
    return MemoryNode(
        memory_id=record_id(asset.tenant, asset.agent_id, asset.asset_id),
        tenant=asset.tenant,
        agent_id=asset.agent_id,
        user_name=asset.agent_name,
        target_id=asset.target_id,
        target_name=asset.agent_name,
        memory_type=MemoryType.LONGTERM,
        record=RecordType.DOCUMENT,
        kind=RecordType.DOCUMENT.value,
        content=asset.title,
        store_status=StoreStatus.EXPIRED,
        ending=Ending.RECORD,
        timestamp=timestamp,
        dt=local_day(asset.at),
        valid_at=asset.at,
        invalid_at=asset.at,
        created_at=now,
        expired_at=now,
        trust=asset.trust,
        meta_data={
            "assetId": asset.asset_id,
            "assetVersion": asset.version,
            "title": asset.title,
            "source": asset.source,
            "pieces": list(pieces),
            FACTS: list(facts),
        },
    )


def documents_of(scope: Scope) -> Selection:
    """The records of all documents in scope; a page of them costs what it holds, whatever ended beside them."""
    return Selection(scope, (MemoryType.LONGTERM,), record=RecordType.DOCUMENT)


def pieces_of(record: MemoryNode | None) -> list[str]:
    """The ids of the pieces a document consists of, in its order."""
    return _listed(record, "pieces")


def facts_of(record: MemoryNode | None) -> list[str]:
    """The ids of the facts that its pieces say."""
    return _listed(record, FACTS)


def knows_facts(record: MemoryNode | None) -> bool:
    """Whether a document was read for facts; of one that was never read there is nothing to know."""
    return record is None or FACTS in record.meta_data


def version_of(record: MemoryNode | None) -> str | None:
    """The version of the document that was read last, facts and all; None for one that was never read so."""
    version = record.meta_data.get("assetVersion") if record is not None and knows_facts(record) else None
    return version if isinstance(version, str) else None


def _listed(record: MemoryNode | None, name: str) -> list[str]:
    ids = record.meta_data.get(name) if record is not None else None
    return [item for item in ids if isinstance(item, str)] if isinstance(ids, list) else []
