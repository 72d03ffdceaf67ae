"""The times a question names, for comparison with when something was said or happened.

A question about the past means the past one: "in May" asked in August is this year's, "on Saturday" the last one,
夏天 the last summer. What recurs leaves open what it does not name: see `TimeMention.covers`.
"""

from datetime import datetime

from agentmem.language.dates import Lean
from agentmem.language.moments import Expression, Moment
from agentmem.language.normal import Language
from agentmem.language.seasons import read_bare_season
from agentmem.language.tenses import question_tense
from agentmem.language.times import TimeMention, clause_tense, read_times, readers_of


def asked_times(question: str, now: datetime, language: Language | None = None) -> list[TimeMention]:
    """All times of a question asked at `now`, in order. `now` must be aware."""
    whole = question_tense(question)

    def leaning(plain: str, expression: Expression) -> Lean | None:
        return clause_tense(plain, expression) or whole

    return read_times(question, now, leaning, [*readers_of(question, language), _read_season])


def _read_season(text: str, position: int, _now: datetime) -> Expression | None:
    """A season without its year, which in a statement may be any."""
    season = read_bare_season(text, position)
    return None if season is None else Expression(position, season[1], "at", Moment(season[1], season[0]))
