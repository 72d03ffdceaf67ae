"""YAML is data, and a mistake in it is one line that says where it is and what is allowed."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.domain.persona import Persona
from agentmem.domain.scenario import Scenario
from agentmem.errors import InvalidInput
from agentmem.runtime.configuration.yaml_file import build, load, read
from agentmem.runtime.configuration.yaml_tree import parse

HEAD = """\
scenario: test
persona: {id: ada, name: Ada}
customer: {name: Bo}
sessions:
  - id: one
    at: 2024-12-26T10:00:00+08:00
    turns:
"""


Write = Callable[[str | bytes], Path]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    def write(text: str | bytes) -> Path:
        path = tmp_path / "file.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def complaint(path: Path, model: type[Scenario] | type[Persona] = Scenario) -> str:
    with pytest.raises(InvalidInput) as caught:
        read(path, model)
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{path}:")


@pytest.mark.parametrize("said", ["NO", "on", "yes", "12:30", "0123", "1.10", "1e3", "0x1F", "2024-12-26", "true", "7"])
def test_plain_words_of_a_turn_stay_as_they_were_written(written: Write, said: str) -> None:
    scenario = read(written(f"{HEAD}      - customer: {said}\n"), Scenario)

    assert scenario.sessions[0].turns[0].model_dump()["customer"] == said


def test_unquoted_numbers_are_found_as_text_where_text_is_looked_for(written: Write) -> None:
    text = f"{HEAD}      - customer: hi\nexpect:\n  memories: [{{id: 1, has: [13800138000, [007, x]]}}]\n"

    assert read(written(text), Scenario).expect.memories[0].has == ("13800138000", ("007", "x"))


def test_a_time_keeps_the_offset_it_was_written_with(written: Write) -> None:
    moment = read(written(f"{HEAD}      - customer: hi\n"), Scenario).sessions[0].at

    assert moment == datetime.fromisoformat("2024-12-26T10:00:00+08:00")
    assert str(moment.utcoffset()) == "8:00:00"


def test_null_is_null_and_a_quoted_null_is_a_word(written: Write) -> None:
    turns = read(written(f'{HEAD}      - agent: null\n      - customer: "null"\n'), Scenario).sessions[0].turns

    assert [turn.model_dump().get("agent") for turn in turns] == [None, None]
    assert turns[1].model_dump()["customer"] == "null"


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (
            "{agnet: x}",
            "8: sessions[0].turns[0].agnet: unknown key 'agnet', did you mean 'agent'?; "
            "allowed: agent, customer, speaker, say, at",
        ),
        ("{foo: 1}", "8: sessions[0].turns[0]: a turn has one of the keys agent, customer, speaker (with say),"),
        ("hello", "8: sessions[0].turns[0]: a turn has one of the keys"),
        ("{do: reflex}", "8: sessions[0].turns[0].do: unknown value 'reflex'; allowed: 'reflect', 'ingest', 'advance'"),
        ("{do: advance}", "8: sessions[0].turns[0]: days or hours belong to advance"),
        ("{customer: a, agent: b}", "8: sessions[0].turns[0]: a turn has exactly one of agent, customer, speaker"),
        ("{speaker: Cy, say: hi}", "1: speaker 'Cy' is not among the customers"),
        ("{customer: hi, at: 2024-12-26T10:00:00}", "8: sessions[0].turns[0].at: needs a UTC offset"),
        ("{customer: hi, at: tomorrow}", "8: sessions[0].turns[0].at: must be a date and time such as"),
        ("{customer: hi, at: 20241226}", "8: sessions[0].turns[0].at: must be a date and time such as"),
        ("{customer: hi, at: 2024-12-26T09:00:00+08:00}", "5: sessions[0]: turn 1 is at 2024-12-26T09:00:00+08:00"),
        ("{perceive: {sensor: t}}", "8: sessions[0].turns[0].perceive.value: is missing"),
        ("{perceive: {sensor: t, value: 1, latitude: north}}", "latitude: must be a number, not 'north'"),
    ],
)
def test_a_wrong_turn_is_one_line_with_place_and_remedy(written: Write, turn: str, expected: str) -> None:
    assert expected in complaint(written(f"{HEAD}      - {turn}\n"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id: ada\nname: Ada\nstyl: x\n", "3: styl: unknown key 'styl', did you mean 'style'?; allowed: id, name,"),
        ("id: ada\n", "1: name: is missing"),
        ("id: ada\nlanguage: en\nnmae: Ada\n", "3: nmae: unknown key 'nmae', did you mean 'name'?"),
        ("id: a b\nname: Ada\n", "1: id: "),
        ("id: ada\nname: Ada\nlanguage: no\n", "3: language: unknown value 'no'; allowed: 'zh', 'en'"),
        ("id: ada\nname: Ada\nmemory:\n  windows: {turns: ten}\n", "4: memory.windows.turns: must be a whole number"),
        ("id: ada\nname: Ada\nmemory:\n  windows: {turns: true}\n", "4: memory.windows.turns: must be a whole number"),
        ('id: ada\nname: Ada\nmemory:\n  windows: {turns: "5"}\n', "4: memory.windows.turns: must be a whole number"),
        ("id: ada\nname: Ada\nmemory:\n  keep: {perceptual: soon}\n", "4: memory.keep.perceptual: must be a whole"),
        ("id: ada\nname: Ada\nmemory:\n  reflect: {cron: daily}\n", "4: memory.reflect.cron: must be five fields"),
        ("id: ada\nname: Ada\nmemory:\n  attributes: {x: one}\n", "attributes.x: unknown value 'one'; allowed:"),
        ("id: ada\nname: Ada\nhire: {about_customers: 1}\n", "3: hire.about_customers: must be true or false"),
        ("id: ada\nname: Ada\ngoals: x\n", "3: goals: must be a list"),
        ("- id: ada\n", "1: must be a mapping"),
        ("", "1: must be a mapping"),
    ],
)
def test_a_wrong_persona_is_one_line_with_place_and_remedy(written: Write, text: str | bytes, expected: str) -> None:
    assert expected in complaint(written(text), Persona)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3\n", "3: key 'a' stands here twice, first at "),
        ("a: &x 1\n", "1: anchors and aliases are not read"),
        ("a: 1\nb: *x\n", "2: anchors and aliases are not read"),
        ("a: !!python/object/apply:os.system [ls]\n", "1: tags such as "),
        ("a: !mine 1\n", "1: tags such as '!mine' are not read"),
        ("a: 1\n---\nb: 2\n", "2: a second document"),
        ("a: [1\nb: 2\n", "2: not YAML: "),
        ("? [a]\n: 1\n", "1: a key must be a word"),
        ("[" * 500, "1: nested deeper than 30 levels"),
        ("- " * 500, "1: nested deeper than 30 levels"),
        ("[" * 200_000, "1: "),  # a newer libyaml says first that this is too deep for itself
        ('a: "\\0"\n', "1: "),
        ('a: "\\ud800"\n', "1: "),
        (b"a: \xff\n", "1: not UTF-8"),
        (b"a: " + b"x" * 1_000_000, " larger than 1,000,000 bytes"),
    ],
)
def test_what_is_more_than_data_is_refused(written: Write, text: str | bytes, expected: str) -> None:
    assert expected in complaint(written(text))


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"nope\.yaml: cannot be read: No such file"):
        load(tmp_path / "nope.yaml")


@given(text=st.text(max_size=200))
def test_any_text_is_either_read_or_refused_in_one_line(text: str) -> None:
    said: str | None = None
    try:
        build(parse(text, "file"), Persona)
    except InvalidInput as error:
        said = str(error)

    assert said is None or (said.startswith("file") and "\n" not in said)


def test_turns_follow_each_other_by_twenty_seconds_unless_they_say_otherwise(written: Write) -> None:
    turns = """\
      - customer: a
      - agent: b
      - {do: advance, hours: 1}
      - customer: c
      - {customer: d, at: 2024-12-26T12:00:00+08:00}
      - {do: reflect}
      - customer: e
"""
    moments = read(written(HEAD + turns), Scenario).sessions[0].moments()

    assert [moment.strftime("%H:%M:%S") for moment in moments] == [
        "10:00:00",
        "10:00:20",
        "11:00:20",
        "11:00:40",
        "12:00:00",
        "12:00:00",
        "12:00:20",
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("role: >-\n  先弄清现在用什么系统、\n  想解决什么问题。\n", "先弄清现在用什么系统、想解决什么问题。"),
        ("role: 先弄清业务,\n  再说明\n  帮助\n", "先弄清业务, 再说明帮助"),
        ("role: >-\n  Ask first\n  what they need.\n", "Ask first what they need."),
        ("role: 罗 小东\n", "罗 小东"),
        ("role: |-\n  罗 小\n  东\n", "罗 小\n东"),
    ],
)
def test_chinese_lines_are_joined_without_a_blank(written: str, read: str) -> None:
    assert parse(written, "file").data == {"role": read}


@pytest.mark.parametrize(
    "written", ["张三 李四\n  王五", '"张三 李四\n  王五"', "'张三 李四\n  王五'", ">-\n  张三 李四\n  王五"]
)
def test_chinese_lines_are_joined_without_a_blank_and_keep_the_blanks_within(written: str) -> None:
    tree = parse(f"names: {written}", "x.yaml")
    assert tree.data == {"names": "张三 李四王五"}
