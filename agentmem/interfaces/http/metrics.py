"""What is counted, for Prometheus; and nobody's words, names or ids in it."""

from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import Scope

from agentmem.interfaces.http.audit import method_of, route_of
from agentmem.ports.work_queue import Depth

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
