# load: no verdict depends on how busy the machine is.

TEST_PARTS += test-load

.PHONY: test-load
test-load: ## the same reports on a busy machine, and no grade on one without time
test-load: grader-tools vgpucc $(BUILD)/grading/tests/starved-grader
	@BUILD='$(BUILD)' tests/load/starved
	@BUILD='$(BUILD)' tests/load/run $(test_sample)
