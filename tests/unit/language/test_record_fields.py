"""Records as one statement."""

import pytest

from agentmem.answers.extractive import extracted
from agentmem.language.record_fields import fields_of, is_of_another, record_answers, row_told, stated
from agentmem.language.tokens import tokens

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


SHOP_ROW = "sku: T-4\nitem: Oak table\nprice_eur: 310.00\nstock: 8"


@pytest.mark.parametrize(
    ("question", "answered", "another"),
    [
        ("What does the Oak table cost?", True, False),
        ("How many Oak tables are in stock?", True, False),
        ("What does the Pine table weigh?", False, False),
        ("How many lamps are in stock?", False, True),
    ],
)
def test_a_row_answers_by_a_field_of_what_it_is_called_and_for_nothing_else(
    question: str, answered: bool, another: bool
) -> None:
    assert record_answers(SHOP_ROW, question) is answered
    assert is_of_another(SHOP_ROW, question, frozenset(tokens(question)) - {"mani"}) is another


def test_a_row_is_told_by_all_that_it_is_called() -> None:
    assert stated(fields_of(SHOP_ROW), "How many are in stock?") == "T-4 Oak table: stock 8"


def test_prose_is_no_record() -> None:
    assert fields_of("Note: the pump leaks.\nIt leaks at night.") == []
    assert fields_of("Note: the pump leaks.") == []


@pytest.mark.parametrize(
    ("record", "question", "priced"),
    [
        ("name: Lumen C4\nretail_price_eur: 420", "How much is the Lumen C4?", True),
        ("name: Lumen C4\nretail_price_eur: 420", "What does the Lumen C4 cost?", True),
        ("name: Lumen C4\nretail_price_eur: 420", "How much does the Lumen C5 cost?", False),
        ("name: Lumen C4\nretail_price_eur: 420", "How heavy is the Lumen C4?", False),
        ("name: Lumen C4\nprice: on request", "What does the Lumen C4 cost?", False),
        ("name: Garden pass\nannual fee: 60", "What is the price of the garden pass?", True),
        ("name: Garden pass\nannual fee: 60", "What is the price of the parking pass?", False),
        ("型号: PB-20\n售价（元）: 960", "PB-20贵不贵", True),
        ("型号: PB-20\n代价: 3人受伤", "PB-20多少钱", False),
    ],
)
def test_a_record_has_a_price_where_a_field_says_so_and_it_is_of_that_thing(
    record: str, question: str, priced: bool
) -> None:
    assert record_answers(record, question) is priced


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("item: Oak door\nprice: 249.50\nunit: EUR", "Oak door: price 249.50 EUR"),
        ("item: Oak door\nprice: 249.50\ncurrency: USD", "Oak door: price 249.50 USD"),
        ("item: Oak door\nprice: 249.50 EUR\ncurrency: EUR", "Oak door: price 249.50 EUR"),
        ("item: Oak door\nprice (EUR): 249.50", "Oak door: price (EUR) 249.50"),
        ("item: Oak door\nprice: 249.50\nunit: piece", "Oak door: price 249.50"),
    ],
)
def test_a_price_is_told_with_its_currency(record: str, told: str) -> None:
    assert stated(fields_of(record), "What is the price of the Oak door?") == told


HOURS = "Opening hours\nDay | Opens | Closes\n\nMonday | 9:00 | 18:00\n\nSaturday | 10:00 | 14:00"


def test_a_row_of_a_table_is_told_with_the_names_of_its_columns() -> None:
    assert row_told(HOURS, "Saturday | 10:00 | 14:00") == "Saturday: Opens 10:00, Closes 14:00"
    assert row_told(HOURS, "Day | Opens | Closes") is None
    ruled = "| Day | Room |\n|---|---|\n| Monday | blue |"
    assert row_told(ruled, "| Monday | blue |") == "Monday: Room blue"
    two = f"{ruled}\n\n| Item | Price |\n|---|---|\n| Chair | 40 |"
    assert row_told(two, "| Chair | 40 |") == "Chair: Price 40"


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Colour | red\nWeight | 3 kg\nHeight | 40 cm", "Weight | 3 kg"),
        ("Oak | brown | hard\nPine | white | soft", "Pine | white | soft"),
        ("We open at nine.", "We open at nine."),
        (f"{HOURS}\n\nItem | Price | Deposit\n\nChair | 40 | 10", "Chair | 40 | 10"),
    ],
)
def test_what_has_no_names_of_columns_is_told_as_it_is(text: str, row: str) -> None:
    assert row_told(text, row) == row
