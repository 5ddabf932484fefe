# CUDA matmul lab kit. `make` alone prints what there is to make.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
# One short line a file; V=1 shows the commands.
ifndef V
MAKEFLAGS += --silent
endif

include mk/config.mk
include vgpu/module.mk
include vgpu/bench/bench.mk
include common/module.mk
include grading/module.mk
include labs/module.mk
include bench/module.mk
include handouts/module.mk
include tests/module.mk
include mk/setup.mk
include mk/help.mk

.PHONY: clean
clean: ## remove everything that was built
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
