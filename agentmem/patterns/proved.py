"""What is proved of a pattern before a program runs: which texts Python's engine may read, and which cannot match.

A proof takes about two milliseconds and a process meets hundreds of patterns, so those of the library's own are kept in
`proved.json`, each under a digest of the pattern and its flags, all under a digest of the files that prove. What is not
found there is proved when it is first needed.
"""

import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from agentmem.patterns.needed import needed
from agentmem.patterns.syntax import ENDLESS, Parsed, Repeat, SameText, Sequence, parse, walk, width
from agentmem.patterns.work import Work

STEPS_PER_CHARACTER = 500
"""Steps of Python's engine that a text may cause per character of it: 5 to 10 microseconds."""
STEPS_ALWAYS = 20_000
LONGEST = 1 << 20
"""Characters up to which lengths are proved one after the other."""
UNBOUNDED = -2
"""Stands for texts of any length."""
FILE = Path(__file__).with_name("proved.json")
_PROVERS = ("classes.py", "needed.py", "proved.py", "syntax.py", "text.py", "work.py")


@dataclass(frozen=True, slots=True)
class Proof:
    """The longest texts, in characters, that may be left to Python's engine, -1 where none may: to be searched, to be
    matched from one place, and to be matched whole. `needed` are strings of which a text that matches holds one, as
    `needed.needed` has them, or nothing where that is not known."""

    any_place: int
    one_place: int
    whole: int
    needed: tuple[str, ...]


def steps_allowed(length: int, *, places: int) -> int:
    """Steps that one try may take in a text of a length that is tried at so many places."""
    return (STEPS_ALWAYS + STEPS_PER_CHARACTER * length) // places


def prove(parsed: Parsed) -> Proof:
    """What holds of a pattern."""
    work, whole = Work(parsed.root, whole=False), Work(parsed.root, whole=True)
    levels_off = _levels_off(parsed.root)
    return Proof(
        _longest(work, levels_off, tries=not work.anchored),
        _longest(work, levels_off, tries=False),
        _longest(whole, levels_off, tries=False),
        tuple(sorted(needed(parsed.root))),
    )


def _longest(work: Work, levels_off: bool, *, tries: bool) -> int:
    safe, rung = -1, 8
    while rung <= LONGEST and work.within(steps_allowed(rung, places=rung + 1 if tries else 1), rung):
        safe, rung = rung, rung * 3 // 2 if rung & (rung - 1) == 0 else rung // 3 * 4
    always = STEPS_PER_CHARACTER if tries else STEPS_ALWAYS
    return UNBOUNDED if safe == LONGEST and levels_off and work.within(always, LONGEST) else safe


def _levels_off(root: Sequence) -> bool:
    """Whether texts longer than `LONGEST` cause no more work than those."""
    nodes = list(walk(root))
    repeats = [node for node in nodes if isinstance(node, Repeat)]
    return not any(isinstance(node, SameText) for node in nodes) and all(
        node.most != ENDLESS and node.most * max(1, width(node.body)[0]) <= LONGEST for node in repeats
    )


def key_of(source: str, flags: int) -> str:
    """What a pattern is kept under."""
    return blake2b(f"{flags} {source}".encode(errors="surrogatepass"), digest_size=9).hexdigest()


def known(source: str, flags: int) -> Proof | None:
    """What is kept of a pattern, if it is."""
    return _kept().get(key_of(source, flags))


@lru_cache(maxsize=1)
def _kept() -> dict[str, Proof]:
    try:
        kept = json.loads(FILE.read_text("utf-8"))
        if kept["proved by"] == _prover():
            return {
                key: Proof(any_place, one_place, whole, tuple(strings))
                for key, (any_place, one_place, whole, strings) in kept["patterns"].items()
            }
    except (OSError, ValueError):
        pass  # without it, all is proved when it is needed
    return {}


def _prover() -> str:
    digest = blake2b(digest_size=9)
    for name in _PROVERS:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.hexdigest()


def write(patterns: Iterable[tuple[str, int]]) -> None:
    """Keep the proofs of patterns, each a source with its flags; of those kept already no new proof is made."""
    proofs = {
        key_of(source, flags): astuple(known(source, flags) or prove(parse(source, flags)))
        for source, flags in patterns
    }
    lines = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(proof, ensure_ascii=False)}" for key, proof in sorted(proofs.items())
    )
    FILE.write_text(f'{{"proved by": "{_prover()}", "patterns": {{\n{lines}\n}}}}\n', "utf-8")
