"""Every error agentmem raises, split by what the caller can do about it.

AgentMemError
├── InvalidInput            fix the input
├── NotFound                ask for something else; also said of what is forbidden
├── Conflict                read again and retry: somebody else changed it first
│   └── LeaseLost           stop: another worker owns this lane now
├── BadAnswer               the model's answer failed its checks; nothing was changed
└── BackendUnavailable      retry later
    ├── Busy                the queue is full; `retry_after` seconds
    ├── HeldElsewhere       another process holds the store
    └── EmbedderChanged     the index was built with another embedder
"""


class AgentMemError(Exception):
    """Base of every error raised on purpose by agentmem."""


class InvalidInput(AgentMemError):
    """The input is wrong. The message is one line: file, line, key, what is wrong, what is allowed."""


class NotFound(AgentMemError):
    """There is no such thing in the caller's scope."""


class Conflict(AgentMemError):
    """Something else changed the same memory first; nothing was written."""


class LeaseLost(Conflict):
    """The lane was taken over by another worker; nothing was written."""


class BadAnswer(AgentMemError):
    """A model answered, and the answer failed the checks. Nothing was changed."""


class BackendUnavailable(AgentMemError):
    """A store or a service does not answer. `retry_after` is in seconds, or None where unknown."""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Busy(BackendUnavailable):
    """The queue is at its limit; nothing was accepted. Try again after `retry_after` seconds."""


class HeldElsewhere(BackendUnavailable):
    """Another process holds this store."""


class IndexBroken(BackendUnavailable):
    """The index on disk cannot be opened; nothing is lost, it can be rebuilt from the journal."""


class EmbedderChanged(BackendUnavailable):
    """The vectors in the index were made by another embedder than the one configured."""
