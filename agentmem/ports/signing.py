"""Signing files that leave, and checking those that come, as a port."""

from pathlib import Path
from typing import Protocol


class Signing(Protocol):
    """Ed25519. Keys are files in PEM form; a public key is named by its 32 bytes in hex, a signature by its 64."""

    def sign(self, key: Path, content: bytes) -> tuple[str, str]:
        """The public key that belongs to the private key in the file, and the signature of the content. Raises
        `InvalidInput` where the file holds no such key."""
        ...

    def public_key(self, key: Path) -> str:
        """The public key in the file. Raises `InvalidInput`."""
        ...

    def verify(self, public_key: str, signature: str, content: bytes) -> bool:
        """Whether the signature of this content was made with that key."""
        ...
