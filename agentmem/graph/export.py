"""An agent's graph as a file: GraphML for drawing programs, JSON-LD for everything that reads linked data."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from xml.etree import ElementTree

from agentmem import patterns as re
from agentmem.domain.entity import mentions_of, named
from agentmem.domain.memory import MemoryNode
from agentmem.domain.naming import canonical_name
from agentmem.graph.identity.entities import root
from agentmem.language.safe_text import safe_json, safe_text

GRAPHML: Final = "http://graphml.graphdrawing.org/xmlns"

_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TYPES: Final = {
    "person": "Person",
    "organisation": "Organization",
    "product": "Product",
    "place": "Place",
    "project": "Project",
}
_CONTEXT: Final = {
    "@vocab": "https://schema.org/",
    "id": "@id",
    "type": "@type",
    "relation": "https://schema.org/roleName",
    "subject": {"@id": "http://www.w3.org/1999/02/22-rdf-syntax-ns#subject", "@type": "@id"},
    "object": {"@id": "http://www.w3.org/1999/02/22-rdf-syntax-ns#object", "@type": "@id"},
    "statement": "http://www.w3.org/1999/02/22-rdf-syntax-ns#Statement",
}


@dataclass(frozen=True, slots=True)
class Vertex:
    """An entity. `names` begin with the fullest one."""

    entity: str
    kind: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """A memory between two entities; one that links more is several edges, from the first to each of the others."""

    memory_id: str
    source: str
    target: str
    relation: str
    content: str
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph in the order of ids. Every end of an edge is among the vertices. `more`: it may go on."""

    vertices: tuple[Vertex, ...]
    edges: tuple[DrawnEdge, ...]
    more: bool = False


def drawing(entities: Iterable[MemoryNode], memories: Iterable[MemoryNode]) -> Drawing:
    """The graph of these entities, those that lead on to others included, and of the memories that link them."""
    known = {node.memory_id: node for node in entities}
    vertices: dict[str, Vertex] = {}
    edges: list[DrawnEdge] = []
    for node in memories:
        names = {named(node.tenant, node.agent_id, each.name): each for each in mentions_of(node)}
        ends = list(dict.fromkeys(root(known, entity) for entity in node.entity_ids))
        for entity in node.entity_ids:
            mention = names.get(entity)
            name, kind = (mention.name, mention.kind) if mention else (node.target_name, "thing")
            at = root(known, entity)
            vertices.setdefault(at, _vertex(known[at]) if at in known else Vertex(at, kind, (name,)))
        edges += (_edge(node, ends[0], end, place) for place, end in enumerate(ends[1:]))
    return Drawing(
        tuple(vertices[key] for key in sorted(vertices)),
        tuple(sorted(edges, key=lambda edge: (edge.memory_id, edge.target))),
    )


def near(graph: Drawing, name: str, hops: int) -> Drawing:
    """The part of a graph up to `hops` edges away from whatever is called so; empty where nothing is."""
    wanted = canonical_name(name)
    reached = {each.entity for each in graph.vertices if any(canonical_name(one) == wanted for one in each.names)}
    inside: set[DrawnEdge] = set()
    for _ in range(hops):
        inside |= {edge for edge in graph.edges if edge.source in reached or edge.target in reached}
        reached |= {end for edge in inside for end in (edge.source, edge.target)}
    return Drawing(
        tuple(each for each in graph.vertices if each.entity in reached),
        tuple(edge for edge in graph.edges if edge in inside),
        graph.more,
    )


def _vertex(node: MemoryNode) -> Vertex:
    first = node.value or node.key[0]
    return Vertex(node.memory_id, node.kind or "thing", tuple(dict.fromkeys((first, *node.key))))


def _edge(node: MemoryNode, source: str, target: str, place: int) -> DrawnEdge:
    relation = node.relation if node.relation and place == 0 else "MENTIONED_WITH"
    return DrawnEdge(node.memory_id, source, target, relation, node.content, node.valid_at, node.invalid_at)


def graphml(graph: Drawing) -> str:
    """The graph in GraphML; controls and direction marks are shown as their codes, what XML cannot hold is left out."""
    top = ElementTree.Element("graphml", xmlns=GRAPHML)
    for owner, names in (("node", ("name", "kind", "aliases")), ("edge", ("relation", "content", "since", "until"))):
        for name in names:
            ElementTree.SubElement(top, "key", {"id": name, "for": owner, "attr.name": name, "attr.type": "string"})
    drawn = ElementTree.SubElement(top, "graph", id="memories", edgedefault="directed")
    for vertex in graph.vertices:
        node = ElementTree.SubElement(drawn, "node", id=vertex.entity)
        _data(node, name=vertex.names[0], kind=vertex.kind, aliases="; ".join(vertex.names[1:]))
    for place, edge in enumerate(graph.edges):
        line = ElementTree.SubElement(drawn, "edge", id=f"e{place}", source=edge.source, target=edge.target)
        until = edge.until.isoformat() if edge.until else ""
        _data(line, relation=edge.relation, content=edge.content, since=edge.since.isoformat(), until=until)
    ElementTree.indent(top)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(top, encoding="unicode")}\n'


def _data(element: ElementTree.Element, **values: str) -> None:
    for name, value in values.items():
        if value:
            ElementTree.SubElement(element, "data", key=name).text = _NOT_XML.sub("", safe_text(value))


def jsonld(graph: Drawing) -> str:
    """The graph in JSON-LD: entities in the words of schema.org, memories as RDF statements about them."""
    entities = [
        {
            "id": f"urn:uuid:{vertex.entity}",
            "type": _TYPES.get(vertex.kind, "Thing"),
            "name": vertex.names[0],
            **({"alternateName": list(vertex.names[1:])} if vertex.names[1:] else {}),
        }
        for vertex in graph.vertices
    ]
    statements = [
        {
            "id": f"urn:uuid:{edge.memory_id}#{edge.target}",
            "type": "statement",
            "subject": f"urn:uuid:{edge.source}",
            "relation": edge.relation,
            "object": f"urn:uuid:{edge.target}",
            "text": edge.content,
            "startDate": edge.since.isoformat(),
            **({"endDate": edge.until.isoformat()} if edge.until else {}),
        }
        for edge in graph.edges
    ]
    whole = {"@context": _CONTEXT, "@graph": [*entities, *statements]}
    return f"{safe_json(json.dumps(whole, ensure_ascii=False, indent=2))}\n"
