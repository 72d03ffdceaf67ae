"""Statements side by side: pairs that a cheap test left open, decided by polarity and shared words; and reflection, what at
least two observations say together, and nothing that one of them says alone.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable, Iterator
from typing import Literal

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.holders import DOES_FOR_US
from agentmem.adapters.cognition.rules.matters import is_exception
from agentmem.domain.memory import MemoryNode, Modality
from agentmem.domain.statement import Insight, Pair, Related, Review, Verdict
from agentmem.language.gists import ONE_AT_A_TIME, Gist, gist_of, without_names
from agentmem.language.normal import digits, normalise, trigram_similarity
from agentmem.language.synonyms import Kin, kin_in, relative_first
from agentmem.language.time import find_times
from agentmem.language.tokens import in_one_wording
from agentmem.ports.cognition import ReflectionInput

_NEGATION = re.compile(
    r"不希望|不想要?|不需要|不打算|不再|不要|没有|不喜欢|不能|讨厌|受不了|戒|取消|去掉|停止|别|不|没|无需|\b(?:no longer|not|never|don't|doesn't|didn't|isn't|aren't|won't|can't|cannot|without|stop(?:ped)?|quit|gave up|given up|hates?|dislikes?|can't stand|cancel\w*|remov\w*)\b",
    re.IGNORECASE,
)
_ADDING = re.compile(
    r"添加|加上|加入|加点|加|增加|新增|希望|想要?|需要|打算|喜欢|讨厌|受不了|爱(?=吃|喝|看|玩)|已经|早就|经常|每[天周月年]|戒|取消|去掉|停止|不|没有?|别|再|在|了|的|地|得|和|跟|与|、|点|上|一下|中|里|给|从|\b(?:to|the|a|an|of|in|is|are|wants?|needs?|would|like|add\w*|stopped|quit|gave up|given up|likes?|loves?|enjoys?|hates?|dislikes?|can't stand|(?:big )?fan of|fond of|keen on|into|any ?more|every (?:day|week|morning|evening|month)|often|really|usually|remov\w*|cancel\w*|not|no|longer|never|don't|doesn't|does|do|and|with|their|its?)\b",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"改到|改成|改为|换到|推迟到|提前到|\b(?:move|moved|reschedule\w*|push(?:ed)? back|instead|changed?) (?:it |the \w+ )?(?:to|for)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d{4}-\d\d-\d\d|[周期]([一二三四五六日天])|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE
)
_STEM = re.compile(r"(?<=[a-z]{2})(?:ing|es|ed|s|e)$")
_LIGHT = re.compile(
    r"提到|现在|一直|自己(?=[\u4e00-\u9fff])(?!的)|还是(?=每|在|住|很|不|用)|(?<![首成古京])都(?![市江城])|\b(?:says|also|still|usually|(?<!not )really)\b ?",
    re.IGNORECASE,
)
"""Words that weaken or stress a statement and leave its meaning."""

_MOSTLY, _NEARLY = 0.5, 0.6
"""Share of the topic words of the shorter that two statements have in common: from the first on one that says `now`
gives a newer value, from the second on two different values may contradict each other though nothing says so."""

_MORE = 4
"""Topic words that only the older has, beyond which it says too much else to end with one value."""

_ANY_NUMBER = frozenset(("number",))
"""Of two numbers one of which counts nothing that is named nobody knows whether they are of one type."""


def judged(pair: Pair) -> Verdict | None:
    """The verdict on one pair, by words alone; None where two that concern one matter may both hold, or not: of two that
    are linked already, words alone do not say that they are unrelated."""
    if is_exception(pair.new, pair.old) or _is_of_one_more(pair) or _is_of_a_relative(pair):
        return Verdict(number=pair.number, relation="unrelated")
    relation = _worded(without_names(pair.new, pair.names), without_names(pair.old, pair.names)) or _met(pair)
    unsure = relation == "unsure" or (pair.linked and relation == "unrelated")
    return None if unsure else Verdict(number=pair.number, relation=relation)


_IS_ONE = re.compile(
    r"\b(?:is|works as) an? (?P<en>[a-z][a-z -]{2,40})$|(?:是|做|当)(?:一?[名个位])?(?P<zh>[\u4e00-\u9fff]{2,8})$",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"(?:.*\b(?:says|said|hears|heard|mentions) (?:that )?)?(?:the|that|another|their) "
    r"|[^是不没把将卖退换做当有给被成,，]{1,14}(?:的|[那这另]一?[个位])",
    re.IGNORECASE,
)
"""What stands before somebody of whom it says which he is, and of whom the sentence goes on to tell."""


def _is_of_one_more(pair: Pair) -> bool:
    """Whether the newer is about somebody who is called by what the older says that the person, or a relative, is: `the
    nurse on the ward has left`, of one who is a nurse. What he himself is no more (`is not the manager`) or no longer has
    (`sold the Volvo`) is his."""
    found = _IS_ONE.search(pair.old.rstrip(".。"))
    if found is None:
        return False
    holder = pair.old[: found.start()].strip()
    before, named, _ = pair.new.partition(found["en"] or found["zh"])
    return bool(named and (holder in pair.names or kin_in(holder)) and _WHICH.fullmatch(before))


def _is_of_a_relative(pair: Pair) -> bool:
    """Whether one is about a relative of the person, whom the other does not name: what a son is no more his mother may
    be. What a boss does to what is the person's (`moved their shift`) is about that."""
    if DOES_FOR_US.search(pair.new.replace(" their ", " our ")) is not None:
        return False
    new, old = (_relatives(text, pair.names) for text in (pair.new, pair.old))
    return bool((new and not new & kin_in(pair.old)) or (old and not old & kin_in(pair.new)))


def _relatives(text: str, names: Iterable[str]) -> frozenset[Kin]:
    return frozenset[Kin]().union(*(relative_first(name, text) for name in names))


def _worded(new: str, old: str) -> Related | None:
    """What follows from words that are nearly the same."""
    if new == old or _unweighted(new) == _unweighted(old):
        return "same"
    if _negations(new) == _negations(old) and in_one_wording(new, old):
        return "same"
    if _opposed(new, old) or _moved(new, old):
        return "replaces"
    if _negations(new) == _negations(old):
        if digits(new)[: len(digits(old))] == digits(old) and _covers(new, old):
            return "same" if len(new) <= len(old) else "adds"
        if digits(old)[: len(digits(new))] == digits(new) and _covers(old, new):
            return "says_less"
    return None


def _met(pair: Pair) -> Related | Literal["unsure"]:
    """What follows from what both are about: the newer says that what the older says is over, or gives another value
    of the same type for the same topic and says that things have changed."""
    new, old = (gist_of(_unframed(text), pair.names) for text in (pair.new, pair.old))
    kinds = _other_values(new, old)
    if gone := [words for words in new.over if words <= old.words | old.said and words not in old.over]:
        named = any(2 * len(words) >= len(old.words) or words & old.said for words in gone)
        return "replaces" if named or kinds else "unsure"
    if new.changes and not new.over and any(words <= new.words | new.said for words in old.over):
        return "replaces"
    if not kinds:
        return "unrelated"
    common = len(new.words & old.words)
    shared = common / max(1, min(len(new.words), len(old.words)))
    if _succeeds(new, kinds, shared):
        return "unsure" if _says_more(old, new, kinds) else "replaces"
    named = common > 0 or any(" " in kind or kind in ONE_AT_A_TIME for kind in kinds)
    named = named or (new.moves and new.refers)
    return "unsure" if (new.changes and named) or (shared >= _NEARLY and common > 1) else "unrelated"


_ASKED = re.compile(
    r'^Asked "(?P<en>.+?)", .{0,80}? answers "(?P<said>.+)"$|^被问到“(?P<zh>.+?)”，.{0,80}?回答“(?P<told>.+)”$'
)


def _unframed(text: str) -> str:
    """The question and the words of an answer, without what says that they are: two answers are alike in that."""
    found = _ASKED.match(text)
    return text if found is None else f"{found['en'] or found['zh']} {found['said'] or found['told']}"


def _succeeds(new: Gist, kinds: frozenset[str], shared: float) -> bool:
    """Whether a value of these types comes in the place of the older one."""
    if not ONE_AT_A_TIME.keys().isdisjoint(kinds):
        return new.changes
    if kinds == _ANY_NUMBER:
        return False
    ranked = any(kind.startswith("which ") for kind in kinds)
    return (new.moves and shared > 0) or (new.renews and shared >= (0.1 if ranked else _MOSTLY))


def _says_more(old: Gist, new: Gist, kinds: frozenset[str]) -> bool:
    """Whether the older says so much else that it does not end with its value of these types."""
    settled = old.values.keys() & ONE_AT_A_TIME.keys() - kinds
    return bool(settled) or len(old.words - new.words - old.said) > _MORE


def _other_values(new: Gist, old: Gist) -> frozenset[str]:
    """The types of which both give values and none in common; a bare number may be of any count. A day of the week that
    both name is one however far apart its dates are."""
    kinds = frozenset(kind for kind in new.values.keys() & old.values.keys() if _differ_in(kind, new, old))
    if "weekday" in new.values.keys() & old.values.keys() - kinds:
        kinds -= {"day"}
    return kinds or (_ANY_NUMBER if _bare(new, old) else kinds)


def _differ_in(kind: str, new: Gist, old: Gist) -> bool:
    return new.values[kind].isdisjoint(old.values[kind])


def _bare(new: Gist, old: Gist) -> bool:
    """Whether one gives a number of nothing that is named, and the other a count or an amount."""
    pairs = ((new, old), (old, new))
    return new.said.isdisjoint(old.said) and any(
        "number" in one.values and any(kind == "money" or kind.startswith("count ") for kind in other.values)
        for one, other in pairs
    )


def _unweighted(text: str) -> str:
    return _LIGHT.sub("", text).strip()


def _negations(text: str) -> bool:
    return len(_NEGATION.findall(text)) % 2 == 1


def _opposed(new: str, old: str) -> bool:
    """Opposite polarity of the same core."""
    if _negations(new) == _negations(old):
        return False
    left, right = _core(new), _core(old)
    if not left or not right:
        return False
    return left == right or (_overlap(left, right) >= 0.75 and not _differ(left, right))


def _differ(left: str, right: str) -> bool:
    """Whether each names something that the other does not: to drop the tea says nothing of the wine."""
    a, b = ({_STEM.sub("", word) for word in _letters(text)} for text in (left, right))
    return bool(a - b) and bool(b - a)


def _core(text: str) -> str:
    return re.sub(r"\W+", " ", _ADDING.sub(" ", text)).strip()


def _bits(text: str) -> frozenset[str]:
    words = frozenset(re.findall(r"[a-z0-9]+", text))
    han = re.findall(r"[\u4e00-\u9fff]+", text)
    return words | {run[i : i + 2] for run in han for i in range(max(1, len(run) - 1))}


def _letters(text: str) -> frozenset[str]:
    """Latin words and single Han characters."""
    return frozenset(re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", text))


def _overlap(left: str, right: str) -> float:
    a, b = _bits(left), _bits(right)
    return len(a & b) / max(1, min(len(a), len(b)))


def _covers(new: str, old: str) -> bool:
    """Whether the new one holds all content of the old."""
    wanted, held = _letters(_core(old)), _letters(_core(new))
    return len(wanted) >= 3 and wanted <= held


def _moved(new: str, old: str) -> bool:
    """An appointment put to another day."""
    if not _MOVED.search(new):
        return False
    before, after = _DATE.search(old), _DATE.findall(new)
    return (
        before is not None
        and len(after) > 0
        and _overlap(_DATE.sub(" ", _core(new)), _DATE.sub(" ", _core(old))) >= 0.5
    )


_WANTED = re.compile(
    r"(?:现在|一直|还是?|也|就|都|很|真的?|主要)*(?:希望|想要|需要|急需|求购|想(?![到起法念象必]))|(?:also |still |really )*(?:wants?|needs|would (?:really )?(?:like|love)|is (?:looking|searching) for|is in the market for)\b",
    re.IGNORECASE,
)
_TROUBLES = re.compile(
    r".{0,12}?(?:抱怨|不满|受不了|头疼|讨厌|最?烦|失望)|(?:\w+ ){0,4}?(?:complains|worried|concerned|bothered|annoyed|frustrated|irritated|fed up|sick of|tired of|unhappy|disappointed|upset|struggl\w+)\b",
    re.IGNORECASE,
)
_OF_THE_LISTENER = re.compile(r"对方|(?-i:[A-Z][\w' -]{0,40}|[\w ]*[\u4e00-\u9fff]{2,20} ?|the agent )\bto [a-z]")
"""Who is asked to do something once is no need for something."""
_GROUPS: tuple[tuple[str, str, re.Pattern, str, str, str, str], ...] = (
    ("main_needs", "need", _WANTED, "的主要需求是", "、", "'s main needs:", "; "),
    ("main_concerns", "complaint", _TROUBLES, "主要不满意的是", "、", "'s main concerns:", "; "),
)
"""What somebody says himself that he wants, or that troubles him: neither that a statement is filed so makes it that, nor
that he finds or does not want something."""

_CARRIES = 0.3
"""Character 3-gram Jaccard from which one statement carries another that has no value of its own."""


def reflected(request: ReflectionInput) -> tuple[Insight, ...]:
    """New insights first in fixed order, then the renewed ones; none where nothing changed."""
    held = {node.attribute: node for node in request.insights if node.attribute}
    new: list[Insight] = []
    renewed: list[Insight] = []
    for insight in _insights(request):
        before = held.get(insight.attribute)
        if before is None:
            new.append(insight)
        elif normalise(before.content) != normalise(insight.content):
            renewed.append(insight)
    return (*new[: request.new_attributes], *renewed[: request.refreshed])


def reviewed(request: ReflectionInput) -> tuple[Review, ...]:
    """A verdict on each memory in doubt: an insight that would be drawn again, or a statement still said, stands."""
    again = {insight.attribute: insight for insight in _insights(request)}
    grouped = {attribute for attribute, *_ in _GROUPS}
    found: list[Review] = []
    for node in request.doubtful:
        insight = again.get(node.attribute or "")
        if node.attribute not in grouped:
            said = tuple(other.memory_id for other in request.observations if _says(other, node))
            found.append(Review(memory_id=node.memory_id, stands=bool(said), source_ids=said))
        elif insight is None or normalise(insight.content) == normalise(node.content):
            sources = () if insight is None else insight.source_ids
            found.append(Review(memory_id=node.memory_id, stands=insight is not None, source_ids=sources))
    return tuple(found)


def _says(other: MemoryNode, node: MemoryNode) -> bool:
    """Whether a memory carries another: it has its value, or nearly its words."""
    if other.memory_id == node.memory_id or other.modality is Modality.NEGATED:
        return False
    if node.value is not None:
        return normalise(node.value) in normalise(other.content)
    return trigram_similarity(other.content, node.content) >= _CARRIES


def _insights(request: ReflectionInput) -> Iterator[Insight]:
    label = request.person.label
    for attribute, kind, surely, zh, zh_joint, en, en_joint in _GROUPS:
        nodes = [
            node
            for node in request.observations
            if node.attribute == kind and node.value and node.modality is Modality.STATED
            if surely.match(node.content.removeprefix(label).lstrip()) and not _is_for_once(node)
        ]
        nodes = sorted(
            {normalise(node.value or ""): node for node in nodes}.values(),
            key=lambda node: (node.timestamp, node.memory_id),
        )[:5]
        if len(nodes) < 2:
            continue
        chinese = _chinese(nodes, request.language)
        values = [_short(node.value or "", label) for node in nodes]
        value = (zh_joint if chinese else en_joint).join(values)[:500]
        content = f"{label}{zh}{value}" if chinese else f"{label}{en} {value}"
        yield Insight(
            attribute=attribute,
            value=value,
            content=content[:2_000],
            modality=Modality.INFERRED,
            language="zh" if chinese else "en",
            source_ids=tuple(node.memory_id for node in nodes),
        )


def _is_for_once(node: MemoryNode) -> bool:
    """Whether it is over by itself, names a day or an hour, or asks the listener for something."""
    value = node.value or ""
    dated = node.invalid_at is not None or bool(find_times(value, node.created_at))
    return dated or _OF_THE_LISTENER.match(value) is not None


def _chinese(nodes: list[MemoryNode], default: str) -> bool:
    spoken = [node.language or default for node in nodes]
    return spoken.count("zh") * 2 >= len(spoken)


def _short(value: str, label: str) -> str:
    return value.replace(label, "").strip(" ，。,.的")[:120] or value[:120]
