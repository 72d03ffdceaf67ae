"""reflect, undo, worker, queue, dead, backup, restore, compact, index, embedder, doctor: memory kept in order."""

from pathlib import Path
from typing import Annotated

import typer

from agentmem.interfaces.cli.commands.memory import About, Agent
from agentmem.interfaces.cli.invocation import command, group_of

JobIds = Annotated[list[str] | None, typer.Argument(metavar="[JOB]...", help="Job ids, as `dead list` shows them.")]
AllJobs = Annotated[bool, typer.Option("--all", help="All of them.")]


def add_to(program: typer.Typer) -> None:
    """Add these commands."""

    @command(program, "reflect", "reflecting.reflect")
    def _reflect(
        agent: Agent,
        about: About = None,
        dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")] = False,
    ) -> None:
        """Reflect now: remove duplicates, settle contradictions, look at what is in doubt, renew insights."""

    @command(program, "undo", "reflecting.undo")
    def _undo(
        run: Annotated[str, typer.Argument(metavar="RUN", help="The run, as `reflect` and `history` show it.")],
        cascade: Annotated[bool, typer.Option("--cascade", help="Also where later runs changed the same.")] = False,
    ) -> None:
        """Take a run back, exactly."""

    @command(program, "worker", "working.worker")
    def _worker(
        once: Annotated[bool, typer.Option("--once", help="Stop when nothing is left to do.")] = False,
    ) -> None:
        """Run the workers until Ctrl-C or SIGTERM."""

    @command(program, "queue", "working.queue")
    def _queue() -> None:
        """Show how much work waits."""

    @command(program, "backup", "storing.backup")
    def _backup(
        file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
        force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    ) -> None:
        """Write the whole store into a file, checked, while it runs."""

    @command(program, "restore", "storing.restore")
    def _restore(
        file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `backup` wrote.")],
        force: Annotated[
            bool, typer.Option("--force", help="Also where something is there, which is put aside.")
        ] = False,
    ) -> None:
        """Put a backup in the place of the whole store, or change nothing."""

    @command(program, "compact", "storing.compact")
    def _compact() -> None:
        """Fold old states as keep.history says, and give free room of the journal back to the disk."""

    @command(program, "doctor", "checkup.doctor")
    def _doctor(
        receipt: Annotated[
            Path | None,
            typer.Option("--receipt", metavar="FILE", help="Check that what this receipt says is erased is gone."),
        ] = None,
        canaries: Annotated[
            list[str] | None,
            typer.Option("--canary", metavar="TEXT", help="Search the data directory for it; may be repeated."),
        ] = None,
    ) -> None:
        """Check the installation and the data, and say what to do; or check an erasure."""

    _add_dead(group_of(program, "dead", "The jobs that were given up."))
    _add_index(group_of(program, "index", "The search index."))
    _add_embedder(group_of(program, "embedder", "What turns text into vectors."))


def _add_dead(group: typer.Typer) -> None:
    @command(group, "list", "working.dead_list")
    def _list() -> None:
        """List them with the reason, newest first."""

    @command(group, "retry", "working.dead_retry")
    def _retry(jobs: JobIds = None, everything: AllJobs = False) -> None:
        """Queue them again."""

    @command(group, "drop", "working.dead_drop")
    def _drop(jobs: JobIds = None, everything: AllJobs = False) -> None:
        """Give them up for good; what was said stays in the journal."""


def _add_index(group: typer.Typer) -> None:
    @command(group, "rebuild", "indexing.rebuild")
    def _rebuild() -> None:
        """Fill the index anew from the journal; no model is called."""

    @command(group, "optimise", "indexing.optimise")
    def _optimise() -> None:
        """Build the graphs of large scopes, where index.graph is set; takes minutes for 100,000 memories."""

    @command(group, "verify", "indexing.verify")
    def _verify() -> None:
        """Compare the index with the journal."""


def _add_embedder(group: typer.Typer) -> None:
    @command(group, "migrate", "indexing.migrate")
    def _migrate() -> None:
        """Embed everything with the configured embedder; may be interrupted and goes on where it stopped."""
