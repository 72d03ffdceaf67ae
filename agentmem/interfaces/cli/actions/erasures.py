"""doctor --receipt, --canary: whether what was erased is gone, and its receipt unchanged."""

from collections.abc import Sequence
from pathlib import Path

from agentmem.errors import HeldElsewhere
from agentmem.interfaces.cli.exits import FAILED, Misuse
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.ports.erasure import Erased
from agentmem.runtime.app import App, open_app
from agentmem.runtime.receipts import Receipt, read_receipt, scan


async def check_erasure(session: Session, file: Path | None, canaries: Sequence[str]) -> Answer:
    """Check the receipt, then the journal, the index and every byte below the data directory."""
    if not all(text.strip() for text in canaries):
        raise Misuse("--canary needs a text to search for")
    problems: list[str] = []
    receipt: Receipt | None = None
    with session.terminal.busy("looking"):
        if file is not None:
            async with open_app(session.settings, index=False) as app:
                receipt, doubt = await read_receipt(file, app.journal.marks)
            problems += [f"the receipt cannot be believed: {doubt}"] if doubt else []
        erased = None if receipt is None else receipt.erased
        if erased is not None:
            problems += await _stored(session, erased)
        ids = () if erased is None else erased.everywhere
        seen = scan(session.settings.data, ids, canaries)
    problems += [f"{place} holds {what}" for place, what in seen.found]
    data = {
        "receipt": None if erased is None else erased.model_dump(mode="json"),
        "files": seen.files,
        "bytes": seen.size,
        "found": [{"file": place, "what": what} for place, what in seen.found],
        "problems": problems,
    }
    looked = words(f"searched {seen.files} files, {seen.size} bytes", "dim")
    if problems:
        return Answer(data, [*(words(problem, "red") for problem in problems), looked], FAILED)
    return Answer(data, [words("what was erased is gone" if erased else "nothing was found", "bold green"), looked])


async def _stored(session: Session, erased: Erased) -> list[str]:
    try:
        async with open_app(session.settings) as app:
            return await _held(app, erased)
    except HeldElsewhere as error:
        async with open_app(session.settings, index=False) as app:
            return [*await _held(app, erased), f"the index was not looked into: {error}"]


async def _held(app: App, erased: Erased) -> list[str]:
    held = await app.journal.eraser.remains(erased)
    problems = [f"the journal holds {len(held)} of it, such as {held[0]}"] if held else []
    if erased.run in {other.run for other in await app.journal.eraser.unfinished()}:
        problems.append("cleaning up behind it is not finished; open the data with its index, or see the log")
    if app.opened is not None:
        indexed = list(await app.opened.index.fetch(erased.everywhere, ["memoryId"]))
        problems += [f"the index holds {len(indexed)} of it, such as {indexed[0]}"] if indexed else []
    return problems
