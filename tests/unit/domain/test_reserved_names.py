"""What agentmem keeps with turns and memories under names of its own, nobody else sets."""

import pytest

from agentmem.agents.copying.generality import PEOPLE
from agentmem.domain.entity import APART, MENTIONS, TOLD_IN, Mention, mentions_of, with_mentions
from agentmem.domain.episode import OF_THE_TURN
from agentmem.domain.event import NOTE, USER_ID
from agentmem.domain.lineage import LINEAGE
from agentmem.domain.value import ASKED_WITH, RESERVED, JsonValue
from agentmem.errors import InvalidInput
from agentmem.graph.identity.entities import COUNT, COUNTED, KINDS, MERGED_BY, SPOKE, TALKED_TO, TOLD_BY
from agentmem.interfaces.python.messages import OUR_OWN, checked_metadata
from agentmem.memory.forget_plan import HISTORY
from agentmem.memory.relation import JUDGED
from agentmem.runtime.facade.speech import Utterance
from tests.support.nodes import a_memory

OF_TURNS = {*OF_THE_TURN, USER_ID, NOTE}
OF_MEMORIES = {MENTIONS, TOLD_IN, JUDGED, HISTORY, LINEAGE, PEOPLE, ASKED_WITH}
OF_ENTITIES = {APART, COUNT, COUNTED, KINDS, MERGED_BY, SPOKE, TALKED_TO, TOLD_BY}


def test_every_name_that_is_read_as_our_own_is_reserved() -> None:
    assert OF_TURNS | OF_MEMORIES | OF_ENTITIES <= RESERVED


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_a_reserved_name_is_refused_at_every_door(name: str) -> None:
    given: dict[str, JsonValue] = {"page": 1, name: []}
    with pytest.raises(InvalidInput, match=rf"^metadata\.{name}: is set by agentmem and cannot be given$"):
        checked_metadata(given)
    with pytest.raises(InvalidInput, match=rf"^meta\.{name}: is set by agentmem and cannot be given$"):
        Utterance("hi", meta=given)


@pytest.mark.parametrize("name", OUR_OWN)
def test_what_is_kept_with_messages_is_refused_as_their_metadata(name: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^metadata\.{name}: is set by agentmem and cannot be given$"):
        checked_metadata({name: "x"})


@pytest.mark.parametrize(
    "junk",
    ["Tom Smith", None, 7, [], {}, {"name": 1, "kind": "person"}, {"name": "Tom", "kind": "ghost"}, {"name": ""}],
)
def test_what_is_no_mention_is_passed_over(junk: JsonValue) -> None:
    ann = Mention(name="Ann", kind="person")
    held = with_mentions((ann,))[MENTIONS]
    assert isinstance(held, list)
    assert mentions_of(a_memory("x", meta_data={MENTIONS: [junk, *held, junk]})) == [ann]
    assert mentions_of(a_memory("x", meta_data={MENTIONS: junk})) == []
