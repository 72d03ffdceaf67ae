"""Vectors that were kept in half precision, so that writing them again changes no bit.

Edge brings a vector to length 1, then rounds its numbers. What it gives back is the rounded one, whose length is off
by up to 2e-4: brought to length 1 again, some of its numbers would be rounded to their neighbours.
"""

import numpy as np
from numpy.typing import NDArray

from agentmem.ports.embedder import Matrix

_INSIDE = 0.49
"""How far a number may move towards its neighbour, in steps between the two, and still be rounded to what it was."""


def rewritable(rows: Matrix) -> Matrix:
    """Rows of length 1 that round to these: each number moved by the same share of the way to where it would round
    otherwise. Rows of zeros stay."""
    rounded = np.abs(rows).astype(np.float16)
    exact = rounded.astype(np.float64)
    missing = 1.0 - np.sum(exact * exact, axis=1, keepdims=True)
    room = np.where(missing > 0, _room(rounded, np.inf), -_room(rounded, 0.0))
    # |exact + share * room| = 1, solved for the share that is the smaller of the two.
    square, cross = np.sum(room * room, axis=1, keepdims=True), np.sum(exact * room, axis=1, keepdims=True)
    root = np.sqrt(np.maximum(cross * cross + square * missing, 0.0))
    steepness: NDArray[np.float64] = cross + np.copysign(root, cross)
    share = np.divide(missing, steepness, out=np.zeros_like(missing), where=cross != 0)
    return np.copysign(exact + np.clip(share, 0.0, 1.0) * room, rows).astype(np.float32)


def _room(rounded: NDArray[np.float16], towards: float) -> NDArray[np.float64]:
    """How far each number may move in that direction; zeros stay."""
    step = np.nextafter(rounded, np.float16(towards)).astype(np.float64) - rounded.astype(np.float64)
    return np.where(rounded == 0, 0.0, np.abs(step) * _INSIDE)
