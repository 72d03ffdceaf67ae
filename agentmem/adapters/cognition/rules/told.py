"""A clause retold as a sentence about the person, whatever its rule."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import render_en, render_zh
from agentmem.adapters.cognition.rules.keys import keys_of
from agentmem.adapters.cognition.rules.model import Clause, Discourse, Finding, Who
from agentmem.domain.memory import Modality

_I = re.IGNORECASE
_PREPOSED = re.compile(
    r"^(?:at|in|on|for|each|every|all|some|most|right|currently|with|from|these|today|this|last|next)\b", _I
)
WHEN = re.compile(r"现在|目前|最近|今年|去年|明年|以前|之前|原来|平时|每[天周月年]")
_ARTICLE = re.compile(r"^(?:the|this|that)\s+", _I)
_ING = re.compile(
    r"^(?:(?:currently|still|just|mainly|also|now|really|only|always|mostly|actively)\s+)*(?:\w+ing|based|located|interested|happy|ready|allergic|keen|hoping)\b",
    _I,
)
_FIRST_WORD = re.compile(
    r"^((?:really|just|also|still|currently|mainly|mostly|actually|only|definitely|never)\s+)?([A-Za-z']+)", _I
)
_NOMINAL = re.compile(
    r"^(?:a |about |around |roughly |up to |at least |max |no |team of|\d|mornings|evenings|weekends|weekdays|after|before|only|ideally|preferably|monday|tuesday|wednesday|thursday|friday|saturday|sunday)",
    _I,
)
_BASE = frozenset(
    [
        "need",
        "want",
        "prefer",
        "love",
        "like",
        "hate",
        "have",
        "use",
        "got",
        "run",
        "sell",
        "work",
        "live",
        "can't",
        "cannot",
        "must",
        "don't",
        "won't",
        "never",
        "would",
        "had",
        "used",
    ]
)


def agent_name(discourse: Discourse, lang: str) -> str:
    """How the agent's side is called in contents."""
    return "对方" if lang == "zh" else discourse.agent_name


def told(clause: Clause, discourse: Discourse) -> str | None:
    """The clause about the person by name; None where it cannot be said of him."""
    if clause.lang == "zh":
        return _told_zh(clause, discourse)
    return _told_en(clause, discourse)


def _told_zh(clause: Clause, discourse: Discourse) -> str | None:
    label, agent = discourse.label, agent_name(discourse, "zh")
    if render_zh.mentions_self(clause.text):
        content = render_zh.retold(clause.text, label, agent)
        return content if label in content else None
    text = render_zh.retold(clause.text, label, agent)
    own = clause.subject.who is Who.OWN and not WHEN.match(text)
    gap = " " if label[-1].isascii() and text[:1].isascii() else ""
    return f"{label}的{text}" if own else f"{label}{gap}{text}"


def _told_en(clause: Clause, discourse: Discourse) -> str | None:
    label, agent = discourse.label, agent_name(discourse, "en")
    content = render_en.retold(clause.text, label, agent)
    if label.casefold() in content.casefold():
        return content
    if re.search(r"\byou(?:'ve|'re)?\b", clause.text, _I):
        return None
    content = _ARTICLE.sub("", clause.text)
    if clause.subject.who is Who.OWN and _PREPOSED.match(content):
        return f"{label} says {content[:1].lower()}{content[1:]}"
    if clause.subject.who is Who.OWN:
        return f"{label}'s {render_en.retold(content, label, agent)[:1].lower()}{render_en.retold(content, label, agent)[1:]}"
    return fragment(content, label)


def fragment(text: str, label: str) -> str | None:
    """An English clause without a subject, with the person as its subject."""
    text = render_en.tidy(text)
    if _ING.match(text):
        return f"{label} is {text[:1].lower()}{text[1:]}"
    first = _FIRST_WORD.match(text)
    if first is not None and first[2].lower() in _BASE:
        return f"{label} {(first[1] or '').lower()}{render_en.third_person(first[2])}{text[first.end() :]}"
    if _NOMINAL.match(text):
        return f"{label}: {text[:1].lower()}{text[1:]}"
    return None


def finding(
    clause: Clause,
    discourse: Discourse,
    content: str,
    kind: str,
    importance: int,
    *,
    attribute: str | None = None,
    value: str | None = None,
    modality: Modality = Modality.STATED,
    ended: bool = False,
    about: str | None = None,
) -> Finding:
    """A finding that rests on the whole clause."""
    return Finding(
        content=content,
        kind=kind,
        importance=importance,
        lang=clause.lang,
        spans=(clause.span,),
        attribute=attribute,
        value=value,
        about=about,
        modality=modality,
        key=keys_of(clause.text, (discourse.label, discourse.person.name)),
        ended=ended,
    )
