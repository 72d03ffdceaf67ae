"""A request names an owner and a thing: only what is his goes, whoever else has the same."""

from pathlib import Path
from typing import Final, NamedTuple

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.event import Person
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import SCOPE, quiet_persona, spine


class Case(NamedTuple):
    """What was said, what is asked for, what nobody tells any more, and what stays."""

    lines: tuple[str, ...]
    request: str
    gone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


CASES: Final = (
    Case(
        ("My phone number is 555-0301.", "My cousin Ivo's phone number is 555-0302."),
        "Forget my phone number.",
        ("555-0301",),
        ("555-0302",),
    ),
    Case(
        ("My phone number is 555-0301.", "My cousin Ivo's phone number is 555-0302."),
        "Forget Ivo's phone number.",
        ("555-0302",),
        ("555-0301", "My cousin Ivo"),
    ),
    Case(
        (
            "I am allergic to celery.",
            "My niece is allergic to latex.",
            "My uncle is called Bram.",
            "Bram is allergic to soy.",
        ),
        "Forget my uncle's allergy.",
        ("soy",),
        ("celery", "latex", "Bram"),
    ),
    Case(
        ("My birthday is 4 June and my wife's is 11 July.",),
        "Forget my birthday.",
        ("4 June",),
        ("11 July",),
    ),
    Case(
        ("My address is 3 Elm Road.", "My aunt lives at 8 Pine Road.", "She has moved, her address is 9 Fir Road now."),
        "Forget my aunt's address, but keep mine.",
        ("8 Pine Road", "9 Fir Road"),
        ("3 Elm Road",),
    ),
    Case(
        ("My address is 3 Elm Road.", "My aunt's address is 8 Pine Road."),
        "Forget the addresses but keep my aunt's.",
        ("3 Elm Road",),
        ("8 Pine Road",),
    ),
    Case(
        ("I weigh 84 kilos.", "I am 182 cm tall.", "I am left-handed."),
        "Forget my weight, keep the rest.",
        ("84",),
        ("182", "left-handed"),
    ),
    Case(
        ("My brother works at Corvel.", "My brother left, he works at Halden now."),
        "Forget my brother's old job.",
        ("Corvel",),
        ("Halden",),
    ),
    Case(
        ("Mia's number is 555-0303 and Lea's number is 555-0304.",), "Forget her number.", (), ("555-0303", "555-0304")
    ),
    Case(
        ("My cousin Max plays chess.", "My boss is called Max too, he plays golf."),
        "Forget what Max plays.",
        (),
        ("chess", "golf"),
    ),
    Case(
        ("I was diagnosed with asthma.", "My son was diagnosed with eczema."),
        "Forget the diagnosis.",
        (),
        ("asthma", "eczema"),
    ),
    Case(
        ("My office line is 555-0305 and my home line is 555-0306.",), "Forget 555-0305.", ("555-0305",), ("555-0306",)
    ),
    Case(
        ("我的生日是6月4日。", "我老婆的生日是7月11日。"),
        "忘掉我的生日,我老婆的留着。",
        ("6月4日",),
        ("7月11日",),
    ),
    Case(
        ("我舅舅换手机号了,新号是13900001111。", "我的手机号是13900002222。"),
        "忘掉我舅舅的手机号",
        ("13900001111",),
        ("13900002222",),
    ),
    Case(("我对虾过敏。", "我女儿对牛奶过敏。"), "忘掉我的过敏", ("虾",), ("牛奶",)),
    Case(("我对虾过敏。", "我女儿对牛奶过敏。"), "请忘掉我女儿的过敏", ("牛奶",), ("虾",)),
    Case(("我住在青山路7号。", "我同事老钱住在白云街9号。"), "我的地址不要留。", ("青山路7号",), ("白云街9号",)),
    Case(("我住在青山路7号。", "我同事老钱住在白云街9号。"), "老钱的地址不要留。", ("白云街9号",), ("青山路7号",)),
    Case(("小芳的生日是3月8日,小琴的生日是5月6日。",), "忘掉她的生日。", (), ("3月8日", "5月6日")),
    Case(("我身高178厘米,体重80公斤。", "我是左撇子。"), "忘掉我的身高,别的留着。", ("178厘米",), ("80公斤", "左撇子")),
)


LOOKALIKES: Final = (
    ("Forget my phone number.", "My phone number is 555-0301.", "My library number is 4471209."),
    ("Forget my email.", "My email is nora@fir.example.", "I ate at the bistro for 12 euros."),
    ("Forget my address.", "I live at 3 Elm Road.", "The bakery moved on to my street."),
    ("Forget my birthday.", "My birthday is 4 June.", "My birthday party had 20 guests."),
    ("Forget my age.", "I am 43 years old.", "My house number is 12."),
    ("Forget my age.", "I'm 43.", "I turned vegan last spring."),
    ("Forget my job.", "I work as a translator.", "I joined the choir and I am an early riser."),
    ("Forget my job.", "I am a plumber.", "I am a vegetarian."),
    ("Forget my school.", "I go to Larch Primary School.", "I lost a glove near the school."),
    ("Forget my salary.", "I earn 3450 euros a month.", "I paid 300 for my bike."),
    ("Forget my savings.", "I have saved 9000 euros.", "I saved 20 files to the disk."),
    ("Forget my debts.", "I owe the bank 7000 euros.", "I owe my success to my teachers."),
    ("Forget my budget.", "My budget is 5000 euros.", "I can afford 2 holidays."),
    ("Forget my rent.", "My rent is 870 euros.", "I rent 3 bikes every summer."),
    ("Forget my deposit.", "I paid a deposit of 600 euros.", "I paid with 600 coins."),
    ("Forget my allergy.", "I am allergic to celery.", "I can't eat after eight."),
    (
        "Forget my illness.",
        "I was diagnosed with asthma.",
        "I have a diploma in history and I love the aroma of coffee.",
    ),
    ("Forget my medication.", "I take metformin in the morning.", "My medicine cabinet is white."),
    ("Forget my pregnancy.", "I am pregnant.", "I am expecting a parcel."),
    ("Forget my weight.", "I weigh 84 kilos.", "I buy 5 kg of rice a month and I lent Ben 50 pounds."),
    ("Forget my height.", "I am 182 cm tall.", "I own a shelf of 90 cm."),
    ("Forget my blood type.", "My blood type is AB.", "I wrote a positive review."),
    ("Forget my diet.", "I am a vegetarian.", "I like the halal restaurant."),
    ("Forget my car.", "I drive a Skoda.", "I drive to the lake on Sundays."),
    ("Forget my licence plate.", "My licence plate is KX 4471.", "I washed nine plates."),
    ("Forget where I parked.", "I parked on level 4.", "I jog in the park."),
    ("Forget my passport number.", "My passport number is E4471209.", "My employee number is 8812."),
    ("Forget my bank account.", "My account number is 4471209.", "I collected 12 cards."),
    ("Forget my password.", "My password is plum77.", "I learn the code of honour."),
    ("Forget my name.", "My name is Nora.", "I read a novel called Emma."),
    ("Forget my marital status.", "I am divorced.", "I booked a single room."),
    ("Forget my religion.", "I am a Buddhist.", "I have faith in this team."),
    ("Forget my nationality.", "I am from Peru.", "I bought my bike from Anna."),
    ("Forget my shoe size.", "My shoe size is 41.", "I like the size of my garden."),
    ("Forget my hobby.", "I play chess.", "I like being alone."),
    ("Forget my passport number.", "My passport number is E4471209.", "My phone number is 555-0301."),
    ("忘掉我的电话", "我的电话是13900002222。", "我的护照号是E12345678。"),
    ("忘掉我的电话", "我的手机号是13900002222。", "我的订单号是99887766。"),
    ("忘掉我的鞋码", "我的鞋码是42。", "我的车停在二号码头。"),
    ("忘掉我的鞋码", "我穿42码的鞋。", "我家门禁密码是8841。"),
    ("忘掉我的病", "我得了糖尿病。", "我讨厌电脑病毒。"),
    ("忘掉我的病", "我有哮喘。", "我在肿瘤医院当护士。"),
    ("忘掉我的车", "我的车是丰田。", "我每天坐火车。"),
    ("忘掉我的车", "我开的是比亚迪。", "我喜欢骑自行车。"),
    ("忘掉我的爱好", "我喜欢下围棋。", "我喜欢吃辣。"),
    ("忘掉我的体重", "我体重80公斤。", "我买了30斤大米。"),
    ("忘掉我的工作", "我在银行上班。", "我当时很难过。"),
    ("忘掉我的年龄", "我今年43岁。", "我家门牌是43号。"),
    ("忘掉我的药", "我每天吃二甲双胍。", "我常吃薯片。"),
    ("忘掉我的地址", "我住在青山路7号。", "我忍不住笑了。"),
    ("忘掉我的存款", "我存了三万块。", "我存了三千张照片。"),
    ("忘掉我的生日", "我的生日是6月4日。", "我的生日蛋糕很贵。"),
)
"""What asks, what tells it, and what only looks like it."""


async def told(app: App) -> str:
    wanted = Selection(SCOPE, (MemoryType.CONVERSATION, MemoryType.OBSERVATION), tuple(StoreStatus), limit=1_000)
    found = (await app.memories(wanted)).memories
    return "\n".join(f"{node.content} {node.value}" for node in found)


async def talk(app: App, case: Case, *, read: bool) -> Person:
    who = Person(name="Nora" if case.request.isascii() else "周敏")
    for line in case.lines:
        await app.say(AGENT, who, line, run_id="r")
    if read:
        await app.talks.end(AGENT, who, run_id="r")
        await app.drain()
    return who


@pytest.mark.sweep
@pytest.mark.parametrize("read", [True, False], ids=["read", "unread"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.request)
async def test_only_what_is_the_owners_goes_when_it_is_asked_for_in_a_talk(
    tmp_path: Path, case: Case, *, read: bool
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = await talk(app, case, read=read)
        said = await app.say(AGENT, who, case.request, run_id="q")
        await app.drain()
        after = await told(app)
    assert [word for word in case.gone if word in after] == []
    assert [word for word in case.kept if word not in after] == []
    assert any(one.run for one in said.forgotten) is bool(case.gone)


@pytest.mark.sweep
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.request)
async def test_only_what_is_the_owners_goes_when_it_is_asked_for_by_a_query(tmp_path: Path, case: Case) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = await talk(app, case, read=True)
        meant = Meant(Scope(TENANT, AGENT, entity_id(TENANT, AGENT, who.name.casefold())), query=case.request)
        if case.gone:
            await app.forget(meant)
        else:
            with pytest.raises(InvalidInput, match="not clear whose"):
                await app.forget(meant)
        after = await told(app)
    assert [word for word in case.gone if word in after] == []
    assert [word for word in case.kept if word not in after] == []


@pytest.mark.parametrize(
    "query", ["Don't forget my birthday!", "I forgot my birthday.", "别忘了我的生日", "老板叫我忘掉生日的事"]
)
async def test_a_query_that_asks_for_nothing_to_be_forgotten_is_refused(tmp_path: Path, query: str) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = await talk(app, CASES[3], read=True)
        with pytest.raises(InvalidInput, match="does not ask to forget"):
            await app.forget(Meant(Scope(TENANT, AGENT, entity_id(TENANT, AGENT, who.name.casefold())), query=query))
        assert "4 June" in await told(app)


@pytest.mark.sweep
@pytest.mark.parametrize(("request_", "telling", "innocent"), LOOKALIKES)
async def test_what_only_looks_like_the_detail_stays(
    tmp_path: Path, request_: str, telling: str, innocent: str
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        await talk(app, Case((telling, innocent), request_), read=False)
        who = Person(name="Nora" if request_.isascii() else "周敏")
        await app.say(AGENT, who, request_, run_id="q")
        after = await told(app)
    assert innocent in after
    assert telling not in after
