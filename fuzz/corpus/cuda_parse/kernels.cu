#include <stdio.h>
namespace cg = cooperative_groups;
template <typename T, int N = 4> struct Vec { T v[N]; __device__ Vec() : v{} {} __device__ T &operator[](int i) { return v[i]; } static const int size = N; template<int K> __device__ T get() const { return v[K]; } };
template <class T> __device__ inline T add(T a, T b) { return a + b; }
template <int BLOCK> __global__ void __launch_bounds__(BLOCK, 2) sum(const float *__restrict__ in, float *out, int n) {
  extern __shared__ float s[];
  __shared__ float t[BLOCK][BLOCK + 1];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Vec<float, 3> v;
  v[0] = in[i];
  float x = add<float>(1.0f, v[0]) + static_cast<float>(n >> 2) + v.get<2>();
  Vec<Vec<float, 2>, 3> w{};
  if (i < n && x > 3) { out[i] = x; }
#pragma unroll 4
  for (int k = 0; k < n; k++) out[k] += (float)k * 2.0f + float(k) + (n > 3 ? 1 : 0);
  auto f = [=] __device__ (float a) -> float { return a * x; };
  out[0] = f(2) + ::sqrtf(3.0f);
  asm volatile("bar.sync 1, %0;" :: "r"(n) : "memory");
  for (auto &e : t[0]) e = 0;
  switch (n) { case 1: return; default: break; }
  float3 q = make_float3(1, 2, 3), *p = &q;
  p->x = q.y;
  a<b>(c);
  using T = int; T z = T(3) + T{4};
  const int y = sizeof(T) * sizeof x;
  if constexpr (BLOCK > 32) __syncthreads();
  cg::thread_block tb = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(tb);
  unsigned m = 0xffffffffu; m >>= 1; m = m >> 2;
}
template __global__ void sum<128>(const float *, float *, int);
int main(int argc, char **argv) {
  std::vector<float> h(100, 1.f);
  const int threads = 256; int n = 1 << 20;
  dim3 grid((n + threads - 1) / threads), block(threads, 1);
  sum<256><<<grid, block, threads * sizeof(float)>>>(h.data(), nullptr, n);
  for (auto &&[k, v] : m) std::cout << k << R"(abc")" << std::endl;
  sum<128><<<dim3(1,2), 128>>>(0,0,0);
  ns::k<<<1, 32>>>();
  try { foo(); } catch (...) {}
}
