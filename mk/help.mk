# help.mk: `make help` lists every target that carries a ## comment, in the order of the files.
.PHONY: help
help: ## this list
	@echo "Usage: make TARGET [BACKEND=vgpu|gpu|auto] [SRC=file.cu]"; echo
	@sed -n 's/^\([a-zA-Z0-9_-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | \
	    while IFS="$$(printf '\t')" read -r target text; do printf '  %-16s %s\n' "$$target" "$$text"; done
