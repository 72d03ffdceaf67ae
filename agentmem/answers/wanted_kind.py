"""Whether a sentence out of a talk has the kind of thing that a question wants to hear of."""

from datetime import UTC, datetime
from typing import Final

from agentmem import patterns as re
from agentmem.answers.whose import names_somebody
from agentmem.language.normal import language_of
from agentmem.language.tokens import tokens
from agentmem.language.typed_values import typed_values
from agentmem.questions.form import Wanted, has, wanted_by

REPLY: Final = re.compile(r"^Asked \".{0,1000}?\", .{0,80}? answers |^被问到“.{0,1000}?”，.{0,80}?回答")
"""What was answered to a question begins with it."""

OF_NUMBER: Final = ("count", "money", "number", "rank")
"""Types of values that say how much."""

MAX_CHARS: Final = 1_000
"""Characters of a sentence that are looked at."""

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
