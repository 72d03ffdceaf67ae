"""What a model says of a piece of a document, led back to the piece."""

from collections import Counter
from typing import Any

import pytest

from agentmem.adapters.cognition.llm.extracting import Finder, from_triples
from agentmem.adapters.cognition.llm.output_schemas import Unusable
from agentmem.domain.document import Extract

TEXT = "平台\n社保局的 AIP(平台) 由青穹科技开发。AIP: Core 依赖 Kafka。 Does Kafka use Redis? If so, Acme owns Kafka."


def found(**answer: Any) -> tuple[Extract, Counter[str]]:
    dropped: Counter[str] = Counter()
    return Finder(TEXT, "", dropped).find(answer), dropped


def relation(source: str, rel: str, target: str, quote: str = "", **more: Any) -> dict[str, Any]:
    return {"source": source, "rel": rel, "target": target, "quote": quote, **more}


def test_names_are_those_of_the_piece_and_marks_of_the_text_form_become_underscores() -> None:
    extract, _ = found(relations=[relation("AIP: Core", "depends-on", "Kafka", "AIP: Core 依赖 Kafka")])
    (stated,) = extract.relations
    assert [each.name for each in stated.names] == ["AIP_ Core", "Kafka"]
    assert stated.relation == "DEPENDS_ON"
    assert TEXT[stated.quote.start : stated.quote.end] == "AIP: Core 依赖 Kafka。"


def test_the_text_form_is_read_with_brackets_of_any_kind_and_width() -> None:
    answer = from_triples(
        "Entities:\n(AIP(平台)#社保局的平台)\nRelations:\n- （AIP(平台)＃MADE_BY＃青穹科技＃由它开发）\n(a#b#c#d#e)"
    )
    assert answer["entities"] == [{"name": "AIP(平台)", "summary": "社保局的平台"}]
    extract, dropped = found(**answer)
    assert [[each.name for each in stated.names] for stated in extract.relations] == [["AIP(平台)", "青穹科技"]]
    assert [each.mention.name for each in extract.entities] == ["AIP(平台)"]
    assert sum(dropped.values()) == 0
    with pytest.raises(Unusable):
        from_triples("I found nothing.")


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (relation("Nobody", "OWNS", "Kafka", "AIP: Core 依赖 Kafka"), "name"),
        (relation("AIP: Core", "OWNS", "Kafka", "Acme bought Kafka"), "quote"),
        (relation("Kafka", "OWNS", "Kafka", "AIP: Core 依赖 Kafka"), "loop"),
        (relation("AIP: Core", "依赖", "Kafka", "AIP: Core 依赖 Kafka"), "relation"),
        (relation("Kafka", "USES", "Redis", "Does Kafka use Redis"), "open"),
        (relation("Acme", "OWNS", "Kafka", "If so, Acme owns Kafka"), "open"),
        ({"source": "Acme"}, "malformed"),
    ],
)
def test_what_does_not_stand_in_the_piece_is_counted_and_left_out(item: dict[str, Any], reason: str) -> None:
    good = relation("AIP: Core", "DEPENDS_ON", "Kafka", "AIP: Core 依赖 Kafka")
    extract, dropped = found(relations=[item, good])
    assert (len(extract.relations), {key for key, count in dropped.items() if count}) == (1, {reason})
    with pytest.raises(Unusable):
        found(relations=[item])


def test_a_summary_with_a_number_the_piece_does_not_have_is_left_out() -> None:
    told = [
        {"name": "Kafka", "summary": "Kafka 每天处理 98765 条。"},
        {"name": "青穹科技", "summary": "青穹科技开发了 AIP。"},
    ]
    extract, dropped = found(entities=told)
    assert [each.mention.name for each in extract.entities] == ["青穹科技"]
    assert dropped["number"] == 1


def test_nothing_found_is_an_answer() -> None:
    assert found(entities=[], relations=[])[0] == Extract()


OTHER = "Acme makes Bolt. Redis is a database. It stores 40 keys. Bolt does not use Kafka. Also the sales rose in Oslo."


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (relation("Acme", "ACQUIRED", "Redis", "Also the sales rose in Oslo"), "quote"),
        (relation("Acme", "ACQUIRED", "Redis", "is"), "quote"),
        (relation("Acme", "ACQUIRED", "Redis", "Acme makes Bolt. Redis is a database."), "quote"),
        (relation("Acme", "MADE", "Bolt", "makes"), "quote"),
        (relation("Acme", "MADE", "Bolt", "Acme makes Bolt", others=["Oslo"]), "quote"),
        (relation("Al", "OWNS", "Oslo", "Also the sales rose in Oslo"), "name"),
        (relation("Acme", "ACQUIRED", "Redis"), "quote"),
        (relation("Bolt", "USES", "Kafka", "Bolt does not use Kafka"), "open"),
    ],
)
def test_a_relation_needs_a_quote_that_has_its_names_and_does_not_deny_it(item: dict[str, Any], reason: str) -> None:
    dropped: Counter[str] = Counter()
    good = relation("Acme", "MADE", "Bolt", "Acme makes Bolt")
    extract = Finder(OTHER, "", dropped).find({"relations": [item, good]})
    assert ([each.relation for each in extract.relations], dropped[reason]) == (["MADE"], 1)


@pytest.mark.parametrize(
    ("name", "summary"),
    [
        ("Bolt", "Bolt is dangerous, was recalled and must not be sold to anybody."),
        ("Redis", "Redis cost 15 in Oslo and belongs to Acme."),
        ("Redis", "Redis is a database since 2019."),
        ("Bolt", "Bolt uses Kafka."),
        ("Acme", "Never trust Acme."),
        ("Al", "Also the sales of Al rose."),
    ],
)
def test_a_summary_says_nothing_that_the_sentences_about_the_name_do_not(name: str, summary: str) -> None:
    good = {"name": "Redis", "summary": "Redis is a database that stores 40 keys."}
    extract = Finder(OTHER, "").find({"entities": [{"name": name, "summary": summary}, good]})
    assert [each.summary for each in extract.entities] == [good["summary"]]
