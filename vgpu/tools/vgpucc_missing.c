/*
 * vgpucc_missing.c: one table of what is not there, one of the signs of it; see vgpucc_missing.h.
 */
#include "vgpu/tools/vgpucc_missing.h"

#include "vgpu/tools/vgpucc_args.h"
#include "vgpu/tools/vgpucc_text.h"

#include <stdlib.h>
#include <string.h>

enum feature {
    THRUST,
    CUB,
    LIBCU,
    CURAND,
    CUFFT,
    CUSPARSE,
    CUSOLVER,
    CUBLAS_LT,
    CUBLAS_XT,
    CUBLAS_CALL,
    CUDNN,
    CUTLASS,
    NCCL,
    NVRTC,
    NVML,
    NPP,
    OPENGL,
    DRIVER,
    GRAPHS,
    TEXTURES,
    TEXTURE_REFERENCES,
    SURFACES,
    ARRAYS,
    CLUSTERS,
    DYNAMIC,
    IPC,
    VIRTUAL_MEMORY,
    UNCONFIGURED,
    SAMPLES,
    OTHER_LIBRARY,
    OTHER_CALL,
    FEATURES
};

static const char *const features[FEATURES] = {
    [THRUST] = "the virtual GPU has no Thrust, a library of ready-made kernels: write the loop as "
               "a kernel of your own, or sort, scan and reduce on the host with <algorithm>",
    [CUB] = "the virtual GPU has no CUB, a library of ready-made kernels: write reduction or scan "
            "yourself, or use cooperative_groups/reduce.h and scan.h, which it has",
    [LIBCU] = "the virtual GPU has no such header of libcu++: it has <cuda/barrier>, "
              "<cuda/pipeline>, <cuda/atomic>, <cuda/latch>, <cuda/semaphore>, <cuda/cmath> "
              "and types of <cuda/std/...>",
    [CURAND] = "the virtual GPU has of cuRAND the generator XORWOW on the host (curand.h), and "
               "XORWOW, Philox and MRG32k3a in kernels (curand_kernel.h), but not this",
    [CUFFT] = "the virtual GPU has no cuFFT, a library with kernels of its own: write the "
              "transform as a kernel, or use FFTW on the host",
    [CUSPARSE] = "the virtual GPU has no cuSPARSE, a library with kernels of its own: write the "
                 "product as a kernel (one row for each thread or warp)",
    [CUSOLVER] = "the virtual GPU has no cuSOLVER, a library with kernels of its own: use LAPACK "
                 "on the host",
    [CUBLAS_LT] = "the virtual GPU has of cuBLASLt cublasLtMatmul with its plain epilogue "
                  "(cublasLt.h), but not this part of it",
    [CUBLAS_XT] = "the virtual GPU has no cuBLASXt, which is for several GPUs: cublas_v2.h has the "
                  "calls for one",
    [CUBLAS_CALL] = "the virtual GPU has no such call of cuBLAS: vgpu/README.md lists those it "
                    "has; most others can be put together from those",
    [CUDNN] = "the virtual GPU has no cuDNN, a library with kernels of its own: write the layer as "
              "a kernel, or as a product with cublasSgemm",
    [CUTLASS] = "the virtual GPU has no CUTLASS or CuTe among its headers: they are a library of "
                "their own, added by -I",
    [NCCL] = "the virtual GPU has no NCCL, and is a single device: cudaMemcpy does all the moving "
             "it needs",
    [NVRTC] = "the virtual GPU has no NVRTC, a compiler at run time: compile the kernel with the "
              "program, as a template if constants differ",
    [NVML] = "the virtual GPU has no NVML: there is no chip with clocks or heat to report; "
             "cudaGetDeviceProperties has the rest",
    [NPP] = "the virtual GPU has no NPP, a library of ready-made kernels: write the filter as a "
            "kernel of your own",
    [OPENGL] = "the virtual GPU has no OpenGL, Direct3D or Vulkan beside it: copy the picture to "
               "the host and write it to a file",
    [DRIVER] = "the virtual GPU has no driver API (cu... calls), whose programs load kernels from "
               "files: the runtime API (cuda... calls, kernel<<<...>>>) does the same with the "
               "kernels in the program",
    [GRAPHS] = "the virtual GPU has CUDA graphs by capture (cudaStreamBeginCapture) and of nodes "
               "by hand (cudaGraphCreate, cudaGraphAdd... for kernels, copies, memsets, host "
               "functions, graphs and empty nodes, cudaGraphAddDependencies), but not this part "
               "of them",
    [TEXTURES] = "the virtual GPU has texture objects of one, two and three dimensions "
                 "(tex1Dfetch, tex1D, tex2D, tex3D) and of layers (tex1DLayered, tex2DLayered), "
                 "but no cubes, levels or gathers: fetch the elements one by one",
    [TEXTURE_REFERENCES] =
        "texture references (texture<float> t; cudaBindTexture) are gone since CUDA 12: make a "
        "texture object (cudaCreateTextureObject), hand it to the kernel, and fetch from it",
    [SURFACES] = "the virtual GPU has surface objects of one, two and three dimensions "
                 "(cudaCreateSurfaceObject, surf2Dread, surf2Dwrite), but no layers, cubes or "
                 "surface references",
    [ARRAYS] = "the virtual GPU has arrays of one level (cudaMallocArray, cudaMalloc3DArray), but "
               "no mipmapped ones",
    [CLUSTERS] = "the virtual GPU has no thread block clusters, which need sm_90 (it compiles for "
                 "sm_80): let blocks share through global memory",
    [DYNAMIC] = "the virtual GPU has no kernels that launch kernels (dynamic parallelism): launch "
                "from the host, in a loop if the depth is not known",
    [IPC] = "the virtual GPU has no memory shared with other processes (IPC): each process has a "
            "device of its own",
    [VIRTUAL_MEMORY] = "the virtual GPU does not let programs map device addresses: cudaMalloc",
    [SAMPLES] = "this header comes with NVIDIA's samples, not with CUDA: add -I with the folder "
                "Common of the samples, or print cudaGetErrorString yourself",
    [OTHER_LIBRARY] = "the virtual GPU has no such library: of NVIDIA's it has the runtime, "
                      "cuBLAS, cublasLtMatmul and cuRAND; write what you need as a kernel",
    [OTHER_CALL] = "the virtual GPU has no such call or type of the CUDA runtime: vgpu/README.md "
                   "lists those it has",
    [UNCONFIGURED] = "a kernel is not called like a function: kernel<<<blocks, threads>>>(...)",
};

/* How what is missing shows. */
enum sign_kind {
    IN_HEADER,  /* an #include of a file whose name begins so */
    IN_LIBRARY, /* -l with a name that begins so */
    IN_CALL,    /* the linker knows no function that begins so */
    IN_NAME     /* the compiler knows no type, variable or function that begins so */
};

typedef struct sign {
    enum sign_kind kind;
    const char *begin;
    enum feature of;
} sign;

/* Longer beginnings before their own. */
static const sign signs[] = {
    {IN_HEADER, "thrust/", THRUST},
    {IN_HEADER, "cub/", CUB},
    {IN_HEADER, "cuda/", LIBCU},
    {IN_HEADER, "curand_mtgp32", CURAND},
    {IN_HEADER, "cufft", CUFFT},
    {IN_HEADER, "cusparse", CUSPARSE},
    {IN_HEADER, "cusolver", CUSOLVER},
    {IN_HEADER, "cublasXt", CUBLAS_XT},
    {IN_HEADER, "cudnn", CUDNN},
    {IN_HEADER, "cutlass/", CUTLASS},
    {IN_HEADER, "cute/", CUTLASS},
    {IN_HEADER, "nccl", NCCL},
    {IN_HEADER, "nvrtc", NVRTC},
    {IN_HEADER, "nvml", NVML},
    {IN_HEADER, "npp", NPP},
    {IN_HEADER, "cuda_gl_interop", OPENGL},
    {IN_HEADER, "cuda_d3d", OPENGL},
    {IN_HEADER, "cudaGL", OPENGL},
    {IN_HEADER, "GL/", OPENGL},
    {IN_HEADER, "GLFW/", OPENGL},
    {IN_HEADER, "GLUT/", OPENGL},
    {IN_HEADER, "cudaProfiler", DRIVER},
    {IN_HEADER, "cuda_egl", OPENGL},
    {IN_HEADER, "cudaEGL", OPENGL},
    {IN_HEADER, "cuda_vdpau", OPENGL},
    {IN_HEADER, "helper_", SAMPLES},
    {IN_HEADER, "cudss", OTHER_LIBRARY},
    {IN_HEADER, "cufile", OTHER_LIBRARY},
    {IN_HEADER, "cupti", OTHER_LIBRARY},
    {IN_HEADER, "cutensor", OTHER_LIBRARY},
    {IN_HEADER, "nvcomp", OTHER_LIBRARY},
    {IN_HEADER, "nvgraph", OTHER_LIBRARY},
    {IN_HEADER, "nvjpeg", OTHER_LIBRARY},
    {IN_HEADER, "nvshmem", OTHER_LIBRARY},
    {IN_HEADER, "optix", OTHER_LIBRARY},
    {IN_LIBRARY, "cudnn", CUDNN},
    {IN_LIBRARY, "cufft", CUFFT},
    {IN_LIBRARY, "cufile", OTHER_LIBRARY},
    {IN_LIBRARY, "cupti", OTHER_LIBRARY},
    {IN_LIBRARY, "cusolver", CUSOLVER},
    {IN_LIBRARY, "cusparse", CUSPARSE},
    {IN_LIBRARY, "cutensor", OTHER_LIBRARY},
    {IN_LIBRARY, "nccl", NCCL},
    {IN_LIBRARY, "npp", NPP},
    {IN_LIBRARY, "nvgraph", OTHER_LIBRARY},
    {IN_LIBRARY, "nvidia-ml", NVML},
    {IN_LIBRARY, "nvjpeg", OTHER_LIBRARY},
    {IN_LIBRARY, "nvrtc", NVRTC},
    {IN_LIBRARY, "nvshmem", OTHER_LIBRARY},
    {IN_CALL, "curand", CURAND},
    {IN_CALL, "cufft", CUFFT},
    {IN_CALL, "cusparse", CUSPARSE},
    {IN_CALL, "cusolver", CUSOLVER},
    {IN_CALL, "cublasLt", CUBLAS_LT},
    {IN_CALL, "cublasXt", CUBLAS_XT},
    {IN_CALL, "cublas", CUBLAS_CALL},
    {IN_CALL, "cudnn", CUDNN},
    {IN_CALL, "nccl", NCCL},
    {IN_CALL, "nvrtc", NVRTC},
    {IN_CALL, "nvml", NVML},
    {IN_CALL, "npp", NPP},
    {IN_CALL, "cupti", OTHER_LIBRARY},
    {IN_CALL, "cutensor", OTHER_LIBRARY},
    {IN_CALL, "nvjpeg", OTHER_LIBRARY},
    {IN_CALL, "cudaGraphics", OPENGL},
    {IN_CALL, "cudaGraph", GRAPHS},
    {IN_CALL, "cudaGL", OPENGL},
    {IN_CALL, "glut", OPENGL},
    {IN_CALL, "glew", OPENGL},
    {IN_CALL, "glfw", OPENGL},
    {IN_CALL, "glBind", OPENGL},
    {IN_CALL, "glDraw", OPENGL},
    {IN_CALL, "cuInit", DRIVER},
    {IN_CALL, "cuDevice", DRIVER},
    {IN_CALL, "cuCtx", DRIVER},
    {IN_CALL, "cuModule", DRIVER},
    {IN_CALL, "cuMem", DRIVER},
    {IN_CALL, "cuLaunch", DRIVER},
    {IN_CALL, "cuStream", DRIVER},
    {IN_CALL, "cuEvent", DRIVER},
    {IN_NAME, "cudaGraphicsGL", OPENGL},
    {IN_NAME, "cudaGraphics", OPENGL},
    {IN_NAME, "cudaGL", OPENGL},
    {IN_NAME, "cudaEGL", OPENGL},
    {IN_NAME, "cudaVDPAU", OPENGL},
    {IN_NAME, "cudaImportExternal", OPENGL},
    {IN_NAME, "cudaDestroyExternal", OPENGL},
    {IN_NAME, "cudaSignalExternal", OPENGL},
    {IN_NAME, "cudaWaitExternal", OPENGL},
    {IN_NAME, "cudaExternal", OPENGL},
    {IN_NAME, "cudaDeviceGraphMem", GRAPHS},
    {IN_NAME, "cudaMemAllocNode", GRAPHS},
    {IN_NAME, "cudaGraph", GRAPHS},
    {IN_NAME, "cudaStreamBeginCaptureTo", GRAPHS},
    {IN_NAME, "cudaStreamGetCapture", GRAPHS},
    {IN_NAME, "cudaStreamUpdateCapture", GRAPHS},
    {IN_NAME, "cudaKernelNode", GRAPHS},
    {IN_NAME, "cudaMemcpyNode", GRAPHS},
    {IN_NAME, "cudaMemsetParams", GRAPHS},
    {IN_NAME, "cudaHostNode", GRAPHS},
    {IN_NAME, "tex1D", TEXTURES},
    {IN_NAME, "tex2D", TEXTURES},
    {IN_NAME, "tex3D", TEXTURES},
    {IN_NAME, "texCubemap", TEXTURES},
    {IN_NAME, "cudaResViewFormat", TEXTURES},
    {IN_NAME, "cudaTextureTypeCubemap", TEXTURES},
    {IN_NAME, "texture'", TEXTURE_REFERENCES},
    {IN_NAME, "textureReference", TEXTURE_REFERENCES},
    {IN_NAME, "cudaBindTexture", TEXTURE_REFERENCES},
    {IN_NAME, "cudaUnbindTexture", TEXTURE_REFERENCES},
    {IN_NAME, "cudaGetTexture", TEXTURE_REFERENCES},
    {IN_NAME, "surf1D", SURFACES},
    {IN_NAME, "surf2D", SURFACES},
    {IN_NAME, "surf3D", SURFACES},
    {IN_NAME, "surface'", SURFACES},
    {IN_NAME, "cudaSurface", SURFACES},
    {IN_NAME, "surfCubemap", SURFACES},
    {IN_NAME, "cudaBindSurface", SURFACES},
    {IN_NAME, "cudaMallocMipmappedArray", ARRAYS},
    {IN_NAME, "cudaFreeMipmappedArray", ARRAYS},
    {IN_NAME, "cudaGetMipmappedArray", ARRAYS},
    {IN_NAME, "this_cluster", CLUSTERS},
    {IN_NAME, "cluster_group", CLUSTERS},
    {IN_NAME, "__cluster", CLUSTERS},
    {IN_NAME, "cudaOccupancyMaxActiveClusters", CLUSTERS},
    {IN_NAME, "cudaOccupancyMaxPotentialClusterSize", CLUSTERS},
    {IN_NAME, "cudaIpc", IPC},
    {IN_NAME, "cudaMemPoolExport", IPC},
    {IN_NAME, "cudaMemPoolImport", IPC},
    {IN_NAME, "cuMemAddress", VIRTUAL_MEMORY},
    {IN_NAME, "cuMemMap", VIRTUAL_MEMORY},
    {IN_NAME, "cudaStreamFireAndForget", DYNAMIC},
    {IN_NAME, "cudaStreamTailLaunch", DYNAMIC},
    {IN_NAME, "cudaDeviceSynchronize", DYNAMIC}, /* known, but not in a kernel */
    {IN_NAME, "cudaGetDriverEntryPoint", DRIVER},
    {IN_NAME, "CUdevice", DRIVER},
    {IN_NAME, "CUcontext", DRIVER},
    {IN_NAME, "CUmodule", DRIVER},
    {IN_NAME, "CUfunction", DRIVER},
    {IN_NAME, "CUresult", DRIVER},
    {IN_NAME, "CUstream", DRIVER},
    {IN_NAME, "CUDA_SUCCESS", DRIVER},
    {IN_NAME, "cuInit", DRIVER},
    {IN_NAME, "cuDevice", DRIVER},
    {IN_NAME, "cuCtx", DRIVER},
    {IN_NAME, "cuModule", DRIVER},
    {IN_NAME, "cuLaunch", DRIVER},
    {IN_NAME, "cuMem", DRIVER},
    {IN_NAME, "curand", CURAND},
    {IN_NAME, "cublasLt", CUBLAS_LT},
    {IN_NAME, "CUBLASLT", CUBLAS_LT},
    {IN_NAME, "cublas", CUBLAS_CALL},
    {IN_NAME, "cufft", CUFFT},
    {IN_NAME, "CUFFT", CUFFT},
    {IN_NAME, "cusparse", CUSPARSE},
    {IN_NAME, "cusolver", CUSOLVER},
    {IN_NAME, "cudnn", CUDNN},
    {IN_NAME, "nccl", NCCL},
    {IN_NAME, "nvrtc", NVRTC},
    {IN_NAME, "nvml", NVML},
    {IN_NAME, "nppi", NPP},
    {IN_NAME, "thrust'", THRUST},
    {IN_NAME, "cub'", CUB},
};

/* Words that need no name behind them. */
static const struct {
    const char *words;
    enum feature of;
} phrases[] = {
    {"reference to __global__ function '", DYNAMIC},
    {"call to global function ", UNCONFIGURED},
    {"a __global__ function call must be configured", UNCONFIGURED},
    {"kernel launch from __device__ or __global__ functions requires", DYNAMIC},
};

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static const sign *find_sign(enum sign_kind kind, const char *name) {
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].kind == kind && begins(name, signs[i].begin))
            return &signs[i];
    return NULL;
}

/* libX.a, libX.so, libX.so.11.2 */
static bool is_library(const char *name) {
    size_t n = strlen(name);
    while (n > 0 && strchr(".0123456789", name[n - 1]))
        n--;
    const bool versioned = name[n] == '.';
    return (n > 3 && memcmp(name + n - 3, ".so", 3) == 0 && (versioned || name[n] == '\0')) ||
           (n > 2 && memcmp(name + n - 2, ".a", 2) == 0 && name[n] == '\0');
}

bool missing_library(const char *item) {
    if (begins(item, "-l"))
        return find_sign(IN_LIBRARY, item + 2);
    const char *slash = strrchr(item, '/'), *name = slash ? slash + 1 : item;
    return begins(name, "lib") && is_library(name) && find_sign(IN_LIBRARY, name + 3);
}

/* Nearly the same word: all but two letters of the longer one, before and behind them. */
static bool is_slip(const char *a, size_t a_len, const char *b, size_t b_len) {
    const size_t least = a_len < b_len ? a_len : b_len, most = a_len < b_len ? b_len : a_len;
    size_t before = 0, behind = 0;
    while (before < least && a[before] == b[before])
        before++;
    while (behind < least - before && a[a_len - 1 - behind] == b[b_len - 1 - behind])
        behind++;
    return most - before - behind <= 2;
}

/* A name of the runtime that no sign is for, and that is no slip for one that the compiler knows
 * and names. */
static bool is_unknown_call(const char *name) {
    static const char guess[] = "; did you mean '";
    const size_t len = strcspn(name, "'\"`\n");
    if (!begins(name, "cuda") || name[4] < 'A' || name[4] > 'Z' || name[len] == '\0')
        return false;
    const char *meant = name + len + 1;
    if (!begins(meant, guess))
        return true;
    meant += sizeof guess - 1;
    return !is_slip(name, len, meant, strcspn(meant, "'\n"));
}

/* The sign that a path to a header is: at its last component, or the one before. */
static const sign *find_header(const char *path, size_t len) {
    char copy[1024];
    if (len >= sizeof copy)
        return NULL;
    memcpy(copy, path, len);
    copy[len] = '\0';
    const sign *found = find_sign(IN_HEADER, copy);
    for (const char *at = strchr(copy, '/'); at && !found; at = strchr(at + 1, '/'))
        found = find_sign(IN_HEADER, at + 1);
    return found;
}

/* "prog.cu:3" of "prog.cu:3:10: fatal error: …", and of "In file included from
 * prog.cu:3:". */
static void say_at(const char *place, size_t len, enum feature of) {
    complain("%.*s: %s", (int)len, place, features[of]);
}

/* clang's words about a header that is not there: the line begins with where it is included. */
static bool absent_header(const char *line, size_t len) {
    static const char lack[] = ": fatal error: '";
    const char *at = memmem(line, len, lack, sizeof lack - 1);
    const char *name = at ? at + sizeof lack - 1 : NULL;
    const char *end = name ? memchr(name, '\'', len - (size_t)(name - line)) : NULL;
    const sign *s = end && memmem(end, len - (size_t)(end - line), "file not found", 14)
                        ? find_header(name, (size_t)(end - name))
                        : NULL;
    if (!s)
        return false;
    while (at > line && at[-1] != ':') /* the column says nothing that the line does not */
        at--;
    say_at(line, (size_t)(at - line) - (at > line), s->of);
    return true;
}

/* The headers that an error is in, from the program's file inwards: "In file included from
 * prog.cu:3:", "In file included from /somewhere/curand_kernel.h:109:",
 * "/somewhere/curand.h:464:19: error". The first of them that is of a missing library and none of
 * ours, and who includes it. */
static bool foreign_header(const char *text, const char *own) {
    static const char lead[] = "In file included from ";
    const char *by = NULL;
    size_t by_len = 0;
    for (const char *line = text; *line;) {
        const size_t len = strcspn(line, "\n");
        const bool is_lead = begins(line, lead);
        const char *path = is_lead ? line + sizeof lead - 1 : line;
        const size_t path_len = strcspn(path, ":\n");
        if (by && (is_lead || memmem(line, len, "error: ", 7))) {
            const bool is_own = begins(path, own) && path[strlen(own)] == '/';
            const sign *s = is_own ? NULL : find_header(path, path_len);
            if (s) {
                say_at(by, by_len, s->of);
                return true;
            }
        }
        if (is_lead) {
            by = path;
            by_len = path_len + 1 + strspn(path + path_len + 1, "0123456789");
        } else {
            by = NULL;
        }
        line += len + (line[len] == '\n');
    }
    return false;
}

bool missing_header(const char *errors, const char *own) {
    size_t length = 0;
    char *said = read_file(errors, &length);
    bool found = false;
    for (const char *line = said; line && *line && !found;) {
        const size_t len = strcspn(line, "\n");
        found = absent_header(line, len);
        line += len + (line[len] == '\n');
    }
    found = found || (said && foreign_header(said, own));
    free(said);
    return found;
}

void missing_names(const char *errors) {
    static const struct {
        const char *words;
        enum sign_kind kind;
    } before[] = {
        {"undefined reference to `", IN_CALL}, {"undeclared identifier '", IN_NAME},
        {"unknown type name '", IN_NAME},      {"no template named '", IN_NAME},
        {"error: identifier \"", IN_NAME},     {"has no member \"", IN_NAME},
        {"no member named '", IN_NAME},        {"reference to __host__ function '", IN_NAME},
    };
    bool told[FEATURES] = {false};
    size_t length = 0;
    char *said = read_file(errors, &length);
    for (size_t w = 0; said && w < sizeof before / sizeof *before; w++)
        for (const char *at = said; (at = strstr(at, before[w].words));) {
            at += strlen(before[w].words);
            const sign *s = find_sign(before[w].kind, at);
            if (s || is_unknown_call(at))
                told[s ? s->of : OTHER_CALL] = true;
        }
    for (size_t p = 0; said && p < sizeof phrases / sizeof *phrases; p++)
        if (strstr(said, phrases[p].words))
            told[phrases[p].of] = true;
    for (int f = 0; f < FEATURES; f++)
        if (told[f])
            complain("%s", features[f]);
    free(said);
}
