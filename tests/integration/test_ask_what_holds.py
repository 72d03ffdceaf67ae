"""What is over, was forgotten or is only guessed is no answer: not even where the turn it was made of still says it."""

from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from agentmem import AsyncMemory
from agentmem.answers.answer import AskQuery
from agentmem.domain.change import Change
from agentmem.domain.episode import BLOT
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.memory import MemoryType, Modality
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Commit
from agentmem.questions.form import AnswerMode
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import NOON, a_memory
from tests.support.spine import quick_settings


def a_house(folder: Path) -> AsyncMemory:
    return AsyncMemory(quick_settings(folder), clock=ManualClock(NOON))


CHANGED = [
    ("Nils", ("I ride a Vespa.", "I sold the Vespa and bought an old Honda Monkey."), "What does Nils ride?"),
    ("Ilse", ("I live in Trento.", "I moved to Bolzano last week."), "Where does Ilse live?"),
    ("苏敏", ("我住在无锡。", "我上周搬到绍兴了。"), "苏敏住在哪里"),
]


@pytest.mark.parametrize(("who", "said", "question"), CHANGED)
async def test_what_is_over_is_not_told_in_the_words_of_its_turn(
    tmp_path: Path, who: str, said: tuple[str, str], question: str
) -> None:
    async with a_house(tmp_path) as memory:
        for day, text in enumerate(said):
            await memory.add(text, user_id=who, timestamp=NOON + timedelta(days=day - 9))
        scope = Scope("acme", "default", entity_id("acme", "default", who.lower()))
        for mode in get_args(AnswerMode):
            answer = (await memory.app.ask(AskQuery(scope, question, mode))).text or ""
            assert said[0].rstrip(".。") not in answer, mode


@pytest.mark.parametrize(("who", "said", "question"), CHANGED)
async def test_what_took_its_place_is_told(tmp_path: Path, who: str, said: tuple[str, str], question: str) -> None:
    async with a_house(tmp_path) as memory:
        for day, text in enumerate(said):
            await memory.add(text, user_id=who, timestamp=NOON + timedelta(days=day - 9))
        answer = (await memory.ask(question, user_id=who)).text or ""
        assert any(place in answer for place in ("Honda Monkey", "Bolzano", "绍兴"))


async def test_that_something_is_over_answers_only_whether_it_is_so(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        for day, text in enumerate(("I play the cello.", "I sold the cello.")):
            await memory.add(text, user_id="Nils", timestamp=NOON + timedelta(days=day - 9))
        assert (await memory.ask("What does Nils play?", user_id="Nils")).text is None


CORRECTED = [
    ("Ilse", "My phone number is 555-0166, ring me after six please.", "What is Ilse's phone number?", "0166", "0177"),
    ("苏敏", "我的手机号是13811113333，晚上打给我。", "苏敏的手机号是多少", "13811113333", "13744442222"),
]


@pytest.mark.parametrize(("who", "said", "question", "old", "new"), CORRECTED)
async def test_after_a_change_by_hand_the_old_turn_gives_way_to_what_says_that_it_is_over(
    tmp_path: Path, who: str, said: str, question: str, old: str, new: str
) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add(said, user_id=who, timestamp=NOON - timedelta(days=9))
        held = next(item for item in await memory.get_all(user_id=who) if old in item.memory)
        await memory.update(held.id, held.memory.replace(old, new), since=NOON - timedelta(days=2))
        found = await memory.search(question, user_id=who)
        assert new in found[0].memory
        assert [item.valid for item in found if old in item.memory] == [False]
        answer = (await memory.ask(question, user_id=who)).text or ""
        assert new in answer
        assert old not in answer


BLACKED_OUT = [
    ("Nils", "I run a bakery, my oven is rather old, and I wonder how it could bake more.", "How old is Nils's oven?"),
    ("苏敏", "我做的是仓库系统，但是技术比较老旧，我怎么样才能用上新的技术", "苏敏的技术怎么样"),
]


@pytest.mark.parametrize(("who", "said", "question"), BLACKED_OUT)
async def test_what_is_blacked_out_answers_nothing(tmp_path: Path, who: str, said: str, question: str) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add(said, user_id=who)
        gone = [item for item in await memory.get_all(user_id=who) if "old" in item.memory or "老旧" in item.memory]
        for item in gone:
            await memory.delete(item.id)
        turns = await memory.get_all(user_id=who, layers=["conversation"])
        assert any(BLOT in turn.memory for turn in turns)
        assert BLOT not in ((await memory.ask(question, user_id=who)).text or "")


GUESSES = [
    ("Nils", "Nils wants a greenhouse for his tomatoes", "Nils wants a shed", "What does Nils want?", "only a guess"),
    ("苏敏", "苏敏希望用平台分析库存", "苏敏希望换掉旧系统", "苏敏希望什么", "推测"),
]


@pytest.mark.parametrize(("who", "guess", "stated", "question", "mark"), GUESSES)
async def test_a_guess_says_so_and_is_left_out_beside_what_was_stated(
    tmp_path: Path, who: str, guess: str, stated: str, question: str, mark: str
) -> None:
    target = {"agent_id": "default", "target_id": entity_id("acme", "default", who.lower()), "target_name": who}
    insight = a_memory(guess, memory_type=MemoryType.INSIGHT, modality=Modality.HYPOTHESIS, attribute="need", **target)
    async with a_house(tmp_path) as memory:
        await memory.add("Hello", user_id=who)
        for place, node in enumerate((insight, a_memory(stated, attribute="need", **target))):
            change = Change(act="add", after=node)
            run = derived_id("w", place)
            await memory.app.journal.ledger.commit(Commit("acme", run, "observation", NOON, (change,)))
            answer = (await memory.ask(question, user_id=who)).text or ""
            expected = (True, True, False) if node is insight else (False, False, True)
            assert (guess in answer, mark in answer, stated in answer) == expected
