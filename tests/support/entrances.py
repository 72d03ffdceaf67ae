"""Every pure function through which a text from outside is read, by name; each takes any text and may refuse it."""

import csv
import json
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import PurePath
from typing import Final

import docx

from agentmem.adapters.cognition.llm.grounds import locate, on_one_line, refused
from agentmem.adapters.cognition.llm.limits import estimated
from agentmem.adapters.cognition.llm.output_schemas import Unusable, from_text
from agentmem.adapters.cognition.rules.engine import read_window
from agentmem.adapters.embedder.hashed import HashedEmbedder
from agentmem.agents.bundle.foreign.character_card import is_card, read_card
from agentmem.agents.bundle.foreign.memory_exports import is_mem0, read_mem0
from agentmem.agents.bundle.readable_exports import escaped
from agentmem.agents.copying.identifying_words import gives_nobody_away
from agentmem.agents.copying.name_matcher import NameMatcher
from agentmem.answers.demand import demand_of
from agentmem.answers.extractive import extracted
from agentmem.assets.file_reading import read_document
from agentmem.assets.pieces import chunks
from agentmem.domain.attributes import base_of, slot_of
from agentmem.domain.event import Person
from agentmem.domain.ids import derived_id
from agentmem.domain.naming import canonical_name, fold, tidy
from agentmem.domain.persona import Persona
from agentmem.domain.statement import Turn, Window
from agentmem.domain.value import JsonValue
from agentmem.errors import AgentMemError
from agentmem.language.clauses import clauses, sentences
from agentmem.language.cues import cues_of
from agentmem.language.injection import gives_orders
from agentmem.language.lengths import estimated_tokens, shortened
from agentmem.language.lookalikes import simplified
from agentmem.language.names import names_of
from agentmem.language.normal import normalise, trigram_similarity
from agentmem.language.numbers import parse_numbers
from agentmem.language.polarity import denies, is_disbelieved, opposed
from agentmem.language.record_fields import codes_asked, fields_of, speaks_of, stated
from agentmem.language.relations import relations_of
from agentmem.language.same_names import apart, near, said_to_be_one, short_form, told_apart
from agentmem.language.synonyms import kin_in, relative_of
from agentmem.language.time import annotate
from agentmem.language.tokens import query_sparse, tokens
from agentmem.language.values import canonical_value, likeness
from agentmem.memory.cuts import NamesOf
from agentmem.memory.edit import edited
from agentmem.memory.request import forget_request
from agentmem.memory.wish import read_wish
from agentmem.questions.asked_people import AskedPeople
from agentmem.questions.form import mode_of, parts_of
from agentmem.questions.question import asked_for, names_in, read_question
from agentmem.retrieval.context_wording import Quoting
from tests.support.nodes import a_memory

Entrance = Callable[[str], object]
NOW: Final = datetime(2026, 3, 4, 10, tzinfo=UTC)
_PERSON: Final = Person(name="陈立", title="经理")
_WHOM: Final = AskedPeople(("陈立", "tom"), frozenset({"x"}))
_EMBEDDER: Final = HashedEmbedder(256)
_KINDS: Final = ("email", "phone", "money", "number", "date", "name", "text")


def _window(text: str, *, by_agent: bool, language: str) -> Window:
    """A turn in answer to a question, so that what answers are read by is asked as well."""
    asked = Turn(
        turn_id=derived_id("asked"), by_agent=not by_agent, speaker="AIP", text="How many people? 您用什么系统?", at=NOW
    )
    said = Turn(turn_id=derived_id("said"), by_agent=by_agent, speaker="陈立", text=text, at=NOW)
    return Window.model_validate(
        {"window_id": "w", "agent_name": "AIP", "person": _PERSON, "language": language, "turns": (asked, said)}
    )


def _spoken(text: str) -> object:
    return read_window(_window(text, by_agent=False, language="zh"))


def _told(text: str) -> object:
    return read_window(_window(text, by_agent=True, language="en"))


def _question(text: str) -> object:
    read = read_question(text, NOW, ("陈立", "Tom Hale"))
    demand = demand_of(text, _WHOM)
    return [read.time_terms, demand, asked_for(text), names_in(text), mode_of(text, NOW), parts_of(text)]


def _whom(text: str) -> object:
    return [_WHOM.having(text), _WHOM.owning(text), _WHOM.bare(text), _WHOM.named_in(text), _WHOM.left_out(text)]


def _answer(text: str) -> object:
    passages = [(text, 1.0), (f"预算是{text}", 0.5)]
    return [extracted(text[:2_000], passages), extracted("What is the phone number of Tom?", passages)]


def _document(suffix: str) -> Entrance:
    """Read as a file of that kind, and cut into pieces."""

    def read(text: str) -> object:
        found = read_document(PurePath(f"a{suffix}"), _FILES[suffix](text))
        return chunks(found.text, found.media_type)

    return read


def _word(text: str) -> bytes:
    made = docx.Document()
    made.add_paragraph("".join(ch for ch in text if ch in "\t\n" or unicodedata.category(ch)[0] != "C"))
    file = BytesIO()
    made.save(file)
    return file.getvalue()


def _table(text: str) -> bytes:
    file = StringIO()
    csv.writer(file).writerows([["name", text[:200]], ["x", text]])
    return file.getvalue().encode()


_FILES: Final[Mapping[str, Callable[[str], bytes]]] = {
    ".md": str.encode,
    ".txt": str.encode,
    ".html": lambda text: f"<p>{text}</p><pre>{text}</pre>".encode(),
    ".csv": _table,
    ".tsv": str.encode,
    ".json": lambda text: json.dumps([{"name": text, text[:60]: 1}]).encode(),
    ".docx": _word,
}


def _foreign(text: str) -> object:
    card, mem0 = _card(text), _mem0(text)
    return [
        read_card(card, accept_instructions=False, person="Tom") if is_card(card) else None,
        read_mem0(mem0) if is_mem0(mem0) else None,
    ]


def _card(text: str) -> JsonValue:
    data: dict[str, JsonValue] = {"name": "x", "description": text, "first_mes": text}
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}


def _mem0(text: str) -> JsonValue:
    return {"results": [{"id": "1", "memory": text, "user_id": text[:60]}]}


def _names(text: str) -> object:
    short = text[:400]
    return [
        *(canonical_name(text), fold(text), tidy(text), apart(short, text), near(text, short)),
        *(
            short_form(short, text),
            said_to_be_one(text, "Tom", "陈立"),
            names_of(text),
            NamesOf([short]).stand_in(text),
        ),
    ]


def _values(text: str) -> object:
    return [[canonical_value(kind, text), likeness(kind, text, text[1:])] for kind in _KINDS]


def _codes(text: str) -> object:
    return [codes_asked(text), speaks_of(frozenset({"v1.2"}), text, text), slot_of(text), base_of(text)]


def _edit(text: str) -> object:
    facts = (("email", "a@b.cn"), ("phone", "13800138000"), ("budget", "30万"), ("city", "上海"))
    return [edited(a_memory(f"x {value}", attribute=name, value=value), text) for name, value in facts]


def _copying(text: str) -> object:
    marks = NameMatcher()
    marks.add_names(["Tom Hale", "陈立"], parts=True)
    return [marks.within(text), gives_nobody_away(text, marks, longest=100_000)]


def _quoting(text: str) -> object:
    quoting = Quoting("abcdefgh1234", "zh")
    return [quoting.text(text), quoting.name(text[:2_000]), escaped(text)]


def _persona(text: str) -> object:
    with suppress(ValueError):
        Persona.model_validate({"id": text, "name": text, "tools": [text], "knowledge": [text]})
    with suppress(ValueError):
        Persona.model_validate(
            {"id": "a", "name": "A", "memory": {"windows": {"longest": text}, "reflect": {"cron": text}}}
        )
    return None


def _model(text: str) -> object:
    with suppress(Unusable):
        from_text(text, ("statements",))
    return [refused(text), on_one_line(text), locate(text[:300], text), estimated(text)]


def _compared(text: str) -> object:
    other = text[1:]
    return [opposed(text, other), told_apart(text, other), trigram_similarity(text, other), relative_of("tom", text)]


def _said(text: str) -> object:
    return [denies(text), is_disbelieved(text), gives_orders(text), kin_in(text), cues_of(text, NOW)]


def _refusing(entrance: Entrance) -> Entrance:
    """The same, where a refusal in one line is as good as an answer."""

    def tried(text: str) -> object:
        with suppress(AgentMemError):
            return entrance(text)
        return None

    return tried


_READ: Final[Mapping[str, Entrance]] = {
    "a turn of a person": _spoken,
    "a turn of an agent": _told,
    "a request to forget": forget_request,
    "a wish to forget": lambda text: read_wish(text[:2_000], asked_for, ("Tom",)),
    "a question": _question,
    "whom a question names": _whom,
    "an answer's passages": _answer,
    **{f"a document {suffix}": _document(suffix) for suffix in _FILES},
    "a file of another system": _foreign,
    "names": _names,
    "values": _values,
    "codes and slots": _codes,
    "a correction by hand": _edit,
    "copying to another agent": _copying,
    "a prompt's quotations": _quoting,
    "a persona": _persona,
    "a model's answer": _model,
    "two statements compared": _compared,
    "tone and cues": _said,
    "times": lambda text: annotate(text, NOW),
    "numbers": parse_numbers,
    "sentences and clauses": lambda text: [clauses(sentence) for sentence in sentences(text)],
    "relations": relations_of,
    "records": lambda text: [fields_of(text), stated(fields_of(text), text)],
    "words": lambda text: [tokens(text), query_sparse(text)],
    "normal forms": lambda text: [normalise(text), simplified(text)],
    "the number of tokens": estimated_tokens,
    "shortening": lambda text: shortened(text, lambda part: len(part) <= len(text) // 2),
    "vectors": lambda text: _EMBEDDER.vectors([text]),
}
ENTRANCES: Final[Mapping[str, Entrance]] = {name: _refusing(entrance) for name, entrance in _READ.items()}
