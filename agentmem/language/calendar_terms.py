"""Days and months as search terms, so that a time in a question finds what was said, or happened, then.

A day is `2026-03-07`, as it stands in texts with resolved dates; a month is `2026-03`, a year `2026`.
"""

from datetime import datetime, timedelta

FEW_DAYS = timedelta(days=9)
FEW_MONTHS = timedelta(days=93)


def time_terms(begins: datetime, ends: datetime) -> list[str]:
    """The terms of an interval, its end exclusive: its days, where they are few, or its months, or its years."""
    last = ends - timedelta(microseconds=1)
    if ends - begins <= FEW_DAYS:
        count = (last.date() - begins.date()).days
        return [(begins + timedelta(days=number)).date().isoformat() for number in range(count + 1)]
    if ends - begins <= FEW_MONTHS:
        months = (last.year - begins.year) * 12 + last.month - begins.month
        return [_month(begins.year, begins.month + number) for number in range(months + 1)]
    return [str(year) for year in range(begins.year, min(last.year, begins.year + 9) + 1)]


def terms_around(begins: datetime, ends: datetime) -> list[str]:
    """The terms of an interval, and the months its days lie in: what a memory of that time is found by."""
    terms = time_terms(begins, ends)
    return [*terms, *dict.fromkeys(term[:7] for term in terms if len(term) == 10)]


def _month(year: int, month: int) -> str:
    return f"{year + (month - 1) // 12}-{(month - 1) % 12 + 1:02}"
