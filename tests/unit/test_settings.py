"""Settings: option over environment over file over default, and no key that nobody knows."""

from dataclasses import asdict
from pathlib import Path

import pytest

from agentmem.adapters.cognition.llm.model_connection import LlmOptions
from agentmem.errors import InvalidInput
from agentmem.interfaces.python.client import TOKEN
from agentmem.runtime.configuration.config_layers import BadOverride
from agentmem.runtime.configuration.settings import LlmSettings, QdrantIndexSettings, Settings, load_settings

ROOT = Path(__file__).parents[2]


def configured(text: str, folder: Path) -> Path:
    path = folder / "config.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_shipped_configuration_says_what_the_defaults_are() -> None:
    assert load_settings(ROOT / "config.yaml", environment={}) == Settings()


def test_every_setting_stands_in_the_shipped_configuration() -> None:
    text = (ROOT / "config.yaml").read_text(encoding="utf-8")

    assert [name for name in Settings.model_fields if f"\n{name}:" not in text] == []


def test_an_option_beats_the_environment_and_that_beats_the_file(tmp_path: Path) -> None:
    path = configured("workers: {concurrency: 2, attempts: 2, grace: 2}", tmp_path)
    environment = {"AGENTMEM_WORKERS__CONCURRENCY": "3", "AGENTMEM_WORKERS__ATTEMPTS": "3"}

    workers = load_settings(path, overrides=["workers.concurrency=4"], environment=environment).workers

    assert (workers.concurrency, workers.attempts, workers.grace, workers.heartbeat) == (4, 3, 2.0, 5.0)


def test_tenant_and_data_options_beat_everything(tmp_path: Path) -> None:
    path = configured("tenant: file\ndata: file", tmp_path)

    settings = load_settings(path, overrides=["tenant=set"], data=tmp_path, tenant="0123", environment={})

    assert (settings.tenant, settings.data) == ("0123", tmp_path)


def test_without_a_file_everything_has_its_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert load_settings(environment={}) == Settings()


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"other\.yaml: cannot be read"):
        load_settings(tmp_path / "other.yaml", environment={})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tennant: x", "1: tennant: unknown key 'tennant', did you mean 'tenant'?; allowed: tenant, data,"),
        ("workers: {concurency: 1}", "1: workers.concurency: unknown key 'concurency', did you mean 'concurrency'?"),
        ("workers: {concurrency: 0}", "1: workers.concurrency: must be 1 or more, not '0'"),
        ("journal: {kind: mysql}", "1: journal: unknown kind 'mysql'; allowed: 'sqlite', 'postgres'"),
        ("journal: {url: x}", "1: journal: needs the key 'kind' that says what it is"),
        ("journal: {kind: postgres}", "1: journal.url: is missing"),
        ("journal: {kind: sqlite, url: x}", "1: journal.url: unknown key 'url'; allowed: kind"),
        ("index: {kind: qdrant}", "1: index: needs either url (a server) or path (a folder)"),
        ("timezone: Mars/Base", "1: timezone: unknown time zone 'Mars/Base'; allowed: IANA names"),
        ("embedder: magic", "1: embedder: unknown embedder 'magic'; allowed: auto, hash, hash-SIZE, fastembed:MODEL"),
        (
            "recall: {reranker: magic}",
            "1: recall.reranker: unknown reranker 'magic'; allowed: none, rrf, mmr, mentions,",
        ),
        ("recall: {rerank_seconds: 0}", "1: recall.rerank_seconds: must be more than 0, not '0'"),
        ("- a", "1: must be a mapping of settings"),
    ],
)
def test_a_mistake_in_the_file_is_one_line(tmp_path: Path, text: str, expected: str) -> None:
    path = configured(text, tmp_path)

    with pytest.raises(InvalidInput) as caught:
        load_settings(path, environment={})

    assert str(caught.value).startswith(f"{path}:{expected}")


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("tenant", "--set 'tenant': must be KEY=VALUE"),
        ("a..b=1", "--set 'a..b=1': must be KEY=VALUE"),
        ("tennant=x", "--set: tennant: unknown key 'tennant', did you mean 'tenant'?"),
        ("log.level=loud", "--set: log.level: unknown value 'loud'; allowed: 'debug', 'info', 'warning', 'error'"),
        ("index.kind=qdrant", "--set: index: needs either url"),
    ],
)
def test_a_mistake_in_an_option_is_told_apart_from_one_in_a_file(option: str, expected: str) -> None:
    with pytest.raises(BadOverride) as caught:
        load_settings(ROOT / "config.yaml", overrides=[option], environment={})

    assert str(caught.value).startswith(expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AGENTMEM_TENNANT", "AGENTMEM_TENNANT: no such setting, did you mean AGENTMEM_TENANT?"),
        ("AGENTMEM_LOG__LEVL", "AGENTMEM_LOG__LEVL: log.levl: unknown key 'levl', did you mean 'level'?"),
    ],
)
def test_a_variable_that_names_no_setting_is_a_mistake(name: str, expected: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        load_settings(ROOT / "config.yaml", environment={name: "x"})

    assert str(caught.value).startswith(expected)


@pytest.mark.parametrize("name", ["AGENTMEM_TEST_X", TOKEN])
def test_variables_of_test_runs_and_of_clients_are_no_settings(name: str) -> None:
    assert load_settings(ROOT / "config.yaml", environment={name: "1"}) == Settings()


def test_another_kind_takes_nothing_over_from_the_kind_below_it(tmp_path: Path) -> None:
    path = configured("index: {kind: qdrant, url: http://localhost:6333}", tmp_path)

    assert load_settings(path, overrides=["index.kind=edge"], environment={}).index == Settings().index


def test_values_with_signs_of_yaml_in_them_stay_text() -> None:
    url = "postgresql://me:a#b@host/db"
    settings = load_settings(
        ROOT / "config.yaml", overrides=["journal.kind=postgres", f"journal.url={url}", "journal.schema=mem"]
    )

    assert settings.journal_url == f"{url}?schema=mem"


def test_lists_and_mappings_can_be_given_in_one_option() -> None:
    overrides = ["worker_modules=[workers, mine]", "cognition={engine: llm, model: 'openai:gpt-5-mini'}"]
    settings = load_settings(ROOT / "config.yaml", overrides=overrides, environment={})

    assert settings.worker_modules == ("workers", "mine")
    assert isinstance(settings.cognition, LlmSettings)


def test_a_model_is_configured_in_its_engines_own_terms() -> None:
    configured = LlmSettings(model="openai:gpt-5-mini").model_dump(exclude={"engine", "api_key_env"})
    options = asdict(LlmOptions(model="openai:gpt-5-mini"))

    assert configured == {name: value for name, value in options.items() if name != "api_key"}


def test_secrets_do_not_show() -> None:
    overrides = ["journal.kind=postgres", "journal.url=postgresql://me:hunter2@host/db"]
    overrides += ["index.kind=qdrant", "index.url=http://host", "index.api_key=hunter2"]
    settings = load_settings(ROOT / "config.yaml", overrides=overrides, environment={})

    assert "hunter2" not in f"{settings!r} {settings}"
    assert isinstance(settings.index, QdrantIndexSettings)
    assert settings.index.api_key is not None
    assert settings.index.api_key.get_secret_value() == "hunter2"


def test_the_journal_of_a_data_directory_is_a_file_in_it(tmp_path: Path) -> None:
    assert Settings(data=tmp_path).journal_url == f"sqlite:///{tmp_path}/journal.db"
