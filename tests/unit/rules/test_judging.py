"""Pairs decided by words and polarity alone."""

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.adapters.cognition.rules.judging import judged
from agentmem.domain.statement import Pair


@pytest.mark.parametrize(
    ("new", "old", "relation"),
    [
        ("陈立每天跑五公里。", "陈立每天跑五公里", "same"),
        ("陈立不希望添加自动能力", "陈立希望在系统中添加自动能力", "contradicts"),
        ("陈立希望在社保系统中取消自动能力", "陈立希望在社保系统中添加自动能力", "contradicts"),
        ("陈立每天早上跑五公里", "陈立每天跑五公里", "contained"),
        ("陈立的预算是三万", "陈立的预算是五万", "unrelated"),
        ("陈立喜欢苹果", "陈立住在上海", "unrelated"),
        ("Tom Hale no longer needs the analytics add-on", "Tom Hale needs the analytics add-on", "contradicts"),
        ("Tom Hale needs a CRM for 15 users by May", "Tom Hale needs a CRM by May", "contained"),
        ("Tom Hale likes tea", "Tom Hale drives a van", "unrelated"),
        ("陈立每天早上都跑五公里", "陈立每天早上跑五公里", "same"),
        ("陈立现在还是每天早上跑五公里", "陈立每天早上都跑五公里", "same"),
        ("陈立现在还是每天早上跑八公里", "陈立每天早上都跑五公里", "unrelated"),
        ("陈立住在成都", "陈立住在成市", "unrelated"),
        ("Tom Hale still drives a van", "Tom Hale drives a van", "same"),
        ("Tom Hale usually drives a van", "Tom Hale drives a truck", "unrelated"),
        ("陈立希望把看房改到周五", "陈立约了周三看房", "contradicts"),
    ],
)
def test_a_pair_is_decided(new: str, old: str, relation: str) -> None:
    assert judged(Pair(number=3, new=new, old=old)).relation == relation


async def test_every_pair_gets_its_own_number_back() -> None:
    pairs = [Pair(number=n, new="a", old="b") for n in (1, 2, 5)]
    assert [verdict.number for verdict in (await RulesCognition().judge(pairs)).verdicts] == [1, 2, 5]


async def test_no_pairs_need_no_verdict() -> None:
    assert (await RulesCognition().judge([])).verdicts == ()
