"""What a long run tells while it runs."""

import sys


def say(text: str, *, end: str = "\n") -> None:
    """Print at once."""
    sys.stdout.write(text + end)
    sys.stdout.flush()
