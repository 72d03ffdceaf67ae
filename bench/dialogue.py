"""Made-up dialogue and memories for measurements: seeded, in both languages, of ordinary length."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from agentmem.domain.event import ConversationEnded, Event, Person, TurnSpoken
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.memory import MemoryNode, MemoryType, local_day, microseconds

TENANT, AGENT = "bench", "seller"
START = datetime(2026, 1, 5, 9, tzinfo=UTC)

_THINGS = (
    *("系统", "报表", "仓库", "订单", "发票", "合同", "客服", "考勤", "库存", "官网"),
    *("app", "数据库", "打印机", "机房", "会议室", "培训", "物流", "展厅", "样品", "账号"),
)
_VERBS = (
    "升级",
    "更换",
    "维护",
    "采购",
    "对接",
    "迁移",
    "扩容",
    "试用",
    "部署",
    "取消",
    "延期",
    "整理",
    "测试",
    "验收",
)
_PLACES = ("上海", "北京", "杭州", "成都", "广州", "苏州", "Leeds", "Boston", "Berlin", "Madrid", "武汉", "青岛")
_NOUNS = (
    *("warehouse", "invoice", "dashboard", "clinic", "training", "contract"),
    *("printer", "migration", "showroom", "shipment", "license", "kitchen"),
)
_TRAITS = ("slow", "outdated", "expensive", "reliable", "noisy", "small", "crowded", "manual", "fragile", "useful")


def person(number: int) -> Person:
    """Customer `number`."""
    return Person(name=f"客户{number}")


def target(number: int) -> str:
    """His entity id."""
    return entity_id(TENANT, AGENT, person(number).name)


def sentence(dice: random.Random) -> str:
    """Something a customer might say."""
    thing, verb, place, noun = (dice.choice(words) for words in (_THINGS, _VERBS, _PLACES, _NOUNS))
    return dice.choice(
        (
            f"我们想{verb}{place}的{thing},大概{dice.randint(2, 90)}个",
            f"我的电话是1{dice.randint(3, 9)}{dice.randint(10**8, 10**9 - 1)}",
            f"目前用的{thing}比较老旧,在{place}",
            f"we need a new {noun} for {dice.randint(2, 400)} people in {place}",
            f"our {noun} is {dice.choice(_TRAITS)} and the {thing} needs work",
            f"预算大概{dice.randint(1, 80)}万,希望{verb}{thing}",
            f"能不能给{thing}加点{dice.choice(_NOUNS)}",
            f"下周{dice.choice('一二三四五')}下午三点可以来{place}看{thing}",
        )
    )


def conversations(people: int, turns: int, seed: int = 7) -> Iterator[list[Event]]:
    """One conversation per customer: `turns` turns, then its end."""
    dice = random.Random(seed)
    for number in range(people):
        run = f"talk-{number}"
        shared = {"tenant": TENANT, "agent_id": AGENT, "agent_name": "小美", "target_id": target(number)}
        spoken: list[Event] = [
            TurnSpoken(
                **shared,
                event_id=f"{run}/{turn}",
                person=person(number),
                by_agent=turn % 2 == 0,
                text="请问还有什么需要了解的吗?" if turn % 2 == 0 else sentence(dice),
                run_id=run,
                turn_index=turn,
                at=START + timedelta(seconds=20 * turn),
            )
            for turn in range(turns)
        ]
        yield [*spoken, ConversationEnded(**shared, event_id=f"{run}/end", run_id=run, at=START + timedelta(hours=1))]


def memories(count: int, people: int, seed: int = 7, first: int = 0, each: int = 1) -> Iterator[MemoryNode]:
    """Observations, dealt out evenly to `people` customers, `each` at a time."""
    dice = random.Random(seed)
    for number in range(first, first + count):
        who = number // each % people
        at = START + timedelta(minutes=number)
        yield MemoryNode(
            memory_id=derived_id("bench", number),
            tenant=TENANT,
            agent_id=AGENT,
            user_name="小美",
            target_id=target(who),
            target_name=person(who).name,
            run_id=f"talk-{who}",
            memory_type=MemoryType.OBSERVATION,
            content=f"{person(who).name}:{sentence(dice)}",
            key=(dice.choice(_THINGS),),
            timestamp=microseconds(at),
            dt=local_day(at),
            valid_at=at,
            created_at=at,
        )
