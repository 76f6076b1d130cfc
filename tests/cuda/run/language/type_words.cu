// TEST: classes and enumerations named by words of Heddle C are renamed in the conversion
// REF: docs/reference/cuda.md
// LAUNCH: y[2]=zeros --block 32 --grid 1
// OUT: y = np.array([16, 12])
struct kernel { int v; __device__ int f() { return v; } };
struct tile { int v; };
struct cluster { int v; __device__ int f() const { return v; } };
enum tmem { none, some };
__device__ int last(int local) { return local; }
__global__ void k(int *y)
{
    if (threadIdx.x) return;
    struct local { int v; __device__ int f() { return v; } };
    local a{1}; kernel b{2}; tile c{3}; const cluster d{5}; const cluster *e = &d; tmem m = some;
    y[0] = a.f() + b.f() + c.v + last(4) + e->f() + m;
    int rank = 3, sync = 4, grid = 5; y[1] = rank + sync + grid;
}
