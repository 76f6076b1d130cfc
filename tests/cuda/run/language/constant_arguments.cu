// SPDX-License-Identifier: Apache-2.0
// TEST: pointers and references to __constant__ memory need not be to const
struct Sphere {
    float x, radius;
    __device__ float hit(float at, float *depth)
    {
        float d = at - x;
        *depth = radius - d;
        return d * radius;
    }
    __device__ Sphere operator+(const Sphere &other)
    {
        Sphere sum;
        sum.x = x + other.x;
        sum.radius = radius + other.radius;
        return sum;
    }
};

__constant__ Sphere spheres[3] = {{1, 2}, {3, 4}, {5, 6}};
__constant__ float table[4] = {1, 2, 4, 8};

__device__ float sum(float *p, int n)
{
    float total = 0;
    for (float *end = p + n; p < end; p++)
        total += *p;
    return total;
}

__device__ float radius_of(Sphere &s)
{
    return s.radius;
}

__device__ float *behind(float *p, int n)
{
    return p + n;
}

__global__ void uses(float *y)
{
    // heddle: requires 8 <= len(y)
    float depth;
    int t = threadIdx.x;
    Sphere *p = &spheres[t % 3];
    Sphere &second = spheres[1];
    float hit = spheres[t % 3].hit(10, &depth) + depth;
    float own[2] = {0.5f, 0.25f};
    y[t] = hit + (spheres[0] + spheres[2]).x + sum(table, 4) + sum(own, 2) + radius_of(spheres[1]) + p->x +
           second.hit(3, &depth) + behind(table, 2)[1];
}
// LAUNCH: y[8]=zeros --block 8 --grid 1
// PY: def expected(t):
// PY:     x, r = (1, 3, 5)[t % 3], (2, 4, 6)[t % 3]
// PY:     return (10 - x) * r + r - (10 - x) + 6 + 15 + 0.75 + 4 + x + 0 + 8
// OUT: y = np.array([expected(t) for t in range(8)])
