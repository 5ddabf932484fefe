/* fake_nvml.c: stands in for NVIDIA's management library in clocks_test.c: one device, whose clock
 * is what the test says. Built as a shared library with that library's name. */
#include <stdatomic.h>
#include <string.h>

static atomic_uint clock_mhz = 1980;
static atomic_ullong reasons = 1; /* idle */
static atomic_uint reads;         /* of the clock */
static int device;

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **handle);
int nvmlDeviceGetClockInfo(void *handle, int which, unsigned *mhz);
int nvmlDeviceGetPowerUsage(void *handle, unsigned *milliwatts);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *handle, unsigned long long *bits);
int nvmlSystemGetDriverVersion(char *text, unsigned size);
void fake_set(unsigned mhz, unsigned long long bits);
unsigned fake_reads(void);

void fake_set(unsigned mhz, unsigned long long bits) {
    atomic_store(&clock_mhz, mhz);
    atomic_store(&reasons, bits);
}

unsigned fake_reads(void) {
    return atomic_load(&reads);
}

int nvmlInit_v2(void) {
    return 0;
}

int nvmlShutdown(void) {
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **handle) {
    *handle = &device;
    return strcmp(address, "0000:65:00.0") == 0 ? 0 : 6; /* not found */
}

int nvmlDeviceGetClockInfo(void *handle, int which, unsigned *mhz) {
    *mhz = atomic_load(&clock_mhz);
    atomic_fetch_add(&reads, 1);
    return handle == &device && which == 1 && *mhz ? 0 : 2; /* invalid argument */
}

/* There is no nvmlDeviceGetTemperature: an old library may lack what is not needed. */
int nvmlDeviceGetPowerUsage(void *handle, unsigned *milliwatts) {
    *milliwatts = 578657;
    return handle == &device ? 0 : 2;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *handle, unsigned long long *bits) {
    *bits = atomic_load(&reasons);
    return handle == &device ? 0 : 2;
}

int nvmlSystemGetDriverVersion(char *text, unsigned size) {
    strncpy(text, "580.159.04", size);
    return 0;
}
