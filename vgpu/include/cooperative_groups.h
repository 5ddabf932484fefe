/*
 * cooperative_groups.h: groups of threads as objects: the grid, the block, tiles of a warp, threads
 * that happen to be together; what they are, synchronising them, shuffles and votes in them.
 *
 *     namespace cg = cooperative_groups;
 *     cg::thread_block block = cg::this_thread_block();
 *     auto warp = cg::tiled_partition<32>(block);
 *     sum += warp.shfl_down(sum, 16);
 *
 * Not there: clusters, groups over several devices.
 */
#ifndef VGPU_COOPERATIVE_GROUPS_H
#define VGPU_COOPERATIVE_GROUPS_H
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups {

#define VGPU_CG        static __inline__ __device__ __attribute__((always_inline, nodebug))
#define VGPU_CG_MEMBER __device__ __attribute__((always_inline, nodebug))
#define VGPU_CG_LAMBDA __attribute__((always_inline, nodebug))

/* ---- the block, the grid ---- */

VGPU_CG unsigned int vgpu_thread_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
VGPU_CG unsigned int vgpu_threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
VGPU_CG unsigned long long vgpu_block_in_grid() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

class thread_block {
  public:
    VGPU_CG_MEMBER static void sync() { __syncthreads(); }
    /* A barrier in two steps. All waiting is done in the second; what a thread does in between
     * counts as done before it. */
    struct arrival_token {};
    VGPU_CG_MEMBER static arrival_token barrier_arrive() { return arrival_token(); }
    VGPU_CG_MEMBER static void barrier_wait(arrival_token &&) { __syncthreads(); }
    VGPU_CG_MEMBER static void barrier_wait() { __syncthreads(); }
    VGPU_CG_MEMBER static unsigned int size() { return vgpu_threads_of_block(); }
    VGPU_CG_MEMBER static unsigned int num_threads() { return vgpu_threads_of_block(); }
    VGPU_CG_MEMBER static unsigned int thread_rank() { return vgpu_thread_in_block(); }
    VGPU_CG_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    VGPU_CG_MEMBER static dim3 thread_index() {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    VGPU_CG_MEMBER static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    VGPU_CG_MEMBER static dim3 dim_threads() { return group_dim(); }
};
VGPU_CG thread_block this_thread_block() { return thread_block(); }

/* Room in shared memory that tiles of several warps need on older GPUs; here they bring it. */
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
    char vgpu_room[(MaxBlockSize + 31) / 32 * 32];
};
template <unsigned int MaxBlockSize>
VGPU_CG thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
    return thread_block();
}

/* All threads of a kernel launched by cudaLaunchCooperativeKernel. */
class grid_group {
  public:
    VGPU_CG_MEMBER static bool is_valid() { return true; }
    VGPU_CG_MEMBER static void sync() {
        VGPU_MEMORY_CHANGES;
        asm volatile("vgpu.grid.sync;" ::: "memory");
        VGPU_MEMORY_CHANGES;
    }
    VGPU_CG_MEMBER static unsigned long long size() {
        return num_blocks() * vgpu_threads_of_block();
    }
    VGPU_CG_MEMBER static unsigned long long num_threads() { return size(); }
    VGPU_CG_MEMBER static unsigned long long thread_rank() {
        return vgpu_block_in_grid() * vgpu_threads_of_block() + vgpu_thread_in_block();
    }
    VGPU_CG_MEMBER static unsigned long long block_rank() { return vgpu_block_in_grid(); }
    VGPU_CG_MEMBER static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    VGPU_CG_MEMBER static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    VGPU_CG_MEMBER static dim3 dim_blocks() { return group_dim(); }
    VGPU_CG_MEMBER static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
VGPU_CG grid_group this_grid() { return grid_group(); }

/* ---- parts of a warp ---- */

/* Threads of one warp: a mask of lanes, numbered from the lowest. */
class vgpu_lanes {
  protected:
    unsigned int mask_;
    VGPU_CG_MEMBER explicit vgpu_lanes(unsigned int mask) : mask_(mask) {}
    VGPU_CG_MEMBER static unsigned int lane() { return vgpu_thread_in_block() & 31u; }

  public:
    VGPU_CG_MEMBER unsigned int vgpu_mask() const { return mask_; }
    VGPU_CG_MEMBER void sync() const { __syncwarp(mask_); }
    VGPU_CG_MEMBER int any(int predicate) const { return __any_sync(mask_, predicate); }
    VGPU_CG_MEMBER int all(int predicate) const { return __all_sync(mask_, predicate); }
};

/* The mask of the lowest `size` bits; size up to 32. */
VGPU_CG unsigned int vgpu_low_bits(unsigned int size) {
    return size >= 32 ? 0xffffffffu : (1u << size) - 1;
}

/* Shuffles of any type: numbers as they are, everything else (float4, a struct)
 * a word at a time. */
template <bool Number> struct vgpu_shuffle {
    template <class T, class Function> VGPU_CG_MEMBER static T by(T value, Function move) {
        return move(value);
    }
};
template <> struct vgpu_shuffle<false> {
    template <class T, class Function> VGPU_CG_MEMBER static T by(T value, Function move) {
        static_assert(std::is_trivially_copyable<T>::value, "a shuffle copies byte by byte");
        unsigned int words[(sizeof(T) + 3) / 4] = {0};
        __builtin_memcpy(words, &value, sizeof(T));
        for (unsigned int &word : words)
            word = move(word);
        __builtin_memcpy(&value, words, sizeof(T));
        return value;
    }
};
template <class T, class Function> VGPU_CG T vgpu_shuffled(T value, Function move) {
    return vgpu_shuffle<std::is_arithmetic<T>::value>::by(value, move);
}

/* Which of its parent's tiles a tile is, and how many these are. It stays so where a tile is copied
 * to one that does not name the parent. */
class vgpu_part {
    unsigned int rank_, count_;

  public:
    /* A part of the block, or of a tile of so many threads. */
    VGPU_CG_MEMBER explicit vgpu_part(unsigned int size)
        : rank_(vgpu_thread_in_block() / size),
          count_((vgpu_threads_of_block() + size - 1) / size) {}
    VGPU_CG_MEMBER vgpu_part(unsigned int size, unsigned int parent)
        : rank_((vgpu_thread_in_block() & (parent - 1)) / size), count_(parent / size) {}
    VGPU_CG_MEMBER unsigned int meta_group_rank() const { return rank_; }
    VGPU_CG_MEMBER unsigned int meta_group_size() const { return count_; }
};
template <class Parent> struct vgpu_part_of {
    VGPU_CG_MEMBER static vgpu_part tile(unsigned int size) { return vgpu_part(size); }
};

template <unsigned int Size, class Parent = void> class thread_block_tile;
template <unsigned int ParentSize, class Outer>
struct vgpu_part_of<thread_block_tile<ParentSize, Outer>> {
    VGPU_CG_MEMBER static vgpu_part tile(unsigned int size) { return vgpu_part(size, ParentSize); }
};

/* A tile: `size` neighbouring threads of a warp, a power of two. */
template <unsigned int Size, class Parent>
class thread_block_tile : public vgpu_lanes, public vgpu_part {
    static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    unsigned int first_;

  public:
    VGPU_CG_MEMBER thread_block_tile()
        : vgpu_lanes(vgpu_low_bits(Size) << (lane() & ~(Size - 1))),
          vgpu_part(vgpu_part_of<Parent>::tile(Size)), first_(lane() & ~(Size - 1)) {}
    /* A tile has the same threads whatever it is a part of. */
    template <class OtherParent>
    VGPU_CG_MEMBER thread_block_tile(const thread_block_tile<Size, OtherParent> &other)
        : vgpu_lanes(other.vgpu_mask()), vgpu_part(other), first_(lane() & ~(Size - 1)) {}
    VGPU_CG_MEMBER static constexpr unsigned int size() { return Size; }
    VGPU_CG_MEMBER static constexpr unsigned int num_threads() { return Size; }
    VGPU_CG_MEMBER static unsigned int thread_rank() { return vgpu_thread_in_block() & (Size - 1); }
    template <class T> VGPU_CG_MEMBER T shfl(const T &value, int from) const {
        return vgpu_shuffled(
            value, [=](auto x) VGPU_CG_LAMBDA { return __shfl_sync(mask_, x, from, (int)Size); });
    }
    template <class T> VGPU_CG_MEMBER T shfl_up(const T &value, unsigned int delta) const {
        return vgpu_shuffled(value, [=](auto x) VGPU_CG_LAMBDA {
            return __shfl_up_sync(mask_, x, delta, (int)Size);
        });
    }
    template <class T> VGPU_CG_MEMBER T shfl_down(const T &value, unsigned int delta) const {
        return vgpu_shuffled(value, [=](auto x) VGPU_CG_LAMBDA {
            return __shfl_down_sync(mask_, x, delta, (int)Size);
        });
    }
    template <class T> VGPU_CG_MEMBER T shfl_xor(const T &value, unsigned int mask) const {
        return vgpu_shuffled(value, [=](auto x) VGPU_CG_LAMBDA {
            return __shfl_xor_sync(mask_, x, (int)mask, (int)Size);
        });
    }
    VGPU_CG_MEMBER unsigned int ballot(int predicate) const {
        return __ballot_sync(mask_, predicate) >> first_;
    }
    template <class T> VGPU_CG_MEMBER unsigned int match_any(T value) const {
        return __match_any_sync(mask_, value) >> first_;
    }
    template <class T> VGPU_CG_MEMBER unsigned int match_all(T value, int &same) const {
        return __match_all_sync(mask_, value, &same) >> first_;
    }
};

/*
 * A tile of several warps. They meet at a barrier of their own (number 1 and on; of 16 tiles of 64
 * threads the last has number 0, that of __syncthreads), and hand values over in shared memory, a
 * place for each warp.
 */
template <unsigned int Size> class vgpu_wide_tile {
    static_assert(Size == 64 || Size == 128 || Size == 256 || Size == 512 || Size == 1024,
                  "a tile of several warps has 64, 128, 256, 512 or 1024 threads");
    enum { PLACE = 32, WARPS = 32 };
    struct place {
        alignas(16) unsigned char bytes[PLACE];
    };
    VGPU_CG_MEMBER static place *places() {
        static __shared__ place all[WARPS];
        return all + vgpu_thread_in_block() / Size * (Size / 32);
    }
    VGPU_CG_MEMBER static unsigned int warp() { return thread_rank() / 32; }
    VGPU_CG_MEMBER static bool first_of_warp() { return thread_rank() % 32 == 0; }

  public:
    VGPU_CG_MEMBER static void sync() {
        if (Size >= vgpu_threads_of_block()) {
            __syncthreads();
            return;
        }
        const unsigned int number = (vgpu_thread_in_block() / Size + 1) % 16;
        VGPU_MEMORY_CHANGES;
        asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(Size) : "memory");
        VGPU_MEMORY_CHANGES;
    }
    VGPU_CG_MEMBER static constexpr unsigned int size() { return Size; }
    VGPU_CG_MEMBER static constexpr unsigned int num_threads() { return Size; }
    VGPU_CG_MEMBER static unsigned int thread_rank() { return vgpu_thread_in_block() & (Size - 1); }
    template <class T> VGPU_CG_MEMBER static T shfl(T value, unsigned int from) {
        static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= PLACE,
                      "a shuffle copies byte by byte, at most 32 bytes");
        if (thread_rank() == from % Size)
            __builtin_memcpy(places()->bytes, &value, sizeof(T));
        sync();
        __builtin_memcpy(&value, places()->bytes, sizeof(T));
        sync();
        return value;
    }
    VGPU_CG_MEMBER static int any(int predicate) {
        return vgpu_combined(__any_sync(0xffffffffu, predicate),
                             [](int a, int b) VGPU_CG_LAMBDA { return a | b; });
    }
    VGPU_CG_MEMBER static int all(int predicate) {
        return vgpu_combined(__all_sync(0xffffffffu, predicate),
                             [](int a, int b) VGPU_CG_LAMBDA { return a & b; });
    }
    /* The values of all warps, in their order; a warp's threads have the same. */
    template <class T, class Operation>
    VGPU_CG_MEMBER static T vgpu_combined(T value, Operation op) {
        static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= PLACE,
                      "values are handed over byte by byte, at most 32 bytes");
        if (first_of_warp())
            __builtin_memcpy(places()[warp()].bytes, &value, sizeof(T));
        sync();
        __builtin_memcpy(&value, places()[0].bytes, sizeof(T));
        for (unsigned int w = 1; w < Size / 32; ++w) {
            T next;
            __builtin_memcpy(&next, places()[w].bytes, sizeof(T));
            value = op(value, next);
        }
        sync();
        return value;
    }
};
#define VGPU_WIDE_TILE(size)                                                                       \
    template <class Parent>                                                                        \
    class thread_block_tile<size, Parent> : public vgpu_wide_tile<size>, public vgpu_part {        \
      public:                                                                                      \
        VGPU_CG_MEMBER thread_block_tile() : vgpu_part(vgpu_part_of<Parent>::tile(size)) {}        \
        template <class OtherParent>                                                               \
        VGPU_CG_MEMBER thread_block_tile(const thread_block_tile<size, OtherParent> &other)        \
            : vgpu_part(other) {}                                                                  \
    };
VGPU_WIDE_TILE(64)
VGPU_WIDE_TILE(128)
VGPU_WIDE_TILE(256)
VGPU_WIDE_TILE(512)
VGPU_WIDE_TILE(1024)
#undef VGPU_WIDE_TILE

/* Threads that execute this together now. */
class coalesced_group : public vgpu_lanes {
    VGPU_CG_MEMBER unsigned int lane_of(unsigned int rank) const {
        unsigned int rest = mask_;
        for (; rank > 0 && (rest & (rest - 1)) != 0; --rank)
            rest &= rest - 1;
        return (unsigned int)__ffs((int)rest) - 1;
    }
    template <class T> VGPU_CG_MEMBER T from_lane(T value, unsigned int lane) const {
        return vgpu_shuffled(
            value, [=](auto x) VGPU_CG_LAMBDA { return __shfl_sync(mask_, x, (int)lane); });
    }
    /* The members' bits of a mask of lanes, moved together. */
    VGPU_CG_MEMBER unsigned int packed(unsigned int lanes) const {
        unsigned int result = 0, place = 0;
        for (unsigned int rest = mask_; rest != 0; rest &= rest - 1, ++place)
            result |= (lanes & rest & (0u - rest)) != 0 ? 1u << place : 0;
        return result;
    }

  public:
    VGPU_CG_MEMBER explicit coalesced_group(unsigned int mask) : vgpu_lanes(mask) {}
    VGPU_CG_MEMBER unsigned int size() const { return (unsigned int)__popc(mask_); }
    VGPU_CG_MEMBER unsigned int num_threads() const { return size(); }
    VGPU_CG_MEMBER unsigned int thread_rank() const {
        return (unsigned int)__popc(mask_ & vgpu_low_bits(lane()));
    }
    VGPU_CG_MEMBER static unsigned int meta_group_rank() { return 0; }
    VGPU_CG_MEMBER static unsigned int meta_group_size() { return 1; }
    template <class T> VGPU_CG_MEMBER T shfl(const T &value, unsigned int from) const {
        return from_lane(value, lane_of(from));
    }
    template <class T> VGPU_CG_MEMBER T shfl_up(const T &value, unsigned int delta) const {
        const unsigned int rank = thread_rank();
        return from_lane(value, rank >= delta ? lane_of(rank - delta) : lane());
    }
    template <class T> VGPU_CG_MEMBER T shfl_down(const T &value, unsigned int delta) const {
        const unsigned int rank = thread_rank();
        return from_lane(value, rank + delta < size() ? lane_of(rank + delta) : lane());
    }
    VGPU_CG_MEMBER unsigned int ballot(int predicate) const {
        return packed(__ballot_sync(mask_, predicate));
    }
    template <class T> VGPU_CG_MEMBER unsigned int match_any(T value) const {
        return packed(__match_any_sync(mask_, value));
    }
};
VGPU_CG coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* A group whose kind is known at run time only. */
class thread_group {
    unsigned int mask_, size_, rank_;
    bool block_;

  public:
    VGPU_CG_MEMBER thread_group(const thread_block &)
        : mask_(0), size_(vgpu_threads_of_block()), rank_(vgpu_thread_in_block()), block_(true) {}
    VGPU_CG_MEMBER thread_group(const coalesced_group &g)
        : mask_(g.vgpu_mask()), size_(g.size()), rank_(g.thread_rank()), block_(false) {}
    template <unsigned int Size, class Outer>
    VGPU_CG_MEMBER thread_group(const thread_block_tile<Size, Outer> &g)
        : mask_(vgpu_low_bits(Size) << (vgpu_thread_in_block() & 31u & ~(Size - 1))), size_(Size),
          rank_(g.thread_rank()), block_(false) {
        static_assert(Size <= 32, "a thread_group cannot be a tile of several warps");
    }
    VGPU_CG_MEMBER thread_group(unsigned int mask, unsigned int size, unsigned int rank)
        : mask_(mask), size_(size), rank_(rank), block_(false) {}
    VGPU_CG_MEMBER void sync() const {
        if (block_)
            __syncthreads();
        else
            __syncwarp(mask_);
    }
    VGPU_CG_MEMBER unsigned int size() const { return size_; }
    VGPU_CG_MEMBER unsigned int num_threads() const { return size_; }
    VGPU_CG_MEMBER unsigned int thread_rank() const { return rank_; }
};

/* ---- partitions ---- */

template <unsigned int Size>
VGPU_CG thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
    return thread_block_tile<Size, thread_block>();
}
template <unsigned int Size, unsigned int ParentSize, class Outer>
VGPU_CG thread_block_tile<Size, thread_block_tile<ParentSize, Outer>>
tiled_partition(const thread_block_tile<ParentSize, Outer> &) {
    static_assert(Size <= ParentSize, "a tile of a tile is no larger");
    return thread_block_tile<Size, thread_block_tile<ParentSize, Outer>>();
}
/* Tiles whose size is known at run time only. */
VGPU_CG thread_group tiled_partition(const thread_group &, unsigned int size) {
    const unsigned int thread = vgpu_thread_in_block();
    return thread_group(vgpu_low_bits(size) << (thread & 31u & ~(size - 1)), size,
                        thread & (size - 1));
}
/* Members of the group whose predicate agrees. */
template <class Group> VGPU_CG coalesced_group binary_partition(const Group &, bool predicate) {
    const unsigned int active = __activemask(), yes = __ballot_sync(active, predicate);
    return coalesced_group(predicate ? yes : active & ~yes);
}

/* Members of the group whose label is the same. */
template <class Group, class Label>
VGPU_CG coalesced_group labeled_partition(const Group &, Label label) {
    return coalesced_group(__match_any_sync(__activemask(), label));
}

/* ---- for any group ---- */

template <class Group> VGPU_CG void sync(const Group &group) { group.sync(); }
template <class Group> VGPU_CG void synchronize(const Group &group) { group.sync(); }
template <class Group> VGPU_CG unsigned int thread_rank(const Group &group) {
    return (unsigned int)group.thread_rank();
}
/* One thread of the group runs f. */
template <class Group, class Function> VGPU_CG void invoke_one(const Group &group, Function f) {
    if (group.thread_rank() == 0)
        f();
}
template <class Group> VGPU_CG unsigned int group_size(const Group &group) {
    return (unsigned int)group.size();
}

} // namespace cooperative_groups

#endif

#endif
