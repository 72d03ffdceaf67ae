"""A cognition that follows a script: real port, no model, answers known in advance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from agentmem.domain.statement import Pair, Quote, Reading, Statement, Window
from agentmem.ports.cognition import Judged, Read, Reflected, ReflectionInput

Script = Callable[[Window], Reading]


def remembers_every_customer_turn(window: Window) -> Reading:
    """One statement per customer turn, naming him."""
    return Reading(
        statements=tuple(
            Statement(
                content=f"{window.person.label}说过:{turn.text}",
                quotes=(Quote(turn_id=turn.turn_id, start=0, end=len(turn.text)),),
            )
            for turn in window.turns
            if not turn.by_agent
        )
    )


@dataclass
class ScriptedCognition:
    """Reads by the script; judges and reflects nothing. `windows` are those it has been shown."""

    script: Script = remembers_every_customer_turn
    windows: list[Window] = field(default_factory=list[Window])
    name: str = "scripted"

    async def read(self, window: Window) -> Read:
        self.windows.append(window)
        return Read(self.script(window))

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        return Judged(())

    async def reflect(self, request: ReflectionInput) -> Reflected:
        return Reflected(())
