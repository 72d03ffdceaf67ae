"""Single exchanges of which something must be remembered, or nothing; the format is described in docs/evaluation.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from agentmem.domain.event import Person
from agentmem.domain.ids import Name
from agentmem.domain.memory import MemoryNode, Modality
from agentmem.domain.persona import Persona
from agentmem.domain.scenario import Scenario, ScenarioSession, Spoken
from agentmem.domain.value import Value
from agentmem.errors import InvalidInput
from agentmem.evals.memory.measures import Tally, derived, says
from agentmem.evals.scenarios.events import Script
from agentmem.evals.scenarios.player import Player
from agentmem.evals.scenarios.scenario_run import memories_of
from agentmem.language.normal import language_of
from agentmem.runtime.configuration.yaml_file import build
from agentmem.runtime.configuration.yaml_tree import MappingNode, ScalarNode, SequenceNode
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock

BEGIN: Final = datetime.fromisoformat("2026-03-02T10:00:00+08:00")
APART: Final = timedelta(days=1)
"""From one exchange to the next."""

_CUSTOMERS: Final = {"zh": "陈立", "en": "Ann Lee"}


class Control(Value):
    """What is said, by the customer or `agent`, or an exchange of turns; the words of one memory about the customer
    that must come of it (none: nothing may be held as stated); and words that no such memory may have."""

    say: str | Annotated[tuple[Spoken, ...], Field(min_length=1)]
    agent: bool = False
    customer: Name | None = None
    store: tuple[str | tuple[str, ...], ...]
    modality: Modality = Modality.STATED
    never: tuple[str, ...] = Field(default=(), alias="not")
    why: str | None = None
    also: str | None = None

    @property
    def text(self) -> str:
        """What is said, in one line."""
        if isinstance(self.say, str):
            return self.say
        return " / ".join(turn.agent or turn.customer or turn.say or "" for turn in self.say)

    @property
    def turns(self) -> tuple[Spoken, ...]:
        """What is said, turn by turn."""
        if not isinstance(self.say, str):
            return self.say
        return (Spoken(agent=self.say) if self.agent else Spoken(customer=self.say),)

    def is_false(self, node: MemoryNode) -> bool:
        """Whether a memory about the customer says what must not be held as stated."""
        if node.modality is not Modality.STATED:
            return False
        return not self.store or any(says(node, (words,)) for words in self.never)


def controls_of(tree: SequenceNode) -> tuple[Control, ...]:
    """The controls of a file. Raises `InvalidInput`.

    An unquoted remark between braces ends at its first comma, after which YAML sees keys without values; they are left
    out.
    """
    for item in tree.items:
        if isinstance(item, MappingNode):
            loose = [key for key, each in item.items.items() if isinstance(each, ScalarNode) and each.value is None]
            for key in set(loose).difference(Control.model_fields):
                del item.items[key]
    if not tree.items:
        raise InvalidInput(f"{tree.where}: no control stands here; allowed: a list of at least one")
    return tuple(build(item, Control) for item in tree.items)


@dataclass(frozen=True, slots=True)
class Controlled:
    """A control that was played. `stored`: whether what must be remembered is; None where nothing must. `false` are the
    contents that must not be held as stated."""

    control: Control
    stored: bool | None
    false: tuple[str, ...]

    def data(self) -> dict[str, object]:
        """As JSON."""
        said: dict[str, object] = {"say": self.control.text, "stored": self.stored, "false": list(self.false)}
        return said | ({"why": self.control.why} if self.control.why else {})


async def play(app: App, clock: ManualClock, path: Path, controls: Sequence[Control]) -> list[Controlled]:
    """Each control with an agent of its own, one after the other, a day apart."""
    return [await _played(app, clock, path, control) for control in controls]


async def _played(app: App, clock: ManualClock, path: Path, control: Control) -> Controlled:
    at = clock.now() + APART
    language = language_of(control.text)
    name = f"control-{at:%Y%m%d}"
    scenario = Scenario(
        scenario=name,
        persona=Persona(id=name, name="Rowan", language=language),
        customer=Person(name=control.customer or _CUSTOMERS[language]),
        sessions=(ScenarioSession(id="1", at=at, turns=control.turns),),
    )
    assert isinstance(scenario.persona, Persona)
    script = Script(scenario, scenario.persona, app.tenant, path, path.parent)
    await Player(app, script, clock, lambda _: None).play()
    customer = script.target(scenario.people[0].name)
    about = [node for node in derived(await memories_of(app, script)) if node.target_id == customer]
    held = [node for node in about if node.is_valid(clock.now())]
    stored = [node.modality is control.modality and says(node, control.store) for node in held]
    false = tuple(node.content for node in held if control.is_false(node))
    return Controlled(control, any(stored) if control.store else None, false)


def stored(controls: Sequence[Controlled]) -> Tally:
    """Of the controls of which something must be remembered, how many."""
    wanted = [each.stored for each in controls if each.stored is not None]
    return Tally(sum(wanted), len(wanted))


def false_statements(controls: Sequence[Controlled]) -> Tally:
    """Of all controls, how many led to a statement that must not be there."""
    return Tally(sum(bool(each.false) for each in controls), len(controls))
