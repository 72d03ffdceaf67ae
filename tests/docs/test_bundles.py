"""What docs/bundles.md says about files is so."""

import re
import shlex
from pathlib import Path

import pytest

from agentmem.agents.bundle import form
from tests.support.bundles import key_pair
from tests.support.cli import ROOT, agentmem

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
        f"{form.MAX_ENTRIES:,} entries",
        f"{form.MAX_ENTRY // form.MIB} MiB in one",
        f"{form.MAX_TOTAL // form.MIB:,} MiB in all",
        f"{form.MAX_RATIO} times its size",
        f"{form.MAX_LINE // form.MIB} MiB in a line",
        f"version {form.VERSION},",
    ):
        assert limit in said, limit
