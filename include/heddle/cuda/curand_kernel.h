// SPDX-License-Identifier: Apache-2.0
// cuRAND for kernels: the generators XORWOW (G. Marsaglia, "Xorshift RNGs",
// 2003) and Philox4x32-10 (J. Salmon and others, "Parallel random numbers: as
// easy as 1, 2, 3", 2011), seeded and drawn from as cuRAND does. Other
// generators are named, so that a kernel that uses one is told.
#pragma once
#include <heddle_xorwow.h>

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

// --- XORWOW ---
namespace __hd {
// n steps of length 2^first in the sequence of the five words.
__device__ void xorwow_jump(curandStateXORWOW *s, unsigned long long n, int first) {
  unsigned v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};
  for (int k = 0; k < 64; k++)
    if (n >> k & 1) {
      unsigned sum[5] = {0, 0, 0, 0, 0};
      for (int i = 0; i < 160; i++) {
        unsigned take = 0u - (xorwow_powers[first + k][i / 32] >> i % 32 & 1u);
        for (int j = 0; j < 5; j++)
          sum[j] ^= v[j] & take;
        unsigned t = v[0] ^ v[0] >> 2;
        for (int j = 0; j < 4; j++)
          v[j] = v[j + 1];
        v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
      }
      for (int j = 0; j < 5; j++)
        v[j] = sum[j];
    }
  for (int j = 0; j < 5; j++)
    s->v[j] = v[j];
}
}
__device__ unsigned curand(curandStateXORWOW *s) {
  unsigned t = s->v[0] ^ s->v[0] >> 2, last = s->v[4];
  last = last ^ last << 4 ^ t ^ t << 1;
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = last;
  s->d += 362437u;
  return last + s->d;
}
__device__ void skipahead(unsigned long long n, curandStateXORWOW *s) {
  __hd::xorwow_jump(s, n, 0);
  s->d += 362437u * (unsigned)n;
}
// Sequences are 2^67 numbers apart.
__device__ void skipahead_sequence(unsigned long long n, curandStateXORWOW *s) { __hd::xorwow_jump(s, n, 67); }
__device__ void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW *s) {
  unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u), high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
  s->d = 6615241u + high + low;
  s->v[0] = 123456789u + low;
  s->v[1] = 362436069u ^ low;
  s->v[2] = 521288629u + high;
  s->v[3] = 88675123u ^ high;
  s->v[4] = 5783321u + low;
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
  skipahead_sequence(sequence, s);
  skipahead(offset, s);
}

// --- Philox4x32-10 ---
__device__ uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; round++) {
    unsigned high_x = __umulhi(0xD2511F53u, counter.x), low_x = 0xD2511F53u * counter.x;
    unsigned high_z = __umulhi(0xCD9E8D57u, counter.z), low_z = 0xCD9E8D57u * counter.z;
    counter = make_uint4(high_z ^ counter.y ^ key.x, low_z, high_x ^ counter.w ^ key.y, low_x);
    key = make_uint2(key.x + 0x9E3779B9u, key.y + 0xBB67AE85u);
  }
  return counter;
}
namespace __hd {
// The next n blocks of four numbers.
__device__ void philox_next(curandStatePhilox4_32_10 *s, unsigned long long n) {
  uint4 c = s->ctr;
  unsigned low = (unsigned)n, high = (unsigned)(n >> 32);
  c.x += low;
  high += c.x < low ? 1u : 0u;
  c.y += high;
  if (c.y < high) {
    c.z += 1u;
    c.w += c.z == 0 ? 1u : 0u;
  }
  s->ctr = c;
  s->output = curand_Philox4x32_10(c, s->key);
}
__device__ unsigned philox_word(uint4 v, unsigned i) { return i == 1 ? v.y : i == 2 ? v.z : i == 3 ? v.w : v.x; }
}
__device__ unsigned curand(curandStatePhilox4_32_10 *s) {
  unsigned v = __hd::philox_word(s->output, s->STATE);
  s->STATE += 1u;
  if (s->STATE == 4) {
    __hd::philox_next(s, 1);
    s->STATE = 0;
  }
  return v;
}
__device__ uint4 curand4(curandStatePhilox4_32_10 *s) {
  uint4 a = s->output;
  __hd::philox_next(s, 1);
  uint4 b = s->output;
  unsigned i = s->STATE;
  if (i == 1)
    return make_uint4(a.y, a.z, a.w, b.x);
  if (i == 2)
    return make_uint4(a.z, a.w, b.x, b.y);
  if (i == 3)
    return make_uint4(a.w, b.x, b.y, b.z);
  return a;
}
__device__ void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s) {
  unsigned i = s->STATE + (unsigned)(n & 3);
  s->STATE = i & 3u;
  __hd::philox_next(s, n / 4 + i / 4);
}
__device__ void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *s) {
  unsigned low = (unsigned)n, high = (unsigned)(n >> 32);
  s->ctr.z += low;
  s->ctr.w += high + (s->ctr.z < low ? 1u : 0u);
  s->output = curand_Philox4x32_10(s->ctr, s->key);
}
__device__ void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10 *s) {
  s->ctr = make_uint4(0, 0, 0, 0);
  s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
  s->STATE = 0;
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
  skipahead_sequence(sequence, s);
  skipahead(offset, s);
}

// --- distributions ---
namespace __hd {
__device__ float uniform_of(unsigned x) { return fmaf((float)x, 0x1p-32f, 0x1p-33f); }
__device__ double uniform_of(unsigned x, unsigned y) {
  unsigned long long z = (unsigned long long)x ^ (unsigned long long)y << 21;
  return fma((double)z, 0x1p-53, 0x1p-54);
}
// Two normal numbers of two uniform ones (G. Box and M. Muller, 1958).
__device__ float2 normal_of(unsigned x, unsigned y) {
  float turn = fmaf((float)y, 0x1p-32f * 6.2831855f, 0x1p-33f * 6.2831855f), r = sqrtf(-2.0f * logf(uniform_of(x))), sine, cosine;
  __sincosf(turn, &sine, &cosine);
  return make_float2(sine * r, cosine * r);
}
__device__ double2 normal_of(unsigned x, unsigned x2, unsigned y, unsigned y2) {
  double r = sqrt(-2.0 * log(uniform_of(x, x2))), half_turns = 2 * uniform_of(y, y2), sine, cosine;
  sincospi(half_turns, &sine, &cosine);
  return make_double2(sine * r, cosine * r);
}
template <class S> __device__ float2 draw_normal2(S *s) {
  unsigned x = curand(s), y = curand(s);
  return normal_of(x, y);
}
__device__ inline double2 draw_normal2_double(curandStateXORWOW *s) {
  unsigned x = curand(s), x2 = curand(s), y = curand(s), y2 = curand(s);
  return normal_of(x, x2, y, y2);
}
__device__ inline double2 draw_normal2_double(curandStatePhilox4_32_10 *s) {
  uint4 v = curand4(s);
  return normal_of(v.x, v.y, v.z, v.w);
}
__device__ float4 draw_normal4(curandStatePhilox4_32_10 *s) {
  uint4 v = curand4(s);
  float2 a = normal_of(v.x, v.y), b = normal_of(v.z, v.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
__device__ double4 draw_normal4_double(curandStatePhilox4_32_10 *s) {
  double2 a = draw_normal2_double(s), b = draw_normal2_double(s);
  return make_double4(a.x, a.y, b.x, b.y);
}
__device__ float log_of(float v, float mean, float stddev) { return expf(fmaf(stddev, v, mean)); }
__device__ double log_of(double v, double mean, double stddev) { return exp(fma(stddev, v, mean)); }
// One of two; the other waits in the state. What waits is of the kind 1, or 2: of
// a log-normal distribution.
template <class S> __device__ float draw_normal(S *s) {
  if (s->boxmuller_flag == 1) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  float2 v = draw_normal2(s);
  s->boxmuller_extra = v.y;
  s->boxmuller_flag = 1;
  return v.x;
}
template <class S> __device__ double draw_normal_double(S *s) {
  if (s->boxmuller_flag_double == 1) {
    s->boxmuller_flag_double = 0;
    return s->boxmuller_extra_double;
  }
  double2 v = draw_normal2_double(s);
  s->boxmuller_extra_double = v.y;
  s->boxmuller_flag_double = 1;
  return v.x;
}
template <class S> __device__ float draw_log_normal(S *s, float mean, float stddev) {
  if (s->boxmuller_flag == 2) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  float2 v = draw_normal2(s);
  s->boxmuller_extra = log_of(v.y, mean, stddev);
  s->boxmuller_flag = 2;
  return log_of(v.x, mean, stddev);
}
template <class S> __device__ double draw_log_normal_double(S *s, double mean, double stddev) {
  if (s->boxmuller_flag_double == 2) {
    s->boxmuller_flag_double = 0;
    return s->boxmuller_extra_double;
  }
  double2 v = draw_normal2_double(s);
  s->boxmuller_extra_double = log_of(v.y, mean, stddev);
  s->boxmuller_flag_double = 2;
  return log_of(v.x, mean, stddev);
}
}
__device__ float curand_uniform(curandStateXORWOW *s) { return __hd::uniform_of(curand(s)); }
__device__ float curand_normal(curandStateXORWOW *s) { return __hd::draw_normal(s); }
__device__ float2 curand_normal2(curandStateXORWOW *s) { return __hd::draw_normal2(s); }
__device__ float2 curand_box_muller(curandStateXORWOW *s) { return __hd::draw_normal2(s); }
__device__ double curand_normal_double(curandStateXORWOW *s) { return __hd::draw_normal_double(s); }
__device__ double2 curand_normal2_double(curandStateXORWOW *s) { return __hd::draw_normal2_double(s); }
__device__ float curand_log_normal(curandStateXORWOW *s, float mean, float stddev) { return __hd::draw_log_normal(s, mean, stddev); }
__device__ float2 curand_log_normal2(curandStateXORWOW *s, float mean, float stddev) {
  float2 v = __hd::draw_normal2(s);
  return make_float2(__hd::log_of(v.x, mean, stddev), __hd::log_of(v.y, mean, stddev));
}
__device__ double curand_log_normal_double(curandStateXORWOW *s, double mean, double stddev) { return __hd::draw_log_normal_double(s, mean, stddev); }
__device__ double2 curand_log_normal2_double(curandStateXORWOW *s, double mean, double stddev) {
  double2 v = __hd::draw_normal2_double(s);
  return make_double2(__hd::log_of(v.x, mean, stddev), __hd::log_of(v.y, mean, stddev));
}
__device__ float curand_uniform(curandStatePhilox4_32_10 *s) { return __hd::uniform_of(curand(s)); }
__device__ float curand_normal(curandStatePhilox4_32_10 *s) { return __hd::draw_normal(s); }
__device__ float2 curand_normal2(curandStatePhilox4_32_10 *s) { return __hd::draw_normal2(s); }
__device__ float2 curand_box_muller(curandStatePhilox4_32_10 *s) { return __hd::draw_normal2(s); }
__device__ double curand_normal_double(curandStatePhilox4_32_10 *s) { return __hd::draw_normal_double(s); }
__device__ double2 curand_normal2_double(curandStatePhilox4_32_10 *s) { return __hd::draw_normal2_double(s); }
__device__ float curand_log_normal(curandStatePhilox4_32_10 *s, float mean, float stddev) { return __hd::draw_log_normal(s, mean, stddev); }
__device__ float2 curand_log_normal2(curandStatePhilox4_32_10 *s, float mean, float stddev) {
  float2 v = __hd::draw_normal2(s);
  return make_float2(__hd::log_of(v.x, mean, stddev), __hd::log_of(v.y, mean, stddev));
}
__device__ double curand_log_normal_double(curandStatePhilox4_32_10 *s, double mean, double stddev) { return __hd::draw_log_normal_double(s, mean, stddev); }
__device__ double2 curand_log_normal2_double(curandStatePhilox4_32_10 *s, double mean, double stddev) {
  double2 v = __hd::draw_normal2_double(s);
  return make_double2(__hd::log_of(v.x, mean, stddev), __hd::log_of(v.y, mean, stddev));
}
// Of XORWOW two numbers make one, of Philox one.
__device__ double curand_uniform_double(curandStateXORWOW *s) {
  unsigned x = curand(s), y = curand(s);
  return __hd::uniform_of(x, y);
}
__device__ double curand_uniform_double(curandStatePhilox4_32_10 *s) { return fma((double)curand(s), 0x1p-32, 0x1p-32); }
__device__ float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
  uint4 v = curand4(s);
  return make_float4(__hd::uniform_of(v.x), __hd::uniform_of(v.y), __hd::uniform_of(v.z), __hd::uniform_of(v.w));
}
__device__ double2 curand_uniform2_double(curandStatePhilox4_32_10 *s) {
  uint4 v = curand4(s);
  return make_double2(__hd::uniform_of(v.x, v.y), __hd::uniform_of(v.z, v.w));
}
__device__ double4 curand_uniform4_double(curandStatePhilox4_32_10 *s) {
  double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
  return make_double4(a.x, a.y, b.x, b.y);
}
__device__ float4 curand_normal4(curandStatePhilox4_32_10 *s) { return __hd::draw_normal4(s); }
__device__ double4 curand_normal4_double(curandStatePhilox4_32_10 *s) { return __hd::draw_normal4_double(s); }
__device__ float4 curand_log_normal4(curandStatePhilox4_32_10 *s, float mean, float stddev) {
  float4 v = __hd::draw_normal4(s);
  return make_float4(__hd::log_of(v.x, mean, stddev), __hd::log_of(v.y, mean, stddev), __hd::log_of(v.z, mean, stddev), __hd::log_of(v.w, mean, stddev));
}
__device__ double4 curand_log_normal4_double(curandStatePhilox4_32_10 *s, double mean, double stddev) {
  double4 v = __hd::draw_normal4_double(s);
  return make_double4(__hd::log_of(v.x, mean, stddev), __hd::log_of(v.y, mean, stddev), __hd::log_of(v.z, mean, stddev), __hd::log_of(v.w, mean, stddev));
}

// --- what isn't supported ---
struct curandStateMRG32k3a { unsigned unused; };
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
struct curandStateMtgp32 { unsigned unused; };
typedef curandStateMtgp32 curandStateMtgp32_t;
struct curandStateSobol32 { unsigned unused; };
typedef curandStateSobol32 curandStateSobol32_t;
struct curandStateScrambledSobol32 { unsigned unused; };
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
struct curandStateSobol64 { unsigned unused; };
typedef curandStateSobol64 curandStateSobol64_t;
struct curandStateScrambledSobol64 { unsigned unused; };
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;
void curand_init(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
void skipahead(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
void skipahead_sequence(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
void skipahead_subsequence(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
unsigned curand(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
unsigned curand_poisson(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
float curand_uniform(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
float curand_normal(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
float curand_log_normal(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
double curand_uniform_double(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
double curand_normal_double(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
double curand_log_normal_double(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
float2 curand_normal2(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
float2 curand_log_normal2(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
float4 curand_uniform4(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
float4 curand_normal4(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
uint4 curand4(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
double2 curand_normal2_double(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
double2 curand_uniform2_double(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
float4 curand_log_normal4(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
double2 curand_log_normal2_double(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
uint4 curand_poisson4(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
unsigned curand_discrete(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
uint4 curand_discrete4(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
double4 curand_uniform4_double(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
double4 curand_normal4_double(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
double4 curand_log_normal4_double(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
float2 curand_box_muller(...) __heddle_unsupported("this generator or distribution of cuRAND; use XORWOW or Philox, or pass the numbers in an array");
typedef void *curandDiscreteDistribution_t;
struct curandStateTest { unsigned unused; };
typedef curandStateTest curandStateTest_t;
