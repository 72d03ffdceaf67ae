"""How fast `agentmem serve` takes turns in, and what HTTP adds to a recall: `make bench-server`.

A server is started with a store of its own; callers keep their connections, as programs do. Beside it the same calls
are made in this process, so that the ratio says what HTTP costs on this machine. The callers take a core of their own,
so beside turns a second it says what processor the server spends on each.
"""

import asyncio
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from agentmem import Persona, RecallQuery, Scope, load_settings, open_app

CALLERS, TURNS, RECALLS, STREAMS = 64, 4_000, 300, 200
WARMED_BY = 50
"""Recalls that are not counted: the first read every turn that waits, and compile what they read it with."""

AGENT = Persona(id="ada", name="Ada", language="en")
HOST = "127.0.0.1"
STOP_SECONDS = 30
LOOK_SECONDS, RESTING = 1.0, 0.03
"""Between two looks whether a process rests, and the part of a processor that it uses then at most."""


def turn(number: int) -> dict[str, object]:
    """What one of 500 people says."""
    rest, letter = divmod(number % 500, 26)
    return {"person": f"Anna {chr(65 + letter)}{chr(97 + rest)}ller", "text": f"I moved to street number {number}."}


class Caller:
    """One kept connection, which sends requests and reads answers with a length."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self._reader, self._writer, self._token = reader, writer, token

    @classmethod
    async def connected(cls, port: int, token: str) -> "Caller":
        """A caller of the server at this port."""
        return cls(*await asyncio.open_connection(HOST, port), token)

    async def ask(self, method: str, path: str, body: object = None) -> int:
        """The status of the answer, once it was read."""
        data = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {self._token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        self._writer.write(head.encode() + data)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        if b"content-length: " in answer:
            await self._reader.readexactly(int(answer.split(b"content-length: ")[1].split(b"\r\n")[0]))
        return int(answer.split()[1])


async def by_many(callers: Sequence[Caller], count: int, call: Callable[[Caller, int], Awaitable[int]]) -> float:
    """How many calls a second all callers together make."""
    numbers = iter(range(count))

    async def work(caller: Caller) -> None:
        for number in numbers:
            status = await call(caller, number)
            if status >= 300:
                raise SystemExit(f"answered with {status}")

    began = time.perf_counter()
    await asyncio.gather(*map(work, callers))
    return count / (time.perf_counter() - began)


def spent(pid: int) -> float:
    """Seconds of processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def settled(pid: int) -> None:
    """Wait until a process rests: a server makes ready in its first seconds what first requests would wait for."""
    before = 0.0
    while (now := spent(pid)) - before > RESTING * LOOK_SECONDS:
        before = now
        await asyncio.sleep(LOOK_SECONDS)


def resident(pid: int) -> float:
    """Megabytes of memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


@asynccontextmanager
async def server(folder: Path) -> AsyncGenerator[tuple[int, int, str]]:
    """A server with a store in this folder, until the body ends, however it does: its process, port and token."""
    command = [sys.executable, "-m", "agentmem", "serve", "--port", "0", "--no-workers", "--data", str(folder)]
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    try:
        port, token = 0, ""
        while not token:
            line = (await process.stderr.readline()).decode()
            if not line:
                raise SystemExit("the server did not start")
            port = int(line.rsplit(":", 1)[1]) if line.startswith("listening on") else port
            token = line.split()[-1] if line.startswith("the owner's token") else ""
        yield process.pid, port, token
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()


async def over_http(folder: Path) -> dict[str, float]:
    """The figures of a server."""
    async with server(folder) as (pid, port, token):
        await settled(pid)
        first = await Caller.connected(port, token)
        await first.ask("PUT", "/v1/agents/ada", AGENT.model_dump(mode="json"))
        callers = [await Caller.connected(port, token) for _ in range(CALLERS)]

        async def say(caller: Caller, number: int) -> int:
            return await caller.ask("POST", "/v1/agents/ada/turns", turn(number))

        async def recall(caller: Caller, _: int) -> int:
            return await caller.ask("POST", "/v1/recall", {"agent": "ada", "query": "Which street?", "k": 5})

        await by_many(callers, CALLERS * 4, say)
        before = spent(pid)
        turns = await by_many(callers, TURNS, say)
        after_turns = spent(pid)
        await by_many(callers[:1], WARMED_BY, recall)
        after_first = spent(pid)
        await by_many(callers[:1], RECALLS, recall)
        after, held = spent(pid), resident(pid)
        streams = [await Caller.connected(port, token) for _ in range(STREAMS)]
        for stream in streams:
            await stream.ask("GET", "/v1/changes?agent=ada")
        await asyncio.sleep(1.0)
        return {
            "turns_per_second": turns,
            "turn_processor_ms": (after_turns - before) / TURNS * 1_000,
            "recall_processor_ms": (after - after_first) / RECALLS * 1_000,
            "megabytes_of_200_streams": resident(pid) - held,
        }


async def in_process(folder: Path) -> dict[str, float]:
    """The same calls without HTTP."""
    async with open_app(load_settings(data=folder)) as app:
        await app.know_agent(AGENT)

        async def work(numbers: Iterator[int]) -> None:
            for number in numbers:
                said = turn(number)
                await app.say("ada", str(said["person"]), str(said["text"]))

        async def all_said(count: int) -> None:
            numbers = iter(range(count))
            await asyncio.gather(*(work(numbers) for _ in range(CALLERS)))

        await all_said(CALLERS * 4)  # as there: what waits to be read is part of what a recall costs
        began, before = time.perf_counter(), time.process_time()
        await all_said(TURNS)
        turns = TURNS / (time.perf_counter() - began)
        spent_on_turns = (time.process_time() - before) / TURNS * 1_000
        for number in range(WARMED_BY + RECALLS):
            before = time.process_time() if number == WARMED_BY else before
            found = await app.recall(RecallQuery(Scope(app.tenant, "ada"), "Which street?", 5))
            await app.words([hit.memory for hit in found.hits])
        recalls = (time.process_time() - before) / RECALLS * 1_000
    return {"turns_per_second": turns, "turn_processor_ms": spent_on_turns, "recall_processor_ms": recalls}


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        http = asyncio.run(over_http(Path(folder) / "http"))
        own = asyncio.run(in_process(Path(folder) / "own"))
    print(json.dumps({"callers": CALLERS, "http": http, "in_process": own}, indent=2))


if __name__ == "__main__":
    main()
