"""Hostile texts through every entrance, and how long the slowest took.

The aim is 20 ms and 50 µs for each character, of one processor; a text that takes more than five times as much fails.
Each text goes in as a turn, and at three other entrances.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from tests.support.entrances import ENTRANCES
from tests.support.hostile import KNOWN, Hostile, hostile
from tests.support.patterns import every_word
from tests.support.say import say
from tests.support.timing import MARGIN, allowed, seconds_of

TURNS = ("a turn of a person", "a turn of an agent")
OTHERS = 3
SLOWEST = 10


class Taken(NamedTuple):
    """How much of what is aimed at one reading took."""

    share: float
    entrance: str
    made: Hostile

    def __str__(self) -> str:
        text = self.made.text
        return f"{self.share:5.2f}  {self.entrance}: {self.made.kind}, {len(text)} characters, {text[:40]!r}"


def soak(texts: int, seed: int) -> bool:
    """Read them all; whether none took too long."""
    taken: list[Taken] = []
    for number, (entrance, made) in enumerate(_readings(Random(seed), texts), start=1):
        taken = sorted([*taken, _taken(entrance, made)], key=lambda each: each.share, reverse=True)[:SLOWEST]
        if number % 4_000 == 0:
            say(f"{number} readings, at most {taken[0].share:.2f} of the aim")
    say("\n".join(["", "the slowest, as shares of 20 ms and 50 µs a character:", *map(str, taken)]))
    return taken[0].share < MARGIN


def _readings(dice: Random, texts: int) -> Iterator[tuple[str, Hostile]]:
    """Everything that is known, everywhere; then each generated text as a turn and at some other entrances."""
    calm = Hostile("calm", "我叫陈立,电话13800138000,预算30万。I work at Acme since 2019.")
    others = [name for name in ENTRANCES if name not in TURNS]
    for name in ENTRANCES:
        ENTRANCES[name](calm.text)  # what is loaded and compiled once is not the text's fault
        yield from ((name, Hostile(kind, text)) for kind, text in KNOWN.items())
    for _ in range(texts):
        made = hostile(dice, every_word())
        yield dice.choice(TURNS), made
        yield from ((name, made) for name in dice.sample(others, OTHERS))


def _taken(entrance: str, made: Hostile) -> Taken:
    """Where it takes longer than it should, it is read again: patterns are read themselves when they are first used."""
    aim = allowed(made.text)
    seconds = _seconds(entrance, made.text)
    if seconds > aim:
        seconds = _seconds(entrance, made.text)
    return Taken(seconds / aim, entrance, made)


def _seconds(entrance: str, text: str) -> float:
    return seconds_of(lambda: ENTRANCES[entrance](text), 2 * MARGIN * allowed(text))
