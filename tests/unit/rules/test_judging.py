"""Pairs decided by words and polarity alone."""

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.adapters.cognition.rules.judging import judged
from agentmem.domain.statement import Pair


@pytest.mark.parametrize(
    ("new", "old", "relation"),
    [
        ("陈立每天跑五公里。", "陈立每天跑五公里", "same"),
        ("陈立不希望添加自动能力", "陈立希望在系统中添加自动能力", "replaces"),
        ("陈立希望在社保系统中取消自动能力", "陈立希望在社保系统中添加自动能力", "replaces"),
        ("陈立每天早上跑五公里", "陈立每天跑五公里", "adds"),
        ("陈立的预算是三万", "陈立喜欢咖啡", "unrelated"),
        ("陈立喜欢苹果", "陈立住在上海", "unrelated"),
        ("Tom Hale no longer needs the analytics add-on", "Tom Hale needs the analytics add-on", "replaces"),
        ("Tom Hale needs a CRM for 15 users by May", "Tom Hale needs a CRM by May", "adds"),
        ("Tom Hale likes tea", "Tom Hale drives a van", "unrelated"),
        (
            "Tom Hale sends his three daughters to the riding school behind the old station with Marta, Priya and Jo",
            "Tom Hale sends his three daughters to the riding school behind the old station with Marta and Priya",
            "adds",
        ),
        ("Tom Hale says the plumber at the hotel quit", "Tom Hale is a plumber", "unrelated"),
        ("Tom Hale says the midwife on their ward has left", "Tom Hale works as a midwife", "unrelated"),
        ("Tom Hale is no longer a plumber", "Tom Hale is a plumber", "replaces"),
        ("Tom Hale is no longer the manager of the shop", "Tom Hale is a manager", "replaces"),
        ("Tom Hale sold the Volvo", "Tom Hale's car is a Volvo", "replaces"),
        ("Tom Hale says the Volvo was sold", "Tom Hale's car is a Volvo", "replaces"),
        ("Tom Hale says the nurse on their ward has left", "Tom Hale's sister is a nurse", "unrelated"),
        ("Tom Hale's son isn't allergic to nuts any more", "Tom Hale is allergic to nuts", "unrelated"),
        ("Tom Hale isn't allergic to nuts any more", "Tom Hale's son is allergic to nuts", "unrelated"),
        ("Tom Hale's daughter gave up the cello", "Tom Hale plays the cello", "unrelated"),
        ("Tom Hale's daughter gave up the cello", "Tom Hale's daughter plays the cello", "replaces"),
        ("陈立的女儿不弹钢琴了", "陈立弹钢琴", "unrelated"),
        ("陈立的小区的厨师辞职了", "陈立是厨师", "unrelated"),
        ("陈立是医院的护士", "陈立是护士", "adds"),
        ("陈立不是厨师了", "陈立是厨师", "replaces"),
        ("陈立每天早上都跑五公里", "陈立每天早上跑五公里", "same"),
        ("陈立现在还是每天早上跑五公里", "陈立每天早上都跑五公里", "same"),
        ("陈立现在每天早上跑八公里", "陈立每天早上都跑五公里", "replaces"),
        ("陈立住在成都", "陈立住在成市", "unrelated"),
        ("Tom Hale still drives a van", "Tom Hale drives a van", "same"),
        ("Tom Hale usually drives a van", "Tom Hale drives a truck", "unrelated"),
        ("陈立希望把看房改到周五", "陈立约了周三看房", "replaces"),
        ("陈立说首批货改为5月12日(2026-05-12)前到", "陈立的首批货须在4月30日(2026-04-30)前到", "replaces"),
        ("陈立的女儿六年级了", "陈立的女儿今年五年级", "replaces"),
        ("陈立现在在京东做运营", "陈立在顺丰做客服", "replaces"),
        ("陈立没再吃油条", "陈立早饭吃油条", "replaces"),
        ("Tom Hale says plot 22's gone to Farah", "Tom Hale has plot 22 at Heath Lane", "replaces"),
        ("Tom Hale has gone vegan now", "Tom Hale is vegetarian", "replaces"),
        ("Tom Hale's party is pushed back to 11 July", "Tom Hale's party is on 6 June", "replaces"),
        ("Tom Hale left Meadowbrook in May", "Tom Hale runs procurement at Meadowbrook Foods", "replaces"),
        ("Tom Hale drives a little Fiat now", "Tom Hale doesn't drive", "replaces"),
        ("Tom Hale would love to live in Rome now", "Tom Hale lives in Paris", "unrelated"),
        ("Tom Hale moved to Friday for the call", "Tom Hale lives in Paris", "unrelated"),
        ("Tom Hale has a party on 11 July", "Tom Hale's holiday is on 6 June", "unrelated"),
        ("Tom Hale has gone vegan now", "Tom Hale's budget is 3,000 now", "unrelated"),
        ("陈立的奶粉改到三段了", "陈立的驾照考到二级了", "unrelated"),
    ],
)
def test_a_pair_is_decided(new: str, old: str, relation: str) -> None:
    verdict = judged(Pair(number=3, new=new, old=old, names=("陈立", "Tom Hale")))
    assert verdict is not None
    assert verdict.relation == relation


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Tom Hale's budget is 100 now", "Tom Hale has R95 000 as budget"),
        (
            "Tom Hale's team is up to fourteen people now",
            "Tom Hale is head of supply at Tidewater, team of nine people",
        ),
        ("Tom Hale runs every day for 8 km at the lake", "Tom Hale runs every day for 5 km at the lake"),
        ("陈立只有三个人了", "陈立一家四个人"),
        ("Tom Hale would like to make it 450 pieces", "Tom Hale needs 400 of the bearings"),
    ],
)
def test_what_may_replace_another_is_left_open(new: str, old: str) -> None:
    assert judged(Pair(number=1, new=new, old=old, names=("陈立", "Tom Hale"))) is None


async def test_every_pair_gets_its_own_number_back() -> None:
    pairs = [Pair(number=n, new="a", old="b") for n in (1, 2, 5)]
    assert [verdict.number for verdict in (await RulesCognition().judge(pairs)).verdicts] == [1, 2, 5]


async def test_no_pairs_need_no_verdict() -> None:
    assert (await RulesCognition().judge([])).verdicts == ()
