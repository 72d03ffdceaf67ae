"""Recalls never influence one another, and nobody is ever shown what another house said."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from agentmem.domain.scope import Principal
from agentmem.retrieval.query import Recalled, RecallQuery
from agentmem.runtime.host.clocks import ManualClock
from tests.support.houses import SPOTS, Houses, Spot
from tests.support.spine import LATER, spine

pytestmark = pytest.mark.thorough

ABREAST, MANY_ABREAST = 40, 100
FEW_OPERATIONS, MANY_OPERATIONS = 1_500, 10_000
"""Here and in soak."""

ASKED, OTHERS = ([spot for spot in SPOTS if (spot.tenant == "社保局") is other] for other in (False, True))
FEW = [spot for spot in SPOTS if spot.tenant in ("acme", "ACME", "a%me") and spot.agent != "seller2"]


async def wander(folder: Path, operations: int, index: Mapping[str, object], spots: Sequence[Spot]) -> Houses:
    """So many random operations on houses in one app; every answer on the way is looked through."""
    clock, random = ManualClock(LATER), Random(operations)
    async with spine(folder, clock=clock, index=index) as app:
        houses = Houses(app, random, spots=spots)
        await houses.open()
        while houses.done < operations:
            await houses.write(random.randrange(40, 120))
            await houses.end(random.randrange(20))
            await houses.speak(random.randrange(1, 6))
            if random.random() < 0.5:
                await houses.undo()
            if random.random() < 0.2:
                await houses.purge()
            if random.random() < 0.1:
                await app.drain()
            await asyncio.gather(*(houses.ask() for _ in range(14)))
            clock.advance(timedelta(hours=random.randrange(12)))
    return houses


@pytest.mark.longer
async def test_no_canary_of_one_house_is_ever_seen_in_another_over_many_operations(tmp_path: Path, longer: int) -> None:
    operations = FEW_OPERATIONS if longer == 1 else MANY_OPERATIONS
    houses = await wander(tmp_path, operations, {"kind": "edge"}, SPOTS)

    assert houses.done >= operations
    assert houses.seen > operations // 10, "canaries were there to be seen by their own"


async def test_no_canary_is_seen_elsewhere_over_the_store_of_a_client_either(tmp_path: Path) -> None:
    houses = await wander(tmp_path, 400, {"kind": "qdrant", "path": tmp_path / "qdrant"}, FEW)

    assert houses.seen > 20


@pytest.mark.parametrize("reranker", ["none", "mmr"])
@pytest.mark.longer
async def test_recalls_at_once_answer_as_they_do_one_by_one(tmp_path: Path, reranker: str, longer: int) -> None:
    abreast = ABREAST if longer == 1 else MANY_ABREAST
    async with spine(tmp_path, recall={"reranker": reranker}) as app:
        houses, others = (Houses(app, Random(7), spots=spots) for spots in (ASKED, OTHERS))
        await houses.open()
        for _ in range(12):
            await houses.write(60)
            await houses.speak(8)
        await app.drain()
        await houses.speak(8)  # these nobody has read yet
        queries = [houses.query() for _ in range(abreast)]
        owners = {
            tenant: app.for_principal(Principal.owner(tenant)) for tenant in {query.scope.tenant for query in queries}
        }

        async def recall(query: RecallQuery) -> Recalled:
            return await owners[query.scope.tenant].recall(query)

        at_once = await asyncio.gather(*map(recall, queries))
        others_write = asyncio.gather(*(others.write(20) for _ in range(10)))
        while_others_write = await asyncio.gather(*map(recall, queries))
        await others_write
        one_by_one = [await recall(query) for query in reversed(queries)][::-1]

    assert at_once == one_by_one
    assert while_others_write == one_by_one
    assert sum(bool(answer.hits) for answer in one_by_one) > abreast // 3
    assert len({(query.scope, query.k, query.types, query.profile, query.as_of) for query in queries}) > abreast // 2
