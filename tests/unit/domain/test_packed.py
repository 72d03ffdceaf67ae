"""What a store keeps of a text: less, the same again, and found by a search of bytes."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.domain.packed import SIGN, kept, packed, readable_in, unpacked
from tests.support.nodes import a_memory

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=2_000)
WRITTEN_ONCE = "f8617a31c399542b946a01"
"""`packed('{"memoryId":"","tenant":"x"}')`, as it stands in stores."""


@given(TEXTS)
def test_what_is_kept_reads_the_same_again(text: str) -> None:
    assert unpacked(kept(text)) == unpacked(packed(text)) == unpacked(text) == text
    assert kept(text) == kept(text)


@given(TEXTS, st.binary(max_size=100), st.binary(max_size=100))
def test_a_search_of_bytes_reads_what_is_packed(text: str, before: bytes, behind: bytes) -> None:
    assert any(said.startswith(text.encode()) for said in readable_in(before + packed(text) + behind))


def test_text_of_older_stores_reads_as_it_is() -> None:
    assert unpacked("早上好".encode()) == unpacked("早上好") == "早上好"


def test_a_memory_takes_less_than_half() -> None:
    body = a_memory("罗小东想给社保系统加自动能力", key=("社保系统", "罗小东")).model_dump_json()
    assert len(kept(body)) < len(body.encode()) / 2


def test_what_is_long_even_when_packed_is_kept_as_it_is() -> None:
    dice = random.Random(1)
    text = "".join(chr(dice.randrange(0x4E00, 0x9FFF)) for _ in range(9_000))
    assert kept(text) == text.encode()


@pytest.mark.parametrize("raw", [SIGN, SIGN + b"\x00", packed("a")[:-1], packed("a") + b"x", b"\xff\xfe"])
def test_what_is_damaged_is_no_text(raw: bytes) -> None:
    with pytest.raises(ValueError):
        unpacked(raw)


def test_what_was_packed_once_is_read_for_ever() -> None:
    assert unpacked(bytes.fromhex(WRITTEN_ONCE)) == '{"memoryId":"","tenant":"x"}'
