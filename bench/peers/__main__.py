"""agentmem and its peers on the same turns and questions, each in a process of its own, one after the other.

    python -m bench.peers --data FILE | --turns 10000 [--embedder hash] [--systems agentmem,mem0-hybrid] [--json]

FILE is a JSON list of conversations in LoCoMo's format. Without one, so many made-up turns in scopes of 1,000 measure
speed alone. All systems embed with the same embedder of agentmem's. No model is called and nothing is downloaded.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from bench.machine import describe
from bench.peers.measure import DEPTHS, OPENERS, Figures, Task


def main() -> None:
    """Parse the command line, measure, print."""
    options = _parsed()
    tasks = [Task(system, options.embedder, options.data, options.turns) for system in options.systems.split(",")]
    results = [_measured(task) for task in tasks]
    ours = next((figures for task, figures in zip(tasks, results, strict=True) if task.system == "agentmem"), None)
    if options.json:
        rows = [asdict(figures) | {"against_agentmem": _ratios(figures, ours)} for figures in results]
        print(json.dumps({"machine": describe(), "embedder": options.embedder, "systems": rows}, indent=1))
    else:
        print(f"{describe()}\nembedder {options.embedder}, {results[0].turns:,} turns\n")
        print(_table(results, ours))


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser("bench.peers", formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.description = __doc__
    parser.add_argument("--data")
    parser.add_argument("--turns", type=int, default=0)
    parser.add_argument("--embedder", default="hash")
    parser.add_argument("--systems", default=",".join(OPENERS), help=f"of {', '.join(OPENERS)}; default: all")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if bool(options.data) == bool(options.turns):
        parser.error("give either DATA=FILE, conversations in LoCoMo's format, or TURNS=10000 to measure speed alone")
    if options.data and not Path(options.data).is_file():
        parser.error(f"DATA: there is no file {options.data}")
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
    """How many times ours: above 1 a time is slower and a recall better than agentmem's."""
    if ours is None:
        return {}
    times = {name: getattr(figures, name) / getattr(ours, name) for name in ("add", "p50", "p95")}
    return times | {f"recall@{k}": figures.recall[k] / ours.recall[k] for k in ours.recall}


def _table(results: list[Figures], ours: Figures | None) -> str:
    depths = [f"R@{k}" for k in DEPTHS]
    rows = [
        ["system", *depths, "add, ms", "search p50, ms", "p95, ms", "peak MiB", "R@10", "add", "p50", "p95"],
        ["---"] * 13,
    ]
    for figures in results:
        ratios = _ratios(figures, ours)
        rows.append(
            [
                figures.system,
                *(f"{figures.recall[str(k)]:.3f}" if figures.recall else "–" for k in DEPTHS),
                *(f"{value:.2f}" for value in (figures.add, figures.p50, figures.p95)),
                f"{figures.peak_mib:,.0f}",
                *(f"× {ratios[key]:.2f}" if key in ratios else "–" for key in ("recall@10", "add", "p50", "p95")),
            ]
        )
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


if __name__ == "__main__":
    main()
