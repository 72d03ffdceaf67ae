"""The form of a question: its parts, what kind of thing it wants to hear, and the mode of looking that suits it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal

from agentmem import patterns as re
from agentmem.domain.naming import canonical_name
from agentmem.language.clauses import sentences
from agentmem.language.cues import READ_FOR_TIMES
from agentmem.language.names import names_of, placed_names
from agentmem.language.normal import normalise
from agentmem.language.time import Recurrence, TimeMention, asked_times
from agentmem.ports.embedder import Matrix

AnswerMode = Literal["vector", "local", "global", "hybrid", "traverse", "temporal"]
"""How an answer was looked for. `vector` recalls once. `local` walks from the entities that the question names.
`global` reads summaries of whole communities. `traverse` splits the question and walks on for each part. `hybrid` does
`vector`, `global` and `traverse` side by side. `temporal` fuses cosine, BM25 and a walk, and says from when until when
things held."""

Wanted = Literal["person", "time", "place", "age", "money", "number", "name"]

_ASKED: Final[Mapping[Wanted, re.Pattern]] = {
    "time": re.compile(
        r"什么时候|何时|几点|哪天|哪[一几]天|星期几|周几|哪年|哪一年|几几年|几月|几号|多久|多长时间"
        r"|\b(?:when|how (?:long|early|late|soon)|how much time|(?:what|which) (?:year|month|day|date|time))\b",
        re.IGNORECASE,
    ),
    "age": re.compile(
        r"几岁|年龄|多大(?:年纪|岁数|了)?(?=\W*$)(?<!面积多大)(?<!规模多大)(?<!有多大)|\bhow old\b|\bwhat age\b",
        re.IGNORECASE,
    ),
    "money": re.compile(
        r"多少钱|什么价|价格|价钱|\bhow much (?:money|does .* cost|is the .* price)\b|\bprice\b|\bcosts?\b",
        re.IGNORECASE,
    ),
    "number": re.compile(
        r"多少|几(?!乎|点|月|号|何)|多大|多高|多重|多远"
        r"|\bhow (?:many|much|big|far|high|heavy|often|hot|cold|large|tall|deep|fast)\b"
        r"|\bwhat(?:['’]s| is| was| are) (?:[\w'’]+ ){1,3}?"
        r"(?:budget|rate|fee|salary|rent|wage|dose|weight|height|score)s?\b",
        re.IGNORECASE,
    ),
    "place": re.compile(
        r"哪里|哪儿|在哪|何处|什么地方|哪个(?:城市|国家|地方|岛|镇|省)|\bwhere\b"
        r"|\b(?:what|which) (?:place|city|town|country|island|village)\b",
        re.IGNORECASE,
    ),
    "person": re.compile(r"谁|哪位|什么人|\b(?:who|whom|whose)\b", re.IGNORECASE),
    "name": re.compile(
        r"叫什么|名字|哪(?:家|个|款|所)|什么名|外号|怎么称呼|\b(?:which|name|called|surname|call sign|title)\b",
        re.IGNORECASE,
    ),
}
"""In this order: the first that fits is what is wanted."""

_TIME: Final = re.compile(
    r"\b\d{4}\b|\d年|[一二三四五六七八九十]+(?:年|月|天|周|个月|小时|分钟)"
    r"|[上下]午|早上|晚上|中午|今天|明天|昨天|[上下]?周[一二三四五六日天末]|星期|\d{1,2}[点号日:：]\d*|[一二三四五六七八九十]+[点号日]"
    r"|\b(?:noon|midnight|mornings?|afternoons?|evenings?|nights?|today|o'clock|\d{1,2} ?[ap]\.?m)\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)days?|years?|months?|weeks?|days?|hours?|minutes?|winters?|summers?|tomorrow|yesterday)\b",
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
_PRICED: Final = re.compile(
    r"\b(?:costs?|prices?|fees?|charges?|rates?)\b.{0,40}?\d"
    r"|\d[\d.,]*(?: [a-z]+)? (?:a|per|each|every) (?:year|month|week|day|hour|head|person|piece|seat|user|unit)\b"
    r"|(?:价格?|费用?|收费|售价).{0,10}?\d|每[年月周天人个件次台套].{0,4}?\d",
    re.IGNORECASE,
)
"""A price whose currency goes without saying."""
_PLACE: Final = re.compile(
    r"位于|坐落|[在去到住往送寄](?!周|星期|礼拜|[上下][午个周次]|这[个周次]|早上|晚上|中午|[今明后昨]天|[今明去后]年|年底|月底)"
    r"(?![一二三四五六七八九十]+[年月日号点])(?:[\u4e00-\u9fff]{2}|[A-Z])|在.{1,12}(?:里|上|旁|边|下|中)|出生在|来自"
    r"|\b(?:in|at|on|above|near|from) (?:the |a )?"
    r"(?!(?:spring|summer|autumn|winter|morning|afternoon|evening|night|weekend|meantime|end|past|future|january"
    r"|february|march|april|may|june|july|august|september|october|november|december|mondays?|tuesdays?|wednesdays?"
    r"|thursdays?|fridays?|saturdays?|sundays?|now|it|that|this|\d)\b)\w"
    r"|\b(?:mov(?:e|es|ed|ing)|relocat(?:e|es|ed|ing)|go|goes|went|gone|travels?|travelled|returns?|returned|sends?|sent)"
    r" (?:back |over )?to (?:the |my |our |their )?(?-i:[A-Z])",
    re.IGNORECASE,
)


def wanted_by(question: str) -> Wanted | None:
    """What a question wants; None where its words do not say."""
    return next((kind for kind, pattern in _ASKED.items() if pattern.search(question)), None)


HOW_MANY_ZH: Final = "几([台辆部条张家间层名位次回本册件套座只头匹棵])"
_COUNTED_ZH: Final = re.compile(f"{HOW_MANY_ZH}([\u4e00-\u9fff]{{0,2}})")
"""How many of what is counted by that word, and what that is."""
_MEASURED_ZH: Final = re.compile("[\\d一二三四五六七八九十百千万两半余多]+([\u4e00-\u9fff])")
_ALIKE_ZH: Final = ("台辆部", "家间", "只条头匹", "位名口人", "层楼", "次回遍", "本册")
"""Words that count the same things."""
_ANY_ZH: Final = "个"
"""Counts anything."""
_SAYS_LITTLE_ZH: Final = frozenset("子儿小大老人的了呢啊吧")


def _counts(sentence: str, measure: str, noun: str) -> bool:
    """Whether a sentence counts by that word, or the same things by one that is used for it."""
    measures = {found[1] for found in _MEASURED_ZH.finditer(sentence)}
    if measure in measures:
        return True
    alike = {_ANY_ZH, *(each for group in _ALIKE_ZH if measure in group for each in group)}
    telling = frozenset(noun) - _SAYS_LITTLE_ZH
    return not alike.isdisjoint(measures) and (not telling or not telling.isdisjoint(sentence))


def has(sentence: str, wanted: Wanted, question: str) -> bool:
    """Whether a sentence has what is wanted, other than what the question says itself."""
    match wanted:
        case "time":
            return _TIME.search(sentence) is not None
        case "number":
            counted = _COUNTED_ZH.search(question)
            return _counts(sentence, *counted.groups()) if counted else _NUMBER.search(sentence) is not None
        case "age":
            return _AGE.search(sentence) is not None
        case "money":
            return _MONEY.search(sentence) is not None or _PRICED.search(sentence) is not None
        case "place":
            return _PLACE.search(sentence) is not None
        case "person" | "name":
            plain = canonical_name(question)
            new = [each for each in names_of(sentence) if canonical_name(each.name) not in plain]
            return any(wanted == "name" or each.kind in ("person", "thing") for each in new)


_FRAME_EN: Final = re.compile(r"^\W*(?:and )?(?:who|what) (?:is|are|was|were) ", re.IGNORECASE)
_TIE_EN: Final = re.compile(
    r"\b(?:the|a|an) (?:[\w-]+ ){1,4}?(?:of|behind|underneath|beneath|inside|in|at|by|for|from|with|on|used by|who|that"
    r"|which|whose) |\w['’]s? (?=[a-z])",
    re.IGNORECASE,
)
_ROLE_ZH: Final = re.compile(
    r"(?:负责|创始|创办|牵头|主持|主理|掌门|发明|合伙|继任|联系|介绍|代言|守塔|承办|推荐)人|(?:创办|开发|设计|维护|经营|发明|研发|管理|领导|作)者"
    r"|(?:董事|院|校|行|厂|矿|镇|市|县|村|部|局|处|科|店|班|组|队|社|会|船)长|(?:总)?经理|老板|主任|主管|上司|(?:架构|设计|工程|会计|律)师|程序员"
    r"|(?:合作|供应|开发|供货|制造|经销|代理)[方商]|公司(?!有?(?:多少|几个|多大)|规模|人数|现在|用)|企业|厂家|客户|太太|妻子|丈夫|爱人|儿子|女儿|父亲|母亲|哥哥|弟弟|姐姐|妹妹"
    r"|同学|同事|朋友|邻居|老师|学生|徒弟"
)
_FRAME_ZH: Final = re.compile(
    r"(?:是(?:谁|什么(?:人|公司)?|哪(?:家|位|个|些)?)|叫什么(?:名字)?|有(?:谁|哪些)|都?有什么)\W*$"
)
_OWNED_ZH: Final = re.compile(r"(?<=[^\s我你您他她它])的")


def is_described(question: str) -> bool:
    """Whether it asks for something of what it describes."""
    text = question[:MAX_CHARS]
    return _ties_zh(text) > 1 or _ties_en(text) > 1


def _ties_en(text: str) -> int:
    """How many steps the words name; what is asked of the last is one, unless it is only who that is."""
    ties = sum(1 for _ in _TIE_EN.finditer(text))
    return ties if ties == 0 or _FRAME_EN.search(text) else ties + 1


def _ties_zh(text: str) -> int:
    names = placed_names(text)
    roles = [role for role in _ROLE_ZH.finditer(text) if not any(each.start < role.end() <= each.end for each in names)]
    ended = {role.start() for role in roles} | {each.start for each in names}
    owned = [found for found in _OWNED_ZH.finditer(text) if found.end() not in ended]
    ties = len(roles) + len(owned)
    return ties if not roles or _FRAME_ZH.search(text) else ties + 1


MOST: Final = 3
ALIKE: Final = 0.9
"""Cosine from which two parts ask for the same."""

MAX_CHARS: Final = 2_000
"""Characters of a question that are taken apart."""

_SHORTEST: Final = 2

_AND: Final = re.compile(
    r"[,，;；]?\s*(?:\band then\b|\bas well as\b|\band\b|以及|并且|而且|然后|还有|同时|和|与)\s*|[;；]\s*",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"什么|谁|哪|怎么|如何|多[少大高重远久长]|几|为何|吗|呢|\b(?:what|who|whom|whose|which|when|where|why|how)\b",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(
    r"关系|区别|不同|共同|相比|比较|之间|\b(?:between|difference|differ|common|compare|compared|versus|vs)\b",
    re.IGNORECASE,
)
_OWNER: Final = re.compile(r"^(.*?的)(?=[^的]+$)|^(.*?\S['’]s )", re.IGNORECASE | re.DOTALL)
_TAIL: Final = re.compile(r"(?:各|分别|都)?(?:是什么|是多少|是谁|在哪里?|怎么样|如何|有哪些)$")
_POINTS_BACK: Final = re.compile(
    r"[他她它]们?的?|这个|那个|该|\b(?:he|him|his|she|her|hers|it|its|they|them|their|this|that|these|those)\b",
    re.IGNORECASE,
)
_RELATIVE: Final = re.compile(r"(?<=\w)(?<!\band),? (?:that|which|who|whose|where) (?=\w)", re.IGNORECASE)

_OPENS: Final = re.compile(
    r"\W*(?:(?:and|but|so) )?(?:on|in|at|for|from|to|with|by|of|until|since|under|through)?", re.I
)
"""What may stand before "which" and "whom" where they ask."""


def parts_of(question: str) -> list[str]:
    """At most three questions in its order that together ask what the whole asks; it alone, where it asks one thing."""
    text = question.strip()[:MAX_CHARS]
    asked = [span.text for span in sentences(text)]
    found = [part for one in asked[:MOST] for part in _conjoined(one, MOST)]
    # What points back to an earlier part asks nothing without it.
    whole = [text if place and _POINTS_BACK.search(part) else part for place, part in enumerate(found)]
    found = [part for one in whole for part in _nested(one)]
    parts = list({normalise(part): part for part in found if len(part) >= _SHORTEST}.values())
    return parts[:MOST] if len(parts) > 1 else [text]


def asked_apart(question: str) -> list[str]:
    """What it asks in one breath, each alone: also what only a comma parts, where each side asks."""
    asked = sentences(question.strip()[:MAX_CHARS])
    return [each for one in asked for part in _conjoined(one.text, MOST) for each in _between_commas(part)]


def _between_commas(part: str) -> list[str]:
    pieces = re.split("[,，]", part)
    return pieces if all(_ASKS.search(each) for each in pieces) else [part]


def asks_between(question: str) -> bool:
    """Whether it asks what several things have to do with one another."""
    return _BETWEEN.search(question) is not None


def is_nested(question: str) -> bool:
    """Whether it asks for something of something that it does not name."""
    return any(len(_nested(span.text)) > 1 for span in sentences(question[:MAX_CHARS]))


def diverse(parts: Sequence[str], rows: Matrix) -> list[str]:
    """The parts without those that ask for what an earlier one asks; `rows` are their vectors."""
    kept: list[int] = []
    for place in range(len(parts)):
        if all(float(rows[place] @ rows[other]) < ALIKE for other in kept):
            kept.append(place)
    return [parts[place] for place in kept]


def _conjoined(text: str, most: int) -> list[str]:
    """The sentence, or what stands on both sides of a conjunction, made whole; the last of `most` parts is not taken
    apart any more."""
    if most == 1 or _BETWEEN.search(text):
        return [text]
    names = placed_names(text)
    for found in _AND.finditer(text):
        left, right = text[: found.start()].strip(), text[found.end() :].strip()
        ends = next((each for each in names if each.end == found.start()), None)
        begins = next((each for each in names if each.start == found.end()), None)
        if ends and begins:
            return [text[: found.start()] + text[begins.end :], text[: ends.start] + text[found.end() :]]
        if (
            _ASKS.search(left)
            and _ASKS.search(right)
            and not any(each.start < found.start() < each.end for each in names)
        ):
            return [left, *_conjoined(right, most - 1)]
        if (shared := list(_shared(left, right))) and left:
            return shared
    return [text]


def _shared(left: str, right: str) -> Iterator[str]:
    """Two things of one owner: "罗小东的电话" and "预算是多少", "What is Tom's number" and "budget"."""
    owner = _OWNER.search(left)
    if owner is not None and right and not placed_names(right):
        tail = _TAIL.search(right)
        yield left + (tail.group() if tail else "")
        yield owner.group() + right


def _nested(text: str) -> list[str]:
    """What has to be known first, then the whole: "罗小东用的产品" before who answers for it."""
    relative = _RELATIVE.search(text)
    if relative is not None and not _OPENS.fullmatch(text[: relative.start()]) and text[relative.end() :].count(" "):
        return [text[relative.end() :], text]
    last = text.rfind("的")
    named = any(each.end == last for each in placed_names(text))
    if "的" in text[: max(last, 0)] and not named:
        return [text[:last], text]
    return [text]


_OVERVIEW: Final = re.compile(
    r"总结|概括|概述|总体|整体|总的来说|综合来看|大家|所有(?:客户|人|用户)|客户们|主要(?:有哪些|的?(?:主题|话题|问题|需求|趋势))"
    r"|\b(?:summar(?:y|i[sz]e)|overview|overall|in general|on the whole|main (?:themes?|topics?|concerns?|trends?)"
    r"|everybody|everyone|across (?:all|the)|all (?:the )?(?:customers|users|people))\b",
    re.IGNORECASE,
)
_HISTORY: Final = re.compile(
    r"(?:^|[^点钟号日月年周天时分秒岁一二三四五六末底])(?:以前|之前)|从前|曾经|过去|原来|原先|本来|先前|早先|起初|最初|当初|换过|变过|改过|历史|变化"
    r"|\b(?:used to|did (?:[\w'’-]+ ){1,4}use to"
    r"|previously|formerly|history|before (?:that|now)|in the past|at first|changed?|originally)\b"
    r"|\bbefore\W{0,3}$"
    r"|\b(?:previous|former)(?! (?:\w+[- ])?(?:boss|employer|colleague|coworker|manager|president|head|wife"
    r"|husband|partner|owner|name|teacher|student|director|ceo|chief)\b)"
    r"|\bold (?:(?:phone|mobile|cell|telephone|home|work|office|postal|street|e-?mail) )?(?:numbers?|address(?:es)?"
    r"|e-?mail|job)\b|\b(?:was|were|did|had)\b[\w'’ -]{0,40} "
    r"(?:(?:his|her|their|my|your|our|its|\w+['’]s) old|original|initial|earlier)\b"
    r"|旧的?(?:手机号|电话|号码|地址|住址|邮箱|工作|[\u4e00-\u9fff]{1,6}是(?:什么|多少|哪|几|谁))|(?<!养)老(?:手机号|电话|号码|地址|住址|邮箱)",
    re.IGNORECASE,
)
"""What is old is over only where it is a way to reach somebody, or a job: an old house or phone may still be had."""
_ABOUT: Final = re.compile(
    r"关系|联系着|有关|相关|介绍|是谁|是什么人|了解|"
    r"\b(?:related?|relationship|connect(?:ed|ion)|who is|tell me about|know about|between)\b",
    re.IGNORECASE,
)


def is_overview(question: str) -> bool:
    """Whether it asks about everything rather than about something."""
    return _OVERVIEW.search(question) is not None


def asks_of_the_past(question: str) -> bool:
    """Whether it asks for what is over."""
    return _HISTORY.search(question) is not None


_ANY_TIME: Final = Recurrence()
"""What comes again at no time that is named: every month."""


def asked_times_of(question: str, now: datetime) -> list[TimeMention]:
    """The times it asks for, without what comes every month, on whatever day."""
    return [each for each in asked_times(question[:READ_FOR_TIMES], now) if each.every != _ANY_TIME]


def is_the_moment(time: TimeMention, now: datetime) -> bool:
    """Whether it is the moment at which it is asked: what holds is asked for anyway, so that only what is measured from
    moment to moment has to be of it."""
    return time.begins == now and time.precision == "second"


def mode_of(question: str, now: datetime) -> AnswerMode:
    """The mode that suits a question asked at `now`."""
    if is_overview(question):
        return "global"
    several = is_nested(question) or is_described(question)
    times = [each for each in asked_times_of(question, now) if not (_is_a_kind(each) or is_the_moment(each, now))]
    if asks_of_the_past(question) or any(not several or (each.ends and each.ends <= now) for each in times):
        return "temporal"
    if several or len(parts_of(question)) > 1:
        return "traverse"
    names = names_of(question)
    if len(names) > 1 or (names and _ABOUT.search(question)):
        return "local"
    return "vector"


def _is_a_kind(time: TimeMention) -> bool:
    """Whether it only says what kind of thing is meant, as in "night flight": a part of no day, and nothing leads to
    it."""
    return time.precision == "part" and not time.dated and time.text.isascii() and " " not in time.text


def next_mode(mode: AnswerMode) -> AnswerMode | None:
    """Where to look when that mode finds nothing; None where nothing is left: a traversal has recalled as well."""
    match mode:
        case "global":
            return "hybrid"
        case "local" | "temporal":
            return "vector"
        case "vector" | "hybrid" | "traverse":
            return None
