"""doctor --receipt, --canary: whether what was erased is gone, and its receipt unchanged."""

from collections.abc import Sequence
from pathlib import Path

from agentmem.errors import HeldElsewhere
from agentmem.interfaces.cli.exits import FAILED, Misuse
from agentmem.interfaces.cli.opening import opened, owner_only
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.ports.erasure import Erased
from agentmem.runtime.receipts import Receipt, scan


async def check_erasure(session: Session, file: Path | None, canaries: Sequence[str]) -> Answer:
    """Check the receipt, then the journal, the index and every byte below the data directory."""
    owner_only(session)
    if not all(text.strip() for text in canaries):
        raise Misuse("--canary needs a text to search for")
    problems: list[str] = []
    receipt: Receipt | None = None
    with session.terminal.busy("looking"):
        if file is not None:
            async with opened(session, index=False) as app:
                receipt, doubt = await app.upkeep.receipt(file)
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
        async with opened(session) as app:
            return await app.upkeep.remains(erased)
    except HeldElsewhere as error:
        async with opened(session, index=False) as app:
            return [*await app.upkeep.remains(erased), f"the index was not looked into: {error}"]
