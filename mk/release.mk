# release.mk: a version's files. Of the kit, whose tests must have passed: a term's course has none.

RELEASE ?= $(BUILD)/release
# Of which labs and platforms there are bundles; each grades a solution first.
RELEASE_LABS      ?= $(LABS)
RELEASE_PLATFORMS ?= $(PLATFORMS)
RELEASE_SITE      ?= $(if $(wildcard site/module.mk),site)

TEST_PARTS += test-release

.PHONY: release test-release need-release
release: ## instructors: archives, bundles, site and checksums of this version, after make test
release: need-release grader-tools vgpucc $(if $(RELEASE_SITE),$(FILMS_HERE))
	@export BUILD='$(BUILD)' MAKE='$(MAKE_COMMAND)' VERSION='$(KIT_VERSION)' \
	    LABS='$(RELEASE_LABS)' PLATFORMS='$(RELEASE_PLATFORMS)' SITE='$(RELEASE_SITE)' \
	    FILMS='$(abspath $(BUILD)/films)' && exec lms/release '$(RELEASE)'

test-release: grader-tools vgpucc ## a release twice, in two places: the same bytes; what is refused
	@BUILD='$(BUILD)' tests/lms/release $(if $(test_sample),,--all)

# Asked first: a release takes long.
need-release:
	$(call needs,git $(if $(RELEASE_SITE),pandoc weasyprint python3) $\
	    $(if $(filter gradescope,$(RELEASE_PLATFORMS)),zip))
