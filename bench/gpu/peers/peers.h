/* SPDX-License-Identifier: Apache-2.0 */
/* The same algorithms in CUDA C++, and NVIDIA's libraries. Each launches on a
 * stream of the context that is current and returns a cudaError_t. Pointers are
 * the device's. */
#ifndef HD_BENCH_GPU_PEERS_H
#define HD_BENCH_GPU_PEERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CUstream_st *PeerStream;

/* An argument: what it is is the peer's business. */
typedef union {
  const void *in;
  void *out;
  int64_t integer;
  double real;
} PeerArg;

typedef int PeerRun(PeerStream stream, const PeerArg *args);

/* NULL: no such peer. */
PeerRun *peer_find(const char *name);
const char *peer_error_text(int error);

/* Memory that CUB asks for, taken from here; bytes of it. */
void peer_use_scratch(void *memory, size_t size_bytes);

/* Of |a - b| / (|a| + 1) for n elements, int32 'i', float 'f' or
 * double 'd': the largest and the sum, into two floats on the device. */
int peer_difference(PeerStream stream, char type, const void *a, const void *b,
                    int64_t n, float *out);
/* Fills n words with random bits, or floats in [low, high). */
int peer_fill_words(PeerStream stream, void *data, int64_t n, uint32_t seed);
int peer_fill_floats(PeerStream stream, void *data, int64_t n, uint32_t seed,
                     float low, float high);

#ifdef __cplusplus
}
#endif

#endif
