"""Bytes become text where it is sure which text they are, and are refused where it is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.assets.decoding import decoded
from agentmem.errors import InvalidInput

TEXT = "智能体平台,每席每月99元。\nBilled per seat."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "gb18030", "gbk"])
def test_text_in_usual_encodings_is_read(encoding: str) -> None:
    assert decoded(TEXT.encode(encoding)) == TEXT


def test_big_endian_text_is_told_by_its_mark() -> None:
    assert decoded(b"\xfe\xff" + TEXT.encode("utf-16-be")) == TEXT


def test_ends_of_lines_are_one_kind() -> None:
    assert decoded(b"a\r\nb\rc\n") == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        ("café au lait, déjà vu".encode("latin-1"), "neither UTF-8"),
        ("naïvely".encode("latin-1"), "neither UTF-8"),
        ("こんにちは、世界".encode("euc-jp")[:-1], "neither UTF-8"),
        (TEXT.encode("utf-16-le"), "binary"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff", "binary"),
        (b"plain\0text", "binary"),
        (b"\xff\xfea", "begins as utf-16-le and is not"),
    ],
)
def test_what_may_be_something_else_is_refused(raw: bytes, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        decoded(raw)


@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_refused(raw: bytes) -> None:
    try:
        said = decoded(raw)
    except InvalidInput as error:
        said = str(error).replace("\n", "\0")
    assert "\0" not in said
