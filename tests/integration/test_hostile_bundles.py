"""A bundle that is refused leaves nothing behind: no row, no point, no lineage, no file."""

from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest

from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from tests.support.bundles import entries, key_pair, rewritten, vouched, zipped
from tests.support.nodes import TENANT
from tests.support.spine import payloads, spine

ELSEWHERE = "11111111-2222-3333-4444-555555555555"


async def state(app: App, folder: Path) -> object:
    """All that an import could have changed."""
    return (
        await app.journal.ledger.head(),
        await payloads(app),
        list(await app.journal.lineages.of_tenant(TENANT)),
        [persona.id for persona in await app.journal.registry.agents(TENANT)],
        files(folder),
    )


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if "index" not in path.parts)


def damage(file: Path) -> None:
    """One byte in the middle of the memories is another one."""
    with ZipFile(file) as archive:
        [ledger] = [each for each in archive.infolist() if each.filename.startswith("ledger-")]
    whole = bytearray(file.read_bytes())
    whole[ledger.header_offset + len(ledger.FileHeader()) + ledger.compress_size // 2] ^= 0xFF
    file.write_bytes(whole)


def hostile(bundle: Path) -> list[bytes]:
    """Bundles with something wrong at their very end, or nowhere that is seen at once."""
    whole, contents = bundle.read_bytes(), entries(bundle)

    def last(**changes: object) -> bytes:
        def change(rows: list[dict[str, Any]]) -> None:
            state = next(row["after"] for row in reversed(rows) if "after" in row)
            state.update(changes)

        return rewritten(bundle, change)

    return [
        whole[: len(whole) // 2],
        whole + b"x",
        last(tenant="victim"),
        last(trust="root"),
        last(conflictsWith=[ELSEWHERE]),
        last(content="\x00"),
        zipped({**contents, "storage.sqlite": b"SQLite format 3\x00"}),
        zipped(vouched(contents, version=2)),
        zipped({**contents, "ledger-0001.jsonl": contents["ledger-0001.jsonl"][:-2]}),
    ]


async def test_what_is_refused_leaves_nothing_behind(bundle: Path, tmp_path: Path) -> None:
    file = tmp_path / "hostile.zip"
    async with spine(tmp_path / "there") as there:
        before = await state(there, tmp_path / "there")
        for number, content in enumerate(hostile(bundle)):
            file.write_bytes(content)
            with pytest.raises(InvalidInput, match=r"hostile\.zip"):
                await there.bundles.import_(file, agent_id="twin")
            assert await state(there, tmp_path / "there") == before, number


async def test_vectors_of_a_stranger_are_not_even_looked_at(bundle: Path, tmp_path: Path) -> None:
    key = "0" * 64
    vectors = b'{"key":"' + key.encode() + b'","vector":"AAAA"}\n'
    file = tmp_path / "posing.zip"
    fingerprint = "openai:text-embedding-3-small"
    file.write_bytes(zipped(vouched({**entries(bundle), "vectors-0001.jsonl": vectors}, embedder=fingerprint)))
    async with spine(tmp_path / "there") as there:
        await there.bundles.import_(file, agent_id="twin")
        assert await there.journal.vectors.get(fingerprint, [key]) == {}


async def test_a_file_that_changes_while_it_is_read_makes_no_agent(bundle: Path, tmp_path: Path) -> None:
    """Seen whole and in order, then another one: what was written by then is taken away again."""
    file = tmp_path / "changing.zip"
    file.write_bytes(zipped(entries(bundle), how=ZIP_STORED))  # longer than what an open file reads ahead
    async with spine(tmp_path / "there") as there:
        before = await state(there, tmp_path / "there")
        begin = there.journal.copies.begin

        async def changed(*given: Any, **more: Any) -> Any:
            damage(file)
            return await begin(*given, **more)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(there.journal.copies, "begin", changed)
            with pytest.raises(InvalidInput):
                await there.bundles.import_(file, agent_id="twin")
        assert await state(there, tmp_path / "there") == before


async def test_another_key_than_the_one_named_is_refused(bundle: Path, tmp_path: Path) -> None:
    _, public = key_pair(tmp_path)
    async with spine(tmp_path / "there") as there:
        with pytest.raises(InvalidInput, match="is not signed"):
            await there.bundles.import_(bundle, agent_id="twin", signer=public)
        with pytest.raises(InvalidInput, match="no public key"):
            await there.bundles.import_(bundle, agent_id="twin", signer=bundle)
        assert list(await there.memories(Selection(Scope(TENANT, "twin")))) == []
