/*
 * lines_test.c: our reader of line tables says what libdw says (docs/dependencies.md tells why ours
 * stays). The program is its own example: it holds lines_sample.c in each version of DWARF, by each
 * compiler that is here.
 */
#include "common/tests/suite.h"
#include "vgpu/src/check/caller.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int sample_2(int n);
int sample_3(int n);
int sample_4(int n);
int sample_5(int n);
int sample_clang_4(int n);
int sample_clang_5(int n);

/* Linked in because they are called here. */
TEST(the_samples_agree) {
    const int expected = sample_5(20);
    ck_assert_int_eq(sample_2(20), expected);
    ck_assert_int_eq(sample_3(20), expected);
    ck_assert_int_eq(sample_4(20), expected);
#ifdef WITH_CLANG
    ck_assert_int_eq(sample_clang_4(20), expected);
    ck_assert_int_eq(sample_clang_5(20), expected);
#endif
}

static int first_object(struct dl_phdr_info *info, size_t size, void *base) {
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

static uintptr_t load_base(void) {
    uintptr_t base = 0;
    dl_iterate_phdr(first_object, &base);
    return base;
}

/* Ours leaves out the folder in which the program runs, and what nobody wrote. */
static bool ends_with(const char *whole, const char *end) {
    const size_t a = strlen(whole), b = strlen(end);
    return a >= b && strcmp(whole + a - b, end) == 0;
}

static void compare_at(uintptr_t base, Dwarf_Addr at, Dwarf_Line *row) {
    char file[512] = "";
    int ours = 0, theirs = 0;
    /* A return address: the call is before it. */
    const bool found = vg_caller_line((const char *)base + at + 1, file, sizeof file, &ours);
    ck_assert_int_eq(dwarf_lineno(row, &theirs), 0);
    const char *name = dwarf_linesrc(row, NULL, NULL);
    ck_assert_msg(found == (theirs > 0), "0x%llx is %s:%d, and ours %s", (unsigned long long)at,
                  name, theirs, found ? "finds a line" : "finds none");
    ck_assert_msg(!found || (ours == theirs && ends_with(name, file)),
                  "0x%llx is %s:%d, and not %s:%d", (unsigned long long)at, name, theirs, file,
                  ours);
}

/* All ranges of a unit, at their first and last byte; how many there were. */
static int compare_unit(uintptr_t base, Dwarf_Die *unit) {
    Dwarf_Lines *lines = NULL;
    size_t count = 0;
    int compared = 0;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return 0;
    for (size_t i = 0; i + 1 < count; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i), *next = dwarf_onesrcline(lines, i + 1);
        Dwarf_Addr from = 0, to = 0;
        bool ends = false;
        dwarf_lineaddr(row, &from);
        dwarf_lineaddr(next, &to);
        dwarf_lineendsequence(row, &ends);
        if (ends || to <= from)
            continue;
        compare_at(base, from, row);
        compare_at(base, to - 1, row);
        compared++;
    }
    return compared;
}

TEST(lines_are_those_of_libdw) {
    const uintptr_t base = load_base();
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
    ck_assert_ptr_nonnull(dwarf);
    int ranges[6] = {0};
    Dwarf_Off at = 0, next = 0;
    size_t header = 0;
    Dwarf_Half version = 0;
    for (; dwarf_next_unit(dwarf, at, &next, &header, &version, NULL, NULL, NULL, NULL, NULL) == 0;
         at = next) {
        Dwarf_Die unit;
        ck_assert_ptr_nonnull(dwarf_offdie(dwarf, at + header, &unit));
        ck_assert_int_le(version, 5);
        ranges[version] += compare_unit(base, &unit);
    }
    for (int v = 2; v <= 5; v++)
        ck_assert_msg(ranges[v] >= 10, "only %d ranges of DWARF %d were compared", ranges[v], v);
    dwarf_end(dwarf);
    close(fd);
}

int main(void) {
    return run_tests((struct suite){.name = "checkers' lines, and libdw's"});
}
