"""The files that others run: what they name is there, and nothing in them is open by default."""

import json
from pathlib import Path
from typing import Any

import yaml
from typer.main import get_command_from_info

from agentmem.interfaces.cli.main import program
from agentmem.runtime.configuration.settings import load_settings

ROOT = Path(__file__).parents[2]


def services() -> dict[str, dict[str, Any]]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]


def test_the_services_run_commands_that_there_are_with_settings_that_are_known(tmp_path: Path) -> None:
    commands = {command.callback.__name__ for command in program.registered_commands if command.callback}
    names = {str(command.name) for command in program.registered_commands}
    for name in ("api", "worker"):
        given = services()[name]
        assert given["command"][0] in names | commands
        environment = {
            key: str(value).replace("${QDRANT_KEY:?set QDRANT_KEY}", "k") for key, value in given["environment"].items()
        }
        environment["AGENTMEM_JOURNAL__URL"] = "postgresql://agentmem:p@postgres/agentmem"
        settings = load_settings(environment=environment, data=tmp_path)
        assert (settings.journal.kind, settings.index.kind) == ("postgres", "qdrant")


def test_every_option_that_is_given_is_one_of_its_command() -> None:
    image = next(line for line in (ROOT / "Dockerfile").read_text().splitlines() if line.startswith("CMD "))
    lines = [services()[name]["command"] for name in ("api", "worker")] + [json.loads(image.removeprefix("CMD "))]
    for name, *given in lines:
        command = next(each for each in program.registered_commands if each.name == name)
        known = get_command_from_info(command, pretty_exceptions_short=True, rich_markup_mode=None)
        options = {option for parameter in known.params for option in parameter.opts}
        assert {each for each in given if each.startswith("--")} <= options, name


def test_what_a_service_waits_for_and_keeps_is_declared() -> None:
    whole = yaml.safe_load((ROOT / "compose.yaml").read_text())
    assert set(services()) == {"api", "worker", "postgres", "qdrant"}
    for name, service in services().items():
        for other, wanted in service.get("depends_on", {}).items():
            healthy = wanted["condition"] == "service_healthy"
            assert "test" in services()[other].get("healthcheck", {}) if healthy else other in services(), (name, other)
        kept = {volume.split(":")[0] for volume in service.get("volumes", ())}
        assert kept <= set(whole["volumes"]), name
    assert "healthcheck" not in services()["api"]  # the image's own asks where it listens
    assert services()["worker"]["healthcheck"] == {"disable": True}  # it listens nowhere
    assert services()["worker"]["deploy"]["replicas"] == 2


def test_no_password_has_a_default_and_nothing_is_reachable_from_elsewhere() -> None:
    text = (ROOT / "compose.yaml").read_text()
    for secret in ("POSTGRES_PASSWORD", "QDRANT_KEY"):
        assert f"${{{secret}:-" not in text
        assert f"${{{secret}:?" in text
    ports = [port for service in services().values() for port in service.get("ports", ())]
    assert ports == ["127.0.0.1:8420:8420"]


def test_the_image_runs_without_root_and_says_whether_it_lives() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert "\nUSER agentmem\n" in text
    assert "HEALTHCHECK" in text
    for line in text.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for name in line.split()[1:-1]:
                assert (ROOT / name).exists(), name
