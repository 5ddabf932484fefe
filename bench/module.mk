# bench: how fast the labs are, on a GPU and on a CPU.
#
#   make bench                        every lab's solution and cuBLAS on this machine's GPU
#   make bench SRC=file.cu LAB=lab3   ... and a student's file, under that lab's rules
#   make bench PEERS=folder           ... and public kernels that lie there: see peers/README.md
#   make bench BENCH_ARGS='--max 4096 --cold'      options of bench-gpu: see --help
#   make bench-cpu [SRC=file.cu]      the CPU lab's solution, the naive loop and the BLAS
#   make bench-plots [BENCH_CSV=f]    the plots again, from a CSV; needs no GPU
#
# Everything is written into BENCH_OUT ($(BUILD)/bench).
#
#   $(BUILD)/gpu/bench-gpu, $(BUILD)/gpu/bench/labN.so   and the same under vgpu/, for the tests:
#   the virtual GPU runs the benchmark's own code, and its durations mean nothing.

BENCH_OUT ?= $(BUILD)/bench
BENCH_CSV ?= $(BENCH_OUT)/bench.csv
BENCH_LABS := $(filter-out $(LABS_CPU),$(patsubst %.cu,%,$(notdir $(SOLUTIONS))))
# A file is timed under the rules of a lab of tiles that takes any size, where no other is named.
LAB ?= $(lastword $(filter-out $(call labs_that,sizes,square-tiles),$(call labs_that,kernel,tiled)))

BENCH_PLAIN := stats shapes chip result table contender options
BENCH_GPU   := gpu_main gpu_device gpu_time product clocks cpu
BENCH_NAIVE := $(BUILD)/obj/bench/cpu_naive.o

$(BUILD)/obj/bench/cpu.o $(BUILD)/obj/gpu-backend/bench/cpu.o \
    $(BUILD)/obj/vgpu-backend/bench/cpu.o: \
    EXTRA_CFLAGS += $(if $(HAVE_CBLAS),-DHAVE_CBLAS)
# The loop everybody starts with, with the optimisation that lab 1 gets.
$(BENCH_NAIVE): EXTRA_CFLAGS += -O3 $(BENCH_NATIVE_C)

$(BUILD)/lib/libbench.a: $(BENCH_PLAIN:%=$(BUILD)/obj/bench/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	@echo "  AR    $@"
	$(AR) rcs $@ $^

# Public kernels that lie in PEERS, each under its name here up to the first "-": two kernels of one
# project lie in one folder. They are promised multiples of their tiles. Those that multiply TF32
# numbers three times are judged as lab 9 is.
peer_folder = $(firstword $(subst -, ,$(1)))
BENCH_PEERS := $(if $(PEERS),$(foreach p,$(patsubst bench/peers/%.cu,%,$(wildcard \
    bench/peers/*.cu)),$(if $(wildcard $(PEERS)/$(call peer_folder,$(p))),$(p))))
bench_peer = $(1):$(call with_commas,by128 $(filter 3xtf32,$(subst -, ,$(1))))

BENCH_LIBS := $(JANSSON_LIBS) $(COMMON_LIBS) -ldl $(SYSLIBS)

# The lab for the CPU, as gcc builds it, stands beside the others.
BENCH_CPU_LAB := $(firstword $(LABS_CPU))
BENCH_CPU_GCC := $(BENCH_CPU_LAB:%=$(BUILD)/bench/%-gcc.so)

# ---- On a GPU ----

define compile_bench_gpu
$(call quoted,$(TOOLKIT_NVCC)) -c -O3 $(GPU_FLAGS) -Xcompiler -Wall,-Wextra -I'$(ROOT)' -MMD -MP \
    -MF $(@:.o=.d) -MT $@ -o $@ $<
endef
define compile_bench_vgpu
$(VGPUCC) -c -O2 -Wall -Wextra -I'$(ROOT)' -o $@ $<
endef

# A lab's file as a shared library, with $more options. On the virtual GPU, what it calls is found
# in the program.
define library_gpu
$(call quoted,$(TOOLKIT_NVCC)) -shared -O3 -lineinfo $(GPU_FLAGS) $(GPU_NATIVE:%=-Xcompiler %) \
    -Xcompiler -fPIC,-Wall,-Wextra \
    -I'$(ROOT)/common' $$more -o $@ "$$src" -lcublas
endef
define library_vgpu
$(VGPUCC) -c -O2 -fPIC -ffp-contract=fast -Wall -Wextra -I'$(ROOT)/common' $$more \
    -o $@.o "$$src" && $(CC) -shared $@.o -o $@ -lstdc++
endef

define link_bench_gpu
$(need_cublas)
$(call quoted,$(TOOLKIT_NVCC)) $(SANFLAGS:%=-Xcompiler %) $(filter %.o,$^) $(filter %.a,$^) \
    $(BENCH_LIBS) -lcublas -o $@
endef
define link_bench_vgpu
$(VGPUCC) -Wl,--export-dynamic $(filter %.o,$^) $(filter-out %/libvgpu.a,$(filter %.a,$^)) \
    -Wl,--whole-archive \
    $(BUILD)/lib/libvgpu.a -Wl,--no-whole-archive $(BENCH_LIBS) -o $@
endef

define bench_rules
$(BUILD)/obj/$(1)-backend/bench/kernels.o: bench/kernels.cu bench/kernels.h $(needs_$(1)_compile)
	$$(ready_$(1))
	@mkdir -p $$(@D)
	@echo "  CU    $$<"
	$$(compile_bench_$(1))

$(BUILD)/$(1)/bench-gpu: $(BENCH_GPU:%=$(BUILD)/obj/$(1)-backend/bench/%.o) $(BENCH_NAIVE) \
    $(BUILD)/obj/$(1)-backend/bench/kernels.o $(BUILD)/lib/libbench.a $(COMMON_LIB) \
    $(needs_$(1)_link)
	$$(call needs,jansson)
	@mkdir -p $$(@D)
	@echo "  LD    $$@"
	$$(link_bench_$(1))

# Since make 4.4 what is expanded a second time comes last, and has its first % replaced alone.
$(BENCH_LABS:%=$(BUILD)/$(1)/bench/%.so): $(BUILD)/$(1)/bench/%.so: \
    $$$$(wildcard solutions/$$$$*-*/$$$$*.cu) $(LAB_HEADERS) $(needs_$(1)_compile)
	$$(ready_$(1))
	@mkdir -p $$(@D)
	@echo "  CU    $$(filter %.cu,$$^)"
	src=$$(filter %.cu,$$^); more=; $$(library_$(1))

$(BUILD)/$(1)/bench/yours.so: FORCE $(needs_$(1)_compile)
	$$(ready_$(1))
	@mkdir -p $$(@D)
	@test -r "$$$$SRC" || { echo "make: cannot read $$$$SRC" >&2; exit 1; }
	@printf '  CU    %s\n' "$$$$SRC"; src=$$$$SRC; more=; $$(library_$(1))

$(BENCH_PEERS:%=$(BUILD)/$(1)/bench/peers/%.so): $(BUILD)/$(1)/bench/peers/%.so: bench/peers/%.cu \
    $(needs_$(1)_compile)
	$$(ready_$(1))
	@mkdir -p $$(@D)
	@echo "  CU    $$<"
	src=$$<; folder='$(PEERS)/$$(call peer_folder,$$*)'; \
	more="-I$$$$folder -I$$$$folder/src -I$$$$folder/common -I$$$$folder/Common"; \
	more="$$$$more -I$$$$folder/include -w"; $$(library_$(1))

.PHONY: bench-programs-$(1)
bench-programs-$(1): $(BUILD)/$(1)/bench-gpu $(BENCH_LABS:%=$(BUILD)/$(1)/bench/%.so)
endef
.SECONDEXPANSION:
$(foreach b,gpu vgpu,$(eval $(call bench_rules,$(b))))

BENCH_GPU_LABS := $(filter-out $(LABS_TOO_NEW),$(BENCH_LABS))

# A lab as a contender, with the rules that follow from its descriptor (bench/contender.h):
# lab3:own,ratio,square32.
bench_rules = $(if $(filter naive tiled,$(call lab_fact,$(1),kernel)),ratio) $\
    $(if $(filter square-tiles,$(call lab_fact,$(1),sizes)),square$(call lab_fact,$(1),tile,32)) $\
    $(filter 3xtf32,$(call lab_fact,$(1),bound))
with_commas = $(subst $(subst ,, ),$(comma),$(strip $(1)))
bench_named = $(1):$(call with_commas,own $(call bench_rules,$(1)))
bench_yours = yours$(addprefix :,$(call with_commas,$(call bench_rules,$(1))))

# Without a GPU: one sentence, and status 2.
ifneq ($(filter bench,$(MAKECMDGOALS)),)
BENCH_WITHOUT := Without a GPU there are: make bench-cpu, make bench-plots
BENCH_STOP := $(if $(and $(TOOLKIT_NVCC),$(TOOLKIT_CUBLAS)),\
    $(if $(GPU_FLAGS),\
        $(if $(filter $(LAB),$(BENCH_LABS)),,LAB=$(LAB) is none of $(BENCH_LABS)),\
        bench needs an NVIDIA GPU$(comma) and none answers that this nvcc makes code for. \
        $(BENCH_WITHOUT)),\
    bench needs an NVIDIA GPU and nvcc (the CUDA toolkit) with cuBLAS. \
    $(or $(TOOLKIT_FAULT),$(TOOLKIT_FAULT_CUBLAS),There is no nvcc). $(BENCH_WITHOUT))
BENCH_STOP := $(strip $(BENCH_STOP))
endif
.PHONY: bench-possible
bench-possible:
	$(if $(BENCH_STOP),$(call stop,$(BENCH_STOP)))

.PHONY: bench
bench: bench-possible
bench: $(BUILD)/gpu/bench-gpu $(BENCH_GPU_LABS:%=$(BUILD)/gpu/bench/%.so) $(BENCH_CPU_GCC)
bench: $(if $(LAB_SRC),$(BUILD)/gpu/bench/yours.so) $(BENCH_PEERS:%=$(BUILD)/gpu/bench/peers/%.so)
bench: ## instructors: time every lab's solution, cuBLAS (and SRC=file.cu) on this machine's GPU
	@mkdir -p '$(BENCH_OUT)'
	$(if $(filter-out $(BENCH_GPU_LABS),$(BENCH_LABS)),@echo "make: compute capability" \
	    "$(GPU_ARCH) is too old for some labs; left out:" \
	    "$(filter-out $(BENCH_GPU_LABS),$(BENCH_LABS))")
	@status=0; $(BUILD)/gpu/bench-gpu --csv '$(BENCH_OUT)/bench.csv' --json '$(BENCH_OUT)/bench.json' \
	    $(if $(BENCH_CPU_GCC),--contender $(BENCH_CPU_LAB):cpu=$(BENCH_CPU_GCC)) \
	    $(foreach l,$(BENCH_GPU_LABS),--contender \
	        $(call bench_named,$(l))=$(BUILD)/gpu/bench/$(l).so) \
	    $(if $(LAB_SRC),--contender $(call bench_yours,$(LAB))=$(BUILD)/gpu/bench/yours.so) \
	    $(foreach p,$(BENCH_PEERS),--contender \
        $(call bench_peer,$(p))=$(BUILD)/gpu/bench/peers/$(p).so) \
	    $(BENCH_ARGS) || status=$$?; \
	test $$status -lt 2 && bench/plot --optional '$(BENCH_OUT)/bench.csv' '$(BENCH_OUT)'; exit $$status

.PHONY: bench-plots
bench-plots: ## instructors: remake the plots from BENCH_CSV=file; needs gnuplot, and no GPU
	@bench/plot '$(BENCH_CSV)' '$(BENCH_OUT)'

# ---- On a CPU ----
# The lab for the CPU is plain C in a file of CUDA C++: built here as C++, with the options that the
# lab's program is built with. nvcc hands host code to g++.

BENCH_GXX  := $(call found_as,c++)
BENCH_CPU_LIBS := $(if $(BENCH_GXX),$(BENCH_CPU_GCC)) \
    $(if $(CLANGXX),$(BUILD)/bench/$(BENCH_CPU_LAB)-clang.so)

bench_native = $(firstword $(foreach f,-march=native -mcpu=native,\
    $(shell $(1) $(f) -x c++ -fsyntax-only /dev/null 2>/dev/null && echo $(f))))
ifneq ($(filter bench bench-cpu test-bench $(BUILD)/bench/%,$(MAKECMDGOALS)),)
BENCH_NATIVE_C := $(call bench_native,$(CC))
BENCH_NATIVE_GXX := $(if $(BENCH_GXX),$(call bench_native,$(BENCH_GXX)))
BENCH_NATIVE_CLANGXX := $(if $(CLANGXX),$(call bench_native,$(CLANGXX)))
endif

bench_cpu_gcc   = $(BENCH_GXX) -O3 $(BENCH_NATIVE_GXX)
bench_cpu_clang = $(CLANGXX) -O2 $(BENCH_NATIVE_CLANGXX) -ffp-contract=fast

$(BUILD)/bench/$(BENCH_CPU_LAB)-%.so: solutions/$(call lab_file,$(BENCH_CPU_LAB)) common/lab.h
	@mkdir -p $(@D)
	@echo "  CXX   $< ($*)"
	$(bench_cpu_$*) -x c++ -fPIC -shared -Wall -Wextra -I'$(ROOT)/common' $< -o $@

$(BUILD)/bench/yours-%.so: FORCE
	@mkdir -p $(@D)
	@test -r "$$SRC" || { echo "make: cannot read $$SRC" >&2; exit 1; }
	@printf '  CXX   %s ($*)\n' "$$SRC"
	$(bench_cpu_$*) -x c++ -fPIC -shared -Wall -Wextra -I'$(ROOT)/common' "$$SRC" -o $@

$(BUILD)/bin/bench-cpu: $(BUILD)/obj/bench/cpu_main.o $(BUILD)/obj/bench/cpu.o $(BENCH_NAIVE) \
    $(BUILD)/lib/libbench.a $(COMMON_LIB)
	$(call needs,jansson)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(LINK) $^ $(BENCH_LIBS) -o $@

.PHONY: bench-cpu
bench-cpu: $(BUILD)/bin/bench-cpu $(BENCH_CPU_LIBS)
bench-cpu: $(if $(LAB_SRC),$(patsubst \
    $(BUILD)/bench/$(BENCH_CPU_LAB)-%,$(BUILD)/bench/yours-%,$(BENCH_CPU_LIBS)))
bench-cpu: ## instructors: lab 1 beside the naive loop and the BLAS, on this machine's CPU
	@mkdir -p '$(BENCH_OUT)'
	@$(BUILD)/bin/bench-cpu --csv '$(BENCH_OUT)/cpu.csv' --json '$(BENCH_OUT)/cpu.json' \
	    $(foreach l,$(BENCH_CPU_LIBS),--contender $(basename $(notdir $(l)))=$(l) \
	        $(if $(LAB_SRC),--contender \
	            $(patsubst $(BENCH_CPU_LAB)-%,yours-%,$(basename $(notdir $(l))))=$(patsubst \
	            $(BUILD)/bench/$(BENCH_CPU_LAB)-%,$(BUILD)/bench/yours-%,$(l)))) \
	    $(BENCH_ARGS)

# ---- Tests ----

UNIT_TESTS += bench/tests/stats bench/tests/shapes bench/tests/result bench/tests/clocks
bench/tests/stats_LIBS    := $(BUILD)/lib/libbench.a
bench/tests/shapes_LIBS   := $(BUILD)/lib/libbench.a $(COMMON_LIB)
bench/tests/shapes_SYSLIBS := -ldl
bench/tests/result_LIBS   := $(BUILD)/lib/libbench.a $(COMMON_LIB)
bench/tests/result_SYSLIBS := $(JANSSON_LIBS)
bench/tests/clocks_LIBS   := $(BUILD)/obj/bench/clocks.o $(BUILD)/lib/libbench.a
bench/tests/clocks_SYSLIBS := -ldl

$(BUILD)/bench/tests/clocks_test: | $(BUILD)/bench/tests/fake_nvml.so
$(BUILD)/bench/tests/fake_nvml.so: $(BUILD)/obj/bench/tests/fake_nvml.o
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libnvidia-ml.so.1 $< -o $@

# The kernels and the check, on the virtual GPU.
$(BUILD)/vgpu/bench/kernels-test: $(BUILD)/obj/vgpu-backend/bench/tests/kernels_test.o \
    $(BUILD)/obj/vgpu-backend/bench/product.o $(BUILD)/obj/vgpu-backend/bench/kernels.o \
    $(BUILD)/lib/libbench.a $(COMMON_LIB) $(needs_vgpu_link)
	$(call needs,check)
	@mkdir -p $(@D)
	$(VGPUCC) $(filter %.o,$^) $(filter-out %/libvgpu.a,$(filter %.a,$^)) $(CHECK_LIBS) $(BENCH_LIBS) \
	    -o $@

BENCH_TEST_PROGRAMS := $(BUILD)/bin/bench-cpu $(BENCH_CPU_LIBS) $(BUILD)/vgpu/bench-gpu \
                       $(BUILD)/vgpu/bench/kernels-test \
                       $(BENCH_LABS:%=$(BUILD)/vgpu/bench/%.so)
.PHONY: test-bench
test-bench: ## check the benchmarks: verdicts, files, plots, that nvcc builds them
test-bench: $(BENCH_TEST_PROGRAMS)
	@$(BUILD)/vgpu/bench/kernels-test
	@BENCH_NAMED='$(foreach l,$(BENCH_LABS),$(call bench_named,$(l)))' \
	    BUILD='$(BUILD)' NVCC=$(call quoted,$(TOOLKIT_NVCC)) CC='$(CC)' bench/tests/bench-test.sh
