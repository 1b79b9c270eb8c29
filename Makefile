# make report: prove the book and write reports/     make test: the quick tests; FULL=1 adds the long ones
# make check: lint, types, layers, docstrings        make clean: remove everything that make made, reports excepted
# Needs only make and Python 3.11 or newer (PYTHON=... names another one). Everything else goes into .venv, from requirements.lock.

PYTHON ?= python3
VENV ?= .venv
FULL ?=
PY := $(VENV)/bin/python
READY := $(VENV)/.installed

.PHONY: report test check clean
.DEFAULT_GOAL := report

report: $(READY)
	$(PY) -m lnsym report

test: $(READY)
	FULL=$(FULL) $(PY) -m pytest --numprocesses auto --dist loadgroup

check: $(READY)
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -m pytest -q tests/test_layers.py tests/test_docstrings.py

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "lnsym needs Python 3.11 or newer, and '$(PYTHON)' is not: install one and run make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "'$(PYTHON)' cannot make virtual environments: install its venv package (Debian, Ubuntu: apt install python3-venv)" >&2; exit 2; }
	$(PYTHON) -m venv --clear $(VENV)
	$(PY) -m pip install --quiet --upgrade --constraint requirements.lock pip
	$(PY) -m pip install --quiet --no-deps --requirement requirements.lock
	$(PY) -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
