"""Who did what: one line of JSON a request, in `audit.jsonl` of the data directory, and never a word of what was said;
and what is counted, for Prometheus, with nobody's words, names or ids in it.

A file that has grown beyond `MAX_BYTES` is kept as `audit.1.jsonl`, in the place of the one before.
"""

import asyncio
import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import Scope

from agentmem.errors import without_content
from agentmem.ports.work_queue import Depth
from agentmem.private_files import make_folder, open_private
from agentmem.runtime.host.clocks import Clock

log = structlog.get_logger()

NAME, EARLIER = "audit.jsonl", "audit.1.jsonl"
MAX_BYTES: Final = 64 << 20
_METHODS: Final = frozenset({"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"})
_WHOLE: Final = frozenset({"/mcp"})
"""Paths of programs of others, which do not say which route they took."""

_QUIET: Final = frozenset({"/healthz", "/readyz", "/metrics"})


@dataclass(slots=True)
class Audit:
    """Writes to the file; a disk that is full costs a line, not the request."""

    folder: Path
    clock: Clock
    _file: int | None = None
    _size: int = 0
    _waiting: list[bytes] = field(default_factory=list[bytes])

    @contextmanager
    def opened(self) -> Generator[None]:
        """The file, open while the body runs."""
        self._open()
        try:
            yield
        finally:
            self._write()
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def note(self, scope: Scope, number: str, caller: str | None, status: int, seconds: float) -> None:
        """Write down a request: when, which, whose, what kind, on what, and how it ended."""
        if self._file is None or scope["path"] in _QUIET:
            return
        line = {
            "at": self._now().isoformat(timespec="milliseconds"),
            "request": number,
            "caller": caller,
            "method": method_of(scope),
            "route": route_of(scope),
            "of": {name: str(value)[:200] for name, value in scope.get("path_params", {}).items()},
            "status": status,
            "ms": round(seconds * 1_000, 1),
        }
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._write)
        self._waiting.append(json.dumps(line).encode() + b"\n")

    def _write(self) -> None:
        """Write the lines of all requests that were answered in this turn of the loop."""
        lines, self._waiting = b"".join(self._waiting), []
        if self._file is None or not lines:
            return
        try:
            self._size += os.write(self._file, lines)
            if self._size > MAX_BYTES:
                self._turn()
        except OSError as error:
            log.warning("audit_not_written", reason=without_content(error))

    def _now(self) -> datetime:
        return self.clock.now()

    def _open(self) -> None:
        make_folder(self.folder)  # where journal and index are servers, nothing else has made it
        self._file = open_private(self.folder / NAME, os.O_CREAT | os.O_APPEND | os.O_WRONLY)
        self._size = os.fstat(self._file).st_size

    def _turn(self) -> None:
        (self.folder / NAME).replace(self.folder / EARLIER)
        if self._file is not None:
            os.close(self._file)
        self._open()


def method_of(scope: Scope) -> str:
    """The method as HTTP defines it; `_OTHER` for a word that somebody made up."""
    return scope["method"] if scope["method"] in _METHODS else "_OTHER"


def route_of(scope: Scope) -> str:
    """The kind of request, without what it names; `?` for one that there is not."""
    otherwise = scope["path"] if scope["path"] in _WHOLE else "?"
    return str(getattr(scope.get("route"), "path", otherwise))


_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)


@dataclass(slots=True)
class Metrics:
    """A registry of its own, so that several servers of one process do not meet."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    _requests: Counter = field(init=False)
    _seconds: Histogram = field(init=False)
    _jobs: Gauge = field(init=False)
    _lag: Gauge = field(init=False)
    _found: dict[tuple[str, str, int], tuple[Counter, Histogram]] = field(
        default_factory=dict[tuple[str, str, int], tuple[Counter, Histogram]]
    )

    def __post_init__(self) -> None:
        labels = ("method", "route", "status")
        self._requests = Counter("agentmem_requests", "Requests answered", labels, registry=self.registry)
        self._seconds = Histogram(
            "agentmem_request_seconds", "Seconds a request took", ("route",), buckets=_SECONDS, registry=self.registry
        )
        self._jobs = Gauge("agentmem_jobs", "Jobs by what they wait for", ("state",), registry=self.registry)
        self._lag = Gauge("agentmem_index_lag", "Changes that are not in the index yet", registry=self.registry)

    def answered(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a request."""
        route = route_of(scope)
        kind = method_of(scope) if route != "?" else "?", route, status
        if kind not in self._found:
            method, route, status = kind
            self._found[kind] = self._requests.labels(method, route, str(status)), self._seconds.labels(route)
        requests, times = self._found[kind]
        requests.inc()
        times.observe(seconds)

    def page(self, depth: Depth, lag: int) -> bytes:
        """All of it, in the text format."""
        for state in ("ready", "delayed", "leased", "dead"):
            self._jobs.labels(state).set(getattr(depth, state))
        self._lag.set(lag)
        return generate_latest(self.registry)
