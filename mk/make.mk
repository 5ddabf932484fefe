# make.mk: tests of make itself.
TEST_PARTS += test-make test-shared

.PHONY: test-make test-shared
test-make: ## make as people use it: what is missing, cores, two at once, flags, slips
	@tests/make/run

test-shared: grader-tools vgpucc ## one kit, installed read-only, and two accounts that use it
	@BUILD='$(BUILD)' tests/shared/run
