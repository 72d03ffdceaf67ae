"""The published schemas are the models, and accept every file that is shipped."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from agentmem.runtime.configuration.persona_view import KINDS, schema_of
from agentmem.runtime.configuration.yaml_file import load
from tests.support.cli import ROOT, agentmem

SHIPPED = [
    *(("persona", path) for path in sorted((ROOT / "personas").glob("*.yaml"))),
    *(("scenario", path) for path in sorted((ROOT / "scenarios").glob("*.yaml"))),
    ("config", ROOT / "config.yaml"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_the_published_schema_is_the_one_of_the_code(kind: str) -> None:
    published = (ROOT / f"docs/schemas/{kind}.schema.json").read_text("utf-8")

    assert agentmem("persona", "schema", kind).out == published, "run `make schemas`"


@pytest.mark.parametrize(("kind", "path"), SHIPPED, ids=lambda item: item if isinstance(item, str) else item.stem)
def test_a_shipped_file_fits_its_schema(kind: str, path: Path) -> None:
    jsonschema.validate(load(path).data, schema_of(kind))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{id: a, name: A, styl: x}", "Additional properties are not allowed"),
        ("{id: a}", "is not valid under any of the given schemas"),
        ("{id: a, extends: b, memory: {windows: {idle_seconds: x}}}", "'x' is not of type 'number'"),
        ("{id: a, extends: b, memory: {keep: {perceptual: soon}}}", "'soon' does not match"),
        ("{id: a, extends: b, tools: [os.system]}", "'os.system' does not match"),
    ],
)
def test_an_editor_sees_what_is_wrong_with_a_persona(text: str, complaint: str) -> None:
    data: Any = yaml.safe_load(text)
    with pytest.raises(jsonschema.ValidationError, match=complaint):
        jsonschema.validate(data, schema_of("persona"))


def test_schemas_are_schemas() -> None:
    for kind in KINDS:
        jsonschema.Draft202012Validator.check_schema(json.loads(json.dumps(schema_of(kind))))
