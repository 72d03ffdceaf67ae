"""The same scenarios with a model behind the port: a faithful one, and one that answers with whatever is hostile."""

from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.evals.scenarios.scenario_report import ScenarioReport
from agentmem.evals.scenarios.scenario_run import run_scenario
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings, WorkerSettings
from agentmem.runtime.host.clocks import ManualClock
from tests.fixtures.hostile import CASES, response
from tests.fixtures.scripted_model import aip_model, scripted
from tests.support.cli import ROOT
from tests.support.index_kind import an_index

AIP = ROOT / "scenarios" / "aip_sales.yaml"
SHARES = 12


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    hasty = WorkerSettings(attempts=2, backoff_initial=0.001, backoff_max=0.01)
    return Settings(data=tmp_path / "data", personas=ROOT / "personas", workers=hasty, index=an_index())


def failures(report: ScenarioReport) -> list[str]:
    return [f"{check.kind} {check.id}: {check.found}" for check in report.checks if not check.passed]


def of(report: ScenarioReport, *types: MemoryType) -> list[MemoryNode]:
    return [node for node in report.memories if node.memory_type in types]


@pytest.mark.parametrize("name", ["aip_sales", "aip_new_number"])
async def test_a_faithful_model_passes_the_scenario(name: str, settings: Settings) -> None:
    report = await run_scenario(ROOT / "scenarios" / f"{name}.yaml", settings, cognition=scripted(aip_model()))

    assert failures(report) == []
    assert report.usage.calls > 0


def hostile_model(cases: list[dict[str, Any]]) -> FunctionModel:
    answers = cycle([answer for case in cases for answer in case["answers"]])

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return response(next(answers), info.output_tools[0].name)

    return FunctionModel(answer, model_name="hostile")


@pytest.mark.thorough
@pytest.mark.parametrize("share", range(SHARES))
async def test_a_hostile_model_loses_and_invents_nothing(share: int, settings: Settings) -> None:
    report = await run_scenario(AIP, settings, cognition=scripted(hostile_model(CASES[share::SHARES])))

    turns = {node.memory_id: node for node in of(report, MemoryType.CONVERSATION)}
    assert len(turns) == 13
    for node in of(report, MemoryType.OBSERVATION, MemoryType.INSIGHT):
        assert node.tenant == settings.tenant
        assert node.source_ids
        assert all(turns[part.memory_id].content[part.start : part.end] for part in node.evidence)


async def test_what_a_hostile_model_spoiled_is_read_again_by_a_faithful_one(settings: Settings) -> None:
    silent = FunctionModel(lambda messages, info: response({"text": ""}, ""), model_name="silent")
    spoiled = await run_scenario(AIP, settings, cognition=scripted(silent))
    assert of(spoiled, MemoryType.OBSERVATION, MemoryType.INSIGHT) == []

    clock = ManualClock(spoiled.memories[-1].created_at)
    async with open_app(settings, clock=clock, cognition=scripted(aip_model())) as app:
        letters = await app.journal.dead.dead(tenant=settings.tenant, limit=100)
        assert [letter.worker for letter in letters] == ["observation", "observation"]
        assert all("BadAnswer" in letter.reason for letter in letters)
        await app.journal.dead.retry_dead([letter.job_id for letter in letters], tenant=settings.tenant)
        await app.drain(patience=5)
    assert failures(await run_scenario(AIP, settings, cognition=scripted(aip_model()))) == []
