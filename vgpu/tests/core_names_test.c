/* core_names_test.c: mangled names as people write them. */
#include "common/tests/suite.h"
#include "vgpu/src/core/names.h"

#include <string.h>

static const struct {
    const char *mangled;
    const char *plain;   /* with a C++ runtime linked in */
    const char *without; /* without one; NULL: the same */
} functions[] = {
    {"matmul", "matmul", NULL},
    {"_Z5tiledPKfS0_Pfi", "tiled", NULL},
    {"_ZN3lab5tiledEPKf", "lab::tiled", NULL},
    {"_Z5tiledILi32EEvPKfS1_Pfi", "tiled<32>", "tiled"},
    {"_ZN3lab5tiledILi16ELi8EEEvPf", "lab::tiled<16, 8>", "lab::tiled"},
    {"_ZN12_GLOBAL__N_16secretEv", "secret", "secret"},
    {"_Znonsense", "_Znonsense", NULL},
    {"_Z999x", "_Z999x", NULL},
    {"_Z", "_Z", NULL},
    {"", "", NULL},
};

TEST_EACH(test_functions, sizeof functions / sizeof *functions) {
    char buf[128];
    const char *got = vg_pretty_function(functions[_i].mangled, buf, sizeof buf);
    const char *less = functions[_i].without != NULL ? functions[_i].without : functions[_i].plain;
    ck_assert_ptr_eq(got, buf);
    ck_assert_msg(strcmp(got, functions[_i].plain) == 0 || strcmp(got, less) == 0, "%s became %s",
                  functions[_i].mangled, got);
}

static const struct {
    const char *mangled, *plain;
} variables[] = {
    {"tile", "tile"},
    {"_ZZ5tiledPKfE2As", "As"},             /* __shared__ float As[…] in tiled(float const*) */
    {"_ZZ5tiledILi32EEvPKfE4tile", "tile"}, /* in a template */
    /* behind the template's 64 there happen to be 64 characters */
    {"_ZZ5tiledILm64ELm8ELm8ELm4EEvPKfS1_PfmmmE35a_tile_with_quite_a_long_name_indee",
     "a_tile_with_quite_a_long_name_indee"},
    {"_ZZ5tiledPKfE2As_0", "As"}, /* the second of that name */
    {"_ZL4seen", "seen"},         /* static */
    {"_ZN3lab5tableE", "table"},  /* of a namespace */
    {"_ZN3lab3boxL5tableE", "table"},
    {"_ZN3labE", "lab"},
    {"_ZNE", "_ZNE"},
    {"_ZN3lab9tableE", "_ZN3lab9tableE"}, /* it ends too early */
    {"_ZN3lab5tableEi", "_ZN3lab5tableEi"},
    {"_ZN3lab99999999999999999999tableE", "_ZN3lab99999999999999999999tableE"},
    {"$_ZZ1kvE1a", "$_ZZ1kvE1a"},
    {"_Z", "_Z"},
    {"_ZZ1kvE99x", "_ZZ1kvE99x"},
    {"_ZZ1kvE99999999999999999999x", "_ZZ1kvE99999999999999999999x"},
};

TEST_EACH(test_variables, sizeof variables / sizeof *variables) {
    char buf[128];
    ck_assert_str_eq(vg_pretty_variable(variables[_i].mangled, buf, sizeof buf),
                     variables[_i].plain);
}

TEST(test_short_buffers_are_respected) {
    char buf[8];
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        memset(buf, 'x', sizeof buf);
        vg_pretty_function(functions[i].mangled, buf, 5);
        ck_assert_ptr_nonnull(memchr(buf, '\0', 5));
        ck_assert(buf[5] == 'x');
    }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        memset(buf, 'x', sizeof buf);
        vg_pretty_variable(variables[i].mangled, buf, 3);
        ck_assert_ptr_nonnull(memchr(buf, '\0', 3));
        ck_assert(buf[3] == 'x');
    }
}

int main(void) {
    return run_tests((struct suite){.name = "core_names"});
}
