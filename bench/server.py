"""How fast `agentmem serve` takes turns in, and what HTTP adds to a recall: `make bench-server`.

A server is started with a store of its own; callers keep their connections, as programs do. Beside it the same calls
are made in this process, so that the ratio says what HTTP costs on this machine.
"""

import asyncio
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median

from agentmem import Persona, RecallQuery, Scope, load_settings, open_app

CALLERS, TURNS, RECALLS, STREAMS = 64, 4_000, 300, 200
AGENT = Persona(id="ada", name="Ada", language="en")
HOST = "127.0.0.1"


def turn(number: int) -> dict[str, object]:
    """What somebody says."""
    return {"person": f"Person {number % 500}", "text": f"I moved to street number {number}."}


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


def resident(pid: int) -> float:
    """Megabytes of memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


async def over_http(folder: Path) -> dict[str, float]:
    """The figures of a server."""
    command = [sys.executable, "-m", "agentmem", "serve", "--port", "0", "--no-workers", "--data", str(folder)]
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    port, token = 0, ""
    while not token:
        line = (await process.stderr.readline()).decode()
        port = int(line.rsplit(":", 1)[1]) if line.startswith("listening on") else port
        token = line.split()[-1] if line.startswith("the owner's token") else ""
    first = await Caller.connected(port, token)
    await first.ask("PUT", "/v1/agents/ada", AGENT.model_dump(mode="json"))
    callers = [await Caller.connected(port, token) for _ in range(CALLERS)]
    await by_many(callers, CALLERS * 4, lambda caller, number: caller.ask("POST", "/v1/agents/ada/turns", turn(number)))
    turns = await by_many(
        callers, TURNS, lambda caller, number: caller.ask("POST", "/v1/agents/ada/turns", turn(number))
    )
    first, before = await Caller.connected(port, token), spent(process.pid)
    asked = {"agent": "ada", "query": "Which street?", "k": 5}
    await by_many([first], RECALLS, lambda caller, _: caller.ask("POST", "/v1/recall", asked))
    recall = (spent(process.pid) - before) / RECALLS * 1_000
    held = resident(process.pid)
    streams = [await Caller.connected(port, token) for _ in range(STREAMS)]
    for stream in streams:
        await stream.ask("GET", "/v1/changes?agent=ada")
    await asyncio.sleep(1.0)
    more = resident(process.pid) - held
    process.send_signal(signal.SIGTERM)
    await process.wait()
    return {"turns_per_second": turns, "recall_processor_ms": recall, "megabytes_of_200_streams": more}


async def in_process(folder: Path) -> dict[str, float]:
    """The same calls without HTTP."""
    async with open_app(load_settings(data=folder)) as app:
        await app.know_agent(AGENT)
        numbers = iter(range(TURNS))

        async def work() -> None:
            for number in numbers:
                said = turn(number)
                await app.say("ada", str(said["person"]), str(said["text"]))

        began = time.perf_counter()
        await asyncio.gather(*(work() for _ in range(CALLERS)))
        turns = TURNS / (time.perf_counter() - began)
        took: list[float] = []
        for _ in range(RECALLS):
            before = time.process_time()
            found = await app.recall(RecallQuery(Scope(app.tenant, "ada"), "Which street?", 5))
            await app.words([hit.memory for hit in found.hits])
            took.append((time.process_time() - before) * 1_000)
    return {"turns_per_second": turns, "recall_processor_ms": median(took)}


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        http = asyncio.run(over_http(Path(folder) / "http"))
        own = asyncio.run(in_process(Path(folder) / "own"))
    print(json.dumps({"callers": CALLERS, "http": http, "in_process": own}, indent=2))


if __name__ == "__main__":
    main()
