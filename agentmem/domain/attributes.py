"""The slots a person has: which there are, and whether a new value ends the old one."""

from collections.abc import Mapping

from agentmem.domain.persona import Cardinality

BUILT_IN: Mapping[str, Cardinality] = {
    # who
    "name": "single",
    "alias": "multi",
    "age": "single",
    "birthday": "single",
    "gender": "single",
    "family": "multi",
    "language": "multi",
    # where and how to reach
    "phone": "single",
    "work_phone": "single",
    "home_phone": "single",
    "email": "single",
    "work_email": "single",
    "wechat": "single",
    "qq": "single",
    "whatsapp": "single",
    "address": "single",
    "city": "single",
    # work
    "occupation": "single",
    "employer": "single",
    "business": "single",
    "industry": "single",
    "headcount": "single",
    "current_system": "single",
    # what he wants and minds
    "need": "multi",
    "preference": "multi",
    "constraint": "multi",
    "complaint": "multi",
    "budget": "single",
    "quantity": "multi",
    "deadline": "single",
    "plan": "multi",
    "appointment": "multi",
    "habit": "multi",
    "possession": "multi",
    "benefit": "multi",
}
"""Attribute to cardinality. A single-valued one holds one valid value per person."""


def cardinality(attribute: str | None, own: Mapping[str, Cardinality]) -> Cardinality:
    """The persona's own word first, then the built-in one; an unknown attribute ends nothing."""
    if attribute is None:
        return "multi"
    return own.get(attribute) or BUILT_IN.get(attribute, "multi")


WORDS: Mapping[str, str] = {
    "name": "名字 姓名 全名 叫什么 name called",
    "alias": "别名 昵称 又叫 alias nickname called",
    "age": "年龄 多大 几岁 age old",
    "birthday": "生日 出生 birthday born",
    "family": "家人 家庭 孩子 family kids children wife husband",
    "phone": "电话 手机 号码 联系方式 联系 phone number mobile contact reach call",
    "work_phone": "工作电话 座机 号码 联系 work office phone number contact",
    "home_phone": "家庭电话 号码 联系 home phone number contact",
    "email": "邮箱 邮件 联系方式 联系 email mail contact reach",
    "work_email": "工作邮箱 邮件 联系 work email contact",
    "wechat": "微信 联系方式 联系 wechat contact reach",
    "qq": "QQ 联系方式 联系 contact",
    "whatsapp": "WhatsApp 联系方式 contact reach",
    "address": "地址 住址 住在 哪里 address live where",
    "city": "城市 在哪 哪里 city live where based",
    "occupation": "职业 职位 工作 做什么 occupation job profession work",
    "employer": "公司 单位 上班 任职 employer company work",
    "business": "业务 行业 生意 做什么 business trade",
    "industry": "行业 业务 industry business",
    "headcount": "人数 规模 多少人 员工 headcount people staff employees size",
    "current_system": "系统 软件 技术 在用 现有 system software technology current use",
    "need": "需求 需要 想要 希望 想做 need want wish request",
    "preference": "偏好 喜欢 爱好 preference prefer like favourite",
    "constraint": "要求 限制 条件 必须 constraint requirement must cannot",
    "complaint": "不满 抱怨 顾虑 问题 complaint concern problem unhappy",
    "budget": "预算 价位 多少钱 budget spend afford price",
    "quantity": "数量 多少 quantity many",
    "deadline": "期限 截止 什么时候 deadline when due",
    "plan": "计划 打算 安排 plan intend",
    "appointment": "预约 约 时间 什么时候 appointment meeting when schedule",
    "habit": "习惯 经常 habit usually every",
    "possession": "拥有 有 owns has",
    "benefit": "好处 帮助 benefit help",
}
"""The words by which people ask for a slot, so that a question in either language finds a fact told in the other."""
