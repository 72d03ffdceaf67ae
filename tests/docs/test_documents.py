"""What docs/documents.md says of personas is so."""

import re

from tests.support.cli import ROOT

PAGE = (ROOT / "docs/documents.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_persona_it_shows_is_the_one_that_is_shipped() -> None:
    shipped = (ROOT / "personas/aip_presales.yaml").read_text("utf-8")
    for line in blocks("yaml")[0].splitlines():
        assert line in shipped
