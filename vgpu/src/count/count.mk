# count.mk: the counters' vector file, compiled once for each instruction set, as the executor's are
# (core/flags.mk), and the reader of reports. vgpu/module.mk includes this and adds
# VGPU_COUNT_VECTOR_OBJS to the library.

VGPU_COUNT_VECTOR      := lanes
VGPU_COUNT_VECTOR_OBJS := $(foreach \
    isa,$(VGPU_CORE_ISAS),$(BUILD)/obj/vgpu/src/count/lanes.$(isa).o)
# The report names the checkers' findings, whichever checkers the library has.
VGPU_COUNT_VECTOR_OBJS += $(BUILD)/obj/vgpu/src/check/findings.o

# The reader of reports.
VGPU_REPORT_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard vgpu/tools/vgpu-report*.c))
$(BUILD)/bin/vgpu-report: $(VGPU_REPORT_OBJ) $(BUILD)/lib/libvgpu-parts.a
	$(call needs,jansson)
	@mkdir -p $(@D)
	$(LINK) $(VGPU_REPORT_OBJ) $(BUILD)/lib/libvgpu-parts.a $(JANSSON_LIBS) $(SYSLIBS) -o $@

.PHONY: vgpu-report
vgpu-report: ## students: build the reader of VGPU_REPORT, build/bin/vgpu-report
vgpu-report: $(BUILD)/bin/vgpu-report

# The comparison with a real GPU: vgpu/tools/fidelity/README.md.
GPU_TSV ?= vgpu/tools/fidelity/h200.tsv
.PHONY: fidelity
fidelity: ## counters and results beside a real GPU's; PROGRAMS=DIR: what programs print
fidelity: $(BUILD)/bin/vgpucc $(BUILD)/bin/vgpu-report $(BUILD)/lib/libvgpu.a \
          $(if $(PROGRAMS),$(BUILD)/bin/gpu-probe)
	$(if $(PROGRAMS),@$(BUILD)/bin/gpu-probe && vgpu/tools/fidelity/programs $(BUILD)/bin/vgpucc \
	    $(call quoted,$(TOOLKIT_NVCC)) $(call quoted,$(PROGRAMS)), \
	    @vgpu/tools/fidelity/run-vgpu $(BUILD) $(BUILD)/vgpu.tsv)
	$(if $(PROGRAMS),,@vgpu/tools/fidelity/table \
	    $(if $(wildcard $(GPU_TSV)),$(GPU_TSV),/dev/null) $(BUILD)/vgpu.tsv)

.PHONY: test-fidelity-programs
test-fidelity-programs: vgpucc
	@vgpu/tests/count/fidelity_programs $(BUILD)/bin/vgpucc

test-vgpu: test-fidelity-programs

# ---- tests ----

VGPU_COUNT_TESTS := parts kernels exact report
$(VGPU_COUNT_TESTS:%=$(BUILD)/obj/vgpu/tests/count/%_test.o): EXTRA_CFLAGS += \
	-DVGPU_COUNT_TESTS='"$(ROOT)/vgpu/tests/count"'
UNIT_TESTS += $(VGPU_COUNT_TESTS:%=vgpu/tests/count/%)
# The products whose counters are known from hardware, as this machine's clang compiles them.
VGPU_COUNT_SIX := $(BUILD)/count/six.ptx
$(VGPU_COUNT_SIX): vgpu/tests/count/six.cu $(BUILD)/bin/vgpucc
	@mkdir -p $(@D)
	$(BUILD)/bin/vgpucc -S -o $@ $<
$(BUILD)/obj/vgpu/tests/count/kernels_test.o: EXTRA_CFLAGS += \
	-DVGPU_COUNT_SIX='"$(abspath $(VGPU_COUNT_SIX))"'
$(BUILD)/vgpu/tests/count/kernels_test: | $(VGPU_COUNT_SIX)
$(foreach t,$(VGPU_COUNT_TESTS:%=vgpu/tests/count/%),$(eval $(t)_LIBS := \
    $(BUILD)/lib/libvgpu-parts.a) \
    $(eval $(t)_SYSLIBS = $$(VGPU_SYSLIBS)))
vgpu/tests/count/report_SYSLIBS = $(VGPU_SYSLIBS) $(JANSSON_LIBS)

.PHONY: test-vgpu-report
test-vgpu-report: $(BUILD)/bin/vgpu-report ## what build/bin/vgpu-report prints
	vgpu/tests/count/report-golden $<
	vgpu/tests/count/report-colours $<

test-vgpu: test-vgpu-report
