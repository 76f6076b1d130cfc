// SPDX-License-Identifier: Apache-2.0
#include "base/map.h"

#include "base/rescue.h"
#include <string.h>

// Inlined: no library to link, and the same code on every machine.
#define XXH_INLINE_ALL
#include <xxhash.h>

struct HashState {
  XXH3_state_t *xxh;
};

uint64_t hash_bytes(const void *data, size_t size_bytes) {
  uint64_t hash = XXH3_64bits(data, size_bytes);
#ifdef HD_STRESS
  hash = (hash & 7) * UINT64_C(0x9E3779B97F4A7C15); // collisions everywhere
#endif
  return hash;
}

uint64_t fingerprint_bytes(const void *data, size_t size_bytes) {
  return XXH3_64bits(data, size_bytes);
}

static void release_state(void *state) {
  hash_free(state);
}

HashState *hash_new(void) {
  HashState *state = calloc(1, sizeof(*state));
  if (state)
    state->xxh = XXH3_createState();
  if (!state || !state->xxh) {
    free(state);
    rescue_out_of_memory();
  }
  rescue_owe(release_state, state);
  XXH3_128bits_reset(state->xxh);
  return state;
}

void hash_free(HashState *state) {
  if (!state)
    return;
  rescue_paid(state);
  XXH3_freeState(state->xxh);
  free(state);
}

void hash_add(HashState *state, const void *data, size_t size_bytes) {
  if (size_bytes)
    XXH3_128bits_update(state->xxh, data, size_bytes);
}

void hash_add_text(HashState *state, const char *text) {
  size_t length = strlen(text);
  hash_add_u64(state, length);
  hash_add(state, text, length);
}

void hash_add_u64(HashState *state, uint64_t value) {
  unsigned char bytes[8];
  for (unsigned i = 0; i < 8; i++)
    bytes[i] = (unsigned char)(value >> (8 * i));
  hash_add(state, bytes, sizeof(bytes));
}

Hash128 hash_result(const HashState *state) {
  XXH128_hash_t digest = XXH3_128bits_digest(state->xxh);
  Hash128 result = {digest.low64, digest.high64};
  return result;
}
