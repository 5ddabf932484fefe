# common: what the labs, the lab programs and the grader share.
#
#   $(BUILD)/lib/libcommon.a       matrices, reference, judge, timing, the command line of a lab
#                                  program; needs no CUDA. Link with $(COMMON_LIBS).
#   $(BUILD)/BACKEND/librunner.a   the rest of a lab program: what calls CUDA, once per backend
#   $(BUILD)/bin/gpu-probe         which GPU answers, if any

COMMON_LIB  := $(BUILD)/lib/libcommon.a
COMMON_LIBS := $(if $(HAVE_CBLAS),$(CBLAS_LIBS))
COMMON_SRC  := matrix compare reference timing host_memory runner_options

# Blocked loops need the vectoriser; the CBLAS is there or not.
$(BUILD)/obj/common/reference.o: EXTRA_CFLAGS += -O3 $(if $(HAVE_CBLAS),-DHAVE_CBLAS)

$(COMMON_LIB): $(COMMON_SRC:%=$(BUILD)/obj/common/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	@echo "  AR    $@"
	$(AR) rcs $@ $^

RUNNER_SRC := runner runner_device launch_watch timing_cuda

$(BUILD)/obj/vgpu-backend/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(CC) $(CFLAGS) -isystem $(ROOT)/vgpu/include $(EXTRA_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/obj/gpu-backend/%.o: %.c
	$(call need,$(NVCC),nvcc,the CUDA toolkit (or use BACKEND=vgpu))
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(CC) $(CFLAGS) -isystem $(CUDA_HOME)/include $(EXTRA_CFLAGS) -MMD -MP -c $< -o $@

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
	$(CC) $(LDFLAGS) $< -ldl -o $@

UNIT_TESTS += $(addprefix common/tests/,matrix reference compare runner_options timing)
define common_test
common/tests/$(1)_LIBS    := $(COMMON_LIB)
common/tests/$(1)_SYSLIBS := $(COMMON_LIBS)
endef
$(foreach t,matrix reference compare runner_options timing,$(eval $(call common_test,$(t))))
