# dist.mk: the students' archive.

DIST ?= $(BUILD)/matmul-lab-kit.tar.gz

.PHONY: dist test-dist
dist: ## pack what students get: no solutions, no hidden cases
	@lms/pack students '$(DIST)' && echo "packed $(DIST)"

test-dist: ## unpack the students' archive, look for solutions in it, build and grade with it
	@tests/lms/dist
