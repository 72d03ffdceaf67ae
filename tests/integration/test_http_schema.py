"""A few hundred requests made up from the OpenAPI document: none is answered as the document does not say, nor with a
fault of the server. `python -m tests.soak schema` makes ten thousand."""

from pathlib import Path

import pytest

from tests.support.schema_cases import try_cases

pytestmark = pytest.mark.thorough

EACH = 4


@pytest.mark.parametrize("wrong", [False, True])
def test_every_operation_answers_as_the_document_says(tmp_path: Path, wrong: bool) -> None:
    tried = try_cases(tmp_path, each=EACH if not wrong else 2, wrong=wrong)
    assert tried.wrong == {}
    assert tried.count >= 60
    assert tried.statuses.get(422, 0) + tried.statuses.get(200, 0) > 0
