"""Hostile bundles: each is refused with one line that names the file, and reading it costs little."""

import io
import json
import pickle
import re
import sqlite3
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentmem.adapters.ed25519 import Ed25519Signing
from agentmem.agents.bundle.archive import EntrySeal
from agentmem.agents.bundle.bundle_reader import Survey, open_bundle, survey
from agentmem.errors import InvalidInput
from tests.support.bundles import a_bundle, entries, key_pair, rewritten, vouched, zipped
from tests.support.nodes import NOON

NOW = NOON + timedelta(days=1)
Rows = list[dict[str, Any]]


def holds(content: bytes, seal: EntrySeal) -> bool:
    return Ed25519Signing().verify(seal.public_key, seal.signature, content)


def looked_at(file: Path, signer: str | None = None) -> Survey:
    """All that an import does before it writes."""
    with open_bundle(file, holds, signer=signer) as bundle:
        try:
            seen = survey(bundle.rows(), bundle.manifest, NOW)
        except InvalidInput as error:
            raise bundle.archive.wrong(str(error)) from error
        list(bundle.vectors())
        return seen


def refused(folder: Path, content: bytes, signer: str | None = None) -> str:
    file = folder / "hostile.zip"
    file.write_bytes(content)
    with pytest.raises(InvalidInput) as caught:
        looked_at(file, signer)
    said = str(caught.value)
    assert said.startswith(str(file))
    assert "\n" not in said
    assert len(said) < len(str(file)) + 300
    return said.removeprefix(f"{file}: ")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle that nothing is wrong with."""
    return a_bundle(tmp_path_factory.mktemp("good") / "good.zip")


def test_a_good_bundle_is_read(good: Path) -> None:
    assert len(looked_at(good).named) == 3


@pytest.mark.parametrize(
    "name",
    [
        *("../x", "..\\x", "/etc/passwd", "C:\\x", "c:/x", "..%2fx", "a/../persona.json", "./persona.json"),
        *("persona.json/", "storage.sqlite", "memory.dbm", "state.pkl", "inner.zip", "x" * 3_000, "ledger-1.jsonl"),
        *("ledger-٠٠٠١.jsonl", "persona.json ", "scripts/run.sh", "con", "manifest.json\\x"),
    ],
)
def test_an_entry_of_any_other_name_is_refused_also_where_the_manifest_names_it(
    good: Path, tmp_path: Path, name: str
) -> None:
    contents = {**entries(good), name: b"{}"}
    assert "is not part of a bundle" in refused(tmp_path, zipped(contents))
    refused(tmp_path, zipped(vouched(contents)))


def test_a_name_that_goes_on_behind_a_nul_is_refused(good: Path, tmp_path: Path) -> None:
    contents = entries(good)
    contents["persona.jsonZ.pkl"] = contents.pop("persona.json")
    hidden = zipped(contents).replace(b"persona.jsonZ.pkl", b"persona.json\x00.pkl")
    assert "is not part of a bundle" in refused(tmp_path, hidden)


def with_info(good: Path, change: Callable[[zipfile.ZipInfo], object]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, content in entries(good).items():
            info = zipfile.ZipInfo(name)
            if name == "persona.json":
                change(info)
            made.writestr(info, content)
    return out.getvalue()


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFDIR, stat.S_IFSOCK])
def test_links_devices_and_folders_are_refused(good: Path, tmp_path: Path, kind: int) -> None:
    def pose(info: zipfile.ZipInfo) -> None:
        info.create_system, info.external_attr = 3, (kind | 0o777) << 16

    assert "is no regular file" in refused(tmp_path, with_info(good, pose))


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(good: Path, tmp_path: Path, how: int) -> None:
    assert "compressed in a way" in refused(tmp_path, with_info(good, lambda info: setattr(info, "compress_type", how)))


@pytest.mark.parametrize("flag", [0x1, 0x20, 0x40, 0x2000])
def test_an_encrypted_patched_or_masked_entry_is_refused(good: Path, tmp_path: Path, flag: int) -> None:
    raw = bytearray(good.read_bytes())
    for found in re.finditer(rb"PK\x01\x02", good.read_bytes()):
        raw[found.start() + 8] |= flag & 0xFF
        raw[found.start() + 9] |= flag >> 8
    assert "is encrypted" in refused(tmp_path, bytes(raw))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_entries_of_one_name_or_of_names_alike_but_for_case_are_refused(good: Path, tmp_path: Path) -> None:
    out = io.BytesIO(good.read_bytes())
    with zipfile.ZipFile(out, "a") as made:
        made.writestr("persona.json", b"{}")
    assert "the same name" in refused(tmp_path, out.getvalue())
    assert "the same name" in refused(tmp_path, zipped({**entries(good), "PERSONA.json": b"{}"}))


def test_a_bomb_is_refused_before_it_goes_off(good: Path, tmp_path: Path) -> None:
    contents = {**entries(good), "ledger-0002.jsonl": bytes(60 << 20)}
    bomb = zipped(vouched(contents))
    tracemalloc.start()
    try:
        assert "more than 100 times" in refused(tmp_path, bomb)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_a_bomb_that_lies_about_its_size_is_refused(good: Path, tmp_path: Path) -> None:
    contents = {**entries(good), "ledger-0002.jsonl": bytes(30 << 20)}
    raw = bytearray(zipped(vouched(contents)))
    at = raw.rindex(b"PK\x01\x02")
    at = raw.index(b"ledger-0002.jsonl", at) - 46
    raw[at + 24 : at + 28] = (1_000).to_bytes(4, "little")
    refused(tmp_path, bytes(raw))


def test_too_many_entries_are_refused_before_they_are_listed(good: Path, tmp_path: Path) -> None:
    many = {**entries(good), **{f"ledger-{number:05}.jsonl": b"{}" for number in range(10_001)}}
    assert "more than 10,000 entries" in refused(tmp_path, zipped(many, how=zipfile.ZIP_STORED))


def test_bytes_before_behind_or_between_the_entries_are_refused(good: Path, tmp_path: Path) -> None:
    whole = good.read_bytes()
    for content in (b"MZ" + whole, whole + b"\x00", whole[:-1], whole[:100], b"PK\x03\x04", b"PK\x03\x04" + bytes(99)):
        refused(tmp_path, content)


def test_an_end_that_counts_in_two_ways_is_refused(good: Path, tmp_path: Path) -> None:
    raw = bytearray(good.read_bytes())
    raw[-14:-12] = (1).to_bytes(2, "little")
    assert "more than 10,000 entries" in refused(tmp_path, bytes(raw))


def test_a_second_end_that_would_count_instead_is_refused(good: Path, tmp_path: Path) -> None:
    whole = good.read_bytes()
    body, end = whole[:-22], whole[-22:]
    mark, disk, first, here, total, length, offset, comment = struct.unpack("<4s4H2LH", end)
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, total, total, length, offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(body), 1)
    longer = length + len(record) + len(locator)
    end = struct.pack("<4s4H2LH", mark, disk, first, here, total, longer, offset, comment)
    assert "is no bundle" in refused(tmp_path, body + record + locator + end)


def test_nested_zips_databases_and_pickles_are_refused_under_any_name(good: Path, tmp_path: Path) -> None:
    database = tmp_path / "x.db"
    with sqlite3.connect(database) as made:
        made.execute("CREATE TABLE t (x)")
    made.close()
    for content in (database.read_bytes(), pickle.dumps(print), good.read_bytes()):
        for name in ("ledger-0001.jsonl", "persona.json"):
            refused(tmp_path, zipped(vouched({**entries(good), name: content})))


@pytest.mark.parametrize("version", [0, 2, 99, "1", True, 1.0, None, [1]])
def test_an_unknown_version_is_refused(good: Path, tmp_path: Path, version: object) -> None:
    said = refused(tmp_path, zipped(vouched(entries(good), version=version)))
    assert "is not read here" in said


def test_a_missing_a_surplus_and_a_changed_entry_are_refused(good: Path, tmp_path: Path) -> None:
    contents = entries(good)
    missing = {name: content for name, content in contents.items() if name != "ledger-0001.jsonl"}
    assert "ledger-0001.jsonl is missing" in refused(tmp_path, zipped(missing))
    assert "is not in the manifest" in refused(tmp_path, zipped({**contents, "ledger-0002.jsonl": b"{}\n"}))
    changed = contents["ledger-0001.jsonl"].replace(b"Rome", b"Oslo")
    assert "damaged or changed" in refused(tmp_path, zipped({**contents, "ledger-0001.jsonl": changed}))
    gap = {**contents, "ledger-0003.jsonl": b"{}\n"}
    assert "without a gap" in refused(tmp_path, zipped(vouched(gap)))
    assert "no manifest.json" in refused(tmp_path, zipped({"persona.json": contents["persona.json"]}))


def edit(field: str, value: object, row: int = 0) -> Callable[[Rows], object]:
    return lambda rows: rows[row]["after"].__setitem__(field, value)


def row_edit(**changes: object) -> Callable[[Rows], object]:
    return lambda rows: rows[0].update(changes)


def again(rows: Rows) -> None:
    rows.append(dict(rows[0]))


def poses(rows: Rows) -> None:
    rows[1].update(seq=rows[1]["seq"] + 100, memoryId=rows[0]["memoryId"])


def without_its_beginning(rows: Rows) -> None:
    rows[0].pop("first")


ELSEWHERE = "11111111-2222-3333-4444-555555555555"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (edit("tenant", "victim"), "not of this agent"),
        (edit("agentId", "victim"), "not of this agent"),
        (edit("memoryId", ELSEWHERE), "another id"),
        (edit("sourceIds", [ELSEWHERE]), "is not in the bundle"),
        (edit("supersededBy", ELSEWHERE), "is not in the bundle"),
        (edit("evidence", [{"memoryId": ELSEWHERE, "start": 0, "end": 1}]), "is not in the bundle"),
        (edit("trust", "root"), "trust"),
        (edit("isAdmin", True), "isAdmin"),
        (edit("content", ""), "content"),
        (edit("content", "a\x00b"), "NUL"),
        (edit("vector", [0.0]), "never stored"),
        (edit("scoreRank", 9.0), "never stored"),
        (edit("timestamp", 2**63), "timestamp"),
        (edit("timestamp", 2**62), "still to come"),
        (edit("revision", 2**40), "revised more often"),
        (edit("createdAt", "2999-01-01T00:00:00+00:00"), "still to come"),
        (edit("validAt", "2026-01-01T00:00:00"), "validAt"),
        (edit("importance", "9"), "importance"),
        (again, "out of order"),
        (poses, ""),
        (without_its_beginning, "does not continue"),
        (row_edit(act="pwn"), "act"),
        (row_edit(at="2999-01-01T00:00:00+00:00"), "still to come"),
        (row_edit(reason="x" * 5_000), "reason"),
        (row_edit(extra=1), "extra"),
        (list[dict[str, Any]].clear, ""),
    ],
)
def test_a_ledger_that_says_what_is_not_its_own_to_say_is_refused(
    good: Path, tmp_path: Path, change: Callable[[Rows], object], said: str
) -> None:
    assert said in refused(tmp_path, rewritten(good, change))


def test_counts_that_are_wrong_and_a_time_to_come_are_refused(good: Path, tmp_path: Path) -> None:
    assert "as many rows" in refused(tmp_path, zipped(vouched(entries(good), memories=7)))
    later = (NOW + timedelta(days=3)).isoformat()
    assert "still to come" in refused(tmp_path, zipped(vouched(entries(good), madeAt=later)))


def test_deep_json_and_long_lines_are_refused(good: Path, tmp_path: Path) -> None:
    contents = entries(good)
    deep = b'{"seq":1,"after":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"}\n"
    assert "ledger-0001.jsonl:1" in refused(tmp_path, zipped(vouched({**contents, "ledger-0001.jsonl": deep}), how=0))
    long = json.dumps({"x": "".join(f"{number:x}" for number in range(2_000_000))}).encode()
    assert "longer than" in refused(tmp_path, zipped(vouched({**contents, "ledger-0001.jsonl": long}), how=0))


def test_a_persona_of_somebody_else_is_refused(good: Path, tmp_path: Path) -> None:
    contents = entries(good)
    contents["persona.json"] = contents["persona.json"].replace(b'"seller"', b'"other"')
    assert "persona.json" in refused(tmp_path, zipped(vouched(contents)))


def test_only_the_signer_who_was_named_is_believed(good: Path, tmp_path: Path) -> None:
    secret, public = key_pair(tmp_path)
    mallory, _ = key_pair(tmp_path, "mallory")
    signing = Ed25519Signing()
    wanted = signing.public_key(public)

    def sealed(key: Path, manifest: bytes) -> bytes:
        public_key, signature = signing.sign(key, manifest)
        return EntrySeal(public_key=public_key, signature=signature).model_dump_json().encode()

    contents = entries(good)
    manifest = contents["manifest.json"]
    mine = {**contents, "manifest.sig": sealed(secret, manifest)}
    file = tmp_path / "signed.zip"
    file.write_bytes(zipped(mine))
    assert len(looked_at(file, wanted).named) == 3

    assert "is not signed" in refused(tmp_path, zipped(contents), wanted)
    assert "somebody else" in refused(tmp_path, zipped({**contents, "manifest.sig": sealed(mallory, manifest)}), wanted)
    for signer in (wanted, None):
        replayed = vouched({**mine, "persona.json": contents["persona.json"] + b" "})
        assert "does not hold" in refused(tmp_path, zipped(replayed), signer)
        posing = EntrySeal(public_key=wanted, signature=json.loads(sealed(mallory, manifest))["signature"])
        forged = {**contents, "manifest.sig": posing.model_dump_json().encode()}
        assert "does not hold" in refused(tmp_path, zipped(forged), signer)
        assert "manifest.sig" in refused(tmp_path, zipped({**contents, "manifest.sig": b"{}"}), signer)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_bundle_is_refused_or_as_it_was(good: Path, tmp_path: Path, data: st.DataObject) -> None:
    """Cut off anywhere, or with any bytes of it changed. A byte that nothing depends on, such as one of a date in the
    zip's own directory, may be another; the memories are the same then."""
    raw = bytearray(good.read_bytes())
    if data.draw(st.booleans()):
        del raw[data.draw(st.integers(0, len(raw) - 1)) :]
    else:
        for _ in range(data.draw(st.integers(1, 4))):
            raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    file = tmp_path / "damaged.zip"
    file.write_bytes(raw)
    try:
        seen = looked_at(file)
    except InvalidInput as error:
        said = str(error)
    else:
        said = ""
        assert seen.named == looked_at(good).named
    assert "\n" not in said


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_entries_taken_out_put_in_or_exchanged_are_refused(good: Path, tmp_path: Path, data: st.DataObject) -> None:
    contents = entries(good)
    names = sorted(contents)
    one, other = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    match data.draw(st.sampled_from(["out", "in", "exchanged", "cut"])):
        case "out":
            del contents[one]
        case "in":
            contents[data.draw(st.text("aZ0./\\:é漢-", min_size=1, max_size=20))] = b"{}"
        case "exchanged" if one != other:
            contents[one], contents[other] = contents[other], contents[one]
        case _:
            contents[one] = contents[one][: data.draw(st.integers(0, len(contents[one]) - 1))]
    if contents != entries(good):
        refused(tmp_path, zipped(contents))
