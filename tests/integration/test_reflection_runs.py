"""What one run of reflection does: settles, reviews, links, promotes and fades; and what it leaves alone."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Insight, Pair, Review, Usage, Verdict
from agentmem.memory.forget_plan import Meant
from agentmem.ports.cognition import Judged, Reflected, ReflectionInput
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, NOON, TENANT, a_memory
from tests.support.reflecting import added, changed
from tests.support.spine import LATER, PATIENCE, SCOPE, found, memories, spine, valid

OBSERVATION, INSIGHT, LONGTERM = MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.LONGTERM
DAY = timedelta(days=1)


class Telling(ScriptedCognition):
    """Answers as it was told, and keeps what it was asked."""

    def __init__(self, *, verdicts: str | None = None, reviews: bool | None = None) -> None:
        super().__init__()
        self.verdicts, self.reviews = verdicts, reviews
        self.requests: list[ReflectionInput] = []
        self.pairs: list[Pair] = []

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        self.pairs += pairs
        if self.verdicts is None:
            return Judged((), Usage(calls=1))
        answers = [{"number": pair.number, "relation": self.verdicts} for pair in pairs]
        return Judged(tuple(map(Verdict.model_validate, answers)), Usage(calls=1))

    async def reflect(self, request: ReflectionInput) -> Reflected:
        self.requests.append(request)
        sources = tuple(node.memory_id for node in request.observations)
        reviews = (
            ()
            if self.reviews is None
            else tuple(
                Review(memory_id=node.memory_id, stands=self.reviews, source_ids=sources) for node in request.doubtful
            )
        )
        return Reflected((), Usage(calls=1), reviews)


def an_insight(content: str, *sources: MemoryNode, **fields: object) -> MemoryNode:
    ids = tuple(node.memory_id for node in sources)
    given = {"memory_type": INSIGHT, "kind": "reflected", "attribute": content[-2:], "value": content[-2:], **fields}
    return a_memory(content, source_ids=ids, depends_on=ids, **given)


async def put(app: App, *nodes: MemoryNode) -> None:
    await added(app.journal, nodes, run=f"put/{nodes[0].memory_id}")  # pyright: ignore[reportArgumentType] - a journal


async def over(app: App, node: MemoryNode) -> None:
    await changed(app.journal, node, node.ended(at=LATER, now=LATER), run=f"over/{node.memory_id}")  # pyright: ignore[reportArgumentType] - a journal


async def held(app: App, node: MemoryNode) -> MemoryNode:
    return (await app.journal.ledger.get(TENANT, [node.memory_id]))[node.memory_id]


def seen(content: str, **fields: object) -> MemoryNode:
    return a_memory(content, obs_reflected=1, **fields)


async def test_an_insight_ends_with_the_last_thing_it_rested_on_and_without_asking_anybody(tmp_path: Path) -> None:
    cognition = Telling()
    async with spine(tmp_path, cognition) as app:
        paris = seen("罗小东住在巴黎")
        insight = an_insight("罗小东喜欢法国", paris)
        await put(app, paris, insight)
        await over(app, paris)
        assert (await held(app, insight)).needs_review == (paris.memory_id,)
        [report] = await app.reflect(SCOPE)
        gone = await held(app, insight)
        assert (gone.store_status, gone.needs_review) == (StoreStatus.EXPIRED, None)
        assert [request.doubtful for request in cognition.requests] == [()]
        await app.undo(report.run)
        assert (await held(app, insight)).needs_review == (paris.memory_id,)


@pytest.mark.parametrize("stands", [True, False])
async def test_what_is_partly_left_stands_or_falls_as_cognition_decides(tmp_path: Path, *, stands: bool) -> None:
    async with spine(tmp_path, Telling(reviews=stands)) as app:
        paris, wine = seen("罗小东住在巴黎"), seen("罗小东爱喝波尔多红酒")
        insight = an_insight("罗小东喜欢法国", paris, wine)
        await put(app, paris, wine, insight)
        await over(app, paris)
        await app.reflect(SCOPE)
        left = await held(app, insight)
        assert left.needs_review is None
        assert left.store_status is (StoreStatus.VALID if stands else StoreStatus.EXPIRED)
        if stands:
            assert left.depends_on == (wine.memory_id,)


async def test_what_is_not_decided_stays_in_doubt_and_is_asked_again_only_beside_other_news(tmp_path: Path) -> None:
    cognition = Telling()
    async with spine(tmp_path, cognition) as app:
        paris, wine = seen("罗小东住在巴黎"), seen("罗小东爱喝波尔多红酒")
        insight = an_insight("罗小东喜欢法国", paris, wine)
        await put(app, paris, wine, insight)
        await over(app, paris)
        await app.reflect(SCOPE)
        assert (await held(app, insight)).needs_review == (paris.memory_id,)
        head = await app.journal.ledger.head()
        assert await app.reflect(SCOPE) == []
        assert await app.journal.ledger.head() == head
        await put(app, a_memory("罗小东养了一只猫"))
        await app.reflect(SCOPE)
        assert [len(request.doubtful) for request in cognition.requests] == [1, 1]


async def test_a_chain_is_reviewed_from_below(tmp_path: Path) -> None:
    async with spine(tmp_path, Telling()) as app:
        paris, wine = seen("罗小东住在巴黎"), seen("罗小东爱喝波尔多红酒")
        first = an_insight("罗小东喜欢法国", paris)
        second = an_insight("罗小东会说法语", first)
        beside = an_insight("罗小东懂酒", wine)
        await put(app, paris, wine, first, second, beside)
        await over(app, paris)
        await app.reflect(SCOPE)
        states = [(await held(app, node)).store_status for node in (first, second, beside)]
        assert states == [StoreStatus.EXPIRED, StoreStatus.EXPIRED, StoreStatus.VALID]


async def test_rules_draw_an_insight_anew_from_what_is_left(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        needs = [a_memory(f"罗小东需要{what}", attribute="need", value=what) for what in ("换系统", "加报表", "上云")]
        await put(app, *needs)
        await app.reflect(SCOPE)
        [before] = await memories(app, INSIGHT)
        await over(app, await held(app, needs[0]))
        assert (await held(app, before)).needs_review == (needs[0].memory_id,)
        await app.reflect(SCOPE)
        after = await held(app, before)
        assert (after.value, after.needs_review) == ("加报表、上云", None)
        assert set(after.depends_on) == {node.memory_id for node in needs[1:]}
        await over(app, await held(app, needs[1]))
        await app.reflect(SCOPE)
        assert await valid(app, INSIGHT) == []


class Renewing(Telling):
    """Draws one insight of all it is shown, with the value of the latest."""

    async def reflect(self, request: ReflectionInput) -> Reflected:
        latest = max(request.observations, key=lambda node: node.valid_at)
        drawn = Insight(
            attribute="去处",
            value=latest.content[-2:],
            content=f"罗小东常去{latest.content[-2:]}",
            source_ids=tuple(node.memory_id for node in request.observations),
        )
        return Reflected((drawn,), Usage(calls=1))


async def test_an_insight_that_is_renewed_answers_of_the_time_before_what_it_said_then(tmp_path: Path) -> None:
    async with spine(tmp_path, Renewing()) as app:
        await put(app, a_memory("罗小东三月去北京", valid_at=NOON), a_memory("罗小东四月去北京", valid_at=NOON + DAY))
        await app.reflect(SCOPE)
        await put(app, a_memory("罗小东五月去上海", valid_at=NOON + 60 * DAY))
        [report] = await app.reflect(SCOPE)
        now, then = [node for node in await memories(app) if node.memory_type is INSIGHT]
        now, then = (now, then) if now.value == "上海" else (then, now)
        assert (now.valid_at, now.invalid_at) == (NOON + 60 * DAY, None)
        assert (then.content, then.valid_at, then.invalid_at) == ("罗小东常去北京", NOON + DAY, now.valid_at)
        assert (then.superseded_by, then.store_status) == (now.memory_id, StoreStatus.EXPIRED)
        asked = await app.recall(RecallQuery(SCOPE, "罗小东常去哪里", as_of=NOON + 10 * DAY, types=(INSIGHT,)))
        assert [hit.memory.content for hit in asked.hits] == ["罗小东常去北京", "罗小东常去上海"]
        await app.undo(report.run)
        [left] = [node for node in await memories(app) if node.memory_type is INSIGHT and node.is_valid(LATER)]
        assert (left.memory_id, left.value, left.valid_at) == (now.memory_id, "北京", NOON + DAY)


async def test_an_insight_holds_no_longer_than_the_first_of_what_it_rests_on(tmp_path: Path) -> None:
    async with spine(tmp_path, Renewing()) as app:
        await put(app, a_memory("罗小东在休假,去北京", invalid_at=NOON + DAY), a_memory("罗小东四月去北京"))
        await app.reflect(SCOPE)
        [drawn] = [node for node in await memories(app) if node.memory_type is INSIGHT]
        assert (drawn.valid_at, drawn.invalid_at) == (NOON, NOON + DAY)
        assert not drawn.is_valid(NOON + 2 * DAY)


async def test_nothing_is_drawn_of_what_is_never_true_together(tmp_path: Path) -> None:
    async with spine(tmp_path, Renewing()) as app:
        leave = a_memory("罗小东在休假,去北京", invalid_at=NOON + DAY)
        await put(app, leave, a_memory("罗小东下周去北京", valid_at=NOON + 7 * DAY))
        await app.reflect(SCOPE)
        assert [node for node in await memories(app) if node.memory_type is INSIGHT] == []


@pytest.mark.parametrize("erase", [False, True])
async def test_who_forgets_a_renewed_insight_forgets_what_it_said_before(tmp_path: Path, *, erase: bool) -> None:
    async with spine(tmp_path, Renewing()) as app:
        await put(app, a_memory("罗小东三月去北京", valid_at=NOON), a_memory("罗小东四月去北京", valid_at=NOON + DAY))
        await app.reflect(SCOPE)
        await put(app, a_memory("罗小东五月去上海", valid_at=NOON + 60 * DAY))
        await app.reflect(SCOPE)
        [now] = [node for node in await memories(app) if node.value == "上海"]
        await app.forget(Meant(SCOPE, ids=(now.memory_id,)), erase=erase)
        asked = await app.recall(RecallQuery(SCOPE, "罗小东常去哪里", as_of=NOON + 10 * DAY, types=(INSIGHT,)))
        assert asked.hits == ()


async def test_recall_ranks_what_is_in_doubt_down_and_shows_it(tmp_path: Path) -> None:
    async with spine(tmp_path, Telling()) as app:
        first, second = seen("王芳说过某事"), seen("李雷说过某事")
        doubtful = an_insight("罗小东喜欢法国红酒", first)
        sound = an_insight("罗小东喜欢法国红酒啊", second)
        await put(app, first, second, doubtful, sound)
        before = {hit.memory.memory_id: hit.score for hit in (await found(app, "喜欢法国红酒")).hits}
        await over(app, first)
        after = {hit.memory.memory_id: hit for hit in (await found(app, "喜欢法国红酒")).hits}
        assert after[doubtful.memory_id].score < 0.7 * before[doubtful.memory_id]
        assert after[doubtful.memory_id].memory.needs_review == (first.memory_id,)
        assert after[sound.memory_id].score > after[doubtful.memory_id].score
        assert (await app.index.verify()).ok


async def test_what_an_undo_restored_is_not_settled_again(tmp_path: Path) -> None:
    words = "罗小东喜欢喝咖啡"
    async with spine(tmp_path, Telling()) as app:
        await put(app, a_memory(words), a_memory(words))
        [report] = await app.reflect(SCOPE)
        assert await valid(app, OBSERVATION) == [words]
        await app.undo(report.run)
        assert await app.reflect(SCOPE) == []
        await put(app, a_memory("罗小东养了一只猫"))
        await app.reflect(SCOPE)
        assert (await valid(app, OBSERVATION)).count(words) == 2


async def test_pairs_nobody_can_decide_are_linked_until_somebody_does(tmp_path: Path) -> None:
    cognition = Telling()
    async with spine(tmp_path, cognition) as app:
        old, new = a_memory("罗小东觉得方案太贵了"), a_memory("罗小东觉得方案不算太贵", valid_at=NOON + DAY / 24)
        await put(app, old, new)
        await app.reflect(SCOPE)
        assert (await held(app, old)).conflicts_with == (new.memory_id,)
        assert (await held(app, new)).conflicts_with == (old.memory_id,)
        assert {len(hit.memory.conflicts_with) for hit in (await found(app, "方案太贵")).hits} == {1}
        assert await app.reflect(SCOPE) == []
        cognition.verdicts = "replaces"
        await put(app, a_memory("罗小东养了一只猫"))
        await app.reflect(SCOPE)
        ended, holds = await held(app, old), await held(app, new)
        assert (ended.store_status, holds.store_status) == (StoreStatus.EXPIRED, StoreStatus.VALID)
        assert (ended.conflicts_with, holds.conflicts_with) == ((), ())


async def test_a_verdict_decides_about_its_own_pair_alone(tmp_path: Path) -> None:
    class Partial(Telling):
        async def judge(self, pairs: Sequence[Pair]) -> Judged:
            dear = [pair for pair in pairs if "贵" in pair.new]
            return Judged(tuple(Verdict(number=pair.number, relation="replaces") for pair in dear), Usage(calls=1))

    async with spine(tmp_path, Partial()) as app:
        dear, not_dear = a_memory("罗小东觉得方案太贵了"), a_memory("罗小东觉得方案不算太贵", valid_at=NOON + DAY / 24)
        slow = a_memory("罗小东说发货速度有点慢")
        not_slow = a_memory("罗小东说发货速度不算太慢", valid_at=NOON + DAY / 24)
        await put(app, dear, not_dear, slow, not_slow)
        await app.reflect(SCOPE)
        states = [(await held(app, node)).store_status for node in (dear, not_dear, slow, not_slow)]
        assert states == [StoreStatus.EXPIRED, StoreStatus.VALID, StoreStatus.VALID, StoreStatus.VALID]
        assert (await held(app, slow)).conflicts_with == (not_slow.memory_id,)


async def test_an_unrelated_verdict_takes_the_link_off(tmp_path: Path) -> None:
    cognition = Telling()
    async with spine(tmp_path, cognition) as app:
        old, new = a_memory("罗小东觉得方案太贵了"), a_memory("罗小东觉得方案不算太贵", valid_at=NOON + DAY / 24)
        await put(app, old, new)
        await app.reflect(SCOPE)
        cognition.verdicts = "unrelated"
        await put(app, a_memory("罗小东养了一只猫"))
        await app.reflect(SCOPE)
        assert [(await held(app, node)).conflicts_with for node in (old, new)] == [(), ()]
        assert [(await held(app, node)).store_status for node in (old, new)] == [StoreStatus.VALID] * 2


async def test_a_contradiction_three_months_apart_is_found_among_many(tmp_path: Path) -> None:
    async with spine(tmp_path, Telling(), clock=ManualClock(NOON + 100 * DAY)) as app:
        old = seen("罗小东的电话是13800138000", attribute="phone", value="13800138000")
        many = [seen(f"罗小东在第{n}天谈到了{chr(0x4E00 + 7 * n)}{chr(0x5000 + 3 * n)}") for n in range(120)]
        new = a_memory("打13900139000找他", attribute="phone", value="13900139000", valid_at=NOON + 92 * DAY)
        await put(app, old, *many, new)
        await app.reflect(SCOPE)
        gone = await held(app, old)
        assert (gone.store_status, gone.superseded_by) == (StoreStatus.EXPIRED, new.memory_id)
        assert len(await valid(app, OBSERVATION)) == len(many) + 1


async def test_an_insight_from_several_talks_that_nothing_has_changed_for_a_while_becomes_long_term(
    tmp_path: Path,
) -> None:
    clock = ManualClock(LATER)
    async with spine(tmp_path, Telling(), clock=clock) as app:
        talks = [seen(f"罗小东第{n}次说要换系统", run_id=f"talk-{n}", valid_at=NOON - n * DAY) for n in range(3)]
        stable = an_insight("罗小东总想换系统", *talks)
        once = an_insight("罗小东提过报表", talks[0])
        await put(app, *talks, stable, once)
        await put(app, a_memory("罗小东养了一只猫"))
        await app.reflect(SCOPE)
        assert (await held(app, stable)).memory_type is INSIGHT, "too early"
        clock.advance(15 * DAY)
        await put(app, a_memory("罗小东去了海边"))
        [report] = await app.reflect(SCOPE)
        assert [(await held(app, node)).memory_type for node in (stable, once)] == [LONGTERM, INSIGHT]
        await app.undo(report.run)
        assert await held(app, stable) == stable


async def test_readings_and_small_talk_fade_out_of_scope_and_come_back_by_undo_for_good(tmp_path: Path) -> None:
    clock = ManualClock(NOON + 91 * DAY)
    async with spine(tmp_path, Telling(), clock=clock) as app:
        small = seen("罗小东说今天天气不错", importance=1)
        number = seen("罗小东的工号是7", importance=1, attribute="badge", value="7")
        weighty = seen("罗小东对花生过敏", importance=8)
        reading = a_memory("室温22度", memory_type=MemoryType.PERCEPTUAL, invalid_at=NOON + DAY)
        await put(app, small, number, weighty, reading)
        await put(app, a_memory("罗小东养了一只猫", created_at=clock.now()))
        [report] = await app.reflect(SCOPE)
        statuses = [(await held(app, node)).store_status for node in (small, number, weighty, reading)]
        assert statuses == [StoreStatus.EXPIRED, StoreStatus.VALID, StoreStatus.VALID, StoreStatus.EXPIRED]
        assert (await held(app, small)).invalid_at is None, "it is as true as it was"
        await app.undo(report.run)
        assert [await held(app, node) for node in (small, reading)] == [small, reading]
        await put(app, a_memory("罗小东去了海边", created_at=clock.now()))
        await app.reflect(SCOPE)
        assert [await held(app, node) for node in (small, reading)] == [small, reading]


async def test_a_dry_run_says_what_the_run_will_do_and_does_nothing(tmp_path: Path) -> None:
    words = "罗小东喜欢喝咖啡"
    async with spine(tmp_path, RulesCognition()) as app:
        first, again = a_memory(words), a_memory(words)
        insight = an_insight("罗小东爱咖啡", again)
        await put(app, first, again, insight)
        head = await app.journal.ledger.head()
        [previewed] = await app.preview_reflection(SCOPE)
        assert await app.journal.ledger.head() == head
        assert (await app.journal.queue.depth()).ready == 0
        [report] = await app.reflect(SCOPE)
        done = [entry.change for entry in await app.journal.ledger.of_run(TENANT, report.run)]
        assert [(item.act, item.memory_id, item.reason) for item in previewed.changes] == [
            (item.act, item.memory_id, item.reason) for item in done
        ]
        assert {item.memory_id for item in done if item.act == "review"} == {insight.memory_id}


async def test_more_than_a_window_of_news_is_looked_at_in_several_runs(tmp_path: Path) -> None:
    cognition = Telling()
    async with spine(tmp_path, cognition) as app:
        await put(app, *[a_memory(f"罗小东谈到了{chr(0x4E00 + 11 * n)}{chr(0x6000 + 5 * n)}") for n in range(120)])
        reports = await app.reflect(SCOPE)
        assert len(reports) == 3
        assert [node.obs_reflected for node in await memories(app, OBSERVATION)] == [1] * 120
        assert await app.journal.ledger.lanes_with_news(Scope(TENANT, AGENT)) == []


Answered = Callable[[str, str], list[tuple[str, bool, tuple[str, ...]]]]
"""Decisions (about what, whether it stands, on what) from the ids of a sound memory and of the one in doubt."""

REFUSED: dict[str, Answered] = {
    "about what was not in doubt": lambda sound, _: [(sound, False, ())],
    "about what is not there": lambda _, __: [(derived_id("invented"), False, ())],
    "standing on what was not offered": lambda _, doubtful: [(doubtful, True, (derived_id("invented"),))],
    "standing on nothing": lambda _, doubtful: [(doubtful, True, ())],
    "both ways": lambda sound, doubtful: [(doubtful, True, (sound,)), (doubtful, False, ())],
}


@pytest.mark.parametrize("answer", REFUSED.values(), ids=REFUSED)
async def test_a_decision_that_was_not_asked_for_is_refused_and_the_rest_of_the_answer_with_it(
    tmp_path: Path, answer: Answered
) -> None:
    class Overreaching(ScriptedCognition):
        async def reflect(self, request: ReflectionInput) -> Reflected:
            [doubtful] = request.doubtful
            items = answer(wine.memory_id, doubtful.memory_id)
            reviews = tuple(Review(memory_id=key, stands=stands, source_ids=ids) for key, stands, ids in items)
            return Reflected((), Usage(calls=1), reviews)

    async with spine(tmp_path, Overreaching()) as app:
        paris, wine = seen("罗小东住在巴黎"), seen("罗小东爱喝波尔多红酒")
        insight = an_insight("罗小东喜欢法国", paris, wine)
        await put(app, paris, wine, insight)
        await over(app, paris)
        before = await memories(app)
        assert await app.reflect(SCOPE) == []
        await app.drain(patience=PATIENCE)
        assert await memories(app) == before
        assert [letter.worker for letter in await app.journal.dead.dead(tenant=TENANT, limit=9)] == ["reflection"]


async def test_an_insight_on_memories_that_were_not_offered_is_refused(tmp_path: Path) -> None:
    class Inventing(ScriptedCognition):
        async def reflect(self, request: ReflectionInput) -> Reflected:
            made_up = Insight(attribute="x", value="y", content="z", source_ids=(a_memory("w").memory_id,))
            return Reflected((made_up,), Usage(calls=1))

    async with spine(tmp_path, Inventing()) as app:
        node = a_memory("罗小东喜欢喝咖啡")
        await put(app, node)
        assert await app.reflect(SCOPE) == []
        await app.drain(patience=PATIENCE)
        assert await held(app, node) == node
        assert [letter.worker for letter in await app.journal.dead.dead(tenant=TENANT, limit=9)] == ["reflection"]


class Withdrawing(ScriptedCognition):
    """Says of all that it is shown, and of more, that it holds no longer."""

    def __init__(self, *more: str) -> None:
        super().__init__()
        self.more, self.requests = more, list[ReflectionInput]()

    async def reflect(self, request: ReflectionInput) -> Reflected:
        self.requests.append(request)
        shown = (node.memory_id for node in (*request.observations, *request.insights))
        return Reflected((), Usage(calls=1), withdrawn=(*shown, *self.more))


async def test_what_time_has_ended_is_not_reflected_on(tmp_path: Path) -> None:
    ended, wine = a_memory("罗小东三月九号飞里斯本", invalid_at=NOON), seen("罗小东爱喝红酒")
    cognition = Withdrawing(ended.memory_id)
    async with spine(tmp_path, cognition) as app:
        await put(app, ended, wine)
        await app.reflect(Scope(TENANT, AGENT, wine.target_id))
        assert [[node.content for node in request.observations] for request in cognition.requests] == [[wine.content]]
        assert (await held(app, ended)).ending is Ending.ENDED


async def test_what_is_over_by_then_and_what_is_borne_out_no_more_ends_until_it_is_undone(tmp_path: Path) -> None:
    lisbon, wine = a_memory("罗小东三月九号飞里斯本"), seen("罗小东爱喝红酒")
    drawn, told = an_insight("罗小东很着急", wine), an_insight("罗小东要省钱", wine, kind=None)
    other = a_memory("李雷住在巴黎", target_id=derived_id("someone else"))
    cognition = Withdrawing(other.memory_id)
    async with spine(tmp_path, cognition) as app:
        await put(app, lisbon, wine, drawn, told, other)
        before = [await held(app, node) for node in (lisbon, drawn, told, other)]
        [report] = await app.reflect(Scope(TENANT, AGENT, lisbon.target_id))
        after = [(await held(app, node)).store_status for node in (lisbon, drawn, told, other)]
        over, valid_still = StoreStatus.EXPIRED, StoreStatus.VALID
        assert after == [over, over, valid_still, valid_still]
        assert [request.today for request in cognition.requests] == [LATER.date()]
        await app.undo(report.run)
        assert [(await held(app, node)).content for node in (lisbon, drawn, told, other)] == [b.content for b in before]
        assert {(await held(app, node)).store_status for node in (lisbon, drawn)} == {valid_still}
