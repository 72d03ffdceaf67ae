"""What kind of thing a question asks for: the attributes whose memories would answer it."""

from collections.abc import Mapping

from agentmem import patterns as re

_CONTACT = ("phone", "work_phone", "home_phone", "email", "work_email", "wechat", "qq", "whatsapp", "address")

_ASKS: Mapping[str, tuple[str, ...]] = {
    r"怎么联系|如何联系|联系方式|联络|\bcontact|\breach\b|get in touch": _CONTACT,
    r"电话|手机|号码|\bphone|\bcall\b|\bnumber\b|\bmobile\b": ("phone", "work_phone", "home_phone", "whatsapp"),
    r"邮箱|邮件|e-?mail": ("email", "work_email"),
    r"微信|wechat": ("wechat",),
    r"\bqq\b": ("qq",),
    r"地址|住在?哪|住址|\baddress|where .*\blive": ("address", "city"),
    r"哪个城市|在哪里?工作|\bcity\b": ("city", "employer"),
    r"想要?做|想要|需要|需求|希望|想干|\bwants?\b|\bneeds?\b|\blooking for\b|\bwish": ("need", "plan"),
    r"不满|抱怨|顾虑|担心|烦恼|困扰|\bcomplain|\bbother|\bconcern|\bworr|\bunhappy": ("complaint", "constraint"),
    r"预算|多少钱|花多少|\bbudget|\bspend\b|\bafford": ("budget",),
    r"什么时候|几点|哪天|何时|预约|约在|\bwhen\b|\bappointment|\bmeeting\b": ("appointment", "deadline", "plan"),
    r"喜欢|偏好|爱好|\blikes?\b|\bprefers?|\bfavou?rite": ("preference", "habit"),
    r"平时|平常|习惯|经常|常常|多久一次|\busually\b|\boften\b|\bhabits?\b|\broutine": ("habit",),
    r"做什么工作|职业|什么职位|\boccupation|\bjob\b|\bprofession|for a living": ("occupation", "employer"),
    r"什么公司|哪家公司|在哪上班|\bemployer|\bwork for\b|works? at\b|\bcompany\b": ("employer", "business", "industry"),
    r"做什么(业务|生意|行业)|什么(业务|生意|行业)|\bbusiness\b|\bindustry\b": ("business", "industry"),
    r"多少人|几个人|规模|\bhow (many people|big)|\bheadcount|\bteam size": ("headcount", "quantity"),
    r"什么(系统|技术|软件)|用的?什么|\bwhat (system|software|technology)|\bcurrently us": (
        "current_system",
        "business",
    ),
    r"叫什么|名字|姓名|全名|\bname\b": ("name", "alias"),
    r"多大|年龄|几岁|\bhow old|\bage\b": ("age", "birthday"),
    r"生日|\bbirthday": ("birthday",),
    r"家人|孩子|结婚|家庭|\bfamily|\bkids?\b|\bchildren|\bmarried|\bwife|\bhusband": ("family",),
}

_PATTERNS = [(re.compile(pattern, re.IGNORECASE), attributes) for pattern, attributes in _ASKS.items()]


def asked_for(question: str) -> frozenset[str]:
    """Attributes named or implied by the question, in Chinese or English; none where it asks for something else."""
    found = (attributes for pattern, attributes in _PATTERNS if pattern.search(question))
    return frozenset(name for attributes in found for name in attributes)


def beside(question: str) -> str:
    """The question without the words that name or imply those attributes."""
    for pattern, _ in _PATTERNS:
        question = pattern.sub(" ", question)
    return question
