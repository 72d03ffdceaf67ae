"""run: play scenarios."""

from collections.abc import Sequence
from pathlib import Path

from agentmem.evals.scenarios.player import read_script
from agentmem.evals.scenarios.report import ScenarioReport
from agentmem.evals.scenarios.run import run_scenario
from agentmem.interfaces.cli.exits import DONE, FAILED
from agentmem.interfaces.cli.opening import owner_only
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.scenario import scenario_view
from agentmem.runtime.settings import Settings


async def run(session: Session, *, scenarios: Sequence[Path], fresh: bool) -> Answer:
    """Play the files one after another; a mistake in any of them is found before the first is played."""
    owner_only(session)
    for path in scenarios:
        read_script(path, session.settings)
    reports: list[ScenarioReport] = []
    with session.terminal.busy("scenarios") as told:
        for path in scenarios:
            reports.append(await run_scenario(path, session.settings, fresh=fresh, told=told))
    options = _differing(session.settings)
    shown = [item for report in reports for item in scenario_view(report, options=options)]
    if len(reports) > 1:
        failed = [report.scenario.scenario for report in reports if not report.passed]
        told_all = f"{len(failed)} of {len(reports)} failed: {', '.join(failed)}" if failed else "all scenarios passed"
        shown.append(words(f"\n{told_all}", "bold red" if failed else "bold green"))
    passed = all(report.passed for report in reports)
    return Answer({"scenarios": [report.data() for report in reports]}, shown, DONE if passed else FAILED)


def _differing(settings: Settings) -> list[str]:
    """The common options under which the same data is found again."""
    plain = Settings()
    data = ["--data", str(settings.data)] if settings.data != plain.data else []
    tenant = ["--tenant", settings.tenant] if settings.tenant != plain.tenant else []
    return [*data, *tenant]
