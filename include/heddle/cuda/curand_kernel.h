// SPDX-License-Identifier: Apache-2.0
// cuRAND for kernels: named, so that a kernel that uses it is told.
#pragma once

struct curandStateXORWOW { unsigned unused; };
typedef curandStateXORWOW curandStateXORWOW_t;
struct curandStateMRG32k3a { unsigned unused; };
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
struct curandStatePhilox4_32_10 { unsigned unused; };
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
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
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
void curand_init(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
void skipahead(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
void skipahead_sequence(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
void skipahead_subsequence(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
unsigned curand(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
unsigned curand_poisson(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
float curand_uniform(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
float curand_normal(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
float curand_log_normal(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
double curand_uniform_double(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
double curand_normal_double(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
double curand_log_normal_double(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
float2 curand_normal2(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
float2 curand_log_normal2(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
float4 curand_uniform4(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
float4 curand_normal4(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
uint4 curand4(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
double2 curand_normal2_double(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
double2 curand_uniform2_double(...) __heddle_unsupported("random numbers of cuRAND; pass them in an array, or write the generator out");
