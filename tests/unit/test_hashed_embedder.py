"""Hashed n-grams: what is alike lies close, and a vector is the same in every process."""

import numpy as np
import pytest

from agentmem.adapters.embedder.hashed import HashedEmbedder
from agentmem.errors import InvalidInput


def cosine(a: str, b: str, size: int = 256) -> float:
    left, right = HashedEmbedder(size).vectors([a, b])
    return float(left @ right)


def test_a_sentence_lies_nearer_to_its_paraphrase_than_to_another_one() -> None:
    assert cosine("我想给社保系统加AI", "社保系统要加AI能力") > cosine("我想给社保系统加AI", "周末去爬山") + 0.3
    assert cosine("she loves hiking", "he went on a hike") > cosine("she loves hiking", "invoice overdue") + 0.05


def test_width_case_and_punctuation_do_not_count() -> None:
    assert cosine("ＡＩＰ，平台。", "aip 平台") == pytest.approx(1, abs=1e-6)


def test_a_vector_is_the_same_in_every_process() -> None:
    row = HashedEmbedder(16).vectors(["罗小东 likes AI"])[0]
    expected = [
        0.0000,
        0.0000,
        -0.4264,
        0.3015,
        0.0000,
        -0.3015,
        0.3015,
        0.0000,
        -0.3015,
        0.0000,
        0.4264,
        0.0000,
        0.0000,
        0.4264,
        0.3015,
        0.0000,
    ]
    assert np.allclose(row, expected, atol=1e-4)


def test_blank_texts_share_one_vector() -> None:
    rows = HashedEmbedder(32).vectors(["", "  ", "。!?"])
    assert (rows == rows[0]).all()


def test_a_lone_surrogate_is_only_a_character() -> None:
    assert np.isfinite(HashedEmbedder(32).vectors(["\ud800x", "\x00"])).all()


@pytest.mark.parametrize("size", [0, 15, 65_537])
def test_a_size_out_of_range_is_refused(size: int) -> None:
    with pytest.raises(InvalidInput, match=str(size)):
        HashedEmbedder(size)
