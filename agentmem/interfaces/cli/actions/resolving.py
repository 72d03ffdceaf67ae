"""eval time: how well time expressions are resolved."""

from pathlib import Path

from agentmem.evals.time.cases import read_cases
from agentmem.evals.time.scoring import score
from agentmem.interfaces.cli.output import Answer
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.times import failure_data, times_view


async def times(session: Session, *, cases: Path, failures: bool) -> Answer:
    """Score the resolver; a low figure is an answer, not an error."""
    with session.terminal.busy("resolving"):
        report = score(read_cases(cases))
    data: dict[str, object] = {
        "cases": report.cases,
        "in_scope": len(report.scored),
        "correct": report.correct,
        "exact": round(report.exact, 4),
    }
    if failures:
        data["failures"] = [failure_data(one) for one in report.failures]
    return Answer(data, times_view(report, failures=failures))
