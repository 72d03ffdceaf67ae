"""`config.yaml` as one frozen value, read once: options over environment, environment over file, file over default."""

from collections.abc import Mapping, Sequence
from datetime import timedelta, tzinfo
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import quote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import tzlocal
from pydantic import AfterValidator, ConfigDict, Field, SecretStr, field_validator, model_validator

from agentmem import patterns as re
from agentmem.domain.bounds import address_fault, check_kind, text_fault
from agentmem.domain.ids import Name, PlainName
from agentmem.domain.scope import Grant, Principal
from agentmem.domain.value import Checked, Duration
from agentmem.errors import InvalidInput, NotFound
from agentmem.runtime.configuration.config_layers import BadOverride, layered, overrides_of, variables_of
from agentmem.runtime.configuration.yaml_file import build

DEFAULT_FILE = Path("config.yaml")


def _callable(address: str) -> str:
    if fault := address_fault(address):
        raise ValueError(fault)
    return address


Address = Annotated[str, AfterValidator(_callable)]
"""Of a server: http://localhost:6333."""


def _at_home(path: Path) -> Path:
    if fault := text_fault(str(path)):
        raise ValueError(f"must be a path: {fault}")
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise ValueError(f"has no home to begin at: {error}") from error


Folder = Annotated[Path, AfterValidator(_at_home)]
"""A path whose name is text; `~` is the home of whoever runs this."""


class Section(Checked):
    """A part of the settings: frozen, unknown keys refused, within bounds."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True, hide_input_in_errors=True)


class SqliteSettings(Section):
    """`journal.db` in the data directory."""

    kind: Literal["sqlite"] = "sqlite"


class PostgresSettings(Section):
    """A PostgreSQL database: postgresql://user:password@host/database."""

    kind: Literal["postgres"] = "postgres"
    url: SecretStr
    namespace: Annotated[str, Field(alias="schema", pattern=r"^[a-z_][a-z0-9_]{0,62}$")] = "public"


class EdgeIndexSettings(Section):
    """Qdrant Edge inside this process, in the data directory. `graph`: large scopes are searched along a graph (HNSW),
    which `agentmem index optimise` and `rebuild` build; otherwise every search is exact. `reserve_mb` of the disk are
    left free, below which the index waits: by default 64, or a tenth of a smaller disk."""

    kind: Literal["edge"] = "edge"
    graph: bool = False
    reserve_mb: int | None = Field(default=None, ge=1)


class QdrantIndexSettings(Section):
    """A Qdrant server at `url`, or the client's own embedded store at `path`."""

    kind: Literal["qdrant"] = "qdrant"
    url: Address | None = None
    path: Folder | None = None
    api_key: SecretStr | None = None
    collection: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,100}$")] = "agentmem"

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.url is None) == (self.path is None):
            raise ValueError("needs either url (a server) or path (a folder)")
        return self


class TransientIndexSettings(Section):
    """In the memory of each process that opens the store, filled from the journal whenever that is: for tests, and for
    stores of some thousand memories."""

    kind: Literal["memory"] = "memory"


class RulesSettings(Section):
    """No model: the rules engine."""

    engine: Literal["rules"] = "rules"


AUTO: Final = "auto"
"""An embedder that knows meaning, wherever one can be had."""


class LlmSettings(Section):
    """A model by its pydantic-ai name. `base_url` is for a compatible server, `api_key_env` names where its key is."""

    engine: Literal["llm"] = "llm"
    model: str = Field(min_length=1)
    base_url: Address | None = None
    api_key_env: str | None = None
    timeout: float = Field(default=60.0, gt=0, le=3_600)
    concurrency: int = Field(default=8, ge=1, le=256)
    retries: int = Field(default=2, ge=0, le=20)
    max_wait: float = Field(default=10.0, ge=0, le=86_400)
    max_output_tokens: int = Field(default=4_096, ge=256)
    max_tokens_per_window: int = Field(default=6_000, ge=1_000)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_day: int | None = Field(default=None, ge=1)
    structured: Literal["tool", "text"] = "text"


class RecallSettings(Section):
    """How what was found is put in order: by a reranker, within `rerank_seconds`, or as it was found."""

    reranker: str = "none"
    rerank_seconds: float = Field(default=2.0, gt=0, le=60)

    @field_validator("reranker")
    @classmethod
    def _known_reranker(cls, name: str) -> str:
        if not re.fullmatch(r"none|rrf|mmr|mentions|distance|overlap|[a-z][a-z0-9_-]*:\S.*", name):
            allowed = "none, rrf, mmr, mentions, distance, overlap, fastembed:MODEL, PROVIDER:MODEL"
            raise ValueError(f"unknown reranker {name!r}; allowed: {allowed}")
        return name


class ChatSettings(Section):
    """How agents speak: `base_url`, `api_key_env` and the waits as for cognition, in seconds; `pairs` of turns in view;
    `memories` recalled at once, shown within `context_tokens`; after `silence_hours` a conversation is over. The rest
    bounds one reply, its tools included."""

    base_url: Address | None = None
    api_key_env: str | None = None
    timeout: float = Field(default=60.0, gt=0, le=3_600)
    retries: int = Field(default=2, ge=0, le=20)
    max_wait: float = Field(default=10.0, ge=0, le=86_400)
    max_output_tokens: int = Field(default=2_048, ge=16)
    pairs: int = Field(default=10, ge=1, le=200)
    memories: int = Field(default=20, ge=1, le=200)
    context_tokens: int = Field(default=1_600, ge=300)
    recall_seconds: float = Field(default=3.0, gt=0, le=60)
    silence_hours: float = Field(default=12.0, gt=0, le=87_600)
    requests: int = Field(default=6, ge=1, le=100)
    tool_calls: int = Field(default=12, ge=0, le=1_000)
    tokens: int = Field(default=60_000, ge=1_000)


class WorkerSettings(Section):
    """How the workers are run; times in seconds."""

    concurrency: int = Field(default=16, ge=1, le=256)
    attempts: int = Field(default=5, ge=1)
    outage_attempts: int = Field(default=100, ge=1)
    backoff_initial: float = Field(default=0.5, gt=0, le=86_400)
    backoff_max: float = Field(default=300.0, gt=0, le=3_600)
    heartbeat: float = Field(default=5.0, gt=0, le=86_400)
    grace: float = Field(default=8.0, ge=0, le=86_400)


class QueueSettings(Section):
    """How many unfinished jobs there may be before events are refused as busy, but those of a tenant with less than a
    hundredth of them."""

    capacity: int = Field(default=100_000, ge=1)


class KeepSettings(Section):
    """How long what is over is kept: `history`, the earlier states of memories; None: for ever."""

    history: Annotated[Duration, Field(ge=timedelta(days=1))] | None = None


class PrincipalSettings(Section):
    """Somebody other than the owner: grants by agent id, or by `*` for all agents; bound to one person by `about`."""

    agents: dict[str, tuple[Grant, ...]] = Field(default_factory=dict)
    about: Name | None = None


Algorithm = Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]


class IssuerSettings(Section):
    """Whose tokens (JWT) are let in beside our own: of the issuer `url`, for `audience`, signed by one of the `keys` (a
    address of a JWKS) with one of the `algorithms`. `roles` says what each word in the claim `roles_claim` lets, by
    agent or for `*`; `tenant_claim` names the tenant where that is not the configured one, `about_claim` the only
    person it is about. `leeway`: seconds that clocks may differ. `resource`: the address by which programs that speak
    MCP reach `/mcp`; they are told there whom to ask for a token."""

    url: str = Field(min_length=1, max_length=1_000)
    audience: str = Field(min_length=1, max_length=1_000)
    keys: str
    algorithms: tuple[Algorithm, ...] = Field(default=("RS256", "ES256"), min_length=1)
    roles: dict[str, dict[str, tuple[Grant, ...]]] = Field(default_factory=dict)
    roles_claim: Name = "scope"
    tenant_claim: Name | None = None
    about_claim: Name | None = None
    leeway: float = Field(default=30.0, ge=0, le=300)
    resource: str | None = None

    @field_validator("keys", "resource")
    @classmethod
    def _unspoofed(cls, url: str | None) -> str | None:
        if url is not None and not re.match(r"https://[^/]|http://(127\.0\.0\.1|localhost|\[::1\])[:/]", url):
            raise ValueError("must be an https:// address; http:// on this machine alone")
        return url


class ServerSettings(Section):
    """Where `agentmem serve` listens, and what it takes. `hosts` are names it is called by beside its own address,
    `origins` the pages that may call it (https://example.org). Of one token: `concurrency` requests at a time,
    `streams` beside them, `requests_per_second`. Of all: `connections`, `body_mb` of one request, `request_seconds`.
    `issuer`: whose tokens are let in beside our own."""

    host: str = "127.0.0.1"
    port: int = Field(default=8420, ge=0, le=65_535)
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    concurrency: int = Field(default=128, ge=1, le=10_000)
    streams: int = Field(default=256, ge=1, le=10_000)
    requests_per_second: float = Field(default=5_000.0, gt=0, le=1_000_000)
    connections: int = Field(default=2_000, ge=1, le=100_000)
    body_mb: int = Field(default=4, ge=1, le=1_024)
    request_seconds: float = Field(default=120.0, gt=0, le=3_600)
    issuer: IssuerSettings | None = None


class LogSettings(Section):
    """What goes to stderr."""

    level: Literal["debug", "info", "warning", "error"] = "warning"
    format: Literal["console", "json"] = "console"


class Settings(Section):
    """Everything that can be configured. Secrets do not show in its `repr`."""

    tenant: PlainName = "default"
    data: Folder = Path(".agentmem")
    timezone: str | None = None
    journal: Annotated[SqliteSettings | PostgresSettings, Field(discriminator="kind")] = SqliteSettings()
    index: Annotated[EdgeIndexSettings | QdrantIndexSettings | TransientIndexSettings, Field(discriminator="kind")] = (
        EdgeIndexSettings()
    )
    embedder: str = AUTO
    cognition: Annotated[RulesSettings | LlmSettings, Field(discriminator="engine")] = RulesSettings()
    recall: RecallSettings = RecallSettings()
    chat_model: str | None = None
    chat: ChatSettings = ChatSettings()
    worker_modules: Annotated[tuple[str, ...], Field(min_length=1)] = ("agentmem_workers",)
    workers: WorkerSettings = WorkerSettings()
    queue: QueueSettings = QueueSettings()
    keep: KeepSettings = KeepSettings()
    personas: Folder = Path("personas")
    principals: dict[str, PrincipalSettings] = Field(default_factory=dict)
    server: ServerSettings = ServerSettings()
    log: LogSettings = LogSettings()

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str | None) -> str | None:
        if name is not None:
            try:
                ZoneInfo(name)
            except (ZoneInfoNotFoundError, ValueError, OSError) as error:
                raise ValueError(f"unknown time zone {name!r}; allowed: IANA names such as Asia/Shanghai") from error
        return name

    @field_validator("embedder")
    @classmethod
    def _known_embedder(cls, name: str) -> str:
        if not re.fullmatch(r"auto|hash(-[1-9][0-9]{1,4})?|[a-z][a-z0-9_-]*:\S.*", name):
            allowed = "auto, hash, hash-SIZE, fastembed:MODEL, PROVIDER:MODEL"
            raise ValueError(f"unknown embedder {name!r}; allowed: {allowed}")
        return name

    @property
    def zone(self) -> tzinfo:
        """The configured time zone, or the computer's."""
        return ZoneInfo(self.timezone) if self.timezone else tzlocal.get_localzone()

    def principal(self, name: str) -> Principal:
        """The principal of that name, in this tenant. Raises `NotFound`."""
        given = self.principals.get(name)
        if given is None:
            raise NotFound(f"no principal {name!r}")
        agents = {agent: frozenset(grants) for agent, grants in given.agents.items()}
        return Principal(name, self.tenant, agents, given.about)

    @property
    def journal_url(self) -> str:
        """Where the journal is, in the form its adapter takes; holds the password."""
        if isinstance(self.journal, SqliteSettings):
            return f"sqlite:///{self.data.absolute() / 'journal.db'}"
        url = self.journal.url.get_secret_value()
        return f"{url}{'&' if '?' in url else '?'}schema={quote(self.journal.namespace)}"


def load_settings(
    path: Path | None = None,
    *,
    overrides: Sequence[str] = (),
    data: Path | None = None,
    tenant: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """Read the settings. Without `path`, `./config.yaml` where there is one; `overrides` are `a.b=value`.

    Raises `InvalidInput`, and its subclass `BadOverride` where the mistake is in `overrides`, `data` or `tenant`.
    """
    for name, given, kind in (
        *(("path", path, Path | None), ("overrides", overrides, Sequence[str]), ("data", data, Path | None)),
        *(("tenant", tenant, str | None), ("environment", environment, Mapping[str, str] | None)),
    ):
        check_kind(name, given, kind)
    options = [*overrides_of(overrides)]
    for name, value in (("data", data), ("tenant", tenant)):
        if value is not None:
            options.append((f"--{name}", (name,), str(value)))
    try:
        return build(layered(path, DEFAULT_FILE, variables_of(environment, Settings), options), Settings)
    except InvalidInput as error:
        if str(error).startswith("--"):
            raise BadOverride(str(error)) from error
        raise
