// SPDX-License-Identifier: Apache-2.0
// Arrays from a word: zeros, iota, full:X, list:X,Y, random:SEED; and scalar
// literals.
#include "cli/array.h"
#include "cli/scalar.h"

#include "base/float_bits.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Digits with C23's separators removed; false if it does not fit.
static bool without_separators(const char *text, char *out, size_t size) {
  size_t n = 0;
  for (const char *p = text; *p; p++) {
    if (*p == '\'' && p > text && isxdigit((unsigned char)p[-1]) &&
        isxdigit((unsigned char)p[1]))
      continue;
    if (n + 1 >= size)
      return false;
    out[n++] = *p;
  }
  out[n] = 0;
  return true;
}

static bool parse_integer(const char *text, HdArg *out) {
  bool is_negative = *text == '-';
  const char *digits = text + (*text == '-' || *text == '+');
  if (!isdigit((unsigned char)*digits))
    return false;
  bool is_binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
  char *end;
  errno = 0;
  unsigned long long value =
      strtoull(digits + (is_binary ? 2 : 0), &end, is_binary ? 2 : 0);
  if (errno || *end || end == digits + (is_binary ? 2 : 0))
    return false;
  if (is_negative && value > (unsigned long long)1 << 63)
    return false;
  *out = is_negative ? HD_INT(-(int64_t)(value - (value > 0)) - (value > 0))
                     : HD_UINT(value);
  return true;
}

bool scalar_parse(const char *text, bool wants_float, HdArg *out) {
  char plain[128];
  if (!without_separators(text, plain, sizeof plain))
    return false;
  if (strcmp(plain, "true") == 0 || strcmp(plain, "false") == 0) {
    *out = HD_INT(plain[0] == 't');
    return true;
  }
  if (!wants_float && parse_integer(plain, out))
    return true;
  double value = 0;
  bool is_valid = float_parse(plain, &value);
  *out = HD_FLOAT(value);
  return is_valid;
}

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), the value after state `z`.
static uint64_t split_mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

// Bits of precision of a type's numbers in [0.5, 1).
static int precision(HdType type) {
  switch ((int)type) {
  case HD_F64: return 53;
  case HD_F32: return 24;
  case HD_F16: return 11;
  case HD_BF16: return 8;
  case HD_E4M3: return 4;
  case HD_E5M2: return 3;
  default: return 0;
  }
}

static HdArg random_value(HdType type, uint64_t seed, uint64_t i) {
  uint64_t bits = split_mix(seed + i);
  int digits = precision(type);
  if (digits > 0)
    return HD_FLOAT((double)(bits >> (64 - digits)) /
                    (double)((uint64_t)1 << digits));
  if (type == HD_BOOL)
    return HD_UINT(bits & 1);
  int width = (int)hd_type_size(type) * 8;
  if (scalar_is_signed(type))
    return HD_INT((int64_t)(bits << (64 - width)) >> (64 - width));
  return HD_UINT(width == 64 ? bits : bits & (((uint64_t)1 << width) - 1));
}

// 0 1 2 …, modulo the width for integers.
static HdArg iota_value(HdType type, uint64_t i) {
  if (scalar_is_float(type))
    return HD_FLOAT((double)i);
  if (type == HD_BOOL)
    return HD_UINT(i & 1);
  int width = (int)hd_type_size(type) * 8;
  if (scalar_is_signed(type))
    return HD_INT((int64_t)(i << (64 - width)) >> (64 - width));
  return HD_UINT(width == 64 ? i : i & (((uint64_t)1 << width) - 1));
}

typedef enum { GENERATE_IOTA, GENERATE_FULL, GENERATE_RANDOM } Generator;

static void generate_fill(HostArray *array, HdType type, int lanes,
                          Generator generator, HdArg number) {
  size_t width = hd_type_size(type);
  size_t stride = array->element_bytes;
  uint64_t count = (uint64_t)array_count(array);
  for (uint64_t i = 0; i < count; i++) {
    for (int lane = 0; lane < lanes; lane++) {
      uint64_t k = i * (uint64_t)lanes + (uint64_t)lane;
      HdArg value = generator == GENERATE_IOTA ? iota_value(type, k)
                    : generator == GENERATE_FULL
                        ? number
                        : random_value(type, (uint64_t)number.integer, k);
      scalar_store(type, &value,
                   array->data + i * stride + (size_t)lane * width);
    }
  }
}

static const char *fill_full(Arena *arena, HostArray *array, HdType type,
                             int lanes, const char *text) {
  HdArg number;
  char scratch[8];
  if (!scalar_parse(text, scalar_is_float(type), &number))
    return arena_printf(arena, "'%s' is not a number", text);
  if (!scalar_store(type, &number, scratch))
    return arena_printf(arena, "%s is not a value of %s", text,
                        hd_type_name(type));
  generate_fill(array, type, lanes, GENERATE_FULL, number);
  return NULL;
}

static const char *fill_random(Arena *arena, HostArray *array, HdType type,
                               int lanes, const char *text) {
  HdArg seed;
  if (!parse_integer(text, &seed))
    return arena_printf(arena, "random needs an integer as seed, not '%s'",
                        text);
  generate_fill(array, type, lanes, GENERATE_RANDOM, seed);
  return NULL;
}

// The first elements; those behind the last one stay zeros.
static const char *fill_list(Arena *arena, HostArray *array, HdType type,
                             int lanes, const char *text) {
  uint64_t room = (uint64_t)array_count(array) * (uint64_t)lanes;
  size_t width = hd_type_size(type);
  bool is_end = false;
  for (uint64_t i = 0; !is_end; i++) {
    size_t length = strcspn(text, ",");
    const char *word = arena_strndup(arena, text, length);
    char scratch[8];
    HdArg number;
    if (!scalar_parse(word, scalar_is_float(type), &number))
      return arena_printf(arena, "'%s' in the list is not a number", word);
    if (!scalar_store(type, &number, scratch))
      return arena_printf(arena, "%s is not a value of %s", word,
                          hd_type_name(type));
    if (array->data && i >= room)
      return arena_printf(arena,
                          "the list has more numbers than the array has "
                          "elements (%llu)",
                          (unsigned long long)room);
    if (array->data)
      memcpy(array->data + i / (uint64_t)lanes * array->element_bytes +
                 i % (uint64_t)lanes * width,
             scratch, width);
    is_end = text[length] == 0;
    text += length + !is_end;
  }
  return NULL;
}

const char *array_generate(Arena *arena, HostArray *array, HdType lane_type,
                           int lanes, const char *text) {
  if (strcmp(text, "zeros") == 0)
    return NULL;
  bool is_iota = strcmp(text, "iota") == 0;
  bool is_full = strncmp(text, "full:", 5) == 0;
  bool is_random = strncmp(text, "random:", 7) == 0;
  bool is_list = strncmp(text, "list:", 5) == 0;
  if (!is_iota && !is_full && !is_random && !is_list)
    return arena_printf(
        arena,
        "'%s' is not an array: use @FILE.npy, @FILE.png, zeros, "
        "iota, full:X, list:X,Y,Z, random:SEED or another "
        "parameter's name",
        text);
  if (lane_type == HD_STRUCT)
    return "elements that are structs can be zeros, or come from a file of "
           "elements of their size, NAME=@FILE.npy";
  if (is_full)
    return fill_full(arena, array, lane_type, lanes, text + 5);
  if (is_random)
    return fill_random(arena, array, lane_type, lanes, text + 7);
  if (is_list)
    return fill_list(arena, array, lane_type, lanes, text + 5);
  generate_fill(array, lane_type, lanes, GENERATE_IOTA, HD_INT(0));
  return NULL;
}
