# config.mk: which tools this machine has, and the flags every module builds with.
#
# Nothing here fails when a tool is missing: the rule that needs it does, with one line that says
# what to do (see `needs` below). Override any variable on the command line: make CC=clang-16.

BUILD   ?= build
comma   := ,
# The kit's folder. Make cannot hold blanks in a path: then the relative one does.
KIT_DIR := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)
ROOT    := $(if $(word 2,$(KIT_DIR)),.,$(KIT_DIR))

first_of = $(firstword $(foreach t,$(1),$(shell command -v $(t) 2>/dev/null)))

# What the kit needs of a machine is listed in tools/needs, which says what of it is here.
# tools/build has asked.
NEEDS_ASK = CC CLANGXX CPPFLAGS CFLAGS LDFLAGS CBLAS_LIBS JANSSON_LIBS LIBCONFIG_LIBS DW_LIBS \
    EDIT_LIBS
NEEDS_ENV = $(foreach v,$(NEEDS_ASK),$(if \
    $(filter command environment,$(firstword $(origin $(v)))),$(v)='$($(v))'))
ifndef KIT_FOUND
KIT_FOUND := $(shell $(NEEDS_ENV) tools/needs found)
endif
HAVE := $(foreach w,$(KIT_FOUND),$(firstword $(subst =, ,$(w))))
# Which program a need was found as: clang++-14 for clang.
found_as = $(patsubst $(1)=%,%,$(filter $(1)=%,$(KIT_FOUND)))

# Our own C. make's built-in default for CC is `cc`; take whatever C compiler there is.
ifeq ($(origin CC),default)
CC := $(or $(call found_as,cc),cc)
endif
AR      ?= ar

# The student's compiler: clang lowers a .cu file to PTX without any CUDA toolkit.
CLANGXX ?= $(call found_as,clang)

# SAN=1 builds our own C under the address and undefined-behaviour sanitizers.
ifdef SAN
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif

CSTD     := -std=gnu11 -D_GNU_SOURCE
# Warnings are errors where the kit is developed. In a students' archive, which has no tests, a
# compiler that warns of more than ours did must not stop anybody, nor must one with options that we
# have not tried.
WERROR   ?= $(if $(CPPFLAGS)$(CFLAGS),,$(if $(wildcard tests/module.mk),-Werror))
WARN     := -Wall -Wextra $(WERROR)
# Lines for backtraces cost nothing; all that a debugger wants takes a fifth of the build: make
# CFLAGS=-g
# Under sanitizers most of the time goes into compiling, and nothing may be optimised away unseen.
OPT      ?= $(if $(SAN),-O0,-O2) -g1
# For files in which no time goes by when they run; it does when they are compiled.
OPT_COLD := $(if $(SAN),-O0,-Og) -g1
# Some distributions' compilers check results of system calls by default; so do we, everywhere. The
# C library has no checks for -O0.
FORTIFY  := $(if $(or $(SAN),$(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS)),\
                $(filter -O0,$(CFLAGS))),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
SYSLIBS  := -lpthread -lm

# CPPFLAGS, CFLAGS and LDFLAGS belong to whoever types make. They come last, so that they win; what
# the kit cannot do without is in variables of its own.
KIT_CFLAGS  := $(CSTD) $(WARN) $(FORTIFY) -fPIC -pthread $(SANFLAGS) -I$(ROOT)
KIT_LDFLAGS := $(SANFLAGS)
COMPILE = $(CC) $(KIT_CFLAGS) $(OPT) $(EXTRA_CFLAGS) $(CPPFLAGS) $(CFLAGS)
LINK    = $(CC) $(OPT) $(CFLAGS) $(KIT_LDFLAGS) $(LDFLAGS)
# Options of the user's linker that a program linked by another compiler needs, too.
LIBRARY_PATHS := $(filter -L% -Wl$(comma)-rpath%,$(LDFLAGS))

# Libraries that are not ours.
CBLAS_LIBS     ?= -lopenblas
JANSSON_LIBS   ?= -ljansson
LIBCONFIG_LIBS ?= -lconfig
DW_LIBS        ?= -ldw -lelf
HAVE_CBLAS     := $(filter cblas,$(HAVE))
HAVE_SECCOMP   := $(filter seccomp,$(HAVE))
SECCOMP_LIBS   ?= $(if $(HAVE_SECCOMP),-lseccomp)

# $(call needs,NEED...): a recipe line that stops with one sentence where this machine lacks a need.
# What tools/build does not ask for (the tests' needs) is asked the first time. In stage `ask` it
# says what is missing (mk/stages.mk).
asked = $(shell $(NEEDS_ENV) tools/needs met $(1))
ask   = $(if $(call asked,$(1)),$(eval HAVE += $(1))$(1),$(eval LACK += $(1)))
has   = $(or $(filter $(1),$(HAVE)),$(if $(filter $(1),$(LACK)),,$(call ask,$(1))))
lacks = $(strip $(foreach n,$(1),$(if $(call has,$(n)),,$(n))))
needs = $(if $(call lacks,$(1)),$(if $(filter ask,$(KIT_STAGE)),: KIT need $(call lacks,$(1)),\
            @tools/needs say make $(call lacks,$(1)) && exit 1))
# $(call stop,SENTENCE): a recipe line that stops with this sentence; in stage `ask` a fact, too.
stop = $(if $(filter ask,$(KIT_STAGE)),: KIT stop $(1),\
           @printf '%s\n' $(call quoted,make: $(1)) >&2; exit 1)
# What compiles .cu files for the virtual GPU: clang, or an nvcc that works.
needs_front_end = $(if $(call lacks,clang c++),$(if $(TOOLKIT_NVCC),,$(call needs,clang c++)))
# $(call need,VALUE,WHAT,ADVICE): the same for what tools/setup does not install.
need = @test -n "$(strip $(1))" || { echo "make: $(2) is missing: install $(3)" >&2; exit 1; }

DRY_RUN := $(findstring n,$(firstword $(filter-out --%,-$(MAKEFLAGS))))
# $(call starts,CC,FILE): says so and makes the target's folder, without a process for either:
# hundreds of files are compiled.
starts = $(info $(blank)  $(1)    $(2))$(if $(DRY_RUN)$(wildcard $(@D)/.),,$(shell mkdir -p $(@D)))

# Any C file of ours, with its header dependencies recorded beside the object.
$(BUILD)/obj/%.o: %.c
	$(call starts,CC,$<)$(call needs,cc libc)
	$(COMPILE) -MMD -MP -c $< -o $@
