"""What a memory server that runs here answers to whoever is not its owner: one line of JSON.

    python -m bench.peers.servers http://127.0.0.1:8000 --read "GET /entity-edge/UUID" --large /search [--token TOKEN]
        [--header "Name: value"] [--body '{"group_ids": ["ann"]}'] [--pid PID]

`--read` asks for something of somebody else's: without a token, with `--token`, and for another host. `--large` is sent
a body of 100 MB, whole and then in pieces; of the process `--pid` it says how much memory it held at most. `--body` is
what both bodies hold beside that.
"""

import argparse
import json
import socket
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

MEGABYTES: Final = 100
PATIENCE: Final = 120.0
SHOWN: Final = 160
FOREIGN: Final = "evil.example"


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask, and print."""
    options = _parsed(arguments)
    method, path = options.read.split(" ", 1)
    body = json.loads(options.body)
    shown = [*options.header, *([f"Authorization: Bearer {options.token}"] if options.token else [])]
    read = [json.dumps(body).encode()] if method == "POST" else []
    before = _peak(options.pid) if options.pid else 0

    def ask(host: str, headers: Sequence[str]) -> dict[str, object]:
        return _asked(options.url, method, path, [f"Host: {host}", *headers], read, len(read[0]) if read else 0)

    own = str(urlsplit(str(options.url)).netloc)
    told: dict[str, object] = {"no token": ask(own, options.header), "another host": ask(FOREIGN, shown)}
    if options.token:
        told["another's token"] = ask(own, shown)
    for name, size in (("100 MB", _size(body)), ("100 MB in pieces", None)):
        told[name] = _asked(options.url, "POST", options.large, [f"Host: {own}", *shown], _large(body), size)
    if options.pid:
        told["megabytes at most"] = {"before": before, "after": _peak(options.pid)}
    print(json.dumps(told, ensure_ascii=False))


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("bench.peers.servers", formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.description = __doc__
    parser.add_argument("url", help="as http://127.0.0.1:8000; a machine of your own")
    parser.add_argument("--read", required=True, metavar="'METHOD PATH'")
    parser.add_argument("--large", required=True, metavar="PATH")
    parser.add_argument("--token", default="")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("--body", default="{}", metavar="JSON")
    parser.add_argument("--pid", type=int, default=0)
    return parser.parse_args(arguments)


def _large(body: object) -> Iterator[bytes]:
    """The body with 100 MB of a question in it."""
    yield json.dumps(body).encode()[:-1] + (b", " if body else b"") + b'"query": "'
    for _ in range(MEGABYTES):
        yield b"x" * 1_000_000
    yield b'"}'


def _size(body: object) -> int:
    return sum(map(len, _large(body)))


def _asked(
    url: str, method: str, path: str, headers: Sequence[str], parts: Iterable[bytes], size: int | None
) -> dict[str, object]:
    """The status of the answer, how it begins, and how much of the body was sent before it came; without a size the
    body goes in pieces."""
    address = urlsplit(url)
    length = "Transfer-Encoding: chunked" if size is None else f"Content-Length: {size}"
    head = [f"{method} {path} HTTP/1.1", *headers, "Content-Type: application/json", "Connection: close", length]
    began, sent = time.perf_counter(), 0
    with socket.create_connection((address.hostname, address.port or 80), PATIENCE) as line:
        try:
            line.sendall("\r\n".join([*head, "", ""]).encode())
            for part in parts:
                line.sendall(b"%x\r\n%b\r\n" % (len(part), part) if size is None else part)
                sent += len(part)
            line.sendall(b"0\r\n\r\n" if size is None else b"")
        except OSError:
            pass  # answered before all was sent
        answer = _answer(line)
    words = answer.partition(b"\r\n\r\n")[2].decode(errors="replace")[:SHOWN]
    status = int(answer.split()[1]) if answer else None
    return {"status": status, "says": words, "sent": sent, "seconds": round(time.perf_counter() - began, 1)}


def _answer(line: socket.socket) -> bytes:
    answer = b""
    try:
        while part := line.recv(65_536):
            answer += part
    except OSError:
        pass  # ended without a farewell, or nothing came for too long
    return answer


def _peak(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) // 1_000


if __name__ == "__main__":
    main()
