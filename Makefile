# Delegates only: every target is one command that can be typed.
.PHONY: help test race lint soak run benchmarks pages platforms ci

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

test: ## every test of every module
	go test work

race: ## the same under the race detector
	go test -race work

lint: ## formatting, vet, staticcheck
	.ci/lint

soak: ## an hour of mixed load
	go run ./gojaloop/cmd/soak

run: ## the quick tournament
	go run ./tournament/cmd/tournament run

benchmarks: ## make docs/results, their reports and the tables anew (a quiet machine, hours; see .ci/benchmarks)
	.ci/benchmarks

platforms: ## tests, matrix and quick tournament on other platforms, emulated where need be (some twenty minutes)
	scripts/platforms

pages: ## the tables and reports alone, from the results that are there
	.ci/benchmarks pages

ci: ## what a change has to pass
	.ci/run
