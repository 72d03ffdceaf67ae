"""Prompts put together: instructions in the person's language, and the material fenced by a mark nobody can guess."""

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from types import ModuleType
from typing import Final

from agentmem.adapters.cognition.llm import prompts_en, prompts_zh
from agentmem.adapters.cognition.llm.days import relative_days, with_dates
from agentmem.adapters.cognition.llm.limits import estimated, shortened
from agentmem.adapters.cognition.llm.output_schemas import Unusable
from agentmem.characters import is_invisible
from agentmem.domain.attributes import BUILT_IN, cardinality
from agentmem.domain.memory import MemoryNode, Modality
from agentmem.domain.statement import Held, Pair, Turn, Window
from agentmem.language.injection import without_control, without_roles
from agentmem.language.normal import language_of
from agentmem.ports.cognition import Doubt, ReflectionInput, UnreadPassage

SHORTEST_TURN: Final = 24
"""Tokens every turn keeps, however small the budget."""

HELD_TOKENS: Final = 60
"""Tokens of a held statement that a reading is shown."""

MAX_INSIGHTS: Final = 50
"""Held insights that a reflection is shown."""

SHOWN_ANSWER: Final = 1_000
"""Tokens of a refused answer that are shown with what was wrong with it."""

READ_FOR_DATES: Final = 600
"""Characters of a turn that are read for relative dates."""

MAX_DATES: Final = 4
"""Relative dates that are resolved beside a turn."""

_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question to the model, its material fenced by `mark`, and the words of its language, in which it is told what
    was wrong with an answer."""

    task: str
    instructions: str
    text: str
    shape: str
    mark: str
    words: ModuleType

    def again(self, fault: Unusable, answer: object = None) -> str:
        """The question once more, with what was wrong with the answer, and the answer where it could be read at all: it
        repeats what was said by others, so it is fenced like that."""
        told = self.words.REPAIR.format(reason=explained(fault, self.words))
        if answer is None:
            return f"{self.text}\n\n{told}"
        shown = shortened(_flat(json.dumps(answer, ensure_ascii=False)).replace(self.mark, ""), SHOWN_ANSWER)
        return f"{self.text}\n\n{self.words.REFUSED}\n{_fenced(self.mark, shown)}\n{told}"


def explained(fault: Unusable, words: ModuleType = prompts_en) -> str:
    """Why an answer cannot be used, in English or the language of a prompt."""
    return words.REASONS[fault.reason].format(**fault.given)


def offered_turns(window: Window) -> dict[int, Turn]:
    """The turns under the numbers they are offered by: 1, 2, … and backwards from -1 for the context."""
    earlier = {-place: turn for place, turn in enumerate(reversed(window.context), start=1)}
    return {**dict(sorted(earlier.items())), **dict(enumerate(window.turns, start=1))}


def read_prompt(window: Window, offered: Sequence[Held], budget: int, nonce: Callable[[], str]) -> Prompt:
    """The window beside the held statements, cut to `budget` tokens: first the context goes, then the longest turns are
    shortened."""
    words = _words(window.language)
    instructions: str = f"{words.READ}\n{words.HELD}" if offered else words.READ
    turns = offered_turns(window)
    held = [_held_line(words, number, each) for number, each in enumerate(offered, start=1)]
    lines = _lines(turns, budget - estimated(instructions) - sum(map(estimated, held)) - 100)
    head = [f"{words.LABELS['agent']}: {_flat(window.agent_name)}"]
    head.append(f"{words.LABELS['person']}: {_flat(window.person.introduced)}")
    if own := [name for name in window.attributes if name not in BUILT_IN]:
        told = (f"{name}{words.SEVERAL}" if cardinality(name, window.attributes) == "multi" else name for name in own)
        head.append(f"{words.LABELS['more']}: {', '.join(told)}")
    return _prompt("read_held" if offered else "read", words, instructions, (*head, *held), lines, nonce)


def judge_prompt(pairs: Sequence[Pair], nonce: Callable[[], str]) -> Prompt:
    """All pairs, each as earlier and later."""
    words = _words(language_of(pairs[0].new))
    new, old = words.LABELS["new"], words.LABELS["old"]
    lines = [f"{pair.number}. {old}: {_flat(pair.old)} | {new}: {_flat(pair.new)}" for pair in pairs]
    return _prompt("judge", words, words.JUDGE, (), lines, nonce)


def resolve_prompt(doubts: Sequence[Doubt], nonce: Callable[[], str]) -> Prompt:
    """Each new name with what is said of it, and below it the entities it may mean, numbered in one row."""
    words = _words(language_of(" ".join((doubts[0].name, doubts[0].said))))
    name, entity = words.LABELS["name"], words.LABELS["entity"]
    lines: list[str] = []
    for doubt in doubts:
        lines.append(f"{name} {doubt.number}: {_flat(doubt.name)} ({doubt.kind}) | {_flat(doubt.said)}")
        lines += (
            f"  {entity} {each.number}: {_flat(', '.join(each.names))} ({each.kind}) | {_flat(each.said)}"
            for each in doubt.candidates
        )
    return _prompt("resolve", words, words.RESOLVE, (), lines, nonce)


def reflect_prompt(request: ReflectionInput, budget: int, nonce: Callable[[], str]) -> Prompt:
    """The insights held, observations, and what is in doubt, each under small numbers."""
    words = _words(request.language)
    instructions: str = words.REFLECT.format(new=request.new_attributes, refreshed=request.refreshed)
    each = max(SHORTEST_TURN, budget // max(1, len(request.observations)))
    lines = [
        f"{number} ({', '.join(_marks_of(node, words))}) {_flat(shortened(node.content, each))}"
        for number, node in enumerate(request.observations, start=1)
    ]
    if request.doubtful:
        instructions = f"{instructions}\n{words.DOUBTS}"
        lines += [
            f"{words.LABELS['doubt']} {number}: {_flat(shortened(node.content, each))}{_slot(node)}"
            for number, node in enumerate(request.doubtful, start=1)
        ]
    held = [
        f"{words.LABELS['insight']} {number}: {_flat(shortened(f'{node.attribute} = {node.value}', each))}"
        for number, node in enumerate(insights_shown(request), start=1)
    ]
    head = [f"{words.LABELS['person']}: {_flat(request.person.label)}", *held]
    if request.today is not None:
        head.insert(1, f"{words.LABELS['today']}: {request.today} {_WEEKDAYS[request.today.weekday()]}")
    task = "reflect_doubts" if request.doubtful else "reflect"
    if held:
        return _prompt(task, words, f"{instructions}\n{words.HELD_INSIGHTS}", head, lines, nonce)
    prompt = _prompt(task, words, instructions, head, lines, nonce)
    return replace(prompt, shape=prompt.shape.replace('"insights_over":[1],', ""))


def _holding(said: date, since: datetime, until: datetime | None, words: ModuleType) -> list[str]:
    """From when something holds, where that is after it was said, and the last day of it, where that is known."""
    begins = [f"{words.LABELS['since']} {since.date()}"] if since.date() > said else []
    ends = [] if until is None else [f"{words.LABELS['until']} {(until - timedelta(microseconds=1)).date()}"]
    return begins + ends


def _slot(node: MemoryNode) -> str:
    """The attribute under which an insight may be told anew, and its value."""
    slot = shortened(f"{node.attribute} = {node.value}", HELD_TOKENS)
    return f" ({_flat(slot)})" if node.attribute and node.value else ""


def _marks_of(node: MemoryNode, words: ModuleType) -> list[str]:
    """The day of an observation, from when until when it holds, and whether it is a mere guess."""
    holding = _holding(date.fromisoformat(node.dt), node.valid_at, node.invalid_at, words)
    maybe = [words.LABELS["maybe"]] if node.modality is Modality.HYPOTHESIS else []
    return [node.dt, *holding, *maybe]


def insights_shown(request: ReflectionInput) -> list[MemoryNode]:
    """The insights held that have an attribute and are not in doubt, at most `MAX_INSIGHTS`, in the order of their
    numbers."""
    doubtful = {node.memory_id for node in request.doubtful}
    shown = [node for node in request.insights if node.attribute and node.value and node.memory_id not in doubtful]
    return shown[:MAX_INSIGHTS]


def extract_prompt(passage: UnreadPassage, budget: int, nonce: Callable[[], str]) -> Prompt:
    """The piece, and before it what was read earlier, each cut to its part of a half of `budget` tokens."""
    words = _words(language_of(passage.text))
    each = max(SHORTEST_TURN, budget // 2 // max(1, len(passage.earlier)))
    head = [
        f"{words.LABELS['section']} {number}: {_flat(shortened(text, each))}"
        for number, text in enumerate(passage.earlier, start=1)
    ]
    text = f"{words.LABELS['text']}: {_flat(shortened(passage.text, budget))}"
    return _prompt("extract", words, words.EXTRACT, head, [text], nonce)


def rank_prompt(question: str, passages: Sequence[str], budget: int, nonce: Callable[[], str]) -> Prompt:
    """The question and the passages, numbered from 1, each cut to its part of `budget` tokens."""
    words = _words(language_of(question))
    return _prompt("rank", words, words.RANK, *_asked(words, question, passages, budget), nonce)


def answer_prompt(
    question: str,
    passages: Sequence[str],
    graph: Sequence[str],
    budget: int,
    nonce: Callable[[], str],
    choices: Sequence[str] = (),
    today: str | None = None,
) -> Prompt:
    """The same, to be answered in the language of the question as of `today`, or with the number of a choice; the graph
    before the passages, in a quarter of the budget."""
    words = _words(language_of(question))
    head, lines = _asked(words, question, passages, budget * 3 // 4 if graph else budget)
    if today is not None:
        head.append(f"{words.LABELS['today']}: {today}")
    if graph:
        each = max(SHORTEST_TURN, budget // 4 // len(graph))
        head += [f"{words.LABELS['graph']}: {_flat(shortened(line, each))}" for line in graph]
    for number, choice in enumerate(choices, start=1):
        head.append(f"{words.LABELS['choice']} {number}: {_flat(shortened(choice, budget // 4 // len(choices)))}")
    instructions = "\n".join((words.ANSWER, *([words.GRAPH] if graph else []), *([words.CHOICES] if choices else [])))
    return _prompt("answer", words, instructions, head, lines, nonce)


def split_prompt(question: str, most: int, budget: int, nonce: Callable[[], str]) -> Prompt:
    """The question, to be taken apart into at most so many."""
    words = _words(language_of(question))
    return _prompt("split", words, words.SPLIT.format(most=most), *_asked(words, question, (), budget), nonce)


def summary_prompt(question: str, facts: Sequence[str], budget: int, nonce: Callable[[], str]) -> Prompt:
    """The question and what may bear on it, numbered from 1, each cut to its part of `budget` tokens."""
    words = _words(language_of(question))
    return _prompt("summary", words, words.SUMMARY, *_asked(words, question, facts, budget), nonce)


def _asked(words: ModuleType, question: str, passages: Sequence[str], budget: int) -> tuple[list[str], list[str]]:
    each = max(SHORTEST_TURN, budget // max(1, len(passages)))
    head = [f"{words.LABELS['question']}: {_flat(shortened(question, budget // 4))}"]
    return head, [f"{number}. {_flat(shortened(text, each))}" for number, text in enumerate(passages, start=1)]


def new_nonce() -> str:
    """A mark for one call."""
    return secrets.token_hex(4)


def _words(language: str) -> ModuleType:
    return prompts_zh if language == "zh" else prompts_en


def _prompt(
    task: str,
    words: ModuleType,
    instructions: str,
    head: Iterable[str],
    lines: Sequence[str],
    nonce: Callable[[], str],
) -> Prompt:
    body = "\n".join((*head, *lines))
    mark = nonce()
    while mark in body:
        mark = nonce()
    # Names come from outside as well, so the head stands inside the fence.
    return Prompt(task, instructions, _fenced(mark, body), words.SHAPES[task], mark, words)


def _fenced(mark: str, body: str) -> str:
    return f"<data {mark}>\n{body}\n</data {mark}>"


def _lines(turns: Mapping[int, Turn], room: int) -> list[str]:
    lines = {number: _line(number, turn, turn.text) for number, turn in turns.items()}
    if sum(map(estimated, lines.values())) > room:
        lines = {number: line for number, line in lines.items() if number > 0}
    if (total := sum(map(estimated, lines.values()))) > room:
        limit = _cap([estimated(turns[number].text) for number in lines], max(0, room - total // 10))
        lines = {number: _line(number, turns[number], shortened(turns[number].text, limit)) for number in lines}
    return list(lines.values())


def _cap(sizes: Sequence[int], room: int) -> int:
    """The size to which the longest are cut so that all fit."""
    low, high = SHORTEST_TURN, max(sizes)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sum(min(size, middle) for size in sizes) <= room else (low, middle - 1)
    return low


def _line(number: int, turn: Turn, text: str) -> str:
    # The weekday, because models count to "next Thursday" badly without it.
    day = _WEEKDAYS[turn.at.weekday()]
    named = dict(relative_days(text[:READ_FOR_DATES], turn.at))
    dates = "".join(f"; {_flat(words)} = {iso}" for words, iso in list(named.items())[:MAX_DATES])
    return f"{number} {_flat(turn.speaker)} ({turn.at:%Y-%m-%d} {day} {turn.at:%H:%M}{dates}): {_flat(text)}"


def _held_line(words: ModuleType, number: int, held: Held) -> str:
    """A held statement with the day on which it was said, from when until when it holds, the dates of what were
    relative days then, what it took the place of, and whether it is a mere guess."""
    said_at = held.said_at or held.since
    marks = [f"{said_at:%Y-%m-%d}"] if said_at is not None else []
    if said_at is not None:
        marks += _holding(said_at.date(), held.since or said_at, held.until, words)
    marks += [words.LABELS["maybe"]] if held.maybe else []
    day = f" ({', '.join(marks)})" if marks else ""
    content = with_dates(held.content, said_at) if said_at is not None else held.content
    earlier = (f" ({words.LABELS['before']}: {_flat(shortened(each, HELD_TOKENS))})" for each in held.before)
    return f"{words.LABELS['remembered']} {number}{day}: {_flat(shortened(content, HELD_TOKENS))}{''.join(earlier)}"


def _flat(text: str) -> str:
    """One line of what can be seen: a line break could pose as the next turn, an unseen letter could give orders, the
    name of a role could speak in its place, and what a chat template or our own fence is made of could end the data."""
    seen = text if text.isascii() else "".join(ch for ch in text if not is_invisible(ch))
    return without_roles(without_control(" ".join(seen.split())))
