"""What docs/bundles.md says about files is so."""

from agentmem.agents.bundle import archive
from tests.support.cli import ROOT

PAGE = (ROOT / "docs" / "bundles.md").read_text("utf-8")


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
