"""A copy takes over what its original was searched by only where both are made from the same."""

from agentmem.ledger.projection import made_from
from tests.support.nodes import a_memory


def test_other_words_to_be_asked_with_make_another_number() -> None:
    bare = a_memory("letters go to Mill Lane", key=("Mill Lane",))
    asked = bare.revised(meta_data={"askedWith": ["post"]})
    as_key = bare.revised(key=("Mill Lane", "post"))
    assert len({made_from(each) for each in (bare, asked, as_key)}) == 3
    assert made_from(asked) == made_from(asked.revised(memory_id=a_memory("x").memory_id))
