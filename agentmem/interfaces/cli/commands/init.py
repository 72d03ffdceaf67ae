"""init: a small project to begin with."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.exits import Misuse
from agentmem.interfaces.cli.output import Answer, words


async def init(
    session: CommandSession,
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Where; here, if not named.")] = Path(),
) -> Answer:
    """Write a small project: a configuration, a persona and a scenario. Overwrites nothing."""
    try:
        written = _write(folder)
    except OSError as error:
        raise Misuse(f"{folder}: cannot be written: {error.strerror or error}") from error
    begin = "agentmem run scenarios/first_stay.yaml"
    told = begin if folder == Path() else f"cd {shlex.quote(str(folder))} && {begin}"
    data = {"files": [str(path) for path in written]}
    return Answer(data, [*(words(path) for path in written), words(f"begin with: {told}")])


def _write(folder: Path) -> list[Path]:
    """Write a configuration, a persona and a scenario into `folder`, which is made where it is not there; the files.
    Raises `Misuse` where one of them is there already, and writes none then."""
    from importlib.resources import files

    template = Path(str(files("agentmem.interfaces.cli"))) / "first_project"
    sources = sorted(template.rglob("*.yaml"))
    targets = [folder / source.relative_to(template) for source in sources]
    if there := [target for target in targets if target.exists()]:
        raise Misuse(f"{there[0]} is there already; nothing was written")
    for source, target in zip(sources, targets, strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    return targets
