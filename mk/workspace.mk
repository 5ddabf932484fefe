# workspace.mk: the Makefile of a folder of one's own labs, whose kit lies elsewhere. The kit itself
# does not read it; tools/workspace copies it there without these lines, and fills in the folder.
#
# `make lab3` builds labs/lab3-.../lab3.cu of this folder; every other goal is the kit's.

KIT := @KIT@

.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory
goals  := $(or $(MAKECMDGOALS),help)
quoted  = '$(subst ','\'',$(1))'
# The file that a goal is about: SRC, as it is named from here, else this folder's.
own     = $(if $(SRC),$(if $(filter /%,$(firstword $(SRC))),$(SRC),$(CURDIR)/$(SRC)),$\
              $(addprefix $(CURDIR)/,$(firstword $(wildcard labs/$(1)-*/$(1).cu \
              $(patsubst exercise-%,labs/exercises/%.cu,$(filter exercise-%,$(1)))))))

.PHONY: $(goals)
$(goals):
	+@$(MAKE) -C $(call quoted,$(KIT)) $@ $(if $(SRC),,KIT_OWN=yes) \
	    $(if $(call own,$@),SRC=$(call quoted,$(call own,$@)))
