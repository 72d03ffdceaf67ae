"""Reflection by rules: what at least two observations say together, and nothing that one of them says alone."""

from collections.abc import Iterator

from agentmem.domain.memory import MemoryNode, Modality
from agentmem.domain.statement import Insight
from agentmem.language.normal import normalise
from agentmem.ports.cognition import ReflectionInput

_GROUPS: tuple[tuple[str, tuple[str, ...], str, str, str, str], ...] = (
    ("main_needs", ("need", "plan"), "的主要需求是", "、", "mainly wants", "; "),
    ("main_concerns", ("complaint",), "主要不满意的是", "、", "is mainly unhappy about", "; "),
    ("conditions", ("constraint", "preference"), "看重的条件是", "、", "cares about these conditions:", "; "),
)


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


def _insights(request: ReflectionInput) -> Iterator[Insight]:
    label = request.person.label
    for attribute, kinds, zh, zh_joint, en, en_joint in _GROUPS:
        nodes = [
            node
            for node in request.observations
            if node.attribute in kinds and node.value and node.modality is Modality.STATED
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
