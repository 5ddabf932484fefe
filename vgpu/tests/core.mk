# core.mk: tests of the executor (vgpu/src/core). vgpu/module.mk includes this.

PTXRUN := $(BUILD)/bin/ptxrun
$(PTXRUN): $(BUILD)/obj/vgpu/tools/ptxrun.o $(BUILD)/obj/vgpu/tools/ptxrun_vgpu.o \
    $(BUILD)/lib/libvgpu-parts.a
	@mkdir -p $(@D)
	$(LINK) $^ $(VGPU_SYSLIBS) $(SYSLIBS) -o $@

# The same on a real GPU: the tests' expected results held against hardware.
$(BUILD)/bin/ptxrun-gpu: $(BUILD)/obj/vgpu/tools/ptxrun.o $(BUILD)/obj/vgpu/tools/ptxrun_gpu.o
	@mkdir -p $(@D)
	$(LINK) $^ -ldl $(SYSLIBS) -o $@

# The tests of PTX instructions: most are rules, written as files here (vgpu/tests/ptx/make.py).
PTX_FOLDER := $(BUILD)/ptx
PTX_TESTS  := $(PTX_FOLDER)/gpu
$(PTX_TESTS): $(wildcard vgpu/tests/ptx/*.py vgpu/tests/ptx/*.ptx vgpu/tests/ptx/*.expected) \
    vgpu/tests/ptx/lacking vgpu/tests/ptx/recorded
	$(call needs,python3)
	@echo "  PTX   $(@D)"
	@PYTHONDONTWRITEBYTECODE=1 python3 vgpu/tests/ptx/make.py $(@D)

# Not the files that say `// gpu: no`: faults and refusals, whose messages are the virtual GPU's
# own, functions only it has, and what hardware leaves to chance.
PTX_ON_GPU = $$(grep -L '^// gpu: no' $(PTX_FOLDER)/*.ptx)
.PHONY: test-ptx-gpu record-ptx-gpu
test-ptx-gpu: ## hold the expected results of vgpu/tests/ptx against this machine's GPU
test-ptx-gpu: $(BUILD)/bin/ptxrun-gpu $(PTX_TESTS)
	@vgpu/tests/ptx/run $(BUILD)/bin/ptxrun-gpu $(PTX_ON_GPU)
record-ptx-gpu: ## write the expected results of vgpu/tests/ptx as this machine's GPU gives them
record-ptx-gpu: $(BUILD)/bin/ptxrun-gpu $(PTX_TESTS)
	@PYTHONDONTWRITEBYTECODE=1 vgpu/tests/ptx/record.py $(BUILD)/bin/ptxrun-gpu $(PTX_FOLDER)

VGPU_CORE_TESTS := $(addprefix vgpu/tests/,core_parse core_opcodes core_cfg core_loops core_names \
    core_simt core_mutation core_coverage)
UNIT_TESTS += $(VGPU_CORE_TESTS)
$(foreach t,$(VGPU_CORE_TESTS),$(eval $(t)_LIBS := $(BUILD)/lib/libvgpu-parts.a)$(eval \
    $(t)_SYSLIBS := $(VGPU_SYSLIBS)))
$(BUILD)/obj/vgpu/tests/core_coverage_test.o $(BUILD)/obj/vgpu/tests/core_mutation_test.o: \
    EXTRA_CFLAGS += -DVGPU_PTX_TESTS='"$(PTX_FOLDER)"'
$(BUILD)/vgpu/tests/core_coverage_test $(BUILD)/vgpu/tests/core_mutation_test: | $(PTX_TESTS)
vgpu/tests/core_simt_LIBS     := $(BUILD)/obj/vgpu/tests/core_simt_program.o \
    $(vgpu/tests/core_simt_LIBS)
vgpu/tests/core_mutation_LIBS := $(BUILD)/obj/vgpu/tests/fuzz/run_ptx.o \
    $(vgpu/tests/core_mutation_LIBS)

# Every instruction set the executor has code for: one the processor lacks gives the next smaller
# one.
PTX_ISAS ?= base avx2 avx512
.PHONY: test-ptx
test-ptx: $(PTXRUN) $(PTX_TESTS)
test-ptx: ## run the tests of PTX instructions, vgpu/tests/ptx, with each instruction set
	@failed=0; for isa in $(PTX_ISAS); do \
	    echo "ptx tests, VGPU_ISA=$$isa"; VGPU_ISA=$$isa vgpu/tests/ptx/run $(PTXRUN) \
	        $(PTX_FOLDER)/*.ptx || failed=1; \
	    done; exit $$failed

# libFuzzer comes with clang. Seeds are the tests' kernels, one by one; what it finds stays in
# $(BUILD)/fuzz/corpus, crashes in $(BUILD)/fuzz. A wait at an mbarrier that nobody completes takes
# some seconds until it is told, on a busy machine by the clock far more.
FUZZ_CC      ?= $(call first_of,clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14)
FUZZ_SECONDS ?= 300
FUZZ_FLAGS   := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer

$(BUILD)/bin/fuzz-ptx: $(BUILD)/obj/vgpu/tests/fuzz/fuzz_ptx.o \
    $(BUILD)/obj/vgpu/tests/fuzz/run_ptx.o $(BUILD)/lib/libvgpu-parts.a
	@mkdir -p $(@D)
	$(CC) -fsanitize=fuzzer $(SANFLAGS) $^ $(VGPU_SYSLIBS) $(SYSLIBS) -o $@

.PHONY: fuzz-ptx
fuzz-ptx: $(PTX_TESTS)
fuzz-ptx: ## feed the executor damaged PTX for FUZZ_SECONDS seconds (needs clang)
	$(call need,$(FUZZ_CC),clang with libFuzzer,clang)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz CC=$(FUZZ_CC) OPT='-O1 -g' SAN=1 \
	    SANFLAGS='-fsanitize=fuzzer-no-link $(FUZZ_FLAGS)' $(BUILD)/fuzz/bin/fuzz-ptx
	@mkdir -p $(BUILD)/fuzz/seeds $(BUILD)/fuzz/corpus
	@awk -v out=$(BUILD)/fuzz/seeds -v words=$(BUILD)/fuzz/ptx.dict \
	    -f vgpu/tests/fuzz/seeds.awk $(PTX_FOLDER)/*.ptx
	cd $(BUILD)/fuzz && bin/fuzz-ptx -max_total_time=$(FUZZ_SECONDS) -max_len=6000 -timeout=300 \
	    -rss_limit_mb=3000 -dict=ptx.dict corpus seeds
