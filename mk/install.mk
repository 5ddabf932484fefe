# install.mk: the virtual GPU for all users of a machine, without the kit.
#
#     make install PREFIX=/opt/vgpu          PREFIX is /usr/local when nothing is said
#     make install DESTDIR=tree PREFIX=/usr  for whoever packs it: into tree/usr, for /usr
#     make uninstall PREFIX=/opt/vgpu        takes away what the other one put there
#
# tools/install does it, and says what goes where. The man pages are made of what the programs say
# of themselves (help2man) and of vgpu/README.md (pandoc); where these are missing, all else is
# installed.

PREFIX  ?= /usr/local
DESTDIR ?=

MAN_PAGES := $(BUILD)/man/vgpucc.1 $(BUILD)/man/vgpu-report.1 $(BUILD)/man/vgpu-debug.1 \
             $(BUILD)/man/vgpu.7
MAN_MADE  := $(if $(filter install,$(MAKECMDGOALS)),$\
    $(if $(call lacks,pandoc help2man),,$(MAN_PAGES)))
$(MAN_PAGES): mk/install.mk
# The day on a page is that of the release, not of whoever builds it. help2man writes "May 2026",
# which man pages do not.
MAN_DAY = $(shell date -u -d "@$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || \
    date +%s)}" +%F)
HELP2MAN = LC_ALL=C.UTF-8 help2man --no-info --locale=C.UTF-8 --output=$@ $1 $< && \
    sed -i 's/^\(\.TH [^ ]* [^ ]*\) "[^"]*"/\1 "$(MAN_DAY)"/' $@

$(BUILD)/man/vgpucc.1: $(BUILD)/bin/vgpucc vgpu/tools/man/vgpucc
	@mkdir -p $(@D)
	$(call HELP2MAN,--name='compiles CUDA C++ for the virtual GPU' --include=vgpu/tools/man/vgpucc)
$(BUILD)/man/vgpu-report.1: $(BUILD)/bin/vgpu-report vgpu/tools/man/vgpu-report
	@mkdir -p $(@D)
	$(call HELP2MAN,--name='prints what kernels did on the virtual GPU' \
	    --include=vgpu/tools/man/vgpu-report)
$(BUILD)/man/vgpu-debug.1: $(BUILD)/bin/vgpu-debug vgpu/tools/man/vgpu-debug
	@mkdir -p $(@D)
	$(call HELP2MAN,--name='holds kernels that run on the virtual GPU' \
	    --include=vgpu/tools/man/vgpu-debug)
# Behind a heading there is nothing to part.
$(BUILD)/man/vgpu.7: vgpu/README.md vgpu/tools/man/vgpu.lua mk/version.mk
	@mkdir -p $(@D)
	sed 's|build/bin/||g; s|build/lib/||g' $< | \
	    pandoc --standalone --from=gfm --to=man --lua-filter=vgpu/tools/man/vgpu.lua \
	        --metadata=date:'$(MAN_DAY)' --metadata=footer:'vgpu $(KIT_VERSION)' | \
	    awk '/^\.S[HS]/ { print; heading = 1; next } !(heading && /^\.(PP|sp)$$/) { print } \
	        { heading = 0 }' >$@

.PHONY: install uninstall man
man: $(MAN_PAGES) ## the man pages of the virtual GPU, in build/man
	$(call needs,pandoc help2man)

install: ## students: install the virtual GPU for all users (PREFIX=/usr/local, DESTDIR)
install: vgpucc $(BUILD)/bin/vgpu-report $(MAN_MADE)
	@BUILD='$(BUILD)' DESTDIR=$(call quoted,$(DESTDIR)) VERSION='$(KIT_VERSION)' \
	    LIBS=$(call quoted,$(VGPU_SYSLIBS)) tools/install $(call quoted,$(PREFIX))

uninstall: ## students: take it away again (PREFIX=/usr/local, DESTDIR)
	@DESTDIR=$(call quoted,$(DESTDIR)) tools/install --remove $(call quoted,$(PREFIX))

# ---- tests ----

TEST_PARTS += $(if $(wildcard tests/install/run),test-install)
.PHONY: test-install need-install
test-install: ## install the virtual GPU, use it with the repository out of sight, uninstall it
test-install: vgpucc $(BUILD)/bin/vgpu-report need-install
	@BUILD='$(BUILD)' tests/install/run $(if $(test_sample),,--all)
need-install:
	$(call needs,pandoc help2man mandoc pkg-config)
