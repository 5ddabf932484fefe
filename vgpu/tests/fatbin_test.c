/*
 * fatbin_test.c: finding PTX in what clang and nvcc put into a program.
 */
#include "vgpu/src/runtime/fatbin.h"
#include "vgpu/tests/vgpu_test.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct wrapper {
    int magic, version;
    const void *data;
    void *unused;
} wrapper;

static unsigned char box[4096];
static size_t used;
static char why[256];
static char *unpacked;

static void put(const void *bytes, size_t len) {
    ck_assert_uint_le(used + len, sizeof box);
    memcpy(box + used, bytes, len);
    used += len;
}

static void put16(uint16_t v) {
    put(&v, sizeof v);
}

static void put32(uint32_t v) {
    put(&v, sizeof v);
}

static void put64(uint64_t v) {
    put(&v, sizeof v);
}

static void open_box(void) {
    used = 0;
    memset(box, 0, sizeof box);
    put32(0xBA55ED50);
    put16(1);
    put16(16);
    put64(0);
}

/* An entry of a container as nvcc writes it: a header of 64 bytes, then the body, padded to 8. */
static void put_packed(uint16_t kind, uint32_t arch, uint64_t flags, const void *body,
                       uint32_t bytes, uint64_t plain) {
    size_t len = ((size_t)bytes + 1 + 7) / 8 * 8;
    put16(kind);
    put16(0x101);
    put32(64);
    put64(len);
    put32(plain > 0 ? bytes : 0);
    put32(0);
    put16(4);
    put16(6);
    put32(arch);
    put32(0);
    put32(0);
    put64(flags);
    put64(0);
    put64(plain);
    memcpy(box + used, body, bytes);
    used += len;
}

static void put_entry(uint16_t kind, uint32_t arch, uint64_t flags, const char *body) {
    put_packed(kind, arch, flags, body, (uint32_t)strlen(body), 0);
}

static void close_box(void) {
    uint64_t body = used - 16;
    memcpy(box + 8, &body, sizeof body);
}

static bool find(const void *data, const char **text, size_t *len) {
    wrapper w = {0x466243b1, 1, data, NULL};
    free(unpacked);
    return vg_fatbin_ptx(&w, text, len, &unpacked, why, sizeof why);
}

TEST(plain_text) {
    const char *text = NULL;
    size_t len = 0;
    ck_assert(find("//\n.version 6.4\n", &text, &len));
    ck_assert_uint_eq(len, 16);
}

TEST(a_container_is_told_from_a_text) {
    const wrapper text = {0x466243b1, 1, "//\n.version 6.4\n", NULL},
                  nothing = {0x12345678, 1, "x", NULL};
    const wrapper boxed = {0x466243b1, 1, box, NULL};
    open_box();
    close_box();
    ck_assert(vg_fatbin_is_container(&boxed));
    ck_assert(!vg_fatbin_is_container(&text));
    ck_assert(!vg_fatbin_is_container(&nothing));
}

TEST(the_highest_target_wins) {
    const char *text = NULL;
    size_t len = 0;
    open_box();
    put_entry(2, 90, 0x11, "machine code");
    put_entry(1, 70, 0x11, ".version 6.4");
    put_entry(1, 90, 0x11, ".version 8.0");
    put_entry(1, 80, 0x11, ".version 7.0");
    close_box();
    ck_assert(find(box, &text, &len));
    ck_assert_uint_eq(len, 12);
    ck_assert_int_eq(strncmp(text, ".version 8.0", len), 0);
}

/* ".version 7.8" and twenty-four times "a = b; ", as the two programs lz4 and zstd pack it. */
static const unsigned char lz4_text[] = {
    0xff, 0x04, 0x2e, 0x76, 0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e, 0x20, 0x37, 0x2e, 0x38, 0x20,
    0x61, 0x20, 0x3d, 0x20, 0x62, 0x3b, 0x07, 0x00, 0x8a, 0x50, 0x3d, 0x20, 0x62, 0x3b, 0x20};
static const unsigned char zstd_text[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 0xb5, 0xd5, 0x00, 0x00,
                                          0x98, 0x2e, 0x76, 0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e,
                                          0x20, 0x37, 0x2e, 0x38, 0x20, 0x61, 0x20, 0x3d, 0x20,
                                          0x62, 0x3b, 0x01, 0x00, 0x3f, 0xa2, 0x4a, 0x18};
enum { PLAIN_BYTES = 181 };

static void check_plain(const char *text, size_t len) {
    ck_assert_uint_eq(len, PLAIN_BYTES);
    ck_assert_int_eq(strncmp(text, ".version 7.8 a = b; ", 20), 0);
    ck_assert_str_eq(text + len - 7, "a = b; ");
}

TEST(compressed_text_is_unpacked) {
    const char *text = NULL;
    size_t len = 0;
    for (int packing = 0; packing < 2; packing++) {
        open_box();
        put_entry(1, 70, 0x11, ".version 6.4");
        if (packing == 0)
            put_packed(1, 80, 0x2011, lz4_text, sizeof lz4_text, PLAIN_BYTES);
        else
            put_packed(1, 80, 0x8011, zstd_text, sizeof zstd_text, PLAIN_BYTES);
        close_box();
        ck_assert(find(box, &text, &len));
        if (unpacked) /* the system has the library */
            check_plain(text, len);
        else
            ck_assert_uint_eq(len, 12);
    }
    free(unpacked);
    unpacked = NULL;
}

TEST(damaged_compressed_text_is_refused_with_advice) {
    const char *text = NULL;
    size_t len = 0;
    for (int packing = 0; packing < 2; packing++) {
        open_box();
        put_packed(1, 70, packing == 0 ? 0x2011 : 0x8011, "\xFFxxxxxx", 7, PLAIN_BYTES);
        close_box();
        ck_assert(!find(box, &text, &len));
        ck_assert_ptr_nonnull(strstr(why, "nvcc --no-compress"));
    }
    open_box(); /* more bytes than there are, and more than can be */
    put_packed(1, 70, 0x2011, lz4_text, sizeof lz4_text, PLAIN_BYTES + 1);
    close_box();
    ck_assert(!find(box, &text, &len));
    open_box();
    put_packed(1, 70, 0x2011, lz4_text, sizeof lz4_text, UINT64_MAX);
    close_box();
    ck_assert(!find(box, &text, &len));
}

TEST(machine_code_alone_is_refused_with_advice) {
    const char *text = NULL;
    size_t len = 0;
    open_box();
    put_entry(2, 90, 0x11, "machine code");
    close_box();
    ck_assert(!find(box, &text, &len));
    ck_assert_ptr_nonnull(strstr(why, "machine code only, no PTX"));
    ck_assert(!find("\177ELF", &text, &len));
    ck_assert_ptr_nonnull(strstr(why, "machine code only, no PTX"));
}

TEST(broken_containers_end_the_search) {
    const char *text = NULL;
    size_t len = 0;
    uint64_t huge = UINT64_MAX;
    open_box();
    put_entry(1, 70, 0x11, ".version 6.4");
    put_entry(1, 90, 0x11, ".version 8.0");
    close_box();
    memcpy(box + 16 + 64 + 16 + 8, &huge, sizeof huge); /* the second entry claims everything */
    ck_assert(find(box, &text, &len));
    ck_assert_int_eq(strncmp(text, ".version 6.4", len), 0);
}

TEST(something_else_is_refused) {
    wrapper w = {0x12345678, 1, "x", NULL};
    const char *text = NULL;
    size_t len = 0;
    ck_assert(!vg_fatbin_ptx(&w, &text, &len, &unpacked, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "0x12345678"));
}

/* In a file's bytes a container may be cut off, or claim to be longer than the file. */
TEST(containers_in_a_file) {
    const char *text = NULL;
    size_t len = 0;
    open_box();
    put_entry(1, 70, 0, "//\n.version 6.4\n");
    close_box();
    ck_assert_uint_eq(vg_fatbin_container_bytes(box, used), used);
    ck_assert(vg_fatbin_container_ptx(box, used, &text, &len, &unpacked, why, sizeof why));
    ck_assert_uint_eq(len, 16);
    for (size_t cut = 0; cut < used; cut++) {
        ck_assert_uint_eq(vg_fatbin_container_bytes(box, cut), 0);
        ck_assert(!vg_fatbin_container_ptx(box, cut, &text, &len, &unpacked, why, sizeof why));
    }
    memset(box + 8, 0xFF, 8);
    ck_assert_uint_eq(vg_fatbin_container_bytes(box, used), 0);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "device code containers"});
}
