"""Details of a person: what nobody deletes anywhere but in a memory, so that it need not be said where."""

from typing import Final

from agentmem import patterns as re
from agentmem.domain.attributes import base_of, slot_of

_SLOTS: Final = frozenset(
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
_PERSONAL: Final = re.compile(
    r"(?:(?:home|postal|current|old|new|former|previous) )*(?:address|birth ?(?:day|date)|date of birth|age"
    r"|contact (?:details?|info\w*|data)|personal (?:details?|info\w*|data)|salary|income|allerg(?:y|ies)"
    r"|marital status|diagnosis|pregnancy|phone(?: number)?|number)"
    r"|(?:旧|老|以前的?|之前的?|原来的?|新|家庭|工作|私人)?的?(?:住址|地址|生日|年龄|岁数|联系方式|个人信息|隐私|工资|收入|过敏史?"
    r"|爱好|喜好|偏好|职业|婚姻状况|病史|电话号?码?|手机号?码?|号码|预算)",
    re.IGNORECASE,
)


def is_detail(thing: str) -> bool:
    """Whether a word names a detail of a person."""
    return base_of(slot_of(thing)) in _SLOTS or _PERSONAL.fullmatch(thing) is not None
