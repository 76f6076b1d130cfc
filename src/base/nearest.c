// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <string.h>

enum { MAX_NAME_BYTES = 64 };

static char nearest_lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static unsigned nearest_least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

// Edits that turn one row of the distance table into the next; `before` is the
// row above `above`, for swapped neighbours.
static void next_row(const char *a, size_t i, const char *b, size_t b_length,
                     const unsigned *before, const unsigned *above,
                     unsigned *row) {
  row[0] = (unsigned)i;
  for (size_t j = 1; j <= b_length; j++) {
    bool is_same = nearest_lower(a[i - 1]) == nearest_lower(b[j - 1]);
    row[j] = nearest_least(nearest_least(above[j], row[j - 1]) + 1,
                           above[j - 1] + (is_same ? 0 : 1));
    bool is_swap = i > 1 && j > 1 &&
                   nearest_lower(a[i - 1]) == nearest_lower(b[j - 2]) &&
                   nearest_lower(a[i - 2]) == nearest_lower(b[j - 1]);
    if (is_swap)
      row[j] = nearest_least(row[j], before[j - 2] + 1);
  }
}

// Insertions, deletions, replacements and swaps of neighbours, without regard
// to case.
static unsigned edit_distance(const char *a, size_t a_length, const char *b,
                              size_t b_length) {
  unsigned rows[3][MAX_NAME_BYTES + 1] = {{0}};
  for (size_t j = 0; j <= b_length; j++)
    rows[0][j] = (unsigned)j;
  for (size_t i = 1; i <= a_length; i++)
    next_row(a, i, b, b_length, rows[(i + 1) % 3], rows[(i + 2) % 3],
             rows[i % 3]);
  return rows[a_length % 3][b_length];
}

const char *text_nearest(const char *name, const char *const *candidates,
                         size_t count) {
  size_t length = strlen(name);
  if (length > MAX_NAME_BYTES)
    return NULL;
  const char *nearest = NULL;
  unsigned best = length == 2 ? 2 : (unsigned)(length / 3) + 1;
  for (size_t i = 0; i < count; i++) {
    size_t other = strlen(candidates[i]);
    if (other > MAX_NAME_BYTES || strcmp(candidates[i], name) == 0)
      continue;
    unsigned distance = edit_distance(name, length, candidates[i], other);
    if (distance < best) {
      best = distance;
      nearest = candidates[i];
    }
  }
  return nearest;
}
