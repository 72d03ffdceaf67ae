"""Records as one statement."""

from agentmem.answers.extractive import extracted
from agentmem.answers.records import fields_of, stated

ROW = "name: Ida Berg\nextension: 4411\nroom: B12"


def test_the_field_that_is_asked_for_is_told_with_what_the_record_is_of() -> None:
    assert stated(fields_of(ROW), "What is Ida Berg's extension?") == "Ida Berg: extension 4411"
    assert stated(fields_of(ROW), "Extension and room of Ida Berg?") == "Ida Berg: extension 4411, room B12"
    assert stated(fields_of("姓名：何田\n分机：4411"), "何田的分机是多少？") == "何田: 分机 4411"


def test_a_nested_field_is_asked_for_by_the_end_of_its_name() -> None:
    assert stated(fields_of("id: 7\ncontact.phone_number: 555"), "phone number of 7?") == "7: contact.phone_number 555"


def test_a_record_stays_whole_where_no_field_is_asked_for() -> None:
    excerpts = extracted("Who sits in B12?", [(ROW, 1.0)])
    assert [one.text for one in excerpts] == ["name: Ida Berg; extension: 4411; room: B12"]


def test_prose_is_no_record() -> None:
    assert fields_of("Note: the pump leaks.\nIt leaks at night.") == []
    assert fields_of("Note: the pump leaks.") == []
