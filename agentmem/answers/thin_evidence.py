"""Sentences out of talks that share words with a question and answer another one: better no answer than one of these."""

# ruff: noqa: E501 - patterns read best unbroken

from typing import Final

from agentmem import patterns as re
from agentmem.answers.demand import Demand
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.language.cues import topics_of
from agentmem.language.names import placed_names
from agentmem.language.normal import language_of
from agentmem.language.synonyms import senses
from agentmem.language.tokens import tokens
from agentmem.questions.wanted_kind import REPLY, is_for_once, is_of_the_kind
from agentmem.questions.whose import is_of_another

WHETHER: Final = re.compile(
    r"^\W*(?:and |but |so )?(?:does|do|did|is|are|was|were|am|can|could|will|would|has|have|had|should|may|must)\b"
    r"|吗|是不是|有没有|能不能|会不会|可不可以|支不支持|是否|能否|可否",
    re.IGNORECASE,
)
_USUALLY: Final = re.compile(
    r"平时|平常|一般|通常|每|固定|\b(?:usual\w*|normal\w*|regular\w*|always|every)\b", re.IGNORECASE
)
_SUPPOSED: Final = re.compile(r"\W*(?:(?:and|but|so|oh|well)\s)*if\b|\W*(?:要是|如果|假如|万一|倘若)", re.IGNORECASE)
_WHY: Final = re.compile(r"^\W*(?:and |but |so )?why\b", re.IGNORECASE)
_WEAK: Final = frozenset(("want", "need", "like", "想", "要", "需要", "喜欢"))
"""Words that are said of anything."""
_SAME: Final = re.compile(r"\bsame (\w+(?: \w+)?)|([\u4e00-\u9fff]{2,4})(?:不变|照旧|没变)", re.IGNORECASE)
"""What is as it was said before."""
_ON_A_DAY: Final = re.compile(r"\(\d{4}-\d\d-\d\d")


def is_thin(demand: Demand, node: MemoryNode, sentence: str, told: str) -> bool:
    """Whether a sentence of a turn, or of what was understood of one, is about somebody else, only about this once, or
    lacks what the question wants to hear of; `told` is all that leads to it and itself."""
    if node.memory_type not in (MemoryType.CONVERSATION, MemoryType.OBSERVATION):
        return False
    if _is_of_another(demand, node, sentence):
        return True
    if _USUALLY.search(demand.question) and (is_for_once(sentence) or _ON_A_DAY.search(sentence)):
        return True
    if any(not demand.words.isdisjoint(tokens(each[1] or each[2])) for each in _SAME.finditer(sentence)):
        return True
    if node.value and node.attribute in demand.slots:
        return False
    if _SUPPOSED.match(sentence):
        return True
    if _asks_whose_it_is(demand, node):
        return not _says_all(demand, told)
    return _lacks_what_is_asked(demand, node, sentence, told)


def _is_of_another(demand: Demand, node: MemoryNode, sentence: str) -> bool:
    """Whether it is about somebody else than its person, and not about a relative of his whom the question names."""
    # Whoever is addressed by his name is not who it is about.
    names = tuple(filter(None, (node.target_name, node.speaker, node.user_name)))
    asked_by_name = demand.direct and not demand.whom.is_one(node) and demand.whom.named_in(sentence)
    return not asked_by_name and is_of_another(sentence, demand.question, names)


def _lacks_what_is_asked(demand: Demand, node: MemoryNode, sentence: str, told: str) -> bool:
    """Whether it is not of the kind that is wanted, says too little of what is asked, or lacks a name of it."""
    names = tuple(name for name in (node.target_name, node.speaker) if name)
    if not is_of_the_kind(demand.wanted, sentence, demand.question, names):
        return True
    if demand.direct and demand.simple and not demand.whom.all_named_in(node, told):
        return True
    if _says_too_little(demand, sentence, told):
        return True
    if WHETHER.search(demand.question) and senses(demand.words).isdisjoint(senses(tokens(told))):
        return True
    return not _names_of_question(demand, names) <= _parts(told)


def _asks_whose_it_is(demand: Demand, node: MemoryNode) -> bool:
    """Whether it is asked of all people who it is that something is true of: then whom a memory is about answers."""
    named = canonical_name(node.target_name) in canonical_name(demand.question)
    return demand.wanted == "person" and demand.whom.of_all and demand.simple and not (named or demand.kin)


def _says_all(demand: Demand, told: str) -> bool:
    """Whether all that is asked is told, or other words of the same topic, and each name that the question says."""
    names = (placed.mention.name for placed in placed_names(demand.question) if placed.start > 0)
    plain, topics = canonical_name(told), topics_of(told)
    if not all(canonical_name(name) in plain for name in names):
        return False
    rest = demand.words - senses(tokens(told))
    return all(word in told or not topics_of(word).isdisjoint(topics) for word in rest if word not in _WEAK)


def _says_too_little(demand: Demand, sentence: str, told: str) -> bool:
    """Whether most of what is asked is not said: of three words two, where a reason or a person is asked for half of
    them, and all but what an answer says itself where another question was answered."""
    words = frozenset(word for word in demand.words if word not in _WEAK)
    reply = REPLY.match(sentence)
    if reply and words and not _said(words, sentence[reply.end() :]):
        return 2 * _said(words, told) < len(words)
    if language_of(demand.question) != "en" or not words:
        return False
    if _WHY.search(demand.question) or (reply and demand.wanted == "person"):
        return len(words) > 1 and 2 * _said(words, told) <= len(words)
    return len(words) > 2 and 3 * _said_or_near(words, told) <= len(words)


def _said(words: frozenset[str], text: str) -> int:
    """How many of the words a text says."""
    said = senses(tokens(text))
    return sum(not senses((word,)).isdisjoint(said) for word in words)


def _said_or_near(words: frozenset[str], text: str) -> int:
    """How many of the words a text says, or has others of the same topic for."""
    said, topics = senses(tokens(text)), topics_of(text)
    return sum(not (senses((word,)).isdisjoint(said) and topics_of(word).isdisjoint(topics)) for word in words)


def _names_of_question(demand: Demand, names: tuple[str, ...]) -> frozenset[str]:
    """The words of names in Latin letters that the question says besides those of whom it is asked."""
    own = _parts(" ".join((*names, *demand.whom.names)))
    found = (placed for placed in placed_names(demand.question) if placed.start > 0 and placed.mention.name.isascii())
    return frozenset(word for placed in found for word in _parts(placed.mention.name) if word not in own)


def _parts(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", canonical_name(text)))
