"""Forgetting ends what is meant and what was made of it alone, and can be taken back exactly."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from agentmem import AsyncMemory
from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.change import Change
from agentmem.domain.episode import BLOT, episode_id
from agentmem.domain.event import Person
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory, a_turn
from tests.support.planted import HERS
from tests.support.spine import SCOPE, found, memories, payloads, quick_settings, spine

PERSON = Scope(TENANT, AGENT, TARGET)
PHONE = ("phone", "555-014-2277")
ADDRESS = ("address", "12 Oak Street, Rome")
TALK = "Hello, my phone is 555-014-2277 and I live at 12 Oak Street, Rome."


async def keep(app: App, *nodes: MemoryNode) -> None:
    """Write memories that nobody read out of words."""
    changes = tuple(Change(act="add", after=node) for node in nodes)
    await app.journal.ledger.commit(Commit(TENANT, f"w-{nodes[0].memory_id}", "observation", NOON, changes))


async def now(app: App, *nodes: MemoryNode) -> list[MemoryNode | None]:
    """These memories as they are now."""
    held = await app.journal.ledger.get(TENANT, [node.memory_id for node in nodes])
    return [held.get(node.memory_id) for node in nodes]


async def valid(app: App, scope: Scope = SCOPE) -> list[str]:
    nodes = await app.memories(Selection(scope, statuses=(StoreStatus.VALID,)))
    return [node.content for node in nodes][::-1]


def resting(content: str, *on: MemoryNode, **fields: object) -> MemoryNode:
    ids = tuple(node.memory_id for node in on)
    return a_memory(content, memory_type=MemoryType.INSIGHT, source_ids=ids, depends_on=ids, **fields)


def quoting(
    content: str,
    turn: MemoryNode,
    words: str,
    *,
    slot: tuple[str | None, str | None] = (None, None),
    beside: tuple[Evidence, ...] = (),
    about: str = TARGET,
) -> MemoryNode:
    """A memory of these words of a turn, and of other evidence `beside`."""
    start = turn.content.index(words)
    evidence = (*beside, Evidence(memory_id=turn.memory_id, start=start, end=start + len(words)))
    sources = tuple(dict.fromkeys(part.memory_id for part in evidence))
    return a_memory(content, source_ids=sources, evidence=evidence, attribute=slot[0], value=slot[1], target_id=about)


def spoken(text: str, **fields: object) -> MemoryNode:
    return a_memory(text, memory_type=MemoryType.CONVERSATION, kind="turn", speaker="罗小东", **fields)


async def test_what_is_forgotten_ends_with_all_that_was_made_of_it_alone(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        first, second = a_memory("likes tea"), a_memory("sleeps late")
        alone = resting("a tea person", first)
        deeper = resting("a person of habits", alone)
        both, other = resting("rests on two", first, second), resting("an owl", second)
        await keep(app, first, second, alone, deeper, both, other)
        told = await app.forget(Meant(SCOPE, ids=(first.memory_id,)))
        assert {node.memory_id for node in told.gone} == {node.memory_id for node in (first, alone, deeper)}
        assert await now(app, first, alone, deeper) == [None] * 3
        (left,) = await now(app, both)
        assert left
        assert (left.source_ids, left.depends_on) == ((second.memory_id,), (second.memory_id,))
        assert await now(app, second, other) == [second, other]
        assert [hit.memory.memory_id for hit in (await found(app, "likes tea")).hits if hit.memory == first] == []
        history = await app.journal.ledger.history(TENANT, first.memory_id)
        assert [(entry.cause, entry.run, entry.change.act) for entry in history][1:] == [("forget", told.run, "forget")]


async def test_what_only_points_at_the_forgotten_stays_as_it_was_and_points_at_nothing_erased(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        tea, coffee = a_memory("likes tea"), a_memory("likes coffee")
        both, earlier = (tea.memory_id, coffee.memory_id), {"history": ["used to like both"]}
        milk = a_memory("likes milk", conflicts_with=both, supersedes=both, meta_data=earlier)
        resting_on_milk = resting("drinks something white", milk, needs_review=both, meta_data=earlier)
        await keep(app, tea, coffee, milk, resting_on_milk)
        told = await app.forget(Meant(SCOPE, ids=(tea.memory_id,)))
        assert {node.memory_id for node in told.gone} == {tea.memory_id}
        assert await now(app, milk, resting_on_milk) == [milk, resting_on_milk]
        await app.forget(Meant(SCOPE, ids=(tea.memory_id,)), erase=True)
        left, insight = await now(app, milk, resting_on_milk)
        assert left
        assert insight
        assert left.conflicts_with == left.supersedes == insight.needs_review == (coffee.memory_id,)


async def test_who_wants_an_old_value_forgotten_keeps_the_one_that_holds_whatever_else_he_names(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        phone = a_memory("phone at Globex is 555-014-2277", attribute="phone", value="555-014-2277")
        await keep(app, phone)
        told = await app.forget(Meant(SCOPE, query="my old phone at Globex"), dry_run=True)
        assert (told.gone, told.edited) == ((), ())


async def test_what_rests_on_less_than_before_keeps_no_earlier_wording(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        tea, late = a_memory("likes tea"), a_memory("sleeps late")
        meta = {"history": ["likes tea and sleeps late"], "askedWith": ["tea", "sleep"], "note": "x"}
        insight = resting("a night owl", tea, late, meta_data=meta)
        await keep(app, tea, late, insight)
        await app.forget(Meant(SCOPE, ids=(tea.memory_id,)))
        (left,) = await now(app, insight)
        assert left
        assert left.meta_data == {"note": "x"}
        assert left.depends_on == (late.memory_id,)


async def test_a_conclusion_that_tells_of_the_forgotten_ends_and_the_rest_is_new_again(
    tmp_path: Path,
) -> None:
    async with spine(tmp_path) as app:
        tea, late = a_memory("likes tea", obs_reflected=1), a_memory("sleeps late", obs_reflected=1)
        insight = resting("likes tea; sleeps late", tea, late)
        await keep(app, tea, late, insight)
        await app.forget(Meant(SCOPE, ids=(tea.memory_id,)))
        assert await valid(app) == ["sleeps late"]
        (again,) = await now(app, late)
        assert again
        assert again.obs_reflected == 0


async def test_taking_a_forgetting_back_restores_everything_exactly(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        turn = spoken(TALK)
        phone = quoting("phone 555-014-2277", turn, "my phone is 555-014-2277", slot=PHONE)
        home = quoting("lives at 12 Oak Street", turn, "I live at 12 Oak Street, Rome")
        await keep(app, turn, phone, home, resting("can be called", phone), resting("phone and home", phone, home))
        before, indexed = await memories(app), await payloads(app)
        for meant in (
            Meant(SCOPE, ids=(phone.memory_id,)),
            Meant(SCOPE, source=turn.memory_id),
            Meant(SCOPE, query="my phone but keep my address"),
            Meant(PERSON),
        ):
            told = await app.forget(meant)
            assert told.run
            assert await memories(app) != before
            report = await app.undo(told.run)
            assert report.blocked == ()
            assert await memories(app) == before
        await app.searchable.projector.catch_up()
        assert await payloads(app) == indexed or not indexed


async def test_a_phone_is_forgotten_and_the_address_of_the_same_breath_is_kept(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        turn = spoken(TALK)
        phone = quoting("phone 555-014-2277", turn, "my phone is 555-014-2277", slot=PHONE)
        home = quoting("lives in Rome", turn, "I live at 12 Oak Street, Rome", slot=ADDRESS)
        repeated = spoken("So I call 555-014-2277, and you come by?", memory_id=a_memory("x").memory_id)
        compound = a_memory("Tom can be called under 555-014-2277 and he lives in Rome", source_ids=(turn.memory_id,))
        compound = compound.revised(evidence=(Evidence(memory_id=turn.memory_id, start=0, end=len(TALK)),))
        await keep(app, turn, phone, home, repeated, compound)
        await app.forget(Meant(PERSON, query="forget my phone but keep my address"))
        assert await valid(app) == [
            f"Hello, {BLOT * len('my phone is 555-014-2277')} and I live at 12 Oak Street, Rome.",
            "lives in Rome",
            f"{BLOT * len('So I call 555-014-2277')}, and you come by?",
            "he lives in Rome",
        ]
        assert await now(app, home) == [home], "what is kept is as it was"
        (edited,) = await now(app, turn)
        assert edited
        (part,) = home.evidence
        assert edited.content[part.start : part.end] == "I live at 12 Oak Street, Rome"


@pytest.mark.parametrize(
    ("slot", "left"),
    [
        ((None, None), ["he works at Globex"]),
        (("birthday", "May 12"), []),
        (("company", "Globex"), ["he works at Globex"]),
    ],
)
async def test_of_a_memory_that_tells_two_things_one_stays_unless_it_fills_the_slot_that_is_meant(
    tmp_path: Path, slot: tuple[str | None, str | None], left: list[str]
) -> None:
    async with spine(tmp_path) as app:
        turn = spoken("Bring me cake on May 12. Globex pays me.")
        both = quoting("罗小东's birthday is May 12 and he works at Globex", turn, turn.content, slot=slot)
        await keep(app, turn, both)
        told = await app.forget(Meant(PERSON, query="forget my birthday"))
        assert (await valid(app))[1:] == left
        assert both.memory_id in {node.memory_id for node in (*told.gone, *(pair[0] for pair in told.edited))}


@pytest.mark.parametrize(
    ("wish", "beside", "stays"),
    [
        ("forget my phone", False, False),
        ("forget my phone", True, True),
        ("forget my phone, keep my sister's phone", False, True),
    ],
)
async def test_what_tells_of_another_stays_unless_all_that_was_made_of_it_goes(
    tmp_path: Path, wish: str, *, beside: bool, stays: bool
) -> None:
    async with spine(tmp_path) as app:
        own, hers = spoken("My phone is 555-014-1111."), spoken("My sister's phone is 555-014-2277.")
        one = quoting("罗小东's phone is 555-014-1111", own, own.content, slot=("phone", "555-014-1111"))
        other = quoting("罗小东's phone is 555-014-2277", hers, hers.content[:-1], slot=PHONE)
        kin = quoting("罗小东 has a sister", hers, "My sister's")
        await keep(app, own, hers, one, other, *([kin] if beside else []))
        await app.forget(Meant(PERSON, query=wish))
        assert (hers.content in await valid(app)) is stays


async def test_by_its_id_a_value_goes_wherever_it_is_said_again(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        first, again = spoken("My phone is 555-014-2277."), spoken("I wrote 555-014-2277 down, I like tea.")
        phone = quoting("罗小东's phone is 555-014-2277", first, first.content, slot=PHONE)
        await keep(app, first, again, phone)
        await app.forget(Meant(PERSON, ids=(phone.memory_id,)))
        assert await valid(app) == [f"{BLOT * len('I wrote 555-014-2277 down')}, I like tea."]


async def test_who_has_all_but_one_thing_forgotten_keeps_that_in_every_layer(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        turn = spoken(TALK)
        phone = quoting("罗小东's phone is 555-014-2277", turn, "my phone is 555-014-2277", slot=PHONE)
        home = quoting("罗小东 lives at 12 Oak Street", turn, "I live at 12 Oak Street, Rome", slot=ADDRESS)
        tea = a_memory("罗小东 likes tea")
        await keep(app, turn, phone, home, tea)
        await app.forget(Meant(PERSON, query="forget everything about me but keep my phone", own=True))
        blotted, kept = await valid(app)
        assert kept == phone.content
        assert "my phone is 555-014-2277" in blotted
        assert "Oak" not in blotted
        assert await now(app, home, tea) == [None, None]


async def test_a_relative_goes_wherever_he_is_named_and_with_all_that_is_told_of_him(tmp_path: Path) -> None:
    mia = entity_id(TENANT, AGENT, "Mia")
    async with spine(tmp_path) as app:
        who, named = spoken("My sister Mia is a nurse."), spoken("Yesterday I gave a book to Mia, I like tea.")
        cut, given, hers = (
            spoken("I lent it to her."),
            spoken("I lent the bike to her, I sing."),
            spoken("The nurse lives in Rome, I like milk."),
        )
        kin = quoting("Mia is Ann's sister", who, "My sister Mia is a nurse", about=mia)
        gift = quoting("Ann lent Mia the bike", given, "I lent the bike to her", about=mia)
        home = quoting("Mia lives in Rome", hers, "The nurse lives in Rome", about=mia)
        sings = quoting("Ann sings", given, "I sing")
        turns = [turn.revised(target_name="Ann", speaker="Ann") for turn in (who, named, cut, given, hers)]
        scooter = quoting("Ann lent Mia a scooter", cut, "I lent it to her", slot=("loan", "scooter"), about=mia)
        scooter = scooter.ended(at=NOON, now=NOON, by=None)
        facts = [node.revised(target_name="Mia") for node in (kin, gift, home, scooter)]
        await keep(app, *turns, *facts, sings.revised(target_name="Ann"))
        told = await app.forget(Meant(PERSON, query="forget my sister"))
        assert {node.memory_id for node in facts} <= {node.memory_id for node in told.gone}
        assert await valid(app) == [
            f"{BLOT * len('Yesterday I gave a book to Mia')}, I like tea.",
            cut.content,
            f"{BLOT * len('I lent the bike to her')}, I sing.",
            f"{BLOT * len('The nurse lives in Rome')}, I like milk.",
            sings.content,
        ]


async def test_only_what_holds_and_was_observed_is_concluded_from_anew(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        tea, late, over = (a_memory(text, obs_reflected=1) for text in ("likes tea", "sleeps late", "smokes"))
        over = over.ended(at=NOON, now=NOON, by=None)
        owl = resting("an owl", late, obs_reflected=1)
        whole = resting("likes tea; sleeps late; smokes; an owl", tea, late, over, owl)
        await keep(app, tea, late, over, owl, whole)
        await app.forget(Meant(SCOPE, ids=(tea.memory_id,)))
        assert await now(app, over, owl, whole) == [over, owl, None]
        (again,) = await now(app, late)
        assert again
        assert again.obs_reflected == 0


async def test_words_of_a_value_that_is_over_are_forgotten_with_the_one_that_holds(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        before, later = spoken("My phone is 555-014-1111, I live in Rome."), spoken("My phone is 555-014-2277.")
        old = quoting("phone 555-014-1111", before, "My phone is 555-014-1111", slot=("phone", "555-014-1111"))
        new = quoting("phone 555-014-2277", later, later.content, slot=PHONE)
        old = old.ended(at=app.clock.now(), now=app.clock.now(), by=new.memory_id)
        await keep(app, before, later, old, new)
        told = await app.forget(Meant(PERSON, query="forget my phone"))
        assert await valid(app) == [BLOT * 24 + ", I live in Rome."]
        assert {node.memory_id for node in told.gone} == {later.memory_id, new.memory_id, old.memory_id}
        assert await now(app, old) == [None], "with its earlier values"
        assert (await app.forget(Meant(PERSON, query="forget my phone"))).gone == ()


async def test_what_was_said_again_elsewhere_stays_with_that_evidence(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        first, second = spoken("My phone is 555-014-2277."), spoken("As I said, 555-014-2277 is my number.")
        answer = spoken("Yes.")
        question = spoken("Do you live in Rome?").revised(speaker="小美")
        again = (Evidence(memory_id=first.memory_id, start=0, end=len(first.content)),)
        phone = quoting("phone 555-014-2277", second, second.content, beside=again, slot=PHONE)
        asked = (Evidence(memory_id=question.memory_id, start=0, end=len(question.content)),)
        home = quoting("lives in Rome", answer, "Yes", beside=asked, slot=("city", "Rome"))
        home = home.revised(speaker="罗小东")
        await keep(app, first, second, answer, question, phone, home)
        await app.forget(Meant(SCOPE, source=first.memory_id))
        (left,) = await now(app, phone)
        assert left
        assert [part.memory_id for part in left.evidence] == list(left.source_ids) == [second.memory_id]
        await app.forget(Meant(SCOPE, source=question.memory_id))
        assert await now(app, home) == [None]


async def test_everything_about_a_person_is_forgotten_and_what_others_said_stays(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("我喜欢茶", 1), a_turn("我也喜欢茶", 1, run="hers", target_id=HERS)])
        await app.drain()
        hers = await memories(app, scope=Scope(TENANT, AGENT, HERS))
        about_her = quoting("王芳 likes tea", (await memories(app, scope=PERSON))[0], "我喜欢茶", about=HERS)
        await keep(app, about_her)
        await app.forget(Meant(PERSON))
        assert await valid(app, PERSON) == []
        assert await now(app, *hers) == hers
        assert await now(app, about_her) == [None]
        assert await app.forget(Meant(PERSON)) == await app.forget(Meant(PERSON))


async def test_looking_changes_nothing_and_forgetting_twice_forgets_once(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        node = a_memory("likes tea")
        await keep(app, node)
        head = await app.journal.ledger.head()
        seen = await app.forget(Meant(SCOPE, query="tea"), dry_run=True)
        assert ([one.content for one in seen.gone], seen.run) == (["likes tea"], None)
        assert await app.journal.ledger.head() == head
        assert (await app.forget(Meant(SCOPE, query="tea"))).run
        assert (await app.forget(Meant(SCOPE, query="tea"))).run is None
        assert await app.journal.ledger.head() == head + 1


HOSTILE = ("*", "everything", ".*", "'; DROP TABLE memories;--", "the", "\x00", "\ud800", "a" * 1_999, "%", "忘记一切")


@pytest.mark.parametrize("query", HOSTILE)
async def test_a_hostile_query_forgets_nothing(tmp_path: Path, query: str) -> None:
    async with spine(tmp_path) as app:
        nodes = [a_memory("likes tea"), a_memory("phone 555-014-2277", attribute=PHONE[0], value=PHONE[1])]
        await keep(app, *nodes)
        try:
            told: Sequence[MemoryNode] = (await app.forget(Meant(SCOPE, query=query), erase=True)).gone
        except InvalidInput:
            told = ()
        assert told == ()
        assert await now(app, *nodes) == nodes


async def test_nobody_forgets_for_somebody_else(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        node = a_memory("likes tea")
        await keep(app, node)
        another = Scope(TENANT, AGENT, entity_id(TENANT, AGENT, "another"))
        strangers = (replace(SCOPE, agent="other"), Scope("other", AGENT), another)
        for scope in strangers:
            with pytest.raises(NotFound):
                await app.forget(Meant(scope, ids=(node.memory_id,)), erase=True)
        with pytest.raises(InvalidInput, match="exactly one"):
            Meant(SCOPE)
        with pytest.raises(InvalidInput, match="exactly one"):
            Meant(SCOPE, ids=(node.memory_id,), query="tea")
        assert await now(app, node) == [node]


async def test_erasing_a_fact_takes_its_words_out_of_the_turn_it_was_said_in(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        said = a_turn(TALK)
        await app.accept([said])
        await app.drain()
        (turn,) = await memories(app, MemoryType.CONVERSATION)
        assert turn.memory_id == episode_id(said)
        phone = quoting("phone 555-014-2277", turn, "my phone is 555-014-2277", slot=PHONE)
        await keep(app, phone)
        await app.forget(Meant(SCOPE, ids=(phone.memory_id,)), erase=True)
        assert (await now(app, phone)) == [None]
        (event,) = await app.journal.events.of_lane(said.lane, after=0, limit=9)
        assert "2277" not in event.event.model_dump_json()
        assert "I live at 12 Oak Street, Rome." in event.event.model_dump_json()
        assert (await app.accept([said]))[0].duplicate


@pytest.mark.parametrize("erase", [False, True])
async def test_what_a_forgotten_turn_had_ended_holds_again_and_what_others_said_as_well_stays(
    tmp_path: Path, erase: bool
) -> None:
    async with spine(tmp_path) as app:
        first, second = spoken("我住在巴黎,喜欢茶"), spoken("我搬到里昂了,还是喜欢茶")
        home = quoting("住在巴黎", first, "巴黎", slot=("home", "巴黎"))
        tea = quoting(
            "喜欢茶", second, "喜欢茶", slot=("likes", "茶"), beside=quoting("喜欢茶", first, "喜欢茶").evidence
        )
        moved = quoting("住在里昂", second, "里昂", slot=("home", "里昂")).revised(supersedes=(home.memory_id,))
        await keep(app, first, second, home, tea, moved)
        over = home.ended(at=NOON, now=NOON, by=moved.memory_id)
        ends = Change(act="supersede", before=home, after=over)
        await app.journal.ledger.commit(Commit(TENANT, "moved", "observation", NOON, (ends,)))
        await app.forget(Meant(SCOPE, source=second.memory_id), erase=erase)
        again, still, gone = await now(app, home, tea, moved)
        assert again
        assert (again.store_status, again.invalid_at, again.superseded_by) == (StoreStatus.VALID, None, None)
        assert still
        assert (still.store_status, still.source_ids) == (StoreStatus.VALID, (first.memory_id,))
        assert gone is None
        assert (await app.index.verify()).ok


async def test_what_was_given_along_with_a_turn_goes_with_its_words(tmp_path: Path) -> None:
    given = {"note": f"call {PHONE[1]}", "phones": [{"number": PHONE[1]}], "channel": "web"}
    async with spine(tmp_path) as app:
        said = a_turn(TALK).revised(meta=given)
        await app.accept([said])
        await app.drain()
        (turn,) = await memories(app, MemoryType.CONVERSATION)
        phone, home = (
            quoting("phone 555-014-2277", turn, "my phone is 555-014-2277", slot=PHONE),
            quoting("at home", turn, "I live at 12 Oak Street, Rome", slot=ADDRESS).revised(meta_data=given),
        )
        await keep(app, phone, home)
        done = await app.forget(Meant(SCOPE, ids=(phone.memory_id,)))
        assert [node.meta_data for node in await now(app, home) if node] == [{"channel": "web"}]
        (event,) = await app.journal.events.of_lane(said.lane, after=0, limit=9)
        told = [*await now(app, turn, home), *await memories(app), event.event]
        assert "2277" not in repr(told)
        assert (await app.accept([said]))[0].duplicate
        assert done.run
        await app.undo(done.run)
        assert await now(app, turn, phone, home) == [turn, phone, home]


async def test_what_was_given_along_with_a_request_does_not_tell_what_it_names(tmp_path: Path) -> None:
    asked, kept = "Please forget that I am pregnant.", "I live in Oslo."
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        for text in (asked, kept):
            await memory.add(text, user_id="Tom", metadata={"original": text, "channel": "web"})
        tenant = memory.app.access.principal.tenant
        (agent,) = await memory.app.records.agents()
        (lane,) = await memory.app.journal.events.lanes(Scope(tenant, agent.id))
        first, second = [item.event for item in await memory.app.journal.events.of_lane(lane, after=0, limit=9)]
        assert "pregnant" not in repr(first)
        assert "web" in repr(first)
        assert repr(second).count(kept) == 2


@pytest.mark.parametrize(
    ("text", "kept", "gone"),
    [
        ("Forget that I smoke; my phone is 555-1212 and I like tea.", {"555-1212", "tea"}, "smoke"),
        ("My PIN is 4711, but forget that please.", set[str](), "4711"),
        ("我的密码是4711，不过请忘掉刚才说的。", set[str](), "4711"),
        ("请忘掉我抽烟的事，我的电话是13912345678。", {"13912345678"}, "抽烟"),
    ],
)
async def test_a_request_takes_what_it_means_and_nothing_besides(
    tmp_path: Path, text: str, kept: set[str], gone: str
) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        added = await memory.add(text, user_id="Ann")
    told = "\n".join(event.memory for event in added.results)
    assert all(word in told for word in kept)
    assert gone not in told
    assert kept or not added.results


@pytest.mark.parametrize(
    ("query", "gone"),
    [
        ("my wife", {"wife"}),
        ("forget about my wife", {"wife"}),
        ("my husband", set[str]()),
        ("my sister", set[str]()),
        ("my wife's phone", set[str]()),
        ("my dog", {"dog"}),
        ("我丈夫", set[str]()),
        ("我的狗", {"dog"}),
    ],
)
async def test_a_word_for_kin_means_that_kin_alone(tmp_path: Path, query: str, gone: set[str]) -> None:
    async with spine(tmp_path) as app:
        kin = {
            word: a_memory(f"Ann's {word} is called {name}", attribute="family", value=f"is called {name}")
            for word, name in (("wife", "Mia"), ("dog", "Rex"), ("daughter", "Lea"))
        }
        await keep(app, *kin.values(), a_memory("Ann's phone is 555-014-2277", attribute="phone"))
        told = await app.forget(Meant(PERSON, query=query), dry_run=True)
    assert {word for word, node in kin.items() if node in told.gone} == gone
    assert len(told.gone) == len(gone)


MAIL_AND_PHONE = (
    ("My email is ann@post.example and my phone is 555-0142.", "Please forget my email.", "ann@post", "555-0142"),
    ("My email is ann@post.example and my phone is 555-0142.", "Please forget my phone.", "555-0142", "ann@post"),
    ("You can reach me at ann@post.example or 555-0142.", "Forget my phone number.", "555-0142", "ann@post"),
    ("我的邮箱是ann@post.example，电话是13800138000。", "请忘掉我的邮箱", "ann@post", "13800138000"),
    ("我的邮箱是ann@post.example，电话是13800138000。", "请忘掉我的电话", "13800138000", "ann@post"),
)


@pytest.mark.parametrize("wait", [True, False], ids=["read", "unread"])
@pytest.mark.parametrize(("said", "asked", "gone", "kept"), MAIL_AND_PHONE)
async def test_of_two_contacts_in_one_breath_the_one_that_is_meant_goes(
    tmp_path: Path, said: str, asked: str, gone: str, kept: str, *, wait: bool
) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        await memory.add(said, user_id="Ann", wait=wait)
        await memory.add(asked, user_id="Ann")
        layers = tuple(MemoryType)
        told = repr(await memory.get_all(user_id="Ann", layers=layers, everything=True))
        told += (await memory.context(said, user_id="Ann")).text
    assert gone not in told
    assert kept in told


async def test_by_its_id_too_only_one_of_two_contacts_in_a_clause_goes(tmp_path: Path) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        await memory.add("You can reach me at ann@post.example or 555-0142.", user_id="Ann")
        (mail,) = [item for item in await memory.get_all(user_id="Ann") if "@" in item.memory]
        await memory.delete(mail.id)
        assert [item.memory for item in await memory.get_all(user_id="Ann")] == ["Ann's phone number is 555-0142"]
        told = (await memory.context("How do I reach Ann?", user_id="Ann")).text
    assert f"reach me at {BLOT * 16} or 555-0142" in told


async def test_what_a_title_told_goes_without_the_words_that_were_said_under_it(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        await app.say(AGENT, Person(name="陈立", title="工程师"), "我还想要移动端审批功能。", end=True)
        await app.drain()
        told = await memories(app)
        (job,) = [node for node in told if node.value == "工程师"]
        done = await app.forget(Meant(job.lane.scope, ids=(job.memory_id,)))
        rest = {node.content for node in await memories(app)}
        assert rest == {node.content for node in told if node is not job}
        assert done.run is not None
        await app.undo(done.run)
        assert {node.memory_id for node in await memories(app)} == {node.memory_id for node in told}


@pytest.mark.parametrize("query", [None, "forget my city"])
async def test_what_was_corrected_by_hand_goes_with_the_words_it_was_made_of(tmp_path: Path, query: str | None) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        await memory.add("I live in Oslo.", user_id="Ann")
        (home,) = await memory.get_all(user_id="Ann")
        await memory.update(home.id, "Ann lives in Bergen")
        scope = Scope(memory.app.tenant, "default", entity_id(memory.app.tenant, "default", "ann"))
        await memory.app.forget(Meant(scope, ids=(home.id,)) if query is None else Meant(scope, query=query))
        told = repr(await memory.get_all(user_id="Ann", layers=tuple(MemoryType), everything=True))
        told += (await memory.context("Where does Ann live?", user_id="Ann")).text
    assert [word for word in ("Oslo", "Bergen") if word in told] == []


async def test_of_a_request_that_named_all_it_said_nothing_is_listed(tmp_path: Path) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        await memory.add("I like tea.", user_id="Ann")
        await memory.add("Please forget my phone number.", user_id="Ann")
        turns = await memory.get_all(user_id="Ann", layers=(MemoryType.CONVERSATION,))
        assert [turn.memory for turn in turns] == ["I like tea."]
