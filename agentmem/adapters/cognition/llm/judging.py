"""From a model's answer to verdicts on the pairs it was offered."""

from collections import Counter
from collections.abc import Sequence

from agentmem.adapters.cognition.llm.answers import Decided, Json, Unusable, items
from agentmem.domain.statement import Pair, Verdict
from agentmem.language.normal import digits


def verdicts_of(answer: Json, pairs: Sequence[Pair], dropped: Counter[str]) -> tuple[Verdict, ...]:
    """One verdict per pair at most. A number not offered, or two verdicts on one pair, decide nothing.

    `same` on statements whose digits differ is not believed. Raises `Unusable` where no verdict is left of many.
    """
    decided, bad = items(answer, "verdicts", Decided)
    offered = {pair.number: pair for pair in pairs}
    found: dict[int, Verdict] = {}
    unclear: set[int] = set()
    for item in decided:
        pair = offered.get(item.pair)
        if pair is None or (item.verdict == "same" and digits(pair.new) != digits(pair.old)):
            dropped["pair"] += 1
            continue
        verdict = Verdict(number=item.pair, relation=item.verdict)
        if found.setdefault(item.pair, verdict) != verdict:
            unclear.add(item.pair)
    dropped["malformed"] += bad
    dropped["unclear"] += len(unclear)
    kept = tuple(found[number] for number in sorted(found) if number not in unclear)
    if (bad or not decided) and not kept:
        raise Unusable("no verdict on any of the numbered pairs")
    return kept
