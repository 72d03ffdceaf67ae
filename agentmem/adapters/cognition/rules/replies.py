"""What a reply makes of the agent's claims: agreed they are the person's own word, denied they are nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.answers import affirmed, agreed_time, slotted
from agentmem.adapters.cognition.rules.corrections import renumbered
from agentmem.adapters.cognition.rules.model import Discourse, Finding
from agentmem.adapters.cognition.rules.paraphrase import Claim, confirms, rejects, rest_after
from agentmem.adapters.cognition.rules.text import Span, has_han
from agentmem.domain.memory import Modality

_ASKS_BACK = re.compile(
    r"[?？]|[吗呢]$|什么|多少|怎么|哪|^(?:what|which|how|when|where|why|who|is|are|does|do|can|could)\b", re.IGNORECASE
)
"""To ask about one side of an alternative is not to choose it."""

_COMMON = frozenset(("with", "your", "that", "this", "plan", "the", "and", "for", "you", "have", "like"))


def replied(text: str, claims: Sequence[Claim], claimed_in: str, discourse: Discourse) -> Iterator[Finding]:
    """Statements by agreement, choice or correction. `claimed_in` is the agent's turn, quoted beside the reply."""
    if rejects(text):
        yield from _put_right(text, claims, claimed_in, discourse)
    elif claims:
        yield from _taken_up(text, claims, claimed_in, discourse)
    else:
        yield from _settled(text, discourse)


def _put_right(text: str, claims: Sequence[Claim], claimed_in: str, discourse: Discourse) -> Iterator[Finding]:
    for claim in claims:
        content = renumbered(claim.finding.content, rest_after(text))
        if content is not None:
            right = replace(claim.finding, content=content, kind="corrected", attribute=None, value=None)
            yield _own(right, claimed_in, Span(0, len(text)), discourse)


def _taken_up(text: str, claims: Sequence[Claim], claimed_in: str, discourse: Discourse) -> Iterator[Finding]:
    agreed = confirms(text)
    for claim in claims:
        taken = _confirmed(claim, text, agreed=agreed)
        if taken is not None:
            yield _own(taken, claimed_in, _opening(text), discourse)


def _own(claim: Finding, claimed_in: str, span: Span, discourse: Discourse) -> Finding:
    """A claim as the person's own word, quoting both turns."""
    cited = tuple((claimed_in, part) for part in claim.spans)
    own = replace(claim, layer="observation", modality=Modality.STATED, spans=(span,), cited=cited, importance=7)
    return slotted(own, discourse)


def _settled(text: str, discourse: Discourse) -> Iterator[Finding]:
    accepted = agreed_time(discourse.asked, text, discourse)
    if accepted is not None:
        yield replace(accepted, spans=(_opening(text),))
        return
    content = affirmed(discourse.asked, text, discourse) if confirms(text) else None
    if content is not None:
        lang = "zh" if has_han(content.replace(discourse.label, "")) else "en"
        yield Finding(content, "affirmed", 6, lang, (_opening(text),))


def _confirmed(claim: Claim, text: str, *, agreed: bool) -> Finding | None:
    finding = claim.finding
    if finding.kind == "benefit":
        return None
    if not claim.options:
        return finding if agreed else None
    chosen = [option for option in claim.options if _names(text, option)]
    if len(chosen) == 1 and len(text) < 60 and not _ASKS_BACK.search(text):
        both = next(
            (
                joint
                for joint in (f"{claim.options[0]}和{claim.options[1]}", f"{claim.options[0]} or {claim.options[1]}")
                if joint in finding.content
            ),
            None,
        )
        return replace(finding, content=finding.content.replace(both, chosen[0]), kind="choice") if both else None
    return None


def _names(text: str, option: str) -> bool:
    """Whether the reply speaks of one side of an alternative."""
    if has_han(option):
        core = re.sub(r"[的了呢吧一个]", "", option)
        return any(core[i : i + 3] in text for i in range(max(1, len(core) - 2))) if len(core) > 2 else core in text
    words = [word for word in re.findall(r"[a-z0-9]{3,}", option.lower()) if word not in _COMMON]
    return any(re.search(rf"\b{word}", text.lower()) for word in words)


def _opening(text: str) -> Span:
    found = re.search(r"[,.。!?\n]", text)
    return Span(0, found.start() if found and found.start() else len(text))
