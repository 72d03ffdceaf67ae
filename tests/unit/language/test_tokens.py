"""Search terms and sparse vectors."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.language.tokens import query_sparse, sparse, tokens


def test_english_words_are_stemmed_and_stop_words_go():
    assert tokens("The dogs were running to John's houses") == ["dog", "run", "john", "hous"]


def test_chinese_words_come_from_the_dictionary():
    assert tokens("我下周要参加产品发布会") == ["下周", "要", "参加", "产品", "发布会", "发布", "布会"]


def test_part_of_a_name_finds_the_name():
    assert set(tokens("小东")) & set(tokens("罗小东"))


@pytest.mark.parametrize("code", ["b2b-7x", "0.6", "v0.7", "12345678901", "a@b.cn", "gpt-4o", "2024-12-26", "15:00"])
def test_numbers_and_codes_stay_whole(code: str):
    assert tokens(code.upper()) == [code]
    assert code in tokens(f"请看{code}的价格")


@pytest.mark.parametrize("spelling", ["139 0013 9000", "139-0013-9000", "139００139000"])
def test_telephone_number_is_found_however_it_is_spaced(spelling: str):
    assert "13900139000" in tokens(f"电话{spelling}。")


def test_thousands_separator_does_not_count():
    assert tokens("$3,000") == ["3000"]


def test_query_of_stop_words_keeps_them():
    assert tokens("你是谁") == ["你", "是", "谁"]
    assert tokens("who is it") != []


def test_stored_and_asked_terms_meet():
    stored, asked = set(sparse("罗小东的电话是12345678901")[0]), set(query_sparse("怎么联系小东，电话多少")[0])
    assert len(stored & asked) >= 2


def test_the_characters_of_what_only_asks_are_not_searched_for() -> None:
    assert query_sparse("什么车") == query_sparse("车")
    assert set(query_sparse("哪里租车")[0]) == set(query_sparse("租车")[0])


def test_repeated_term_weighs_more_but_less_than_double():
    (once,) = sparse("apple")[1]
    (twice,) = sparse("apple apples")[1]
    assert once < twice < 2 * once


def test_longer_text_weighs_each_term_less():
    assert sparse("apple pear plum cherry")[1][0] < sparse("apple")[1][0]


def test_ids_do_not_change_between_processes():
    assert query_sparse("apple") == ((2635363247,), (1.0,))


@given(st.text())
def test_vectors_are_well_formed(text: str):
    ids, weights = sparse(text)
    assert list(ids) == sorted(set(ids))
    assert all(0 <= i < 2**32 for i in ids)
    assert len(ids) == len(weights)
    assert all(0 < w < 2.2 and math.isfinite(w) for w in weights)
    assert query_sparse(text)[0] == ids


@pytest.mark.parametrize(
    ("form", "base"),
    [("went", "go"), ("children", "child"), ("bought", "buying"), ("knives", "knife"), ("spoken", "speaks")],
)
def test_irregular_forms_meet_their_base(form: str, base: str):
    assert tokens(form) == tokens(base)


def test_a_character_in_its_older_code_is_searched_with() -> None:
    assert query_sparse("\uf900")[0] == query_sparse("\u8c48")[0] != ()
