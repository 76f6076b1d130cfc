// SPDX-License-Identifier: Apache-2.0
// TEST: helper_math.h, where it isn't found, brings operators and functions of vectors
// NVCC: the header is one of NVIDIA's samples
#include <helper_math.h>

__global__ void floats(const float4 *a, const float4 *b, float *out)
{
    int i = threadIdx.x, k = 0;
    float4 x = a[i], y = b[i];
    float3 u = make_float3(x), v = make_float3(y.x, y.y, y.z);
    float2 p = make_float2(u), q = make_float2(2.0f);
    float4 r[10] = {x + y * 2.0f - 1.0f / (y + 1.0f), -x * y / (x + 3), fminf(x, y), fmaxf(x, y), clamp(x, 0.25f, 0.75f),
                    lerp(x, y, 0.25f), fracf(x * 5 + 1), normalize(x + 1), smoothstep(make_float4(0.2f), make_float4(0.9f), x),
                    make_float4(reflect(u, v), dot(x, y))};
    r[0] += x;
    r[0] -= 3.0f;
    r[1] *= y;
    r[1] /= 2.0f;
    for (int j = 0; j < 10; j++) {
        out[k++ * 32 + i] = r[j].x;
        out[k++ * 32 + i] = r[j].y;
        out[k++ * 32 + i] = r[j].z;
        out[k++ * 32 + i] = r[j].w;
    }
    float3 c = cross(u, v);
    out[k++ * 32 + i] = c.x + 10 * c.y + 100 * c.z;
    out[k++ * 32 + i] = length(u) + length(p - q) + dot(p, q) + dot(u, v);
    out[k++ * 32 + i] = clamp(x.x, 0.4f, 0.6f) + lerp(1.0f, 3.0f, x.y) + smoothstep(0.0f, 1.0f, x.z);
    float4 w = floorf(x * 9) + fabs(x - 0.5f) + fmodf(x * 7, make_float4(2.0f));
    out[k++ * 32 + i] = dot(w, make_float4(1.0f, 2.0f, 3.0f, 4.0f));
}

__global__ void integers(const int4 *a, const uint4 *b, int *out, unsigned *uout)
{
    int i = threadIdx.x;
    int4 x = a[i];
    uint4 y = b[i];
    int3 s = make_int3(make_int2(x.x, x.y), 7);
    int4 z = abs(-x * 3 + make_int4(y) - 5);
    z += max(x, make_int4(4));
    z -= min(make_int4(s, 2), x);
    z = clamp(z, -50, 50) + clamp(x, make_int4(1), make_int4(6));
    out[4 * i] = z.x;
    out[4 * i + 1] = z.y;
    out[4 * i + 2] = z.z;
    out[4 * i + 3] = z.w + dot(x, z) + dot(s, s);
    uint4 t = (y + 3u) * y - 2u * max(y, make_uint4(x));
    uint3 n = clamp(make_uint3(t), 1u, 20u);
    uout[i] = dot(t, y) + dot(n, n) + make_uint2(n).y;
    float2 f = make_float2(make_int2(3, 4)) + make_float2(make_uint2(5u));
    uout[32 + i] = (unsigned)(f.x * f.y);
}
// PY: def mix(x, y, t): return x + t * (y - x)
// PY: def smooth(a, b, x):
// PY:     t = np.clip((x - a) / (b - a), 0, 1)
// PY:     return t * t * (3 - 2 * t)
// PY: def dots(x, y): return (x * y).sum(1)
// PY: def all_floats(x, y):
// PY:     x, y = x.astype(np.float64), y.astype(np.float64)
// PY:     u, v, p = x[:, :3], y[:, :3], x[:, :2]
// PY:     m = [x + y * 2 - 1 / (y + 1) + x - 3, -x * y / (x + 3) * y / 2, np.minimum(x, y), np.maximum(x, y), np.clip(x, .25, .75)]
// PY:     m += [mix(x, y, .25), (x * 5 + 1) % 1, (x + 1) / np.sqrt(dots(x + 1, x + 1))[:, None], smooth(.2, .9, x)]
// PY:     m += [np.concatenate([u - 2 * v * dots(u, v)[:, None], dots(x, y)[:, None]], 1)]
// PY:     c = np.cross(u, v)
// PY:     rows = [e for a in m for e in a.T]
// PY:     rows += [c @ [1, 10, 100], np.sqrt(dots(u, u)) + np.sqrt(dots(p - 2, p - 2)) + 2 * p.sum(1) + dots(u, v)]
// PY:     rows += [np.clip(x[:, 0], .4, .6) + 1 + 2 * x[:, 1] + smooth(0, 1, x[:, 2])]
// PY:     w = np.floor(x * 9) + abs(x - .5) + np.fmod(x * 7, 2)
// PY:     return np.concatenate(rows + [w @ [1, 2, 3, 4]])
// PY: def all_ints(a, b):
// PY:     a, b = a.astype(np.int64), b.astype(np.int64)
// PY:     s = np.stack([a[:, 0], a[:, 1], 0 * a[:, 0] + 7, 0 * a[:, 0] + 2], 1)
// PY:     z = abs(-a * 3 + b - 5) + np.maximum(a, 4) - np.minimum(s, a)
// PY:     z = np.clip(z, -50, 50) + np.clip(a, 1, 6)
// PY:     out = z.copy()
// PY:     out[:, 3] += dots(a, z) + dots(s[:, :3], s[:, :3])
// PY:     return out.ravel()
// PY: def all_unsigned(a, b):
// PY:     a, b = a.astype(np.int64), b.astype(np.int64)
// PY:     t = (b + 3) * b - 2 * np.maximum(b, a)
// PY:     n = np.clip(t[:, :3] % 2**32, 1, 20)
// PY:     return np.concatenate([dots(t, b) + dots(n, n) + n[:, 1], np.full(32, 72)])
// LAUNCH: floats a[32]=random:1 b[32]=random:2 out[1408]=zeros --grid 1 --block 32
// TOL: 1e-5 1e-5
// OUT: out = all_floats(in_a, in_b)
// LAUNCH: integers a[32]=iota b[32]=iota out[128]=zeros uout[64]=zeros --grid 1 --block 32
// OUT: out = all_ints(in_a, in_b)
// OUT: uout = all_unsigned(in_a, in_b)
