"""What a sentence out of a talk shows of itself: whether it has the kind of thing that a question wants to hear of,
asks, says that something has changed, or only supposes it."""

# ruff: noqa: E501 - patterns read best unbroken

from datetime import UTC, datetime
from typing import Final

from agentmem import patterns as re
from agentmem.language.normal import language_of
from agentmem.language.tokens import tokens
from agentmem.language.typed_values import typed_values
from agentmem.questions.form import Wanted, has, wanted_by
from agentmem.questions.whose import names_somebody

REPLY: Final = re.compile(r"^Asked \".{0,1000}?\", .{0,80}? answers |^被问到“.{0,1000}?”，.{0,80}?回答")
"""What was answered to a question begins with it."""

OF_NUMBER: Final = ("count", "money", "number", "rank")
"""Types of values that say how much."""

MAX_CHARS: Final = 1_000
"""Characters of a sentence that are looked at."""

_ONLY_SUPPOSED: Final = re.compile(
    r"\b(?:if|unless|maybe|might|perhaps|could|would|whether|thinking)\b|如果|要是|万一|可能|也许|说不定|考虑|还没定",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(r"[?？]\s*$|[吗呢]\s*[?？。]?$")
_COURTESY: Final = re.compile(
    r"(?:非常|十分|多|好的[,，]?|嗯[,，]?)?(?:感谢|谢谢|谢了|您好|你好|早上好|上午好|下午好|晚上好|再见|不客气|不用谢)[^,，。!！;；:：\d]{0,30}(?:[,，][^,，。!！;；:：\d]{1,8})?[。!！~]*"
    r"|(?:(?:ok|okay|great|perfect),? )?(?:thanks|thank you|many thanks|hello|hi|hey|good (?:morning|afternoon|evening|bye)|goodbye|bye|you'?re welcome|my pleasure|take care)\b(?: [^\W\d][\w'-]*){0,10}(?:, (?:(?:Mr|Mrs|Ms|Dr)\.? )?[A-Z][\w'-]*)?[.!]*",
    re.IGNORECASE,
)
"""What is polite and ends there: nothing with a digit, and behind a comma no more than a name."""
_ONCE: Final = re.compile(
    r"仅此|就?[这今](?:一)?[次天单周](?!起)|本周|临时|例外"
    r"|\b(?:just|only) (?:for )?(?:today|tonight|tomorrow|this (?:once|time|week))\b|\bthis (?:once|time only|week only)\b|\bas an exception\b",
    re.IGNORECASE,
)
"""What is so this once does not take the place of what is so otherwise."""
_CHANGED: Final = re.compile(
    r"改(?![天善良正进])[\u4e00-\u9fff\d]|[多少]了[点些]|换(?!季)[\u4e00-\u9fff]|搬[到去进]?|往后|今后|从今"
    r"|\bfrom (?:now|today|then) on\b|\b(?:as of|effective|starting|beginning) (?:today|now|tomorrow|next|this|\w+day)\b|\b(?:slid|slipped|bumped|extended|cut) (?:back |out |down |up )?(?:to|by)\b|\b(?:got|have|found|hired|joined) an? new\b",
    re.IGNORECASE,
)
"""Change, beside what gists know of it."""

_CODE: Final = re.compile(r"\d{5}")
_CODED: Final = re.compile(r"\d|(?<!^)\b[A-Z]{2,}\b")
_NOTE: Final = re.compile(r"\(\d{4}-[\d/-]+\)")
_ANY_DAY: Final = datetime(2024, 1, 1, tzinfo=UTC)


def is_of_the_kind(wanted: Wanted | None, sentence: str, question: str, names: tuple[str, ...]) -> bool:
    """Whether it has what is wanted, where that can be seen; `names` are those of whom and by whom it is said."""
    reply, text = REPLY.match(sentence), _NOTE.sub("", sentence)[:MAX_CHARS]
    match wanted:
        case "person":
            asked_who = reply is not None and wanted_by(reply[0]) == "person"
            return asked_who or names_somebody(sentence, question, names)
        case "place":
            return has(text, "place", question) or any(map(str.isdigit, text))
        case "number" | "money":
            values = typed_values(text, _ANY_DAY)
            return _CODE.search(text) is not None or any(each.kind.startswith(OF_NUMBER) for each in values)
        case "time" | "age":
            return has(sentence, wanted, question)
        case "name":
            return _CODED.search(text) is not None or has(text, "name", question) or _says_more(text, question, names)
        case None:
            return True


def _says_more(text: str, question: str, names: tuple[str, ...]) -> bool:
    """Whether a Chinese sentence, whose names cannot all be seen, has two words that the question does not have."""
    known = frozenset((*tokens(question), *tokens(" ".join(names))))
    new = frozenset(tokens(text)) - known
    return language_of(text) == "zh" and len(new) > 1


def is_a_question(sentence: str) -> bool:
    """Whether a sentence asks: it tells nothing."""
    return _ASKS.search(sentence) is not None


def is_courtesy(sentence: str) -> bool:
    """Whether a sentence only thanks, greets or takes leave, perhaps by name: it tells nothing either."""
    return _COURTESY.fullmatch(sentence.strip()) is not None


def is_for_once(sentence: str) -> bool:
    """Whether a sentence says how something is only this time."""
    return _ONCE.search(sentence) is not None


def is_supposed(sentence: str) -> bool:
    """Whether it only says what may be."""
    return _ONLY_SUPPOSED.search(sentence) is not None


def says_of_change(sentence: str) -> bool:
    """Whether it says outright that something is not as it was."""
    return _CHANGED.search(sentence) is not None
