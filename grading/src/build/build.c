/* build.c: compiles and links a submission in the scratch folder (see build.h). */
#include "grading/src/build/build.h"

#include "grading/src/base/scratch.h"
#include "grading/src/build/symbols.h"
#include "grading/src/sandbox/child.h"
#include "grading/src/sandbox/shortage.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of processor time, for a compiler and all it starts. With what its processes cost the kernel it
 * may be more. None of them waits for anything, but in a file that makes it. */
#define COMPILE_SECONDS   60
#define COMPILE_PROCESSOR 90
#define COMPILE_WAITING   20
/* By the clock, for a machine that is busy with others; and so many times. */
#define COMPILE_CLOCK 300
#define COMPILE_TRIES 2

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

/* One build: where it happens and with what. */
struct job {
    const struct lab_spec *lab;
    const struct backend *backend;
    const struct paths *paths;
    const struct sandbox *sandbox;
    char *folder;  /* of its own, inside the scratch folder */
    char *file;    /* the copy's name in that folder, ends in .cu */
    char *renamed; /* the name to show instead, when the copy needed another one; or NULL */
    char **environment;
    char *messages; /* of the last compiler run */
};

enum tool_outcome {
    TOOL_OK,
    TOOL_FAILED,
    TOOL_WAITED,  /* for something that does not come */
    TOOL_STARVED, /* the machine did not let it come to its limit */
    TOOL_KILLED,  /* the machine ended it, or another process while it ran: its memory ran out */
    TOOL_LIMIT,   /* ran into a limit on memory, file size or processor time */
    TOOL_BROKEN,  /* broke down itself */
    TOOL_UNUSABLE,
    TOOL_STOPPED,
};

void build_free(struct build *b) {
    flags_free(&b->flags);
    text_free(&b->headline);
    text_free(&b->details);
    free(b->program);
    for (size_t i = 0; i < sizeof b->renaming / sizeof *b->renaming; i++) {
        free(b->renaming[i].from);
        free(b->renaming[i].to);
    }
    *b = (struct build){0};
}

static void job_free(struct job *j) {
    environment_free(j->environment);
    free(j->folder);
    free(j->file);
    free(j->renamed);
    free(j->messages);
}

static bool write_file(const char *folder, const char *name, const char *bytes, size_t n) {
    char *path = xasprintf("%s/%s", folder, name);
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    free(path);
    size_t done = 0;
    while (fd >= 0 && done < n) {
        const ssize_t wrote = write(fd, bytes + done, n - done);
        if (wrote < 0 && errno != EINTR)
            break;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return fd >= 0 && close(fd) == 0 && done == n;
}

/* Makes the job's folder with the source in it. */
static bool job_start(struct job *j, const char *scratch, const char *folder, const char *name,
                      const char *bytes, size_t n) {
    const size_t length = strlen(name);
    const bool suffix = length > 3 && strcmp(name + length - 3, ".cu") == 0;
    /* A compiler takes these as options, and other suffixes as other languages. */
    const bool plain = suffix && name[0] != '-' && name[0] != '@';
    j->file = plain ? xstrdup(name) : xasprintf("submission-%.200s.cu", name);
    j->renamed = plain ? NULL : xstrdup(name);
    j->folder = xasprintf("%s/%s", scratch, folder);
    char *headers = sandbox_path(j->sandbox, paths_headers(j->paths));
    j->environment = environment_make(headers, j->folder);
    free(headers);
    const bool ok = mkdir(j->folder, 0700) == 0 && write_file(j->folder, j->file, bytes, n);
    sandbox_give(j->sandbox, j->folder);
    return ok;
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

/* vgpucc ends with this, or with 128 + a signal, where its compiler breaks down. */
#define STATUS_BROKEN 70

/* What the end of a compiler means; `shortage`: meanwhile processes were ended for lack of
 * memory. */
static enum tool_outcome outcome_of(int status, bool shortage) {
    const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (code == 0)
        return TOOL_OK;
    if (code == 128 + SIGXFSZ || code == 128 + SIGXCPU)
        return TOOL_LIMIT;
    if (code == 128 + SIGKILL || shortage)
        return TOOL_KILLED;
    return code == STATUS_BROKEN || (code > 128 && code <= 128 + SIGRTMAX) ? TOOL_BROKEN
                                                                           : TOOL_FAILED;
}

static enum tool_outcome run_tool_once(struct job *j, const char *const *argv) {
    const struct child_options options = {.argv = argv,
                                          .environment = (const char *const *)j->environment,
                                          .folder = j->folder,
                                          .sandbox = j->sandbox,
                                          .profile = SANDBOX_COMPILE,
                                          .writable = j->folder,
                                          .family = true,
                                          .limits = {.cpu_seconds = 2 * COMPILE_SECONDS,
                                                     .data_bytes = (uint64_t)4 << 30,
                                                     .file_bytes = (uint64_t)256 << 20,
                                                     .new_processes = 256,
                                                     .total_bytes = (uint64_t)6 << 30,
                                                     .folder_bytes = (uint64_t)1 << 30}};
    struct child *c = xcalloc(1, sizeof *c);
    const uint64_t kills = shortage_kills();
    char why[256];
    bool missing;
    free(j->messages);
    j->messages = NULL;
    if (!child_start(c, &options, why, sizeof why, &missing)) {
        j->messages = xasprintf("%s\n", why);
        free(c);
        return TOOL_UNUSABLE;
    }
    const struct patience p = {.user = COMPILE_SECONDS * 1000,
                               .processor = COMPILE_PROCESSOR * 1000,
                               .idle = COMPILE_WAITING * 1000,
                               .clock = COMPILE_CLOCK * 1000};
    const enum patience_end end = child_wait(c, &p);
    const bool ended = c->ended;
    child_finish(c);
    char *out = capture_text(&c->output), *errors = capture_text(&c->errors);
    j->messages = xasprintf("%s%s", errors, out);
    free(out);
    free(errors);
    const int status = c->wait_status;
    const bool excess = c->excess != EXCESS_NONE;
    free(c);
    if (interrupt_noted())
        return TOOL_STOPPED;
    if (excess)
        return TOOL_LIMIT;
    if (!ended)
        return end == PATIENCE_STARVED  ? TOOL_STARVED
               : end == PATIENCE_WAITED ? TOOL_WAITED
                                        : TOOL_LIMIT;
    return outcome_of(status, shortage_kills() != kills);
}

static bool machines_doing(enum tool_outcome outcome) {
    return outcome == TOOL_STARVED || outcome == TOOL_KILLED;
}

static enum tool_outcome run_tool(struct job *j, const char *const *argv) {
    enum tool_outcome outcome = TOOL_STARVED;
    for (int i = 0; i < COMPILE_TRIES && machines_doing(outcome); i++)
        outcome = run_tool_once(j, argv);
    return outcome;
}

/* The commands. */
static enum tool_outcome compile(struct job *j) {
    const bool gpu = j->backend->kind == BACKEND_GPU;
    char *root = sandbox_path(j->sandbox, j->paths->root);
    char *common = xasprintf("-I%s/common", root);
    char *compiler = sandbox_path(j->sandbox, j->backend->compiler);
    /* Means nothing to a submission; the probe then tries cuBLAS as well. */
    const char *define = j->lab->cublas ? "-DPROBE_CUBLAS" : "-DPROBE";
    const char *const arch = j->backend->architecture;
    const char *const for_gpu[] = {compiler, "-c", "-O3",          "-lineinfo", arch, common,
                                   define,   "-o", "submission.o", j->file,     NULL};
    const char *const for_vgpu[] = {compiler, "-c",           "-O2",   common, define,
                                    "-o",     "submission.o", j->file, NULL};
    const enum tool_outcome outcome = run_tool(j, gpu ? for_gpu : for_vgpu);
    char *all[] = {root, common, compiler};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return outcome;
}

static enum tool_outcome link_worker(struct job *j) {
    const bool gpu = j->backend->kind == BACKEND_GPU;
    char *compiler = sandbox_path(j->sandbox, j->backend->compiler);
    char *library = sandbox_path(j->sandbox, j->backend->worker_library);
    const char *const argv[] = {compiler, "submission.o", library,
                                "-o",     "worker",       gpu && j->lab->cublas ? "-lcublas" : NULL,
                                NULL};
    const enum tool_outcome outcome = run_tool(j, argv);
    free(compiler);
    free(library);
    sandbox_take(j->sandbox, j->folder); /* what runs may not change what was built */
    return outcome;
}

/* Is this line the head of a diagnostic? If so, *file is where it points: "lab3.cu" for
 * "lab3.cu:17:5: error: ..." (clang) and "lab3.cu(17): error: ..." (nvcc). */
static bool diagnostic_head(const char *line, size_t n, size_t *file) {
    static const char *const marks[] = {": error", ": warning", ": note", ": fatal",
                                        ": catastrophic"};
    bool marked = false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        marked = marked || memmem(line, n, marks[i], strlen(marks[i]));
    if (!marked || *line == ' ')
        return false;
    for (*file = 0; *file + 1 < n; (*file)++)
        if ((line[*file] == ':' || line[*file] == '(') && line[*file + 1] >= '0' &&
            line[*file + 1] <= '9')
            return true;
    *file = 0;
    return true;
}

/* Leaves out the lines that a compiler quotes from files other than the submission: a system
 * header's source helps nobody, and `#include "/etc/passwd"` shall show nothing of it. */
static void drop_foreign_quotes(struct text *t, const char *name) {
    struct text kept = {0};
    bool foreign = false;
    const size_t length = strlen(name);
    for (const char *line = text_get(t); *line;) {
        const size_t n = strcspn(line, "\n"), whole = n + (line[n] == '\n');
        size_t file;
        const bool head = diagnostic_head(line, n, &file);
        if (head)
            foreign = file > 0 && (file != length || memcmp(line, name, length) != 0);
        const bool route = strncmp(line, "In file included from ", 22) == 0 &&
                           strncmp(line + 22, name, length) != 0;
        if ((head || !foreign) && !route)
            text_add_bytes(&kept, line, whole);
        line += whole;
    }
    text_free(t);
    *t = kept;
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

/* Where a tool was when it crashed, if it says so: the first place in the submission among what it
 * printed. The rest is about itself, and helps nobody. */
static void add_place(struct build *b, const char *messages, const char *name) {
    const size_t n = strlen(name);
    int line, column;
    for (const char *at = strstr(messages, name); at; at = strstr(at + 1, name)) {
        if (sscanf(at + n, ":%d:%d:", &line, &column) == 2 && line > 0 && column > 0) {
            text_addf(&b->headline, " at line %d", line);
            b->line = line;
            return;
        }
    }
}

/* A failed step of the submission's build: its own fault, unless our probe fails as well. */
static void blame(struct build *b, struct job *j, enum tool_outcome outcome, const char *verb,
                  const char *name, const char *scratch) {
    if (outcome == TOOL_STOPPED || outcome == TOOL_UNUSABLE || machines_doing(outcome)) {
        b->outcome = BUILD_NOT_GRADED;
        if (outcome == TOOL_UNUSABLE)
            first_line(&b->headline, j->messages);
        else if (outcome == TOOL_STARVED)
            text_addf(&b->headline,
                      "this machine is too busy: %d times it did not give the compiler the time "
                      "for %s in %d s",
                      COMPILE_TRIES, name, COMPILE_CLOCK);
        else if (outcome == TOOL_KILLED)
            text_addf(&b->headline,
                      "this machine ran out of memory: it ended the compiler of %s %d times", name,
                      COMPILE_TRIES);
        else
            text_add(&b->headline, "interrupted");
        return;
    }
    struct build probe = {0};
    build_probe(&probe, j->lab, j->backend, j->paths, scratch, j->sandbox);
    if (probe.outcome != BUILD_OK) {
        b->outcome = BUILD_NOT_GRADED;
        text_add(&b->headline, text_get(&probe.headline));
        text_add(&b->details, text_get(&probe.details));
        build_free(&probe);
        return;
    }
    build_free(&probe);
    b->outcome = BUILD_REFUSED;
    const bool link = strcmp(verb, "link") == 0;
    switch (outcome) {
    case TOOL_LIMIT:
        b->refusal = REFUSED_LIMIT;
        text_addf(&b->headline,
                  "%s takes more to %s than is allowed: %d s of processor time, 4 GB of memory, "
                  "256 MB of output",
                  name, verb, COMPILE_SECONDS);
        return;
    case TOOL_WAITED:
        b->refusal = REFUSED_WAITS;
        text_addf(&b->headline, "%s makes the compiler wait for something that does not come",
                  name);
        break;
    case TOOL_BROKEN:
        b->refusal = REFUSED_BREAKS_TOOL;
        text_addf(&b->headline, "%s makes the %s crash", name, link ? "linker" : "compiler");
        add_place(b, j->messages, name);
        return;
    default:
        b->refusal = link ? REFUSED_NOT_LINKED : REFUSED_NOT_COMPILED;
        text_addf(&b->headline, "%s does not %s; the %s first messages:", name, verb,
                  link ? "linker's" : "compiler's");
    }
    struct text raw = {0};
    text_add(&raw, j->messages);
    build_known_names(b, &raw);
    drop_foreign_quotes(&raw, name);
    text_add_clean(&b->details, text_get(&raw), raw.length, "  ", shown_errors);
    text_free(&raw);
}

/* Adds "name, name and name" for the set bits. */
static void list_entries(struct text *t, unsigned entries) {
    bool first = true;
    for (int e = 0; e < ENTRY_COUNT; e++) {
        if (!(entries & 1u << e))
            continue;
        entries &= ~(1u << e);
        text_addf(t, "%s%s",
                  first     ? ""
                  : entries ? ", "
                            : " and ",
                  entry_name((enum entry_point)e));
        first = false;
    }
}

static void refuse(struct build *b, enum refusal why) {
    b->outcome = BUILD_REFUSED;
    b->refusal = why;
    text_clear(&b->details);
}

/* Programs and their libraries are linked with distances of 31 bits between them. */
#define STATIC_MOST ((uint64_t)1 << 30)

/* Does it reach for what counts and reports its work, or is there no room for it? `found` are the
 * object's functions: a file for another lab is told so, rather than what it should compute by. */
static bool is_unfit(struct build *b, const struct job *j, const struct submission *s,
                     const struct lab_spec *lab, const struct symbols *found) {
    char *path = xasprintf("%s/submission.o", j->folder);
    size_t n;
    unsigned char *object = symbols_load(path, (size_t)256 << 20, &n);
    struct forbidden f;
    flags_forbidden(&f, object, object ? n : 0);
    if (f.replaced.length > 0)
        text_addf(
            &b->headline,
            "%s defines %s, as the C library does, and the grader's own code relies on that one: "
            "rename it, or make it static",
            s->name, text_get(&f.replaced));
    else if (f.internal.length > 0)
        text_addf(
            &b->headline,
            "%s uses %s, which belongs to the grader's machinery and not to CUDA: a submission "
            "has no business there",
            s->name, text_get(&f.internal));
    else if (f.early.length > 0)
        text_addf(
            &b->headline,
            "%s has code that runs before all else, even before constructors (%s): the grader "
            "sets up the virtual GPU there. Use a constructor, or do without",
            s->name, text_get(&f.early));
    else if (f.borrowed.length > 0 && lab->entries == 1u << ENTRY_CPU &&
             (found->entries & lab->entries))
        text_addf(&b->headline,
                  "%s uses %s: the product of %s is computed on the CPU, by loops of your own, "
                  "without the GPU and without a library",
                  s->name, text_get(&f.borrowed), lab->name);
    if (b->headline.length > 0)
        refuse(b, REFUSED_FORBIDDEN);
    const uint64_t variables = symbols_static_bytes(object, object ? n : 0);
    if (b->outcome == BUILD_OK && variables > STATIC_MOST) {
        refuse(b, REFUSED_LIMIT);
        text_addf(&b->headline,
                  "%s has global and static arrays of %.4g GB in all, and %.4g GB is the most: "
                  "A, B and C are handed to your function, they need no arrays of yours",
                  s->name, (double)variables * 0x1p-30, (double)STATIC_MOST * 0x1p-30);
    }
    forbidden_free(&f);
    free(object);
    free(path);
    return b->outcome == BUILD_REFUSED;
}

/* Does the object offer what the lab asks for? Says so when not. */
static void check_symbols(struct build *b, const struct job *j, const struct submission *s,
                          const struct lab_spec *lab) {
    char *object = xasprintf("%s/submission.o", j->folder);
    const struct symbols found = symbols_read(object);
    free(object);
    if (!found.readable)
        return; /* the worker's greeting tells what is there */
    if (found.main) {
        refuse(b, REFUSED_MAIN);
        text_addf(&b->headline, "%s defines main: remove it, the grader brings its own", s->name);
        return;
    }
    if (is_unfit(b, j, s, lab, &found))
        return;
    b->missing = lab->entries & ~found.entries;
    if (!b->missing)
        return;
    const unsigned mangled = b->missing & found.mangled;
    text_addf(&b->headline, "%s does not define ", s->name);
    list_entries(&b->headline, b->missing);
    if (mangled) {
        text_add(&b->headline, " as lab.h declares it: ");
        list_entries(&b->headline, mangled);
        text_add(&b->headline, " has other parameters, or lab.h is not included");
    }
    if (b->missing == lab->entries)
        refuse(b, REFUSED_NO_FUNCTION);
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

void build_submission(struct build *b, const struct submission *s, const struct lab_spec *lab,
                      const struct backend *backend, const struct paths *paths, const char *scratch,
                      const struct sandbox *sandbox) {
    *b = (struct build){.outcome = BUILD_OK};
    struct job j = {.lab = lab, .backend = backend, .paths = paths, .sandbox = sandbox};
    enum tool_outcome outcome;
    /* A submission may be built for both backends, each in a folder of its own. */
    const char *folder = backend->kind == BACKEND_GPU ? "build-gpu" : "build";
    if (!job_start(&j, scratch, folder, s->name, s->bytes, s->length)) {
        b->outcome = BUILD_NOT_GRADED;
        text_addf(&b->headline, "cannot write to the scratch folder %s: %s", scratch,
                  strerror(errno));
        job_free(&j);
        return;
    }
    set_renaming(b, &j, scratch);
    outcome = compile(&j);
    find_flags(b, &j, s);
    if (outcome != TOOL_OK) {
        blame(b, &j, outcome, "compile", s->name, scratch);
    } else {
        struct text warnings = {0};
        text_add(&warnings, j.messages);
        build_known_names(b, &warnings);
        text_add_clean(&b->details, text_get(&warnings), warnings.length, "  ", shown_errors);
        text_free(&warnings);
        check_symbols(b, &j, s, lab);
        if (b->outcome == BUILD_OK && (outcome = link_worker(&j)) != TOOL_OK) {
            text_clear(&b->headline);
            text_clear(&b->details);
            blame(b, &j, outcome, "link", s->name, scratch);
        }
        if (b->outcome == BUILD_OK)
            b->program = xasprintf("%s/worker", j.folder);
    }
    job_free(&j);
}

/* A submission of ours, for any lab. */
static void build_own(struct build *b, struct job *j, const char *scratch, const char *source) {
    static unsigned probes; /* each gets a folder of its own */
    char folder[32];
    snprintf(folder, sizeof folder, "probe%u", probes++);
    *b = (struct build){.outcome = BUILD_OK};
    if (!job_start(j, scratch, folder, "probe.cu", source, strlen(source))) {
        b->outcome = BUILD_NOT_GRADED;
        text_addf(&b->headline, "cannot write to the scratch folder %s", scratch);
    } else if (compile(j) != TOOL_OK || link_worker(j) != TOOL_OK) {
        const char *messages = j->messages ? j->messages : ""; /* none: it was not even started */
        b->outcome = BUILD_NOT_GRADED;
        text_add(&b->headline, "the compiler does not work on this machine: ");
        first_line(&b->headline, messages);
        if (strchr(messages, '\n') != strrchr(messages, '\n')) /* there is more */
            text_add_clean(&b->details, messages, strlen(messages), "  ", shown_errors);
    } else {
        b->program = xasprintf("%s/worker", j->folder);
    }
    job_free(j);
}

void build_cublas(struct build *b, const struct backend *backend, const struct paths *paths,
                  const char *scratch, const struct sandbox *sandbox) {
    struct job j = {.lab = &cublas_lab, .backend = backend, .paths = paths, .sandbox = sandbox};
    build_own(b, &j, scratch, cublas_source);
}

void build_probe(struct build *b, const struct lab_spec *lab, const struct backend *backend,
                 const struct paths *paths, const char *scratch, const struct sandbox *sandbox) {
    struct job j = {.lab = lab, .backend = backend, .paths = paths, .sandbox = sandbox};
    build_own(b, &j, scratch, probe_source);
}
