/* build.c: compiles and links a submission in the scratch folder (see build.h). */
#include "grading/src/build/build.h"

#include "grading/src/base/scratch.h"
#include "grading/src/build/messages.h"
#include "grading/src/build/offers.h"
#include "grading/src/build/symbols.h"
#include "grading/src/build/tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct clean_bounds shown_errors = {.lines = 24, .columns = 160};

/* One cuBLAS product, with a handle that stays. */
static const struct lab_spec cublas_lab = {.entries = 1u << ENTRY_DEVICE, .cublas = true};
static const char cublas_source[] =
    "#include \"lab.h\"\n"
    "#include \"cuda_check.h\"\n"
    "#include <cublas_v2.h>\n"
    "void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {\n"
    "    static cublasHandle_t handle;\n"
    "    const float one = 1.0f, zero = 0.0f;\n"
    "    if (!handle)\n"
    "        CUBLAS_CHECK(cublasCreate(&handle));\n"
    "    CUBLAS_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B, n, A, k,\n"
    "                             &zero, C, n));\n"
    "}\n";

/* A submission of our own, to tell a broken machine from a broken submission. */
static const char probe_source[] = "#include \"lab.h\"\n"
                                   "#include <stdio.h>\n"
                                   "#include <cuda_runtime.h>\n"
                                   "#include \"cuda_check.h\"\n"
                                   "#ifdef PROBE_CUBLAS\n"
                                   "#include <cublas_v2.h>\n"
                                   "void probe_cublas(float *x) {\n"
                                   "    cublasHandle_t h;\n"
                                   "    CUBLAS_CHECK(cublasCreate(&h));\n"
                                   "    CUBLAS_CHECK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 1,\n"
                                   "                 1, 1, x, x, 1, x, 1, x, x, 1));\n"
                                   "    CUBLAS_CHECK(cublasDestroy(h));\n"
                                   "}\n"
                                   "#endif\n"
                                   "__global__ void probe(float *x) { *x = 1.0f; }\n"
                                   "void matmul_cpu(int, int, int, const float *, const float *,\n"
                                   "                float *C) { C[0] = 1.0f; }\n"
                                   "void matmul_host(int, int, int, const float *, const float *,\n"
                                   "                 float *C) { C[0] = 1.0f; }\n"
                                   "void matmul_device(int, int, int, const float *,\n"
                                   "                   const float *, float *C) {\n"
                                   "    probe<<<1, 1>>>(C);\n"
                                   "    CUDA_CHECK_LAUNCH();\n"
                                   "}\n";

void build_free(struct build *b) {
    flags_free(&b->flags);
    text_free(&b->headline);
    text_free(&b->details);
    free(b->program);
    free(b->unset_words);
    free(b->pointer_size_words);
    for (size_t i = 0; i < sizeof b->renaming / sizeof *b->renaming; i++) {
        free(b->renaming[i].from);
        free(b->renaming[i].to);
    }
    *b = (struct build){0};
}

/* A folder of the kit, of which children may see a copy, is called as the kit's own. */
static struct renaming kit_name(const struct job *j, const char *folder) {
    char *seen = sandbox_path(j->sandbox, folder);
    const struct renaming r = {xasprintf("%s/", seen), xasprintf("%s/", folder)};
    free(seen);
    return r;
}

/* From most to least specific: each is looked for in turn. */
static void set_renaming(struct build *b, const struct job *j, const char *scratch) {
    struct renaming *r = b->renaming;
    const char *name = j->renamed ? j->renamed : j->file;
    r[0] = (struct renaming){xasprintf("%s/", j->folder), xstrdup("")};
    r[1] =
        (struct renaming){xasprintf("%s/%s", strrchr(j->folder, '/') + 1, j->file), xstrdup(name)};
    r[2] = (struct renaming){xstrdup(j->renamed ? j->file : ""), xstrdup(name)};
    r[3] = kit_name(j, j->paths->build);
    r[4] = kit_name(j, paths_headers(j->paths));
    r[5] = kit_name(j, j->paths->root);
    r[6] = (struct renaming){xasprintf("%s/", scratch), xstrdup("")};
    r[7] = (struct renaming){xasprintf("%s/", j->paths->root), xstrdup("")};
}

void build_known_names(const struct build *b, struct text *t) {
    for (size_t i = 0; i < sizeof b->renaming / sizeof *b->renaming; i++)
        if (b->renaming[i].from)
            text_replace(t, b->renaming[i].from, b->renaming[i].to);
}

/* The first line of what a tool printed that says something. */
static void first_line(struct text *t, const char *messages) {
    while (*messages == '\n')
        messages++;
    const size_t n = strcspn(messages, "\n");
    struct text line = {0};
    text_add_clean(&line, messages, n, "", (struct clean_bounds){.lines = 1, .columns = 200});
    if (line.length > 0)
        text_add_bytes(t, line.data, line.length - 1);
    text_free(&line);
}

/* What a tool said, with files called as the student knows them. */
static void said(const struct build *b, const struct job *j, struct text *to) {
    text_add(to, j->messages);
    build_known_names(b, to);
}

/* The machine's doing, or somebody's who stopped us. */
static void say_not_built(struct build *b, const struct job *j, enum tool_outcome outcome,
                          const char *name) {
    b->outcome = BUILD_NOT_GRADED;
    if (outcome == TOOL_UNUSABLE)
        first_line(&b->headline, j->messages);
    else if (outcome == TOOL_STARVED)
        text_addf(&b->headline,
                  "this machine is too busy: %d times the compiler did not get the time it needs "
                  "for %s in %d s",
                  COMPILE_TRIES, name, COMPILE_CLOCK);
    else if (outcome == TOOL_KILLED)
        text_addf(&b->headline,
                  "this machine ran out of memory: it ended the compiler of %s %d times", name,
                  COMPILE_TRIES);
    else
        text_add(&b->headline, "interrupted");
}

/* The submission's own doing: what is said of it. */
static void say_refused(struct build *b, enum tool_outcome outcome, bool link, const char *name) {
    b->outcome = BUILD_REFUSED;
    switch (outcome) {
    case TOOL_LIMIT:
        b->refusal = REFUSED_LIMIT;
        text_addf(&b->headline,
                  "%s takes more to %s than the limits allow: %d s of processor time, 4 GB of "
                  "memory, 256 MB of output",
                  name, link ? "link" : "compile", COMPILE_SECONDS);
        return;
    case TOOL_WAITED:
        b->refusal = REFUSED_WAITS;
        text_addf(&b->headline, "%s makes the compiler wait for something that never comes", name);
        return;
    case TOOL_SHARED:
        b->refusal = REFUSED_SHARED_SIZE;
        text_addf(&b->headline, "%s does not compile: a kernel has too much shared memory", name);
        return;
    case TOOL_BROKEN:
        b->refusal = REFUSED_BREAKS_TOOL;
        text_addf(&b->headline, "%s makes the %s crash", name, link ? "linker" : "compiler");
        return;
    default:
        b->refusal = link ? REFUSED_NOT_LINKED : REFUSED_NOT_COMPILED;
        text_addf(&b->headline, "%s does not %s; the %s first messages:", name,
                  link ? "link" : "compile", link ? "linker's" : "compiler's");
    }
}

static void build_own(struct build *b, struct job *j, const char *scratch, const char *source,
                      bool link);

/* A failed step of the submission's build: its own fault, unless our probe fails as well. */
static void blame(struct build *b, struct job *j, enum tool_outcome outcome, bool link,
                  const char *name, const char *scratch) {
    if (outcome == TOOL_STOPPED || outcome == TOOL_UNUSABLE || tool_machines_doing(outcome)) {
        say_not_built(b, j, outcome, name);
        return;
    }
    struct build probe = {0};
    struct job own = {
        .lab = j->lab, .backend = j->backend, .paths = j->paths, .sandbox = j->sandbox};
    build_own(&probe, &own, scratch, probe_source, link);
    if (probe.outcome != BUILD_OK) {
        b->outcome = BUILD_NOT_GRADED;
        text_add(&b->headline, text_get(&probe.headline));
        text_add(&b->details, text_get(&probe.details));
        build_free(&probe);
        return;
    }
    build_free(&probe);
    say_refused(b, outcome, link, name);
    struct text raw = {0};
    said(b, j, &raw);
    if (b->refusal == REFUSED_BREAKS_TOOL) { /* its messages are about itself */
        b->error = messages_breakdown(text_get(&raw), name);
        if (b->error.line > 0)
            text_addf(&b->headline, " at line %d", b->error.line);
    } else if (b->refusal != REFUSED_LIMIT) {
        b->error = messages_error(text_get(&raw), name);
        messages_drop_quotes(&raw, name);
        text_add_clean(&b->details, text_get(&raw), raw.length, "  ", shown_errors);
    }
    text_free(&raw);
}

/* Flags of the source, and of the object once there is one. */
static void find_flags(struct build *b, const struct job *j, const struct submission *s) {
    char *path = xasprintf("%s/submission.o", j->folder);
    size_t n;
    unsigned char *object = symbols_load(path, (size_t)256 << 20, &n);
    flags_find(&b->flags, s->bytes, s->length, object, n);
    free(object);
    free(path);
}

/* The first warning of these flags, and its words; NULL: there is none. */
static char *note_warning(const char *warnings, const char *name, const char *const *flags,
                          struct message_place *at) {
    size_t n;
    const char *line = messages_warning(warnings, name, flags, at, &n);
    struct text words = {0};
    if (line)
        text_add_clean_line(&words, line, n, 200);
    char *copy = line ? xstrdup(text_get(&words)) : NULL;
    text_free(&words);
    return copy;
}

/* Warnings that tell of mistakes which products show: a variable that is used before it has a
 * value, and a pointer's size, as clang, gcc and nvcc find them. */
static void note_warnings(struct build *b, const char *warnings, const char *name) {
    static const char *const unset[] = {"uninitialized", "sometimes-uninitialized", "549-D", NULL};
    static const char *const pointer[] = {"sizeof-array-argument", "sizeof-pointer-memaccess",
                                          NULL};
    b->unset_words = note_warning(warnings, name, unset, &b->unset);
    b->pointer_size_words = note_warning(warnings, name, pointer, &b->pointer_size);
}

void build_submission(struct build *b, const struct submission *s, const struct lab_spec *lab,
                      const struct backend *backend, const struct paths *paths, const char *scratch,
                      const struct sandbox *sandbox) {
    *b = (struct build){.outcome = BUILD_OK};
    struct job j = {.lab = lab, .backend = backend, .paths = paths, .sandbox = sandbox};
    enum tool_outcome outcome;
    /* A submission may be built for both backends, each in a folder of its own. */
    const char *folder = backend->kind == BACKEND_GPU ? "build-gpu" : "build";
    if (!job_start(&j, scratch, folder, s->name, s->bytes, s->length)) {
        const int error = errno;
        b->outcome = BUILD_NOT_GRADED;
        if (scratch_has_room(scratch, &b->headline))
            text_addf(&b->headline, "cannot write to the scratch folder %s: %s", scratch,
                      strerror(error));
        job_free(&j);
        return;
    }
    set_renaming(b, &j, scratch);
    outcome = job_compile(&j);
    find_flags(b, &j, s);
    if (outcome != TOOL_OK) {
        blame(b, &j, outcome, false, s->name, scratch);
    } else {
        struct text warnings = {0};
        said(b, &j, &warnings);
        note_warnings(b, text_get(&warnings), s->name);
        text_add_clean(&b->details, text_get(&warnings), warnings.length, "  ", shown_errors);
        text_free(&warnings);
        char *object = xasprintf("%s/submission.o", j.folder);
        offers_check(b, object, s, lab);
        free(object);
        if (b->outcome == BUILD_OK && (outcome = job_link(&j)) != TOOL_OK) {
            text_clear(&b->headline);
            text_clear(&b->details);
            blame(b, &j, outcome, true, s->name, scratch);
        }
        if (b->outcome == BUILD_OK)
            b->program = xasprintf("%s/worker", j.folder);
    }
    job_free(&j);
}

/* With names; j says with what. */
static void build_with_names(struct build *b, struct job *j, const struct submission *s,
                             const char *scratch, const char *folder) {
    *b = (struct build){.outcome = BUILD_OK};
    j->watched = true;
    if (!job_start(j, scratch, folder, s->name, s->bytes, s->length) || job_compile(j) != TOOL_OK ||
        job_link(j) != TOOL_OK) {
        b->outcome = BUILD_NOT_GRADED;
        text_addf(&b->headline, "%s cannot be built for watching", s->name);
    } else {
        b->program = xasprintf("%s/worker", j->folder);
    }
    job_free(j);
}

void build_watched(struct build *b, const struct submission *s, const struct lab_spec *lab,
                   const struct backend *backend, const struct paths *paths, const char *scratch,
                   const struct sandbox *sandbox) {
    struct job j = {.lab = lab, .backend = backend, .paths = paths, .sandbox = sandbox};
    build_with_names(b, &j, s, scratch, "build-film");
}

void build_held(struct build *b, const struct submission *s, const struct lab_spec *lab,
                const struct backend *backend, const struct paths *paths, const char *scratch,
                const struct sandbox *sandbox) {
    struct backend own = *backend;
    own.worker_library = xasprintf("%s/lib/libheld.a", paths->build);
    struct job j = {.lab = lab, .backend = &own, .paths = paths, .sandbox = sandbox};
    build_with_names(b, &j, s, scratch, "build-debug");
    free(own.worker_library);
}

/* A submission of ours, for any lab, compiled and, unless `link` is false, linked. */
static void build_own(struct build *b, struct job *j, const char *scratch, const char *source,
                      bool link) {
    static unsigned probes; /* each gets a folder of its own */
    char folder[32];
    snprintf(folder, sizeof folder, "probe%u", probes++);
    *b = (struct build){.outcome = BUILD_OK};
    if (!job_start(j, scratch, folder, "probe.cu", source, strlen(source))) {
        b->outcome = BUILD_NOT_GRADED;
        if (scratch_has_room(scratch, &b->headline))
            text_addf(&b->headline, "cannot write to the scratch folder %s", scratch);
    } else if (job_compile(j) != TOOL_OK || (link && job_link(j) != TOOL_OK)) {
        const char *messages = j->messages ? j->messages : ""; /* none: it was not even started */
        b->outcome = BUILD_NOT_GRADED;
        const bool room = scratch_has_room(scratch, &b->headline);
        if (room) {
            text_add(&b->headline, "the compiler does not work on this machine: ");
            first_line(&b->headline, *messages ? messages : "it says nothing");
        }
        if (room && strchr(messages, '\n') != strrchr(messages, '\n')) /* there is more */
            text_add_clean(&b->details, messages, strlen(messages), "  ", shown_errors);
    } else if (link) {
        b->program = xasprintf("%s/worker", j->folder);
    }
    job_free(j);
}

void build_cublas(struct build *b, const struct backend *backend, const struct paths *paths,
                  const char *scratch, const struct sandbox *sandbox) {
    struct job j = {.lab = &cublas_lab, .backend = backend, .paths = paths, .sandbox = sandbox};
    build_own(b, &j, scratch, cublas_source, true);
}

void build_probe(struct build *b, const struct lab_spec *lab, const struct backend *backend,
                 const struct paths *paths, const char *scratch, const struct sandbox *sandbox) {
    struct job j = {.lab = lab, .backend = backend, .paths = paths, .sandbox = sandbox};
    build_own(b, &j, scratch, probe_source, true);
}
