# labs: the programs that run one lab by hand, the skeletons, and the instructors' check.
#
#   make lab3                        builds $(BUILD)/BACKEND/lab3 from labs/lab3-*/lab3.cu
#   make lab3 SRC='my file.cu'       ... from another file
#   make lab3 BACKEND=vgpu|gpu|auto  auto (the default) takes a GPU if nvcc works and one answers
#
# A lab program = the student's object + a main that knows the lab and the backend + librunner.a +
# libcommon.a + the CUDA runtime and cuBLAS, the toolkit's or the virtual GPU's.
#
# SRC never becomes a target or prerequisite, which may hold no blanks: make passes it on to the
# recipes in the environment, and there it stays in quotes.

SOLUTIONS := $(patsubst solutions/%,%,$(sort $(wildcard solutions/lab*-*/lab*.cu)))
# A lab is a folder with a descriptor, also when its program is gone.
LAB_FOLDERS := $(patsubst labs/%/lab.cfg,%,$(wildcard labs/lab[1-9]*-*/lab.cfg))
LAB_FILES := $(sort $(SOLUTIONS) $(patsubst labs/%,%,$(wildcard labs/lab*-*/lab*.cu)) \
    $(foreach f,$(LAB_FOLDERS),$(f)/$(firstword $(subst -, ,$(f))).cu))
LABS      := $(notdir $(LAB_FILES:%.cu=%))
lab_file   = $(filter %/$(1).cu,$(LAB_FILES))
BACKEND   ?= auto
VGPUCC     = $(BUILD)/bin/vgpucc
# vgpucc writes no dependency files: what a lab may include is listed instead.
LAB_HEADERS := $(wildcard common/*.h labs/lab*-*/*.h labs/lab*-*/*.cuh solutions/lab*-*/*.h \
    solutions/lab*-*/*.cuh)

# Only a SRC given to make itself counts, not one that happens to be in the environment.
LAB_SRC := $(if $(filter command line,$(origin SRC)),yes)

# ---- Which backend? ----
# Asked while the makefiles are read, and only when a goal needs the answer: the targets' names
# depend on it. GPU_ARCH=90 builds for a GPU that isn't in this machine.

LAB_GOALS := $(filter $(LABS) labs device exercise-% bench bench-programs-gpu solutions \
    solutions-programs $(BUILD)/gpu/%,$(MAKECMDGOALS))

ifneq ($(LAB_GOALS),)
ifeq ($(filter $(BACKEND),vgpu gpu auto),)
$(error BACKEND=$(BACKEND) is unknown: use vgpu, gpu or auto)
endif
ifneq ($(BACKEND),vgpu)
ifneq ($(TOOLKIT_NVCC),)
GPU_ARCH ?= $(firstword $(shell mkdir -p $(BUILD)/bin && \
    { test $(BUILD)/bin/gpu-probe -nt common/gpu_probe.c || \
      $(CC) common/gpu_probe.c -ldl -o $(BUILD)/bin/gpu-probe; } && $(BUILD)/bin/gpu-probe \
      2>/dev/null))
GPU_FLAGS := $(if $(GPU_ARCH),$(shell tools/gpu-arch $(call quoted,$(TOOLKIT_NVCC)) '$(GPU_ARCH)'))
endif
endif
# -march=native where the compiler has it; on Arm, clang calls it -mcpu=native.
native_flag = $(firstword $(foreach f,-march=native -mcpu=native,\
    $(shell $(1) $(f) -x c++ -fsyntax-only /dev/null 2>/dev/null && echo $(f))))
VGPU_NATIVE := $(if $(CLANGXX),$(call native_flag,$(CLANGXX)))
GPU_NATIVE  := $(call native_flag,g++)
endif

LAB_BACKEND := $(if $(filter auto,$(BACKEND)),$(if $(GPU_FLAGS),gpu,vgpu),$(BACKEND))

# What the labs' descriptors say: $(call lab_fact,lab3,tile,32) is lab3's tile, or 32 where nothing
# is said; $(call labs_that,cublas,true) are the labs of which that is true.
LAB_FACTS := $(shell awk -f tools/lab-facts labs/lab[1-9]*-*/lab.cfg /dev/null 2>/dev/null)
lab_fact   = $(or $(patsubst $(1).$(2)=%,%,$(filter $(1).$(2)=%,$(LAB_FACTS))),$(3))
labs_that  = $(patsubst %.$(1)=$(2),%,$(filter %.$(1)=$(2),$(LAB_FACTS)))
# Labs of plain C, which need no device.
LABS_CPU   := $(call labs_that,functions,matmul_cpu)

# What some labs are about began with a compute capability: on an older GPU (a T4 has 7.5) their
# code does not compile, and `auto` means the virtual GPU.
LABS_TOO_NEW := $(if $(GPU_ARCH),$(foreach l,$(LABS),$(if $(shell \
    test '$(GPU_ARCH)' -lt $(call lab_fact,$(l),capability,0) 2>/dev/null && echo yes),$(l))))
# ... and some are linked with cuBLAS, which a toolkit may lack.
LABS_CUBLAS := $(call labs_that,cublas,true)
LABS_VGPU   := $(if $(filter-out vgpu,$(LAB_BACKEND)),$(LABS_TOO_NEW) \
    $(if $(TOOLKIT_CUBLAS),,$(LABS_CUBLAS)))
lab_backend = $(if $(and $(filter auto,$(BACKEND)),$(filter $(LABS_VGPU),$(1))),vgpu,$(LAB_BACKEND))

ifneq ($(and $(filter-out bench bench-programs-gpu,$(LAB_GOALS)),$(filter auto,$(BACKEND))),)
$(call tell_toolkit,$(or $(TOOLKIT_FAULT),$(if $(filter $(LABS_CUBLAS) labs solutions \
    solutions-programs,$(MAKECMDGOALS)), \
    $(if $(filter $(LABS_CUBLAS),$(LABS_VGPU)),$(TOOLKIT_FAULT_CUBLAS)))))
endif

# ---- The programs ----

# A launch passes through common/launch_record.c, which remembers its shape.
LAB_WRAP := --wrap=cudaLaunchKernel --wrap=__cudaLaunchKernel

LAB_VGPU_FLAGS = -O2 $(VGPU_NATIVE) -ffp-contract=fast

$(BUILD)/obj/vgpu-backend/debug-%.o: LAB_VGPU_FLAGS += -g

# The commands that compile $$src, and that link. The CPU may fuse a multiplication and an addition
# on either path: nvcc's host compiler does so by default, clang is told to.
define compile_vgpu
$(VGPUCC) -c $(LAB_VGPU_FLAGS) -Wall -Wextra -I'$(ROOT)/common' -o $@ "$$src"
endef
# Not said: that a variable is never used (177, 550). In a skeleton that is the lines still to be
# written.
define compile_gpu
$(call quoted,$(TOOLKIT_NVCC)) -c -O3 -lineinfo $(GPU_FLAGS) $(GPU_NATIVE:%=-Xcompiler %) \
    -Xcompiler -Wall,-Wextra \
    -Xcudafe --diag_suppress=177 -Xcudafe --diag_suppress=550 \
    -I'$(ROOT)/common' -MMD -MP -MF $(@:.o=.d) -MT $@ -o $@ "$$src"
endef
define link_vgpu
$(VGPUCC) $(LAB_WRAP:%=-Wl,%) $(filter %.o,$^) $(filter-out %/libvgpu.a,$(filter %.a,$^)) \
    $(COMMON_LIBS) -o $@
endef
define link_gpu
$(call quoted,$(TOOLKIT_NVCC)) $(LAB_WRAP:%=-Xlinker %) $(SANFLAGS:%=-Xcompiler %) $(filter \
    %.o,$^) $(filter %.a,$^) $(COMMON_LIBS) $(if $(TOOLKIT_CUBLAS),-lcublas) -o $@
endef

ready_vgpu = $(call needs,clang c++)
define ready_gpu
$(need_toolkit)
$(if $(filter $(LABS_CUBLAS),$(1)),$(need_cublas))
$(if $(GPU_FLAGS),,$(call stop,no GPU answers that this nvcc makes code for: use $\
    BACKEND=vgpu$(comma) or name its architecture$(comma) as in GPU_ARCH=90))
$(if $(filter $(LABS_TOO_NEW),$(1)),$(call stop,$(1) needs compute capability $\
    $(patsubst %0,%.0,$(call lab_fact,$(1),capability)); $\
    this GPU (sm_$(GPU_ARCH)) is older: use BACKEND=vgpu))
endef

# What a backend's objects and programs depend on besides their own files.
needs_vgpu_compile := $(VGPUCC) $(wildcard vgpu/include/*.h vgpu/include/*/*.h)
needs_vgpu_link    := $(VGPUCC) $(BUILD)/lib/libvgpu.a
needs_gpu_compile  := $(TOOLKIT_FACTS)
needs_gpu_link     := $(TOOLKIT_FACTS)

# Precompiled headers for such host code (see vgpu/module.mk).
LAB_HEADERS_VGPU := $(BUILD)/lib/headers/host-labs.pch
$(LAB_HEADERS_VGPU): $(VGPUCC) FORCE
	@mkdir -p $(@D)
	$(if $(CLANGXX),$< --precompile host $(LAB_VGPU_FLAGS) -o $@ || :)

prepares_vgpu_compile := $(BUILD)/lib/headers/device.pch $(LAB_HEADERS_VGPU)

# What the program that runs a lab by hand knows of it (common/runner.h).
comma_to_blank = $(subst $(comma), ,$(1))
lab_flags = $(foreach f,$(call comma_to_blank,$(call lab_fact,$(1),functions,matmul_device)),$\
    -DLAB_HAS_$(f)) $\
    $(if $(filter true,$(call lab_fact,$(1),cublas)),-DLAB_CUBLAS) $\
    $(if $(filter transposed,$(call lab_fact,$(1),a_layout)),-DLAB_A_TRANSPOSED) $\
    $(if $(filter transposed,$(call lab_fact,$(1),b_layout)),-DLAB_B_TRANSPOSED) $\
    $(if $(call lab_fact,$(1),padding),-DLAB_PADDING=$(call lab_fact,$(1),padding)) $\
    $(if $(call lab_fact,$(1),beta),-DLAB_ALPHA='($(call lab_fact,$(1),alpha))' $\
    -DLAB_BETA='($(call lab_fact,$(1),beta))') $\
    $(if $(filter min-plus,$(call lab_fact,$(1),ring)),-DLAB_MIN_PLUS) $\
    $(if $(filter 3xtf32,$(call lab_fact,$(1),bound)),-DLAB_BOUND=BOUND_3XTF32) $\
    $(if $(filter square-tiles,$(call lab_fact,$(1),sizes)),-DLAB_MULTIPLE=$\
    $(call lab_fact,$(1),tile,32))

# $(call lab_rules,BACKEND,LAB): the student's program, and the solution's.
define lab_rules
$(BUILD)/obj/$(1)-backend/main-$(2).o: common/runner_main.c common/runner.h \
    $(wildcard labs/$(2)-*/lab.cfg)
	@mkdir -p $$(@D)
	@echo "  CC    $$< ($(2))"
	$$(COMPILE) -DLAB=$(2:lab%=%) $(call lab_flags,$(2)) '-DBACKEND_NAME="$(1)"' -c $$< -o $$@

# The name of the file that the object was made from: when SRC comes, changes or goes, so does it.
$(BUILD)/obj/$(1)-backend/$(2).src: FORCE
	@mkdir -p $$(@D)
	@src=$(if $(LAB_SRC),"$$$$SRC",labs/$(call lab_file,$(2))); \
	    printf '%s\n' "$$$$src" | cmp -s - $$@ || printf '%s\n' "$$$$src" >$$@

$(BUILD)/obj/$(1)-backend/$(2).o: $(if $(LAB_SRC),FORCE,labs/$(call lab_file,$(2))) \
    $(BUILD)/obj/$(1)-backend/$(2).src $(LAB_HEADERS) $(needs_$(1)_compile) | \
    $(prepares_$(1)_compile)
	$$(call ready_$(1),$(2))
	@src=$(if $(LAB_SRC),"$$$$SRC",labs/$(call lab_file,$(2))); \
	    test -r "$$$$src" || { echo "make: cannot read $$$$src" >&2; exit 1; }; \
	    printf '  CU    %s\n' "$$$$src"; $(if $(V),set -x;) $$(compile_$(1))

$(BUILD)/obj/$(1)-backend/solution-$(2).o: solutions/$(call lab_file,$(2)) $(LAB_HEADERS) \
    $(needs_$(1)_compile) | $(prepares_$(1)_compile)
	$$(call ready_$(1),$(2))
	@mkdir -p $$(@D)
	@echo "  CU    $$<"
	src=$$<; $$(compile_$(1))

# For the debugger, with the names of the kernels' variables: the virtual GPU's alone.
$(if $(filter vgpu,$(1)),$(BUILD)/obj/vgpu-backend/debug-$(2).o: labs/$(call lab_file,$(2)) \
    $(LAB_HEADERS) $(needs_vgpu_compile)
	$$(call ready_vgpu,$(2))
	@mkdir -p $$(@D)
	@echo "  CU    $$< (-g)"
	src=$$<; $$(compile_vgpu)

$(call lab_link,vgpu,$(BUILD)/vgpu/debug/$(2),$(BUILD)/obj/vgpu-backend/debug-$(2).o,$(2)))

$(call lab_link,$(1),$(BUILD)/$(1)/$(2),$(BUILD)/obj/$(1)-backend/$(2).o,$(2))
$(call lab_link,$(1),$(BUILD)/$(1)/solutions/$(2),$(BUILD)/obj/$(1)-backend/solution-$(2).o,$(2))
endef

# The compiler, then what it compiles: that goes on beside the rest of the build.
define lab_link
$(2): $(filter %/vgpucc,$(needs_$(1)_link)) $(3) $(BUILD)/obj/$(1)-backend/main-$(4).o \
    $(BUILD)/$(1)/librunner.a $(COMMON_LIB) $(needs_$(1)_link)
	@mkdir -p $$(@D)
	@echo "  LD    $$@"
	$$(link_$(1))
endef
$(foreach b,vgpu gpu,$(foreach l,$(LABS),$(eval $(call lab_rules,$(b),$(l)))))

# What the devices are and allow: needs no lab.
define device_rules
$(BUILD)/obj/$(1)-backend/common/device_main.o: EXTRA_CFLAGS += '-DBACKEND_NAME="$(1)"'

$(BUILD)/$(1)/device: $(BUILD)/obj/$(1)-backend/common/device_main.o $(needs_$(1)_link)
	@mkdir -p $$(@D)
	@echo "  LD    $$@"
	$$(link_$(1))
endef
$(foreach b,vgpu gpu,$(eval $(call device_rules,$(b))))

.PHONY: FORCE
FORCE:

# A lab's program that is gone: the grader says the same (paths.c).
labs/%.cu:
	$(call stop,$@: no such file. To get it back: $(if $(wildcard .git),git restore $@,$(if \
	    $(wildcard solutions/$*.cu),make skeletons,unpack $@ from the kit's archive)))

# Paths as they are seen from a lab's own folder, where make may have been called (folder.mk).
from_there = $(if $(filter /%,$(1)),$(1),$(KIT_FROM)$(1))
grader_from_there = $(if $(KIT_SAID),BUILD=$(call quoted,$(KIT_SAID)) )$(or $(KIT_FROM),./)grader

.PHONY: $(LABS)
$(foreach l,$(LABS),$(eval $(l): $(BUILD)/$(call lab_backend,$(l))/$(l)))
$(LABS):
	@printf '%s\n' "Run it:   $(call from_there,$<) [m k n]      (--help tells more)" \
	    "Grade it: $(grader_from_there) $@$(if $(LAB_SRC),$(if $(KIT_OWN),, \
	        --submission '$(SRC)'))"

.PHONY: labN
labN: ## students: build lab N's program (lab1, lab2, ...), from labs/ or from SRC=file.cu
	@echo "make: labN stands for $(LABS)" >&2; exit 2

.PHONY: device
device: ## students: build the program that describes the device and its limits
device: $(BUILD)/$(LAB_BACKEND)/device
	@printf '%s\n' "Run it:   $<"

.PHONY: labs
labs: ## students: build all labs' programs
labs: $(foreach l,$(LABS),$(BUILD)/$(call lab_backend,$(l))/$(l))

# ---- Instructors ----

ifeq ($(SOLUTIONS),)
.PHONY: solutions solutions-programs skeletons tables
solutions solutions-programs skeletons tables:
	@echo "make: this is the students' archive: it holds no solutions" >&2; exit 1
else
.PHONY: solutions-programs
solutions-programs: ## build all solutions' programs
solutions-programs: $(foreach l,$(notdir $(SOLUTIONS:.cu=)),$(BUILD)/$(call \
    lab_backend,$(l))/solutions/$(l))

.PHONY: solutions
solutions: grader-tools ## instructors: grade every solution; fails unless all get full marks
	@failed=; for f in $(SOLUTIONS); do lab=$${f##*/}; lab=$${lab%.cu}; backend=$(LAB_BACKEND); \
	    case " $(filter %,$(foreach l,$(LABS),$(if \
	        $(filter-out $(LAB_BACKEND),$(call lab_backend,$(l))),$(l)))) " in \
	        *" $$lab "*) backend=vgpu ;; esac; \
	    BUILD='$(BUILD)' ./grader $$lab --submission solutions/$$f --backend $$backend || \
	        failed="$$failed $$lab"; \
	done; \
	if [ -n "$$failed" ]; then echo "make: solutions without full marks:$$failed" >&2; exit 1; fi; \
	echo "All $(words $(SOLUTIONS)) solutions have full marks."

.PHONY: skeletons
skeletons: ## derive labs/ from solutions/ (never overwrites your work)
	@failed=0; for f in $(SOLUTIONS) $(EXERCISE_SOLUTIONS); do \
	    tools/skeleton --update solutions/$$f labs/$$f $(BUILD)/skeletons/$$f || failed=1; \
	done; exit $$failed

.PHONY: tables
tables: ## write the lists of labs in the texts anew, from labs/*/lab.cfg
	@tools/lab-tables

endif

.PHONY: test-skeletons
test-skeletons: ## check that labs/ is what solutions/ derives to, and gives nothing away
	@labs/tests/skeletons-test.sh

.PHONY: test-labs
test-labs: ## check the lab programs: their output, exit status and builds
test-labs: $(BUILD)/bin/vgpucc $(BUILD)/lib/libvgpu.a
	@tools/tests/gpu-arch-test.sh
	@BUILD='$(BUILD)' NVCC=$(call quoted,$(TOOLKIT_NVCC)) labs/tests/programs-test.sh $(test_sample)
