# tests: Check suites of every module, golden-output tests, and the zoo of submissions.
#
# A module adds its own suite with two lines in its module.mk:
#     UNIT_TESTS += vgpu/tests/devmem
#     vgpu/tests/devmem_LIBS := $(BUILD)/lib/libvgpu.a
# and vgpu/tests/devmem_test.c becomes $(BUILD)/vgpu/tests/devmem_test.

UNIT_TEST_BINS := $(UNIT_TESTS:%=$(BUILD)/%_test)
CHECK_LIBS     := $(or $(shell pkg-config --libs check 2>/dev/null),-lcheck -lsubunit -lrt)

.SECONDEXPANSION:
$(UNIT_TEST_BINS): $(BUILD)/%_test: $(BUILD)/obj/%_test.o $$($$*_LIBS)
	$(call need,$(HAVE_CHECK),Check,the package check)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $< $($*_LIBS) $($*_SYSLIBS) $(CHECK_LIBS) $(SYSLIBS) -o $@

.PHONY: test-unit
test-unit: $(UNIT_TEST_BINS) ## run the Check suites of every module
	@failed=0; for t in $(UNIT_TEST_BINS); do $$t || failed=1; done; exit $$failed
