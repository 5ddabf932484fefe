/* flags.c: static rules (see flags.h). Rules are rows of tables; names that several rules know
 * belong to the first. */
#include "grading/src/build/flags.h"

#include "grading/src/build/symbols.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* No more names than this are listed for one rule. */
#define NAMES_MOST 8

/* A kernel's tables and constants are far smaller. */
#define DATA_MOST ((uint64_t)256 << 10)

struct rule {
    const char *key, *meaning;
    const char *names; /* separated by blanks; NAME* stands for all that begin so */
};

/* Names that a submission defines, where others rely on what they do. */
enum { REPLACES_LIBRARY = 2 };
static const struct rule defined_rules[] = {
    {"replaces-cuda", "functions of CUDA or the virtual GPU are replaced",
     "cuda* cublas* __cuda* vg_* vgpu*"},
    {"replaces-worker", "names of the grader's worker are used", "worker* message_* regions_bytes"},
    {"replaces-library", "functions that the worker and the virtual GPU rely on are replaced",
     "malloc calloc realloc free posix_memalign aligned_alloc memcpy memmove memset memcmp strlen "
     "strcmp strncmp read write send recv sendmsg recvmsg open open64 openat close exit _exit "
     "_Exit abort atexit __cxa_atexit fork vfork getpid gettid kill raise signal sigaction "
     "sigaltstack syscall mmap mmap64 munmap mprotect madvise clock clock_gettime gettimeofday "
     "time nanosleep usleep sleep printf fprintf vfprintf snprintf vsnprintf fopen fopen64 fclose "
     "fread fwrite fputs puts fputc fflush setvbuf getenv secure_getenv sysconf dlopen dlsym "
     "dl_iterate_phdr pthread_* sem_* qsort bsearch strtol strtoul strtoull rand srand "
     "__libc_start_main __libc_* _init _fini _start __errno_location sched_yield getrandom cblas_* "
     "sgemm_ dgemm_ fmaf fma sqrtf _Znwm _Znam _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm"},
};

/* Names that it uses. */
enum { USES_INTERNALS = 0 };
static const struct rule used_rules[] = {
    {"uses-internals", "the grader's or the virtual GPU's own functions are used",
     "vg_* vgpu_* worker* message_* regions_bytes"},
    {"looks-up-symbols", "functions are looked up while the program runs",
     "dlopen dlmopen dlsym dlvsym dladdr dladdr1 dlinfo dl_iterate_phdr _r_debug _DYNAMIC "
     "__ehdr_start __executable_start etext _etext edata _edata end _end "
     "__init_array_start __libc_stack_end backtrace cudaGetDriverEntryPoint* cuGetProcAddress*"},
    {"system-calls", "the system is called past the library, or memory is given other rights",
     "syscall ptrace process_vm_readv process_vm_writev prctl arch_prctl mprotect pkey_mprotect "
     "mremap remap_file_pages personality"},
    {"processes", "other processes are started or signalled",
     "fork vfork clone __clone2 execl execlp execle execv execve execvp execvpe fexecve "
     "posix_spawn* system popen kill killpg tgkill pthread_kill sigqueue setsid setpgid daemon "
     "wait waitpid prlimit prlimit64 setpriority"},
    {"network", "sockets are used",
     "socket socketpair connect bind listen accept accept4 send sendto sendmsg recv recvfrom "
     "recvmsg getaddrinfo gethostbyname"},
    {"files", "files are opened or changed",
     "open open64 openat openat64 creat fopen fopen64 freopen freopen64 fdopen opendir fdopendir "
     "readlink unlink remove rename mkdir rmdir symlink link chmod chown truncate mmap mmap64 "
     "shm_open shmget shmat msgget semget mq_open mkstemp mkstemp64 mkdtemp tmpfile tmpfile64 "
     "memfd_create read write pread pread64 pwrite pwrite64 dup dup2 dup3 close lseek lseek64 "
     "_ZNSt13basic_filebuf* _ZNSt14basic_ifstream* _ZNSt14basic_ofstream* _ZNSt13basic_fstream* "
     "_ZNSt10filesystem*"},
    {"signals", "signals are caught, or errors jumped over",
     "signal sigaction sigaltstack sigprocmask pthread_sigmask sigwait signalfd alarm ualarm "
     "setitimer timer_create setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp "
     "__longjmp_chk makecontext swapcontext setcontext"},
    {"ends-process", "the process is ended, or something is left to do at its end",
     "_exit _Exit quick_exit at_quick_exit on_exit __cxa_at_quick_exit pthread_exit"},
    {"surroundings", "the environment or the user is asked for",
     "getenv secure_getenv environ __environ _environ setenv putenv getcwd get_current_dir_name "
     "getpwuid getpwnam getlogin gethostname uname program_invocation_name __progname getppid"},
};

/* Names that compute a product, or bring what does, for a function that should have loops of its
 * own. A kernel that is never launched uses cudaLaunchKernel, in a function that CUDA makes of
 * it. */
static const char borrowed_names[] =
    "cuda* cublas* __cudaPushCallConfiguration cblas_* sgemm_ dgemm_ sgemv_ dgemv_ sger_ dger_ "
    "sdot_ ddot_ dsdot_ sdsdot_ saxpy_ daxpy_ ssymm_ dsymm_ strmm_ dtrmm_ ssyrk_ dsyrk_ "
    "dlopen dlmopen dlsym dlvsym";
static const char unlaunched_kernel[] = "cudaLaunchKernel";

/* Texts in the source. */
static const struct rule source_rules[] = {
    {"assembly", "assembly for the host, or for the assembler itself",
     ".incbin .section .symver .globl .global\\ main .pushsection .init_array sysenter "
     "svc\\ #0 int\\ $0x80"},
};

static struct flag *flag_for(struct flags *f, const char *rule, const char *meaning) {
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->of[i].rule, rule) == 0)
            return &f->of[i];
    if (f->count == FLAGS_MOST)
        return NULL;
    f->of[f->count] = (struct flag){.rule = rule, .meaning = meaning};
    return &f->of[f->count++];
}

/* Adds a name once. */
static void add(struct flags *f, const char *rule, const char *meaning, const char *name) {
    struct flag *flag = flag_for(f, rule, meaning);
    if (!flag)
        return;
    struct text clean = {0};
    text_add_clean_line(&clean, name, strlen(name), 60);
    size_t names = flag->what.length > 0;
    bool there = false;
    for (const char *s = text_get(&flag->what); *s; s++) {
        names += *s == ',';
        if (strncmp(s, text_get(&clean), clean.length) == 0 &&
            (s[clean.length] == ',' || s[clean.length] == '\0') &&
            (s == flag->what.data || s[-1] == ' '))
            there = true;
    }
    if (!there && names < NAMES_MOST)
        text_addf(&flag->what, "%s%s", names ? ", " : "", text_get(&clean));
    else if (!there && names == NAMES_MOST)
        text_add(&flag->what, ", ...");
    text_free(&clean);
}

/* Is `name` one of the words? */
static bool listed(const char *words, const char *name) {
    const size_t length = strlen(name);
    while (*words) {
        const size_t n = strcspn(words, " ");
        const bool beginning = n > 0 && words[n - 1] == '*';
        if (beginning ? strncmp(words, name, n - 1) == 0
                      : n == length && memcmp(words, name, n) == 0)
            return true;
        words += n + strspn(words + n, " ");
    }
    return false;
}

/* ---- The object ---- */

static void look_at_symbol(const struct symbol_seen *seen, void *data) {
    struct flags *f = data;
    if (seen->resolver)
        add(f, "runs-early", "code runs before main or after its end", seen->name);
    const struct rule *rules = seen->defined ? defined_rules : used_rules;
    const size_t n =
        seen->defined ? sizeof defined_rules / sizeof *rules : sizeof used_rules / sizeof *rules;
    for (size_t i = 0; seen->global && i < n; i++) {
        if (listed(rules[i].names, seen->name)) {
            add(f, rules[i].key, rules[i].meaning, seen->name);
            return;
        }
    }
}

/* CUDA's and C++'s own: modules are registered, objects are made. */
static bool is_ordinary_start(const char *section, const char *function) {
    static const char *const ordinary[] = {"__cuda_module_ctor", "_GLOBAL__sub_I_", "_GLOBAL__I_",
                                           "_ZL24__sti____cudaRegisterAllv"};
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++)
        if (strncmp(function, ordinary[i], strlen(ordinary[i])) == 0)
            return strcmp(section, ".init_array") == 0 || strncmp(section, ".init_array.", 12) == 0;
    return false;
}

static void look_at_starter(const char *section, const char *function, void *data) {
    if (!is_ordinary_start(section, function))
        add(data, "runs-early", "code runs before main or after its end",
            *function ? function : section);
}

/* A word of the list that is a whole name, and no operator: a program may bring its own new. */
static bool listed_itself(const char *words, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = strstr(words, name); at && length > 0; at = strstr(at + 1, name))
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return strncmp(name, "_Z", 2) != 0;
    return false;
}

static void look_for_forbidden(const struct symbol_seen *seen, void *data) {
    struct forbidden *f = data;
    struct text *into = NULL;
    if (seen->defined && seen->resolver)
        into = &f->early;
    else if (seen->global && seen->defined &&
             listed_itself(defined_rules[REPLACES_LIBRARY].names, seen->name))
        into = &f->replaced;
    else if (seen->global && !seen->defined && listed(used_rules[USES_INTERNALS].names, seen->name))
        into = &f->internal;
    else if (seen->global && !seen->defined && listed(borrowed_names, seen->name) &&
             strcmp(seen->name, unlaunched_kernel) != 0)
        into = &f->borrowed;
    if (into && into->length == 0) /* the first one will do */
        text_add_clean_line(into, seen->name, strlen(seen->name), 60);
}

/* Constructors and destructors run after the virtual GPU's first step: the program's own affair. */
static bool is_late(const char *section) {
    static const char *const late[] = {".init_array", ".fini_array", ".ctors", ".dtors", ".fini"};
    for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
        const size_t n = strlen(late[i]);
        if (strncmp(section, late[i], n) == 0 && (section[n] == '\0' || section[n] == '.'))
            return true;
    }
    return false;
}

static void look_for_early_section(const char *section, const char *function, void *data) {
    (void)function;
    struct forbidden *f = data;
    if (f->early.length == 0 && !is_late(section))
        text_add_clean_line(&f->early, section, strlen(section), 60);
}

void flags_forbidden(struct forbidden *f, const unsigned char *object, size_t object_bytes) {
    *f = (struct forbidden){{0}, {0}, {0}, {0}};
    symbols_each(object, object_bytes, look_for_forbidden, f);
    symbols_each_starter(object, object_bytes, look_for_early_section, f);
}

void forbidden_free(struct forbidden *f) {
    text_free(&f->replaced);
    text_free(&f->internal);
    text_free(&f->early);
    text_free(&f->borrowed);
}

static void look_at_object(struct flags *f, const unsigned char *object, size_t n) {
    symbols_each(object, n, look_at_symbol, f);
    symbols_each_starter(object, n, look_at_starter, f);
    const uint64_t data = symbols_data_bytes(object, n);
    if (data > DATA_MOST) {
        char size[48];
        snprintf(size, sizeof size, "%llu KB", (unsigned long long)(data >> 10));
        add(f, "carries-data", "more constants than a kernel needs", size);
    }
}

/* ---- The source ---- */

/* One line of source, without what stands in comments to its end. */
static void look_at_line(struct flags *f, const char *line, size_t n) {
    size_t at = strspn(line, " \t");
    const bool directive = at < n && line[at] == '#';
    static const char has_include[] = "__has_include";
    const char *asks = memmem(line, n, has_include, sizeof has_include - 1);
    if (directive)
        at += 1 + strspn(line + at + 1, " \t");
    const bool includes = directive && (strncmp(line + at, "include", 7) == 0 ||
                                        strncmp(line + at, "import", 6) == 0);
    if (includes || asks) {
        const char *from = includes ? line + at : asks;
        const char *name = memchr(from, '"', n - (size_t)(from - line));
        if (!name)
            name = memchr(from, '<', n - (size_t)(from - line));
        if (name && (name[1] == '/' || strncmp(name + 1, "..", 2) == 0)) {
            struct text path = {0};
            text_add_bytes(&path, name + 1, strcspn(name + 1, "\">\n"));
            add(f, "includes-outside", "files outside the lab are included", text_get(&path));
            text_free(&path);
        }
    }
    for (size_t i = 0; i < sizeof source_rules / sizeof *source_rules; i++) {
        const struct rule *r = &source_rules[i];
        for (const char *words = r->names; *words;) {
            char word[32];
            size_t length = 0;
            for (; *words && *words != ' ' && length + 1 < sizeof word; words++) {
                if (*words == '\\' && words[1])
                    words++;
                word[length++] = *words;
            }
            word[length] = '\0';
            words += *words == ' ';
            const char *hit = memmem(line, n, word, length);
            if (hit && !isalnum((unsigned char)hit[length]) && hit[length] != '_')
                add(f, r->key, r->meaning, word);
        }
    }
}

static void look_at_source(struct flags *f, const char *source, size_t length) {
    bool in_comment = false;
    struct text line = {0};
    for (size_t i = 0; i <= length; i++) {
        const char c = i < length ? source[i] : '\n';
        const char next = i + 1 < length ? source[i + 1] : '\0';
        if (in_comment) {
            in_comment = !(c == '*' && next == '/');
            i += !in_comment;
        } else if (c == '/' && next == '*') {
            in_comment = true;
            i++;
        } else if (c == '/' && next == '/') {
            while (i + 1 < length && source[i + 1] != '\n')
                i++;
        } else if (c == '\n') {
            look_at_line(f, text_get(&line), line.length);
            text_clear(&line);
        } else if (c != '\0') {
            text_add_bytes(&line, &c, 1);
        }
    }
    text_free(&line);
}

void flags_find(struct flags *f, const char *source, size_t length, const unsigned char *object,
                size_t object_bytes) {
    *f = (struct flags){.count = 0};
    look_at_source(f, source, length);
    if (object)
        look_at_object(f, object, object_bytes);
}

void flags_note(struct flags *f, const char *rule, const char *meaning, const char *what) {
    struct flag *flag = flag_for(f, rule, meaning);
    if (flag)
        text_addf(&flag->what, "%s%s", flag->what.length > 0 ? "; " : "", what);
}

void flags_free(struct flags *f) {
    for (size_t i = 0; i < f->count; i++)
        text_free(&f->of[i].what);
    *f = (struct flags){.count = 0};
}
