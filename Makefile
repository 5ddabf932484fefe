# CUDA matmul lab kit. `make` alone prints what there is to make.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
# One short line a file; V=1 shows the commands.
ifndef V
MAKEFLAGS += --silent
endif

include mk/config.mk
# Students' archives lack the folders in $(wildcard ...).
include vgpu/module.mk
include $(wildcard vgpu/bench/bench.mk)
include common/module.mk
include grading/module.mk
include labs/module.mk
include $(wildcard bench/module.mk)
include $(wildcard handouts/module.mk)
include $(wildcard solutions/questions/module.mk)
include $(wildcard tests/module.mk)
include mk/setup.mk
include $(wildcard mk/dist.mk mk/lms.mk)
include mk/help.mk

.PHONY: clean
clean: ## remove everything that was built
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
