// SPDX-License-Identifier: Apache-2.0
// TEST: classes around a word that is an mbarrier: methods, bases, members of others, functions that get them, casts; one of the same shape that is a number
// RACECHECK: threads meet at mbarriers
// REF: docs/reference/cuda.md#mbarriers-that-are-words
#include <cstdint>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__device__ inline uint32_t shared_address(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

class Arrivals {
  public:
    using Word = uint64_t;
    Arrivals() = default;
    __device__ void init(uint32_t count) const { Arrivals::init(&word_, count); }
    __device__ void arrive() const { Arrivals::arrive(&this->word_); }
    __device__ void wait(uint32_t parity) const
    {
        asm volatile("{\n"
                     ".reg .pred P1;\n"
                     "AGAIN:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1, %2;\n"
                     "@P1 bra DONE;\n"
                     "bra AGAIN;\n"
                     "DONE:\n"
                     "}" ::"r"(shared_address(&word_)), "r"(parity), "r"(0x989680) : "memory");
    }
    __device__ bool is_done(uint32_t parity) { return ptx::mbarrier_test_wait_parity(&word_, parity); }

  protected:
    Word word_;

    static __device__ void init(const Word *word, uint32_t count)
    {
        uint32_t address = shared_address(word);
        asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(count), "r"(address));
    }
    static __device__ void arrive(const Word *word)
    {
        asm volatile("{\n"
                     "mbarrier.arrive.shared::cta.b64 _, [%0];\n"
                     "}" ::"r"(shared_address(word)) : "memory");
    }
};

struct Bytes : Arrivals {
    __device__ void expect(uint32_t n) { ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &word_, n); }
    __device__ Word *word() { return &word_; }
};

struct Stage {
    alignas(16) float row[64];
};
template <int N> struct Ring {
    Stage stages[N];
    Bytes full[N];
    Arrivals empty[N];
};

__device__ void fill(Stage &stage, Bytes &full, const Arrivals &empty, const float *x, int turn)
{
    empty.wait((turn & 1) ^ 1);
    full.expect(sizeof stage.row);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage.row, x, sizeof stage.row, full.word());
}
__device__ float take(const Stage *stages, Bytes (&full)[3], Arrivals *empty, int i)
{
    while (!full[i % 3].is_done(i / 3 & 1)) {
    }
    float x = stages[i % 3].row[threadIdx.x];
    empty[i % 3].arrive();
    return x;
}

__global__ void __launch_bounds__(96) ring(const float *x, float *y, int n)
{
    __shared__ Ring<3> ring;
    if (threadIdx.x == 0) {
        for (Bytes &full : ring.full)
            full.init(1);
        for (int i = 0; i < 3; i++)
            ring.empty[i].init(64);
    }
    __syncthreads();
    if (threadIdx.x >= 64) {
        if (threadIdx.x == 64)
            for (int i = 0; i < n; i++)
                fill(ring.stages[i % 3], ring.full[i % 3], ring.empty[i % 3], x + i * 64, i / 3);
    } else {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += take(ring.stages, ring.full, ring.empty, i) * (i + 1);
        y[threadIdx.x] = sum;
    }
}
// LAUNCH: ring x[448]=iota y[64]=zeros n=7 --block 96 --grid 1
// OUT: y = (np.arange(64)[:, None] + 64 * np.arange(7)[None, :]) @ np.arange(1.0, 8.0)

__global__ void __launch_bounds__(64) cast(const int *x, int *y, int n)
{
    extern __shared__ __align__(16) uint8_t memory[];
    int *row = reinterpret_cast<int *>(memory);
    auto *written = reinterpret_cast<Arrivals *>(memory + 256);
    Arrivals *read = written + 1;
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        written->init(64);
        read->init(64);
    }
    __syncthreads();
    for (int k = 0; k < n; k++) {
        row[t] = x[k * 64 + t];
        written->arrive();
        written->wait(k & 1);
        sum += row[63 - t];
        read->arrive();
        read->wait(k & 1);
    }
    y[t] = sum;
}
// LAUNCH: cast x[192]=iota y[64]=zeros n=3 --block 64 --grid 1 --shared 272
// OUT: y = 3 * (63 - np.arange(64)) + 192

struct Key {
    unsigned long long value;
    __device__ unsigned long long next() { return value = value * 3 + 1; }
};
__global__ void __launch_bounds__(32) numbers(unsigned long long *y)
{
    __shared__ Key keys[32];
    __shared__ Arrivals all;
    int t = threadIdx.x;
    keys[t].value = t;
    if (t == 0)
        all.init(32);
    __syncthreads();
    unsigned long long mine = keys[t].next();
    all.arrive();
    all.wait(0);
    Key other = keys[31 - t];
    y[t] = mine * 1000 + other.value;
}
// LAUNCH: numbers y[32]=zeros --block 32 --grid 1
// OUT: y = (3 * np.arange(32) + 1) * 1000 + 3 * (31 - np.arange(32)) + 1
