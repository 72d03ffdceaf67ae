"""Normal forms and names."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.characters import is_han, nfkc_with_offsets
from agentmem.domain.naming import canonical_name
from agentmem.language.normal import digits, language_of, normalise, trigram_similarity


def test_width_case_and_final_full_stop_do_not_count():
    assert normalise("ＡＩＰ 产品，真好！！") == normalise("aip产品，真好。")


def test_spaces_count_between_latin_words_only():
    assert normalise("open  source") == "open source" != normalise("opensource")
    assert normalise("买 AIP 产品") == normalise("买AIP产品")


def test_punctuation_inside_a_statement_counts():
    assert normalise("v0.6") != normalise("v06")


def test_invisible_characters_are_dropped():
    assert normalise("电\u200b话\u2060\ufeff：139\u202e\U000e0041") == normalise("电话:139")


def test_letter_and_combining_accent_are_the_letter():
    assert normalise("cafe\u0301") == normalise("café")


@pytest.mark.parametrize(
    ("left", "right"),
    [("ＡＩＰ", "AIP"), ("《产品手册》", "产品手册"), (" OpenAI ", "openai"), ("Acme Inc.", "Acme Inc")],
)
def test_spellings_of_one_name_are_equal(left: str, right: str):
    assert canonical_name(left) == canonical_name(right)


@pytest.mark.parametrize(
    ("left", "right"), [("OpenAI平台", "OpenAI公司"), ("v0.6", "v0.7"), ("C++", "C"), (".NET", "NET"), ("王芳", "王方")]
)
def test_different_names_stay_different(left: str, right: str):
    assert canonical_name(left) != canonical_name(right)


def test_a_name_of_marks_alone_is_not_empty():
    assert canonical_name("!!!") == "!!!"


def test_trigram_similarity_measures_shared_characters():
    assert trigram_similarity("我每天跑五公里", "我每天跑五公里。") == 1.0
    assert trigram_similarity("我每天跑五公里", "今天天气很好啊") == 0.0
    assert 0.5 < trigram_similarity("I run five miles every day", "I run five miles each day") < 1.0


def test_digits_are_ascii_runs_in_order():
    assert digits("电话１３９-0013，v0.7") == ("139", "0013", "0", "7")
    assert digits("٣ items") == ("3",)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我用 Python FastAPI Redis Postgres", "zh"),
        ("My colleague 罗小东 likes it a lot", "en"),
        ("你好", "zh"),
        ("hello", "en"),
        ("13900139000", "en"),
    ],
)
def test_language_is_that_of_the_frame(text: str, language: str):
    assert language_of(text) == language


def test_rare_han_characters_are_han():
    assert all(is_han(ch) for ch in "龘〇\U00020000")
    assert not any(is_han(ch) for ch in "a，あ1")


@given(st.text())
def test_normal_forms_are_stable(text: str):
    assert normalise(normalise(text)) == normalise(text)
    assert canonical_name(canonical_name(text)) == canonical_name(text)


@given(st.text(), st.text())
def test_similarity_is_symmetric_and_bounded(a: str, b: str):
    assert 0.0 <= trigram_similarity(a, b) == trigram_similarity(b, a) <= 1.0


@given(st.text())
def test_every_normal_character_leads_back_to_its_source(text: str):
    plain, offsets = nfkc_with_offsets(text)
    assert len(plain) == len(offsets)
    assert offsets == sorted(offsets)
    assert all(ch in unicodedata.normalize("NFKC", text[offset]) for ch, offset in zip(plain, offsets, strict=True))
