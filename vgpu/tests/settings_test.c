/* settings_test.c: settings come from the environment, or once and for all from a sealed one. */
#include "vgpu/src/memory/settings.h"
#include "vgpu/tests/vgpu_test.h"

#include <stdlib.h>
#include <string.h>

TEST(an_open_environment_is_asked_each_time) {
    char path[] = "PATH=/bin", check[] = "VGPU_CHECK=none";
    char *environment[] = {path, check, NULL};
    vg_settings_seal(environment);
    ck_assert_str_eq(environment[1], "VGPU_CHECK=none");
    setenv("VGPU_CHECK", "race", 1);
    ck_assert_str_eq(vg_setting("VGPU_CHECK"), "race");
    unsetenv("VGPU_CHECK");
    ck_assert_ptr_null(vg_setting("VGPU_CHECK"));
}

TEST(a_sealed_environment_is_taken_and_blotted_out) {
    char check[] = "VGPU_CHECK=none", path[] = "PATH=/bin", sealed[] = "VGPU_SEALED=1",
         journal[] = "VGPU_JOURNAL=", other[] = "VGPUS=2";
    char *environment[] = {check, path, sealed, journal, other, NULL};
    vg_settings_seal(environment);
    ck_assert_ptr_eq(environment[0], path);
    ck_assert_ptr_eq(environment[1], other);
    ck_assert_ptr_null(environment[2]);
    static const char zeros[sizeof check];
    ck_assert_mem_eq(check, zeros, sizeof check);
    ck_assert_str_eq(path, "PATH=/bin");
    setenv("VGPU_CHECK", "race", 1);
    setenv("VGPU_LATE", "0", 1);
    ck_assert_str_eq(vg_setting("VGPU_CHECK"), "none");
    ck_assert_str_eq(vg_setting("VGPU_JOURNAL"), "");
    ck_assert_ptr_null(vg_setting("VGPU_LATE"));
    ck_assert_ptr_null(vg_setting("VGPU_CHEC"));
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "settings"});
}
