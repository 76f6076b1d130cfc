// SPDX-License-Identifier: Apache-2.0
// Numbers: C17 6.4.4.1 and 6.4.4.2, with C23's 0b and digit separators.
#include "syntax/number.h"

#include "base/panic.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A number without separators; `suffix` is its last letters.
typedef struct {
  Arena *arena;
  const char *text;
  unsigned base;
  const char *digits; // behind 0x or 0b
  bool is_float;
} Number;

static NumberValue problem_of(const Number *number, DiagId id,
                              const char *why) {
  const char *shown = strlen(number->text) <= 48
                          ? number->text
                          : arena_printf(number->arena, "%.40s…", number->text);
  return (NumberValue){.text = shown, .problem_id = id, .problem = why};
}

// The text without the separators, which the lexer only takes inside.
static char *number_without_separators(Arena *arena, const char *from,
                                       size_t length) {
  char *text = arena_strndup(arena, from, length);
  char *out = text;
  for (const char *in = text; *in; in++)
    if (*in != '\'')
      *out++ = *in;
  *out = '\0';
  return text;
}

static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9')
    return (unsigned)(c - '0');
  char lower = (char)(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a') + 10 : 99;
}

static Number number_split(Arena *arena, const char *from, size_t length) {
  Number number = {.arena = arena, .base = 10};
  const char *text = number_without_separators(arena, from, length);
  number.text = number.digits = text;
  char marker = text[0] == '0' ? (char)(text[1] | 0x20) : '\0';
  if (marker == 'x' || marker == 'b') {
    number.base = marker == 'x' ? 16 : 2;
    number.digits = text + 2;
  }
  const char *exponents = number.base == 16 ? ".pP" : ".eE";
  number.is_float = number.base != 2 && strpbrk(number.digits, exponents);
  if (!number.is_float && number.base == 10 && text[0] == '0')
    number.base = 8;
  return number;
}

// --- Integers --------------------------------------------------------------

// Takes u, l, ll, lu and so on in either case; false if there is more.
static bool read_int_suffix(const char *suffix, NumberValue *out) {
  const char *at = suffix;
  bool is_unsigned = false;
  uint8_t n_longs = 0;
  for (int part = 0; part < 2 && *at; part++) {
    if ((*at == 'u' || *at == 'U') && !is_unsigned) {
      is_unsigned = true;
      at++;
    } else if ((*at == 'l' || *at == 'L') && n_longs == 0) {
      n_longs = at[1] == at[0] ? 2 : 1;
      at += n_longs;
    }
  }
  out->is_unsigned = is_unsigned;
  out->n_longs = n_longs;
  return *at == '\0';
}

static const char *int_suffix_problem(const Number *number,
                                      const char *suffix) {
  if (digit_value(*suffix) < 10)
    return arena_printf(number->arena, "%c is not a digit of base %u", *suffix,
                        number->base);
  if (strcmp(suffix, "f") == 0 || strcmp(suffix, "F") == 0)
    return "a float needs a point or an exponent, as in 1.0f";
  return "the letters at its end are not an integer suffix (u, l, ll)";
}

static NumberValue make_int(const Number *number) {
  NumberValue out = {.text = number->text, .base = (uint8_t)number->base};
  uint64_t value = 0;
  bool has_overflow = false;
  const char *at = number->digits;
  for (; digit_value(*at) < number->base; at++) {
    uint64_t digit = digit_value(*at);
    has_overflow |= value > (UINT64_MAX - digit) / number->base;
    value = value * number->base + digit;
  }
  if (at == number->digits)
    return problem_of(number, DIAG_bad_number, "it has no digits");
  if (!read_int_suffix(at, &out))
    return problem_of(number, DIAG_bad_number, int_suffix_problem(number, at));
  if (has_overflow)
    return problem_of(number, DIAG_number_too_large,
                      "integers have at most 64 bits");
  if (value > INT64_MAX && number->base == 10 && !out.is_unsigned)
    return problem_of(number, DIAG_number_too_large,
                      "it doesn't fit a signed type; add the suffix u");
  out.value = value;
  return out;
}

// --- Floating point --------------------------------------------------------

typedef struct {
  const char *spelling;
  FloatSuffix suffix;
} SuffixRow;

static const SuffixRow float_suffixes[] = {
    {"", FLOAT_SUFFIX_NONE},    {"f", FLOAT_SUFFIX_F},
    {"F", FLOAT_SUFFIX_F},      {"l", FLOAT_SUFFIX_L},
    {"L", FLOAT_SUFFIX_L},      {"f16", FLOAT_SUFFIX_F16},
    {"F16", FLOAT_SUFFIX_F16},  {"bf16", FLOAT_SUFFIX_BF16},
    {"BF16", FLOAT_SUFFIX_BF16}};

static const SuffixRow *find_float_suffix(const char *text) {
  for (size_t i = 0; i < sizeof(float_suffixes) / sizeof(SuffixRow); i++)
    if (strcmp(float_suffixes[i].spelling, text) == 0)
      return &float_suffixes[i];
  return NULL;
}

// Bytes up to the suffix; 0 (and *problem) if mantissa or exponent are wrong.
static size_t mantissa_length(const Number *number, const char **problem) {
  const char *at = number->digits;
  bool has_digits = false;
  bool has_point = false;
  for (; digit_value(*at) < number->base || (*at == '.' && !has_point); at++) {
    has_point |= *at == '.';
    has_digits |= *at != '.';
  }
  char exponent = number->base == 16 ? 'p' : 'e';
  *problem = "it has no digits";
  if (!has_digits)
    return 0;
  if ((*at | 0x20) != exponent) {
    *problem = "a hexadecimal float needs an exponent, as in 0x1.8p3";
    return number->base == 16 ? 0 : (size_t)(at - number->text);
  }
  at++;
  at += *at == '+' || *at == '-';
  const char *first = at;
  while (*at >= '0' && *at <= '9')
    at++;
  *problem = "its exponent has no digits";
  return at == first ? 0 : (size_t)(at - number->text);
}

// strtod of the C locale, whatever the program around us has set.
static double number_to_double(const char *digits, bool is_single) {
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  double value = is_single ? (double)strtof_l(digits, NULL, c_locale)
                           : strtod_l(digits, NULL, c_locale);
  freelocale(c_locale);
  return value;
}

static NumberValue number_make_float(const Number *number) {
  const char *problem;
  size_t length = mantissa_length(number, &problem);
  if (length == 0)
    return problem_of(number, DIAG_bad_number, problem);
  const SuffixRow *row = find_float_suffix(number->text + length);
  if (!row)
    return problem_of(
        number, DIAG_bad_number,
        "the letters at its end are not a float suffix (f, f16, bf16)");
  NumberValue out = {.text = number->text, .is_float = true};
  out.digits = arena_strndup(number->arena, number->text, length);
  out.suffix = row->suffix;
  out.float_value = number_to_double(out.digits, row->suffix == FLOAT_SUFFIX_F);
  if (isinf(out.float_value))
    return problem_of(number, DIAG_number_too_large,
                      "it is out of the range of its type");
  return out;
}

NumberValue number_read(Arena *arena, const char *text, size_t length) {
  HD_ASSERT(length > 0);
  Number number = number_split(arena, text, length);
  return number.is_float ? number_make_float(&number) : make_int(&number);
}
