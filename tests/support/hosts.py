"""Hosts of this test alone: network namespaces of this machine, each with a cable to it that can be cut."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache

NETWORK = "10.231"
"""Of these addresses each pair of host and machine has its own four; no packet for them leaves this machine."""


@dataclass(frozen=True, slots=True)
class Host:
    """Reached at `address`; this machine is `gateway` to it, where what stands for the database listens at `port`."""

    name: str
    address: str
    gateway: str
    port: int

    @property
    def entering(self) -> tuple[str, ...]:
        """What a command begins with that runs there."""
        return ("ip", "netns", "exec", self.name)

    async def link(self, *, up: bool) -> None:
        """Mend the cable to it, or cut it: at its end, for at this one the way to it would go with the cable."""
        await _ip("-n", self.name, "link", "set", f"{self.name}h", "up" if up else "down")


@cache
def not_permitted() -> str | None:
    """Why there can be no hosts here, or None."""
    if shutil.which("ip") is None:
        return "there is no `ip` (iproute2)"
    name = f"am{os.getpid()}p"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode:
        return f"network namespaces are not permitted: {made.stderr.strip()[:200]}"
    wired = subprocess.run(
        ["ip", "link", "add", f"{name}m", "type", "veth", "peer", "name", f"{name}h"],
        capture_output=True,
        text=True,
        check=False,
    )
    subprocess.run(["ip", "link", "del", f"{name}m"], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    return f"no cables between namespaces: {wired.stderr.strip()[:200]}" if wired.returncode else None


@asynccontextmanager
async def hosts(count: int, database: tuple[str, int]) -> AsyncGenerator[list[Host]]:
    """So many, while the body runs; each reaches the database of this machine through its gateway."""
    found: list[Host] = []
    net = f"{NETWORK}.{os.getpid() % 250}"
    async with AsyncExitStack() as stack:
        if count:  # nothing for these addresses ever leaves this machine, whatever becomes of the cables
            await _ip("route", "add", "unreachable", f"{net}.0/24")
            stack.push_async_callback(_ip, "route", "del", "unreachable", f"{net}.0/24")
        for number in range(count):
            name = f"am{os.getpid()}{number}"
            gateway, address = f"{net}.{4 * number + 1}", f"{net}.{4 * number + 2}"
            await _ip("netns", "add", name)
            stack.push_async_callback(_ip, "netns", "del", name)
            await _ip("link", "add", f"{name}m", "type", "veth", "peer", "name", f"{name}h")
            stack.push_async_callback(_ip, "link", "del", f"{name}m")
            await _ip("link", "set", f"{name}h", "netns", name)
            await _ip("addr", "add", f"{gateway}/30", "dev", f"{name}m")
            await _ip("link", "set", f"{name}m", "up")
            for command in (
                ("addr", "add", f"{address}/30", "dev", f"{name}h"),
                ("link", "set", f"{name}h", "up"),
                ("link", "set", "lo", "up"),
            ):
                await _ip("-n", name, *command)
            port = await stack.enter_async_context(_passing_on(gateway, database))
            found.append(Host(name, address, gateway, port))
        yield found


@asynccontextmanager
async def _passing_on(gateway: str, database: tuple[str, int]) -> AsyncGenerator[int]:
    """The port at the gateway behind which the database is."""

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, away = await asyncio.open_connection(*database)
            await asyncio.gather(_pumped(reader, away), _pumped(there, writer))
        except (OSError, asyncio.CancelledError):
            writer.close()

    server = await asyncio.start_server(take, gateway, 0)
    async with server:
        yield int(server.sockets[0].getsockname()[1])


async def _pumped(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while part := await reader.read(65_536):
            writer.write(part)
            await writer.drain()
    finally:
        writer.close()


async def _ip(*arguments: str) -> None:
    process = await asyncio.create_subprocess_exec("ip", *arguments, stderr=asyncio.subprocess.PIPE)
    _, error = await process.communicate()
    if process.returncode:
        raise OSError(f"ip {' '.join(arguments)}: {error.decode().strip()}")
