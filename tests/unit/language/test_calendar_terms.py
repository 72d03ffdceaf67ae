"""Days, months and years as search terms."""

from datetime import UTC, datetime

import pytest

from agentmem.language.time import terms_around, time_terms


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("begins", "ends", "terms"),
    [
        ("2026-03-07", "2026-03-08", ["2026-03-07"]),
        ("2026-02-28", "2026-03-02", ["2026-02-28", "2026-03-01"]),
        ("2026-03-07T15:00", "2026-03-07T16:00", ["2026-03-07"]),
        ("2026-12-01", "2027-01-01", ["2026-12"]),
        ("2026-11-15", "2027-02-01", ["2026-11", "2026-12", "2027-01"]),
        ("2022-01-01", "2023-01-01", ["2022"]),
        ("2020-06-01", "2022-06-01", ["2020", "2021", "2022"]),
    ],
)
def test_an_interval_is_told_by_its_days_months_or_years(begins: str, ends: str, terms: list[str]) -> None:
    assert time_terms(day(begins), day(ends)) == terms


def test_an_age_is_told_by_ten_years_at_most() -> None:
    assert len(time_terms(day("0001-01-01"), day("9999-12-31"))) == 10


def test_what_is_found_by_a_day_is_found_by_its_month_too() -> None:
    assert terms_around(day("2026-03-31"), day("2026-04-02")) == ["2026-03-31", "2026-04-01", "2026-03", "2026-04"]
    assert terms_around(day("2026-03-01"), day("2026-04-01")) == ["2026-03"]
