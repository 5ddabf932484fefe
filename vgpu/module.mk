# vgpu: the virtual GPU. $(BUILD)/lib/libvgpu.a and the compiler driver $(BUILD)/bin/vgpucc.

-include vgpu/src/core/flags.mk
-include vgpu/src/count/count.mk
-include vgpu/src/check/check.mk
include $(wildcard vgpu/tests/core.mk)

VGPU_LIB := $(BUILD)/lib/libvgpu.a
# The same before its own names are hidden: what the unit tests look into.
VGPU_PARTS := $(BUILD)/lib/libvgpu-parts.a
# The folders of src that make the library; a new one is entered here when it compiles.
VGPU_DIRS := core memory runtime cublas curand count inspect film debug
VGPU_SRC := $(filter-out $(VGPU_CORE_VECTOR:%=vgpu/src/core/%.c) \
            $(VGPU_COUNT_VECTOR:%=vgpu/src/count/%.c), \
            $(wildcard $(VGPU_DIRS:%=vgpu/src/%/*.c)))
# What takes longest comes first.
VGPU_OBJ := $(VGPU_CORE_VECTOR_OBJS) $(VGPU_SRC:%.c=$(BUILD)/obj/%.o) $(VGPU_COUNT_VECTOR_OBJS) \
            $(VGPU_CHECK_OBJS)

# Those of them that are compiled for wide vectors.
VGPU_WIDE_OBJ := $(filter %.avx2.o %.avx512.o,$(VGPU_OBJ))

# The film's page is taken into the library as it stands.
VGPU_PAGE := $(wildcard vgpu/src/film/page.* vgpu/src/film/page_*.js)
$(BUILD)/obj/vgpu/src/film/film_page.o: EXTRA_CFLAGS += \
    -DVGPU_FILM_FOLDER='"$(ROOT)/vgpu/src/film"'
$(BUILD)/obj/vgpu/src/film/film_page.o: $(VGPU_PAGE)

# A CBLAS makes cuBLAS fast; without one it is merely right.
VGPU_SYSLIBS := $(if $(HAVE_CBLAS),$(LIBRARY_PATHS) $(CBLAS_LIBS)) -lpthread -lm -ldl
$(BUILD)/obj/vgpu/src/cublas/%.o: EXTRA_CFLAGS += $(if $(HAVE_CBLAS),-DHAVE_CBLAS)

# Members are put in anew each time (two folders may have a file of one name, and files come and
# go).
$(VGPU_PARTS): $(VGPU_OBJ)
	@mkdir -p $(@D)
	@rm -f $@.new
	$(AR) qcs $@.new $^
	@mv $@.new $@

# Two objects, in which only the API's names are to be seen: a program's own names cannot meet the
# library's, cannot reach into it, and a function of CUDA's that a program defines once more is an
# error of the linker instead of a silent replacement. cuBLAS is the second one, so that a program
# that does not call it needs no CBLAS, whose threads would wait beside it for work. What cuBLAS
# calls of the first object is renamed in both, vg_x to vgpu_own_vg_x.
OBJCOPY ?= objcopy
NM ?= nm
VGPU_SEEN := cuda* __cuda* cublas* curand* vgpu*
VGPU_CUBLAS_OBJ := $(filter $(BUILD)/obj/vgpu/src/cublas/%,$(VGPU_OBJ))

$(VGPU_LIB): $(VGPU_OBJ)
	@mkdir -p $(@:.a=)
	@rm -f $@.new
	$(CC) -r -nostdlib $(filter-out $(VGPU_CUBLAS_OBJ),$^) -o $(@:.a=)/vgpu.o
	$(CC) -r -nostdlib $(VGPU_CUBLAS_OBJ) -o $(@:.a=)/cublas.o
	$(NM) -u $(@:.a=)/cublas.o | sed -n 's/^ *U \(vg_.*\)/\1 vgpu_own_\1/p' >$(@:.a=)/names
	for o in vgpu cublas; do \
	    $(OBJCOPY) --redefine-syms=$(@:.a=)/names $(@:.a=)/$$o.o && \
	    $(OBJCOPY) --wildcard $(VGPU_SEEN:%=--keep-global-symbol='%') $(@:.a=)/$$o.o || exit; \
	done
	$(AR) qcs $@.new $(@:.a=)/vgpu.o $(@:.a=)/cublas.o
	@rm -r $(@:.a=)
	@mv $@.new $@

# The same for shared libraries (vgpucc -shared), in which nothing runs before all else.
VGPU_SHARED_LIB := $(BUILD)/lib/libvgpu-shared.a

$(VGPU_SHARED_LIB): $(VGPU_LIB)
	@rm -f $@.new
	$(OBJCOPY) --rename-section .preinit_array=.init_array $< $@.new
	@mv $@.new $@

# What the driver must know of this build: where the headers are, what to link, with which
# sanitizers.
$(BUILD)/obj/vgpu/tools/vgpucc_place.o: EXTRA_CFLAGS += \
	-DVGPU_SOURCE_INCLUDE='"$(ROOT)/vgpu/include"'
$(BUILD)/obj/vgpu/tools/vgpucc.o $(BUILD)/obj/vgpu/tools/vgpucc_tell.o: EXTRA_CFLAGS += \
	-DVGPU_LINK_LIBS='"$(VGPU_SYSLIBS)"' -DVGPU_SANITIZE='"$(filter -fsanitize=%,$(SANFLAGS))"' \
	-DVGPU_CC='"$(CC)"'

$(eval $(call knows_version,$(BUILD)/obj/vgpu/tools/vgpucc_options.o \
    $(BUILD)/obj/vgpu/tools/vgpu-report.o $(BUILD)/obj/vgpu/tools/vgpu-debug.o))

$(BUILD)/obj/vgpu/tools/%.o: OPT = $(OPT_COLD)
# libedit gives the debugger's terminal a history and Tab. Whoever installs it later gets them.
HAVE_EDIT := $(filter edit,$(HAVE))
EDIT_LIBS ?= -ledit
EDIT_MARK := $(BUILD)/obj/.edit-$(if $(HAVE_EDIT),used,missing)
$(EDIT_MARK):
	@mkdir -p $(@D)
	@rm -f $(BUILD)/obj/.edit-*
	@touch $@
$(BUILD)/obj/vgpu/tools/vgpu-debug-line.o: $(EDIT_MARK)
$(BUILD)/obj/vgpu/tools/vgpu-debug-line.o: EXTRA_CFLAGS += $(if $(HAVE_EDIT),-DHAVE_EDIT)
# The editor's face of the debugger wants jansson; the terminal's works without.
VGPU_DAP := $(if $(filter jansson,$(HAVE)),$(wildcard vgpu/tools/vgpu-debug-dap*.c))
VGPU_DEBUG_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(VGPU_DAP) \
    $(filter-out $(wildcard vgpu/tools/vgpu-debug-dap*.c),$(wildcard vgpu/tools/vgpu-debug*.c)))
$(BUILD)/obj/vgpu/tools/vgpu-debug.o: EXTRA_CFLAGS += $(if $(VGPU_DAP),-DHAVE_JANSSON)
$(BUILD)/bin/vgpu-debug: $(VGPU_DEBUG_OBJ)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(LINK) $(VGPU_DEBUG_OBJ) $(if $(VGPU_DAP),$(JANSSON_LIBS)) $(if $(HAVE_EDIT),$(EDIT_LIBS)) \
	    $(SYSLIBS) -o $@

VGPUCC_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard vgpu/tools/vgpucc*.c))
$(BUILD)/bin/vgpucc: $(VGPUCC_OBJ)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(LINK) $(VGPUCC_OBJ) $(SYSLIBS) -o $@

# Names for kernels that are watched (vgpucc -g), where libdw's headers are; all else works without.
VGPU_NAMES_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard vgpu/tools/vgpu-names*.c))
$(BUILD)/bin/vgpu-names: $(VGPU_NAMES_OBJ)
	$(call needs,dw)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(LINK) $(VGPU_NAMES_OBJ) $(DW_LIBS) $(SYSLIBS) -o $@

# What kernels need (vgpucc --ptxas-options=-v).
$(BUILD)/bin/vgpu-resources: $(BUILD)/obj/vgpu/tools/vgpu-resources.o $(VGPU_PARTS)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	$(LINK) $< $(VGPU_PARTS) $(VGPU_SYSLIBS) $(SYSLIBS) -o $@

# The headers in front of every .cu file, precompiled for both passes. vgpucc itself knows what they
# depend on: it is asked each time, and leaves alone what is still good. It works without them, too.
VGPU_HEADERS := $(BUILD)/lib/headers/device.pch $(BUILD)/lib/headers/host.pch

$(VGPU_HEADERS): $(BUILD)/bin/vgpucc FORCE
	@mkdir -p $(@D)
	$(if $(CLANGXX),$< --precompile $(basename $(@F)) -o $@ || :)

# The same as a folder that looks like a toolkit's, for CMake and for whoever sets CUDA_HOME.
$(BUILD)/cuda/lib64/libcudart.so: tools/cuda-root vgpu/module.mk | $(BUILD)/bin/vgpucc $(VGPU_LIB)
	@echo "  GEN   $(BUILD)/cuda"
	@tools/cuda-root $(BUILD)/cuda $(BUILD)/bin/vgpucc $(VGPU_LIB) vgpu/include $(VGPU_SYSLIBS)

.PHONY: vgpucc
vgpucc: ## students: build the virtual GPU's compiler, build/bin/vgpucc
vgpucc: $(BUILD)/bin/vgpucc $(VGPU_LIB) $(VGPU_SHARED_LIB) $(VGPU_HEADERS) \
        $(if $(filter dw,$(HAVE)),$(BUILD)/bin/vgpu-names) $(BUILD)/bin/vgpu-debug \
        $(BUILD)/bin/vgpu-resources $(BUILD)/cuda/lib64/libcudart.so
	$(needs_front_end)

# ---- tests ----

VGPU_UNIT := devmem facts settings ptrmap profile memory memcpy stream late order fatbin launch \
    cublas blas inspect debug
VGPU_UNIT := $(foreach t,$(VGPU_UNIT),$(if $(wildcard vgpu/tests/$(t)_test.c),vgpu/tests/$(t)))
UNIT_TESTS += $(VGPU_UNIT)
$(foreach t,$(VGPU_UNIT),$(eval $(t)_LIBS := $(VGPU_PARTS))$(eval $(t)_SYSLIBS := $(VGPU_SYSLIBS)))

$(BUILD)/obj/vgpu/tests/blas_test.o: EXTRA_CFLAGS += $(if $(HAVE_CBLAS),-DHAVE_CBLAS)
$(BUILD)/obj/vgpu/tests/inspect_test.o: EXTRA_CFLAGS += \
    -DVGPU_INSPECT_TESTS='"$(ROOT)/vgpu/tests/inspect"'

.PHONY: test-vgpu test-vgpu-programs test-vgpu-commands test-vgpu-headers
test-vgpu: ## test the virtual GPU: unit tests, and programs by vgpucc
test-vgpu: test-vgpu-programs test-vgpu-commands test-vgpu-headers test-vgpu-nvcc \
    test-vgpu-examples test-vgpu-courses test-vgpu-vectors
test-vgpu: $(VGPU_UNIT:%=$(BUILD)/%_test)
	@failed=0; for t in $(VGPU_UNIT:%=$(BUILD)/%_test); do $$t || failed=1; done; exit $$failed

test-vgpu-programs: vgpucc
	@vgpu/tests/run-programs $(BUILD)/bin/vgpucc

test-vgpu-commands: vgpucc
	@vgpu/tests/run-commands $(BUILD)/bin/vgpucc

.PHONY: test-vgpu-vectors
test-vgpu-vectors: vgpucc ## no function leaves wide vectors half full, for which others would wait
	@$(if $(VGPU_WIDE_OBJ),vgpu/tests/run-vectors $(VGPU_WIDE_OBJ), \
	    echo "test-vgpu-vectors: skipped: this processor has no vectors of several widths")

.PHONY: test-vgpu-courses
test-vgpu-courses: vgpucc
	@vgpu/tests/run-courses $(BUILD)/bin/vgpucc

.PHONY: test-vgpu-examples
test-vgpu-examples: vgpucc
	@vgpu/tests/run-examples $(BUILD)/bin/vgpucc

test-vgpu-headers: vgpucc
	@vgpu/tests/run-headers $(test_sample) $(BUILD)/bin/vgpucc

.PHONY: test-film
TEST_PARTS += test-film
test-film: vgpucc ## films of kernels: what they say, their values against printf's, their page
	@vgpu/tests/film/run $(BUILD)/bin/vgpucc $(if $(test_sample),,--all)

# What a person types, under libFuzzer: make fuzz builds it.
$(BUILD)/fuzz/expr: vgpu/tests/fuzz/fuzz_expr.c vgpu/src/debug/expr.c vgpu/src/debug/value.c \
    vgpu/src/inspect/names.c
	$(call needs,clang)
	@mkdir -p $(@D)
	$(patsubst %clang++,%clang,$(subst clang++-,clang-,$(CLANGXX))) -std=gnu11 -D_GNU_SOURCE \
	    -g -O1 -fsanitize=fuzzer,address,undefined -I$(ROOT) $^ -lm -o $@

# What an editor sends.
$(BUILD)/fuzz/dap: vgpu/tests/fuzz/fuzz_dap.c vgpu/tools/vgpu-debug-dap-reader.c
	$(call needs,clang jansson)
	@mkdir -p $(@D)
	$(patsubst %clang++,%clang,$(subst clang++-,clang-,$(CLANGXX))) -std=gnu11 -D_GNU_SOURCE \
	    -g -O1 -fsanitize=fuzzer,address,undefined -I$(ROOT) $^ $(JANSSON_LIBS) -o $@

fuzz: $(BUILD)/fuzz/expr $(BUILD)/fuzz/dap

.PHONY: test-dap
TEST_PARTS += test-dap
test-dap: vgpucc need-jsonschema ## the debugger in editors: its messages, against their schema
	@$(if $(and $(VGPU_DAP),$(filter dw,$(HAVE))),vgpu/tests/debug/editor $(BUILD)/bin/vgpucc,\
	    echo "test-dap: skipped: jansson or libdw is missing (tools/setup)")

.PHONY: test-debug
TEST_PARTS += test-debug
test-debug: $(BUILD)/tests/slow-fork.so
test-debug: vgpucc ## the debugger of kernels: transcripts, interrupts, how both sides end
	@vgpu/tests/debug/run $(BUILD)/bin/vgpucc $(BUILD)/tests/slow-fork.so

$(BUILD)/tests/slow-fork.so: vgpu/tests/debug/slow-fork.c
	@mkdir -p $(@D)
	$(CC) $(KIT_CFLAGS) -shared $< -o $@ -ldl

# The same programs through nvcc: some 3 s each.
.PHONY: test-vgpu-nvcc
test-vgpu-nvcc: vgpucc ## the programs again, compiled by nvcc where there is one
	@if [ -n "$(TOOLKIT_NVCC)" ]; then VGPU_FRONT=nvcc VGPU_NVCC=$(call quoted,$(TOOLKIT_NVCC)) \
	        vgpu/tests/run-programs $(test_sample) $(BUILD)/bin/vgpucc; \
	    else echo "test-vgpu-nvcc: skipped, no CUDA toolkit that works on this machine"; fi
