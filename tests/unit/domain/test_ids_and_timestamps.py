"""Ids follow from where a memory came from; timestamps only ever rise."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from agentmem.domain.ids import TimestampGenerator, derived_id, memory_id


def test_an_id_is_the_same_in_processes_with_other_hash_seeds() -> None:
    program = "from agentmem.domain.ids import memory_id; print(memory_id('t', 'a', '事件', 'observation', 3))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert seen == {memory_id("t", "a", "事件", "observation", 3)}


def test_two_owners_of_one_event_have_two_memories() -> None:
    assert memory_id("t", "a", "e", "w", 0) != memory_id("t", "b", "e", "w", 0)


@given(st.lists(st.text(), min_size=1, max_size=4), st.lists(st.text(), min_size=1, max_size=4))
def test_parts_never_run_into_one_another(one: list[str], other: list[str]) -> None:
    assert (derived_id(*one) == derived_id(*other)) == (one == other)


def test_eight_threads_get_unique_rising_timestamps() -> None:
    generator = TimestampGenerator()

    def draw(_: int) -> list[int]:
        return [generator.next(1_000) for _ in range(10_000)]

    with ThreadPoolExecutor(8) as pool:
        drawn = list(pool.map(draw, range(8)))
    assert all(numbers == sorted(numbers) for numbers in drawn)
    assert len({number for numbers in drawn for number in numbers}) == 80_000


def test_a_clock_that_steps_back_does_not_take_timestamps_along() -> None:
    generator = TimestampGenerator()
    first = generator.next(5_000)
    assert generator.next(1_000) > first


def test_it_goes_on_above_what_is_stored() -> None:
    assert TimestampGenerator(above=9_000).next(10) == 9_001
