"""What recall shows of itself when it is asked to explain."""

import re
from io import StringIO
from pathlib import Path

from rich.console import Console

from agentmem.domain.change import Change
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode
from agentmem.interfaces.cli.memory_view import hit_list
from agentmem.memory.edit import edited
from agentmem.ports.ledger import Commit
from agentmem.retrieval.query import Hit, RecallQuery
from tests.support.nodes import NOON, TENANT, a_memory, a_turn
from tests.support.spine import SCOPE, spine

SHOWN = Path(__file__).parents[1] / "fixtures" / "explained.txt"
SCORE = re.compile(r"\b\d+\.\d{3}\b")
"""The weights are fitted, so that a score is another one with each fit."""


def named(name: str, content: str, **fields: object) -> MemoryNode:
    return a_memory(content, memory_id=derived_id("explained", name), **fields)


async def test_every_hit_shows_where_it_entered_and_what_its_score_is_made_of(tmp_path: Path) -> None:
    phone = named("phone", "罗小东的电话是13800138000", attribute="phone", value="13800138000", key=("罗小东", "电话"))
    owner = named("owner", "社保项目由罗小东负责", key=("社保项目", "罗小东"), importance=8)
    noise = [named(f"{number}", f"由此开会第{number}次", key=("会议",)) for number in range(60)]
    async with spine(tmp_path) as app:
        changes = tuple(Change(act="add", after=node) for node in (owner, phone, *noise))
        await app.journal.ledger.commit(Commit(TENANT, "by hand", "test", NOON, changes))
        await app.accept([a_turn("社保项目谁负责来着", 3)])
        found = await app.recall(RecallQuery(SCOPE, "社保项目由谁负责", 3, hops=1))
        screen = Console(file=StringIO(), width=100)
        screen.print(hit_list(found.hits, await app.words([hit.memory for hit in found.hits]), explain=True))

    assert isinstance(screen.file, StringIO)
    lines = [SCORE.sub("#.###", line.rstrip()) for line in screen.file.getvalue().splitlines()]
    assert lines == SHOWN.read_text("utf-8").splitlines()
    for hit in found.hits:
        assert abs(sum(hit.signals.values()) - hit.score) < 1e-9
        assert hit.memory.score_rerank == hit.score
        assert hit.memory.stored().score_rerank is None


def test_a_hit_says_that_somebody_gave_it_other_words_by_hand() -> None:
    phone = named("phone", "罗小东的电话是13800138000", attribute="phone", value="13800138000")
    for node, marked in ((phone, False), (edited(phone, "罗小东的电话是13900139000"), True)):
        screen = Console(file=StringIO(), width=100)
        screen.print(hit_list([Hit(node, 1.0)], {}, explain=False))
        assert isinstance(screen.file, StringIO)
        assert ("corrected by hand" in screen.file.getvalue()) == marked
