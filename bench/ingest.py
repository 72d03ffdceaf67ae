"""How fast documents become memories: `python -m bench.ingest`."""

import asyncio
import tempfile
from pathlib import Path
from time import perf_counter, process_time

from agentmem.domain.document import CHUNK
from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from bench.machine import command, describe, load

AGENT, FILES, SECTIONS = "reader", 1_000, 10
SENTENCES = (
    "第{file}号设备的{part}号零件每{days}天检查一次,由班长签字。",
    "发现渗漏时先关闭{part}号阀门,再通知值班室,不得自行拆卸。",
    "Machine {file} uses Pump {part}, which is kept on shelf {days} and ordered in boxes of twelve.",
)


async def measure() -> None:
    """1,000 files of ten sections; the same again; one paragraph of one of them edited."""
    with tempfile.TemporaryDirectory() as folder:
        docs = _documents(Path(folder, "docs"))
        async with open_app(Settings(data=Path(folder, "data"))) as app:
            await app.know_agent(Persona(id=AGENT, name="Reader"))
            busy = process_time()
            first = await _timed(app, docs)
            busy = process_time() - busy
            pieces = await _pieces(app)
            print(f"ingest, {FILES:,} files: {pieces:,} pieces in {first:.1f} s, {pieces / first:,.0f} pieces/s")
            print(f"of that the processor worked {busy:.1f} s, {pieces / busy:,.0f} pieces for each second of its time")
            head = await app.journal.ledger.head()
            again = await _timed(app, docs)
            print(f"the same again: {again:.2f} s, {await app.journal.ledger.head() - head} rows written")
            _document(docs, FILES // 2, edited=True)
            changed = await _timed(app, docs)
            print(f"one paragraph edited: {changed:.2f} s, {await app.journal.ledger.head() - head} rows written")


def _documents(docs: Path) -> Path:
    docs.mkdir()
    for file in range(FILES):
        _document(docs, file)
    return docs


def _document(docs: Path, file: int, *, edited: bool = False) -> None:
    sections: list[str] = []
    for part in range(SECTIONS):
        lines = [line.format(file=file, part=part, days=(file + part) % 28 + 2) for line in SENTENCES]
        sections.append(f"## 第{part}节\n\n" + "\n\n".join(lines))
    last = "本节已经改过。" if edited else "本节到此为止。"
    docs.joinpath(f"{file:04d}.md").write_text(f"# 手册 {file}\n\n" + "\n\n".join((*sections, last)), "utf-8")


async def _timed(app: App, docs: Path) -> float:
    begun = perf_counter()
    told = await app.library.ingest(AGENT, [docs])
    assert not told.refused
    await app.drain()
    return perf_counter() - begun


async def _pieces(app: App) -> int:
    scope = Scope(app.settings.tenant, AGENT)
    held = Selection(scope, (MemoryType.LONGTERM,), (StoreStatus.VALID,), limit=FILES * SECTIONS * 5)
    return sum(node.kind == CHUNK for node in await app.memories(held))


if __name__ == "__main__":
    print(command(), "·", describe(), f"· load {load():.1f}")
    asyncio.run(measure())
