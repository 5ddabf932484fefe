# check.mk: the checkers. vgpu/module.mk includes this and adds VGPU_CHECK_OBJS to the library.
#
# race_runs.c and race_merge.c are compiled once for each instruction set, as the executor's vector
# files are; needs vgpu/src/core/flags.mk read before.

VGPU_CHECK_VECTOR := race_runs race_merge
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

# Our reader of line tables beside libdw's, on one sample in each version of DWARF.
LINES_SAMPLES := $(foreach v,2 3 4 5,sample_$(v)) $(if $(CLANGXX),sample_clang_4 sample_clang_5)
LINES_SAMPLES := $(LINES_SAMPLES:%=$(BUILD)/obj/vgpu/tests/check/%.o)
UNIT_TESTS += $(if $(filter dw,$(HAVE)),vgpu/tests/check/lines)
vgpu/tests/check/lines_LIBS = $(LINES_SAMPLES) $(BUILD)/obj/vgpu/src/check/caller.o \
    $(BUILD)/obj/vgpu/src/check/line_table.o
vgpu/tests/check/lines_SYSLIBS = $(DW_LIBS)
$(BUILD)/obj/vgpu/tests/check/lines_test.o: EXTRA_CFLAGS += $(if $(CLANGXX),-DWITH_CLANG)

$(LINES_SAMPLES): $(BUILD)/obj/vgpu/tests/check/sample_%.o: vgpu/tests/check/lines_sample.c
	@mkdir -p $(@D)
	$(if $(findstring clang,$*),$(CLANGXX) -x c,$(CC)) -O1 -fPIC -g -gdwarf-$(lastword \
	    $(subst _, ,$*)) -DSAMPLE=sample_$* -c $< -o $@

.PHONY: test-check
test-check: vgpucc ## programs with mistakes, and without: what the checkers say of them
	vgpu/tests/check/run $(BUILD)/bin/vgpucc

test-vgpu: test-check
