"""What it costs to find out whom a new name means, while an agent's entities grow, drawn into a picture:
`python -m bench.resolution [PICTURE] [MOST]`.

Entities are made up, people, companies and systems in both languages. At each size the same new names are resolved by
rules, twenty at a time as a claim of the graph worker has them; half are near names of entities that are there. The
embedder is the built-in one, of whose vectors resolution makes no use. Needs the extra `plot`.
"""

import asyncio
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time

from matplotlib.figure import Figure

from agentmem.domain.entity import EntityKind, Mention, graph_lane, named, with_mentions
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, local_day, microseconds
from agentmem.domain.scope import Scope
from agentmem.graph.identity.resolver import Candidates, EntityResolver, Likely
from agentmem.ledger.plan import Plan
from agentmem.ports.work_queue import Claim, Job
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from bench.dialogue import AGENT, START, TENANT, target
from bench.machine import command, describe, load, percentile
from bench.recall import fill

PICTURE, MOST = Path("docs/resolution.png"), 20_000
SIZES = (1_000, 2_000, 5_000, 10_000, 20_000)
ROUNDS, AT_ONCE, WARM = 40, 20, 5

_HAN = "安北诚达恩丰广恒嘉科联明宁鹏启瑞盛泰维新兴远云中卓博创东方海华金乐美欧普青润尚天万信亚易正众"
_SYLLABLES = (
    *("al", "ber", "cor", "dan", "el", "far", "gan", "hel", "ir", "jor", "kel", "lin", "mor"),
    *("nor", "ost", "pel", "quin", "ros", "sel", "tor", "ul", "ver", "wil", "yan", "zel"),
)


@dataclass(frozen=True)
class TimedCandidates(Candidates):
    """Candidates that note how long the look into the index took, and how many were found."""

    spent: list[float] = field(default_factory=list[float])
    found: list[int] = field(default_factory=list[int])

    async def of(self, scope: Scope, names: Sequence[str]) -> list[Likely]:
        """See `Candidates.of`."""
        begun = perf_counter()
        likely = await super().of(scope, names)
        self.spent.append((perf_counter() - begun) * 1e3 / len(names))
        self.found.extend(len(each.all) for each in likely)
        return likely


@dataclass(frozen=True, slots=True)
class Point:
    """Milliseconds for one new name at one size: medians of the whole and of the index's part, the 95th percentile, the
    median of the processor's time, and the candidates that rules looked at."""

    entities: int
    whole: float
    index: float
    slow: float
    processor: float
    candidates: float


def names(dice: random.Random) -> Iterator[tuple[str, EntityKind]]:
    """Distinct names without end."""
    seen: set[str] = set()
    while True:
        word = "".join(dice.choices(_SYLLABLES, k=dice.randint(2, 3))).title()
        other = "".join(dice.choices(_SYLLABLES, k=2)).title()
        han = "".join(dice.choices(_HAN, k=dice.randint(2, 4)))
        made: tuple[str, EntityKind] = dice.choice(
            (
                (f"{word} {other}", "person"),
                (f"{word} Corporation", "organisation"),
                (f"{han}科技有限公司", "organisation"),
                (f"{han}管理系统", "product"),
                (f"{word} Platform", "product"),
            )
        )
        if made[0] not in seen:
            seen.add(made[0])
            yield made


def entity(name: str, kind: EntityKind, number: int) -> MemoryNode:
    """An entity of which one thing is said."""
    return MemoryNode(
        memory_id=named(TENANT, AGENT, name),
        tenant=TENANT,
        agent_id=AGENT,
        user_name=AGENT,
        target_id=graph_lane(TENANT, AGENT).target,
        target_name=AGENT,
        memory_type=MemoryType.ENTITY,
        kind=kind,
        content=f"{name}: 客户{number % 97}提到了{name}, which was said to be number {number}",
        key=(name,),
        value=name,
        modality=Modality.INFERRED,
        timestamp=microseconds(START) + number,
        dt=local_day(START),
        valid_at=START,
        created_at=START,
    )


def memory(name: str, kind: EntityKind, number: int) -> MemoryNode:
    """What brings a new name up."""
    return entity(name, kind, number).revised(
        memory_id=named(TENANT, AGENT, f"memory {number}"),
        memory_type=MemoryType.OBSERVATION,
        target_id=target(0),
        run_id="talk",
        content=f"客户0说{name}今天没有来",
        meta_data=with_mentions((Mention(name=name, kind=kind),)),
    )


async def measure(most: int, picture: Path) -> None:
    """Grow to `most`; the picture is drawn after each size."""
    made = names(random.Random(7))
    known: list[tuple[str, EntityKind]] = []
    points: list[Point] = []
    with tempfile.TemporaryDirectory() as folder:
        async with open_app(Settings(tenant=TENANT, data=Path(folder))) as app:
            for size in (each for each in SIZES if each <= most):
                new = [next(made) for _ in range(size - len(known))]
                await fill(app, (entity(*each, len(known) + place) for place, each in enumerate(new)))
                known += new
                points.append(await _asked(app, known))
                print(points[-1], f"load {load():.1f}", flush=True)
                draw(points, picture)
    print(f"drawn into {picture}")


async def _asked(app: App, known: Sequence[tuple[str, EntityKind]]) -> Point:
    gather, journal = app.searchable.recall.gather, app.journal
    timed = TimedCandidates(gather.index, gather.embedder, gather.projector)
    resolver = EntityResolver(journal.ledger, journal.queue, timed)
    dice, other = random.Random(len(known)), names(random.Random(11))
    whole: list[float] = []
    busy: list[float] = []
    for number in range(WARM + ROUNDS):
        near = [_near(*dice.choice(known[:1_000])) for _ in range(AT_ONCE // 2)]
        new = dict([*near, *(next(other) for _ in range(AT_ONCE - len(near)))])
        brought = [memory(*each, number * 100 + place) for place, each in enumerate(new.items())]
        plan = Plan(())
        for place, each in enumerate(new.items()):
            node = entity(*each, 10**9 + place)
            if node.memory_id not in await journal.ledger.get(TENANT, [node.memory_id]):
                plan.put(node, "add", "mentioned")
        begun, worked = perf_counter(), process_time()
        await resolver.resolve(_claim(number), plan, brought, START)
        busy.append((process_time() - worked) * 1e3 / len(new))
        whole.append((perf_counter() - begun) * 1e3 / len(new))
    kept, index = whole[WARM:], timed.spent[WARM:]
    return Point(
        len(known),
        percentile(kept, 0.5),
        percentile(index, 0.5),
        percentile(kept, 0.95),
        percentile(busy[WARM:], 0.5),
        sum(timed.found) / len(timed.found),
    )


def _near(name: str, kind: EntityKind) -> tuple[str, EntityKind]:
    """Another spelling, a short form, or another thing of nearly that name."""
    for ending in ("科技有限公司", " Corporation", "管理系统", " Platform"):
        if name.endswith(ending):
            return name.removesuffix(ending) + {"管理系统": "平台", " Platform": " Portal"}.get(ending, ""), kind
    return name.split()[-1], kind


def _claim(number: int) -> Claim:
    lane = graph_lane(TENANT, AGENT)
    job = Job(f"job {number}", lane, "graph", number, (), "", 1, None)
    return Claim(lane, "bench", 1, (job,))


def draw(points: Sequence[Point], picture: Path) -> None:
    """The whole and its parts over the number of entities."""
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    sizes = [point.entities for point in points]
    axes.plot(sizes, [point.whole for point in points], "o-", color="tab:blue", label="one new name: p50")
    axes.plot(sizes, [point.slow for point in points], "^:", color="tab:blue", label="p95")
    axes.plot(sizes, [point.index for point in points], "s-", color="tab:orange", label="of it in the index")
    rest = [point.whole - point.index for point in points]
    axes.plot(sizes, rest, "x--", color="tab:green", label="of it everything else")
    axes.plot(sizes, [point.processor for point in points], "d:", color="tab:gray", label="p50 of the processor")
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes], minor=False)
    axes.set_xticks([], minor=True)
    axes.set_ylim(0, None)
    axes.grid(alpha=0.3)
    axes.set_xlabel("entities of the agent")
    axes.set_ylabel("milliseconds for one new name")
    axes.set_title("Whom a new name means, while the entities grow")
    axes.legend()
    figure.text(0.5, -0.04, f"{describe()}; load at the end {load():.0f}", ha="center", fontsize=7, color="dimgray")
    figure.savefig(picture, dpi=130, bbox_inches="tight")


if __name__ == "__main__":
    print(command(), "·", describe(), flush=True)
    numbers = [int(text) for text in sys.argv[1:] if text.isdigit()]
    paths = [Path(text) for text in sys.argv[1:] if not text.isdigit()]
    asyncio.run(measure((numbers or [MOST])[0], (paths or [PICTURE])[0]))
