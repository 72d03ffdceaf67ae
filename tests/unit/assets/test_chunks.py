"""Documents in pieces."""

from hypothesis import given
from hypothesis import strategies as st

from agentmem.assets.chunks import CHUNK_CHARACTERS, chunks

GUIDE = """# AIP

AIP是智能体平台。

## 价格

按席位计费。每席每月99元。

```
# not a heading
```

# FAQ

Yes.
"""


def test_pieces_know_the_headings_above_them() -> None:
    found = chunks(GUIDE, "text/markdown")
    assert [chunk.path for chunk in found] == [("AIP",), ("AIP", "价格"), ("FAQ",)]
    assert "# not a heading" in found[1].text


def test_a_hash_in_plain_text_is_no_heading() -> None:
    assert [chunk.path for chunk in chunks("# 1 in sales", "text/plain")] == [()]


def test_a_piece_leads_back_to_its_place() -> None:
    for chunk in chunks(GUIDE, "text/markdown"):
        assert GUIDE[chunk.start : chunk.start + len(chunk.text)] == chunk.text


def test_long_text_is_cut_between_sentences() -> None:
    text = "这是一个完整的句子。" * 200
    found = chunks(text, "text/plain")
    assert len(found) > 1
    assert all(len(chunk.text) <= CHUNK_CHARACTERS and chunk.text.endswith("。") for chunk in found)
    assert "".join(chunk.text for chunk in found) == text


def test_the_same_words_under_the_same_heading_have_the_same_digest() -> None:
    before = {chunk.digest for chunk in chunks(GUIDE, "text/markdown")}
    after = {chunk.digest for chunk in chunks(GUIDE.replace("Yes.", "No."), "text/markdown")}
    assert len(before & after) == 2


def test_a_blank_document_has_no_pieces() -> None:
    assert chunks(" \n\n ", "text/markdown") == []


@given(st.text(max_size=3_000))
def test_no_text_breaks_it_and_no_word_is_lost(text: str) -> None:
    joined = "".join(chunk.text for chunk in chunks(text, "text/plain"))
    assert "".join(joined.split()) == "".join(text.split())
