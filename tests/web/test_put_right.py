"""What an owner can and cannot put right on the pages: turns stay as they were said."""

from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import Selection
from tests.support.nodes import AGENT, TENANT
from tests.support.served import Served, served
from tests.support.site import sent, visitor

SCOPE = Scope(TENANT, AGENT)


async def the(server: Served, has: str, layer: MemoryType = MemoryType.OBSERVATION) -> MemoryNode:
    """The memory of that layer that says this."""
    nodes = (await server.app.memories(Selection(SCOPE, (layer,)))).memories
    return next(node for node in nodes if has in node.content)


async def test_a_turn_stays_as_it_was_said_whoever_tries_to_correct_it(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await server.app.add(AGENT, "Tom", "I live in Oslo.")
        turn = await the(server, "Oslo", MemoryType.CONVERSATION)
        path = f"/memories/{turn.memory_id}"
        page = (await client.get(path)).text
        assert 'id="edit"' not in page
        assert "A turn stays as it was said." in page
        refused = await sent(client, f"{path}/edit", {"content": "I live in Rome.", "revision": "1"}, on=path)
        assert refused.status_code == 422
        with pytest.raises(InvalidInput, match="is a turn, kept as it was said"):
            await server.app.editing.edit(turn.memory_id, "I live in Rome.")
        async with server.client() as api:
            answer = await api.patch(f"/v1/memories/{turn.memory_id}", json={"content": "I live in Rome."})
            assert (answer.status_code, answer.json()["code"]) == (422, "InvalidInput")
        assert (await server.app.records.get([turn.memory_id]))[turn.memory_id].content == "I live in Oslo."
        noted = await server.app.editing.edit(turn.memory_id, turn.content, {"checked": True})
        assert (noted.content, noted.meta_data["checked"]) == (turn.content, True)
