"""What docs/bundles.md says about files is so."""

import re
import shlex
from pathlib import Path

import pytest

from agentmem.agents.bundle import archive
from tests.support.bundles import key_pair
from tests.support.cli import ROOT, agentmem

pytestmark = pytest.mark.usefixtures("embedded_index_throughout")

PAGE = (ROOT / "docs" / "bundles.md").read_text("utf-8")


def test_the_commands_it_shows_work_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("personas", "scenarios", "config.yaml"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    key_pair(tmp_path)  # what the lines of openssl make
    assert agentmem("run", "scenarios/aip_sales.yaml", "--json").code == 0
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    shown = [line for block in blocks for line in block.splitlines() if line.startswith("agentmem ")]
    assert len(shown) == 6
    for line in shown:
        ran = agentmem(*shlex.split(line)[1:], "--json")
        assert ran.code == 0, (line, ran.err)


def test_the_limits_it_names_are_those_of_the_code() -> None:
    said = " ".join(PAGE.split())
    for limit in (
        f"{archive.MAX_ENTRIES:,} entries",
        f"{archive.MAX_ENTRY // archive.MIB} MiB in one",
        f"{archive.MAX_TOTAL // archive.MIB:,} MiB in all",
        f"{archive.MAX_RATIO} times its size",
        f"{archive.MAX_LINE // archive.MIB} MiB in a line",
        f"version {archive.VERSION},",
    ):
        assert limit in said, limit
