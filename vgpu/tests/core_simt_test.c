/*
 * core_simt_test.c: divergence, by random programs. Each is run by the executor and evaluated a
 * thread at a time; what every thread writes must be the same. Once for each instruction set the
 * executor has code for, and once with an observer, since then kernels run as other programs.
 *
 * VGPU_TEST_SEED=N begins with program N, VGPU_TEST_COUNT=N tries N programs. A program that fails
 * is left in core_simt_failed.ptx.
 */
#include "common/tests/suite.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/tests/core_simt_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sanitizers look at how it is done, for which fewer programs do. */
#ifdef __SANITIZE_ADDRESS__
enum { BLOCKS = 2, DEFAULT_COUNT = 25 };
#else
enum { BLOCKS = 2, DEFAULT_COUNT = 150 };
#endif

typedef struct machine {
    vg_mem *mem;
    vg_exec *exec;
    uint64_t in, out; /* device addresses */
} machine;

static uint64_t setting(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 0) : otherwise;
}

static void fail_program(uint64_t seed, const char *ptx, const char *what) {
    FILE *f = fopen("core_simt_failed.ptx", "w");
    if (f != NULL) {
        fprintf(f, "// program %llu\n%s", (unsigned long long)seed, ptx);
        fclose(f);
    }
    ck_abort_msg("program %llu (VGPU_TEST_SEED): %s; it is in core_simt_failed.ptx",
                 (unsigned long long)seed, what);
}

/* Inputs that differ in few bits, so that lanes agree often and part often. */
static void make_input(uint64_t seed, uint32_t *in, size_t words) {
    uint64_t x = seed * 2654435761u + 12345;
    for (size_t i = 0; i < words; i++) {
        x = x * 6364136223846793005ull + 1442695040888963407ull;
        const uint32_t bits = (2u << (x >> 33 & 7)) - 1;
        in[i] = i % SIMT_VARS == 0 ? (uint32_t)(i / SIMT_VARS) : (uint32_t)(x >> 40) & bits;
    }
}

static void compare(uint64_t seed, const char *ptx, const uint32_t *want, const uint32_t *got,
                    int threads) {
    for (int t = 0; t < threads; t++) {
        for (int i = 0; i < SIMT_WORDS; i++) {
            const size_t at = (size_t)t * SIMT_WORDS + (size_t)i;
            if (want[at] != got[at]) {
                char what[160];
                snprintf(
                    what, sizeof what,
                    "thread %d of %d, word %d is %u, not %u (trace word %u / 1000 of statement %u)",
                    t, threads, i, got[at], want[at], want[at], want[at] % 1000);
                fail_program(seed, ptx, what);
            }
        }
    }
}

/* False when the program was not worth running. */
static bool try_program(machine *m, uint64_t seed) {
    static const int sizes[] = {32, 64, 45, 96, 7, 33, 128};
    const int threads = sizes[seed % (sizeof sizes / sizeof *sizes)];
    const size_t words_in = (size_t)threads * BLOCKS * SIMT_VARS,
                 words_out = (size_t)threads * BLOCKS * SIMT_WORDS;
    uint32_t *in = vg_mem_at(m->mem, m->in, words_in * 4),
             *got = vg_mem_at(m->mem, m->out, words_out * 4);
    uint32_t *want = calloc(words_out, sizeof *want);
    simt_program *p = simt_generate(seed);
    const char *ptx = simt_ptx(p);
    bool fine = true;
    ck_assert_ptr_nonnull(want);
    make_input(seed, in, words_in);
    for (int b = 0; b < BLOCKS && fine; b++) {
        fine = simt_evaluate(p, threads, in + (size_t)b * (size_t)threads * SIMT_VARS,
                             want + (size_t)b * (size_t)threads * SIMT_WORDS);
    }
    if (fine) {
        vg_fault fault = {0};
        vg_module *module = vg_module_load(ptx, strlen(ptx), m->mem, &fault);
        vg_kernel *kernel = module != NULL ? vg_module_kernel(module, "k") : NULL;
        if (kernel == NULL || !vg_kernel_prepare(kernel, vg_exec_is_observed(m->exec), &fault))
            fail_program(seed, ptx, fault.text);
        void *args[] = {&m->in, &m->out};
        const vg_launch_params params = {.grid = {BLOCKS, 1, 1},
                                         .block = {(uint32_t)threads, 1, 1},
                                         .args = args,
                                         .mem = m->mem,
                                         .sm_count = 1,
                                         .budget = 100000000};
        memset(got, 0, words_out * 4);
        if (vg_launch(m->exec, kernel, &params, &fault) != VG_OK)
            fail_program(seed, ptx, fault.text);
        compare(seed, ptx, want, got, threads * BLOCKS);
        vg_module_unload(module, m->mem);
    }
    simt_free(p);
    free(want);
    return fine;
}

static void try_programs(const vg_observer *observer, uint64_t count) {
    machine m = {.mem = vg_mem_create(1ull << 28), .exec = vg_exec_create(1)};
    ck_assert(m.mem != NULL && m.exec != NULL);
    if (observer != NULL)
        ck_assert(vg_exec_observe(m.exec, observer));
    m.in = vg_mem_alloc(m.mem, (size_t)SIMT_MAX_THREADS * BLOCKS * SIMT_VARS * 4, 256,
                        VG_MEM_DEVICE, NULL);
    m.out = vg_mem_alloc(m.mem, (size_t)SIMT_MAX_THREADS * BLOCKS * SIMT_WORDS * 4, 256,
                         VG_MEM_DEVICE, NULL);
    const uint64_t first = setting("VGPU_TEST_SEED", 1);
    uint64_t seed = first;
    for (uint64_t tried = 0; tried < count; seed++)
        tried += try_program(&m, seed);
    printf("core_simt: programs %llu to %llu, %llu of them worth running\n",
           (unsigned long long)first, (unsigned long long)(seed - 1), (unsigned long long)count);
    vg_exec_destroy(m.exec);
    vg_mem_destroy(m.mem);
}

TEST_EACH(test_programs_by_instruction_set, 3) {
    static const char *const sets[] = {"base", "avx2", "avx512"};
    /* Read when the first kernel is prepared, in this test's own process. */
    setenv("VGPU_ISA", sets[_i], 1);
    try_programs(NULL, setting("VGPU_TEST_COUNT", DEFAULT_COUNT));
}

static void count_access(void *self, const vg_access *a) {
    (void)a;
    ++*(unsigned long *)self;
}

TEST(test_programs_observed) {
    unsigned long accesses = 0;
    const vg_observer observer = {.name = "test", .self = &accesses, .access = count_access};
    try_programs(&observer, setting("VGPU_TEST_COUNT", DEFAULT_COUNT));
    ck_assert_uint_gt(accesses, 0);
}

int main(void) {
    return run_tests((struct suite){.name = "core_simt", .seconds = 600});
}
