// SPDX-License-Identifier: Apache-2.0
#include "mutant.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool starts_word(const char *text, const char *at, const char *word) {
  size_t n = strlen(word);
  bool is_start = at == text || !(isalnum((unsigned char)at[-1]) ||
                                  at[-1] == '_' || at[-1] == '.');
  return is_start && strncmp(at, word, n) == 0 && at[n] == '(';
}

static bool is_meeting(const char *text, const char *at) {
  static const char *const words[] = {"sync",       "wait",     "arrive",
                                      "copy_wait",  "tma_wait", "fence_async",
                                      "wait_prior", "syncwarp"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (starts_word(text, at, words[i]))
      return true;
  return false;
}

// The text without the statement of number `choice` among those that order
// something; the text itself if it has none.
static const char *mutant(Arena *arena, const char *text, uint64_t choice) {
  uint64_t count = 0;
  for (const char *p = text; *p; p++)
    count += is_meeting(text, p);
  if (count == 0)
    return text;
  choice %= count;
  for (const char *p = text; *p; p++) {
    if (!is_meeting(text, p) || choice-- > 0)
      continue;
    char *copy = arena_strdup(arena, text);
    char *at = copy + (p - text);
    for (; *at && *at != ';'; at++)
      *at = ' ';
    return copy;
  }
  return text;
}

const char *mutant_of_seed(Arena *arena, uint64_t seed, GenProgram *whole) {
  gen_program(arena, seed, (uint32_t)(4 + seed % 21), seed % 3 ? 100 : 0,
              whole);
  return seed % 2 ? mutant(arena, whole->source, seed / 2) : whole->source;
}
