/*
 * vgpu-report.c: prints a report of the virtual GPU (VGPU_REPORT=FILE.json): what each launch did,
 * and its source line by line, as a profiler's source view does.
 *
 * Exit status: 0, or 2 when the report can't be read or has no such launch.
 */
#include "vgpu/tools/vgpu-report.h"
#include "vgpu/tools/terminal.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { STATUS_OK = 0, STATUS_NOT_ABLE = 2, DEFAULT_WIDTH = 120 };

static const char help[] =
    "Usage: vgpu-report [OPTION]... FILE.json\n"
    "\n"
    "Prints what VGPU_REPORT=FILE.json wrote: counters of each launch and of each source line.\n"
    "\n"
    "  --kernel NAME   only launches of this kernel\n"
    "  --launch N      only launch number N (the first is 0)\n"
    "  --source DIR    look for source files in DIR first\n"
    "  --device NAME   occupancy and time model for this device instead of the report's\n"
    "  --summary       without the source\n"
    "  --tsv           all counters as a table for scripts, tab-separated\n"
    "  --version       the version of vgpu-report\n"
    "  --help          this text\n"
    "\n"
    "Columns:\n"
    "  instr             warp instructions; the next column is their share\n"
    "  gld.req, gst.req  requests to global memory: loads, stores\n"
    "  sec/req           32-byte sectors for each of them\n"
    "  sh.req            requests to shared memory\n"
    "  confl             bank conflicts\n"
    "  diverg            branches that split a warp\n"
    "\n"
    "An ! or ? in front marks a line with an error or a warning. The model's time is a lower\n"
    "bound (roofline), not a measurement.\n"
    "\n"
    "Exit status:\n"
    "  0  done\n"
    "  2  the report cannot be read, or has no such launch\n";

typedef struct options {
    const char *file, *kernel, *source, *device;
    long launch; /* -1: all */
    bool summary, tsv, help, version;
} options;

static bool read_options(options *o, int argc, char **argv) {
    static const struct option table[] = {
        {"kernel", required_argument, NULL, 'k'},
        {"launch", required_argument, NULL, 'l'},
        {"source", required_argument, NULL, 's'},
        {"device", required_argument, NULL, 'd'},
        {"summary", no_argument, NULL, 'y'},
        {"tsv", no_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},
        {NULL, 0, NULL, 0},
    };
    *o = (options){.launch = -1};
    int c;
    char *end;
    while ((c = getopt_long(argc, argv, "h", table, NULL)) != -1) {
        switch (c) {
        case 'k': o->kernel = optarg; break;
        case 'l':
            o->launch = strtol(optarg, &end, 10);
            if (*optarg == '\0' || *end != '\0' || o->launch < 0) {
                fprintf(stderr, "vgpu-report: --launch %s: expected a number, 0 or more\n", optarg);
                return false;
            }
            break;
        case 's': o->source = optarg; break;
        case 'd': o->device = optarg; break;
        case 'y': o->summary = true; break;
        case 't': o->tsv = true; break;
        case 'h': o->help = true; return true;
        case 'v': o->version = true; return true;
        default: fprintf(stderr, "try: vgpu-report --help\n"); return false;
        }
    }
    if (optind != argc - 1) {
        fprintf(stderr, "vgpu-report: expected one file; try: vgpu-report --help\n");
        return false;
    }
    o->file = argv[optind];
    return true;
}

static int terminal_width(void) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    const int wanted = columns != NULL ? atoi(columns) : 0;
    if (wanted > 0)
        return wanted;
    if (!isatty(STDOUT_FILENO))
        return INT_MAX; /* whoever reads it can scroll */
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                           : DEFAULT_WIDTH;
}

static bool choose_device(view *v, const report *r, const options *o) {
    const char *name = o->device != NULL ? o->device : r->device;
    v->profile = name != NULL ? vg_profile_find(name) : NULL;
    if (v->profile != NULL || o->device == NULL)
        return true;
    int count = 0;
    const vg_profile *all = vg_profiles(&count);
    fprintf(stderr, "vgpu-report: --device %s: there is no such device; choose one of", o->device);
    for (int i = 0; i < count; i++)
        fprintf(stderr, "%s %s", i == 0 ? "" : ",", all[i].key);
    fprintf(stderr, "\n");
    return false;
}

static bool wanted(const launch_entry *l, const options *o) {
    if (o->kernel != NULL && strcmp(l->kernel, o->kernel) != 0 && strcmp(l->symbol, o->kernel) != 0)
        return false;
    return o->launch < 0 ||
           ((uint64_t)o->launch >= l->first && (uint64_t)o->launch <= l->first + l->alike);
}

static void print_title(const report *r, const options *o, const view *v) {
    printf("%s: %s launch%s", o->file, grouped(r->launches_in_all),
           r->launches_in_all == 1 ? "" : "es");
    if (v->profile != NULL)
        printf(" on a virtual %s", v->profile->name);
    printf(", at most %s bytes of device memory", grouped(r->peak_bytes));
    if (r->num_findings > 0)
        printf(", %d finding%s", r->num_findings, r->num_findings == 1 ? "" : "s");
    printf("%s\n", r->complete ? "" : "; the program did not end by itself, or is still running");
    if (r->unlisted > 0) {
        printf("%s launches are only in the totals: there were too many different ones\n",
               grouped(r->unlisted));
    }
}

static int nothing_to_show(const report *r, const options *o) {
    fprintf(stderr, "vgpu-report: %s has no such launch; its kernels are:", o->file);
    for (int i = 0; i < r->num_launches; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++)
            seen |= strcmp(r->launches[k].kernel, r->launches[i].kernel) == 0;
        if (!seen)
            fprintf(stderr, "%s %s", i == 0 ? "" : ",", r->launches[i].kernel);
    }
    fprintf(stderr, "\n");
    return STATUS_NOT_ABLE;
}

/* Launches that were not asked for go. */
static void keep_wanted(report *r, const options *o) {
    int n = 0;
    for (int i = 0; i < r->num_launches; i++)
        if (wanted(&r->launches[i], o))
            r->launches[n++] = r->launches[i];
        else
            free(r->launches[i].lines);
    r->num_launches = n;
}

static int print_report(report *r, const options *o) {
    view v = {
        .source = o->source, .width = terminal_width(), .color = terminal_wants_colour(stdout)};
    bool any = false;
    for (int i = 0; i < r->num_launches; i++)
        any |= wanted(&r->launches[i], o);
    if (!any && (o->kernel != NULL || o->launch >= 0))
        return nothing_to_show(r, o);
    if (!choose_device(&v, r, o))
        return STATUS_NOT_ABLE;
    if (o->tsv) {
        keep_wanted(r, o);
        print_table(r, &v);
        return STATUS_OK;
    }
    report_merge_alike(r);
    keep_wanted(r, o);
    print_title(r, o, &v);
    for (int i = 0; i < r->num_launches; i++) {
        printf("\n");
        print_launch(&r->launches[i], &v);
        if (!o->summary)
            print_source(&r->launches[i], r, &v);
    }
    if (!any)
        printf("no kernel was launched\n");
    print_findings(r, o->kernel, &v);
    return STATUS_OK;
}

int main(int argc, char **argv) {
    options o;
    report r;
    char err[512];
    if (!read_options(&o, argc, argv))
        return STATUS_NOT_ABLE;
    if (o.help) {
        fputs(help, stdout);
        return STATUS_OK;
    }
    if (o.version) {
        puts("vgpu-report " KIT_VERSION "\nPrints what VGPU_REPORT=FILE.json wrote.");
        return STATUS_OK;
    }
    if (!report_read(&r, o.file, err, sizeof err)) {
        fprintf(stderr, "vgpu-report: %s\n", err);
        return STATUS_NOT_ABLE;
    }
    const int status = print_report(&r, &o);
    report_free(&r);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("vgpu-report: cannot write");
        return STATUS_NOT_ABLE;
    }
    return status;
}
