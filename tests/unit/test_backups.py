"""Which copies of the store are kept beside it."""

import os
from pathlib import Path

from agentmem.runtime.composition.backups import FOLDER, discard_backups, kept_backups


def test_a_store_without_copies_lists_none(tmp_path: Path) -> None:
    assert kept_backups(tmp_path) == []
    assert discard_backups(tmp_path) == []


def test_all_copies_are_listed_oldest_first_and_thrown_away(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    (folder / "damaged").mkdir(parents=True)
    (folder / "damaged" / "journal.db").write_bytes(b"x" * 100)
    (folder / "before-schema-5.backup").write_bytes(b"y" * 10)
    os.utime(folder / "before-schema-5.backup", (1_000, 1_000))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("stays")
    (folder / "link").symlink_to(elsewhere)
    names = [kept.path.name for kept in kept_backups(tmp_path)]
    assert names[0] == "before-schema-5.backup"
    assert {*names} == {"before-schema-5.backup", "damaged", "link"}
    assert kept_backups(tmp_path)[0].size == 10
    assert len(discard_backups(tmp_path)) == 3
    assert kept_backups(tmp_path) == []
    assert elsewhere.read_text() == "stays"
