"""The tools over standard input and output, for a program that starts this one."""

from agentmem.interfaces.mcp.tools import memory_server
from agentmem.runtime.facade.app import App


async def speak(app: App) -> None:
    """Answer until the other side closes."""
    await memory_server(lambda _: app).run_stdio_async()
