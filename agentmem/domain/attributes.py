"""The slots a person has: which there are, how many values each may hold, and how its values are compared.

A slot is an attribute and, where one was named, a qualifier: `work_phone` is the phone qualified by `work`, and another
slot than `phone`. `slot_of` brings the spellings of both languages to one name.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agentmem import patterns as re
from agentmem.domain.naming import fold, tidy
from agentmem.domain.persona import AttributePolicy, Cardinality, ValueKind

Own = Mapping[str, Cardinality | AttributePolicy]
"""The attributes a persona adds: a cardinality, or all of what is to be said about one."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """One row of the vocabulary. `words` are those by which people ask for it; a question finds its facts by them."""

    cardinality: Cardinality
    kind: ValueKind = "text"
    words: str = ""


VOCABULARY: Mapping[str, Attribute] = {
    # who
    "name": Attribute("single", "name", "名字 姓名 全名 叫什么 name called"),
    "alias": Attribute("multi", "name", "别名 昵称 又叫 alias nickname called"),
    "age": Attribute("single", "number", "年龄 多大 几岁 age old"),
    "birthday": Attribute("single", "date", "生日 出生 birthday born"),
    "gender": Attribute("single"),
    "marital_status": Attribute("single", "state", "婚姻 结婚 单身 离婚 married single divorced engaged"),
    "family": Attribute("multi", "text", "家人 家庭 孩子 family kids children wife husband"),
    "language": Attribute("multi"),
    # where and how to reach
    "phone": Attribute("per_qualifier", "phone", "电话 手机 号码 联系方式 联系 phone number mobile contact reach call"),
    "work_phone": Attribute("single", "phone", "工作电话 座机 号码 联系 work office phone number contact"),
    "home_phone": Attribute("single", "phone", "家庭电话 号码 联系 home phone number contact"),
    "email": Attribute("per_qualifier", "email", "邮箱 邮件 联系方式 联系 email mail contact reach"),
    "work_email": Attribute("single", "email", "工作邮箱 邮件 联系 work email contact"),
    "wechat": Attribute("per_qualifier", "account", "微信 联系方式 联系 wechat contact reach"),
    "qq": Attribute("per_qualifier", "account", "QQ 联系方式 联系 contact"),
    "whatsapp": Attribute("per_qualifier", "phone", "WhatsApp 联系方式 contact reach"),
    "address": Attribute("per_qualifier", "text", "地址 住址 住在 哪里 address live where"),
    "city": Attribute("single", "place", "城市 在哪 哪里 city live where based"),
    # work
    "occupation": Attribute("single", "title", "职业 职位 工作 做什么 occupation job profession work"),
    "employer": Attribute("single", "text", "公司 单位 上班 任职 employer company work"),
    "business": Attribute("single", "text", "业务 行业 生意 做什么 business trade"),
    "industry": Attribute("single", "text", "行业 业务 industry business"),
    "headcount": Attribute("per_qualifier", "number", "人数 规模 多少人 员工 headcount people staff employees size"),
    "current_system": Attribute("single", "text", "系统 软件 技术 在用 现有 system software technology current use"),
    # what he wants and minds
    "need": Attribute("multi", "text", "需求 需要 想要 希望 想做 need want wish request"),
    "preference": Attribute("multi", "text", "偏好 喜欢 爱好 preference prefer like favourite"),
    "constraint": Attribute("multi", "text", "要求 限制 条件 必须 constraint requirement must cannot"),
    "complaint": Attribute("multi", "text", "不满 抱怨 顾虑 问题 complaint concern problem unhappy"),
    "budget": Attribute("per_qualifier", "money", "预算 价位 多少钱 budget spend afford price"),
    "quantity": Attribute("multi", "text", "数量 多少 quantity many"),
    "deadline": Attribute("per_qualifier", "text", "期限 截止 什么时候 deadline when due"),
    "plan": Attribute("multi", "text", "计划 打算 安排 plan intend"),
    "appointment": Attribute("multi", "text", "预约 约 时间 什么时候 appointment meeting when schedule"),
    "habit": Attribute("multi", "text", "习惯 经常 habit usually every"),
    "possession": Attribute("multi", "text", "拥有 有 owns has"),
    "benefit": Attribute("multi", "text", "好处 帮助 benefit help"),
}
"""What is built in. A single-valued attribute holds one valid value per person, one `per_qualifier` one per slot."""

BUILT_IN: Mapping[str, Cardinality] = {name: row.cardinality for name, row in VOCABULARY.items()}

OF_OTHERS = frozenset({"family"})
"""Those whose values tell of somebody else than the person, so that a value alone does not say of whom."""

_SPELLINGS: Mapping[str, str] = {
    "name": "姓名|名字|全名|full name",
    "birthday": "生日|出生日期|birth ?day|date of birth|birth ?date|dob",
    "age": "年龄|岁数",
    "marital_status": "婚姻状况|婚姻状态|婚姻|marital(?: status)?|family ?(?:state|status)|relationship status",
    "phone": "(?:联系)?电话(?:号码)?|手机(?:号码?)?|号码|(?:tele)?phone(?: number)?|(?:mobile|cell)(?: ?phone)?(?: number)?|tel|number",
    "email": "(?:电子)?(?:邮箱|邮件)(?:地址)?|e-?mail(?: address)?",
    "wechat": "微信号?|we ?chat(?: id)?|weixin",
    "qq": "qq号?",
    "whatsapp": "whats ?app(?: number)?",
    "address": "(?:地|住)址|address",
    "city": "(?:所在|居住)?城市|所在地|居住地|city|(?:home ?)?town|(?:place of )?residence|location",
    "occupation": "职业|职位|岗位|职务|occupation|job(?: title)?|profession|position|role",
    "employer": "(?:工作)?单位|雇主|公司|就职公司|employer|company|workplace",
    "industry": "行业|industry|sector",
    "business": "业务|主营业务?|(?:main |line of )?business",
    "headcount": "人数|员工(?:人)?数|规模|head ?count|(?:staff|team|company) size|(?:number of )?(?:employees|staff)",
    "budget": "预算|经费|budget",
    "deadline": "截止(?:日期|时间)?|期限|deadline|due date",
}  # fmt: skip
"""Other names of an attribute, as regular expressions. They close a qualified name: 办公室电话, office phone number."""

_QUALIFIERS: Mapping[str, str] = {
    "work": "工作|办公室?|公司|单位|座机|work|office|business|company|desk|landline",
    "home": "家里?|家庭|住宅|宅|home|house|private",
    "": "个人|本人|我|他|她|current|personal|own|main|primary|my|our|his|her|their|the|目前|现在|当前|主要",
}


def slot_of(attribute: str) -> str:
    """The one name of a slot, whatever its language and spelling: 办公室电话 and Office Phone are `work_phone`."""
    return _slot(attribute) if len(attribute) <= 80 else attribute


@lru_cache(2_048)
def _slot(attribute: str) -> str:
    plain = tidy(re.sub(r"[_\-的]+", " ", fold(attribute)))
    known = plain.replace(" ", "_")
    if known in VOCABULARY:
        return known
    for name, pattern in _SPELLINGS.items():
        found = re.fullmatch(rf"(?P<qualifier>.*?)\s*(?:{pattern})", plain)
        if found is None:
            continue
        qualifier = _qualifier(found["qualifier"])
        if not qualifier:
            return name
        if BUILT_IN[name] == "per_qualifier":
            return f"{qualifier}_{name}".replace(" ", "_")
    return known


def _qualifier(words: str) -> str:
    return next((name for name, pattern in _QUALIFIERS.items() if words and re.fullmatch(pattern, words)), words)


def base_of(slot: str) -> str:
    """The attribute a slot belongs to, without its qualifier: `phone` of `warehouse_phone`."""
    if slot in VOCABULARY:
        return slot
    base = next((name for name in VOCABULARY if slot.endswith(f"_{name}")), slot)
    return base if BUILT_IN.get(base) == "per_qualifier" else slot


def cardinality(attribute: str | None, own: Own) -> Literal["single", "multi"]:
    """How many values the slot holds: the persona's own word first, then the built-in one. One that nobody knows holds
    many, so it ends nothing; one that is single per qualifier is single, for its qualifier is in the slot's name."""
    if attribute is None:
        return "multi"
    said = own.get(attribute) or own.get(base_of(slot_of(attribute)))
    if isinstance(said, AttributePolicy):
        said = said.cardinality
    said = said or BUILT_IN.get(base_of(slot_of(attribute)), "multi")
    return "multi" if said == "multi" else "single"


def value_kind(attribute: str | None, own: Own) -> ValueKind:
    """What kind of thing the slot's values are, which decides how two are compared."""
    if attribute is None:
        return "text"
    said = own.get(attribute)
    if isinstance(said, AttributePolicy):
        return said.kind
    row = VOCABULARY.get(base_of(slot_of(attribute)))
    return row.kind if row is not None else "text"


def words_of(attribute: str | None) -> str:
    """The words by which people ask for a slot: a question in either language finds a fact told in the other."""
    row = VOCABULARY.get(base_of(slot_of(attribute))) if attribute else None
    return row.words if row is not None else ""


def own_slot(attribute: str, own: Own) -> str:
    """Like `slot_of`, with the other names that a persona gives to its attributes."""
    if attribute in own:
        return attribute
    folded = fold(attribute)
    for name, said in own.items():
        if isinstance(said, AttributePolicy) and folded in map(fold, said.words):
            return name
    return slot_of(attribute)
