# common: what the labs, the lab programs and the grader share.
#
#   $(BUILD)/lib/libcommon.a       matrices, reference, judge, timing, the command line of a lab
#                                  program; needs no CUDA. Link with $(COMMON_LIBS).
#   $(BUILD)/BACKEND/librunner.a   the rest of a lab program: what calls CUDA, once per backend
#   $(BUILD)/bin/gpu-probe         which GPU answers, if any

COMMON_LIB  := $(BUILD)/lib/libcommon.a
COMMON_LIBS := $(if $(HAVE_CBLAS),$(LIBRARY_PATHS) $(CBLAS_LIBS))
COMMON_SRC  := matrix compare reference lab_product timing host_memory runner_options graph ways \
               explore_options explore_plot

# Blocked loops need the vectoriser; the CBLAS is there or not.
$(BUILD)/obj/common/reference.o: EXTRA_CFLAGS += -O3 $(if $(HAVE_CBLAS),-DHAVE_CBLAS)

$(COMMON_LIB): $(COMMON_SRC:%=$(BUILD)/obj/common/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	@echo "  AR    $@"
	$(AR) rcs $@ $^

RUNNER_SRC := runner runner_device launch_record timing_cuda \
              explore explore_device explore_paths explore_pascal explore_largest explore_sweep

$(addprefix $(BUILD)/obj/,vgpu-backend/common/%.o gpu-backend/common/%.o common/explore%.o): \
    OPT = $(OPT_COLD)

# What is said there of "multiply, then add" must be compiled so.
$(BUILD)/obj/vgpu-backend/common/explore_pascal.o \
    $(BUILD)/obj/gpu-backend/common/explore_pascal.o: \
    EXTRA_CFLAGS += -ffp-contract=off

$(BUILD)/obj/vgpu-backend/%.o: %.c
	$(call starts,CC,$<)
	$(COMPILE) -isystem $(ROOT)/vgpu/include -MMD -MP -c $< -o $@

$(BUILD)/obj/gpu-backend/%.o: %.c $(TOOLKIT_FACTS)
	$(need_toolkit)
	$(call starts,CC,$<)
	$(COMPILE) $(TOOLKIT_CFLAGS) -MMD -MP -c $< -o $@

define runner_library
$(BUILD)/$(1)/librunner.a: $(RUNNER_SRC:%=$(BUILD)/obj/$(1)-backend/common/%.o)
	@mkdir -p $$(@D)
	@rm -f $$@
	@echo "  AR    $$@"
	$(AR) rcs $$@ $$^
endef
$(foreach b,vgpu gpu,$(eval $(call runner_library,$(b))))

$(BUILD)/bin/gpu-probe: $(BUILD)/obj/common/gpu_probe.o
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(LINK) $< -ldl -o $@

COMMON_TESTS := matrix reference lab_product compare tolerance runner_options timing graph explore
UNIT_TESTS += $(addprefix common/tests/,$(COMMON_TESTS))
define common_test
common/tests/$(1)_LIBS    := $(COMMON_LIB)
common/tests/$(1)_SYSLIBS := $(COMMON_LIBS)
endef
$(foreach t,$(COMMON_TESTS),$(eval $(call common_test,$(t))))

# The parsers of what a student writes, under libFuzzer (make fuzz builds it).
$(BUILD)/fuzz/graph: common/tests/fuzz_graph.c common/graph.c common/explore_plot.c common/timing.c
	$(call needs,clang)
	@mkdir -p $(@D)
	$(patsubst %clang++,%clang,$(subst clang++-,clang-,$(CLANGXX))) -std=gnu11 -D_GNU_SOURCE -g -O1 \
	    -fsanitize=fuzzer,address,undefined -I$(ROOT) $^ -lm -o $@

fuzz: $(BUILD)/fuzz/graph
