"""Of two details that are alike the one that is asked for goes, and the other stays."""

from pathlib import Path
from typing import Final, NamedTuple

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT
from tests.support.spine import SCOPE, quiet_persona, spine


class Pair(NamedTuple):
    """What tells one detail, with the word that tells it; what tells the other; and what asks for the first."""

    goes: str
    word: str
    stays: str
    request: str


NAMES: Final = (
    Pair("我在华为上班。", "华为", "我家在青岛。", "忘掉我的公司"),
    Pair("我叫王小明。", "王小明", "我家在青岛。", "忘掉我的名字"),
    Pair("我老婆叫李芳。", "李芳", "我在银行上班。", "忘掉我老婆的名字"),
    Pair("My wife's name is Rosalind.", "Rosalind", "My name is Nora Finch.", "Forget my wife's name."),
    Pair("我的公司叫恒运货代。", "恒运货代", "我叫王小明。", "忘掉我公司的名字"),
    Pair("My company is called Acme Tools.", "Acme", "My name is Nora Finch.", "Forget the name of my company."),
    Pair("My bank is Barclays.", "Barclays", "My name is Nora Finch.", "Please forget the name of my bank."),
)
"""Whose name, or what name, is meant."""

KINDS: Final = (
    Pair("My mobile is 555-0301.", "555-0301", "My landline is 555-0302.", "Forget my mobile number."),
    Pair("My landline is 555-0302.", "555-0302", "My mobile is 555-0301.", "Please forget my landline."),
    Pair("My work phone is 555-0303.", "555-0303", "My private phone is 555-0304.", "Forget my work phone number."),
    Pair("我的手机号是13900004512。", "13900004512", "我家座机是0571-86550231。", "忘掉我的手机号"),
    Pair("我家座机是0571-86550231。", "0571-86550231", "我的手机号是13900004512。", "忘掉我的座机号"),
    Pair("公司电话是0571-86550231。", "0571-86550231", "我的私人电话是13900004512。", "忘掉我公司的电话"),
    Pair(
        "My work email is nf@acme.example.",
        "nf@acme.example",
        "My private email is n@mail.example.",
        "Forget my work email.",
    ),
    Pair(
        "My private email is n@mail.example.",
        "n@mail.example",
        "My work email is nf@acme.example.",
        "Forget my private email.",
    ),
    Pair("我的私人邮箱是min@mail.example。", "min@mail.example", "我的工作邮箱是zm@acme.example。", "忘掉我的私人邮箱"),
    Pair(
        "My home address is 7 Moss Lane.",
        "Moss Lane",
        "My office address is 18 Castle Yard.",
        "Forget my home address.",
    ),
    Pair("I work at Acme.", "Acme", "My job title is senior buyer.", "Forget which company I work for."),
    Pair("My job title is senior buyer.", "senior buyer", "I work at Acme.", "Forget my job title."),
    Pair("我在华为上班。", "华为", "我的职位是采购经理。", "忘掉我的公司"),
    Pair("我的职位是采购经理。", "采购经理", "我在华为上班。", "忘掉我的职位"),
    Pair(
        "I own a Triumph Bonneville motorbike.", "Bonneville", "I drive a Ford Transit.", "Please forget my motorbike."
    ),
    Pair("I drive a Skoda Octavia.", "Octavia", "I own a Triumph Bonneville motorbike.", "Forget my car."),
    Pair("我骑一辆春风摩托车。", "春风", "我开一辆哈弗H6。", "忘掉我的摩托车"),
    Pair("My salary is 2850 a month.", "2850", "I get paid on the 25th.", "Forget my salary."),
    Pair("我的工资是9600元。", "9600", "我每月15号发工资。", "忘掉我的工资"),
    Pair(
        "I went to Colston primary school.",
        "Colston",
        "I studied law at Leeds University.",
        "Forget my primary school.",
    ),
    Pair("我高中在天水三中上的。", "天水三中", "我在兰州大学上学。", "忘掉我的高中"),
    Pair("My shoe size is 41.", "41", "My shirt size is M.", "Forget my shoe size."),
    Pair("我的鞋码是42。", "42", "我的上衣尺码是175。", "忘掉我的鞋码"),
    Pair("I have a mortgage of 90000 euros.", "90000", "I have a car loan of 5000 euros.", "Forget my mortgage."),
    Pair("我有房贷八十万。", "八十万", "我还有车贷五万。", "忘掉我的房贷"),
    Pair("My nickname is Spud.", "Spud", "My full name is Jonathan Greaves.", "Forget my nickname."),
    Pair("我的笔名叫半夏。", "半夏", "我的真名是欧阳雪。", "忘掉我的笔名"),
)
"""What kind of a detail is meant."""


async def told(app: App) -> str:
    wanted = Selection(SCOPE, (MemoryType.CONVERSATION, MemoryType.OBSERVATION), (StoreStatus.VALID,), limit=1_000)
    return "\n".join(f"{node.content} {node.value}" for node in (await app.memories(wanted)).memories)


@pytest.mark.sweep
@pytest.mark.parametrize("first", ["goes", "stays"])
@pytest.mark.parametrize("pair", [*NAMES, *KINDS], ids=lambda pair: f"{pair.request} {pair.stays}")
async def test_of_two_details_the_one_that_is_asked_for_goes(tmp_path: Path, pair: Pair, first: str) -> None:
    lines = (pair.goes, pair.stays) if first == "goes" else (pair.stays, pair.goes)
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = Person(name="Nora" if pair.request.isascii() else "周敏")
        for line in lines:
            await app.say(AGENT, who, line, run_id="r")
        await app.talks.end(AGENT, who, run_id="r")
        await app.drain()
        await app.say(AGENT, who, pair.request, run_id="q")
        await app.drain()
        after = await told(app)
    assert pair.word not in after
    assert pair.stays in after


@pytest.mark.sweep
@pytest.mark.parametrize("read", [True, False], ids=["read", "unread"])
@pytest.mark.parametrize(
    ("line", "request_", "gone", "kept"),
    [
        ("555-0301 is my mobile and 555-0302 the landline.", "Forget my mobile number.", "555-0301", "555-0302"),
        ("My mobile is 555-0301, the landline 555-0302.", "Forget my landline.", "555-0302", "555-0301"),
        ("手机13900004512座机0571-86550231都行。", "忘掉我的手机号", "13900004512", "0571-86550231"),
        ("My shoe size is 44, jacket size is XXL.", "Please forget my jacket size.", "XXL", "44"),
        (
            "My son Leo has a cello and my daughter Mia plays chess.",
            "Forget what I said about my son.",
            "cello",
            "chess",
        ),
        ("I take home 2850 a month, and it lands on the 27th.", "Forget my salary.", "2850", "27th"),
        ("Plate's LX19 KVO, it's a Volvo V60.", "Can u forget my number plate pls", "LX19", "Volvo"),
        ("我在嘉禾冷链做采购经理。", "忘掉我公司的名字", "嘉禾冷链", "采购经理"),
    ],
)
async def test_of_two_in_one_breath_the_other_is_still_told(
    tmp_path: Path, line: str, request_: str, gone: str, kept: str, *, read: bool
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = Person(name="Nora" if request_.isascii() else "周敏")
        await app.say(AGENT, who, line, run_id="r")
        if read:
            await app.talks.end(AGENT, who, run_id="r")
            await app.drain()
        await app.say(AGENT, who, request_, run_id="r")
        await app.talks.end(AGENT, who, run_id="r")
        await app.drain()
        after = await told(app)
    assert gone not in after
    assert kept in after


ELSEWHERE: Final = (
    ("My home address is 7 Moss Lane.", "7 Moss Lane", "Please delete my home address from the order."),
    ("My phone number is 555-0301.", "555-0301", "Please remove my phone number from the delivery note."),
    ("My wife Rosalind likes gold.", "Rosalind", "Remove Rosalind from the guest list please."),
    ("My daughter's birthday is 4 June.", "4 June", "Please remove my daughter's birthday from the calendar."),
    ("We have the Hull depot.", "Hull", "Delete the Hull depot from the route plan."),
    ("I ordered a walnut desk.", "walnut", "Please remove the walnut desk from my order."),
    ("我老婆叫李芳。", "李芳", "请把李芳从客人名单里删掉"),
    ("我的邮箱是min@mail.example。", "min@mail.example", "请把我的邮箱从群发名单里移除"),
    ("我的手机号是13900004512。", "13900004512", "请把订单上我的手机号删掉。"),
    ("我的微信是minmin88。", "minmin88", "把我的微信从你们群里删掉。"),
    ("我预算是两万。", "两万", "先把预算忘了吧，就说说你们有什么款式。"),
)
"""What lies elsewhere than in a memory, or is only put aside."""


@pytest.mark.sweep
@pytest.mark.parametrize(("line", "word", "request_"), ELSEWHERE)
async def test_what_is_to_be_deleted_elsewhere_is_not_forgotten(
    tmp_path: Path, line: str, word: str, request_: str
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = Person(name="Nora" if request_.isascii() else "周敏")
        await app.say(AGENT, who, line, run_id="r")
        said = await app.say(AGENT, who, request_, run_id="r")
        await app.talks.end(AGENT, who, run_id="r")
        await app.drain()
        after = await told(app)
    assert not any(one.run for one in said.forgotten)
    assert word in after


@pytest.mark.parametrize(
    ("line", "word", "request_"),
    [
        ("My nickname is Spud.", "Spud", "Lose the nickname, would you?"),
        ("My old number was 555-0142.", "555-0142", "You can bin the old number now."),
        ("I keep bees. My brother Halvard has a farm.", "Halvard", "Could you erase my brother's details?"),
        ("朋友都叫我土豆。", "土豆", "外号别留着了哈，听着别扭。"),
        ("我前夫庞志远在海关上班。", "庞志远", "和我前夫有关的，统统删掉。"),
        ("我的QQ是40771523。", "40771523", "QQ早不用了，忘掉它吧。"),
        ("单元门密码是5590。", "5590", "哎呀密码不能说的，快忘掉快忘掉！"),
        ("周末骑春风650出去跑山。", "春风", "摩托那个你就忘了吧"),
        ("My salary is 2850 a month.", "2850", "Take my salary off your notes."),
        ("My salary is 2850 a month.", "2850", "Please remove my salary from your memory."),
        ("我的工资是9600元。", "9600", "你记的那个工资删掉吧"),
        ("我的工资是9600元。", "9600", "你记录里的工资请清除"),
    ],
)
async def test_what_is_asked_in_any_words_is_forgotten(tmp_path: Path, line: str, word: str, request_: str) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = Person(name="Nora" if request_.isascii() else "周敏")
        await app.say(AGENT, who, line, run_id="r")
        await app.say(AGENT, who, request_, run_id="r")
        await app.talks.end(AGENT, who, run_id="r")
        await app.drain()
        after = await told(app)
    assert word not in after
