"""The ways of looking for an answer, over memories that link people and things."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agentmem.adapters.cognition.llm.model_connection import LlmOptions
from agentmem.adapters.models.structured import ModelNarrator
from agentmem.answers.answer import AskMode, AskQuery, AskReply
from agentmem.domain.change import Change
from agentmem.domain.entity import Mention, named, with_mentions
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.errors import NotFound
from agentmem.ports.ledger import Commit
from agentmem.ports.models import Narrator
from agentmem.questions.form import AnswerMode
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from tests.support.index_kind import an_index
from tests.support.nodes import AGENT, NOON, TENANT, a_memory

SCOPE = Scope(TENANT, AGENT)
LUO = replace(SCOPE, target=named(TENANT, AGENT, "罗小东"))
MOVED = datetime(2025, 6, 1, tzinfo=UTC)


def said(content: str, about: str, *others: str, **fields: object) -> MemoryNode:
    ids = tuple(named(TENANT, AGENT, name) for name in (about, *others))
    mentions = with_mentions(tuple(Mention(name=name) for name in others))
    given: dict[str, object] = {"target_id": ids[0], "target_name": about, "entity_ids": ids, "meta_data": mentions}
    return a_memory(content, **{**given, **fields})


USES = said("罗小东在用AIP平台", "罗小东", "AIP平台", relation="USES", importance=9)
LEADS = said("AIP平台的负责人是李雷", "AIP平台", "李雷", relation="LED_BY")
REACHED = said("李雷的电话是13900001111", "李雷", attribute="phone", value="13900001111")
HATES = said("王芳不喜欢AIP平台", "王芳", "AIP平台", relation="DISLIKES")
BOUND = said("AIP平台依赖审核引擎", "AIP平台", "审核引擎", relation="DEPENDS_ON")
OLD = said(
    "罗小东的电话是13800138000",
    "罗小东",
    attribute="phone",
    value="13800138000",
    valid_at=datetime(2024, 12, 1, tzinfo=UTC),
    invalid_at=MOVED,
    expired_at=MOVED,
    store_status=StoreStatus.EXPIRED,
)
NEW = said("罗小东的电话是13911112222", "罗小东", attribute="phone", value="13911112222", valid_at=MOVED)
PLANTED = (USES, LEADS, REACHED, HATES, BOUND, OLD, NEW)


@asynccontextmanager
async def remembering(folder: Path, *nodes: MemoryNode) -> AsyncGenerator[App]:
    async with open_app(Settings(data=folder, tenant=TENANT, index=an_index())) as app:
        await app.know_agent(Persona(id=AGENT, name="小美", language="zh"))
        await write(app, "planted", *(Change(act="add", after=node) for node in nodes or PLANTED))
        await app.drain()
        yield app


async def write(app: App, run: str, *changes: Change) -> None:
    await app.journal.ledger.commit(Commit(TENANT, run, "test", NOON, changes))


async def asked(app: App, text: str, mode: AskMode, *, scope: Scope = SCOPE, depth: int = 2) -> AskReply:
    return await app.ask(AskQuery(scope, text, mode, depth=depth))


def contents(reply: AskReply) -> list[str]:
    return [source.memory.content for source in reply.sources]


async def test_local_tells_the_steps_from_whom_was_named_to_what_was_asked(tmp_path: Path) -> None:
    async with remembering(tmp_path) as app:
        reply = await asked(app, "罗小东用的平台的负责人是谁?", "local")
        again = await app.library.replay(reply, AskQuery(SCOPE, reply.question))
        nobody = await asked(app, "Which submarine museum did the volcano sponsor?", "local")
    assert contents(reply)[:2] == [USES.content, LEADS.content]
    assert reply.text is not None
    assert "李雷 [2]" in reply.text
    assert reply.extractive
    assert "(罗小东)-[USES:罗小东在用AIP平台]->(AIP平台)" in reply.graph
    assert any(line.startswith("(罗小东:") for line in reply.graph)
    assert again == reply.sources
    assert (nobody.text, nobody.sources) == (None, ())


async def test_what_two_have_to_do_with_one_another_is_what_leads_from_one_to_the_other(tmp_path: Path) -> None:
    async with remembering(tmp_path) as app:
        reply = await asked(app, "王芳和罗小东是什么关系?", "auto")
    assert reply.mode == "local"
    assert contents(reply)[:2] == [HATES.content, USES.content]


async def test_traverse_stays_within_its_calls_and_reaches_as_far_as_it_may(tmp_path: Path) -> None:
    async with remembering(tmp_path) as app:
        near = await asked(app, "罗小东用的平台的负责人的电话是多少?", "traverse", depth=1)
        far = await asked(app, "罗小东用的平台的负责人的电话是多少?", "traverse", depth=3)
    walked = [{key for step in reply.trace if step.kind == "walk" for key in step.memory_ids} for reply in (near, far)]
    assert USES.memory_id in walked[0]
    assert REACHED.memory_id not in walked[0]
    assert {USES.memory_id, LEADS.memory_id, REACHED.memory_id} <= walked[1]
    for reply, depth in ((near, 1), (far, 3)):
        parts = reply.trace[0].note.split(" | ")
        assert reply.trace[0].kind == "split"
        assert len(reply.trace) <= 1 + 2 * len(parts) * depth + 1
    assert far.text is not None
    assert "13900001111" in far.text
    hops = [contents(far).index(node.content) for node in (USES, LEADS, REACHED) if node.content in contents(far)]
    assert hops == sorted(hops)


async def test_a_chain_of_four_is_walked_as_far_as_the_depth_allows(tmp_path: Path) -> None:
    names = ("安装队", "蓝鲸平台", "赤松引擎", "白鹭网关")
    chain = [said(f"{one}依赖{next_one}", one, next_one) for one, next_one in pairwise(names)]
    async with remembering(tmp_path, *chain) as app:
        replies = [await asked(app, "安装队怎么样?", "traverse", depth=depth) for depth in (1, 2, 3)]
    walked = [{key for step in reply.trace if step.kind == "walk" for key in step.memory_ids} for reply in replies]
    assert [[node.memory_id in found for node in chain] for found in walked] == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


async def test_traverse_finds_an_end_that_shares_no_word_with_the_question(tmp_path: Path) -> None:
    beginning = said("Project Northlight is led by Callum Strake.", "Project Northlight", "Callum Strake")
    end = said("Callum Strake roasts coffee on the roof", "Callum Strake")
    nerves = [said(f"Visitor {number} leads a choir and calms nerves", f"Visitor {number}") for number in "abc"]
    async with remembering(tmp_path, beginning, end, *nerves) as app:
        query = AskQuery(SCOPE, "How does the leader of Project Northlight calm his nerves?", "traverse", 4)
        far = await app.ask(query)
        near = await app.ask(replace(query, mode="vector"))
        auto = await app.ask(replace(query, mode="auto"))
    assert {beginning.memory_id, end.memory_id} <= set(far.looked_at)
    assert end.memory_id not in near.looked_at
    assert auto.mode == "traverse"


async def test_what_a_traversal_looked_at_is_shown_where_it_has_no_answer(tmp_path: Path) -> None:
    async with remembering(tmp_path) as app:
        reply = await asked(app, "王芳的祖父参加过哪场战役?", "traverse")
    assert reply.text is None
    assert HATES.memory_id in reply.looked_at


async def test_traverse_answers_each_part_of_a_question(tmp_path: Path) -> None:
    async with remembering(tmp_path) as app:
        reply = await asked(app, "罗小东和李雷的电话是多少?", "auto")
    assert reply.mode == "traverse"
    assert reply.text is not None
    assert "13911112222" in reply.text
    assert "13900001111" in reply.text
    assert "13800138000" not in reply.text


@pytest.mark.parametrize("mode", ["vector", "local", "hybrid", "traverse", "auto"])
@pytest.mark.parametrize("question", ["赵敏的电话是多少?", "What is Petra Novak's phone number?"])
async def test_whom_nobody_knows_is_not_given_another_ones_number(tmp_path: Path, mode: AskMode, question: str) -> None:
    async with remembering(tmp_path) as app:
        reply = await asked(app, question, mode)
    assert reply.text is None
    assert reply.sources == ()


async def test_another_name_of_somebody_is_no_strangers(tmp_path: Path) -> None:
    alias = said("李雷也叫雷子", "李雷", attribute="alias", value="雷子")
    async with remembering(tmp_path, REACHED, alias) as app:
        reply = await asked(app, "雷子的电话是多少?", "vector")
    assert reply.text is not None
    assert "13900001111" in reply.text


@pytest.mark.parametrize(
    ("question", "choices", "right"),
    [
        ("罗小东用的平台的负责人是谁?", ("王芳", "李雷", "赵敏"), 2),
        ("罗小东用的平台的负责人是谁?", ("赵敏", "孙立"), None),
        ("月球的背面是谁发现的?", ("王芳", "李雷"), None),
    ],
)
async def test_of_several_choices_the_number_of_the_right_one_is_told(
    tmp_path: Path, question: str, choices: tuple[str, ...], right: int | None
) -> None:
    async with remembering(tmp_path) as app:
        reply = await app.ask(AskQuery(SCOPE, question, "traverse", choices=choices))
    assert reply.choice == right


async def test_temporal_tells_what_held_when(tmp_path: Path) -> None:
    async with remembering(tmp_path) as app:
        then = await asked(app, "2025年1月罗小东的电话是多少?", "auto")
        before = await asked(app, "罗小东以前的电话是多少?", "auto")
        now = await asked(app, "罗小东的电话是多少?", "temporal")
    assert then.mode == before.mode == "temporal"
    assert then.text is not None
    assert "13800138000" in then.text
    assert "13911112222" not in then.text
    assert before.text is not None
    assert "2024-12-01 至 2025-06-01" in before.text
    assert now.text is not None
    assert "13911112222（2025-06-01 至今）" in now.text
    assert "13800138000" not in now.text
    assert [step.kind for step in now.trace] == ["search", "walk", "fuse", "extract"]


@pytest.mark.parametrize("way", get_args(AnswerMode))
async def test_within_one_person_nothing_of_others_is_seen_whatever_the_way(tmp_path: Path, way: AnswerMode) -> None:
    async with remembering(tmp_path) as app:
        questions = ("AIP平台怎么样, 李雷的电话是多少?", "总结一下AIP平台的情况", "王芳和罗小东是什么关系?")
        replies = [await asked(app, question, way, scope=LUO, depth=3) for question in questions]
    own = {node.memory_id for node in (USES, OLD, NEW)}
    for reply in replies:
        assert {key for step in reply.trace for key in step.memory_ids} <= own
        assert {source.memory.memory_id for source in reply.sources} <= own
        shown = " ".join((*reply.graph, reply.text or "", *(step.note for step in reply.trace)))
        assert "13900001111" not in shown
        assert "不喜欢" not in shown


async def test_global_reads_communities_and_auto_goes_on_where_there_are_none(tmp_path: Path) -> None:
    lane = named(TENANT, AGENT, "graph")
    community = said("客户们主要在用AIP平台,负责人是李雷", "小美", memory_type=MemoryType.COMMUNITY, target_id=lane)
    async with remembering(tmp_path, REACHED, NEW) as app:
        none = await asked(app, "总结一下大家在用什么平台", "global")
        instead = await asked(app, "总结一下大家在用什么平台", "auto")
        await write(app, "more", Change(act="add", after=community))
        await app.drain()
        some = await asked(app, "总结一下大家在用什么平台", "global")
        both = await asked(app, "总结一下大家在用什么平台", "hybrid")
    assert none.text is None
    assert instead.mode == "hybrid"
    assert contents(some) == [community.content]
    assert community.content in contents(both)
    assert "fuse" in {step.kind for step in both.trace}


async def test_an_overview_of_one_person_is_made_of_what_is_known_of_him(tmp_path: Path) -> None:
    async with remembering(tmp_path) as app:
        reply = await asked(app, "总结一下整体情况", "global", scope=LUO)
    assert reply.text is not None
    assert set(contents(reply)) <= {USES.content, NEW.content}


async def test_a_replay_shows_the_sources_as_they_were(tmp_path: Path) -> None:
    async with remembering(tmp_path) as app:
        query = AskQuery(SCOPE, "介绍一下罗小东")
        reply = await app.ask(query)
        held = (await app.journal.ledger.get(TENANT, [USES.memory_id]))[USES.memory_id]
        later = app.clock.now()
        changed = Change(act="refresh", before=held, after=held.revised(content="罗小东不用AIP平台了", revision=2))
        await app.journal.ledger.commit(Commit(TENANT, "later", "test", later, (changed,)))
        again = await app.library.replay(reply, query)
        with pytest.raises(NotFound):
            await app.library.replay(reply, replace(query, scope=Scope("globex", AGENT)))
    assert reply.mode == "local"
    assert [(one.number, one.memory.content) for one in again] == [
        (one.number, one.memory.content) for one in reply.sources
    ]


async def test_a_model_that_leads_a_traversal_is_asked_no_more_often_than_its_bound(tmp_path: Path) -> None:
    asked_of: list[str] = []

    def say(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        (tool,) = info.output_tools
        wanted = set(tool.parameters_json_schema["properties"])
        asked_of.append("+".join(sorted(wanted)))
        parts = ["罗小东用什么平台", "AIP平台的负责人是谁"]
        answer = {"questions": parts, "summary": "罗小东用AIP平台。", "answer": "李雷", "passages": [1]}
        return ModelResponse(parts=[ToolCallPart(tool.name, {key: answer[key] for key in wanted})])

    narrator = ModelNarrator(LlmOptions(structured="tool", model=FunctionModel(say)))

    async def load() -> Narrator:
        return narrator

    async with remembering(tmp_path) as app:
        query = AskQuery(SCOPE, "罗小东用的平台的负责人是谁?", "traverse", depth=2)
        reply = await replace(app, narrator=load).ask(query)
    assert asked_of[0] == "questions"
    assert asked_of[-1] == "answer+passages"
    assert set(asked_of[1:-1]) == {"summary"}
    assert len(asked_of) == reply.usage.calls <= 1 + 2 * 2 * 2 + 1
    assert (reply.text, reply.extractive, reply.trace[-1].kind) == ("李雷", False, "narrate")
    assert len(reply.sources) == 1


@pytest.mark.parametrize(
    "question",
    ["罗小东是什么血型?", "罗小东在哪里出生?", "罗小东穿多大的鞋?", "How tall is 罗小东?", "Who is his dentist?"],
)
async def test_few_memories_answer_nothing_that_was_never_told(tmp_path: Path, question: str) -> None:
    talk = (
        said(text, "罗小东", memory_type=MemoryType.CONVERSATION, speaker="罗小东", run_id="talk")
        for text in ("我换了辆车,两个座的。", "停车费涨到400了。", "周六的球赛取消了。", "我妈每周三去跳舞。")
    )
    async with remembering(tmp_path, *talk) as app:
        reply = await app.ask(AskQuery(LUO, question))
    assert reply.text is None
