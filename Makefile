# Two commands do everything, dependencies included: `make serve` and `make test`.

PYTHON := $(or $(PYTHON),$(shell command -v python3))
SITE_URL ?=
PYTEST_ARGS ?=
# Tests run on every core, half as many workers again as there are, unless PYTEST_ARGS says otherwise (`-n 0`).
PARALLEL := -n auto --dist worksteal
# What `make quick` tests
CALC ?= checkpoint
DERIVED := $(addprefix tests/derived/test_,published_cases.py examples.py properties.py units_of_results.py \
	ranges_of_inputs.py links_of_earlier_versions.py doctests.py) tests/declare/test_declare.py tests/test_library.py \
	tests/vocabulary

# What the bootstrap installed comes first; that matters for Node, where the system has none.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
export SITE_URL
# What Python compiled once it keeps, whatever the machine's habit: five seconds for each process that collects
# the tests, half a second for each that builds or computes.
unexport PYTHONDONTWRITEBYTECODE

PYTHON_READY := .venv/.ready
NODE_READY := node_modules/.ready
BENCH_READY := tooling/bench/node_modules/.ready
MUTANTS_READY := .cache/mutants/.ready
TRANSFORMERS_READY := .cache/transformers/.ready
# Which torch `make test-transformers` takes: its build for processors alone; where that cannot be had, the usual one
TORCH ?= --torch-backend cpu
# What `make mutants` changes by default
MODULES ?= $(shell find calculators -name '*.py' ! -name '__init__.py')

.PHONY: help serve build archive quick test test-firefox test-webkit test-transformers bench check coverage soak soak-slider mutants format browser pins clean
.DELETE_ON_ERROR:

help:  ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: $(NODE_READY)  ## Build the site, serve it on http://127.0.0.1:8000/, rebuild and reload on every save
	.venv/bin/python build.py serve

build: $(NODE_READY)  ## Build the site into site/
	.venv/bin/python build.py build

archive: build  ## Pack that site into one zip under dist/, to unpack and serve anywhere
	.venv/bin/python build.py archive

quick: $(NODE_READY)  ## Run the tests of one calculator, in seconds (CALC=kv_cache)
	.venv/bin/python -m pytest -q -n 0 $(wildcard tests/subjects/*/$(CALC)) $(DERIVED) -k "$(CALC)" $(PYTEST_ARGS)

test: $(NODE_READY)  ## Run every test, with Chromium, and the core in Firefox and WebKit (PYTEST_ARGS="-k link")
	@.venv/bin/python -m tooling.suite -- $(PARALLEL) $(PYTEST_ARGS)

test-firefox: $(NODE_READY)  ## Run the core of the browser tests in Firefox (obtained if it can be)
	@.venv/bin/python -m tooling.suite firefox -- $(PARALLEL) $(PYTEST_ARGS)

test-webkit: $(NODE_READY)  ## Run the core of the browser tests in WebKitGTK (Linux; obtained if it can be)
	@.venv/bin/python -m tooling.suite webkit -- $(PARALLEL) $(PYTEST_ARGS)

bench: $(NODE_READY) $(BENCH_READY) browser  ## Print the figures that DESIGN's budgets limit
	.venv/bin/python -m tooling.bench

check: $(NODE_READY)  ## Lint, formatting and types, of Python and TypeScript; and that no number changed without its line
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	node_modules/.bin/tsc
	.venv/bin/python -m tooling.ledger --check
	.venv/bin/python -m tooling.habits

coverage: $(NODE_READY)  ## Run the tests that need no browser, and print which branches of the calculators they take
	EVERY=1 .venv/bin/python -m pytest -q -n auto --dist worksteal --cov=calculators --cov-branch --cov-report=term:skip-covered \
		--ignore=tests/browser $(PYTEST_ARGS)

soak: $(NODE_READY)  ## Look at states by chance, and at what must hold in each (MINUTES=10 SEED=7)
	.venv/bin/python -m tests.soak --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED))

soak-slider: build browser  ## Move one page's sliders without pause, and print what grows (MINUTES=60 SLOWED=4 PAGE=machine/)
	.venv/bin/python -m tests.soak.slider --minutes $(or $(MINUTES),60) --slowed $(or $(SLOWED),1) $(if $(PAGE),--page $(PAGE))

mutants: $(NODE_READY) $(MUTANTS_READY)  ## See whether the tests notice changes of the arithmetic (MODULES="calculators/units/reading.py")
	.venv/bin/python -m tooling.mutants $(MODULES)

test-transformers: $(TRANSFORMERS_READY)  ## See whether configurations are read as transformers reads them, to the parameter
	PYTHONPATH=. .cache/transformers/bin/python tooling/transformers/with_transformers.py

format: $(PYTHON_READY)  ## Format the Python, and fix what ruff can fix
	.venv/bin/ruff check --fix-only .
	.venv/bin/ruff format .

browser: $(PYTHON_READY)
	@.venv/bin/python -m tooling.browsers

# After an edit of requirements.in or tooling/node.in: resolve them again, as far forward as they allow.
pins: $(PYTHON_READY)  ## Renew requirements.txt and tooling/node.txt
	.venv/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-annotate --custom-compile-command "make pins" requirements.in --output-file requirements.txt
	.venv/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-annotate --custom-compile-command "make pins" tooling/node.in --output-file tooling/node.txt
	.venv/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-annotate --custom-compile-command "make pins" tooling/mutants.in --output-file tooling/mutants.txt

clean:  ## Delete everything that was built or installed
	rm -rf site dist .cache .venv node_modules tooling/bench/node_modules bench.json
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(PYTHON_READY): requirements.txt tooling/bootstrap.py
	$(PYTHON) tooling/bootstrap.py python
	@touch $@

$(NODE_READY): $(PYTHON_READY) package.json package-lock.json .npmrc tooling/node.txt
	$(PYTHON) tooling/bootstrap.py node
	@touch $@

$(BENCH_READY): $(NODE_READY) tooling/bench/package-lock.json
	cd tooling/bench && npm ci --ignore-scripts --loglevel=error
	@touch $@

$(MUTANTS_READY): $(PYTHON_READY) tooling/mutants.txt
	.venv/bin/uv venv --quiet --clear .cache/mutants
	.venv/bin/uv pip sync --quiet --python .cache/mutants/bin/python --require-hashes tooling/mutants.txt
	@touch $@

$(TRANSFORMERS_READY): $(PYTHON_READY) tooling/transformers/transformers.in
	.venv/bin/uv venv --quiet --clear .cache/transformers
	.venv/bin/uv pip install --quiet --python .cache/transformers/bin/python $(TORCH) -r tooling/transformers/transformers.in || \
		.venv/bin/uv pip install --quiet --python .cache/transformers/bin/python -r tooling/transformers/transformers.in
	@touch $@
