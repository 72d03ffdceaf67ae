"""Opening the app for a command, on behalf of whom `--principal` names."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from agentmem.errors import NotFound
from agentmem.interfaces.cli.perform import Session
from agentmem.runtime.app import App, open_app


@asynccontextmanager
async def opened(session: Session, *, index: bool = True) -> AsyncGenerator[App]:
    """The app as the session's principal has it; see `open_app`."""
    async with open_app(session.settings, index=index) as app:
        yield app if session.principal is None else app.for_principal(session.principal)


async def linked(app: App) -> None:
    """Let the workers link what came with a copy, so that its graph is there when the command is done; where another
    process holds the index, that one does."""
    if app.opened is not None:
        await app.drain()


def owner_only(session: Session) -> None:
    """Raise `NotFound` where the command is called on behalf of somebody else, who has nothing to do with it."""
    if session.principal is not None:
        raise NotFound(f"nothing of the whole store is there for {session.principal.name!r}")
