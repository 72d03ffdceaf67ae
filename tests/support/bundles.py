"""Bundles for tests: agents with a past that can be packed, keys to sign with, and bundles taken apart and put together
again by somebody who knows the form."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.agents.bundle.archive import Manifest
from agentmem.agents.copying.renaming import wire_of
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.memory.forget_plan import Meant
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, NOON, TENANT, a_memory
from tests.support.spine import SCOPE, quiet_persona, spine

SAID = (
    ("罗小东", "你好,我叫罗小东,我的电话是13800138000", False),
    ("罗小东", "很高兴认识你", True),
    ("罗小东", "我住在上海,预算30万", False),
    ("罗小东", "我喜欢跑步,每天跑五公里", False),
    ("罗小东", "我的电话换了,现在是13900139000", False),
    ("罗小东", "我的预算改成50万了", False),
    ("Ann Lee", "Hi, my name is Ann Lee and I live in Berlin.", False),
    ("Ann Lee", "Nice to meet you.", True),
    ("Ann Lee", "My phone is 555-014-2277. I like tea.", False),
    ("Ann Lee", "I moved: I live in Rome now.", False),
    ("王芳", "我是王芳,我们公司做社保系统", False),
    ("王芳", "我的邮箱是wang@example.com,忘了我说的公司吧", False),
)


async def live(app: App) -> None:
    """Give the seller a past: talks with three people, one reflection, something forgotten and one thing undone."""
    for name, text, by_agent in SAID:
        await app.say(SCOPE.agent, name, text, by_agent=by_agent, run_id="talk")
    for name in sorted({name for name, _, _ in SAID}):
        await app.say(SCOPE.agent, name, "再见", run_id="talk", end=True)
    await app.drain()
    await app.reflect(SCOPE)
    ann = await app.targets(SCOPE, "Ann Lee")
    await app.forget(Meant(Scope(SCOPE.tenant, SCOPE.agent, ann[0]), query="my phone"))
    gone = await app.forget(Meant(Scope(SCOPE.tenant, SCOPE.agent, ann[0]), query="tea"))
    if gone.run is not None:
        await app.undo(gone.run)


async def make_source(folder: Path) -> None:
    """The seller's data directory and a bundle of him, `seller.zip`, in this folder."""
    async with spine(folder / "source", RulesCognition(), persona=persona()) as app:
        await live(app)
        await app.bundles.export(SCOPE.agent, folder / "seller.zip")


async def signed(source: Path, key: Path) -> Path:
    """A bundle of the seller whose data is in `source`, signed."""
    file = key.with_suffix(".zip")
    async with spine(source, RulesCognition(), persona=persona()) as app:
        await app.bundles.export(SCOPE.agent, file, sign=key)
    return file


def persona() -> Any:
    """The seller, who may do things that a stranger's persona may not."""
    plain = quiet_persona()
    acting = {"tools": ("os:system",), "knowledge": ("notes/passwords.md",), "model": "openai:expensive"}
    given = {**acting, "role": "卖东西"}
    return plain.revised(**given)


def key_pair(folder: Path, name: str = "key") -> tuple[Path, Path]:
    """Files with a private and a public key."""
    private = Ed25519PrivateKey.generate()
    secret, public = folder / f"{name}.pem", folder / f"{name}.pub"
    secret.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return secret, public


def entries(bundle: Path) -> dict[str, bytes]:
    """What is in a bundle."""
    with zipfile.ZipFile(bundle) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def zipped(contents: Mapping[str, bytes], *, how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these entries."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as made:
        for name, content in contents.items():
            made.writestr(name, content)
    return out.getvalue()


def vouched(contents: dict[str, bytes], **manifest: object) -> dict[str, bytes]:
    """The entries with a manifest that is right about them, as an attacker would write it; some of it changed."""
    given = json.loads(contents["manifest.json"])
    given["entries"] = {
        name: {"size": len(content), "sha256": sha256(content).hexdigest()}
        for name, content in contents.items()
        if name not in ("manifest.json", "manifest.sig")
    }
    given |= manifest
    return {**contents, "manifest.json": json.dumps(given).encode()}


def rewritten(bundle: Path, change: Callable[[list[dict[str, Any]]], object], **manifest: object) -> bytes:
    """The bundle with its ledger rows changed in place, its manifest made to agree."""
    contents = entries(bundle)
    rows = [json.loads(line) for line in contents["ledger-0001.jsonl"].splitlines()]
    change(rows)
    contents["ledger-0001.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    memories = len({row.get("memoryId") for row in rows})
    return zipped(vouched(contents, **{"rows": len(rows), "memories": memories, **manifest}))


def a_bundle(file: Path) -> Path:
    """A small bundle, written without an app: a turn, what was made of it, and what took that one's place."""
    turn = a_memory("I live in Rome", memory_type=MemoryType.CONVERSATION, meta_data={"turnIndex": 1})
    home = a_memory("lives in Rome", source_ids=(turn.memory_id,), attribute="home", value="Rome")
    ended = home.ended(at=NOON, now=NOON)
    job = a_memory(
        "works in Oslo", source_ids=(turn.memory_id,), evidence=(Evidence(memory_id=turn.memory_id, start=0, end=6),)
    )
    contents = {
        "persona.json": quiet_persona().model_dump_json().encode(),
        "ledger-0001.jsonl": b"".join(map(_row, (1, 2, 3, 4), (turn, home, job, ended))),
        "manifest.json": Manifest(made_at=NOON, tenant=TENANT, agent_id=AGENT, head=4, memories=3, rows=4, entries={})
        .model_dump_json()
        .encode(),
    }
    file.write_bytes(zipped(vouched(contents)))
    return file


def _row(seq: int, node: MemoryNode) -> bytes:
    row = {
        "seq": seq,
        "memoryId": node.memory_id,
        "targetId": node.target_id,
        "first": node.revision == 1,
        "run": f"run-{seq}",
        "cause": "test",
        "at": NOON.isoformat(),
        "act": "add" if node.revision == 1 else "end",
        "after": wire_of(node),
    }
    return json.dumps(row).encode() + b"\n"
