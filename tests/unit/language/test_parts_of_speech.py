"""Whether a Chinese clause names who or what it speaks of."""

import pytest

from agentmem.language.clauses import opens_with_verb


@pytest.mark.parametrize("clause", ["28号搬", "给儿子找个英语家教", "每周三要一份有机菜", "现在六十一家了"])
def test_a_clause_that_opens_with_a_verb_leaves_out_the_one_who_speaks(clause: str) -> None:
    assert opens_with_verb(clause)


@pytest.mark.parametrize("clause", ["基金跌了八个点", "医保检查推到十月了", "老爷子腰扭了", "七点四十", ""])
def test_a_clause_that_opens_with_a_noun_names_what_it_speaks_of(clause: str) -> None:
    assert not opens_with_verb(clause)
