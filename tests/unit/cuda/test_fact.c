// SPDX-License-Identifier: Apache-2.0
// Facts of launches: which sizes a condition names, and which it sets.
#include "cuda/cuda.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

typedef struct {
  const char *text;
  unsigned names, sets;
  const char *value;
} Row;

static const Row rows[] = {
    {"n == 256", 0, 0, NULL},
    {"gridDim.x == (n + 127) / 128", CUDA_SIZE_GRID_X, CUDA_SIZE_GRID_X,
     "(n + 127) / 128"},
    {" gridDim . z==1", CUDA_SIZE_GRID_Z, CUDA_SIZE_GRID_Z, "1"},
    {"n <= (long long)gridDim.y * 8", CUDA_SIZE_GRID_Y, 0, NULL},
    {"gridDim == 1", CUDA_SIZE_GRID, 0, NULL},
    {"n == gridDim.x * blockDim.y", CUDA_SIZE_GRID_X | CUDA_SIZE_BLOCK_Y, 0,
     NULL},
    {"blockDim.x >= 32", CUDA_SIZE_BLOCK_X, 0, NULL},
    {"dynamic_shared_bytes == 4 * n", CUDA_SIZE_SHARED, CUDA_SIZE_SHARED,
     "4 * n"},
    // Names that only hold those words.
    {"mygridDim.x == 1", 0, 0, NULL},
    {"blockDimension == 2", 0, 0, NULL},
    {"dynamic_shared_bytes2 == 4", 0, 0, NULL},
    {"gridDim.xy == 4", CUDA_SIZE_GRID, 0, NULL},
    {"", 0, 0, NULL},
};

static void sizes_are_whole_words(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    CudaFact fact = cuda_fact(rows[i].text);
    assert_ptr_equal(fact.text, rows[i].text);
    if (fact.names != rows[i].names || fact.sets != rows[i].sets)
      fail_msg("'%s' names %u and sets %u", fact.text, fact.names, fact.sets);
    if (rows[i].value)
      assert_string_equal(fact.value, rows[i].value);
    else
      assert_null(fact.value);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_are_whole_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
