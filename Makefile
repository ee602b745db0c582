# `make demo` and `make test` each work alone on a machine with python3 (with venv) and make.
PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
EXE := .exe
else
BIN := $(VENV)/bin
EXE :=
endif
STAMP := $(VENV)/.installed-

.PHONY: demo test lint types unit kernels wheel browser sweep bench docs clean

demo: $(STAMP)run
	$(BIN)/routh demo --out out

test: lint types unit

lint: $(STAMP)test
	$(BIN)/ruff check src tests docs

types: $(STAMP)test
	$(BIN)/mypy

unit: $(STAMP)test browser kernels
	$(BIN)/pytest -n 2 --dist loadfile

# the tests of reports and of the app drive a real browser
browser:
	@test -n "$$ROUTH_CHROMIUM" || command -v chromium >/dev/null || command -v google-chrome >/dev/null || { \
	  SUDO=$$(test "$$(id -u)" = 0 || echo sudo); $$SUDO apt-get update -qq && \
	  $$SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; }

# the native libraries that the wheel carries; only what changed is compiled
kernels: $(STAMP)test
	$(BIN)/python -m routh.native.build

# one platform wheel with the library, independent of the Python version
wheel: $(STAMP)test
	$(BIN)/python -m hatchling build -t wheel -d dist

sweep: $(STAMP)test kernels
	$(BIN)/python tests/sweep.py 10000 --workers 2
	$(BIN)/python tests/sweep.py 1000 --kind heaps --kind dense --kind machines --kind linkages --workers 2
	ROUTH_INVARIANCE=all $(BIN)/pytest -q -n 2 tests/laws/test_invariance.py

bench: $(STAMP)bench
	$(BIN)/routh bench -o docs/benchmarks.json --page docs/benchmarks.md --fill README.md --fill docs/comparison.md

# the site, with pictures drawn on the way; ROUTH_DOCS=quick draws few
docs: $(STAMP)docs
	$(BIN)/routh warmup
	$(BIN)/python -m sphinx -E -W --keep-going -q -b html docs out/docs

clean:
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python$(EXE):
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(STAMP)run: pyproject.toml $(BIN)/python$(EXE)
	$(BIN)/python -m pip install --quiet --editable ".[all]"
	touch $@

$(STAMP)test: pyproject.toml $(BIN)/python$(EXE)
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	touch $@

$(STAMP)docs: pyproject.toml $(BIN)/python$(EXE)
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	touch $@

$(STAMP)bench: pyproject.toml $(BIN)/python$(EXE)
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	touch $@
