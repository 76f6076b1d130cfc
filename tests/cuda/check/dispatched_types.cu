// SPDX-License-Identifier: Apache-2.0
// TEST: types that an unseen macro chooses or that a host function declares make instances, with the facts of their launches
// check chosen<float>: proved
// check deduced<float>: proved
// check of_locals<float>: proved
// check by_index<float, int>: proved
// check by_index<int, int>: proved
// check widened<float, float>: proved
// check through<float>: proved
// check of_bytes<float>: proved
// check of_bytes<double>: bug HD0601
// check racy<float>: bug HD0601
// check aliased<short>: proved
// check aliased<long>: proved
// check by_cast<double>: proved
// check apart: unknown a template that the file never launches
#include <somewhere/tensor.h>

// Right for blocks of n threads and n elements alone.
#define MIRROR(T, n) \
    extern __shared__ unsigned char raw[]; \
    T *s = (T *)raw; \
    s[threadIdx.x] = threadIdx.x; \
    __syncthreads(); \
    T seen = s[n - 1 - threadIdx.x]; \
    __syncthreads(); \
    s[threadIdx.x] = seen;

template <typename T> __global__ void chosen(const T *x, T *y, int n) { MIRROR(T, n) }
template <typename T> __global__ void deduced(const T *x, T *y, int n) { MIRROR(T, n) }
template <typename T> __global__ void of_locals(const T *x, T *y, int n) { MIRROR(T, n) }
template <typename T, typename I> __global__ void by_index(T *y, I n) { MIRROR(T, n) }
template <typename T, typename A> __global__ void widened(T *y, int n) { MIRROR(A, n) }
template <typename T> __global__ void through(const T *x, int n) { MIRROR(T, n) }
template <typename T> __global__ void aliased(T *y, int n) { MIRROR(T, n) }
template <typename T> __global__ void by_cast(T *y, int n) { MIRROR(T, n) }
template <typename T> __global__ void apart(T *y, int n) { MIRROR(T, n) }

// Right for at most 4 bytes.
template <typename T> __global__ void of_bytes(T *y, int n)
{
    __shared__ T s[256];
    s[threadIdx.x * 4 / n] = threadIdx.x;
}

template <typename T> __global__ void racy(T *y, int n)
{
    __shared__ T s[64];
    s[threadIdx.x / n] = threadIdx.x;
}

template <typename T> void launch_through(const T *x, int n)
{
    through<T><<<1, n, n * sizeof(T)>>>(x, n);
}

void launch(Tensor x, Tensor y)
{
    const int n = 64;
    LIB_DISPATCH_FLOATING_TYPES(x.type(), "chosen", ([&] {
        chosen<scalar_t><<<1, n, n * sizeof(scalar_t)>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), n);
        deduced<<<1, n, n * sizeof(scalar_t)>>>(x.const_data_ptr<scalar_t>(), y.template data<scalar_t>(), n);
        const scalar_t *from = x.data<scalar_t>();
        auto to = y.data_ptr<scalar_t>() + n;
        of_locals<<<1, n, n * sizeof(scalar_t)>>>(from + n, to, n);
        using wide_t = lib::wide_type<scalar_t, true>;
        widened<scalar_t, wide_t><<<1, n, n * sizeof(wide_t)>>>(y.data_ptr<scalar_t>(), n);
        LIB_DISPATCH_INDEX_TYPES(y.type(), "by_index", [&] {
            by_index<scalar_t, index_t><<<1, n, n * sizeof(scalar_t)>>>(y.data_ptr<scalar_t>(), index_t(n));
        });
        launch_through(x.data_ptr<scalar_t>(), n);
        of_bytes<scalar_t><<<1, n>>>(y.data_ptr<scalar_t>(), sizeof(scalar_t));
        racy<scalar_t><<<1, n>>>(y.data_ptr<scalar_t>(), n);
    }));
    LIB_DISPATCH_INTEGRAL_TYPES(x.type(), "by_index", [&] {
        by_index<scalar_t, int><<<1, n, n * sizeof(scalar_t)>>>(y.data_ptr<scalar_t>(), n);
    });
    chosen_elsewhere([&] {
        apart<scalar_t><<<1, n, n * sizeof(scalar_t)>>>(y.data_ptr<scalar_t>(), n);
    });
}

void launch_aliased(void *y)
{
    const int n = 64;
    using T = short;
    typedef double wide_t;
    of_bytes<wide_t><<<1, n>>>((double *)y, sizeof(wide_t));
    aliased<T><<<1, n, n * sizeof(T)>>>((T *)y, n);
    {
        using T = long;
        aliased<T><<<1, n, n * sizeof(T)>>>((T *)y, n);
    }
    by_cast<<<1, n, n * sizeof(wide_t)>>>(static_cast<wide_t *>(unseen(y)), n);
}
