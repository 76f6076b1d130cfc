// SPDX-License-Identifier: Apache-2.0
// TEST: std::tuple, its elements and structured bindings; std::get of pairs; std::underlying_type; limits of bool
// REF: docs/reference/cuda.md#numbers
#include <cuda/std/tuple>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

__device__ std::tuple<int, float, char> make(int v) { return {v, v * 0.5f, 'a'}; }
__device__ auto ordered(int a, int b) { return std::make_tuple(a < b ? a : b, a < b ? b : a); }
template <class T, size_t... I> __device__ int total(const T &t, std::index_sequence<I...>)
{
    return (std::get<I>(t) + ...);
}

enum class Small : unsigned char { A = 3, B = 250 };
enum class Plain { X = -1 };
enum Old : short { OLD = 7 };

__global__ void tuples(float *out)
{
    int i = threadIdx.x, k = 0;
    auto t = make(i);
    std::get<0>(t) += 5;
    out[k++ * 32 + i] = std::get<0>(t) + 100 * std::get<1>(t) + std::get<2>(t);
    auto m = ordered(i, 10);
    out[k++ * 32 + i] = std::get<0>(m) * 100 + std::get<1>(m);
    out[k++ * 32 + i] = total(m, std::make_index_sequence<2>()) + std::tuple_size<decltype(t)>::value;
    static_assert(std::tuple_size_v<decltype(m)> == 2);
    static_assert(std::is_same_v<std::tuple_element<1, std::pair<int, char>>::type, char>);
    auto [low, high] = ordered(i, 10);
    auto &[a, b, c] = t;
    b = 2;
    out[k++ * 32 + i] = high * 100 + low + 10000 * std::get<1>(t);
    cuda::std::tuple<int, int> none;
    std::tuple_element_t<1, decltype(t)> real = 2.5;
    out[k++ * 32 + i] = cuda::std::get<1>(none) + real;
    none = cuda::std::make_tuple(std::get<0>(m), std::get<1>(m));
    const auto fixed = std::make_tuple(i, 2, 3);
    std::pair<int, float> p{i, 1.5f};
    out[k++ * 32 + i] = cuda::std::get<1>(none) + std::get<2>(fixed) + std::get<1>(p) + std::get<0>(p);
    using U = std::underlying_type_t<Small>;
    Small s = static_cast<Small>(static_cast<U>(Small::B) + i);
    out[k++ * 32 + i] = static_cast<U>(s) + std::is_same_v<std::underlying_type<Plain>::type, int> +
        2 * std::is_same_v<std::underlying_type_t<Old>, short> + 4 * std::numeric_limits<bool>::digits +
        8 * std::numeric_limits<bool>::max() + 1000 * cuda::std::to_underlying(Small::A);
}
// PY: i = np.arange(32)
// PY: low, high = np.minimum(i, 10), np.maximum(i, 10)
// LAUNCH: out[224]=zeros --block 32 --grid 1
// LAUNCH: out[224]=zeros --block 32 --grid 1 --sanitize
// OUT: out = np.concatenate([i + 5 + 50.0 * i + 97, low * 100 + high, i + 13, high * 100 + low + 20000, 0 * i + 2.5, high + 3 + 1.5 + i, (250 + i) % 256 + 15 + 3000])
