/*
 * journal_format.h: how a journal lies in memory (journal.h records one, grading/witness repeats
 * it).
 *
 *   +------+--------+------+--------+------+-----
 *   | head | record | body | record | body | ...      everything in the machine's own byte order;
 *   +------+--------+------+--------+------+-----     bodies are padded with zeros to 8 bytes
 *
 * The head tells where device addresses lie. Each record is one thing that happened to device
 * memory, in the order in which it took effect. Addresses are those of kernels and programs.
 * `bytes` of a record are its body's, without the padding.
 *
 * A reader must take every number for a stranger's: nothing here promises that they fit together.
 */
#pragma once

#include <stdint.h>

#define VJ_MAGIC   0x31474a56u /* "VJG1" */
#define VJ_VERSION 1u

/* No journal is longer: what does not fit is left out, and `lost` says so. */
#define VJ_MOST ((uint64_t)128 << 20)

struct vj_head {
    uint32_t magic, version;
    uint64_t base, range, capacity; /* of device memory; zeros while nothing was asked of it */
    uint64_t lost;                  /* 1: something happened that is not in here */
};

enum vj_kind {
    VJ_CALL = 1,   /* what follows is the program's; nothing in the body */
    VJ_ALLOC,      /* vj_alloc */
    VJ_FREE,       /* vj_alloc, size 0 */
    VJ_MODULE,     /* vj_module, then vj_managed and a name for each managed variable */
    VJ_REGION,     /* vj_region: the caller has put (or keeps) one of its matrices here */
    VJ_COPY,       /* vj_copy, and for VJ_TO_DEVICE the bytes, row after row */
    VJ_SET,        /* vj_set */
    VJ_HOST_WROTE, /* vj_bytes, then the bytes: the host changed memory that kernels reach, too */
    VJ_LAUNCH,     /* vj_launch, the kernel's name, its parameter block */
    VJ_GEMM,       /* vj_gemm: a matrix product of cuBLAS */
    VJ_BLAS,       /* vj_blas: any other call of cuBLAS that computes */
    VJ_RESET,      /* cudaDeviceReset; nothing in the body */
    VJ_KINDS
};

struct vj_record {
    uint32_t kind;
    uint32_t reserved;
    uint64_t bytes;
};

struct vj_alloc {
    uint64_t addr, size;
    uint32_t kind; /* enum vg_mem_kind */
    uint32_t reserved;
};

/* A program's module is named by a hash of its PTX (vj_hash). */
struct vj_module {
    uint64_t hash, length;
    uint64_t managed; /* so many __managed__ variables follow */
};

struct vj_managed {
    uint64_t addr, size;
    uint64_t name_bytes; /* of the name, which follows; padded to 8 */
};

struct vj_region {
    uint32_t matrix; /* 0: A, 1: B, 2: C */
    uint32_t host;   /* 1: in the host's memory, where only copies reach it */
    uint64_t addr, bytes;
};

enum vj_way { VJ_TO_DEVICE, VJ_WITHIN, VJ_TO_HOST, VJ_ON_HOST };

/* Rows of `width` bytes, `pitch` apart, in slices `slice` apart. */
struct vj_copy {
    uint64_t to, from;
    uint64_t width, height, depth;
    uint64_t to_pitch, to_slice, from_pitch, from_slice;
    uint32_t way; /* enum vj_way */
    uint32_t reserved;
};

struct vj_set {
    uint64_t to;
    uint64_t width, height, depth, pitch, slice;
    int32_t value;
    uint32_t reserved;
};

struct vj_bytes {
    uint64_t addr, bytes;
};

struct vj_launch {
    uint64_t module; /* its hash */
    uint32_t grid[3], block[3];
    uint32_t shared; /* dynamic, bytes */
    uint32_t cooperative;
    int64_t max_dynamic; /* cudaFuncSetAttribute; -1: never asked */
    uint64_t stack_limit, heap_limit;
    uint32_t name_bytes, arg_bytes; /* both follow, each padded to 8 */
};

struct vj_gemm {
    uint32_t type, transa, transb, arrays;
    int32_t m, n, k, batch;
    int32_t lda, ldb, ldc;
    uint32_t tf32, mixed, in, out, rounded, scalars;
    uint32_t reserved;
    double alpha, beta;
    uint64_t a, b, c;
    int64_t stride_a, stride_b, stride_c;
};

enum vj_blas_call {
    VJ_AXPY,
    VJ_SCAL,
    VJ_COPY_VECTOR,
    VJ_DOT,
    VJ_NRM2,
    VJ_ASUM,
    VJ_GEMV,
    VJ_GEAM,
    VJ_AMAX,
    VJ_AMIN,
    VJ_SWAP,
    VJ_ROT,
    VJ_GER,
    VJ_DGMM,
    VJ_TRMV,
    VJ_TRSV,
    VJ_SYMV,
    VJ_TRMM,
    VJ_TRSM,
    VJ_SYMM,
    VJ_SYR,
    VJ_SYRK,
    VJ_BLAS_CALLS
};

/* Which side, which triangle, which diagonal: cuBLAS' own numbers. */
static inline uint32_t vj_shape(unsigned side, unsigned uplo, unsigned diag) {
    return side | uplo << 2 | diag << 4;
}

/* Vectors: x is a with lda apart, y is b with ldb apart; rot: alpha and beta are c and s. gemv,
 * symv: A is a, x is b, y is c; ger, syr: A is c; trmv, trsv: x is b and c; syrk: m is k. A result
 * that goes to device memory goes to c; to the host: c is 0. */
struct vj_blas {
    uint32_t call;  /* enum vj_blas_call */
    uint32_t twice; /* 1: doubles, 0: floats */
    uint32_t transa, transb;
    int32_t m, n;
    int32_t lda, ldb, ldc;
    uint32_t shape; /* vj_shape */
    double alpha, beta;
    uint64_t a, b, c;
};

/* Names a text: FNV-1a. It tells apart what one program holds, and protects nothing. */
static inline uint64_t vj_hash(const char *text, uint64_t length) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint64_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return hash;
}

static inline uint64_t vj_padded(uint64_t bytes) {
    return (bytes + 7) & ~(uint64_t)7;
}
