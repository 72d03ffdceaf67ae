"""How many came or went, `Ten customers left`, 卖了十辆卡车, which is no count of what there is; and the count of what
there is behind it, `so we have 15 now`, 还剩30辆, which leaves out of what.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable, Iterator
from dataclasses import replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import Clause, Who
from agentmem.adapters.cognition.rules.subjects import subject_en, subject_zh

_I = re.IGNORECASE
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_NUM_EN = rf"(?:\d[\d,]*|(?:{_TENS})(?:-\w+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|(?:a |two |three )?(?:dozen|hundred)|a couple of|a few|several)"
_THINGS_EN = (
    r"(?:(?:more|new|other|old|of (?:our|my|the)) )*(?P<noun>[a-z][\w-]*s|people|staff|men|women|children|sheep|mice)"
)
_CAME_EN = re.compile(
    rf"^(?:(?:i|we|they|our \w+|the \w+|my \w+)(?:'ve| have| has)? (?:just |recently |also |already |then )*(?:hired|recruited|lost|sold|bought|added|laid off|fired|let go(?: of)?|gained|won|closed|opened|shut|took on|scrapped|retired|got rid of|dropped|acquired|gave away|brought in)(?: another| about| over| nearly)? {_NUM_EN} {_THINGS_EN}\b)"
    rf"|^(?:(?:last|this) \w+ )?(?:another |about |over |nearly |the other )?{_NUM_EN} {_THINGS_EN.replace('noun', 'who')}(?: have| has|'ve)?(?: just| already| also| recently)* (?:left|quit|resigned|joined|came|cancell?ed|died|retired|signed up|moved (?:in|out)|dropped out|walked out|went|arrived|unsubscribed|churned|broke down|passed away|(?:were|got|was|been) (?:hired|fired|laid off|sold|let go|stolen|scrapped|closed|added))\b",
    _I,
)
_NUM_ZH = r"[\d一二两三四五六七八九十百千万几]+(?:多|来)?"
_OF_ZH = "个|位|名|辆|台|家|间|只|套|条|匹|头"
_OF_MORE = re.compile(
    rf"\b(?:{_NUM_EN}|some|half|most|any|another) of (?:the|my|our|them|these|those|us|his|her|their)\b"
    rf"|[\u4e00-\u9fff](?:走|死|丢|坏|卖|跑|退|离职|辞职|离开|去世|送人|没|病|来|退休)(?:掉|走)?了{_NUM_ZH}(?:{_OF_ZH}|人)(?![\u4e00-\u9fff])|其中(?:的|有)?{_NUM_ZH}|有{_NUM_ZH}(?:{_OF_ZH})[^,，]{{0,4}}(?:走|死|丢|坏|卖|跑|退)",
    _I,
)
_COUNT_EN = re.compile(
    rf"^(?P<head>(?:(?:we|i)(?: now)?(?:'re|'ve(?: got)?| are| have(?: got)?| run| own| employ)|there(?:'s| are)|that (?:leaves|makes)(?: us| me)?(?: with)?|it leaves (?:us|me)(?: with)?)(?: now| only| just| still| about| around| down to| up to| back to)* {_NUM_EN})(?P<noun> people)?(?P<tail>(?: now| left| in total| altogether| remaining| again| so far| in all)*)$",
    _I,
)
_MANY_ZH = rf"(?:(?!一[个位名辆台家间只套条匹头])){_NUM_ZH}"
_LATELY_ZH = r"(?:我们?|公司|团队|店里|又|也|已经|刚刚?|最近|今年|去年|上个?[周月]|这个?[周月]|昨天|今天)*"
_CAME_ZH = re.compile(
    rf"^{_LATELY_ZH}(?:新?招|雇|聘|裁|辞退|开除|卖|新?买|流失|新增|增加|减少|丢|关|新?开|报废|淘汰|走|新?来|离职|辞职|入职|加入|少|多|新?签|送走|退|死|跑)(?:掉|走|进来|出去)?了(?:大概|大约|将近|差不多|约)?{_MANY_ZH}(?:(?P<of>{_OF_ZH})(?P<noun>[\u4e00-\u9fff]{{0,4}}?)|(?P<who>人|员工))了?$"
    rf"|^{_LATELY_ZH}有?{_NUM_ZH}(?:(?:{_OF_ZH})(?P<noun2>[\u4e00-\u9fff]{{0,4}}?)|(?P<who2>人|员工))(?:都|已经|刚刚?|又|也|最近|上个?[周月]|今年)*(?:离职|辞职|离开|退出|跳槽|加入|入职|流失|退订|取消|退休|去世|卖|走|来|死|坏|退)掉?了"
)
_COUNT_ZH = re.compile(
    rf"^(?P<head>(?:所以|这样|那)?(?:现在|目前|如今|我们?|团队|公司|就|只|还|一共|总共|大概|大约|也|已经)*(?:有|剩下?|是|变成|到)?了?{_NUM_ZH}(?:(?:{_OF_ZH})|(?=人|员工)))(?P<noun>人|员工)?(?P<tail>(?:了|左右|而已)*)$"
)
_OURS = re.compile("我|团队|公司")
_HIS = (Who.FIRST, Who.OWN, Who.NONE, Who.THING)


def tells_how_many_came(text: str) -> bool:
    """Whether a clause tells how many came or went."""
    return _CAME_EN.match(text) is not None or _CAME_ZH.match(text) is not None


def tells_of_a_part(text: str) -> bool:
    """Whether a clause tells of some of several, `one of the cats`, 走了一个: the rest is as it was."""
    return _OF_MORE.search(text) is not None or tells_how_many_came(text)


def leaves_out_of_what(text: str) -> bool:
    """Whether a clause counts what there is, and does not say of what."""
    return any(found is not None and found["noun"] is None for found in (_COUNT_EN.match(text), _COUNT_ZH.match(text)))


def with_what_is_counted(clauses: Iterable[Clause]) -> Iterator[Clause]:
    """The clauses, where a count stands behind how many of the speaker's came or went with what it counts: `we have 15
    customers now`."""
    things = ""
    for clause in clauses:
        if tells_how_many_came(clause.text):
            things = _things(clause.text) if clause.subject.who in _HIS else ""
        yield _counting(clause, things) if things else clause


def _things(text: str) -> str:
    found = _CAME_EN.match(text) or _CAME_ZH.match(text)
    return next((word for name, word in found.groupdict().items() if word and name != "of"), "") if found else ""


def _counting(clause: Clause, things: str) -> Clause:
    if clause.lang == "zh":
        found = _COUNT_ZH.match(clause.text)
        if found is None or things.isascii():
            return clause
        head = found["head"]
        ours = "" if _OURS.search(head) else "我们"
        text = f"{ours}{head}{found['noun'] or things}{found['tail']}"
        subject, predicate = subject_zh(text, None, "")
    else:
        found = _COUNT_EN.match(clause.text)
        if found is None or not things.isascii():
            return clause
        text = f"{found['head']} {(found['noun'] or things).strip()}{found['tail']}"
        subject, predicate = subject_en(text, None, "")
    return replace(clause, text=text, subject=subject, predicate=predicate)
