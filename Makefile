# make help lists the targets. Needed: Python 3.11 or later with pip and venv, and make.

PYTHON ?= python3
VENV ?= .venv
GAME ?= seven_wonders
DECISIONS ?= 1000000
MINUTES ?= 60
RECORDS ?= 10000
PYTEST_FLAGS ?=
MUTANTS ?=

BIN := $(VENV)/bin
# The packages are installed editable: a change of the code needs no new setup.
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --quiet --constraint constraints.txt
STAMP := $(VENV)/.setup
BENCH_STAMP := $(VENV)/.setup-bench
DOCS_STAMP := $(VENV)/.setup-docs
# RLlib pins an older gymnasium, and Tianshou an older filelock: they get an environment of their own.
RLLIB := $(VENV)-rllib
RLLIB_STAMP := $(RLLIB)/.setup

.DEFAULT_GOAL := help
.PHONY: help setup demo test quick lint fuzz soak mutants bench screenshots docs docs-test rllib-test clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

setup: $(STAMP) ## .venv with all that is needed, at the releases of constraints.txt

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed; $(PYTHON) is " + v + ". Say which: make setup PYTHON=python3.11")'
	@test -x $(BIN)/python || { echo "making $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "installing into $(VENV) (minutes, when it is new)"
	@$(INSTALL) setuptools
	@$(INSTALL) --no-build-isolation --editable ".[train,sb3,show,play,ray,dev]"
	@touch $@

demo: setup ## train an agent by self-play, play it against others (GAME=seven_wonders)
	$(BIN)/antiquity demo $(GAME)

test: lint ## ruff, mypy and the tests (PYTEST_FLAGS="-k payment")
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(PYTEST_FLAGS)

# What tells most in little time: the house, the middle, the rulings of the games, and hashes of all results.
QUICK := tests/test_structure.py tests/test_game.py tests/test_tables.py tests/test_random.py tests/test_batch.py \
	tests/test_batch_rules.py tests/test_batch_copies.py tests/test_envs_parallel.py tests/test_envs_aec.py \
	tests/test_kernels_words.py tests/test_testing.py tests/test_mutants.py tests/test_fingerprints.py \
	tests/test_release_files.py tests/dice tests/seven_wonders tests/stone_age

quick: setup ## a part of the tests that takes a minute or so, for while one works
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(QUICK) \
		-k "not against_referee and not contract and not uncompiled and not many_games" $(PYTEST_FLAGS)

lint: setup ## ruff (checks and formatting) and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fuzz: setup ## random games against the referees (DECISIONS=1000000), records that were tampered with (RECORDS=10000)
	ANTIQUITY_FUZZ_DECISIONS=$(DECISIONS) ANTIQUITY_FUZZ_RECORDS=$(RECORDS) $(BIN)/python -m pytest -k fuzz $(PYTEST_FLAGS)

soak: setup ## all that takes long, at least for so long: fuzz, kills, long runs (MINUTES=60)
	$(BIN)/python tests/soak.py --minutes $(MINUTES)

mutants: setup ## deliberate faults in the kernels, which the tests must catch (MUTANTS="--game dice")
	$(BIN)/python tests/mutants/run.py $(MUTANTS)

$(BENCH_STAMP): $(STAMP)
	@$(INSTALL) --no-build-isolation --editable ".[train,sb3,show,play,ray,dev,bench]"
	@touch $@

bench: $(BENCH_STAMP) ## steps and games a second, beside others
	$(BIN)/python -m benchmarks

screenshots: setup ## pictures of the play and replay pages under build/screenshots (Chromium)
	$(BIN)/python tests/looking.py build/screenshots

$(DOCS_STAMP): $(STAMP)
	@$(INSTALL) --no-build-isolation --editable ".[train,sb3,show,play,ray,dev,docs]"
	@touch $@

docs: $(DOCS_STAMP) ## the site under build/docs; a link that leads nowhere is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

docs-test: $(DOCS_STAMP) ## every link, snippet and command of the docs
	$(BIN)/python -m pytest tests/test_docs.py tests/test_docs_site.py $(PYTEST_FLAGS)

$(RLLIB_STAMP): pyproject.toml constraints-rllib.txt
	@test -x $(RLLIB)/bin/python || { echo "making $(RLLIB)"; $(PYTHON) -m venv $(RLLIB); }
	@echo "installing into $(RLLIB) (minutes, when it is new)"
	@$(RLLIB)/bin/python -m pip install --disable-pip-version-check --quiet --constraint constraints-rllib.txt setuptools
	@$(RLLIB)/bin/python -m pip install --disable-pip-version-check --quiet --constraint constraints-rllib.txt \
		--no-build-isolation --editable . "ray[rllib]" tianshou torch hypothesis pytest
	@touch $@

rllib-test: $(RLLIB_STAMP) ## RLlib and Tianshou, in an environment of their own
	$(RLLIB)/bin/python -m pytest tests/test_adapters.py tests/test_envs_pettingzoo_suite.py \
		tests/test_docs.py tests/test_examples.py -k "rllib or tianshou" $(PYTEST_FLAGS)

clean: ## remove what was built here; .venv and runs/ stay
	rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -path './$(VENV)*' -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
