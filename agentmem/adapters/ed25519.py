"""Ed25519 through the library `cryptography`, an extra."""

from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from agentmem.errors import InvalidInput
from agentmem.private_files import open_named

_LARGEST = 16_384
# What is signed here can be taken for nothing else that is signed with the same key.
_PURPOSE = b"agentmem bundle manifest 1\n"


class Ed25519Signing:
    """The `Signing` port."""

    def sign(self, key: Path, content: bytes) -> tuple[str, str]:
        """See `Signing`."""
        try:
            private = load_pem_private_key(_pem(key), password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise InvalidInput(f"{key}: is no private key in PEM form without a password") from error
        if not isinstance(private, Ed25519PrivateKey):
            raise InvalidInput(f"{key}: is no Ed25519 key; `openssl genpkey -algorithm ed25519` makes one")
        return private.public_key().public_bytes_raw().hex(), private.sign(_PURPOSE + content).hex()

    def public_key(self, key: Path) -> str:
        """See `Signing`."""
        try:
            public = load_pem_public_key(_pem(key))
        except (ValueError, UnsupportedAlgorithm) as error:
            raise InvalidInput(f"{key}: is no public key in PEM form") from error
        if not isinstance(public, Ed25519PublicKey):
            raise InvalidInput(f"{key}: is no Ed25519 key")
        return public.public_bytes_raw().hex()

    def verify(self, public_key: str, signature: str, content: bytes) -> bool:
        """See `Signing`."""
        try:
            public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
            public.verify(bytes.fromhex(signature), _PURPOSE + content)
        except (InvalidSignature, ValueError):
            return False
        return True


def _pem(key: Path) -> bytes:
    try:
        with open_named(key) as file:
            return file.read(_LARGEST)
    except OSError as error:
        raise InvalidInput(f"{key}: cannot be read: {error.strerror or error}") from error
