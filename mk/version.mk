# version.mk: the version of the kit, here and nowhere else. The grader, vgpucc and others print it,
# the pkg-config file and the man pages have it, releases are named by it: tests/install/run
# holds all of them, CHANGELOG.md and CITATION.cff against this line.
#
# MAJOR.MINOR.PATCH: the first goes up when a command, a lab's contract or a result's schema changes
# so that what relied on it breaks; the second with what is new; the third with what is mended.

KIT_VERSION := 1.0.0

# $(call knows_version,OBJECT...): these are compiled with it.
define knows_version
$(1): EXTRA_CFLAGS += -DKIT_VERSION='"$(KIT_VERSION)"'
$(1): mk/version.mk
endef
