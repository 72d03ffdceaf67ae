"""Little dialogues of many trades: what must be known afterwards, and what must not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from agentmem.domain.statement import Statement
from tests.unit.rules.support import folded, holds, read

FOLDER = Path(__file__).parent / "dialogues"
TAKEN = {"stated", "asserted_by_agent", "inferred", "negated"}


def _dialogues() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.yaml")):
        for item in cast("list[dict[str, Any]]", yaml.safe_load(path.read_text(encoding="utf-8"))):
            default = "Tom Hale" if path.stem == "english" else "陈立"
            yield pytest.param({"name": default, **item}, id=f"{path.stem}-{item['id']}")


def _holds(statements: list[Statement], words: list[str]) -> bool:
    return any(all(folded(str(word)) in folded(statement.content) for word in words) for statement in statements)


@pytest.mark.parametrize("dialogue", list(_dialogues()))
def test_dialogue_is_remembered(dialogue: dict[str, Any]) -> None:
    reading = read(*dialogue["say"], name=dialogue["name"], agent="Bella" if dialogue["name"].isascii() else "AIP导购")
    valid = [s for s in reading.statements if holds(s) and s.modality.value in TAKEN]
    his = [s for s in valid if s.about is None]
    claimed = [s for s in his if s.modality.value == "stated"]
    told = "\n".join(f"{s.modality.value}: {s.content} ({s.about})" for s in reading.statements)
    missing = [words for words in dialogue.get("has", []) if not _holds(valid, words)]
    wrong = [words for words in dialogue.get("never", []) if _holds(claimed, words)]
    others = [words for words in dialogue.get("others", []) if not _holds([s for s in valid if s.about], words)]
    assert not [*missing, *wrong, *others], f"missing {missing}, wrong {wrong}, others {others}\n{told}"
    met = [words for words in dialogue.get("unmet", []) if _holds(valid, words)]
    assert not met, f"now known, move to `has`: {met}"
    if dialogue.get("exactly_nothing"):
        assert not claimed, told
    assert {alias.name for alias in reading.aliases} >= set(dialogue.get("alias", []))
