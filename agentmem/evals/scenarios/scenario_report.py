"""What a played scenario leaves behind: checks, memories, dialogue and costs; as a value and as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass

from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.domain.scenario import Scenario
from agentmem.domain.statement import Usage
from agentmem.evals.scenarios.checks import Check
from agentmem.evals.scenarios.player import Line


@dataclass(frozen=True, slots=True)
class ScenarioReport:
    """One playing. `memories` are all of the scenario's agents, of every layer and status."""

    scenario: Scenario
    persona: Persona
    lines: Sequence[Line]
    checks: Sequence[Check]
    memories: Sequence[MemoryNode]
    usage: Usage
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    @property
    def turns(self) -> int:
        """How many turns were spoken."""
        return sum(line.speaker is not None for line in self.lines)

    def data(self) -> dict[str, object]:
        """The report in the form that is printed as JSON."""
        return {
            "scenario": self.scenario.scenario,
            "passed": self.passed,
            "checks": [_check(check) for check in self.checks],
            "memories": [node.model_dump(mode="json") for node in self.memories],
            "stats": {
                "turns": self.turns,
                "llmCalls": self.usage.calls,
                "tokensIn": self.usage.tokens_in,
                "tokensOut": self.usage.tokens_out,
                "seconds": round(self.seconds, 3),
            },
        }


def _check(check: Check) -> dict[str, object]:
    data: dict[str, object] = {
        "kind": check.kind,
        "id": check.id,
        "passed": check.passed,
        "expected": [item if isinstance(item, str) else list(item) for item in check.expected],
        "found": check.found,
    }
    return data | ({"why": check.why} if check.why else {})
