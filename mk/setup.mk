# setup.mk: installing what is missing. tools/setup does it, so that it works without make, too.

.PHONY: setup setup-tests
setup: ## students: install what is missing, with the system's package manager
	@tools/setup

setup-tests: ## the same, and what the tests need
	@tools/setup tests
