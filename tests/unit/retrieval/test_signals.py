"""The signals recall ranks by, each alone."""

from dataclasses import replace
from datetime import timedelta, timezone

import numpy as np
import pytest

from agentmem.domain.value import JsonValue
from agentmem.language.cues import cues_of, topic_terms
from agentmem.language.tokens import sparse
from agentmem.ports.memory_index import CUES, PLACE, Sparse
from agentmem.questions.question import Question, asked_for, read_question
from agentmem.retrieval import signals
from agentmem.retrieval.pool import Candidate, Pool
from agentmem.retrieval.signals import SIGNALS, Signal
from tests.support.nodes import NOON

NOW = NOON + timedelta(hours=100)
QUESTION = Question(text="?", sought="?", now=NOW)


def a_fact(lexical: float = 0.0, dense: float = 0.0, cues: JsonValue = None, **fields: JsonValue) -> Candidate:
    """An observation, found with these raw scores."""
    known: dict[str, JsonValue] = {"memoryType": "observation", "importance": 5, "validAt": NOON.isoformat()}
    return Candidate("fact", {**known, CUES: cues, **fields}, lexical=lexical, dense=dense)


def a_turn(
    number: int, lexical: float = 0.0, talk: str = "talk", cues: JsonValue = None, **fields: JsonValue
) -> Candidate:
    """Turn `number` of a talk."""
    known: dict[str, JsonValue] = {"memoryType": "conversation", PLACE: f"luo/{talk}/{number}"}
    return Candidate(f"{talk}/{number}", {**known, CUES: cues, **fields}, lexical=lexical)


def values(signal: Signal, *candidates: Candidate, question: Question = QUESTION) -> list[float]:
    """What the signal says of each candidate."""
    return [round(value, 6) for value in signal(Pool(question, candidates)).tolist()]


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("怎么联系小东", "phone"),
        ("他的电话", "phone"),
        ("客户想做什么", "need"),
        ("系统用什么技术", "current_system"),
        ("预算多少", "budget"),
        ("How do I reach Tom?", "email"),
        ("What does she want?", "need"),
        ("where does he work, what's his job", "occupation"),
    ],
)
def test_a_question_names_the_slot_it_asks_for(question: str, attribute: str) -> None:
    assert attribute in asked_for(question)


@pytest.mark.parametrize("question", ["你好", "tell me a story", "天气"])
def test_other_questions_ask_for_no_slot(question: str) -> None:
    assert asked_for(question) == frozenset()


def test_a_memory_that_fills_the_slot_is_preferred() -> None:
    question = replace(QUESTION, asked=frozenset({"phone"}))
    facts = (a_fact(attribute="phone"), a_fact(attribute="email"), a_fact())
    assert values(signals.asked, *facts, question=question) == [1.0, 0.0, 0.0]


def test_bm25_counts_as_a_share_of_the_best() -> None:
    assert values(signals.lexical, a_fact(8.0), a_fact(2.0), a_fact()) == [1.0, 0.25, 0.0]


def test_cosines_are_stretched_over_what_was_found_so_that_no_embedder_s_offset_counts() -> None:
    assert values(signals.dense, a_fact(dense=0.9), a_fact(dense=0.85), a_fact(dense=0.8), a_fact()) == [1, 0.5, 0, 0]


def test_a_single_cosine_counts_whole() -> None:
    assert values(signals.dense, a_fact(dense=0.3), a_fact()) == [1.0, 0.0]


def test_ranks_are_fused_by_their_reciprocals_over_sixty() -> None:
    pool = Pool(QUESTION, [a_fact(8.0), a_fact(2.0), a_fact()], fusion="rank")
    assert signals.lexical(pool).tolist() == pytest.approx([61 / 61, 61 / 62, 0.0])


def test_match_weighs_the_cosine_beside_bm25() -> None:
    pool = Pool(QUESTION, [a_fact(4.0), a_fact(2.0, dense=0.6)], dense_share=0.5)
    assert signals.relevance(pool).tolist() == pytest.approx([1 / 1.5, (0.5 + 0.5) / 1.5])


def said(*words: str) -> Sparse:
    """The terms of a text of these words."""
    return Sparse(*sparse(" ".join(words)))


def test_an_answer_gains_from_the_question_somebody_else_asked_before_it() -> None:
    asks = a_turn(3, 4.0, cues={"asks": True}, speaker="小美")
    replies, goes_on, asks_back = (
        a_turn(4, speaker="罗小东"),
        a_turn(4, speaker="小美"),
        a_turn(4, speaker="罗小东", cues={"asks": True}),
    )
    assert values(signals.answer, asks, replies) == [0, 1]
    assert values(signals.answer, asks, goes_on) == [0, 0]
    assert values(signals.answer, asks, asks_back) == [0, 0]
    assert values(signals.answer, replace(asks, fields={**asks.fields, CUES: {"asks": False}}), replies) == [0, 0]


def test_the_longer_an_answer_the_less_the_question_before_it_says_of_it() -> None:
    asks, long = a_turn(3, 4.0, cues={"asks": True}, speaker="小美"), said(*(f"word{n}" for n in range(60)))
    assert values(signals.answer, asks, replace(a_turn(4, speaker="罗小东"), terms=long)) == [0, 0.5]


ASKED = replace(QUESTION, text="red bike lock", sought="red bike lock")


def test_what_says_more_of_the_question_covers_more_of_it_however_often_it_says_it() -> None:
    whole, one, often = (
        replace(a_fact(), terms=said(*words)) for words in (("red", "bike", "lock"), ("red",), ("red", "red"))
    )
    covers = values(signals.coverage, whole, one, often, question=ASKED)
    assert covers[0] > covers[1] > 0
    assert covers[1] == pytest.approx(covers[2], abs=1e-3)


def test_rare_words_of_a_question_weigh_more_than_common_ones() -> None:
    rare, common, *others = (replace(a_fact(), terms=said(word)) for word in ("lock", "red", "red", "red"))
    first, second, *_ = values(signals.coverage, rare, common, *others, question=ASKED)
    assert first > second


def test_what_is_like_the_best_match_is_found_without_a_word_of_the_question() -> None:
    best, like, other = (
        replace(a_fact(4.0), terms=said("red", "bike", "garage", "tuesday")),
        replace(a_fact(), terms=said("garage", "tuesday", "tools")),
        replace(a_fact(), terms=said("rain")),
    )
    many = [replace(a_fact(), terms=said(f"noise{n}")) for n in range(60)]
    column = values(signals.feedback, best, like, other, *many, question=ASKED)
    assert column[1] > 0 == column[0]
    assert column[2] == 0


def test_words_said_two_turns_before_count_for_the_turn_that_does_not_repeat_them() -> None:
    between = replace(ASKED, speakers=frozenset({"罗小东", "小美"}))
    first, reply, goes_on = (
        replace(a_turn(1), terms=said("red", "bike")),
        replace(a_turn(2), terms=said("fine")),
        replace(a_turn(3), terms=said("bought", "yesterday")),
    )
    assert values(signals.second, first, reply, goes_on, question=between)[2] > 0.5
    assert values(signals.second, first, reply, goes_on, question=ASKED) == [0, 0, 0]


def test_the_first_turns_of_a_talk_count_by_themselves_where_several_people_talk() -> None:
    between = replace(QUESTION, speakers=frozenset({"罗小东", "小美"}))
    turns = [a_turn(1, 4.0), a_turn(9, 4.0), *(a_turn(number + 10) for number in range(48))]
    assert values(signals.opening, *turns, question=between)[:2] == [1, 0]
    assert values(signals.opening, *turns)[:2] == [0, 0]


def test_a_talk_that_says_more_of_the_question_together_is_better() -> None:
    talks = [
        replace(a_turn(1), terms=said("red")),
        replace(a_turn(2), terms=said("bike", "lock")),
        replace(a_turn(1, talk="other"), terms=said("red")),
        *(a_turn(number, talk="third") for number in range(47)),
    ]
    together, also, alone, *_ = values(signals.talk, *talks, question=ASKED)
    assert together == also == 1.0 > alone > 0


def test_every_turn_of_a_talk_shares_its_best_spot_and_what_is_no_turn_has_its_own() -> None:
    turns = (a_turn(1, 4.0), a_turn(2, 2.0), a_turn(9), a_turn(1, 1.0, talk="other"), a_fact(4.0))
    best, few = (1 + 0.5 * 0.5) / 2.6, len(turns) / 50
    shown = [value / few for value in values(signals.session, *turns)]
    assert shown == pytest.approx([best, best, best, 0.25 / 2.6, 1 / 2.6], abs=1e-4)


def test_whoever_the_question_names_is_preferred() -> None:
    question = replace(QUESTION, named=frozenset({"罗小东"}))
    spoke, told, other = a_turn(1, speaker="罗小东"), a_fact(targetName="罗小东"), a_turn(2, speaker="小美")
    assert values(signals.speaker, spoke, told, other, question=question) == [1.0, 1.0, 0.0]
    assert values(signals.speaker, spoke, told, other) == [0.5, 0.5, 0.5]


def _seconds(days: int) -> int:
    return int((NOON + timedelta(days=days)).timestamp())


def test_a_time_is_met_by_when_it_was_said_or_by_what_is_said_of_it() -> None:
    question = read_question("What happened yesterday?", NOON)
    said = a_fact(validAt=(NOON - timedelta(days=1)).isoformat())
    told = a_fact(
        validAt=(NOON - timedelta(days=9)).isoformat(), cues={"times": [[_seconds(-2), _seconds(-1)], [0, 1]]}
    )
    apart = a_fact(validAt=NOON.isoformat(), cues={"times": [[_seconds(3), _seconds(4)]]})
    assert values(signals.time, said, told, apart, question=question) == [1.0, 1.0, 0.0]
    assert values(signals.time, said, told, apart) == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "met", "missed"),
    [
        ("上周六他说了什么", "2026-03-07T15:00:00+00:00", "2026-03-08T15:00:00+00:00"),
        ("What did she say last Saturday?", "2026-03-07T15:00:00+00:00", "2026-02-28T15:00:00+00:00"),
        ("每年7月2日做什么", "2019-07-02T09:00:00+00:00", "2019-07-03T09:00:00+00:00"),
        ("what happens every Monday", "2026-03-02T09:00:00+00:00", "2026-03-03T09:00:00+00:00"),
    ],
)
def test_relative_and_recurring_times_of_a_question_are_met(text: str, met: str, missed: str) -> None:
    question = read_question(text, NOON)
    assert values(signals.time, a_fact(validAt=met), a_fact(validAt=missed), question=question) == [1.0, 0.0]


@pytest.mark.parametrize("hours", [-12, 0, 8, 14])
@pytest.mark.parametrize("text", ["0001年1月1日见", "1 January 0001", "9999年12月30日见", "on 31 December 9999"])
@pytest.mark.parametrize("asked", ["what happened last week", "每年7月2日做什么", "what was in the year 1"])
def test_the_ends_of_time_are_compared_in_every_zone(hours: int, text: str, asked: str) -> None:
    there = NOON.astimezone(timezone(timedelta(hours=hours)))
    times: list[JsonValue] = [list(interval) for interval in cues_of(text, there).times]
    for now in (NOON, there, NOON.astimezone(timezone(timedelta(hours=-8)))):
        assert values(signals.time, a_fact(cues={"times": times}), question=read_question(asked, now)) in ([0.0], [1.0])


def test_a_question_for_a_time_prefers_what_names_one() -> None:
    dated, plain = a_fact(cues={"dated": True}), a_fact(cues={"dated": False})
    assert values(signals.dated, dated, plain, question=replace(QUESTION, wants_time=True)) == [1.0, 0.0]
    assert values(signals.dated, dated, plain) == [0.0, 0.0]


def test_a_memory_whose_key_the_question_names_is_associated_with_it() -> None:
    question = replace(QUESTION, text="他的CRM系统怎么样")
    assert values(
        signals.association, a_fact(key=["crm", "x9"]), a_fact(key=["报表"]), a_fact(), question=question
    ) == [1, 0, 0]


def test_more_sources_count_more_and_less_than_in_proportion() -> None:
    one, two, many = (a_fact(sourceIds=[str(number) for number in range(count)]) for count in (1, 2, 40))
    first, second, last = values(signals.mentions, one, two, many)
    assert 0 < first < second < 2 * first
    assert last == 1.0


def test_recency_halves_in_about_69_hours() -> None:
    then = (NOW - timedelta(hours=69)).isoformat()
    assert values(signals.recency, a_fact(validAt=then)) == pytest.approx([0.5], abs=0.01)


def test_what_lies_ahead_counts_as_now() -> None:
    assert values(signals.recency, a_fact(validAt=(NOW + timedelta(days=30)).isoformat())) == [1.0]


def test_words_of_an_untrusted_source_count_less() -> None:
    assert values(signals.trust, a_fact(trust="untrusted"), a_fact(trust="principal"), a_fact()) == [0, 1, 1]


@pytest.mark.parametrize("name", SIGNALS)
def test_every_signal_stays_between_0_and_1_whatever_the_payload_holds(name: str) -> None:
    odd: list[JsonValue] = [None, "x", -5, 1e9, True, [], {}, [["a", None]]]
    candidates = [a_fact(3.0, 0.4, value, key=value, sourceIds=value, trust=value, speaker=value) for value in odd]
    question = read_question("When did 罗小东 call?", NOW, ["罗小东"])
    column = SIGNALS[name](Pool(question, [*candidates, a_turn(1, 2.0), a_turn(2)], dense_share=0.3))
    assert len(column) == len(odd) + 2
    assert np.isfinite(column).all()
    assert ((column >= 0) & (column <= 1)).all()
    assert len(SIGNALS[name](Pool(question, []))) == 0


def test_a_text_about_what_is_asked_is_found_though_it_shares_no_word() -> None:
    question = read_question("What livestock does she keep?", NOON)
    goats, rain = (
        replace(a_fact(), terms=Sparse(*sparse(text, topic_terms(text)))) for text in ("two goats", "the rain stopped")
    )
    about, other = values(signals.topic, goats, rain, question=question)
    assert about > 0 == other
    assert values(signals.topic, goats, rain) == [0, 0]
