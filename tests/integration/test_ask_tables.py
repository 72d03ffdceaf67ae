"""A row of a table that was taken in answers by its fields, and for nothing else."""

from pathlib import Path

from agentmem.answers.answer import AskQuery
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from tests.support.index_kind import an_index

TABLES = {
    "shop.csv": "sku,item,price_eur,stock\nT-4,Oak table,310.00,8\nL-2,Desk lamp,45.50,61\nC-9,Stool,29.90,17\n",
    "价目.csv": "编号,商品,价格,库存\nB1,书柜,880,6\nB2,台灯,120,45\n",
}
ASKED = [
    ("What does the Oak table cost?", "310.00"),
    ("How many Desk lamps are in stock?", "61"),
    ("What is the stock of the Stool?", "17"),
    ("书柜多少钱", "880"),
    ("台灯的库存是多少", "45"),
    ("What does the Steel shelf cost?", None),
    ("How many Steel shelves are in stock?", None),
    ("窗帘多少钱", None),
    ("窗帘的库存是多少", None),
]


async def test_a_row_answers_for_what_it_is_of(tmp_path: Path) -> None:
    for name, text in TABLES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    async with open_app(Settings(data=tmp_path / "store", index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        await app.library.ingest("clerk", [tmp_path / name for name in TABLES])
        await app.drain()
        for question, value in ASKED:
            told = ((await app.ask(AskQuery(Scope("default", "clerk"), question))).text or "").splitlines()
            assert [value in line for line in told if value] == ([True] if value else []), question
            assert bool(told) == bool(value), question
