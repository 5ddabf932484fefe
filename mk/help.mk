# help.mk: `make help`, from the ## comments behind the targets. "## students: ..." and "##
# instructors: ..." say whom a target is for; those without are for who changes the kit. Students'
# archives show what is for students, a term's course what is for its instructors, too.

HELP_GOALS := $(shell sed -n 's/^\([a-zA-Z0-9_-]*\):.*## .*/\1/p' $(MAKEFILE_LIST))
HELP_ALL   := $(if $(wildcard tests/module.mk),yes,$(if $(wildcard solutions),instructors))

.PHONY: help
help: ## students: this list
	@awk -v all='$(HELP_ALL)' -f mk/help.awk $(MAKEFILE_LIST)
