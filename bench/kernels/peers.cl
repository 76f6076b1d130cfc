// SPDX-License-Identifier: Apache-2.0
// The OpenCL peer: the kernels of this folder, group for group.

kernel void saxpy(int n, float a, global const float *x, global float *y) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = a * x[i] + y[i];
}

kernel void reduce(int n, global const float *x, global float *parts) {
  local float part[256];
  int t = get_local_id(0);
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += x[i];
  part[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = 128; half_size > 0; half_size /= 2) {
    if (t < half_size)
      part[t] += part[t + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0)
    parts[get_group_id(0)] = part[0];
}

kernel void transpose(int n, global const float *a, global float *b) {
  local float tile[32][33];
  int x = get_group_id(0) * 32 + get_local_id(0), y = get_group_id(1) * 32;
  for (int j = get_local_id(1); j < 32; j += 8)
    tile[j][get_local_id(0)] = a[(long)(y + j) * n + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  int tx = get_group_id(1) * 32 + get_local_id(0), ty = get_group_id(0) * 32;
  for (int j = get_local_id(1); j < 32; j += 8)
    b[(long)(ty + j) * n + tx] = tile[get_local_id(0)][j];
}

kernel void mandelbrot(int width, int height, float x0, float y0, float dx,
                       float dy, int limit, global int *counts) {
  int i = get_global_id(0), j = get_global_id(1);
  float cx = x0 + i * dx, cy = y0 + j * dy, x = cx, y = cy;
  int k = 0;
  for (; k < limit && x * x + y * y <= 4.0f; k++) {
    float t = x * x - y * y;
    y = 2.0f * x * y + cy;
    x = t + cx;
  }
  counts[j * width + i] = k;
}

float cumulative_normal(float x) {
  float t = fabs(x);
  float k = 1.0f / (1.0f + 0.2316419f * t);
  float poly = k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f +
               k * (-1.821255978f + k * 1.330274429f))));
  float w = 0.3989422804f * exp(-0.5f * t * t) * poly;
  return x > 0 ? 1.0f - w : w;
}

kernel void black_scholes(int n, float rate, float volatility,
                          global const float *price,
                          global const float *strike,
                          global const float *years, global float *call,
                          global float *put) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
  float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) /
             (volatility * root);
  float d2 = d1 - volatility * root;
  float n1 = cumulative_normal(d1), n2 = cumulative_normal(d2);
  float discounted = x * exp(-rate * t);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}

kernel void stencil(int nz, int ny, int nx, global const float *c,
                    global const float *v, global const float *now,
                    global float *next) {
  int x = get_global_id(0) + 4, y = get_global_id(1) + 4;
  int z = get_global_id(2) + 4;
  int row = nx, plane = nx * ny, i = z * plane + y * row + x;
  float sum = c[0] * now[i];
  for (int r = 1; r < 4; r++)
    sum += c[r] * (now[i - r] + now[i + r] + now[i - r * row] +
                   now[i + r * row] + now[i - r * plane] + now[i + r * plane]);
  next[i] = 2 * now[i] - next[i] + v[i] * sum;
}

kernel void gemm(int n, global const float *a, global const float *b,
                 global float *c) {
  local float sa[16][16], sb[16][16];
  int tx = get_local_id(0), ty = get_local_id(1);
  int row = get_group_id(1) * 16 + ty, col = get_group_id(0) * 16 + tx;
  float acc = 0;
  for (int k = 0; k < n; k += 16) {
    sa[ty][tx] = a[row * n + k + tx];
    sb[ty][tx] = b[(k + ty) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int kk = 0; kk < 16; kk++)
      acc += sa[ty][kk] * sb[kk][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = acc;
}

kernel void tree_reduce(global const float *x, global float *sums) {
  local float part[1024];
  int t = get_local_id(0);
  for (int i = 0; i < 1024; i += 256)
    part[i + t] = x[get_group_id(0) * 1024 + i + t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = 512; half_size > 0; half_size /= 2) {
    for (int i = t; i < half_size; i += 256)
      part[i] += part[i + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0)
    sums[get_group_id(0)] = part[0];
}

kernel void bitonic(global const uint *x, global uint *y) {
  local uint v[512];
  int t = get_local_id(0);
  uint mine = x[get_global_id(0)];
  for (int k = 2; k <= 512; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      v[t] = mine;
      barrier(CLK_LOCAL_MEM_FENCE);
      uint other = v[t ^ j];
      bool up = (t & k) == 0, low = (t & j) == 0;
      mine = up == low ? min(mine, other) : max(mine, other);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  y[get_global_id(0)] = mine;
}

kernel void block_scan(global const float *x, global float *y) {
  local float v[256];
  int i = get_global_id(0), t = get_local_id(0);
  v[t] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < 256; d *= 2) {
    float add = t >= d ? v[t - d] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    v[t] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[i] = v[t];
}
