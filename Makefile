# Delegates only: every target is one command that can be typed.
.PHONY: help test race lint run check benchmarks platforms ci

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

test: ## every test of every module
	go test work

race: ## the same under the race detector
	go test -race work

lint: ## formatting, vet, staticcheck
	.ci/lint

run: ## the quick tournament
	go run ./tournament/cmd/tournament run

benchmarks: ## make docs/results and docs/benchmarks.md anew (a quiet machine, some ten minutes)
	.ci/benchmarks

platforms: ## tests, matrix and quick tournament on other platforms, emulated where need be (some twenty minutes)
	scripts/platforms

ci: ## what a change has to pass
	.ci/run
