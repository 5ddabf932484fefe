/* clocks.c: see clocks.h. */
#include "bench/clocks.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* From NVML, which keeps these names, numbers and signatures.
 * Every call returns 0 when it worked. */
enum { CLOCK_SM = 1, TEMPERATURE_GPU = 0 };

struct nvml {
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_address)(const char *address, void **device);
    int (*clock)(void *device, int which, unsigned *mhz);
    int (*power)(void *device, unsigned *milliwatts);
    int (*temperature)(void *device, int which, unsigned *celsius);
    int (*slowed)(void *device, unsigned long long *reasons);
    int (*driver)(char *text, unsigned size);
};

/* Why a clock is below its maximum. An idle GPU (bit 0) and a clock set by hand (bits 1 and 4) are
 * no slow-down that the work suffered. */
static const struct {
    unsigned long long bit;
    const char *name;
} slow_downs[] = {
    {0x04, "power limit"},        {0x08, "hardware"},    {0x20, "thermal (software)"},
    {0x40, "thermal (hardware)"}, {0x80, "power brake"},
};

enum { PERIOD_NS = 4000000, MAX_MHZ = 8192, FEW = 3 };

/* A histogram holds any number of readings: a clock is a whole number of MHz. */
struct histogram {
    unsigned count[MAX_MHZ];
    unsigned total;
};

struct clocks {
    void *library;
    struct nvml nvml;
    void *device;
    pthread_t thread;
    atomic_int tag;
    atomic_bool stop;
    pthread_mutex_t lock; /* protects what follows */
    struct histogram by_tag[CLOCKS_TAGS], shape, run;
    double power_max_w, temperature_max_c;
    unsigned long long reasons;
};

static void histogram_add(struct histogram *h, unsigned mhz) {
    h->count[mhz < MAX_MHZ ? mhz : MAX_MHZ - 1]++;
    h->total++;
}

/* The clock that a share of the readings lies at or below. */
static double histogram_quantile(const struct histogram *h, double share) {
    double seen = 0;
    for (unsigned mhz = 0; mhz < MAX_MHZ; ++mhz) {
        seen += h->count[mhz];
        if (h->count[mhz] && seen >= share * h->total)
            return mhz;
    }
    return (double)NAN;
}

static void take_reading(struct clocks *c, int tag) {
    unsigned mhz, milliwatts, celsius;
    unsigned long long reasons;
    if (c->nvml.clock(c->device, CLOCK_SM, &mhz) != 0)
        return;
    bool power = c->nvml.power && c->nvml.power(c->device, &milliwatts) == 0;
    bool temperature =
        c->nvml.temperature && c->nvml.temperature(c->device, TEMPERATURE_GPU, &celsius) == 0;
    bool slowed = c->nvml.slowed && c->nvml.slowed(c->device, &reasons) == 0;
    /* The tag may have changed while the library was asked: then the reading is of neither. */
    if (atomic_load(&c->tag) != tag)
        return;

    pthread_mutex_lock(&c->lock);
    histogram_add(&c->by_tag[tag], mhz);
    histogram_add(&c->shape, mhz);
    histogram_add(&c->run, mhz);
    if (power && 1e-3 * milliwatts > c->power_max_w)
        c->power_max_w = 1e-3 * milliwatts;
    if (temperature && celsius > c->temperature_max_c)
        c->temperature_max_c = celsius;
    if (slowed)
        c->reasons |= reasons;
    pthread_mutex_unlock(&c->lock);
}

static void *read_on(void *argument) {
    struct clocks *c = argument;
    const struct timespec period = {.tv_nsec = PERIOD_NS};
    while (!atomic_load(&c->stop)) {
        int tag = atomic_load(&c->tag);
        if (tag >= 0)
            take_reading(c, tag);
        nanosleep(&period, NULL);
    }
    return NULL;
}

/* dlsym gives an object pointer; a function pointer of the same bits is what POSIX promises. */
static bool find(void *library, const char *name, void *function, bool needed) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol || !needed;
}

static bool load(struct clocks *c) {
    c->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!c->library)
        return false;
    struct nvml *n = &c->nvml;
    return find(c->library, "nvmlInit_v2", &n->init, true) &&
           find(c->library, "nvmlShutdown", &n->shutdown, true) &&
           find(c->library, "nvmlDeviceGetHandleByPciBusId_v2", &n->by_address, true) &&
           find(c->library, "nvmlDeviceGetClockInfo", &n->clock, true) &&
           find(c->library, "nvmlDeviceGetPowerUsage", &n->power, false) &&
           find(c->library, "nvmlDeviceGetTemperature", &n->temperature, false) &&
           find(c->library, "nvmlDeviceGetCurrentClocksThrottleReasons", &n->slowed, false) &&
           find(c->library, "nvmlSystemGetDriverVersion", &n->driver, false);
}

struct clocks *clocks_open(const char *pci_address) {
    struct clocks *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    atomic_init(&c->tag, -1);
    atomic_init(&c->stop, false);
    pthread_mutex_init(&c->lock, NULL);
    bool started = load(c) && c->nvml.init() == 0;
    bool reads = started && c->nvml.by_address(pci_address, &c->device) == 0 &&
                 pthread_create(&c->thread, NULL, read_on, c) == 0;
    if (reads)
        return c;
    if (started)
        c->nvml.shutdown();
    if (c->library)
        dlclose(c->library);
    pthread_mutex_destroy(&c->lock);
    free(c);
    return NULL;
}

void clocks_close(struct clocks *c) {
    if (!c)
        return;
    atomic_store(&c->stop, true);
    pthread_join(c->thread, NULL);
    c->nvml.shutdown();
    dlclose(c->library);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

void clocks_tag(struct clocks *c, int tag) {
    if (c)
        atomic_store(&c->tag, tag < CLOCKS_TAGS ? tag : -1);
}

void clocks_next_shape(struct clocks *c) {
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    memset(c->by_tag, 0, sizeof c->by_tag);
    memset(&c->shape, 0, sizeof c->shape);
    pthread_mutex_unlock(&c->lock);
}

double clocks_median(struct clocks *c, int tag) {
    if (!c || tag < 0 || tag >= CLOCKS_TAGS)
        return (double)NAN;
    pthread_mutex_lock(&c->lock);
    const struct histogram *h = c->by_tag[tag].total >= FEW ? &c->by_tag[tag] : &c->shape;
    double median = h->total >= FEW ? histogram_quantile(h, 0.5) : (double)NAN;
    pthread_mutex_unlock(&c->lock);
    return median;
}

static void name_slow_downs(unsigned long long reasons, char *text, size_t size) {
    size_t used = 0;
    snprintf(text, size, "no");
    for (size_t i = 0; i < sizeof slow_downs / sizeof *slow_downs; ++i)
        if ((reasons & slow_downs[i].bit) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "; " : "",
                                     slow_downs[i].name);
}

void clocks_describe(struct clocks *c, struct machine *m) {
    if (!c)
        return;
    if (!c->nvml.driver || c->nvml.driver(m->driver, sizeof m->driver) != 0)
        m->driver[0] = '\0';
    pthread_mutex_lock(&c->lock);
    if (c->run.total >= FEW) {
        m->clock_min_mhz = histogram_quantile(&c->run, 0);
        m->clock_median_mhz = histogram_quantile(&c->run, 0.5);
        m->clock_max_mhz = histogram_quantile(&c->run, 1);
        m->power_max_w = c->power_max_w;
        m->temperature_max_c = c->temperature_max_c;
        if (c->nvml.slowed)
            name_slow_downs(c->reasons, m->throttled, sizeof m->throttled);
    }
    pthread_mutex_unlock(&c->lock);
}
