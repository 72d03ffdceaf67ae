"""agentmem and its peers on the same turns and questions, each in a process of its own, one after the other.

    python -m bench.peers --data FILE | --turns 10000 [--embedder hash] [--systems agentmem,mem0-hybrid] [--json]

FILE is in a format of `agentmem eval retrieval`. Without one, so many made-up turns in scopes of 1,000 measure speed
alone. All systems embed with the same embedder of agentmem's. No model is called and nothing is downloaded.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from agentmem_evals.retrieval.metrics import RECALLS
from bench.machine import describe
from bench.peers.measure import OPENERS, Figures, Task

TIMES = ("add", "p50", "p95", "processor")
"""Of `Figures`, what a ratio is shown of."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse the command line, or these arguments, measure, print."""
    options = _parsed(arguments)
    tasks = [Task(system, options.embedder, options.data, options.turns) for system in options.systems.split(",")]
    results = [_measured(task) for task in tasks]
    ours = next((figures for task, figures in zip(tasks, results, strict=True) if task.system == "agentmem"), None)
    if options.json:
        rows = [asdict(figures) | {"against_agentmem": _ratios(figures, ours)} for figures in results]
        print(json.dumps({"machine": describe(), "systems": rows}, indent=1))
    else:
        first = results[0]
        print(f"{describe()}\n{first.turns:,} turns, {first.questions:,} questions with evidence, {first.embedder}\n")
        print(_table(results, ours))


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("bench.peers", formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.description = __doc__
    parser.add_argument("--data")
    parser.add_argument("--turns", type=int, default=0)
    parser.add_argument("--embedder", default="hash")
    parser.add_argument("--systems", default=",".join(OPENERS), help=f"of {', '.join(OPENERS)}; default: all")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if bool(options.data) == bool(options.turns):
        parser.error("give either DATA=FILE, as for `agentmem eval retrieval`, or TURNS=10000 to measure speed alone")
    if options.data and not Path(options.data).exists():
        parser.error(f"DATA: there is no {options.data}")
    if options.turns < 0:
        parser.error(f"TURNS is {options.turns}, allowed: 1 or more")
    if unknown := set(options.systems.split(",")) - set(OPENERS):
        parser.error(f"no system {min(unknown)!r}; there are {', '.join(OPENERS)}")
    return options


def _measured(task: Task) -> Figures:
    print(f"{task.system} …", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as home:
        # mem0 keeps settings at home and calls there and elsewhere unless told not to.
        quiet = {"MEM0_DIR": home, "MEM0_TELEMETRY": "false", "HF_HUB_OFFLINE": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "bench.peers.measure", json.dumps(asdict(task))],
            env=os.environ | quiet,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    if done.returncode:
        raise SystemExit(f"{task.system} was not measured; why stands above")
    return Figures(**json.loads(done.stdout.splitlines()[-1]))


def _ratios(figures: Figures, ours: Figures | None) -> dict[str, float]:
    """How many times ours: above 1 a time is longer and a recall better than agentmem's."""
    if ours is None or figures is ours:
        return {}
    times = {name: getattr(figures, name) / getattr(ours, name) for name in TIMES}
    return times | {f"recall@{k}": figures.recall[k] / value for k, value in ours.recall.items() if value}


def _table(results: list[Figures], ours: Figures | None) -> str:
    heads = [*(f"R@{k}" for k in RECALLS), "add, ms", "search p50, ms", "p95, ms", "processor, ms", "load", "peak MiB"]
    rows = [["system", *heads], ["---"] * (len(heads) + 1)]
    for figures in results:
        ratios = _ratios(figures, ours)
        recalls = [_cell(figures.recall.get(str(k)), ".3f", ratios.get(f"recall@{k}")) for k in RECALLS]
        times = [_cell(getattr(figures, name), ".2f", ratios.get(name)) for name in TIMES]
        rows.append([figures.system, *recalls, *times, f"{figures.load:.1f}", f"{figures.peak_mib:,.0f}"])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _cell(value: float | None, form: str, ratio: float | None) -> str:
    """A figure and, where there is one, how many times ours it is."""
    if value is None:
        return "–"
    return f"{value:{form}}" if ratio is None else f"{value:{form}} (× {ratio:.2f})"


if __name__ == "__main__":
    main()
