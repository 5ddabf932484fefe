# make.mk: tests of make itself.
TEST_PARTS += test-make

.PHONY: test-make
test-make: ## make as people use it: what is missing, cores, two at once, flags, slips
	@tests/make/run
