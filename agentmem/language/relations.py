"""How names in one sentence are related, by the words between them: `AIP 支持 社保管理系统`, `Acme uses Redis`.

Only what stands between two neighbouring names counts, and only where it is one of the known ways to relate two
things (`relation_words`): a pair that merely shares a sentence has no relation. What is denied, disbelieved, asked,
supposed or merely possible relates nobody (`doubt`).
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agentmem import patterns as re
from agentmem.domain.entity import Mention
from agentmem.domain.naming import canonical_name
from agentmem.language.clauses import Span, sentences
from agentmem.language.doubt import begins_denial, is_denied, is_disbelieved
from agentmem.language.names import Placed, placed_names
from agentmem.language.relation_words import AROUND_ZH, RELATIONS_EN, RELATIONS_ZH

LONGEST_BETWEEN: Final = 40
"""Characters between two names that are related."""

_ADVERB_EN: Final = r"(?:\s*,(?:[^,]{1,30},)?)?\s+(?:(?:also|now|still|currently|already|mainly|only|recently|later|then|even|fully|directly|both|has|have|had|will|can)\s+)*"
_ADVERB_ZH: Final = (
    r"[\s]*(?:目前|现在|已经?|也|还|都|主要|正在?|一直|今年|去年|后来|随后|可以?|能够?|会|将|直接|则|即)*"
)
_AFTER_EN: Final = r"\s+(?:the |a |an |its |their |our |his |her |both |from |in |of |new |old |own )*"
_AFTER_ZH: Final = r"[\s的了]*(?:一个|一款|一家|一套|整个|新的?|旧的?|原有的?|名为|叫做?|自己的?)?\s*"
_ASKED: Final = re.compile(r"(?:吗|么|呢)\s*$")
_SUPPOSED: Final = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|assuming|imagine|in case|provided that|as if|as though)\b|如果|若|假如|假设|倘若|要是|万一|是否|即使|除非|只要|一旦|的话",
    re.IGNORECASE,
)
_POSSIBLE: Final = re.compile(
    r"\b(?:may|might|could|would|should|maybe|perhaps|possibly|plans? to|planned to|wants? to|hopes? to)\b"
    r"|可能|也许|或许|计划|打算|考虑|建议|应该|应当|希望|想要|有望",
    re.IGNORECASE,
)
_PERHAPS: Final = re.compile(
    r"^\W*(?:maybe|perhaps|possibly|probably|presumably|可能|也许|或许|大概)\b|[,，]\s*(?:maybe|perhaps|possibly|probably|presumably|可能|也许|或许|大概)(?:吧|是)?\W*$",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(r"[,，;；]")


def _together(prefix: str, ways: Mapping[str, str], suffix: str, flags: int = 0) -> re.Pattern:
    """All ways of a language as one pattern, each under the name of its relation: one match instead of thirty."""
    return re.compile(f"{prefix}(?:{'|'.join(f'(?P<{how}>{words})' for how, words in ways.items())}){suffix}", flags)


_EN: Final = _together(_ADVERB_EN, RELATIONS_EN, _AFTER_EN, re.IGNORECASE)
_ZH: Final = _together(_ADVERB_ZH, RELATIONS_ZH, _AFTER_ZH)
_AROUND: Final = [
    (how, re.compile(f"{_ADVERB_ZH}(?:{words}){_AFTER_ZH}"), re.compile(f"\\s*(?:{end})"))
    for how, words, end in AROUND_ZH
]
_GOES_ON: Final = re.compile(
    r"^[^,，;；、]{0,6}(?:,|，|;|；|、|\s+and\b)\s*(?:and|并且|并|而且|同时|也)?\s*(?P<rest>\S.*)$", re.DOTALL
)
"""What leads from one thing said of a subject to the next."""

_KIND_ZH: Final = "产品|系统|平台|公司|项目|工具|软件|服务|团队|模块|集团|企业|机构|部门|引擎|网关|组件"
_KIND_EN: Final = "product|system|platform|company|project|tool|software|service|team|module|app|engine|gateway|library|firm|component"
_NAMELESS: Final = re.compile(
    rf"[\s\-*•·]*(?:(?:它|该(?:{_KIND_ZH})|本(?:{_KIND_ZH}))|(?:It|(?:This|The) (?:{_KIND_EN}))(?=\s))", re.IGNORECASE
)
"""A sentence whose subject is a word for what the heading names."""

_BULLET: Final = re.compile(r"[\s\-*•·]*")


@dataclass(frozen=True, slots=True)
class Related:
    """A statement that relates names: how the first is related to the second, and who else is in it.

    `text` is the sentence that says so, with its end mark, and `start` its place; `words` are those before the second.
    """

    source: Mention
    relation: str
    destination: Mention
    text: str
    start: int
    words: str = ""
    others: tuple[Mention, ...] = ()


@dataclass(slots=True)
class _Statement:
    source: Mention
    relation: str
    words: str
    end: int
    ends: list[Mention]


def relations_of(text: str, named: Sequence[Placed] | None = None, topic: Mention | None = None) -> list[Related]:
    """The statements of a text that relate names, in order; each once, however many names it relates.

    `named` are the names of the text where they are known already. `topic` is what the text as a whole is about: it
    stands for a subject that is missing or a mere pronoun, as long as nothing before was said of anybody else.
    """
    places = placed_names(text) if named is None else named
    found: list[Related] = []
    alone = topic is not None
    for sentence in sentences(text):
        inside = (each for each in places if sentence.start <= each.start and each.end <= sentence.end)
        within = [each for each in inside if not begins_denial(each.mention.name)]
        if not within:
            continue
        first = _implied(sentence, within, topic if alone else None)
        alone = alone and topic is not None and (first is not None or _same(within[0].mention, topic))
        if is_stated(sentence):
            row = within if first is None else [first, *within]
            whole = sentence.text + sentence.terminator
            found += (
                Related(one.source, one.relation, one.ends[0], whole, sentence.start, one.words, tuple(one.ends[1:]))
                for one in _statements(sentence, row)
            )
    return found


def is_stated(sentence: Span) -> bool:
    """Whether a sentence states anything, as the one who says it believes."""
    text = sentence.text
    if sentence.is_question or is_disbelieved(text):
        return False
    return not any(pattern.search(text) for pattern in (_ASKED, _SUPPOSED, _PERHAPS))


def _same(one: Mention, other: Mention) -> bool:
    return canonical_name(one.name) == canonical_name(other.name)


def _implied(sentence: Span, within: Sequence[Placed], topic: Mention | None) -> Placed | None:
    """The topic where it is the subject without being named: `该平台支持…`, or in Chinese `支持…`."""
    if topic is None or topic.kind == "person" or any(_same(each.mention, topic) for each in within):
        return None
    opening = _NAMELESS.match(sentence.text) or _BULLET.match(sentence.text)
    at = sentence.start + (opening.end() if opening is not None else 0)
    if at > within[0].start:
        return None
    between = sentence.text[at - sentence.start : within[0].start - sentence.start]
    named = _NAMELESS.match(sentence.text) is not None
    if not named and _ZH.fullmatch(between) is None:
        return None
    return Placed(at, at, topic)


def _statements(sentence: Span, row: Sequence[Placed]) -> list[_Statement]:
    """The statements of one sentence; a name that no words relate belongs to the one that it follows."""
    found = list(_related(sentence, row))
    if not found:
        return []
    known = {canonical_name(one.name) for each in found for one in (each.source, *each.ends)}
    for each in row:
        if canonical_name(each.mention.name) not in known:
            known.add(canonical_name(each.mention.name))
            held = next((one for one in reversed(found) if one.end <= each.start), found[0])
            held.ends.append(each.mention)
    return found


def _related(sentence: Span, row: Sequence[Placed]) -> Iterator[_Statement]:
    subject: Placed | None = None
    for left, right in pairwise(row):
        between, after = _between(sentence, left.end, right.start), _between(sentence, right.end, right.end + 20)
        relation = _relation(between, after)
        # "Acme uses Redis and depends on Kafka": what goes on behind the second name is said of the first.
        if relation is None and subject is not None and (rest := _GOES_ON.match(between)):
            relation = _relation(f" {rest['rest']}", after)
        else:
            subject = left
        if relation is None or _same(subject.mention, right.mention) or _is_open(sentence, subject, right):
            subject = None
        else:
            yield _Statement(subject.mention, relation, between.strip(), right.end, [right.mention])


def _between(sentence: Span, start: int, end: int) -> str:
    return sentence.text[start - sentence.start : max(0, end - sentence.start)]


def _is_open(sentence: Span, subject: Placed, right: Placed) -> bool:
    """Whether the clause says what may be, or is planned, or is not so."""
    before = _between(sentence, sentence.start, subject.start)
    between = _between(sentence, subject.end, right.start)
    if _POSSIBLE.search(_CLAUSE_END.split(before)[-1] + between) is not None:
        return True
    return is_denied(before, between, _between(sentence, right.end, sentence.end))


def _relation(between: str, after: str) -> str | None:
    if not between or len(between) > LONGEST_BETWEEN or is_denied("", between, ""):
        return None
    for how, words, end in _AROUND:
        if words.fullmatch(between) and end.match(after):
            return how
    found = _ZH.fullmatch(between) or _EN.fullmatch(between)
    return found.lastgroup if found is not None else None
