# exercises: small programs that check what a student writes into them.
#
#   make exercise-events               builds labs/exercises/events.cu, and runs it
#   make exercise-events SRC=my.cu     ... another file
#   make exercise-width-1000 ARGS=200  with arguments
#   make exercises                     which there are
#
# A program is one file; BACKEND means what it means for labs.

EXERCISES := $(sort $(basename $(notdir $(wildcard labs/exercises/*.cu solutions/exercises/*.cu))))
EXERCISE_SOLUTIONS := $(patsubst solutions/%,%,$(wildcard solutions/exercises/*.cu))
EXERCISE_GOALS := $(EXERCISES:%=exercise-%)
EXERCISE_INCLUDES := -I'$(ROOT)/common' -I'$(ROOT)/labs/exercises'
RUN_GOALS += $(EXERCISE_GOALS)

define exercise_vgpu
$(VGPUCC) $(LAB_VGPU_FLAGS) -Wall -Wextra $(EXERCISE_INCLUDES) -o $@ "$$src"
endef
define exercise_gpu
$(call quoted,$(TOOLKIT_NVCC)) -O3 -lineinfo $(GPU_FLAGS) -Xcudafe --diag_suppress=177 \
    $(EXERCISE_INCLUDES) -o $@ "$$src"
endef

# What SRC names is no prerequisite: a program of its own, built whenever it is run.
define exercise_rules
$(BUILD)/$(1)/exercises/%-src: FORCE $(needs_$(1)_link) | $(prepares_$(1)_compile)
	$$(call ready_$(1),exercises)
	@mkdir -p $$(@D)
	@src=$$$$SRC; test -r "$$$$src" || { echo "make: cannot read $$$$src" >&2; exit 1; }; \
	    printf '  CU    %s\n' "$$$$src"; $(if $(V),set -x;) $$(exercise_$(1))

$(BUILD)/$(1)/exercises/%: labs/exercises/%.cu labs/exercises/exercise.h common/cuda_check.h \
    $(needs_$(1)_link) | $(prepares_$(1)_compile)
	$$(call ready_$(1),exercises)
	@mkdir -p $$(@D)
	@src=$$<; printf '  CU    %s\n' "$$$$src"; $(if $(V),set -x;) $$(exercise_$(1))
endef
$(foreach b,vgpu gpu,$(eval $(call exercise_rules,$(b))))

.PHONY: exercises $(EXERCISE_GOALS)
# What has not come true yet is no fault of make: its last line says so.
exercise_waits = $(if $(filter build,$(KIT_STAGE)),$(needs_$(LAB_BACKEND)_link),$\
    $(BUILD)/$(LAB_BACKEND)/exercises/%-src)
$(EXERCISE_GOALS): exercise-%: $(if $(LAB_SRC),$(exercise_waits),$\
    $(BUILD)/$(LAB_BACKEND)/exercises/%)
	@$(BUILD)/$(LAB_BACKEND)/exercises/$*$(if $(LAB_SRC),-src) $(ARGS) || { \
	    status=$$?; test $$status -eq 1 || exit $$status; \
	    echo "Edit $(if $(LAB_SRC),$(SRC),labs/exercises/$*.cu), then make $@ again."; }

exercises: ## students: list the exercises (make exercise-NAME builds and runs one)
	@for f in $(wildcard labs/exercises/*.cu); do \
	    sed -n '1s|^// Exercise "\(.*\)": *|make exercise-\1: |p' "$$f"; done

exercise-NAME: ## students: build exercise NAME (make exercises lists them), and run it
	@echo "make: NAME stands for one of $(EXERCISES)" >&2; exit 2

# ---- tests ----

.PHONY: test-exercises
test-exercises: ## exercises: solutions pass, skeletons and mistakes do not
test-exercises: $(BUILD)/bin/vgpucc $(BUILD)/lib/libvgpu.a
	@BUILD='$(BUILD)' labs/tests/exercises-test.sh
