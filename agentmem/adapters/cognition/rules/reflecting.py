"""Reflection by rules: what at least two observations say together, and nothing that one of them says alone."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator

from agentmem import patterns as re
from agentmem.domain.memory import MemoryNode, Modality
from agentmem.domain.statement import Insight, Review
from agentmem.language.normal import normalise, trigram_similarity
from agentmem.ports.cognition import ReflectionInput

_GROUPS: tuple[tuple[str, tuple[str, ...], str, str, str, str], ...] = (
    ("main_needs", ("need", "plan"), "的主要需求是", "、", "mainly wants", "; "),
    ("main_concerns", ("complaint",), "主要不满意的是", "、", "is mainly unhappy about", "; "),
    ("conditions", ("constraint", "preference"), "看重的条件是", "、", "cares about these conditions:", "; "),
)


_PRIVATE = re.compile(
    r"过敏|忌口|[吃喝抽戒]|素食|清真|喜欢|讨厌|爱(?!护)|\b(?:allerg\w*|intoleran\w*|vegan|vegetarian|halal|kosher|gluten|lactose|coeliac|eats?|drinks?|smokes?|likes?|loves?|hates?|enjoys?|fond of|fan of)\b",
    re.IGNORECASE,
)
"""What somebody eats, bears and likes is no condition that he puts to an offer."""

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
    for attribute, kinds, zh, zh_joint, en, en_joint in _GROUPS:
        nodes = [
            node
            for node in request.observations
            if node.attribute in kinds and node.value and node.modality is Modality.STATED
            if attribute != "conditions" or not _PRIVATE.search(node.value)
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
        content = f"{label}{zh}{value}" if chinese else f"{label} {en} {value}"
        yield Insight(
            attribute=attribute,
            value=value,
            content=content[:2_000],
            modality=Modality.INFERRED,
            language="zh" if chinese else "en",
            source_ids=tuple(node.memory_id for node in nodes),
        )


def _chinese(nodes: list[MemoryNode], default: str) -> bool:
    spoken = [node.language or default for node in nodes]
    return spoken.count("zh") * 2 >= len(spoken)


def _short(value: str, label: str) -> str:
    return value.replace(label, "").strip(" ，。,.的")[:120] or value[:120]
