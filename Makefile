# The house's doors. `make run` and `make test` need nothing done by hand before them; set-up/ does the work.
# PYTHON=/path/to/python3 picks the interpreter that .venv is made with.
SHELL := /bin/bash
PYTHON ?= python3
ARGS ?=
export PYTHON

.PHONY: help run test tools setup style types arrows web tests soak bench wheels aarch64 format lock clean

help: ## say what can be made
	@sed -nE 's/^([a-z0-9]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 16

run: ## set everything up and open a simulated final (ARGS goes to `mafia-table demo`)
	@set-up/prepare run
	@exec .venv/bin/mafia-table demo $(ARGS)

test: ## set everything up and run every check and test
	@set-up/prepare test
	@set-up/verify

setup: ## only put in place what the tests need
	@set-up/prepare test

tools:
	@set-up/prepare tools

style: tools ## ruff
types: tools ## pyright, strict
arrows: tools ## which room imports which
web: tools ## the pages' style, types and tests
tests: setup ## pytest
style types arrows web tests:
	@set-up/verify $@

soak: setup ## the tests that play for hours
	@.venv/bin/python -m pytest -m soak

# One module a line; each prints its figures and ends with a status other than 0 if a promise is not kept.
BENCHES = \
	tests.firmware_bridge.placement \
	tests.record.bench \
	tests.scenes.bench \
	tests.sound.bench \
	tests.service.bench \
	tests.service.bench_crowd \
	tests.service.bench_relays \
	tests.overlay.bench \
	tests.service.keeping

bench: setup ## print the figures that the design promises; fails if one is not kept
	@kept=0; for each in $(BENCHES); do .venv/bin/python -m $$each || kept=1; done; exit $$kept

wheels: setup ## ask whether all that a table needs can be had for 64-bit Raspberry Pi OS without a compiler
	@.venv/bin/python -m tests.house.wheels

aarch64: setup ## the suite's core on 64-bit ARM under qemu-user
	@set-up/aarch64

format: tools ## put every file into its one form
	@.venv/bin/ruff check --fix-only --quiet .
	@.venv/bin/ruff format .
	@PATH="$(CURDIR)/.venv/bin:$$PATH" npm --prefix overlay run --silent restyle

lock: ## write the lock files anew from the ranges (UPGRADE=1 takes the newest versions)
	@set-up/lock

clean: ## remove all that set-up and the builds made
	@rm -rf .venv .set-up .tools overlay/node_modules overlay/dist
