// SPDX-License-Identifier: Apache-2.0
// TEST: <type_traits>, <limits>, <cstdint>: what they say of types
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

template <class T> __device__ int facts()
{
    using namespace std;
    return is_integral<T>::value + 2 * is_integral_v<T> + 4 * is_floating_point<T>::value + 8 * is_floating_point_v<T> +
        16 * is_arithmetic<T>::value + 32 * is_arithmetic_v<T> + 64 * is_signed<T>::value + 128 * is_signed_v<T> +
        256 * is_unsigned<T>::value + 512 * is_unsigned_v<T> + 1024 * is_pointer<T>::value + 2048 * is_pointer_v<T>;
}

template <class T> __device__ typename std::enable_if<std::is_same<T, int>::value, int>::type chosen(T) { return 1; }
template <class T> __device__ std::enable_if_t<!std::is_same_v<T, int>, int> chosen(T) { return 2; }

__global__ void traits(int *out)
{
    using namespace std;
    out[0] = facts<int>();
    out[1] = facts<unsigned char>();
    out[2] = facts<float>();
    out[3] = facts<int *>();
    out[4] = chosen(3) * 10 + chosen(3.0f);
    out[5] = is_same<conditional<true, int, float>::type, int>::value + 2 * is_same_v<conditional_t<false, int, float>, float>;
    out[6] = is_same_v<remove_const_t<const int>, int> + 2 * is_same_v<remove_cv_t<const volatile int>, int> +
        4 * is_same_v<remove_reference_t<int &>, int> + 8 * is_same_v<remove_pointer_t<int *>, int> +
        16 * is_same_v<cuda::std::remove_cvref_t<const int &>, int> + 32 * is_same_v<make_unsigned_t<int>, unsigned>;
    out[7] = is_same_v<remove_const<const int>::type, int> + 2 * is_same_v<remove_cv<const volatile int>::type, int> +
        4 * is_same_v<remove_reference<int &>::type, int> + 8 * is_same_v<remove_pointer<int *>::type, int> +
        16 * is_same_v<cuda::std::remove_cvref<const int &>::type, int> + 32 * is_same_v<make_unsigned<int>::type, unsigned> +
        64 * is_same_v<remove_volatile<volatile int>::type, int>;
    out[8] = true_type::value + 2 * false_type::value + 4 * integral_constant<int, 5>::value;
    out[9] = sizeof(int8_t) + sizeof(int16_t) * 2 + sizeof(uint16_t) * 4 + sizeof(uint32_t) * 8 + sizeof(uint64_t) * 16;
    out[10] = sizeof(intptr_t) + sizeof(uintptr_t) + sizeof(ptrdiff_t) + sizeof(nullptr_t) + sizeof(ssize_t) + (ssize_t(-1) < 0);
    out[11] = minus<int>()(9, 4) * 10 + multiplies<int>()(3, 2);
}
// LAUNCH: traits out[12]=zeros --block 1 --grid 1
// OUT: out = np.array([0xf3, 0x333, 0xfc, 0xc00, 12, 3, 63, 127, 21, 173, 41, 56])

__global__ void limits(double *out)
{
    out[0] = std::numeric_limits<float>::denorm_min();
    out[1] = std::numeric_limits<double>::denorm_min();
    out[2] = std::numeric_limits<int>::is_specialized;
    out[3] = isnan(std::numeric_limits<float>::quiet_NaN());
    out[4] = std::numeric_limits<float>::infinity();
}
// LAUNCH: limits out[5]=zeros --block 1 --grid 1
// OUT: out = np.array([2.0 ** -149, 5e-324, 1, 1, np.inf])

template <int... I> __device__ int weighted(const int *a, cuda::std::integer_sequence<int, I...>) { return ((a[I] * (I + 1)) + ...); }
template <size_t... I, class... T> __device__ int numbered(cuda::std::index_sequence<I...>, T... v) { return (int)((v * (I + 1)) + ...); }
template <class... T> __device__ int numbers(T... v) { return numbered(cuda::std::index_sequence_for<T...>{}, v...); }
__device__ cuda::std::pair<int, float> divided(int a, int b) { return {a / b, (float)(a % b)}; }
__global__ void sequences(int *y)
{
    int a[3] = {1, 2, 3};
    y[0] = weighted(a, cuda::std::make_integer_sequence<int, 3>{});
    y[1] = numbers(5, 6);
    y[2] = (int)cuda::std::make_integer_sequence<int, 7>::size();
    auto [whole, rest] = divided(23, 5);
    y[3] = whole * 10 + (int)rest;
    auto p = cuda::std::make_pair(4, 0.5f);
    cuda::std::pair<int, float>::first_type first = p.first;
    cuda::std::pair<int, float>::second_type second = first;
    p.second = second;
    y[4] = p.first + (int)p.second;
}
// LAUNCH: sequences y[5]=zeros --block 1 --grid 1
// OUT: y = np.array([14, 17, 7, 43, 8])
