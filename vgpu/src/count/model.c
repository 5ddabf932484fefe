/* model.c: see model.h. */
#include "vgpu/src/count/model.h"

enum { WARP = 32 };

/* What a multiprocessor of a compute capability does a clock. */
typedef struct sm_rates {
    int capability;                     /* 10 * major + minor, and above */
    int float_lanes, half_warps_issued; /* float results; instructions, in half warps */
    int l1_bytes;                       /* shared memory and first-level cache        */
} sm_rates;

static sm_rates rates_of(const vg_profile *p) {
    /* The 1.x devices issue a warp in four clocks to eight lanes; 2.0 issues two half warps. */
    static const sm_rates table[] = {{90, 128, 8, 128}, {86, 128, 8, 128}, {70, 64, 8, 128},
                                     {60, 64, 4, 128},  {50, 128, 8, 128}, {30, 192, 8, 128},
                                     {20, 32, 2, 64},   {0, 8, 1, 32}};
    const int capability = 10 * p->major + p->minor;
    int i = 0;
    while (capability < table[i].capability)
        i++;
    return table[i];
}

double vg_peak_flops(const vg_profile *p) {
    return 2.0 * rates_of(p).float_lanes * p->sm_count * p->clock_khz * 1e3;
}

vg_occupancy vg_occupancy_of(const vg_profile *p, vg_dim3 grid, vg_dim3 block, uint64_t shared,
                             int registers) {
    vg_occupancy o = {.max_warps_sm = p->max_threads_sm / WARP, .limit = "threads"};
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;
    const uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    if (threads == 0 || blocks == 0 || threads > (uint64_t)p->max_threads_block)
        return o;
    const int warps = (int)((threads + WARP - 1) / WARP);
    o.blocks_sm = vg_profile_blocks_per_sm(p, (int)threads, shared, registers);
    if (o.blocks_sm == 0) {
        o.limit = vg_profile_blocks_per_sm(p, (int)threads, shared, 0) == 0 ? "shared memory"
                                                                            : "registers";
        return o;
    }
    o.fits = true;
    const int by_threads = o.max_warps_sm / warps;
    const int by_shared = vg_profile_blocks_per_sm(p, (int)threads, shared, 0);
    if (o.blocks_sm < by_shared)
        o.limit = "registers";
    else if (by_shared < by_threads && by_shared < p->max_blocks_sm)
        o.limit = "shared memory";
    else if (p->max_blocks_sm < by_threads)
        o.limit = "blocks";
    o.waves = (double)blocks / ((double)o.blocks_sm * p->sm_count);
    o.warps_sm = o.blocks_sm * warps;
    o.percent = 100.0 * o.warps_sm / o.max_warps_sm;
    return o;
}

vg_model vg_model_of(const vg_profile *p, const vg_counts *c, uint64_t num_blocks) {
    const sm_rates r = rates_of(p);
    const double used =
        num_blocks < (uint64_t)p->sm_count ? (double)num_blocks : p->sm_count; /* multiprocessors */
    const double clocks = used * p->clock_khz * 1e3; /* of all of them, a second */
    const uint64_t *v = c->v;
    vg_model m = {0};
    if (num_blocks == 0) {
        m.bound = "instructions";
        return m;
    }
    m.issue = (double)v[VGC_WARP_INSTRUCTIONS] / (r.half_warps_issued / 2.0) / clocks;
    const double lanes = (double)v[VGC_FMA] + (double)v[VGC_ADD] + (double)v[VGC_MUL];
    const double doubles =
        (double)v[VGC_FMA_DOUBLE] + (double)v[VGC_ADD_DOUBLE] + (double)v[VGC_MUL_DOUBLE];
    m.arithmetic =
        (lanes + doubles * (p->double_ratio > 0 ? p->double_ratio : 1)) / r.float_lanes / clocks;
    /* A pass over all banks moves 128 bytes; so do four sectors, and a request is one pass at
     * least. */
    const double passes = (double)v[VGC_SHARED_LOAD_WAVEFRONTS] +
                          (double)v[VGC_SHARED_STORE_WAVEFRONTS] +
                          (double)v[VGC_SHARED_ATOMIC_REQUESTS];
    const double sectors = (double)v[VGC_GLOBAL_LOAD_SECTORS] +
                           (double)v[VGC_GLOBAL_STORE_SECTORS] +
                           (double)v[VGC_GLOBAL_ATOMIC_SECTORS] +
                           (double)v[VGC_LOCAL_LOAD_SECTORS] + (double)v[VGC_LOCAL_STORE_SECTORS];
    const double requests =
        (double)v[VGC_GLOBAL_LOAD_REQUESTS] + (double)v[VGC_GLOBAL_STORE_REQUESTS] +
        (double)v[VGC_GLOBAL_ATOMIC_REQUESTS] + (double)v[VGC_LOCAL_LOAD_REQUESTS] +
        (double)v[VGC_LOCAL_STORE_REQUESTS];
    const double global = sectors / 4 > requests ? sectors / 4 : requests;
    m.memory = (passes + global) * 128 / r.l1_bytes / clocks;
    m.seconds = m.issue;
    m.bound = "instructions";
    if (m.arithmetic > m.seconds) {
        m.seconds = m.arithmetic;
        m.bound = "arithmetic";
    }
    if (m.memory > m.seconds) {
        m.seconds = m.memory;
        m.bound = "shared and L1 memory";
    }
    return m;
}
