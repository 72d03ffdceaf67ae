"""Persona files: what they may say, what they take over from another, and all that is wrong with them at once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agentmem.domain.persona import Persona
from agentmem.errors import InvalidInput
from agentmem.runtime.configuration.persona_view import differences, lint_persona, values_of
from agentmem.runtime.configuration.personas import read_persona

Write = Callable[..., Path]

BASE = """\
id: base
name: Base
role: sells
goals: [one, two]
memory:
  attributes: {budget: single, likes: multi}
  windows: {turns: 5}
"""


@pytest.fixture
def written(tmp_path: Path) -> Write:
    def write(text: str, name: str = "ada") -> Path:
        path = tmp_path / f"{name}.yaml"
        path.write_text(text, "utf-8")
        return path

    return write


def complaint(path: Path) -> str:
    with pytest.raises(InvalidInput) as caught:
        read_persona(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_persona_takes_over_what_it_does_not_say_itself(written: Write) -> None:
    written(BASE, "base")
    path = written("id: ada\nextends: base\ngoals: [three]\nmemory: {attributes: {likes: single, city: single}}\n")

    persona = read_persona(path)

    assert type(persona) is Persona
    assert (persona.id, persona.name, persona.role, persona.goals) == ("ada", "Base", "sells", ("three",))
    assert persona.memory.attributes == {"budget": "single", "likes": "single", "city": "single"}
    assert persona.memory.windows.turns == 5


@pytest.mark.parametrize(
    ("extends", "expected"),
    [
        ("ada", "ada.yaml:2: extends: 'ada' is this persona itself"),
        ("nobody", "ada.yaml:2: extends: no persona 'nobody' in "),
        ("between", "ada.yaml:2: extends: 'between' extends 'base' itself; allowed: one level"),
        ("circle", "ada.yaml:2: extends: 'circle' extends 'ada' itself; allowed: one level"),
        ("../base", "ada.yaml:2: extends: no persona '../base' in "),
    ],
)
def test_only_one_level_is_extended(written: Write, extends: str, expected: str) -> None:
    written(BASE, "base")
    written("id: between\nextends: base\n", "between")
    written("id: circle\nextends: ada\n", "circle")

    assert expected in complaint(written(f"id: ada\nextends: {extends}\n"))


def test_a_mistake_of_the_parent_is_told_at_its_own_place(written: Write) -> None:
    parent = written(BASE + "  keep: {perceptual: soon}\n", "base")

    assert complaint(written("id: ada\nextends: base\n")).startswith(f"{parent}:8: memory.keep.perceptual: ")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("memory: {windows: {turns: 0123}}", "3: memory.windows.turns: must be a whole number, not '0123'"),
        ("memory: {windows: {turns: 1.10}}", "3: memory.windows.turns: must be a whole number, not '1.10'"),
        ("memory: {windows: {idle_seconds: 12:30}}", "3: memory.windows.idle_seconds: must be a number, not '12:30'"),
        ("hire: {about_customers: NO}", "3: hire.about_customers: must be true or false, not 'NO'"),
        ("language: NO", "3: language: unknown value 'NO'; allowed: 'zh', 'en'"),
        ("memory: {windows: {idle_seconds: 5, idleSeconds: 6}}", "3: memory.windows.idle_seconds: unknown key"),
        ("tools: [os.system]", "3: tools[0]: must be a dotted path and a function such as package.module:function"),
        ("tools: ['os:system()']", "3: tools[0]: must be a dotted path and a function"),
        ("knowledge: [/etc/passwd]", "3: knowledge[0]: must be a path below the persona file"),
        ("knowledge: [a/../../b.md]", "3: knowledge[0]: must be a path below the persona file"),
        ('knowledge: ["C:\\\\b.md"]', "3: knowledge[0]: must be a path below the persona file"),
    ],
)
def test_a_value_that_is_not_what_it_looks_like_is_refused(written: Write, line: str, expected: str) -> None:
    assert expected in complaint(written(f"id: ada\nname: Ada\n{line}\n"))


def test_a_file_is_named_like_the_agent_in_it(written: Write) -> None:
    path = written("name: Ada\nid: eve\n")

    assert complaint(path) == f"{path}:2: id: must be 'ada', as the file is named, not 'eve'"


def test_linting_shows_everything_that_is_wrong_in_the_order_of_the_file(written: Write) -> None:
    path = written(
        "id: eve\nname: Ada\nname: Eve\nlanguage: &x no\nstyl: x\nmemory:\n  windows: {turns: ten}\n"
        "  keep: {perceptual: soon}\nmodel: !env KEY\nextends: nobody\n"
    )

    found = [problem.removeprefix(f"{path}:").split(" ")[0:2] for problem in lint_persona(path)]

    assert [(line.rstrip(":"), key.rstrip(":")) for line, key in found] == [
        ("1", "id"),
        ("3", "key"),
        ("4", "anchors"),
        ("4", "language"),
        ("5", "styl"),
        ("7", "memory.windows.turns"),
        ("8", "memory.keep.perceptual"),
        ("9", "tags"),
        ("10", "extends"),
    ]


def test_linting_looks_for_the_documents_and_on_demand_for_the_tools(written: Write, tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("here")
    path = written(
        "id: ada\nname: Ada\nknowledge: [there.md, not.md]\n"
        "tools: ['json:dumps', 'json:nothing', 'no_such_module:f', 'json.decoder:JSONDecoder']\n"
    )

    assert lint_persona(path) == [f"{path}:3: knowledge[1]: no such file {str(tmp_path / 'not.md')!r}"]
    assert [problem.partition(": ")[2] for problem in lint_persona(path, tools=True)[1:]] == [
        "tools[1]: 'json:nothing': 'json' has no function 'nothing'",
        "tools[2]: 'no_such_module:f': there is no module 'no_such_module'",
    ]


def test_every_value_says_where_it_comes_from(written: Write) -> None:
    parent = written(BASE, "base")
    child = written("id: ada\nextends: base\nmemory: {attributes: {likes: single}}\n")

    origins = {value.key: value.origin for value in values_of(child)}

    assert origins["id"] == f"{child}:1"
    assert origins["role"] == f"{parent}:3"
    assert origins["memory.attributes.budget"] == f"{parent}:6"
    assert origins["memory.attributes.likes"] == f"{child}:3"
    assert origins["memory.reflect.importance"] == origins["style"] == "default"


def test_personas_differ_in_single_values() -> None:
    left = Persona(id="ada", name="Ada", goals=("a",))
    right = left.revised(goals=("a", "b"), style="short")

    assert [(item.key, item.left, item.right) for item in differences(left, right)] == [
        ("goals", ["a"], ["a", "b"]),
        ("style", "", "short"),
    ]
    assert differences(left, left) == []
