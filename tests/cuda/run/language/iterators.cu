// SPDX-License-Identifier: Apache-2.0
// TEST: iterators that are derived from std::iterator, tags of iterators
#include <iterator>
template <class T> struct Counter : std::iterator<std::input_iterator_tag, T> {
    __device__ explicit Counter(T at) : at(at) {}
    __device__ T operator*() const { return at; }
    __device__ Counter &operator++()
    {
        ++at;
        return *this;
    }
    __device__ bool operator==(const Counter &other) const { return at == other.at; }
    __device__ bool operator!=(const Counter &other) const { return not(*this == other); }

  protected:
    T at;
};

struct Word : std::iterator<std::bidirectional_iterator_tag, unsigned> {
    pointer at;
    __device__ reference operator*() const { return *at; }
    __device__ difference_type from(pointer start) const { return at - start; }
};

// Every step-th number.
template <class T> struct Stepper : Counter<T> {
    using typename Counter<T>::value_type;
    using Counter<T>::at;
    __device__ Stepper(T at, T step) : Counter<T>(at), step(step) {}
    __device__ Stepper &operator++()
    {
        at += step;
        return *this;
    }
    __device__ bool operator!=(const Stepper &other) const { return at < other.at; }

  private:
    value_type step;
};

template <class T> struct Steps {
    T first, last, step;
    __device__ Stepper<T> begin() const { return {first, step}; }
    __device__ Stepper<T> end() const { return {last, step}; }
};

template <class I> __device__ int kind(std::input_iterator_tag, I) { return 1; }
template <class I> __device__ int kind(std::random_access_iterator_tag, I) { return 2; }

__device__ int moves(std::output_iterator_tag) { return 3; }
__device__ int moves(std::forward_iterator_tag) { return 4; }

__global__ void words(unsigned *y, int *kinds)
{
    Word word;
    word.at = y + threadIdx.x;
    *word = 10 * word.from(y);
    kinds[threadIdx.x] = 10 * moves(Word::iterator_category()) + moves(std::output_iterator_tag());
}
// LAUNCH: words y[8]=zeros kinds[8]=zeros --block 8 --grid 1
// OUT: y = 10 * np.arange(8)
// OUT: kinds = np.full(8, 43)

__global__ void iterate(int *y, int n)
{
    int t = threadIdx.x, sum = 0;
    for (auto i : Steps<int>{t, n, int(blockDim.x)})
        sum += i;
    for (Counter<int> c(0); c != Counter<int>(t); ++c)
        sum += 1000 * *c;
    Counter<int> c(t);
    y[t] = sum + 100000 * kind(Counter<int>::iterator_category(), c) +
           1000000 * kind(std::random_access_iterator_tag(), c);
}
// LAUNCH: iterate y[8]=zeros n=30 --block 8 --grid 1
// PY: def iterate():
// PY:     return [sum(range(t, 30, 8)) + 1000 * sum(range(t)) + 2100000 for t in range(8)]
// OUT: y = np.array(iterate(), dtype=np.int32)
