/*
 * gpu_probe.c: does a GPU answer on this machine, and which one?
 *
 *     $ build/bin/gpu-probe
 *     90 NVIDIA H200
 *
 * Prints the compute capability of device 0 without its dot, and its name; exit status 0. Without a
 * driver or a device: a line on stderr, exit status 1. Needs no CUDA toolkit to be built or run: it
 * asks the driver's library, if there is one. It never starts work on the device, and leaves no
 * file: the driver's cache of compiled kernels stays out of it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* From the CUDA driver API, which keeps these numbers and signatures. */
enum { CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };

typedef int cu_init(unsigned flags);
typedef int cu_device_get(int *device, int ordinal);
typedef int cu_device_get_attribute(int *value, int attribute, int device);
typedef int cu_device_get_name(char *name, int size, int device);

static int no_gpu(const char *why) {
    fprintf(stderr, "no GPU answers: %s\n", why);
    return 1;
}

int main(void) {
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver)
        return no_gpu("the NVIDIA driver is not installed (libcuda.so.1)");

    cu_init *init = (cu_init *)dlsym(driver, "cuInit");
    cu_device_get *get = (cu_device_get *)dlsym(driver, "cuDeviceGet");
    cu_device_get_attribute *attribute =
        (cu_device_get_attribute *)dlsym(driver, "cuDeviceGetAttribute");
    cu_device_get_name *get_name = (cu_device_get_name *)dlsym(driver, "cuDeviceGetName");
    if (!init || !get || !attribute || !get_name)
        return no_gpu("libcuda.so.1 is not NVIDIA's");

    int device, major, minor;
    char name[256];
    if (init(0) != 0)
        return no_gpu("the driver does not start");
    if (get(&device, 0) != 0)
        return no_gpu("there is a driver, but no device");
    if (attribute(&major, CAPABILITY_MAJOR, device) != 0 ||
        attribute(&minor, CAPABILITY_MINOR, device) != 0 ||
        get_name(name, sizeof name, device) != 0)
        return no_gpu("the device does not report its properties");
    printf("%d%d %s\n", major, minor, name);
    return 0;
}
