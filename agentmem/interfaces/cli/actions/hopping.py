"""eval multihop: how well answers are found that several memories give together."""

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from agentmem.answers.question import Mode
from agentmem.evals.multihop.run import measure
from agentmem.evals.multihop.world import read_world
from agentmem.interfaces.cli.exits import Misuse
from agentmem.interfaces.cli.output import Answer
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.multihop import multihop_view


async def multihop(
    session: Session, *, folder: Path, modes: Sequence[str] | None, depths: Sequence[int] | None, limit: int
) -> Answer:
    """The figures of each of the modes, all of them where none is named."""
    known: tuple[Mode, ...] = get_args(Mode)
    if strange := [mode for mode in modes or () if mode not in known]:
        raise Misuse(f"--mode {strange[0]!r}: allowed: {', '.join(known)}")
    wanted: list[Mode] = list(known) if not modes else [mode for mode in known if modes.count(mode)]
    world, far = read_world(folder), sorted({*(depths or (2,))})
    with session.terminal.counted("asking") as progress:
        report = await measure(session.settings, world, wanted, k=limit, depths=far, told=progress)
    return Answer(report.data(), multihop_view(report))
