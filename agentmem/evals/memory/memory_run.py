"""One measurement: dialogues played each in a store of its own that is thrown away, and examined."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory

from agentmem.domain.statement import Usage
from agentmem.evals.memory import controls
from agentmem.evals.memory.controls import Control, Controlled, controls_of
from agentmem.evals.memory.measures import Outcome, answered, derived, ended, expected, never, once, recalled, repeats
from agentmem.evals.memory.memory_judge import judged_by
from agentmem.evals.memory.memory_report import Dialogue, MemoryReport
from agentmem.evals.scenarios.events import Script
from agentmem.evals.scenarios.player import Player, read_script
from agentmem.evals.scenarios.scenario_run import Examiner, memories_of
from agentmem.ports.cognition import Cognition
from agentmem.ports.models import ChatModel
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings, SqliteSettings, TransientIndexSettings
from agentmem.runtime.configuration.yaml_file import load
from agentmem.runtime.configuration.yaml_tree import SequenceNode
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock

Progress = Callable[[int, int], None]


async def measure(
    settings: Settings,
    files: Sequence[Path],
    *,
    cognition: Cognition | None = None,
    judge: ChatModel | None = None,
    told: Progress = lambda _done, _total: None,
) -> MemoryReport:
    """Play every dialogue and control through the configured engine, or through `cognition`, and examine what is
    remembered; `judge` reads what holds. Nothing of the configured stores is read or written. Raises `InvalidInput`
    before anything is played, and what the models raise."""
    read = [_read(path, settings) for path in files]
    dialogues: list[Dialogue] = []
    controlled: list[Controlled] = []
    judging = Usage()
    for done, each in enumerate(read, start=1):
        if isinstance(each, Script):
            dialogue, cost = await _dialogue(each, settings, cognition, judge)
            dialogues.append(dialogue)
            judging = judging.plus(cost)
        else:
            controlled += await _controlled(*each, settings, cognition)
        told(done, len(read))
    return MemoryReport(tuple(dialogues), tuple(controlled), judge.name if judge else None, judging)


def _read(path: Path, settings: Settings) -> Script | tuple[Path, tuple[Control, ...]]:
    tree = load(path)
    return (path, controls_of(tree)) if isinstance(tree, SequenceNode) else read_script(path, settings)


@asynccontextmanager
async def _apart(settings: Settings, clock: ManualClock, cognition: Cognition | None) -> AsyncGenerator[App]:
    """The app as configured, but with stores of its own."""
    with TemporaryDirectory(prefix="agentmem-eval-") as folder:
        own = {"data": Path(folder), "journal": SqliteSettings(), "index": TransientIndexSettings()}
        async with open_app(settings.model_copy(update=own), clock=clock, cognition=cognition) as app:
            yield app


async def _controlled(
    path: Path, read: Sequence[Control], settings: Settings, cognition: Cognition | None
) -> list[Controlled]:
    clock = ManualClock(controls.BEGIN)
    async with _apart(settings, clock, cognition) as app:
        return await controls.play(app, clock, path, read)


async def _dialogue(
    script: Script, settings: Settings, cognition: Cognition | None, judge: ChatModel | None
) -> tuple[Dialogue, Usage]:
    """The dialogue, played and judged, and what judging cost."""
    clock = ManualClock(script.scenario.sessions[0].at)
    async with _apart(settings, clock, cognition) as app:
        player = Player(app, script, clock, lambda _: None)
        lines = await player.play()
        memories = await memories_of(app, script)
        spent = reduce(Usage.plus, player.spent, app.usage)
        examiner = await Examiner.over(app, script, memories)
        played = Dialogue(
            name=script.scenario.scenario,
            file=script.path,
            turns=sum(line.speaker is not None for line in lines),
            outcomes=tuple(await _examined(script, examiner)),
            memories=tuple(derived(memories)),
            said={node.memory_id: node for node in memories if node.memory_type == "conversation"},
            now=clock.now(),
            usage=spent,
            unread=(await examiner.idle()).found,
        )
    if judge is None:
        return played, Usage()
    judged = await judged_by(judge, lines, played.held, played.now)
    return replace(played, judgements=judged.judgements), judged.usage


async def _examined(script: Script, examiner: Examiner) -> list[Outcome]:
    expect, known = script.scenario.expect, examiner.known
    outcomes = [outcome for item in expect.memories for outcome in expected(item, known)]
    outcomes += [never(item, known) for item in expect.never]
    outcomes += [ended(item, known) for item in expect.ended]
    outcomes += [once(item, known) for item in expect.once]
    outcomes += repeats(known)
    for item in expect.recalls:
        outcomes += recalled(item, await examiner.hits(item), then=False)
    for item in expect.as_of:
        outcomes += recalled(item, await examiner.hits(item), then=True)
    for item in (*expect.recalls, *expect.as_of):
        if item.agent is None and item.type is None:
            outcomes += answered(item, await examiner.answer(item))
    return outcomes
