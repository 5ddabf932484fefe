/*
 * sandbox_paths.c: which files a submission's compiler and its worker may see (see
 * sandbox_parts.h).
 *
 * Everything is a list of what is allowed: the system's programs and libraries, the compilers'
 * installations, some parts of the kit, some devices. Where something hidden (the kit's other
 * parts, the user's home, a rubric) lies inside of an allowed folder, as in a kit under /opt or
 * /usr, the folder's other entries are allowed one by one, down to the hidden one:
 *
 *     allowed /usr, hidden /usr/local/kit  ->  /usr/bin  /usr/lib ...  /usr/local/bin ...
 */
#include "grading/src/sandbox/sandbox_parts.h"

#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Flags of the kit's own linking, for a BLAS that lies in a place of its own. */
#ifndef SANDBOX_LINK_FLAGS
#define SANDBOX_LINK_FLAGS ""
#endif

enum {
    COMPILE = 1u << SANDBOX_COMPILE,
    RUN = 1u << SANDBOX_RUN,
    GPU = 1u << SANDBOX_RUN_GPU,
    ALL = COMPILE | RUN | GPU,
};

static const struct {
    const char *path;
    unsigned allow, profiles;
} system_paths[] = {
    {"/usr", ALLOW_READ | ALLOW_EXECUTE, ALL},
    {"/bin", ALLOW_READ | ALLOW_EXECUTE, ALL},
    {"/sbin", ALLOW_READ | ALLOW_EXECUTE, ALL},
    {"/lib", ALLOW_READ | ALLOW_EXECUTE, ALL},
    {"/lib32", ALLOW_READ | ALLOW_EXECUTE, ALL},
    {"/lib64", ALLOW_READ | ALLOW_EXECUTE, ALL},
    {"/libx32", ALLOW_READ | ALLOW_EXECUTE, ALL},
    {"/nix/store", ALLOW_READ | ALLOW_EXECUTE, ALL},
    {"/gnu/store", ALLOW_READ | ALLOW_EXECUTE, ALL},
    /* How compilers and libraries are found. */
    {"/etc/alternatives", ALLOW_READ | ALLOW_EXECUTE, ALL},
    {"/etc/ld.so.cache", ALLOW_READ, ALL},
    {"/etc/ld.so.conf", ALLOW_READ, ALL},
    {"/etc/ld.so.conf.d", ALLOW_READ, ALL},
    {"/etc/clang", ALLOW_READ, ALL},
    {"/etc/clang-opt-config", ALLOW_READ, COMPILE},
    /* A compiler that reads /dev/zero or /dev/random reads for ever. */
    {"/dev/null", ALLOW_READ | ALLOW_WRITE, ALL},
    {"/dev/urandom", ALLOW_READ, ALL},
    {"/dev/zero", ALLOW_READ | ALLOW_WRITE, RUN | GPU},
    {"/dev/full", ALLOW_READ | ALLOW_WRITE, RUN | GPU},
    {"/dev/random", ALLOW_READ, RUN | GPU},
    /* How many processors, how much memory. */
    {"/sys/devices/system/cpu", ALLOW_READ, ALL},
    {"/sys/devices/system/node", ALLOW_READ, ALL},
    {"/sys/fs/cgroup", ALLOW_READ, RUN},
    {"/sys", ALLOW_READ, GPU},
    /* NVIDIA's driver under WSL. */
    {"/dev/dxg", ALLOW_READ | ALLOW_WRITE | ALLOW_DEVICE, GPU},
};

/* What may be opened in a /proc that shows all of the machine. */
static const struct {
    const char *path;
    unsigned profiles;
} proc_paths[] = {
    {"/proc/self", ALL},       {"/proc/cpuinfo", ALL},     {"/proc/meminfo", ALL},
    {"/proc/stat", ALL},       {"/proc/filesystems", ALL}, {"/proc/sys/vm", ALL},
    {"/proc/sys/kernel", ALL}, {"/proc/driver", GPU},      {"/proc/devices", GPU},
    {"/proc/modules", GPU},    {"/proc/version", GPU},     {"/proc/interrupts", GPU},
};

/* ---- Rules ---- */

static struct path_rule *append(struct sandbox *s, const char *path) {
    struct path_rules *r = &s->rules;
    if (r->count == r->room) {
        const size_t room = r->room ? 2 * r->room : 64;
        struct path_rule *more = xcalloc(room, sizeof *more);
        if (r->count > 0)
            memcpy(more, r->rule, r->count * sizeof *more);
        free(r->rule);
        r->rule = more;
        r->room = room;
    }
    struct path_rule *rule = &r->rule[r->count++];
    *rule = (struct path_rule){.path = xstrdup(path)};
    return rule;
}

static char *link_target(const char *path) {
    char target[4096];
    const ssize_t n = readlink(path, target, sizeof target - 1);
    if (n <= 0)
        return NULL;
    target[n] = '\0';
    return xstrdup(target);
}

static void allow(struct sandbox *s, char *const *hidden, const char *path, unsigned allowed,
                  unsigned profiles);

/* All entries of a folder that holds something hidden. */
static void allow_entries(struct sandbox *s, char *const *hidden, const char *path,
                          unsigned allowed, unsigned profiles) {
    DIR *dir = opendir(path);
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *inner = xasprintf("%s/%s", path, entry->d_name);
        allow(s, hidden, inner, allowed, profiles);
        free(inner);
    }
    closedir(dir);
}

static void allow(struct sandbox *s, char *const *hidden, const char *path, unsigned allowed,
                  unsigned profiles) {
    struct stat st;
    if (lstat(path, &st) != 0)
        return;
    if (S_ISLNK(st.st_mode)) {
        append(s, path)->link = link_target(path);
        s->rules.rule[s->rules.count - 1].profiles = profiles;
        return;
    }
    for (char *const *h = hidden; *h; h++) {
        if (strcmp(*h, path) == 0)
            return;
        if (path_lies_in(*h, path)) {
            allow_entries(s, hidden, path, allowed, profiles);
            return;
        }
    }
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
        return;
    struct path_rule *rule = append(s, path);
    rule->allow = allowed;
    rule->profiles = profiles;
    rule->folder = S_ISDIR(st.st_mode);
}

static bool covered(const struct sandbox *s, const char *path, unsigned profiles) {
    for (size_t i = 0; i < s->rules.count; i++) {
        const struct path_rule *r = &s->rules.rule[i];
        if (r->when == ALWAYS && (r->profiles & profiles) == profiles &&
            (strcmp(path, r->path) == 0 || (!r->link && r->folder && path_lies_in(path, r->path))))
            return true;
    }
    return false;
}

/* The symbolic links that lead from a name to what it stands for:
 * ~/bin/clang++ -> ~/llvm/bin/... */
static void allow_links(struct sandbox *s, const char *path, unsigned profiles, int depth) {
    char *part = xstrdup(path);
    for (char *slash = part; depth < 16 && *slash;) {
        slash += strcspn(slash + 1, "/") + 1; /* the end of one more name */
        const char kept = *slash;
        *slash = '\0';
        char *target = link_target(part);
        if (target) {
            if (!covered(s, part, profiles)) {
                struct path_rule *rule = append(s, part);
                rule->link = xstrdup(target);
                rule->profiles = profiles;
            }
            char *folder = xstrdup(part);
            *strrchr(folder, '/') = '\0';
            char *next =
                xasprintf("%s%s%s%s%s", *target == '/' ? "" : folder, *target == '/' ? "" : "/",
                          target, kept ? "/" : "", kept ? slash + 1 : "");
            allow_links(s, next, profiles, depth + 1);
            free(next);
            free(folder);
            free(target);
            break;
        }
        *slash = kept;
    }
    free(part);
}

/* A folder by its real name, unless it lies in one that is allowed already. */
static void allow_tree(struct sandbox *s, char *const *hidden, const char *path, unsigned allowed,
                       unsigned profiles) {
    char *real = realpath(path, NULL);
    if (!real)
        return;
    if (!covered(s, real, profiles))
        allow(s, hidden, real, allowed, profiles);
    free(real);
}

/* ---- Compilers ---- */

/* Folders that are the system's, not one program's. */
static bool is_general(const char *folder) {
    static const char *const general[] = {"",         "/",     "/usr",      "/usr/local", "/opt",
                                          "/home",    "/root", "/var",      "/tmp",       "/mnt",
                                          "/usr/lib", "/srv",  "/usr/share"};
    for (size_t i = 0; i < sizeof general / sizeof *general; i++)
        if (strcmp(folder, general[i]) == 0)
            return true;
    return false;
}

/* Cuts the last part off a path. */
static void cut(char *path) {
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
}

/* The installation that a program belongs to: PREFIX for PREFIX/bin/clang++. */
static void allow_installation(struct sandbox *s, char *const *hidden, const char *program) {
    char *real = realpath(program, NULL);
    if (!real)
        return;
    cut(real);
    const char *slash = strrchr(real, '/');
    if (slash && strcmp(slash, "/bin") == 0) {
        char *prefix = xstrdup(real);
        cut(prefix);
        bool private = false; /* ~/bin/clang++ must not open the whole home */
        for (char *const *h = hidden; *h; h++)
        private = private || strcmp(prefix, *h) == 0;
        if (!is_general(prefix) && !private)
            cut(real);
        free(prefix);
    }
    if (!is_general(real))
        allow_tree(s, hidden, real, ALLOW_READ | ALLOW_EXECUTE, ALL);
    free(real);
}

/* Where `name` is found in PATH, or NULL. */
static char *in_path(const char *name) {
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return xstrdup(name);
    while (path && *path) {
        const size_t length = strcspn(path, ":");
        char *candidate = xasprintf("%.*s/%s", (int)length, path, name);
        if (length > 0 && access(candidate, X_OK) == 0)
            return candidate;
        free(candidate);
        path += length + (path[length] == ':');
    }
    return NULL;
}

static void allow_program(struct sandbox *s, char *const *hidden, const char *name) {
    char *found = name && *name ? in_path(name) : NULL;
    if (!found)
        return;
    allow_installation(s, hidden, found);
    allow_links(s, found, ALL, 0);
    free(found);
}

static void allow_compilers(struct sandbox *s, char *const *hidden) {
    static const char *const names[] = {"clang++",    "clang++-19", "clang++-18", "clang++-17",
                                        "clang++-16", "clang++-15", "clang++-14", "nvcc",
                                        "gcc",        "g++",        "cc",         "ld"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        allow_program(s, hidden, names[i]);
    static const char *const variables[] = {"VGPU_CLANG", "CLANGXX", "NVCC"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        allow_program(s, hidden, getenv(variables[i]));
    allow_program(s, hidden, "/usr/local/cuda/bin/nvcc");
    static const char *const homes[] = {"CUDA_HOME", "CUDA_PATH"};
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        const char *home = getenv(homes[i]);
        if (home && *home == '/' && !is_general(home)) {
            allow_tree(s, hidden, home, ALLOW_READ | ALLOW_EXECUTE, ALL);
            allow_links(s, home, ALL, 0);
        }
    }
}

/* Folders of libraries: those that LD_LIBRARY_PATH names, and those that the kit is linked with. */
static void allow_libraries(struct sandbox *s, char *const *hidden) {
    const char *path = getenv("LD_LIBRARY_PATH");
    char *all = xasprintf("%s:%s", path ? path : "", SANDBOX_LINK_FLAGS);
    char *rest = NULL;
    for (char *word = strtok_r(all, ": ,=", &rest); word; word = strtok_r(NULL, ": ,=", &rest)) {
        const char *folder = strncmp(word, "-L", 2) == 0 ? word + 2 : word;
        if (*folder == '/' && !is_general(folder)) {
            allow_tree(s, hidden, folder, ALLOW_READ | ALLOW_EXECUTE, ALL);
            allow_links(s, folder, ALL, 0);
        }
    }
    free(all);
}

/* ---- The lot ---- */

static void allow_devices(struct sandbox *s) {
    DIR *dir = opendir("/dev");
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        struct stat st;
        if (strncmp(entry->d_name, "nvidia", 6) != 0)
            continue;
        char *path = xasprintf("/dev/%s", entry->d_name);
        if (lstat(path, &st) == 0 && (S_ISCHR(st.st_mode) || S_ISDIR(st.st_mode))) {
            struct path_rule *rule = append(s, path);
            rule->allow = ALLOW_READ | ALLOW_WRITE | ALLOW_DEVICE;
            rule->profiles = GPU;
            rule->folder = S_ISDIR(st.st_mode);
        }
        free(path);
    }
    closedir(dir);
}

/* /proc, and the folder of POSIX shared memory. */
static void allow_special(struct sandbox *s) {
    struct path_rule *rule = append(s, "/proc");
    rule->allow = ALLOW_READ | ALLOW_WRITE;
    rule->profiles = ALL;
    rule->when = OWN_PROC;
    rule->folder = true;
    for (size_t i = 0; i < sizeof proc_paths / sizeof *proc_paths; i++) {
        struct stat st;
        if (stat(proc_paths[i].path, &st) != 0)
            continue;
        rule = append(s, proc_paths[i].path);
        /* Its own: threads give themselves names there. */
        const bool own = strcmp(proc_paths[i].path, "/proc/self") == 0;
        rule->allow = ALLOW_READ | (own ? ALLOW_WRITE : 0u);
        rule->profiles = proc_paths[i].profiles;
        rule->when = HOST_PROC;
        rule->folder = S_ISDIR(st.st_mode);
    }
    rule = append(s, "/dev/shm");
    rule->allow = ALLOW_READ | ALLOW_WRITE;
    rule->profiles = GPU; /* CUDA's driver wants one; nothing else does */
    rule->when = OWN_ROOT;
    rule->folder = true;
}

bool rule_counts(const struct sandbox *s, const struct path_rule *r, enum sandbox_profile profile) {
    const bool own_root = wall_stands(s, WALL_MOUNT_NS);
    const bool own_proc = own_root && wall_stands(s, WALL_PID_NS) && !s->host_proc;
    return (r->profiles & 1u << profile) &&
           (r->when == ALWAYS || (r->when == OWN_PROC && own_proc) ||
            (r->when == HOST_PROC && !own_proc) || (r->when == OWN_ROOT && own_root));
}

static void allow_kit(struct sandbox *s, char *const *hidden) {
    for (int i = 0; i < KIT_PARTS; i++) {
        char *part = kit_part(s, i);
        allow_tree(s, hidden, part, ALLOW_READ | ALLOW_EXECUTE, COMPILE);
        free(part);
    }
}

static void hide(char **hidden, size_t *count, const char *path) {
    char *real = path && *path ? realpath(path, NULL) : NULL;
    if (real && strcmp(real, "/") != 0)
        hidden[(*count)++] = real;
    else
        free(real);
}

/* A home in the system's own folders is a service's, and holds nobody's secrets. */
static void hide_home(char **hidden, size_t *count, const char *home) {
    if (!home || *home != '/' || path_lies_in(home, "/usr") || path_lies_in(home, "/bin") ||
        path_lies_in(home, "/sbin") || path_lies_in(home, "/dev") || path_lies_in(home, "/lib"))
        return;
    hide(hidden, count, home);
}

/* Everything that is to stay unseen, as real paths; NULL at the end. */
static char **hidden_paths(const struct sandbox_setup *setup) {
    size_t given = 0, count = 0;
    while (setup->hidden && setup->hidden[given])
        given++;
    char **hidden = xcalloc(given + 4, sizeof *hidden);
    hide(hidden, &count, setup->root);
    hide_home(hidden, &count, getenv("HOME"));
    const struct passwd *user = getpwuid(getuid());
    hide_home(hidden, &count, user ? user->pw_dir : NULL);
    for (size_t i = 0; i < given; i++)
        hide(hidden, &count, setup->hidden[i]);
    return hidden;
}

void path_rules_make(struct sandbox *s, const struct sandbox_setup *setup) {
    char **hidden = hidden_paths(setup);
    for (size_t i = 0; i < sizeof system_paths / sizeof *system_paths; i++)
        allow(s, hidden, system_paths[i].path, system_paths[i].allow, system_paths[i].profiles);
    allow_devices(s);
    allow_special(s);
    allow_compilers(s, hidden);
    if (setup->toolkit && !is_general(setup->toolkit)) { /* nvcc may be a script far from it */
        allow_tree(s, hidden, setup->toolkit, ALLOW_READ | ALLOW_EXECUTE, ALL);
        allow_links(s, setup->toolkit, ALL, 0);
    }
    allow_libraries(s, hidden);
    allow_kit(s, hidden);
    for (char **h = hidden; *h; h++)
        free(*h);
    free(hidden);
}

void path_rules_free(struct sandbox *s) {
    for (size_t i = 0; i < s->rules.count; i++) {
        free(s->rules.rule[i].path);
        free(s->rules.rule[i].link);
    }
    free(s->rules.rule);
    s->rules = (struct path_rules){0};
}
