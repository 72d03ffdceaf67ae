"""JSON that would take far more memory than its bytes, told before it is parsed."""

from agentmem.errors import InvalidInput

MAX_CONTAINERS = 500_000
MAX_VALUES = 2_000_000
"""Measured: 15 MB of `[[],[],…]` took 442 MB; text written by people has a comma in fifty characters."""


def check_bulk(content: bytes) -> None:
    """Raises `InvalidInput` for more lists, objects or values than a file that is read has. What stands in texts is
    counted as well."""
    if content.count(b"[") + content.count(b"{") > MAX_CONTAINERS:
        raise InvalidInput(f"holds more than {MAX_CONTAINERS:,} lists and objects")
    if content.count(b",") > MAX_VALUES:
        raise InvalidInput(f"holds more than {MAX_VALUES:,} values")
