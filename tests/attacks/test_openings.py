"""Whatever stands in the settings, whatever lies where a store is to be, and whatever is named as a file: it opens, or
one line says what is wrong, and the fault is never said to be ours.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from agentmem import AsyncMemory, Settings
from agentmem.errors import AgentMemError, InternalError, InvalidInput
from agentmem.runtime.configuration.persona_view import lint_persona
from agentmem.runtime.facade.chosen_files import read_bytes
from agentmem.runtime.host.services import load_workers
from tests.support.nodes import AGENT
from tests.support.spine import spine

Given = dict[str, Any]


def _file(folder: Path) -> Path:
    (folder / "x").write_text("x")
    return folder / "x"


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def _link(folder: Path, name: str, target: Path) -> Path:
    (folder / name).symlink_to(target)
    return folder / name


def _journal(folder: Path, target: Path) -> Path:
    _link(folder, "journal.db", target)
    return folder


def _folder(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder


PLACES: Mapping[str, Callable[[Path], Path]] = {
    "a name too long": lambda _: Path("x" * 300),
    "a path too long": lambda _: Path("/".join(["y" * 200] * 30)),
    "a name that is no text": lambda _: Path("\udcff"),
    "a NUL": lambda _: Path("a\x00b"),
    "no home": lambda _: Path("~nobody-of-this-name/x"),
    "where nothing is made": lambda _: Path("/proc/nothing"),
    "a device": lambda _: Path("/dev/null"),
    "below a device": lambda _: Path("/dev/null/x"),
    "a file": _file,
    "below a file": lambda folder: _file(folder) / "y",
    "a pipe": _pipe,
    "a link to itself": lambda folder: _link(folder, "self", folder / "self"),
    "a journal that is a folder": lambda folder: _folder(folder, "journal.db"),
    "a journal that is a device": lambda folder: _journal(folder, Path("/dev/null")),
    "a journal that is a link to itself": lambda folder: _journal(folder, folder / "journal.db"),
}
"""Where no store can be."""


def _postgres(url: str) -> Given:
    return {"journal": {"kind": "postgres", "url": url}}


def _qdrant(url: str) -> Given:
    return {"index": {"kind": "qdrant", "url": url}}


WORDS: Mapping[str, Given] = {
    "no address of a database": _postgres("x"),
    "a bracket that nothing closes": _postgres("postgresql://[::1/x"),
    "a port beyond all ports": _postgres("postgresql://a:b@127.0.0.1:999999/x"),
    "an option there is not": _postgres("postgresql://127.0.0.1:1/x?foo=bar"),
    "a database of another kind": _postgres("mysql://127.0.0.1:1/x"),
    **{
        f"no address of an index: {url}": _qdrant(url)
        for url in ("x", "http://127.0.0.1:999999", "http://[", "ftp://a")
    },
    "nobody at that address": _qdrant("http://127.0.0.1:1"),
    "an index of no text": {"index": {"kind": "qdrant", "path": Path("\udcff")}},
    **{f"no module: {name!r}": {"worker_modules": (name,)} for name in ("nothing_there", "", "..x", "a..b", "\n")},
    "no provider": {"embedder": "nothing:x"},
    "no size": {"embedder": "hash-99999"},
    "no address of a model": {"cognition": {"engine": "llm", "model": "openai:x", "base_url": "http://["}},
    "no address of a chat model": {"chat_model": "openai:x", "chat": {"base_url": "http://127.0.0.1:99999999"}},
    "no reranker": {"recall": {"reranker": "nothing:x"}},
}
"""What no store is opened with."""


async def opened(given: Given) -> None:
    with pytest.raises(AgentMemError) as refusal:
        async with AsyncMemory(Settings(**{"embedder": "hash-64", **given})) as memory:
            await memory.add("I live in Oslo.", user_id="Tom")
    assert not isinstance(refusal.value, InternalError), repr(refusal.value.__cause__)
    assert len(str(refusal.value).splitlines()) == 1


@pytest.mark.parametrize("place", PLACES)
async def test_where_no_store_can_be_is_said(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    await opened({"data": PLACES[place](tmp_path)})


@pytest.mark.parametrize("words", WORDS)
async def test_what_no_store_is_opened_with_is_said(words: str, tmp_path: Path) -> None:
    await opened({"data": tmp_path, **WORDS[words]})


@pytest.mark.parametrize("text", ["def (", "1 / 0", "raise SystemError", "import nothing_there", "WORKERS = 1 / 0"])
def test_a_module_of_somebody_elses_that_fails_is_named(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "failing_module.py").write_text(text)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(InvalidInput, match="failing_module"):
        load_workers(["failing_module"])
    sys.modules.pop("failing_module", None)
    (tmp_path / "anna.yaml").write_text("id: anna\nname: Anna\ntools: ['failing_module:x']\n")
    [complaint] = lint_persona(tmp_path / "anna.yaml", tools=True)
    assert "failing_module" in complaint


FILES: Mapping[str, Callable[[Path], Path]] = {
    "a pipe": _pipe,
    "a device": lambda folder: _link(folder, "endless", Path("/dev/zero")),
    "a folder": lambda folder: folder,
    "a link to itself": lambda folder: _link(folder, "self", folder / "self"),
    "a NUL": lambda folder: folder / "a\x00b",
    "nothing": lambda folder: folder / "nothing",
}
"""What is named where a file is to be read; a pipe would be waited for, and a device read, for ever."""


@pytest.mark.parametrize("file", FILES)
async def test_what_is_no_file_is_refused_before_it_is_read(file: str, tmp_path: Path) -> None:
    named = FILES[file](tmp_path)
    async with spine(tmp_path / "store") as app:
        await app.bundles.export(AGENT, tmp_path / "good.bundle")
        for call in (
            lambda: app.bundles.import_(named, agent_id="other"),
            lambda: app.bundles.import_(tmp_path / "good.bundle", agent_id="other", signer=named),
            lambda: app.bundles.export(AGENT, tmp_path / "signed.bundle", sign=named),
            lambda: app.upkeep.receipt(named),
            lambda: asyncio.to_thread(read_bytes, named),
        ):
            with pytest.raises(InvalidInput, match="cannot be read"):
                async with asyncio.timeout(20):
                    await call()
