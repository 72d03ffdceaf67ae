"""A request means what is held: where no detail surely tells what it names, what is of its kind or says its words in
another form goes, if that is one matter; and what is deleted is asked of the memory only where it holds it."""

from pathlib import Path
from typing import Final, NamedTuple

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.domain.scope import Grant, Principal
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.speech import ConversationKey
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import SCOPE, quiet_persona, spine


class Case(NamedTuple):
    """What was said, what is asked for, what nobody tells any more, and what stays."""

    lines: tuple[str, ...]
    request: str
    gone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


OF_A_KIND: Final = (
    Case(("我爱人叫孟伟,在邮局当保安",), "孟伟是做什么的别留着了", ("邮局", "保安"), ("孟伟",)),
    Case(("My cousin Ada lives in Lund, works at Volvo.",), "Forget where Ada works.", ("Volvo",), ("Lund",)),
    Case(("I take 40 mg of lisinopril.", "I play the viola."), "Forget my medication.", ("lisinopril",), ("viola",)),
    Case(("My star sign is Virgo.", "My sister is a Leo."), "Forget my star sign.", ("Virgo",), ("Leo",)),
    Case(("我在吃舍曲林。", "我喜欢爬山。"), "别记我吃什么药。", ("舍曲林",), ("爬山",)),
)
"""What is called by its kind."""

IN_OTHER_FORMS: Final = (
    Case(("I see a therapist on Tuesdays.", "I sing in a choir."), "Forget my therapy.", ("therapist",), ("choir",)),
    Case(("我离过婚。", "我养了一只狗。"), "我离婚的事请忘掉", ("离过婚",), ("狗",)),
    Case(
        ("My therapist is Dr. Lind.", "My dentist is Dr. Amari."),
        "Forget who my therapist is.",
        ("Lind",),
        ("Amari",),
    ),
    Case(
        ("My flight to Oslo is on 12 May, seat 14C.", "I fly to Rome in June."),
        "Forget my Oslo flight.",
        ("14C", "Oslo"),
        ("Rome",),
    ),
    Case(("我养的猫叫咪咪。", "邻居的狗叫大黄。"), "忘掉我猫的名字", ("咪咪",), ("大黄",)),
    Case(("我们公司叫蓝湖科技,有60人。",), "别再记我们公司的名字", ("蓝湖科技",), ("60",)),
    Case(
        ("My ex-husband's name is Dario.", "My husband is called Emil."),
        "Get rid of my ex-husband's name.",
        ("Dario",),
        ("Emil",),
    ),
)

DELETED: Final = (
    Case(
        ("The budget for the garden fair is 900 euros.", "The fridge was 700 euros."),
        "Please delete the budget for the fair.",
        ("900",),
        ("700",),
    ),
    Case(("I voted for the Green Party.", "I like green tea."), "Delete who I voted for.", ("Green Party",), ("tea",)),
    Case(("My number plate is HB-KT 881.", "I own 12 hens."), "Erase HB-KT 881, please.", ("881",), ("12 hens",)),
    Case(("I weigh 91 kilos.", "I lift 60 kilos."), "Drop my weight from what you know of me.", ("91",), ("60",)),
    Case(("我的新车牌是沪C7K903。", "我住在三楼。"), "删除沪C7K903", ("沪C7K903",), ("三楼",)),
    Case(("我的会员卡号是88012345。", "我的座位在12排。"), "请删掉会员卡号", ("88012345",), ("12排",)),
    Case(("我月薪两万五。", "房租四千。"), "我挣多少钱这事忘掉", ("两万五",), ("四千",)),
    Case(("我上周面试了一家银行。", "我喜欢打羽毛球。"), "面试的事别跟任何人提,也别记着", ("面试",), ("羽毛球",)),
)
"""What is deleted, and what is not to be told."""

HANDED_ON: Final = (
    Case(
        ("My colleague Petra is allergic to walnuts.", "I am allergic to bees."),
        "Petra doesn't want her allergy stored, delete it.",
        ("walnuts",),
        ("bees",),
    ),
    Case(
        ("王磊的身份证号是110101199003078811。", "我的工号是A3308。"),
        "王磊不想让你记他的身份证号,删了吧",
        ("110101199003078811",),
        ("A3308",),
    ),
)

IN_ANY_WORDS: Final = (
    Case(
        ("My locker code is 7305.", "I row on Sundays."),
        "We got new lockers, no need to keep the locker code any longer.",
        ("7305",),
        ("row",),
    ),
    Case(
        ("My blood type is O negative.", "I own a kiln."),
        "I'd feel better if my blood type wasn't stored.",
        ("O neg",),
        ("kiln",),
    ),
    Case(
        ("I'm nine weeks pregnant.", "I teach maths."),
        "I shouldn't have mentioned the pregnancy, please scrub it.",
        ("pregnant",),
        ("maths",),
    ),
    Case(
        ("My order number is KL-220871.", "It's for a desk lamp."),
        "Please drop the order number.",
        ("220871",),
        ("desk lamp",),
    ),
    Case(
        ("My doctor put me on sertraline.", "I like figs."), "Please forget my medication.", ("sertraline",), ("figs",)
    ),
    Case(("我妈住在无锡梅园路9号。", "我住在宁波。"), "我妈住哪儿你就别留着了,她会不高兴", ("梅园路9号",), ("宁波",)),
    Case(("装修预算是19万。", "我想要木地板。"), "预算那个数别记着,怪不好意思的", ("19万",), ("木地板",)),
    Case(("我搬家了,现在住在厦门禾祥路3号。", "新工作是在船厂做质检。"), "删掉我的住址。", ("禾祥路3号",), ("质检",)),
)
"""What nobody's grammar has: heard, as the memory holds what it names."""

AS_SAID: Final = (
    Case(
        ("我的邮箱是lili@pine.example。", "我的微信号是lili_wx77。"),
        "邮箱忘掉,微信别动",
        ("lili@pine",),
        ("lili_wx77",),
    ),
    Case(("我的车牌是浙B8M52T。", "我喜欢钓鱼。"), "浙B8M52T这个删掉", ("B8M52T",), ("钓鱼",)),
    Case(("My gym code is 4471.", "I swim on Fridays."), "4471 - delete it please", ("4471",), ("swim",)),
    Case(
        ("My private email is z@home.example.", "My work email is z@corp.example."),
        "Forget my private email, keep the work one.",
        ("z@home",),
        ("z@corp",),
    ),
    Case(
        ("我的工作邮箱是a@corp.example。", "我的私人邮箱是a@home.example。"),
        "私人邮箱忘掉,工作的留着",
        ("a@home",),
        ("a@corp",),
    ),
    Case(("I'm allergic to mussels.", "I knit."), "Forget that I'm allergic to mussels.", ("mussels",), ("knit",)),
    Case(
        ("We plan to sell the house.", "I knit."), "Scratch what I said about selling the house.", ("sell",), ("knit",)
    ),
    Case(("我打算下个月搬家到昆山。", "我喜欢跑步。"), "搬家的打算忘掉吧", ("昆山",), ("跑步",)),
    Case(("Passport is K5582204.", "I sail."), "Delete my passport number.", ("K5582204",), ("sail",)),
    Case(("我和爱人前年离婚了,现在租房住。",), "忘掉离婚的事", ("离婚",), ("租房",)),
    Case(("I'm at 9 Millrace Lane, bell on the left.",), "Forget where I live.", ("Millrace",), ("bell",)),
    Case(("我睡前吃阿普唑仑。", "我侧着睡。"), "忘掉我吃的药", ("唑仑",), ("侧着睡",)),
    Case(("Card for the hire is 5213 7700 4128 9936.", "I ski."), "Erase the card number.", ("5213",), ("ski",)),
    Case(
        ("My cousin Ruben is in debt again, and my aunt is worried.",),
        "Forget about Ruben and his debts, but keep the rest.",
        ("Ruben", "debt"),
        ("aunt",),
    ),
    Case(("Our club has 64 rowers.", "We row at six."), "You can delete the number of rowers.", ("64",), ("six",)),
)
"""With the thing first, by a value alone, as a whole statement, as a matter, or by the form of its value."""

NOTHING: Final = (
    Case(("My birthday is 4 May.",), "No need to remember my birthday, Tim does."),
    Case(("我的生日是5月4日。",), "不用记我的生日,我老公记得"),
    Case(("My phone is 555-0142.",), "No need to save my number, you have it already."),
    Case(("My car is a red Opel.",), "My car isn't in there any more, they towed it."),
    Case(("My car is a red Opel.",), "Scrap the car, my mechanic said."),
    Case(("My car is a red Opel.",), "Get rid of my car?"),
    Case(("My number is 555-0100.",), "Lose my number, I told him."),
    Case(("I see the dentist on Friday.",), "Clear my schedule for Friday's dentist."),
    Case(("My address is 4 Oak Lane.",), "Forget about that, it's fine."),
    Case(("我的手机号是13912345678。",), "我儿子把我的手机号删了"),
    Case(("我约了周一看房。",), "周一那趟忘了吧,改成周二看"),
    Case(("我的生日是腊月初八。",), "你怎么把我的生日忘了?"),
    Case(("My phone is 555-0100.",), "Forget my phone, I left it at home."),
    Case(("I drive a blue Opel.",), "Forget my car, it broke down again."),
    Case(("我的生日是3月9日。",), "把我的生日忘了,你真过分!"),
    Case(("我的电话是13911112222。",), "算了忘了吧"),
    Case(("My address is 4 Oak Lane.", "I wrote an essay."), "Delete the second paragraph."),
    Case(("I wrote an essay on whales.",), "Please delete the last sentence of my essay."),
    Case(("我写了一篇文章。",), "请删掉文章的第二段"),
    Case(("Petra is allergic to walnuts.",), "Petra doesn't want her soup salted."),
    Case(("We booked a week in Lisbon.",), "Forget Lisbon, we're flying to Faro now."),
    Case(("I meet Jonas on Monday.",), "Forget Jonas, let's ask Ruth."),
)
"""What asks nothing of the memory: not a word of it is lost either."""

SEVERAL: Final = (
    Case(("I speak Finnish.", "I read French novels."), "Forget my language.", (), ("Finnish", "French")),
    Case(("I was fired in May.", "My son was fired in June."), "Forget the dismissal.", (), ("May", "June")),
    Case(("My phone is broken.",), "Forget my phone number.", (), ("broken",)),
    Case(("我的电话坏了。",), "忘掉我的电话", (), ("坏了",)),
)
"""What may be meant is several matters, or somebody else's: none goes for sure."""


async def told(app: App) -> str:
    wanted = Selection(SCOPE, (MemoryType.CONVERSATION, MemoryType.OBSERVATION), tuple(StoreStatus), limit=1_000)
    found = (await app.memories(wanted)).memories
    return "\n".join(f"{node.content} {node.value}" for node in found)


async def asked(tmp_path: Path, case: Case) -> tuple[str, bool]:
    """What is told after a request, and whether anything was forgotten."""
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = await said(app, case)
        answer = await app.say(AGENT, who, case.request, run_id="q")
        await app.drain()
        return await told(app), any(one.run for one in answer.forgotten)


async def said(app: App, case: Case) -> Person:
    """Who has said the lines, which are read."""
    who = Person(name="Nora" if case.request.isascii() else "周敏")
    for line in case.lines:
        await app.say(AGENT, who, line, run_id="r")
    await app.talks.end(AGENT, who, run_id="r")
    await app.drain()
    return who


@pytest.mark.sweep
@pytest.mark.parametrize(
    "case", [*OF_A_KIND, *IN_OTHER_FORMS, *DELETED, *HANDED_ON, *IN_ANY_WORDS, *AS_SAID], ids=lambda case: case.request
)
async def test_what_a_request_names_goes_as_it_is_held(tmp_path: Path, case: Case) -> None:
    after, forgotten = await asked(tmp_path, case)
    assert [word for word in case.gone if word in after] == []
    assert [word for word in case.kept if word not in after] == []
    assert forgotten


@pytest.mark.sweep
@pytest.mark.parametrize(
    "case", [*OF_A_KIND, *IN_OTHER_FORMS, *DELETED, *HANDED_ON, *IN_ANY_WORDS, *AS_SAID], ids=lambda case: case.request
)
async def test_as_a_query_the_same_words_mean_the_same(tmp_path: Path, case: Case) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = await said(app, case)
        scope = ConversationKey(TENANT, quiet_persona(), who).scope
        done = await app.forget(Meant(scope, query=case.request))
        after = await told(app)
    assert [word for word in case.gone if word in after] == []
    assert [word for word in case.kept if word not in after] == []
    assert done.run is not None


@pytest.mark.sweep
@pytest.mark.parametrize("case", NOTHING, ids=lambda case: case.request)
async def test_a_remark_takes_nothing_and_is_kept_itself(tmp_path: Path, case: Case) -> None:
    after, forgotten = await asked(tmp_path, case)
    assert [line for line in (*case.lines, case.request) if line not in after] == []
    assert not forgotten


@pytest.mark.parametrize("case", SEVERAL, ids=lambda case: case.request)
async def test_what_may_be_several_matters_stays(tmp_path: Path, case: Case) -> None:
    after, _ = await asked(tmp_path, case)
    assert [word for word in case.kept if word not in after] == []


UNMET: Final = (
    (("Mia's number is 555-0303 and Lea's number is 555-0304.", "I like plums."), "Forget her number.", ("555-0303",)),
)


@pytest.mark.parametrize(("lines", "request_", "offered"), UNMET)
async def test_a_request_that_takes_nothing_offers_what_it_may_have_meant(
    tmp_path: Path, lines: tuple[str, ...], request_: str, offered: tuple[str, ...]
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = Person(name="Nora" if request_.isascii() else "周敏")
        for line in lines:
            await app.say(AGENT, who, line, run_id="r")
        await app.talks.end(AGENT, who, run_id="r")
        await app.drain()
        (outcome,) = (await app.say(AGENT, who, request_, run_id="q")).forgotten
        shown = "\n".join(each.content for each in outcome.candidates)
        assert outcome.run is None
        assert [word for word in offered if word not in shown] == []
        assert lines[-1].strip(".。") not in shown
        await app.forget(Meant(SCOPE, ids=(outcome.candidates[0].memory_id,)))
        assert outcome.candidates[0].content not in await told(app)


async def test_who_may_talk_and_not_read_is_offered_nothing(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = Person(name="Nora")
        for line in UNMET[0][0]:
            await app.say(AGENT, who, line, run_id="r")
        talker = app.for_principal(Principal("caller", TENANT, {AGENT: frozenset({Grant.TALK})}))
        (outcome,) = (await talker.say(AGENT, who, UNMET[0][1], run_id="q")).forgotten
    assert (outcome.run, outcome.candidates) == (None, ())


async def test_what_the_agent_confirms_of_it_goes_too_and_what_stays_is_told(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = Person(name="Nora")
        await app.say(AGENT, who, "Our wedding day is 17 April, so paint the hall before then.", run_id="r")
        await app.say(AGENT, who, "Fine, 17 April at the latest.", by_agent=True, run_id="r")
        await app.say(AGENT, who, "My sister lands on 17 April.", run_id="r")
        await app.talks.end(AGENT, who, run_id="r")
        await app.drain()
        (outcome,) = (await app.say(AGENT, who, "Please forget our wedding day.", run_id="q")).forgotten
        after = await told(app)
    assert outcome.run is not None
    assert "Fine, 17 April" not in after
    assert "lands on 17 April" in after
    assert any("lands on 17 April" in each.content for each in outcome.candidates)
