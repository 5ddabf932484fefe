/*
 * devmem.h: the virtual GPU's memory, and the table that says which bytes of it are alive.
 *
 * Device memory lives in an address range of its own. The range a program sees is reserved and
 * never readable, so that host code which dereferences a device pointer faults at once; the bytes
 * themselves are kept elsewhere ("backing"), at a fixed distance that only this module knows:
 *
 *     device address   base ............... a ............ base + capacity   PROT_NONE, seen by
 *                       |                   |                                programs
 *     backing          bytes ........... bytes + (a - base)                  readable and writable
 *
 * An address is never given out twice while the range lasts, so a pointer kept after cudaFree is
 * recognised as freed instead of silently reading its successor; freed backing goes back to the
 * system. Host memory that kernels may use too (pinned and managed) is entered in the same table
 * with address == host pointer.
 *
 * Contract: not thread safe by itself; the runtime holds its lock around every call, and the table
 * does not change while a kernel runs, so that executing threads read it without locks.
 */
#pragma once

#include "vgpu/src/memory/facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vg_mem vg_mem;

enum vg_mem_kind {
    VG_MEM_DEVICE, /* cudaMalloc and its relatives                          */
    VG_MEM_MODULE, /* a __device__ or __constant__ variable: name is its name */
    VG_MEM_PINNED, /* cudaMallocHost, cudaHostAlloc: address == host pointer  */
    VG_MEM_MANAGED /* cudaMallocManaged: address == host pointer              */
};

/* Where device addresses begin on every machine that has this place free. The address sanitizers'
 * allocators lie at 0x500000000000 and 0x600000000000. */
#define VG_MEM_USUAL_BASE UINT64_C(0x300000000000)

/* One allocation, alive or freed. `serial` counts allocations from 1, in order. */
typedef struct vg_alloc {
    uint64_t addr; /* first byte, as kernels and programs see it */
    uint64_t size; /* bytes asked for                            */
    uint8_t *host; /* where those bytes are                      */
    uint32_t serial;
    enum vg_mem_kind kind;
    bool live;
    bool adopted;   /* the program's own host memory (cudaHostRegister): never freed by the table */
    bool paged;     /* the host's, too: pages of its own between two that nobody may touch */
    bool mapped;    /* and zero until they are written (managed memory) */
    bool read_only; /* lent: neither kernels nor copies may change it (vg_mem_lend) */
    bool blank;     /* a variable that has zeros for want of a value (vg_mem_leave_blank) */
    enum vgpu_memory as;            /* what the name is (vg_mem_name_as); 0: a variable's */
    const void *made_at, *freed_at; /* return addresses of the program's calls; NULL: unknown */
    const char *name; /* of a module's variable; otherwise NULL. Owned by the table. */
} vg_alloc;

enum vg_free_status {
    VG_FREE_OK,
    VG_FREE_TWICE,   /* the start of an allocation that was freed before */
    VG_FREE_INSIDE,  /* points into a live allocation, not at its start  */
    VG_FREE_UNKNOWN, /* was never given out                              */
    VG_FREE_KIND     /* alive, but made by another allocator (cudaFree of pinned memory, …) */
};

/* Reserves address space for `capacity` bytes (less if the system won't, but at least 64 MiB).
 * NULL when even that fails; errno says why. */
vg_mem *vg_mem_create(uint64_t capacity);
/* The same at the addresses that another process has: `base` and `range` as vg_mem_base and
 * vg_mem_range tell them there. NULL, with errno, when they cannot be had here; EINVAL when no
 * process has them. */
vg_mem *vg_mem_create_at(uint64_t base, uint64_t range, uint64_t capacity);
void vg_mem_destroy(vg_mem *mem);

/* Where device addresses begin, and how many bytes are reserved for them. */
uint64_t vg_mem_base(const vg_mem *mem);
uint64_t vg_mem_range(const vg_mem *mem);

/* Bytes that are and can be allocated. */
uint64_t vg_mem_capacity(const vg_mem *mem);
uint64_t vg_mem_used(const vg_mem *mem);

/* The bytes of fresh memory: 0xFF, which is NaN in every floating-point type; in managed memory 0,
 * since that comes from the host's system, which gives out no pages but zeroed ones. */
uint8_t vg_mem_fresh(enum vg_mem_kind kind);
/* `size` bytes, aligned to 256 (`align` may ask for more; a power of two), of the contents that
 * vg_mem_fresh tells. `name` is copied, may be NULL. Returns the address, 0 when out of memory. */
uint64_t vg_mem_alloc(vg_mem *mem, uint64_t size, uint64_t align, enum vg_mem_kind kind,
                      const char *name);
/* Enters host memory of the program's own (cudaHostRegister) as pinned memory. False when it
 * overlaps a live allocation, or no memory is left for the table. vg_mem_free(…, VG_MEM_PINNED)
 * takes it out. */
bool vg_mem_adopt(vg_mem *mem, void *host, uint64_t size);
/* The same for a __managed__ variable of this name, which counts as one of the module's:
 * vg_mem_free(…, VG_MEM_MODULE) takes it out. */
bool vg_mem_bind(vg_mem *mem, void *host, uint64_t size, const char *name);

/* Enters memory of the caller's under an address of the caller's, outside the device's range:
 * for who repeats what another process did with its host memory. It stays the caller's to free. */
bool vg_mem_adopt_at(vg_mem *mem, uint64_t addr, void *host, uint64_t size, enum vg_mem_kind kind,
                     const char *name);

/* From now on the live allocation that begins at `addr` may only be read, or written again. False
 * when there is none. */
bool vg_mem_lend(vg_mem *mem, uint64_t addr, bool read_only);

/* Notes that the allocation's name is that of a string constant, or of none of the program's. */
void vg_mem_name_as(vg_mem *mem, uint64_t addr, enum vgpu_memory as);
/* Notes that the program gives the variable at `addr` no value: its zeros count as unwritten. */
void vg_mem_leave_blank(vg_mem *mem, uint64_t addr);

enum vg_free_status vg_mem_free(vg_mem *mem, uint64_t addr, enum vg_mem_kind kind);

/* Notes where the program made the live allocation that begins at `addr`, or freed the one that is
 * gone. */
void vg_mem_called_from(vg_mem *mem, uint64_t addr, const void *caller);
/* Where both happened to the freed allocation of this number, the last one that held `addr`. False:
 * nobody remembers. */
bool vg_mem_history(const vg_mem *mem, uint64_t addr, uint32_t serial, const void **made_at,
                    const void **freed_at);

/* The number that the next allocation will have. */
uint32_t vg_mem_next_serial(const vg_mem *mem);

/* The live allocations, sorted by address. Valid until the next alloc or free. */
const vg_alloc *vg_mem_live(const vg_mem *mem, size_t *count);

/* The live allocation that holds `addr`, or NULL. */
const vg_alloc *vg_mem_find(const vg_mem *mem, uint64_t addr);

/* Host pointer to [addr, addr + size) if it lies in one live allocation, else NULL. */
void *vg_mem_at(const vg_mem *mem, uint64_t addr, uint64_t size);

/* True if `addr` lies in the device address range (alive, freed or never used). */
bool vg_mem_is_device_address(const vg_mem *mem, uint64_t addr);

/* True if memory that the host could use lay at `addr`, and was freed. */
bool vg_mem_was_host(const vg_mem *mem, uint64_t addr);
/* The memory of the host's, too, whose neighbouring page `addr` lies in; or NULL. */
const vg_alloc *vg_mem_beside_host(const vg_mem *mem, uint64_t addr);
/* Notes what lies at `addr`, alive, freed or never used: place, distance, and the memory it most
 * likely meant. */
void vg_mem_locate(const vg_mem *mem, uint64_t addr, struct vgpu_fact *fact);
/* Notes this memory: its sort, number or name, and size. */
void vg_mem_name(const vg_alloc *a, struct vgpu_fact *fact);
