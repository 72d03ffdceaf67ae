"""What has ended, `I no longer live in Boston`, which is read as `I live in Boston` and held as denied from then on; and
from when to when a slot fact holds, where its words say so: `since March`, `I moved in 2019`, `从去年起`.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.findings import told
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Who
from agentmem.adapters.cognition.rules.subjects import subject_en, subject_zh
from agentmem.domain.attributes import cardinality
from agentmem.domain.memory import Modality
from agentmem.language.time import TimeMention, find_times

_I = re.IGNORECASE
_SINCE = re.compile(
    r"\b(?:since|as of|effective|starting(?: from)?|from)\b(?=[^,;]*$)|[从自](?=.{1,14}(?:起|开始|以来|就))|以来", _I
)
_CHANGED = re.compile(
    r"搬|入职|加入|跳槽|换|改[用成为]|离职|辞职|离开|转行|结婚|离婚|订婚|升|成为|当上|提高|增加|降|减|调整|迁|定居|落户|安家|领证|扯证|嫁|娶|提拔|任命|录用|裁|辞退|开除|退休"
    r"|\b(?:moved|relocated|joined|started|switched|migrated|became|become|changed|left|quit|resigned|married|divorced|engaged|promoted|stopped|turned|went up|gone up|was cut|raised|hired|recruited|let me go|laid off|fired|sacked|retired|appointed|settled|went to live|tied the knot|hitched)\b",
    _I,
)
_PLANNED = re.compile(
    r"(?:要|将|会|打算|准备|计划|决定).{0,12}(?:搬|入职|加入|跳槽|换|去)"
    r"|\b(?:am|'m|are|'re|is|will|'ll|be|going to|planning to) (?:\w+ )?(?:moving|move|relocating|relocate|joining|join|starting|start|switching|switch|changing|change)\b",
    _I,
)
_WAS = re.compile(r"\b(?:lived|worked|was|were|used|had)\b.*\b(?:from|between)\b|从.+到.+(?:住|在|做|当|用)", _I)
_UNDATED = frozenset(("birthday", "age", "deadline", "name", "alias"))


def interval_of(words: str, attribute: str | None, said: datetime) -> tuple[datetime | None, datetime | None]:
    """When the fact of a clause began and ended, as far as its words tell; None for what they leave open."""
    if attribute is None or attribute in _UNDATED or cardinality(attribute, {}) == "multi":
        return None, None
    dated = [
        item for item in find_times(words, said) if item.dated and item.every is None and (item.begins or item.ends)
    ]
    if len(dated) != 1:
        return None, None
    return _read(words, dated[0], said)


_FROM = re.compile(r"\b(?:from|as of|starting(?: from| on)?|effective(?: from)?) $", _I)
_TO_COME = re.compile(r"\b(?:will|shall|going to)\b|['’]ll\b|[将会要改换]|(?<![早已])就", _I)
_SURELY_AHEAD = re.compile(r"\b(?:next|tomorrow)\b|[下明后]", _I)


def begins_ahead(sentence: str, attribute: str | None, said: datetime) -> datetime | None:
    """The day to come from which the one value of a slot will be what a sentence says, where it names no other day."""
    if attribute is None or attribute in _UNDATED or cardinality(attribute, {}) == "multi":
        return None
    dated = [each for each in find_times(sentence, said) if each.dated and each.every is None]
    if len(dated) != 1 or dated[0].begins is None or dated[0].begins <= said:
        return None
    mention = dated[0]
    open_ended = mention.ends is None or _FROM.search(sentence[: mention.start]) is not None
    sure = _SURELY_AHEAD.search(mention.text) or _TO_COME.search(sentence)
    return mention.begins if open_ended and sure else None


_UNTIL = re.compile(r"(?:until|till|'til|through|up to)\b|(?:直?到)", _I)
_NOT_YET = re.compile(
    r"\b(?:not|n't|never|won't|can't|cannot|no)\b[^,.;]*\b(?:until|till)\b|[不没别][^,，。]*[到前]", _I
)
_LASTS = re.compile(
    r"\b(?P<this>this (?:week|month|weekend))\b|\bfor (?:the next |another |about )?(?:(?P<n>a|an|one|two|three|four|five|six|\d{1,2}) )?(?:more )?(?P<unit>days?|weeks?|months?|fortnight)\b"
    r"|(?P<zh>[这本](?:个?星期|个?礼拜|周|个?月|几天)(?![一二三四五六日天末初底]))|(?:未来|接下来)?(?P<m>[一二两三四五六\d]{1,2})个?(?P<u>天|周|星期|礼拜|月)(?=内|里|都|先|我|住|在)",
    _I,
)
_FOR_NOW = re.compile(
    r"\b(?:staying|stay|at my|at our|with my|for now|temporar\w+|only|just|ring|call|send|deliver|post|cover(?:ing)?|on leave|off work|away|house-?sit\w*|working from|instead)\b|住|暂|临时|先(?!生)|都?[送寄放打]|出差|请假|休假|借",
    _I,
)
_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "天": 1, "周": 7, "星期": 7, "礼拜": 7, "月": 30}
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6}  # fmt: skip


def ends_at(words: str, said: datetime) -> datetime | None:
    """When what the words say is over, as far as they set it a bound: till Friday, for two weeks, 这周; None where they
    set none."""
    if _NOT_YET.search(words):
        return None
    words = _NEXT_SUBJECT.sub(", ", words)
    for mention in find_times(words, said):
        before = words[max(0, mention.start - 8) : mention.start + 8]
        if mention.dated and mention.every is None and mention.ends is not None and mention.ends > said:
            if mention.begins is None and _UNTIL.match(mention.text) is not None and _is_bound(mention.text, words):
                return mention.ends
            if _TILL_ZH.search(before) and words.startswith(("为止", "之前", "以前"), mention.end):
                return mention.ends
    return _lasting(words, said) if _FOR_NOW.search(words) else None


def _is_bound(mention: str, words: str) -> bool:
    """Whether it bounds what is so now: a clock time may as well end what is done every day (`I teach till half 3`)."""
    return _CLOCK.fullmatch(mention) is None or _FOR_NOW.search(words) is not None


_CLOCK = re.compile(
    r"(?:until|till|'til|up to|through)\s(?:about |around )?(?:half |quarter (?:past|to) )?(?:\d{1,2}(?:[:.]\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight) ?(?:[ap]\.?m\.?|o'clock|noon)?",
    _I,
)
_NEXT_SUBJECT = re.compile(r" (?=(?:I|we)\b)")
_TILL_ZH = re.compile(r"到.{0,8}$")


def _lasting(words: str, said: datetime) -> datetime | None:
    """The end of a stretch that begins now."""
    found = _LASTS.search(words)
    if found is None:
        return None
    if found["this"] or found["zh"]:
        mention = next((each for each in find_times(words, said) if each.ends and each.ends > said), None)
        return mention.ends if mention else None
    count, unit = found["n"] or found["m"] or "a", (found["unit"] or found["u"]).lower().removesuffix("s")
    many = int(count) if count.isdigit() else _COUNTS[count.lower()]
    return said + timedelta(days=many * _DAYS[unit])


def is_planned(words: str) -> bool:
    """Whether a clause speaks of a change that lies ahead."""
    return _PLANNED.search(words) is not None


def _read(words: str, when: TimeMention, said: datetime) -> tuple[datetime | None, datetime | None]:
    begins = when.begins
    if _WAS.search(words) and begins and when.ends and when.ends <= said:
        return begins, when.ends
    if begins is None:
        return None, None
    if is_planned(words):
        return (begins, None) if begins > said else (None, None)
    tied = _CHANGED.search(words) or _SINCE.search(words)
    return (begins, None) if tied and begins <= said else (None, None)


_CEASED_ZH = re.compile(
    r"(?:现在|如今|目前)?(?:已经)?(?:不再|再也不)(?=\S{2})|(?:现在|如今|目前|已经|早就)*(?:不|没(?:有)?再?)(?=(?:住|在|用|做|当|是|喜欢|爱|吃|喝|抽|养|玩|需要|想|打算|干|去|学|看|租|开|骑|打|跑|练|戴|卖|要|跟|和).{1,40}了$)"
)
_HABITS_ZH = {"烟": "抽烟", "酒": "喝酒", "糖": "吃糖", "肉": "吃肉", "咖啡": "喝咖啡", "奶茶": "喝奶茶"}
_GAVE_UP_ZH = re.compile(
    rf"^(?P<self>我?)(?:已经|刚|早就)*(?:戒(?:掉)?了?(?P<v>{'|'.join(_HABITS_ZH)})(?:了)?|(?P<v2>{'|'.join(_HABITS_ZH)})(?:已经|刚|早就|都)*戒(?:掉)?了(?:[^,]{{1,4}}[年月天]了?)?)$"
)
_DENIED_ZH = re.compile(r"(?:现在|目前)?(?:并)?(?:不(?=住|在|是|用)|没(?=在|住))")
_LEFT_ZH = re.compile(
    r"^(?P<self>我)?(?:已经|刚|上个?[周月]|去年|今年|最近)*(?:从(?P<v>[^,]{2,16}?)(?:离职|辞职|离开|跳槽|退出)(?:出来)?|离开了?(?P<v2>[^,了]{2,16}?))(?:了)?$"
)
_NO_LONGER = re.compile(r"\bno longer\s+", _I)
_ANY_MORE = re.compile(r"\s+(?:any ?more|any longer|these days|now)$", _I)
_NOT = re.compile(
    r"(?:\b(?:do|does) not |\b(?:do|does)n't |(?<=[Ii]'m) not\b|(?<=\bam) not\b|(?<='re) not\b|(?<=\bare) not\b|(?<=\bis) not\b|(?<='s) not\b|(?<=\bis)n't\b|(?<=\bare)n't\b)",
    _I,
)
_STOPPED = re.compile(
    r"(?:\b(?:have|has|had)\b|'ve|'s)?\s*\b(?:just |recently )?(?:stopped|quit|given up|gave up|ceased)\s+(?P<ing>[a-z]{2,}ing)\b",
    _I,
)
_LEFT = re.compile(
    r"^(?:i|we)(?:'ve| have)?(?: just| recently| now)*\s+(?:left|quit|resigned from|was laid off from|departed) (?P<v>(?-i:[A-Z])[\w&'.-]*(?: (?!and\b|to\b|for\b|last\b|this\b|in\b|on\b|after\b)[\w&'.-]+){0,4})(?: (?:last|this|in|on|after) .*)?$",
    _I,
)
_FULL_BASES = {"us": "use", "liv": "live", "driv": "drive", "smok": "smoke", "mak": "make", "tak": "take", "writ": "write", "danc": "dance", "cycl": "cycle", "rid": "ride", "bak": "bake", "hik": "hike", "manag": "manage", "studi": "study", "vap": "vape", "practis": "practise", "practic": "practice"}  # fmt: skip

Reader = Callable[[Clause, Discourse], Iterable[Finding]]


def ceased(clause: Clause, discourse: Discourse, read: Reader) -> Iterator[Finding]:
    """What the rules behind `read` find in the affirmed clause, as denied; nothing where nothing has ceased."""
    if clause.act not in (Act.ASSERT, Act.IDLE) or clause.subject.who not in (Who.FIRST, Who.OWN, Who.NONE, Who.THIRD):
        return
    sure = _affirmed(clause)
    plain = None if sure is not None else _undenied(clause)
    affirmed = sure if sure is not None else plain
    if affirmed is None:
        return
    for found in read(_as_said(clause, affirmed), discourse):
        if found.modality is not Modality.STATED or (sure is None and cardinality(found.attribute, {}) == "multi"):
            continue
        content = _told(clause, discourse, found)
        if content is not None:
            yield replace(found, content=content, modality=Modality.NEGATED)


def _told(clause: Clause, discourse: Discourse, found: Finding) -> str | None:
    given_up = _GAVE_UP_ZH.match(clause.text)
    if given_up is not None:
        clause = replace(clause, text=f"{given_up['self']}不再{_HABITS_ZH[given_up['v'] or given_up['v2']]}")
    if found.about is None:
        return told(clause, discourse)
    rest = clause.predicate.strip()
    return f"{found.about}{'' if clause.lang == 'zh' else ' '}{rest}"


def _affirmed(clause: Clause) -> str | None:
    return _affirmed_zh(clause.text) if clause.lang == "zh" else _affirmed_en(clause.text)


def _affirmed_zh(text: str) -> str | None:
    left = _LEFT_ZH.match(text)
    if left is not None:
        return f"我在{left['v'] or left['v2']}上班"
    given_up = _GAVE_UP_ZH.match(text)
    if given_up is not None:
        return f"{given_up['self']}{_HABITS_ZH[given_up['v'] or given_up['v2']]}"
    found = _CEASED_ZH.search(text)
    if found is None or found.start() > 16:
        return None
    return f"{text[: found.start()]}{text[found.end() :].removesuffix('了')}"


def _affirmed_en(text: str) -> str | None:
    left = _LEFT.match(text)
    if left is not None:
        return f"I work at {left['v']}"
    if _NO_LONGER.search(text):
        return _NO_LONGER.sub("", text, count=1)
    stopped = _STOPPED.search(text)
    if stopped is not None:
        return f"{text[: stopped.start()]} {_base(stopped['ing'])}{text[stopped.end() :]}"
    if _ANY_MORE.search(text) and _NOT.search(text):
        return _NOT.sub("", _ANY_MORE.sub("", text), count=1)
    return None


def _undenied(clause: Clause) -> str | None:
    denial = _DENIED_ZH if clause.lang == "zh" else _NOT
    found = denial.search(clause.text)
    if found is None or found.start() > 30:
        return None
    return f"{clause.text[: found.start()]}{clause.text[found.end() :]}"


def _base(participle: str) -> str:
    stem = participle[:-3]
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    return _FULL_BASES.get(stem, stem)


def _as_said(clause: Clause, text: str) -> Clause:
    read = subject_zh if clause.lang == "zh" else subject_en
    subject, predicate = read(text, None, clause.subject.person or "")
    return replace(clause, text=text, subject=clause.subject, predicate=predicate if subject.words else text)
