/* paths.c: see paths.h. */
#include "grading/src/build/paths.h"

#include "grading/src/base/text.h"
#include "grading/src/lab/labs.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef GRADER_DEFAULT_ROOT
#define GRADER_DEFAULT_ROOT "."
#endif

/* Is this folder one of labs that its owner, who uses the grader, edits? */
static bool is_own_labs(const char *folder) {
    struct stat st;
    if (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
        return false;
    char *pattern = xasprintf("%s/lab[1-9]*-*/lab*.cu", folder);
    glob_t found;
    const bool any = glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0;
    globfree(&found);
    free(pattern);
    return any;
}

/* A folder `labs` of the person's own: here, or in a folder above. NULL: there is none. */
static char *own_labs(const char *here) {
    char *folder = xstrdup(here), *found = NULL;
    while (!found) {
        char *candidate = xasprintf("%s/labs", folder);
        if (is_own_labs(candidate))
            found = candidate;
        else
            free(candidate);
        char *slash = strrchr(folder, '/');
        if (!slash || !folder[1])
            break;
        slash[slash == folder] = '\0'; /* "/" stays */
    }
    free(folder);
    return found;
}

static void find_labs(struct paths *p) {
    p->labs = xasprintf("%s/labs", p->root);
    p->labs_shown = xstrdup("labs");
    p->labs_shared = access(p->labs, W_OK) != 0;
    char *here = p->labs_shared ? getcwd(NULL, 0) : NULL;
    char *own = here ? own_labs(here) : NULL;
    if (own) {
        const size_t n = strlen(here);
        const bool below = strncmp(own, here, n) == 0 && strcmp(own + n, "/labs") == 0;
        free(p->labs);
        free(p->labs_shown);
        p->labs = own;
        p->labs_shown = xstrdup(below ? "labs" : own);
        p->labs_shared = false;
    }
    free(here);
}

/* An environment variable; NULL when it is not set, or empty. */
static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

void paths_find(struct paths *p) {
    const char *root = variable("GRADER_ROOT"), *standing = variable("GRADER_STANDING");
    const char *command = variable("GRADER_COMMAND");
    char *real = realpath(root ? root : GRADER_DEFAULT_ROOT, NULL);
    p->root = real ? real : xstrdup(GRADER_DEFAULT_ROOT);
    char self[4096];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    for (int up = 0; up < 2; up++) { /* BUILD/bin/grader */
        char *slash = strrchr(self, '/');
        if (slash)
            *slash = '\0';
    }
    p->build = *self ? xstrdup(self) : xasprintf("%s/build", p->root);
    p->standing = standing ? xstrdup(standing) : xasprintf("%s/standing", p->build);
    p->command = xstrdup(command ? command : "./grader");
    find_labs(p);
}

void paths_free(struct paths *p) {
    free(p->root);
    free(p->build);
    free(p->labs);
    free(p->labs_shown);
    free(p->standing);
    free(p->command);
    *p = (struct paths){0};
}

const char *paths_headers(const struct paths *p) {
    const char *home = variable("VGPU_HOME");
    return home ? home : p->root;
}

char *paths_lab_file(const struct paths *p, const struct lab_spec *lab, const char *name) {
    return xasprintf("%s/%s/%s", p->labs, lab->folder, name);
}

char *paths_lab_file_shown(const struct paths *p, const struct lab_spec *lab, const char *name) {
    return xasprintf("%s/%s/%s", p->labs_shown, lab->folder, name);
}

static bool kit_has(const struct paths *p, const char *folder, const char *below,
                    const char *name) {
    char *path = xasprintf("%s/%s%s%s%s%s", p->root, folder, below ? "/" : "", below ? below : "",
                           name ? "/" : "", name ? name : "");
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

void paths_say_restore(struct text *t, const struct paths *p, const struct lab_spec *lab,
                       const char *name) {
    char *kits = xasprintf("%s/labs", p->root);
    if (strcmp(p->labs, kits) != 0)
        text_addf(t, "cp %s/%s/%s %s/%s/", kits, lab->folder, name, p->labs_shown, lab->folder);
    else if (kit_has(p, ".git", NULL, NULL))
        text_addf(t, "git restore labs/%s/%s", lab->folder, name);
    else if (kit_has(p, "solutions", lab->folder, name))
        text_add(t, "make skeletons");
    else
        text_addf(t, "unpack labs/%s/%s from the kit's archive", lab->folder, name);
    free(kits);
}
