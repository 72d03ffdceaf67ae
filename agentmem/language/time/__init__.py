"""The time grammar: expressions of time in Chinese and English text, as intervals. This is its entry.

It stands alone: of the rest it needs `agentmem.patterns` and `agentmem.characters`.
"""

from agentmem.language.time.dates import Lean, Precision, Recurrence
from agentmem.language.time.mentions import (
    TimeMention,
    annotate,
    asked_times,
    find_times,
    terms_around,
    time_terms,
)
from agentmem.language.time.numerals import EN_SCALES, EN_SMALL, ZH_DIGITS, ZH_SCALES, en_value, zh_value
from agentmem.language.time.tenses import BASE_OF, begins, tense

__all__ = [
    "BASE_OF",
    "EN_SCALES",
    "EN_SMALL",
    "ZH_DIGITS",
    "ZH_SCALES",
    "Lean",
    "Precision",
    "Recurrence",
    "TimeMention",
    "annotate",
    "asked_times",
    "begins",
    "en_value",
    "find_times",
    "tense",
    "terms_around",
    "time_terms",
    "zh_value",
]
