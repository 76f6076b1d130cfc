// TEST: a pipeline whose producers and consumers share one loop
// check stages: proved
// check unreleased: bug HD0601
// check early: bug HD0601
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

#define KERNEL(name, READ, RELEASE, BEHIND)                                           \
    __global__ void __launch_bounds__(64) name(const float *x, float *y, int n)       \
    {                                                                                 \
        __requires(32 * n <= len(x) && 32 <= len(y) && gridDim.x == 1 &&    \
                   gridDim.y == 1 && gridDim.z == 1);                                 \
        __shared__ float s[2][32];                                                    \
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;    \
        auto block = cg::this_thread_block();                                         \
        const int t = threadIdx.x;                                                    \
        const auto role = t < 32 ? cuda::pipeline_role::producer                      \
                                 : cuda::pipeline_role::consumer;                     \
        auto pipe = cuda::make_pipeline(block, &state, role);                         \
        float sum = 0;                                                                \
        for (int i = 0; i < n; i++) {                                                 \
            if (role == cuda::pipeline_role::producer) {                              \
                pipe.producer_acquire();                                              \
                cuda::memcpy_async(&s[i % 2][t], &x[i * 32 + t], sizeof(float), pipe); \
                pipe.producer_commit();                                               \
            } else {                                                                  \
                pipe.consumer_wait();                                                 \
                READ;                                                                 \
                RELEASE;                                                              \
                BEHIND;                                                               \
            }                                                                         \
        }                                                                             \
        if (t >= 32)                                                                  \
            y[t - 32] = sum;                                                          \
    }

#define READ sum += s[i % 2][63 - t]
#define RELEASE pipe.consumer_release()

KERNEL(stages, READ, RELEASE, )
KERNEL(unreleased, READ, , )
KERNEL(early, , RELEASE, READ)
