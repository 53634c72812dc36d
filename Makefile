# The two commands of the README: `make demo` and `make test`. Both install what they need first.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
JOBS ?= 2
# A file stays on one worker, where its datasets are made once; files come in the order of tests/conftest.py.
PARALLEL := -n $(JOBS) --dist loadfile --no-loadscope-reorder

.PHONY: help demo test test-all lint bench docs setup aleph release clean

help:
	@echo "make demo      install what is needed, then a tour that ends in a report"
	@echo "make test      install what is needed, then lint and all tests"
	@echo "make test-all  the slow tests too"
	@echo "make lint      ruff, mypy, import-linter (who may import whom), hadolint (the Dockerfile)"
	@echo "make bench     the benchmarks under tests/bench, each beside its baseline"
	@echo "make docs      the documentation site, into site/"
	@echo "make aleph     install the Aleph system (free for academic use) for the learner of that name"
	@echo "make setup     install only; a second run does nothing"
	@echo "make release VERSION=X.Y.Z   version, changelog, wheel and tag"
	@echo "make clean     remove what setup and demo made"

# Again also where the SWI-Prolog that Janus was built for has gone.
setup: $(READY)
	@$(BIN)/swipl --version >/dev/null 2>&1 || sh scripts/setup.sh $(PYTHON)

$(READY): pyproject.toml constraints.txt $(wildcard scripts/*.sh)
	@sh scripts/setup.sh $(PYTHON)

# Aleph comes inside python-rdm, of which nothing else is used: its own dependencies do not install on Python 3.11.
aleph: setup
	@$(BIN)/python -c 'from importlib.metadata import version; version("python-rdm")' 2>/dev/null || { \
	    echo "installing Aleph: free for academic purposes; commercial use needs its author's consent" && \
	    $(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --constraint constraints.txt python-rdm; }

demo: setup
	@$(BIN)/hornbeam demo --out demo

test: aleph lint
	@$(BIN)/pytest $(PARALLEL) -m "not slow"

test-all: aleph lint
	@$(BIN)/pytest $(PARALLEL)

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --quiet --check pysrc tests
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@[ ! -x $(BIN)/hadolint ] || $(BIN)/hadolint Dockerfile

bench: setup
	@$(BIN)/python -m tests.bench

# mkdocs' theme names its successor at each build; that is not for who builds the site.
docs: setup
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "open site/index.html"

release: setup
	@sh scripts/release.sh "$(VERSION)" $(BIN)/python

clean:
	rm -rf .venv .swipl .swipl.partial demo dist build site
