// SPDX-License-Identifier: Apache-2.0
// Which sizes of a launch a condition names, and which it sets.
#include "cuda/cuda.h"

#include "base/bits.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool fact_is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static const char *fact_skip_blanks(const char *at) {
  while (isspace((unsigned char)*at))
    at++;
  return at;
}

// Behind the word that stands there; `at` itself: it is another.
static const char *fact_skip_word(const char *at, const char *word) {
  size_t length = strlen(word);
  bool is_it = strncmp(at, word, length) == 0 && !fact_is_word(at[length]);
  return is_it ? at + length : at;
}

// The axes of a size, as bits: of `.y` the second, all where none is named.
static unsigned fact_axes_at(const char **at) {
  const char *dot = fact_skip_blanks(*at);
  const char *axis = *dot == '.' ? fact_skip_blanks(dot + 1) : dot;
  bool is_axis = *dot == '.' && *axis >= 'x' && *axis <= 'z';
  if (!is_axis || fact_is_word(axis[1]))
    return 7;
  *at = axis + 1;
  return 1U << (*axis - 'x');
}

// The size of a launch that is named there, with *at behind it; 0: none.
static unsigned fact_size_at(const char **at) {
  const char *grid = fact_skip_word(*at, "gridDim");
  const char *block = fact_skip_word(*at, "blockDim");
  const char *bytes = fact_skip_word(*at, "dynamic_shared_bytes");
  if (bytes != *at) {
    *at = bytes;
    return CUDA_SIZE_SHARED;
  }
  bool is_grid = grid != *at;
  if (!is_grid && block == *at)
    return 0;
  *at = is_grid ? grid : block;
  return fact_axes_at(at) * (is_grid ? CUDA_SIZE_GRID_X : CUDA_SIZE_BLOCK_X);
}

CudaFact cuda_fact(const char *text) {
  CudaFact fact = {.text = text};
  const char *at = fact_skip_blanks(text);
  unsigned first = fact_size_at(&at);
  at = fact_skip_blanks(at);
  if (bits_is_power(first) && at[0] == '=' && at[1] == '=') {
    fact.sets = first;
    fact.value = fact_skip_blanks(at + 2);
  }
  for (at = text; *at;) {
    unsigned size = fact_size_at(&at);
    fact.names |= size;
    bool is_other = size == 0 && fact_is_word(*at);
    at += size == 0;
    while (is_other && fact_is_word(*at))
      at++;
  }
  return fact;
}
