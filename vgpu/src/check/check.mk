# check.mk: the checkers. vgpu/module.mk includes this and adds VGPU_CHECK_OBJS to the library.
#
# race_runs.c is compiled once for each instruction set, as the executor's vector files are; needs
# vgpu/src/core/flags.mk read before.

VGPU_CHECK_VECTOR := race_runs
VGPU_CHECK_SRC    := $(filter-out $(VGPU_CHECK_VECTOR:%=vgpu/src/check/%.c),$(wildcard \
    vgpu/src/check/*.c))
VGPU_CHECK_OBJS   := $(VGPU_CHECK_SRC:%.c=$(BUILD)/obj/%.o) \
                     $(foreach isa,$(VGPU_CORE_ISAS), \
                         $(VGPU_CHECK_VECTOR:%=$(BUILD)/obj/vgpu/src/check/%.$(isa).o))

# ---- tests ----

VGPU_CHECK_TESTS := race_random parts
UNIT_TESTS += $(VGPU_CHECK_TESTS:%=vgpu/tests/check/%)
$(foreach t,$(VGPU_CHECK_TESTS),$(eval vgpu/tests/check/$(t)_LIBS = \
    $(BUILD)/obj/vgpu/tests/check/fake.o $$(VGPU_PARTS))$(eval vgpu/tests/check/$(t)_SYSLIBS = \
    $$(VGPU_SYSLIBS)))

.PHONY: test-check
test-check: vgpucc ## programs with mistakes, and without: what the checkers say of them
	vgpu/tests/check/run $(BUILD)/bin/vgpucc

test-vgpu: test-check
