"""Whether a sentence a model wrote may stand: in the language spoken, about somebody named, with no number of its own.

Each check answers with the reason for leaving the sentence out, or None. They know the words that were said and
nothing else; what they cannot decide, they let pass.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.llm.quotes import folded
from agentmem.bounded_cache import bounded_cache
from agentmem.language.normal import language_of, normalise

MAX_TEXT: Final = 600
"""Characters of one statement; a longer one is no single sentence."""

_REFUSAL: Final = re.compile(
    r"""as\ an?\ (?:ai|artificial|language\ model) | i(?:'|’)?m\ (?:just\ )?an?\ (?:ai|language\ model)
    | i\ (?:can(?:no|'|’)t|am\ (?:unable|not\ able)\ to|(?:'|’)m\ (?:unable|not\ able)\ to)\ (?:\w+\ )?
      (?:help|assist|comply|provide|process|fulfil|answer|continue|extract|do\ that)
    | i(?:'|’)?m\ (?:very\ |so\ )?sorry,?\ (?:but\ )?i
    | (?:violat\w+|against)\ (?:our|my|the|openai\S*)\ (?:usage|use|content|safety)\ (?:polic|guideline)
    | (?:作为|我是)(?:一个|一款|一名)?(?:人工智能|ai|ai助手|语言模型|大模型|大语言模型)
    | 我(?:无法|不能|没法)(?:为您|帮您|帮你|给您)?(?:提供|回答|协助|处理|满足|完成|继续|生成)
    | (?:抱歉|对不起|很遗憾)[,\uff0c]?(?:但)?我?(?:无法|不能|没法)
    | (?:请求|提问|内容)(?:可能)?违反(?:了)?(?:相关|使用|内容|平台|安全)?(?:政策|规定|法律法规)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DATE: Final = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2})?(?:[T ]?\d{1,2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2}")
_SEPARATORS: Final = re.compile(r"(?<=\d)[\s,.()\-/+]+(?=\d)")
_FOREIGN: Final = re.compile(
    r"\b(?:le|les|des|est|une|dans|pour|avec|der|die|das|ist|nicht|und|ein|eine|el|los|las|una|que|para|por|con|il|"
    r"che|della|sono|não|uma|com|veut|quiere|möchte|vuole|está|het|een|niet|jest|nie|się)\b",
    re.IGNORECASE,
)
_LEADING_SUBJECT: Final = re.compile(
    r"^(?:该客户|该用户|客户|用户|顾客|对方|本人|他|她"
    r"|the (?:customer|user|client|person|speaker)\b|(?:he|she|they|customer|user)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ground:
    """All that was said in one window (or observed), whom it is about, and the language it may be told in.

    `names` begins with the person's full name.
    """

    texts: tuple[str, ...]
    label: str
    names: tuple[str, ...]
    languages: frozenset[str]
    instructions: str = ""

    def fault(self, text: str) -> str | None:
        """Why the sentence must not stand, or None."""
        checks = (
            ("malformed", not text or len(text) > MAX_TEXT or not text.isprintable()),
            ("refusal", refused(text)),
            ("copied", self._copied(text)),
            ("echo", len(text) > 12 and folded(text) in folded(self.instructions)),
            ("language", self._foreign(text)),
            ("number", self.invented_number(text)),
        )
        return next((name for name, failed in checks if failed), None)

    def says(self, words: str) -> bool:
        """Whether these words, width and case aside, were said by anybody."""
        wanted = folded(words)
        return bool(wanted) and any(wanted in folded(text) for text in (*self.texts, *self.names, self.label))

    def subject(self, text: str) -> str | None:
        """The sentence with the person named as he is labelled, or None where it does not name him at all."""
        plain = folded(text)
        if folded(self.label) in plain:
            return text
        for name in sorted(self.names, key=len, reverse=True):
            if match := _mention(name, whole=name == self.names[0]).search(text):
                return f"{text[: match.start()]}{self.label}{text[match.end() :]}"
        if folded(self.names[0]) in plain:
            return text
        if match := _LEADING_SUBJECT.match(text):
            gap = " " if self.label[-1].isascii() and not text[match.end() :].startswith((" ", "'")) else ""
            return f"{self.label}{gap}{text[match.end() :]}"
        return None

    def invented_number(self, text: str) -> bool:
        """Whether a number of three digits or more, dates aside, was never said."""
        said = [_digits(part) for part in (*self.texts, self.label)]
        runs = re.findall(r"\d{3,}", _digits(_DATE.sub(" ", unicodedata.normalize("NFKC", text))))
        return any(not any(run in part for part in said) for run in runs)

    def _copied(self, text: str) -> bool:
        plain = normalise(text)
        for turn in self.texts:
            whole = normalise(turn)
            if plain == whole or (len(whole) > 8 and plain.endswith(whole) and _speech_tag(plain[: -len(whole)])):
                return True
        return False

    def _foreign(self, text: str) -> bool:
        if language_of(text) not in self.languages:
            return True
        allowed = {"CJK", "LATIN"}.union(*map(_scripts, (*self.texts, *self.names, self.label)))
        if not _scripts(text) <= allowed:
            return True
        strange = _FOREIGN.findall(text)
        return len(strange) >= 2 and len(strange) > 2 * len(_FOREIGN.findall(" ".join(self.texts)))


def _mention(name: str, *, whole: bool) -> re.Pattern:
    """Where a name stands as one: 小东 begins 小东想要 and is not in 小东西, Mel is not in Melbourne."""
    if name.isascii():
        return re.compile(rf"\b{re.escape(name)}\b")
    return re.compile(re.escape(name) if whole else rf"^{re.escape(name)}(?=[的想希是要在有说觉认需不会能对用做])")


def refused(text: str) -> bool:
    """Whether the text is a model declining."""
    return _REFUSAL.search(text) is not None


def tidy(text: str) -> str:
    """The sentence on one line."""
    return " ".join(text.split())


def languages_of(texts: Iterable[str], default: str) -> frozenset[str]:
    """The languages of the texts that have letters, and the default one."""
    return frozenset({default, *(language_of(text) for text in texts if any(ch.isalpha() for ch in text))})


@bounded_cache(256)
def _digits(text: str) -> str:
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", text))


def _speech_tag(prefix: str) -> bool:
    return len(prefix) <= 40 and bool(
        re.search(r"(?:[:\uff1a说道]|said|says|told \w+)[\s\"“「:,\uff1a\uff0c]*$", prefix, re.IGNORECASE)
    )


@bounded_cache(256)
def _scripts(text: str) -> frozenset[str]:
    found = {"LATIN"} if any(ch.isascii() and ch.isalpha() for ch in text) else set[str]()
    strange = {ch for ch in text if not ch.isascii() and ch.isalpha()}
    return frozenset(found) | {unicodedata.name(ch, "UNKNOWN").split(" ")[0] for ch in strange}
