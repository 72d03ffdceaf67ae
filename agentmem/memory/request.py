"""What somebody asks of the memory itself in the middle of a talk: that it forget something of his.

Only what is plainly asked counts. "I always forget my keys", "don't forget my birthday", 你忘了我的生日 and "forget it"
ask for nothing, and neither does a text to be edited ("delete my second paragraph").
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.domain.attributes import base_of, slot_of
from agentmem.language.clauses import sentences

_LEAD_EN = r"(?:(?:please|okay|ok|now|and|so|hey|actually|thanks|(?:can|could|would|will) you(?: please)?|i want you to|i'd like you to|i would like you to|i'd prefer you to|i'd rather you)[,\s]+)*"
_OWN_EN = r"(?:my|our|me|i|that\s+i|that\s+my|what\s+i|where\s+i|when\s+i|who\s+i|how\s+i)\b"
_SAID_EN = r"(?:what(?:ever)?|everything|anything|all(?: that)?|the things?)\s+i(?:'ve| have)?\s+(?:just\s+)?(?:told|said to|gave|given|mentioned|wrote|sent)(?:\s+to)?(?:\s+you)?\s+(?:about|on|of|regarding)\s+"
_GIVEN_EN = r"(?:(?:the|that)\s+(?P<g>[\w' -]{2,40}?)\s+(?:(?:that\s+)?i(?:'ve| have)?\s+(?:just\s+)?(?:gave|given|told|sent|mentioned)(?:\s+(?:to\s+)?you)?|of\s+(?:mine|ours)))"
_FROM_MEMORY_EN = r".*\bfrom\s+(?:your\s+)?memor(?:y|ies)\b"
_DELETE_EN = r"(?:delete|erase|remove|stop\s+(?:keeping|storing|saving|remembering))"
_KEEP_EN = r"(?:(?:don't|do\s+not|never)\s+(?:ever\s+)?(?:keep|store|save|record|hold|retain|note|log|write\s+down)|you\s+(?:don't|do\s+not)\s+(?:need\s+to\s+)?(?:keep|store|save|remember)|(?:didn't|not)\s+(?:keep|store|save|remember))"
_MEMORISE_EN = r"(?:don't|do\s+not|never)\s+(?:remember|memori[sz]e)"
_TAIL_EN = r"(?:\s+(?:from|in|on|off|out\s+of)\s+(?:your|the)\s+(?:memory|memories|records?|notes?|files?|system|database|data|mind)|\s+any\s?more|\s+any\s+longer|\s+on\s+(?:file|record)|,?\s+please|,?\s+thanks|\s+(?:right\s+)?(?:now|away)|\s+at\s+all)*"
_ENGLISH = re.compile(
    rf"^{_LEAD_EN}(?:forget\s+(?:about\s+)?{_OWN_EN}|(?:delete|erase|remove)\s+{_OWN_EN}{_FROM_MEMORY_EN})",
    re.IGNORECASE,
)
_OBJECT_EN = re.compile(
    rf"^{_LEAD_EN}(?:(?:forget|{_DELETE_EN})\s+(?:about\s+)?(?:{_SAID_EN}(?:my|our)?\s*(?P<told>[\w' -]{{2,60}}?)|{_GIVEN_EN})"
    rf"|(?P<verb>{_DELETE_EN}|{_KEEP_EN})\s+(?:my|our)\s+(?P<slot>[\w' -]{{2,40}}?)"
    rf"|{_MEMORISE_EN}\s+(?:my|our)\s+(?P<own>[\w' -]{{2,40}}?)){_TAIL_EN}[.!\s]*$",
    re.IGNORECASE,
)
"""Requests in other words. What to delete or not to keep must be a slot of a person: other things are deleted, too."""
_LEAD_ZH = r"(?:那|好的?|嗯|另外|还有|对了|算了)?[,，\s]*"
_ASKING_ZH = r"(?:请你?|麻烦你?|能不能|能否|可以|可不可以|帮我|我希望你?|希望你?|我要你)"
_OWN_ZH = r"(?:关于|有关)?(?:我的|我说|我刚|我之前|我家|我们的|我)"
_CHINESE = re.compile(
    rf"^{_LEAD_ZH}(?:"
    rf"{_ASKING_ZH}+(?:忘记|忘掉|忘了|抹去){_OWN_ZH}"
    rf"|(?:忘掉|抹去){_OWN_ZH}"
    rf"|(?:忘记|忘了){_OWN_ZH}[^吗?？]*吧"
    rf"|{_ASKING_ZH}*把{_OWN_ZH}.*(?:忘记|忘掉|忘了|从记忆[里中]?(?:删除|删掉|抹去|清除))"
    rf"|{_ASKING_ZH}*(?:别再?|不要再?)(?:记着|记住|记录|记){_OWN_ZH})"
)
_OBJECT_ZH = re.compile(
    rf"^{_LEAD_ZH}{_ASKING_ZH}*(?:"
    rf"(?:删除|删掉|删了|删去|清除|抹掉|清空|去掉)(?:一下)?(?:有关|关于)?(?:我们?的?|之前我?说的|我说过的)(?P<a>[^,，。!！?？吗的]{{1,12}}?)"
    rf"|把(?:有关|关于)?(?:我们?的?|我说过的)(?P<b>[^,，。!！?？吗的]{{1,12}}?)(?:都|全|给我|给|先|信息|记录|资料)*(?:删除|删掉|删了|删|清除|抹掉|抹去|去掉)(?:掉|了)?"
    rf"|(?:别再?|不要再?|不用再?|不许再?|请勿|停止|不必再?|不需要再?)(?:继续)?(?:保存|存储|存|留存|保留|留着|留下|留|记下来?|记录下来|收集)(?:着|下)?(?:有关|关于)?我们?的?(?P<c>[^,，。!！?？吗的]{{1,12}}?)"
    rf"|(?:别|不要)(?:再)?把(?:有关|关于)?我们?的?(?P<d>[^,，。!！?？吗的]{{1,12}}?)(?:记下来|记录下来|记录|记住|记着|记|保存下来|保存|存下来|存起来|存|留着)"
    rf"|(?:忘记|忘掉|忘了|删掉|删除)(?:我(?:刚才?|之前|以前)?(?:跟你|和你|对你|给你)?(?:说过?|讲过?|提过?|告诉你)的?)?(?:有关|关于)我?的?(?P<e>[^,，。!！?？吗]{{1,12}}?)(?:的事情?|的内容|的信息|的话)?"
    rf")(?:了|吧|啊|呀|好吗|可以吗|行吗|谢谢|信息|记录|资料|[,，])*[。.!！?？\s]*$"
)
_FORM_ZH = re.compile(
    r"把|从记忆[里中]?|(?:别再?|不要再?)(?:记着|记住|记录|记)|能不能|能否|可不可以|可以|麻烦你?|帮我|吧"
)
_DETAILS = frozenset(
    [
        "phone",
        "work_phone",
        "home_phone",
        "email",
        "work_email",
        "wechat",
        "qq",
        "whatsapp",
        "address",
        "city",
        "birthday",
        "age",
        "gender",
        "budget",
        "marital_status",
    ]
)
_PERSONAL = re.compile(
    r"(?:home |postal |current |old |new )*(?:address|birth ?(?:day|date)|date of birth|age|contact (?:details?|info\w*|data)|personal (?:details?|info\w*|data)|salary|income|allerg(?:y|ies)|marital status|diagnosis)|(?:家庭|工作)?(?:住址|地址|生日|年龄|岁数|联系方式|个人信息|隐私|工资|收入|过敏史?|爱好|喜好|偏好|职业|婚姻状况|病史)",
    re.IGNORECASE,
)


_POLITE_EN = re.compile(rf"^{_LEAD_EN}", re.IGNORECASE)
_MAY_ASK = re.compile(
    r"(?:please[,\s]+)?(?:can|could|would|will) you\b|(?:请|麻烦|能不能|能否|可不可以|帮我)|.*(?:可以|行|好)吗",
    re.IGNORECASE,
)
"""Requests that may be put as a question."""


def forget_request(text: str) -> str | None:
    """What is to be forgotten, as it was said, fit for `read_wish`; None where nothing is asked to be."""
    for sentence in sentences(text):
        said = sentence.text.replace("\u2019", "'")
        if _ENGLISH.match(said):
            return _POLITE_EN.sub("", said)
        if _CHINESE.match(said):
            return _FORM_ZH.sub("", said)
        meant = _meant(said) if not sentence.is_question or _MAY_ASK.match(said) else None
        if meant is not None:
            return f"forget {meant}"
    return None


def _meant(said: str) -> str | None:
    english, chinese = _OBJECT_EN.match(said), _OBJECT_ZH.match(said)
    if english is not None:
        free = english["told"] or english["g"] or english["own"]
        return free or (english["slot"] if _is_slot(english["slot"]) else None)
    if chinese is None:
        return None
    thing = next(word for word in chinese.groups() if word)
    return thing if chinese["e"] or _is_slot(thing) else None


def _is_slot(thing: str) -> bool:
    """Whether it names a detail of a person that nobody deletes anywhere else: what else may be deleted is his own."""
    return base_of(slot_of(thing)) in _DETAILS or _PERSONAL.fullmatch(thing) is not None
