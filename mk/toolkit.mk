# toolkit.mk: what tools/toolkit says of the CUDA toolkit, asked once, when something first wants to
# know.
#
#   $(TOOLKIT_NVCC)      the nvcc to use; empty where there is none that works
#   $(TOOLKIT_CFLAGS)    how C files find the toolkit's headers
#   $(TOOLKIT_CUBLAS)    yes when programs can be linked with cuBLAS
#   $(TOOLKIT_FAULT)     what is wrong, as a sentence; empty when there is no nvcc or all is well
#   $(TOOLKIT_FAULT_CUBLAS)
#   $(TOOLKIT_FACTS)     a file that changes when any of this does; empty where nothing was found
#                        yet
#
# NVCC=file names another nvcc, NVCC= means none.

# Variables of the command line reach no $(shell ...) by themselves.
quoted = '$(subst ','\'',$(1))'
toolkit_env = BUILD=$(call quoted,$(BUILD)) $(if $(filter-out \
    undefined,$(origin NVCC)),NVCC=$(call quoted,$(NVCC))) \
    CUDA_HOME=$(call quoted,$(CUDA_HOME))
toolkit_all = $(eval toolkit_all := $$(shell $(toolkit_env) tools/toolkit --words))$(toolkit_all)
# $(call toolkit_fact,NAME): blanks come as bars.
toolkit_fact = $(subst |, ,$(patsubst $(1)=%,%,$(filter $(1)=%,$(toolkit_all))))

TOOLKIT_NVCC   = $(if $(filter state=works,$(toolkit_all)),$(call toolkit_fact,nvcc))
TOOLKIT_CFLAGS = $(foreach d,$(patsubst include=%,%,$(filter include=%,$(toolkit_all))),$\
    -isystem $(call quoted,$(subst |, ,$(d))))
TOOLKIT_CUBLAS = $(filter yes,$(call toolkit_fact,cublas))
TOOLKIT_FAULT  = $(if $(filter state=broken,$(toolkit_all)),$(call toolkit_fact,nvcc) cannot be \
    used: $(call toolkit_fact,why))
TOOLKIT_FAULT_CUBLAS = $(if $(filter cublas=no,$(toolkit_all)),$(TOOLKIT_NVCC) has no cuBLAS: \
    $(call toolkit_fact,why_cublas))
TOOLKIT_FACTS := $(wildcard $(BUILD)/toolkit/facts)

# A compiler looks into CPATH's folders before those of -isystem. Environment modules put a
# toolkit's headers there, which would take the place of the virtual GPU's: so they are looked into
# last.
ifneq ($(CPATH),)
export C_INCLUDE_PATH := $(if $(C_INCLUDE_PATH),$(C_INCLUDE_PATH):)$(CPATH)
export CPLUS_INCLUDE_PATH := $(if $(CPLUS_INCLUDE_PATH),$(CPLUS_INCLUDE_PATH):)$(CPATH)
unexport CPATH
endif

# What the rules say that cannot do without.
toolkit_stop = $(call stop,$(1) (or use BACKEND=vgpu))
need_toolkit = $(if $(TOOLKIT_NVCC),,$(call toolkit_stop,$(or $(TOOLKIT_FAULT),$\
    nvcc is missing: install the CUDA toolkit)))
need_cublas  = $(if $(TOOLKIT_CUBLAS),,$(call toolkit_stop,$(TOOLKIT_FAULT_CUBLAS)))

# $(call tell_toolkit,SENTENCE): says that this is why the virtual GPU is taken, once: neither the
# makes nor the graders started from here say it again.
tell_toolkit = $(if $(strip $(1)),$(if $(TOOLKIT_TOLD),,\
    $(shell printf '%s\n' $(call quoted,make: $(strip $(1)); going on with the virtual GPU) >&2)\
    $(eval export TOOLKIT_TOLD := yes)))
