"""A vector that was kept in half precision comes out the same when it is brought to length 1 and kept again."""

import numpy as np
import pytest

from agentmem.adapters.memory_index.half import rewritable
from agentmem.ports.embedder import Matrix


def kept(rows: Matrix) -> Matrix:
    """As Edge keeps them: brought to length 1, then rounded."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(length == 0, 1, length)).astype(np.float16).astype(np.float32)


@pytest.mark.parametrize("filled", [1, 2, 3, 7, 31, 100, 256])
def test_written_again_it_is_the_same(filled: int) -> None:
    dice = np.random.default_rng(filled)
    rows = np.zeros((400, 256), dtype=np.float32)
    for row in rows:
        row[dice.choice(256, filled, replace=False)] = dice.choice((-1, 1), filled) * np.sqrt(
            dice.integers(1, 9, filled)
        )
    first = kept(rows)
    assert (kept(rewritable(first)) == first).all()
    assert np.abs(np.linalg.norm(rewritable(first), axis=1) - 1).max() < 1e-6
    assert (kept(rewritable(kept(rewritable(first)))) == first).all()


def test_nothing_stays_nothing() -> None:
    assert not rewritable(np.zeros((2, 8), dtype=np.float32)).any()
    assert rewritable(np.zeros((0, 8), dtype=np.float32)).shape == (0, 8)
