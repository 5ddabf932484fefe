# folder.mk: make in a lab's folder. Each has a Makefile that includes this: `make` there builds
# that lab, and every other goal is passed on to the kit's Makefile. SRC and BUILD are meant from
# the kit's folder, but for a SRC that lies in the lab's own.

lab := $(firstword $(subst -, ,$(notdir $(subst $() ,_,$(CURDIR)))))

.DEFAULT_GOAL := $(lab)
MAKEFLAGS += --no-builtin-rules --no-print-directory
goals := $(or $(MAKECMDGOALS),$(lab))

.PHONY: $(goals)
$(firstword $(goals)):
	+@$(MAKE) -C ../.. KIT_FROM=../../ $(goals:%='%') $(if $(filter-out /%,$(SRC)),\
	    $(if $(wildcard $(SRC)),SRC='$(CURDIR)/$(SRC)'))
$(wordlist 2,$(words $(goals)),$(goals)): $(firstword $(goals)) ; @:
