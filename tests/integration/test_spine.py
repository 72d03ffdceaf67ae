"""The main path, whole: what is said is kept, read, remembered with its words, found, and taken back."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.episode import episode_id
from agentmem.domain.event import Event, PerceptSensed, Person, TurnSpoken
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType, Modality, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Reading, Window
from agentmem.errors import BackendUnavailable, InvalidInput, NotFound
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.host.clocks import ManualClock
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, LUO, NOON, TARGET, TENANT, a_turn, an_ending
from tests.support.spine import (
    LATER,
    PATIENCE,
    SCOPE,
    Failing,
    found,
    memories,
    payloads,
    quiet_persona,
    spine,
    states,
    valid,
)

OBSERVATION, CONVERSATION, INSIGHT = MemoryType.OBSERVATION, MemoryType.CONVERSATION, MemoryType.INSIGHT
CONTACT = "这个是我的联系方式 小东 12345678901"
TALK: list[Event] = [a_turn("您好,请问怎么联系您?", 0, by_agent=True), a_turn(CONTACT, 1), an_ending()]
PHONE = states(CONTACT, "软件工程师罗小东的联系方式是12345678901", attribute="phone", value="12345678901")


async def test_a_turn_is_found_before_any_worker_has_run(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn(CONTACT)])
        recalled = await found(app, "怎么联系小东")
        assert [hit.memory.content for hit in recalled.hits] == [CONTACT]
        assert await memories(app) == []


async def test_a_turn_keeps_its_id_when_it_becomes_a_memory(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn(CONTACT)])
        before = (await found(app, "怎么联系小东")).hits[0].memory.memory_id
        await app.drain()
        recalled = await found(app, "怎么联系小东")
        assert [hit.memory.memory_id for hit in recalled.hits] == [before]


async def test_what_was_said_becomes_a_memory_that_leads_to_the_very_words(tmp_path: Path) -> None:
    async with spine(tmp_path, ScriptedCognition(PHONE)) as app:
        await app.accept(TALK)
        await app.drain()
        best = (await found(app, "怎么联系小东")).hits[0].memory
        assert best.content == "软件工程师罗小东的联系方式是12345678901"
        spoken = {node.memory_id: node.content for node in await memories(app, CONVERSATION)}
        assert [spoken[item.memory_id][item.start : item.end] for item in best.evidence] == [CONTACT]
        assert best.source_ids == (best.evidence[0].memory_id,)


async def test_index_and_ledger_say_the_same(tmp_path: Path) -> None:
    async with spine(tmp_path, ScriptedCognition(PHONE)) as app:
        await app.accept(TALK)
        await app.drain()
        report = await app.index.verify()
        assert report.ok
        assert report.checked == 4


async def test_a_rebuilt_index_is_the_same_and_nothing_is_thought_again(tmp_path: Path) -> None:
    cognition = ScriptedCognition(PHONE)
    async with spine(tmp_path, cognition) as app:
        await app.accept(TALK)
        await app.drain()
        before, windows = await payloads(app), list(cognition.windows)
        told: list[tuple[int, int]] = []
        assert await app.index.rebuild(lambda done, of: told.append((done, of))) == 4
        assert await payloads(app) == before
        assert cognition.windows == windows
        head = await app.journal.ledger.head()
        assert told[-1] == (head, head)


async def test_the_same_events_again_add_nothing(tmp_path: Path) -> None:
    cognition = ScriptedCognition(PHONE)
    async with spine(tmp_path, cognition) as app:
        first = await app.accept(TALK)
        await app.drain()
        head = await app.journal.ledger.head()
        again = await app.accept(TALK)
        await app.drain()
        assert [answer.seq for answer in again] == [answer.seq for answer in first]
        assert all(answer.duplicate for answer in again)
        assert await app.journal.ledger.head() == head
    async with spine(tmp_path, cognition) as app:
        assert all(answer.duplicate for answer in await app.accept(TALK))
        await app.drain()
        assert await app.journal.ledger.head() == head
        assert len(cognition.windows) == 1


async def test_the_same_event_sent_many_times_at_once_is_one_event(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        answers = await asyncio.gather(*(app.accept([a_turn(CONTACT), an_ending()]) for _ in range(50)))
        assert len({answer[0].seq for answer in answers}) == 1
        assert [answer[0].duplicate for answer in answers].count(False) == 1
        await app.drain()
        assert await valid(app, CONVERSATION) == [CONTACT]
        assert len(await valid(app, OBSERVATION)) == 1


async def test_a_known_event_with_other_words_is_refused(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("我叫罗小东")])
        with pytest.raises(InvalidInput, match="talk/0"):
            await app.accept([a_turn("我叫罗大东")])


async def test_undo_takes_a_window_back_exactly_and_can_itself_be_undone(tmp_path: Path) -> None:
    async with spine(tmp_path, ScriptedCognition(PHONE), persona=quiet_persona(turns=2)) as app:
        await app.accept(TALK[:2])
        await app.drain()
        [phone] = await memories(app, OBSERVATION)
        [added] = await app.journal.ledger.history(TENANT, phone.memory_id)
        undone = await app.undo(added.run)
        assert undone.restored == (phone.memory_id,)
        assert await memories(app, OBSERVATION) == []
        assert len(await memories(app, CONVERSATION)) == 2
        assert phone.memory_id not in await payloads(app)
        assert (await app.index.verify()).ok
        assert (await app.undo(added.run)).run is None
        assert undone.run is not None
        await app.undo(undone.run)
        assert await memories(app, OBSERVATION) == [phone]
        assert (await app.index.verify()).ok


async def test_undo_stops_where_a_later_run_changed_the_memory_and_names_it(tmp_path: Path) -> None:
    async with spine(tmp_path, ScriptedCognition(PHONE)) as app:
        await app.accept(TALK)
        await app.drain()
        await app.reflect(Scope(TENANT, AGENT))
        [phone] = await memories(app, OBSERVATION)
        added, reflected = await app.journal.ledger.history(TENANT, phone.memory_id)
        assert reflected.cause == "reflection"
        refused = await app.undo(added.run)
        assert (refused.run, refused.restored, refused.blocked) == (None, (), (phone.memory_id,))
        assert await memories(app, OBSERVATION) == [phone]
        cascaded = await app.undo(added.run, cascade=True)
        assert cascaded.restored == cascaded.blocked == (phone.memory_id,)
        assert await memories(app, OBSERVATION) == []
        assert (await app.index.verify()).ok


async def test_a_run_nobody_made_cannot_be_undone(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        with pytest.raises(NotFound, match="no run 'never'"):
            await app.undo("never")


async def test_a_turn_copied_whole_is_no_observation(tmp_path: Path) -> None:
    async with spine(tmp_path, ScriptedCognition(states(CONTACT, CONTACT))) as app:
        await app.accept(TALK)
        await app.drain()
        assert await memories(app, OBSERVATION) == []
        assert len(await memories(app, CONVERSATION)) == 2


async def test_a_paraphrase_that_is_rejected_is_retired(tmp_path: Path) -> None:
    guess = a_turn("您是想换一套系统,对吗?", 0, by_agent=True)
    asserts = states("您是想换一套系统", "罗小东想换一套系统", modality=Modality.ASSERTED_BY_AGENT, layer="insight")

    def script(window: Window) -> Reading:
        denied = any("不是" in turn.text for turn in window.turns)
        return Reading(rejected=(episode_id(guess),)) if denied else asserts(window)

    async with spine(tmp_path, ScriptedCognition(script), persona=quiet_persona(turns=1)) as app:
        await app.accept([guess])
        await app.drain()
        assert await valid(app, INSIGHT) == ["罗小东想换一套系统"]
        await app.accept([a_turn("不是,我没这么说", 1)])
        await app.drain()
        [retired] = await memories(app, INSIGHT)
        assert retired.store_status is StoreStatus.EXPIRED
        assert retired.invalid_at == retired.valid_at
        past = RecallQuery(SCOPE, "换系统", as_of=NOON + timedelta(seconds=5), types=(INSIGHT,))
        assert (await app.recall(past)).abstained


async def test_what_is_said_about_a_third_person_is_remembered_about_that_person(tmp_path: Path) -> None:
    script = states(
        "王芳的电话是13800138000", "王芳的电话是13800138000", about="王芳", attribute="phone", value="13800138000"
    )
    async with spine(tmp_path, ScriptedCognition(script)) as app:
        await app.accept([a_turn("我同事王芳的电话是13800138000"), an_ending()])
        await app.drain()
        [phone] = await memories(app, OBSERVATION)
        other = entity_id(TENANT, AGENT, "王芳")
        assert (phone.target_id, phone.target_name) == (other, "王芳")
        about_him = await app.recall(RecallQuery(Scope(TENANT, AGENT, TARGET), "电话"))
        assert {hit.memory.target_name for hit in about_him.hits if hit.memory.attribute == "phone"} == {"王芳"}
        about_another = await app.recall(RecallQuery(Scope(TENANT, AGENT, entity_id(TENANT, AGENT, "李雷")), "电话"))
        assert about_another.hits == ()
        about_her = await app.recall(RecallQuery(Scope(TENANT, AGENT, other), "电话"))
        assert [hit.memory.memory_id for hit in about_her.hits] == [phone.memory_id]


async def test_an_open_window_is_read_after_a_silence(tmp_path: Path) -> None:
    clock, cognition = ManualClock(LATER), ScriptedCognition()
    async with spine(tmp_path, cognition, clock=clock, persona=quiet_persona(idle_seconds=30)) as app:
        await app.accept([a_turn("我想买车")])
        clock.advance(timedelta(seconds=29))
        await app.drain()
        assert cognition.windows == []
        clock.advance(timedelta(seconds=1))
        await app.drain()
        assert [turn.text for window in cognition.windows for turn in window.turns] == ["我想买车"]
        await app.drain()
        assert len(cognition.windows) == 1


async def test_a_conversation_that_ends_in_words_not_to_be_read_comes_to_rest(tmp_path: Path) -> None:
    clock, cognition = ManualClock(LATER), ScriptedCognition()
    async with spine(tmp_path, cognition, clock=clock) as app:
        await app.accept([a_turn("我想买车", 0), a_turn("(音乐)", 1, extract=False)])
        clock.advance(timedelta(hours=1))
        await app.drain()
        assert [turn.text for window in cognition.windows for turn in window.turns] == ["我想买车"]
        assert await app.journal.events.silent_lanes(since=clock.now()) == [], "no sweep looks at it again"


async def test_a_window_that_was_cut_is_read_as_it_was_cut_after_a_restart(tmp_path: Path) -> None:
    spoken = [a_turn(f"第{number}句", number) for number in range(7)]
    down = Failing([BackendUnavailable("the model is away", retry_after=0.0)] * 99)
    async with spine(tmp_path, down, persona=quiet_persona(turns=3)) as app:
        await app.accept(spoken[:4])
        await app.drain()
        assert down.calls
    cognition = ScriptedCognition()
    async with spine(tmp_path, cognition, persona=quiet_persona(turns=5)) as app:
        await app.accept([*spoken[4:], an_ending()])
        await app.drain(patience=PATIENCE)
        read = [[turn.text for turn in window.turns] for window in cognition.windows]
        assert read == [["第0句", "第1句", "第2句"], ["第3句", "第4句", "第5句", "第6句"]]
        assert [turn.text for turn in cognition.windows[1].context] == ["第0句", "第1句", "第2句"]


@pytest.mark.thorough
async def test_ten_thousand_waiting_turns_do_not_hold_up_the_first(tmp_path: Path) -> None:
    def turn(number: int) -> TurnSpoken:
        name = f"客户{number // 50}"
        target = entity_id(TENANT, AGENT, name)
        return a_turn(f"第{number}句", number, run=name, person=Person(name=name), target_id=target)

    async with spine(tmp_path) as app:
        for start in range(0, 10_000, 1_000):
            await app.accept([turn(number) for number in range(start, start + 1_000)])
    stop = asyncio.Event()
    async with spine(tmp_path) as app, asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
        waiting = (await app.journal.queue.depth()).ready
        tasks.create_task(app.serve(stop))
        while not await app.journal.ledger.head():
            await app.journal.queue.wait(0.05)
        stop.set()
        assert (await app.journal.queue.depth()).ready > 0.9 * waiting


async def test_a_reading_of_a_sensor_is_in_scope_for_its_day(tmp_path: Path) -> None:
    clock = ManualClock(LATER)
    async with spine(tmp_path, clock=clock) as app:
        common = {"tenant": TENANT, "agent_id": AGENT, "agent_name": "小美", "target_id": TARGET, "person": LUO}
        values = ("36.6", "36.9")
        await app.accept(
            [
                PerceptSensed.model_validate(
                    common | {"event_id": f"p{value}", "sensor": "体温", "reading": value, "unit": "℃", "at": NOON}
                )
                for value in values
            ]
        )
        await app.drain()
        [node] = await memories(app, MemoryType.PERCEPTUAL)
        assert all(value in node.content for value in values)
        assert (await found(app, "罗小东的体温")).hits[0].memory.memory_id == node.memory_id
        clock.advance(timedelta(days=1))
        assert (await found(app, "罗小东的体温")).abstained


async def test_two_layers_of_one_reading_come_from_one_look(tmp_path: Path) -> None:
    def script(window: Window) -> Reading:
        stated = states("我想买车", "罗小东想买车")(window).statements
        deeper = states("我想买车", "罗小东最近手头宽裕", layer="insight", modality=Modality.INFERRED)(
            window
        ).statements
        return Reading(statements=(*stated, *deeper))

    cognition = ScriptedCognition(script)
    async with spine(tmp_path, cognition) as app:
        await app.accept([a_turn("我想买车"), an_ending()])
        await app.drain()
        assert await valid(app, OBSERVATION, INSIGHT) == ["罗小东想买车", "罗小东最近手头宽裕"]
        assert len(cognition.windows) == 1


async def test_a_question_in_words_is_asked_of_the_agent_that_is_named_or_the_only_one(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        await app.say(AGENT, "Tom", "My phone number is 555-0142.", end=True)
        await app.say(AGENT, "Eve", "My phone number is 555-0177.", end=True)
        await app.drain()
        found = await app.recall("What is the phone number?")
        assert {hit.memory.value for hit in found.hits} >= {"555-0142", "555-0177"}
        his = await app.recall("What is the phone number?", agent=AGENT, about="Tom")
        assert {hit.memory.target_name for hit in his.hits} == {"Tom"}
        reply = await app.ask("What is Tom's phone number?", about="Tom")
        assert reply.text is not None
        assert "555-0142" in reply.text
        with pytest.raises(InvalidInput, match="a query names its scope itself"):
            await app.recall(RecallQuery(SCOPE, "x"), agent=AGENT)
        await app.copies.clone(AGENT, "twin")
        with pytest.raises(InvalidInput, match=f"there are: {AGENT}, twin"):
            await app.recall("What is the phone number?")


async def test_what_is_said_after_an_end_is_another_conversation_and_a_repeated_call_is_not(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        lane = a_turn("x").lane

        async def runs() -> list[str]:
            said = await app.journal.events.latest(lane, limit=50)
            return [each.event.run_id for each in said if isinstance(each.event, TurnSpoken)]

        for text in ("One.", "Two."):
            await app.say(AGENT, "罗小东", text, key=text)
        await app.say(AGENT, "罗小东", "Three.", key="3", end=True)
        await app.say(AGENT, "罗小东", "Three.", key="3", end=True)
        await app.say(AGENT, "罗小东", "Four.")
        await app.say(AGENT, "罗小东", "Elsewhere.", run_id="elsewhere", end=True)
        await app.say(AGENT, "罗小东", "Five.")
        first, *others = await runs()
        assert first.startswith("say/")
        assert others == [first, first, others[2], "elsewhere", others[2]]
        assert others[2].startswith(f"{first}/")
