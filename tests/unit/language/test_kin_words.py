"""Which relative a text has words for."""

import pytest

from agentmem.language.synonyms import kin_in


@pytest.mark.parametrize("word", ["弟媳", "舅妈", "姑妈", "孙女儿", "姐夫", "表弟", "外甥女儿", "丈母娘"])
def test_a_word_within_another_is_nobody(word: str) -> None:
    assert kin_in(f"我{word}住在苏州") == frozenset()


@pytest.mark.parametrize(
    ("word", "kin"),
    [("弟弟", "sibling"), ("大哥", "sibling"), ("老妈", "mother"), ("小女儿", "child"), ("老爸", "father")],
)
def test_a_word_is_who_it_names(word: str, kin: str) -> None:
    assert kin_in(f"我{word}住在苏州") == {kin}
