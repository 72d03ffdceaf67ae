"""mcp: the memory as tools of the Model Context Protocol, over standard input and output."""

from __future__ import annotations

from agentmem.errors import InvalidInput
from agentmem.interfaces.cli.command_context import CommandSession, reads_input, stops_itself
from agentmem.interfaces.cli.output import Answer


@reads_input
@stops_itself
async def mcp(session: CommandSession) -> Answer:
    """Answer a program that starts this one, until it closes; `agentmem serve` does so at /mcp."""
    try:
        from agentmem.interfaces.mcp.transports import speak
    except ImportError as error:
        raise InvalidInput('the protocol needs: pip install "agentmem-framework[server]"') from error
    async with session.opened() as app:
        await session.until_stopped(speak(app, session.wire))
    return Answer({"stopped": True})
