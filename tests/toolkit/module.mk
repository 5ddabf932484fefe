# tests/toolkit: what becomes of a CUDA toolkit that is broken, lacks parts or lies somewhere
# unusual.

TEST_PARTS += test-toolkit

.PHONY: test-toolkit
test-toolkit: ## broken and partial CUDA toolkits: what is said, and that the virtual GPU takes over
test-toolkit: grader-tools $(BUILD)/vgpu/lab3
	@BUILD='$(BUILD)' tests/toolkit/run $(test_sample)
