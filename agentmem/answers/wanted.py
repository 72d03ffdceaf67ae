"""What kind of thing a question wants to hear: a person, a time, a place, a number; and whether a sentence has one."""

from collections.abc import Mapping
from typing import Final, Literal

from agentmem import patterns as re
from agentmem.domain.naming import canonical_name
from agentmem.language.names import names_of

Wanted = Literal["person", "time", "place", "age", "money", "number", "name"]

_ASKED: Final[Mapping[Wanted, re.Pattern]] = {
    "time": re.compile(
        r"什么时候|何时|几点|哪天|哪年|哪一年|几几年|几月|几号|多久|多长时间"
        r"|\b(?:when|how long|how much time|(?:what|which) (?:year|month|day|date|time))\b",
        re.IGNORECASE,
    ),
    "age": re.compile(
        r"几岁|年龄|多大(?:年纪|岁数|了)?(?=\W*$)(?<!面积多大)(?<!有多大)|\bhow old\b|\bwhat age\b", re.IGNORECASE
    ),
    "money": re.compile(
        r"多少钱|什么价|价格|价钱|\bhow much (?:money|does .* cost|is the .* price)\b|\bprice\b|\bcosts?\b",
        re.IGNORECASE,
    ),
    "number": re.compile(
        r"多少|几(?!乎|点|月|号|何)|多大|多高|多重|多远"
        r"|\bhow (?:many|much|big|far|high|heavy|often|hot|cold|large|tall|deep|fast)\b",
        re.IGNORECASE,
    ),
    "place": re.compile(
        r"哪里|哪儿|在哪|何处|什么地方|哪个(?:城市|国家|地方|岛|镇|省)|\bwhere\b"
        r"|\b(?:what|which) (?:place|city|town|country|island|village)\b",
        re.IGNORECASE,
    ),
    "person": re.compile(r"谁|哪位|什么人|\b(?:who|whom|whose)\b", re.IGNORECASE),
    "name": re.compile(
        r"叫什么|名字|哪(?:家|个|款|所)|什么名|外号|怎么称呼|\b(?:which|name|called|call sign|title)\b", re.IGNORECASE
    ),
}
"""In this order: the first that fits is what is wanted."""

_TIME: Final = re.compile(
    r"\b\d{4}\b|\d年|[一二三四五六七八九十]+(?:年|月|天|周|个月|小时|分钟)"
    r"|[上下]午|早上|晚上|中午|今天|明天|昨天|[上下]?周[一二三四五六日天末]|星期|\d{1,2}[点号日:：]\d*|[一二三四五六七八九十]+[点号日]"
    r"|\b(?:noon|midnight|mornings?|afternoons?|evenings?|nights?|today|o'clock|\d{1,2} ?[ap]\.?m)\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)day|years?|months?|weeks?|days?|hours?|minutes?|winters?|summers?|tomorrow|yesterday)\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"\d|[一二三四五六七八九十百千万两半]+(?:个|台|人|位|张|岁|米|元|块|条|辆|次|成|倍|名|公里|千米|吨|克|[万千百十])|百分之"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|hundred|thousand|million|half|dozen)\b",
    re.IGNORECASE,
)
_SPELT: Final = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"
    r"|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?"
)
_AGE: Final = re.compile(
    r"岁|出生|生于|年纪|\b(?:years?[- ]old|aged?|born|turned|turns)\b|\(\d{1,3}\)"
    rf"|\b(?:is|am|are|was|were|i'm) (?:now |only |just |almost )?(?:\d{{1,3}}|{_SPELT})"
    r"(?= (?:and|now|but|today|this|already)\b|\W*$|[.,;] )",
    re.IGNORECASE,
)
_MONEY: Final = re.compile(
    r"[£$€¥￥元块万]|\b(?:eur|usd|gbp|rmb|cny|dollars?|pounds?|euros?|cents?|yuan|free)\b|免费", re.IGNORECASE
)
_PLACE: Final = re.compile(
    r"位于|坐落|在.{1,12}(?:里|上|旁|边|下|中)|出生在|住在|来自|\b(?:in|at|on|above|near|from) (?:the |a )?\w"
)


def wanted_by(question: str) -> Wanted | None:
    """What a question wants; None where its words do not say."""
    return next((kind for kind, pattern in _ASKED.items() if pattern.search(question)), None)


def has(sentence: str, wanted: Wanted, question: str) -> bool:
    """Whether a sentence has what is wanted, other than what the question says itself."""
    match wanted:
        case "time":
            return _TIME.search(sentence) is not None
        case "number":
            return _NUMBER.search(sentence) is not None
        case "age":
            return _AGE.search(sentence) is not None
        case "money":
            return _MONEY.search(sentence) is not None
        case "place":
            return _PLACE.search(sentence) is not None
        case "person" | "name":
            plain = canonical_name(question)
            new = [each for each in names_of(sentence) if canonical_name(each.name) not in plain]
            return any(wanted == "name" or each.kind in ("person", "thing") for each in new)
