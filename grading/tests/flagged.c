/* flagged.c: an object with one of everything that flags.c knows. Only read, never linked. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void matmul_cpu(void);
int cudaMalloc(void **p, size_t n);
int vgpu_get_stats(void *into);

int cudaMalloc(void **p, size_t n) {
    *p = malloc(n);
    return 0;
}

ssize_t write(int fd, const void *bytes, size_t n) {
    return fd >= 0 && bytes ? (ssize_t)n : -1;
}

__attribute__((constructor)) static void before_main(void) {
    puts("first");
}

__attribute__((destructor)) static void after_exit(void) {
    puts("last");
}

__attribute__((section(".preinit_array"), used)) static void (*const before_all)(void) = after_exit;

void matmul_cpu(void) {
    vgpu_get_stats(dlsym(NULL, "cudaFree"));
    if (fork() == 0)
        fclose(fopen("/etc/passwd", "r"));
}
