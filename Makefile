# Every target works on a fresh machine with Python 3.11 or newer and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-peers
PYTHONS ?= python3.11 python3.12 python3.13
PYTEST_ARGS ?=
CHANGED := "What the demo checks no longer holds: what was said or corrected since stays as it is."
# The tests start some hundred programs, and without bytecode each would compile anew all that it loads.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo docs serve test thorough pythons check lint types imports schemas proofs soak bench bench-growth bench-steady bench-resolution bench-graph bench-clone bench-server bench-peers bench-peers-asked clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml | $(BIN)/python
	@echo "installing packages into $(VENV): a minute or two, once"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.server: pyproject.toml | $(BIN)/python
	@echo "installing packages into $(VENV): a minute or two, once"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[server,documents]'
	@touch $@ $(VENV)/.base

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(VENV)/.base

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.base $(VENV)/.test

$(PEERS)/.ready: pyproject.toml bench/peers/requirements.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --editable . -r bench/peers/requirements.txt
	@touch $@

demo: $(VENV)/.base ## Watch the sales assistant get to know 罗小东: no key, no server
	@$(BIN)/agentmem run scenarios/aip_sales.yaml || { code=$$?; [ $$code -ne 1 ] || echo $(CHANGED); exit $$code; }
	@echo "in this checkout, agentmem is $(BIN)/agentmem"

serve: $(VENV)/.server ## Serve the demo's data over HTTP and print how to come in
	@$(BIN)/agentmem run scenarios/aip_sales.yaml > /dev/null \
		|| echo $(CHANGED)
	@$(BIN)/agentmem serve

test: $(VENV)/.test ## Run the tests but the longest: a little over four minutes on two quiet cores
	$(BIN)/python -m pytest -n auto --dist worksteal $(PYTEST_ARGS)

thorough: $(VENV)/.test ## Run the rest: whole programs started, killed and starved, the other cases of each sweep, the documentation's programs, the page in a browser
	$(BIN)/python -m pytest -n auto --dist worksteal -m "thorough or browser" $(PYTEST_ARGS)

pythons: ## Run the tests on each supported Python that is installed, as PYTHONS names them
	@for python in $(PYTHONS); do \
		version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2> /dev/null) \
			|| { echo "$$python is not installed"; continue; }; \
		$$python -m venv $(VENV)-$$version \
			&& $(VENV)-$$version/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test]' \
			&& $(VENV)-$$version/bin/python -m pytest -n auto --dist worksteal $(PYTEST_ARGS) || exit 1; \
	done

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/pyright

imports: $(VENV)/.dev
	$(BIN)/lint-imports

docs: $(VENV)/.dev ## Build the documentation as a site into site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo site/index.html

check: lint types imports docs test thorough ## Run everything that must hold: lint, types, import directions, the site, all tests

schemas: $(VENV)/.base ## Write docs/schemas anew from the models that read the files
	@for kind in persona scenario config; do \
		$(BIN)/agentmem persona schema $$kind > docs/schemas/$$kind.schema.json || exit 1; done

proofs: $(VENV)/.test ## Write anew what is proved of the library's patterns: after patterns, or what proves them, changed
	$(BIN)/python -m tests.support.proofs

soak: $(VENV)/.test ## 2,000 kills, failing disks, power cuts, 1,000 simulated lives, 20,000 hostile texts, several processes and hosts, long property tests (two hours)
	$(BIN)/python -m tests.soak

bench: $(VENV)/.test ## Measure speed and memory, and print the figures with the machine
	$(BIN)/python -m bench

bench-growth: $(VENV)/.dev ## Measure recall from 1,000 to 300,000 memories and draw docs/growth.png (minutes)
	$(BIN)/python -m bench.growth

bench-steady: $(VENV)/.test ## Measure memory and disk of a worker under steady load (16 minutes)
	$(BIN)/python -m bench.steady

bench-resolution: $(VENV)/.dev ## Measure whom a new name means from 1,000 to 20,000 entities and draw docs/resolution.png (minutes)
	$(BIN)/python -m bench.resolution

bench-graph: $(VENV)/.dev ## Measure HNSW beside exact search at 100,000 memories in one scope: DATA=FILE (minutes)
	$(BIN)/python -m bench.graph $(if $(DATA),"$(DATA)")

bench-clone: $(VENV)/.dev ## Measure cloning an agent of 100,000 memories, and ask both the same (minutes)
	$(BIN)/python -m bench.clone

bench-server: $(VENV)/.test ## Measure what HTTP adds to taking turns in and to recall, and what open streams cost
	$(BIN)/python -m bench.server

bench-peers-asked:
	@test -n "$(DATA)$(TURNS)" || { echo "bench-peers: give DATA=FILE (as for agentmem eval retrieval) or TURNS=10000 (speed alone)"; exit 2; }

bench-peers: bench-peers-asked $(PEERS)/.ready ## Measure beside mem0 and LangGraph: DATA=FILE or TURNS=10000, EMBEDDER=hash, JSON=1
	@$(PEERS)/bin/python -m bench.peers $(if $(DATA),--data "$(DATA)") $(if $(TURNS),--turns $(TURNS)) \
		$(if $(EMBEDDER),--embedder "$(EMBEDDER)") $(if $(JSON),--json)

clean: ## Remove the virtual environments and everything played so far
	rm -rf $(VENV) $(VENV)-* .agentmem
