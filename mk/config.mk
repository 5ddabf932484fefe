# config.mk: which tools this machine has, and the flags every module builds with.
#
# Nothing here fails when a tool is missing: the rule that needs it does, with one line that says
# what to install (see `need` below). Override any variable on the command line: make CC=clang-16.

BUILD   ?= build
# The kit's folder. Make cannot hold blanks in a path: then the relative one does.
KIT_DIR := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)
ROOT    := $(if $(word 2,$(KIT_DIR)),.,$(KIT_DIR))

first_of = $(firstword $(foreach t,$(1),$(shell command -v $(t) 2>/dev/null)))

# Our own C. make's built-in default for CC is `cc`; take whatever C compiler there is.
ifeq ($(origin CC),default)
CC := $(or $(call first_of,gcc cc clang clang-14 clang-16 clang-19),cc)
endif
AR      ?= ar

# The student's compiler: clang lowers a .cu file to PTX without any CUDA toolkit.
CLANGXX ?= $(call first_of,clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
# nvcc, where a CUDA toolkit is installed (PATH first, then the usual place).
NVCC    ?= $(or $(call first_of,nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
CUDA_HOME ?= $(if $(NVCC),$(patsubst %/bin/nvcc,%,$(realpath $(NVCC))))

# SAN=1 builds our own C under the address and undefined-behaviour sanitizers.
ifdef SAN
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif

CSTD     := -std=gnu11 -D_GNU_SOURCE
# Warnings are errors where the kit is developed. In a students' archive, which has no tests, a compiler
# that warns of more than ours did must not stop anybody.
WERROR   ?= $(if $(wildcard tests/module.mk),-Werror)
WARN     := -Wall -Wextra $(WERROR)
OPT      ?= -O2 -g
# Some distributions' compilers check results of system calls by default; so do we, everywhere.
FORTIFY  := $(if $(SAN),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
CFLAGS   := $(CSTD) $(WARN) $(OPT) $(FORTIFY) -fPIC -pthread $(SANFLAGS) -I$(ROOT)
LDFLAGS  += $(SANFLAGS)
SYSLIBS  := -lpthread -lm

# Libraries that are not ours. pkg-config is optional: fall back to asking the compiler.
has_lib = $(shell printf 'int main(void){return 0;}' | $(CC) -x c - -o /dev/null $(1) 2>/dev/null && echo yes)
has_header = $(shell printf '\043include <$(1)>\nint x;' | $(CC) -x c - -fsyntax-only 2>/dev/null && echo yes)
CBLAS_LIBS   ?= -lopenblas
HAVE_CBLAS   := $(call has_lib,$(CBLAS_LIBS))
JANSSON_LIBS ?= -ljansson
HAVE_JANSSON := $(call has_lib,$(JANSSON_LIBS))
LIBCONFIG_LIBS ?= -lconfig
HAVE_LIBCONFIG := $(call has_lib,$(LIBCONFIG_LIBS))
HAVE_SECCOMP := $(if $(call has_header,seccomp.h),$(call has_lib,-lseccomp))
SECCOMP_LIBS ?= $(if $(HAVE_SECCOMP),-lseccomp)
HAVE_CHECK   := $(call has_lib,-lcheck)

# $(call need,VALUE,WHAT,PACKAGE): a recipe line that stops with one clear line when VALUE is empty.
need = @test -n "$(strip $(1))" || { echo "make: $(2) is missing: run 'make setup', or install $(3)" >&2; exit 1; }

# Any C file of ours, with its header dependencies recorded beside the object.
$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(CC) $(CFLAGS) $(EXTRA_CFLAGS) -MMD -MP -c $< -o $@
