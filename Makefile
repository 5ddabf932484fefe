# CUDA matmul lab kit. `make` alone prints what there is to make.
#
# Typed by a person, make only starts tools/build: that looks for what is missing, takes the lock,
# and starts make again with the makefiles below (KIT_STAGE: mk/stages.mk). make -n, -p, -q and -t
# read them at once.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
LETTERS := $(firstword $(filter-out --%,-$(MAKEFLAGS)))
DIRECT  := $(or $(KIT_STAGE),$(strip $(foreach f,n p q t,$(findstring $f,$(LETTERS)))))
MAKEFLAGS += --no-builtin-rules
# One short line a file; V=1 shows the commands.
ifndef V
MAKEFLAGS += --silent
endif

# Whoever may not write to the kit builds in a folder of their own. A BUILD that was given is named
# in what make advises next.
ifeq ($(origin BUILD),undefined)
BUILD := $(or $(shell tools/place build),build)
else ifndef KIT_STAGE
export KIT_SAID := $(filter-out build $(CURDIR)/build,$(BUILD))
endif
ifneq ($(words $(BUILD)),1)
$(error BUILD='$(BUILD)': make cannot hold blanks in the name of its build folder)
endif
ifeq ($(origin SUBMISSION),command line)
$(error SUBMISSION is the grader's word (./grader lab3 --submission FILE): with make it is SRC, $\
    as in make lab3 SRC='$(SUBMISSION)')
endif

# Goals that build and do nothing else.
BUILD_GOALS := lab% device vgpucc grader-tools vgpu-report answer-key handouts handouts-html \
               handouts-figures films site texts solutions-programs bench-programs-gpu \
               bench-programs-vgpu fuzz \
               test-programs san-programs $(BUILD)/%

ifeq ($(DIRECT),)

GOALS := $(or $(MAKECMDGOALS),$(.DEFAULT_GOAL))

# What tests the kit, or is made of the kit alone: courses and students' archives have none of it.
KITS_GOALS := course fidelity fuzz fuzz-ptx lint record-ptx-gpu release selfcheck test test-%
ifeq ($(wildcard tests/module.mk),)
ifneq ($(filter $(KITS_GOALS),$(GOALS)),)
$(error make $(firstword $(filter $(KITS_GOALS),$(GOALS))) is for the kit itself, and this folder $\
    was made from it, without its tests: run it in the kit, or 'make help' for what there is here)
endif
endif

.PHONY: $(GOALS)
$(firstword $(GOALS)):
	+@export BUILD='$(BUILD)' KIT_BUILDS='$(filter $(BUILD_GOALS),$(GOALS))' && exec \
	    tools/build '$(MAKE)' $(GOALS:%='%')
$(wordlist 2,$(words $(GOALS)),$(GOALS)): $(firstword $(GOALS)) ; @:

else

include mk/config.mk
include mk/version.mk
include mk/toolkit.mk
# Students' archives lack the folders in $(wildcard ...).
include vgpu/module.mk
include $(wildcard vgpu/bench/bench.mk)
include common/module.mk
include grading/module.mk
include labs/module.mk
include $(wildcard labs/exercises/module.mk)
include $(wildcard bench/module.mk)
include $(wildcard handouts/module.mk site/module.mk)
include $(wildcard solutions/questions/module.mk solutions/exam/module.mk)
include $(wildcard course/module.mk)
include $(wildcard tests/module.mk tests/load/module.mk tests/toolkit/module.mk)
include $(wildcard tools/vscode/module.mk)
include mk/setup.mk
include mk/install.mk
include $(wildcard mk/dist.mk mk/release.mk mk/lms.mk mk/make.mk)
include mk/help.mk
include mk/stages.mk

.PHONY: clean
clean: ## students: remove everything that was built
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

endif
