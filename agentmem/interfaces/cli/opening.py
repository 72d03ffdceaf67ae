"""Opening the app for a command, on behalf of whom `--principal` names."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from agentmem.errors import NotFound
from agentmem.interfaces.cli.perform import Session
from agentmem.runtime.app import App, open_app


@asynccontextmanager
async def opened(session: Session, *, index: bool = True) -> AsyncGenerator[App]:
    """The app as the session's principal has it; see `open_app`."""
    async with AsyncExitStack() as stack:
        # What is loaded may hold the interpreter, in which no signal would be heard; a store may be killed at any time.
        session.signals.leave_to_the_system()
        stack.callback(session.signals.hear)
        app = await stack.enter_async_context(open_app(session.settings, index=index))
        session.signals.hear()
        stack.callback(session.signals.leave_to_the_system)
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
