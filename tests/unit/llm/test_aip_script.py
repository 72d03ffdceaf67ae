"""The scripted model states E1 to E8 of the AIP dialogue, however its turns fall into windows."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from agentmem.domain.event import Person
from agentmem.domain.memory import Modality
from agentmem.domain.statement import Statement
from tests.fixtures.scripted_model import aip_model, scripted
from tests.fixtures.windows import window

SCENARIO = Path(__file__).parents[3] / "scenarios" / "aip_sales.yaml"
EXPECTED = {
    "软件工程师罗小东的联系方式是12345678901": ("observation", Modality.STATED),
    "软件工程师罗小东希望在社保管理系统中添加自动能力和AI人工智能能力": ("observation", Modality.STATED),
    "软件工程师罗小东是一名软件工程师": ("observation", Modality.INFERRED),
    "软件工程师罗小东的技术比较老旧。": ("observation", Modality.STATED),
    "软件工程师罗小东的业务是做社保的管理系统。": ("observation", Modality.STATED),
    "软件工程师罗小东希望通过智能体技术创新来改进现有的社保管理系统。": ("insight", Modality.ASSERTED_BY_AGENT),
    "软件工程师罗小东希望利用AI进行数据分析预测和自动化处理某些业务流程。": ("insight", Modality.HYPOTHESIS),
    "AIP产品可以帮助软件工程师罗小东实现自动化流程、提高数据处理能力、优化管理决策等目标。": (
        "insight",
        Modality.ASSERTED_BY_AGENT,
    ),
}


def turns() -> list[tuple[bool, str]]:
    scenario: dict[str, Any] = yaml.safe_load(SCENARIO.read_text("utf-8"))
    spoken: list[dict[str, str]] = scenario["sessions"][0]["turns"]
    return [("agent" in turn, turn.get("agent") or turn["customer"]) for turn in spoken]


@pytest.mark.parametrize("size", [3, 5, 10, 13])
async def test_the_dialogue_yields_what_should_be_known(size: int) -> None:
    cognition = scripted(aip_model())
    said = turns()
    found: list[Statement] = []
    aliases: list[str] = []
    for start in range(0, len(said), size):
        talk = window(
            tuple(said[start : start + size]),
            context=tuple(said[max(0, start - 4) : start]),
            person=Person(name="罗小东", title="软件工程师"),
            agent="AIP导购销售专员",
        )
        reading = (await cognition.read(talk)).reading
        found += reading.statements
        aliases += [alias.name for alias in reading.aliases]
    assert {item.content: (item.layer, item.modality) for item in found} == EXPECTED
    assert len(found) == len(EXPECTED)
    assert aliases == ["小东"]
