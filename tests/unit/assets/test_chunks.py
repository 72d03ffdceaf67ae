"""Documents in pieces."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.assets.pieces import CHUNK_CHARACTERS, chunks

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


def _paragraphs(count: int) -> list[str]:
    return [f"第{number}段讲{number * 7919 % 1000}号零件的用法。" * (2 + number % 5) for number in range(count)]


def _digests(paragraphs: list[str]) -> set[str]:
    return {chunk.digest for chunk in chunks("\n\n".join(paragraphs), "text/plain")}


@pytest.mark.parametrize("at", [0, 57, 150, 299])
def test_an_edit_changes_the_piece_it_is_in_and_hardly_another(at: int) -> None:
    before = _paragraphs(300)
    longer = [*before[:at], before[at] + "这里改了。" * 20, *before[at + 1 :]]
    inserted = [*before[:at], "这一段是新的。" * 10, *before[at:]]
    missing = [*before[:at], *before[at + 1 :]]

    assert len(_digests(before)) > 50
    for after in (longer, inserted, missing):
        assert len(_digests(before) - _digests(after)) <= 3


def test_no_piece_reaches_over_a_line_of_dashes_by_itself() -> None:
    text = "one\n\n---\n\ntwo\n\nSetext\n---\n\n```\na\n\n---\n\nb\n```\n"

    assert [chunk.text for chunk in chunks(text, "text/markdown")] == ["one", text[text.index("two") :].strip()]
    assert len(chunks(text, "text/plain")) == 1


@pytest.mark.timeout(20)
def test_monotonous_and_sorted_texts_are_cut_in_good_time() -> None:
    assert len(chunks("a。\n\n" * 20_000, "text/plain")) > 100
    by_order = sorted((f"{n:05d} x" for n in range(20_000)), key=lambda text: hashlib.sha256(text.encode()).digest())
    assert len(chunks("\n\n".join(by_order), "text/plain")) > 100
