"""Requests to forget somebody or something by name alone: "forget about Mr. Poe", 忘掉王强.

What is not called mine, told or remembered is meant only where it is a name: one by its form, such as "Mr. Poe", or one
that the memory knows. "Forget about the weather" asks for nothing, "forget it" neither, and what goes on behind the
name ("forget about Paris, let's go to Rome") puts an idea aside.
"""

from collections.abc import Collection, Iterable
from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han
from agentmem.domain.entity import mentions_of
from agentmem.domain.memory import MemoryNode
from agentmem.domain.naming import canonical_name
from agentmem.language.names import names_of
from agentmem.language.same_names import has_legal_form
from agentmem.language.tokens import terms

MAX_NAME: Final = 60
"""Characters of a name that may be meant."""

MIN_DIGITS: Final = 4
"""Digits of a number that names nothing but itself."""

MAX_NAMES: Final = 6
"""Names that one request may mean."""

_MARKS: Final = " \t\"'“”‘’「」,.:;!?，。！？"
_JOINT: Final = re.compile(
    r"\s*(?:[,，、&]\s*(?:and\s+)?|\band\b|(?<=[\u4e00-\u9fff])(?:和|跟|与|以及|还有)(?=[\u4e00-\u9fff]))\s*",
    re.IGNORECASE,
)
_CAPITAL: Final = r"[A-Z][\w'&.-]{0,29}(?: [A-Z][\w'&.-]{0,29}){0,3}"
_WHAT: Final = r"(?:(?:the|a|an|that|this|some|my|our) )?(?P<what>(?:[a-z][a-z'-]{0,20} ?){1,3})"
_CALLED_SO: Final = re.compile(
    rf"(?:{_WHAT}|someone|somebody)\s?(?:who is |that is )?(?:called|named) (?P<name>[^,;]{{1,60}})"
)
_BEFORE_EN: Final = re.compile(
    rf"(?:the|that|this|my|our) (?P<what>(?:[a-z][a-z'-]{{0,20}} ){{1,2}})(?P<name>{_CAPITAL})"
)
_BEHIND_EN: Final = re.compile(
    rf"(?P<name>{_CAPITAL}),? (?:the|that|my|our) (?P<what>[a-z][a-z'-]{{0,20}}(?: [a-z'-]{{1,20}})?)"
)
_BEHIND_ZH: Final = re.compile(
    r"(?P<name>[\u4e00-\u9fffA-Za-z·]{1,12}?)(?:这|那)(?P<what>个|位|只|条|家)(?:人|家伙|[\u4e00-\u9fff]{1,3})"
)
_BEFORE_ZH: Final = re.compile(
    r"(?:(?:这|那|一|有)?(?:个|位|只|条|家))?(?P<what>叫做?)(?P<name>[\u4e00-\u9fffA-Za-z·]{1,12})的(?:(?:这|那)(?:个|位|只|条|家))?[\u4e00-\u9fff]{1,3}"
)
_PLACE: Final = re.compile(
    r"\b(?:to|in|on|at|of|from|with|about|for|by|into|near|over|under|through|between|against|after|before|and|or|is|was|not)\b"
)
"""What says that a name stands for something else than what is spoken of: "the trip to Rome"."""
_TITLE: Final = re.compile(r"^(?:mr|mrs|ms|miss|dr|prof|professor|sir|lady)\b\.?\s+(?=\S)", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:the|a|an)\s+(?=\S)", re.IGNORECASE)
_WORD_EN: Final = r"[\w'&.-]{1,30}"
_NAME_EN: Final = re.compile(rf"{_WORD_EN}(?: {_WORD_EN}){{0,4}}")
_NO_NAME_EN: Final = re.compile(
    r"\b(?:it|that|this|these|those|them|him|her|me|you|us|everything|anything|something|nothing|all|what|whatever|who|whom|where|when|how|why|which|if|because|to|is|are|was|were|i|we|he|she|they|my|our|your|his|their|its)\b",
    re.IGNORECASE,
)
_CALLED_ZH: Final = re.compile(
    r"[\u4e00-\u9fff]{1,3}(?:先生|女士|小姐|太太|医生|大夫|老师|教授|博士|律师|经理|总监|主任|总|师傅|阿姨|叔叔|同学)|[\u4e00-\u9fffA-Za-z0-9]{2,12}(?:公司|集团|科技|银行|有限公司|大学)"
)
_NAME_ZH: Final = re.compile(r"[\u4e00-\u9fffA-Za-z0-9·. ]{1,20}")
_NO_NAME_ZH: Final = re.compile(r"[我你您他她它咱这那]|什么|一切|所有|全部|事情?$|^(?:自己|大家|别人|过去|以前|刚才)$")


def names_alone(thing: str) -> tuple[str, ...]:
    """The names that a request means, where what is to go may be nothing but names: "Sam and Max", "the dog Rex".
    Of several the whole comes first, which may be one name: "Marks and Spencer"."""
    parts = [part for part in _JOINT.split(thing.strip(_MARKS)) if part.strip()]
    named = [named_alone(_bearer(part)) for part in parts]
    if not named or len(named) > MAX_NAMES or None in named:
        return ()
    names = tuple(name for name in named if name is not None)
    return names if len(names) == 1 else (thing.strip(_MARKS), *names)


def _bearer(thing: str) -> str:
    """The name of what is called something besides: "the dog Rex", "a man called Rex", 王强这个人, 那只叫旺财的狗."""
    said = thing.strip(_MARKS)
    for form in (_CALLED_SO, _BEFORE_EN, _BEHIND_EN, _BEFORE_ZH, _BEHIND_ZH):
        found = form.fullmatch(said)
        if found is not None and not _PLACE.search(found["what"] or ""):
            return found["name"]
    return said


def named_alone(thing: str) -> str | None:
    """The name that a request means, where what it wants forgotten may be nothing but a name."""
    name = thing.strip(_MARKS)
    if not name or len(name) > MAX_NAME:
        return None
    if has_han(name):
        return None if _NO_NAME_ZH.search(name) or not _NAME_ZH.fullmatch(name) else name
    plain = _ARTICLE.sub("", name)
    return None if _NO_NAME_EN.search(plain) or not _NAME_EN.fullmatch(plain) else plain


def is_name(name: str) -> bool:
    """Whether it is one by its form alone, whoever bears it."""
    if has_han(name):
        return _CALLED_ZH.fullmatch(name) is not None or _is_one(name, name)
    untitled = _TITLE.sub("", name)
    titled = untitled != name and untitled[:1].isupper()
    return titled or has_legal_form(name) or _is_one(f"about {name}", name)


def is_value(name: str) -> bool:
    """Whether it names nothing but itself: a number or a code of four digits and more."""
    return sum(map(str.isdigit, name)) >= MIN_DIGITS and " " not in name.strip()


def is_code(name: str) -> bool:
    """Whether it is such a value, and no year: nothing else can be meant by it."""
    return is_value(name) and sum(map(str.isdigit, name)) > MIN_DIGITS


def untitled(name: str) -> str:
    """A name without the title before it: one is spoken of by name alone as well."""
    return _TITLE.sub("", name)


def same_name(one: str, other: str) -> bool:
    """Whether two are one name, with a title or without."""
    return canonical_name(untitled(one)) == canonical_name(untitled(other))


def bears(node: MemoryNode, name: str) -> bool:
    """Whether a memory is about what has this name, mentions it, or says that something is called so."""
    said = (node.target_name, node.value or "", *(mention.name for mention in mentions_of(node)))
    plain = canonical_name(name)
    called = (f"叫{plain}", f"called {plain}", f"named {plain}")
    return any(same_name(name, each) for each in said if each) or canonical_name(node.content).endswith(called)


def names_held(
    names: Iterable[str], facts: Collection[MemoryNode], turns: Iterable[MemoryNode], *, begged: bool
) -> tuple[str, ...]:
    """Those of the names that a request may mean which the memory knows: a fact is about them or mentions them, or, of
    what is plainly begged for or is a value, a turn says them."""
    told = [terms(node.content) for node in turns]
    return tuple(
        name
        for name in names
        if any(bears(node, name) for node in facts)
        or ((begged or is_value(name)) and any(terms(name) <= each for each in told))
    )


def _is_one(text: str, name: str) -> bool:
    return [mention.name for mention in names_of(text)] == [name]
