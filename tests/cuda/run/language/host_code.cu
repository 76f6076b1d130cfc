// SPDX-License-Identifier: Apache-2.0
// TEST: host code of every kind is skipped: main, std::, streams, lambdas, classes, launches, macros, templates, libraries
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define CHECK(call)                                                                  \
    do {                                                                             \
        cudaError_t error = (call);                                                  \
        if (error != cudaSuccess) {                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                      \
        }                                                                            \
    } while (0)

template <typename T> __global__ void add(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

namespace host {
class Timer {
public:
    Timer() { cudaEventCreate(&begin_), cudaEventCreate(&end_); }
    ~Timer() { cudaEventDestroy(begin_); }
    virtual float stop() = 0;

private:
    cudaEvent_t begin_, end_;
};

struct Error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <typename K, typename... Args> void launch(K kernel, dim3 grid, dim3 block, Args &&...args)
{
    kernel<<<grid, block>>>(std::forward<Args>(args)...);
}

std::ostream &operator<<(std::ostream &out, const dim3 &d) { return out << d.x << 'x' << d.y; }
} // namespace host

static std::map<std::string, std::function<int(int)>> table = {{"twice", [](int v) { return 2 * v; }}};

bool same(const std::vector<float> &x, const std::vector<float> &y)
try {
    for (auto i = 0u; i < x.size(); ++i)
        if (x.at(i) != y.at(i))
            throw host::Error("differs");
    return std::equal(x.begin(), x.end(), y.begin(), [](auto a, auto b) noexcept { return a == b; });
} catch (const std::exception &e) {
    std::cerr << e.what() << std::endl;
    return false;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 10;
    std::vector<float> a(n, 1.0f), b(n), c(n);
    std::generate(b.begin(), b.end(), [i = 0]() mutable { return float(i++); });
    std::unique_ptr<int[]> guard(new int[n]);
    float *device[3] = {nullptr, nullptr, nullptr};
    for (auto &p : device)
        CHECK(cudaMalloc((void **)&p, n * sizeof(float)));
    CHECK(cudaMemcpy(device[0], a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    dim3 block(128), grid((n + block.x - 1) / block.x);
    std::cout << "grid " << grid.x << R"(, "block" )" << block.x << '\n';
    add<float><<<grid, block, 0, stream>>>(device[0], device[1], device[2], n);
    host::launch(add<float>, grid, block, device[0], device[1], device[2], n);
    CHECK(cudaGetLastError());
    goto done;
done:
    CHECK(cudaStreamSynchronize(stream));
    for (int k = 0; k < 3; ++k)
        cudaFree(device[k]);
    return same(a, c) ? EXIT_SUCCESS : EXIT_FAILURE;
}
// LAUNCH: add<float> a[300]=random:1 b[300]=random:2 c[300]=zeros n=300 --grid 3 --block 128
// OUT: c = in_a + in_b
