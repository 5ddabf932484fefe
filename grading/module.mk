# grading: the grader, and the worker that it links with a submission.
#
#   $(BUILD)/bin/grader            the command behind ./grader
#   $(BUILD)/lib/libworker.a       main of the worker program, for the virtual GPU
#   $(BUILD)/lib/libworker-gpu.a   the same for the CUDA runtime, where a toolkit is installed

GRADER      := $(BUILD)/bin/grader
GRADING_SRC := text scratch sandbox child protocol labs cases submission symbols backend build run \
               judge shrink grade report report_text report_json standing cli
GRADING_LIB := $(BUILD)/lib/libgrading.a
GRADING_LIBS = $(COMMON_LIBS) $(JANSSON_LIBS)

$(BUILD)/obj/grading/src/backend.o: EXTRA_CFLAGS += -DGRADER_DEFAULT_ROOT='"$(ROOT)"'

$(GRADING_LIB): $(GRADING_SRC:%=$(BUILD)/obj/grading/src/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

$(GRADER): $(BUILD)/obj/grading/src/main.o $(GRADING_LIB) $(COMMON_LIB)
	$(call need,$(HAVE_JANSSON),jansson,the package libjansson-dev)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $^ $(GRADING_LIBS) $(SYSLIBS) -o $@

# The worker is linked with students' objects by vgpucc or nvcc: never instrumented.
WORKER_OBJ := grading/worker/worker.o grading/worker/buffers.o

$(WORKER_OBJ:%=$(BUILD)/obj/vgpu-backend/%) $(WORKER_OBJ:%=$(BUILD)/obj/gpu-backend/%): \
    CFLAGS := $(filter-out $(SANFLAGS),$(CFLAGS))

$(BUILD)/lib/libworker.a: $(WORKER_OBJ:%=$(BUILD)/obj/vgpu-backend/%)
$(BUILD)/lib/libworker-gpu.a: $(WORKER_OBJ:%=$(BUILD)/obj/gpu-backend/%)
$(BUILD)/lib/libworker.a $(BUILD)/lib/libworker-gpu.a:
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# Everything ./grader needs. The GPU's part only where there is a toolkit.
GRADER_TOOLS := $(GRADER) $(BUILD)/lib/libworker.a $(BUILD)/bin/vgpucc $(BUILD)/bin/gpu-probe
ifneq ($(NVCC),)
GRADER_TOOLS += $(BUILD)/lib/libworker-gpu.a
endif

.PHONY: grader-tools
grader-tools: $(GRADER_TOOLS) ## the grader and all it needs (./grader builds this by itself)
