// SPDX-License-Identifier: Apache-2.0
#include "cli/expression.h"
#include "cli/array.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64 };

typedef struct {
  const Options *options;
  const char *at, *end;
  const char *why; // the first thing that is wrong
  int depth;
} Reader;

static int64_t expression_sum(Reader *r);
static int64_t expression_choice(Reader *r);
static int64_t expression_operand(Reader *r);

static int64_t expression_fail(Reader *r, const char *why) {
  if (!r->why)
    r->why = why;
  r->at = r->end;
  return 0;
}

static void expression_skip_blanks(Reader *r) {
  while (r->at < r->end && isspace((unsigned char)*r->at))
    r->at++;
}

static bool expression_accept(Reader *r, const char *word) {
  size_t length = strlen(word);
  expression_skip_blanks(r);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
    return false;
  r->at += length;
  return true;
}

static void expression_expect(Reader *r, const char *word) {
  if (!expression_accept(r, word))
    expression_fail(r,
                    arena_printf(r->options->arena, "'%s' is missing", word));
}

// ---------------------------------------------------------------- operands

static bool expression_is_name_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static const char *take_name(Reader *r) {
  const char *begin = r->at;
  while (r->at < r->end && expression_is_name_char(*r->at))
    r->at++;
  return arena_strndup(r->options->arena, begin, (size_t)(r->at - begin));
}

static int64_t expression_number(Reader *r) {
  const char *text = take_name(r);
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 0);
  while (*end && strchr("uUlL", *end))
    end++;
  if (errno || *end)
    return expression_fail(
        r, arena_printf(r->options->arena, "'%s' is not an integer", text));
  return value;
}

static const char *expression_given_text(const Options *options,
                                         const char *name) {
  for (uint32_t i = 0; i < options->assignments.count; i++) {
    Assignment *given = &options->assignments.data[i];
    if (strcmp(given->name, name) != 0)
      continue;
    given->is_size = true;
    return given->value;
  }
  return NULL;
}

static int64_t expression_named(Reader *r, const char *name) {
  HdArg value;
  const char *text = expression_given_text(r->options, name);
  if (!text)
    return expression_fail(r, arena_printf(r->options->arena,
                                           "'%s' has no value here; give %s=…",
                                           name, name));
  if (!scalar_parse(text, false, &value) || value.kind == HD_ARG_FLOAT ||
      (value.kind == HD_ARG_UINT && value.integer < 0))
    return expression_fail(r, arena_printf(r->options->arena,
                                           "'%s' is not an integer: %s", name,
                                           text));
  return value.integer;
}

static int64_t size_of_type(Reader *r) {
  static const struct {
    const char *name;
    int size;
  } types[] = {
      {"char", 1},     {"bool", 1},     {"short", 2},   {"int", 4},
      {"unsigned", 4}, {"float", 4},    {"half", 2},    {"__half", 2},
      {"double", 8},   {"long", 8},     {"int8_t", 1},  {"uint8_t", 1},
      {"int16_t", 2},  {"uint16_t", 2}, {"int32_t", 4}, {"uint32_t", 4},
      {"int64_t", 8},  {"uint64_t", 8}, {"size_t", 8},  {"float2", 8},
      {"float4", 16},  {"int2", 8},     {"int4", 16},   {"double2", 16}};

  expression_skip_blanks(r);
  const char *name = take_name(r);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (strcmp(types[i].name, name) == 0)
      return types[i].size;
  }
  return expression_fail(r, arena_printf(r->options->arena,
                                         "'%s' is not a type that is known"
                                         " here; write its size",
                                         name));
}

// blockDim.x, gridDim.y, as they are given; false: it is none of them.
static bool read_size(Reader *r, const char *name, int64_t *out) {
  const Options *o = r->options;
  bool is_block = strcmp(name, "blockDim") == 0;
  if ((!is_block && strcmp(name, "gridDim") != 0) || !expression_accept(r, "."))
    return false;
  const char *axis = take_name(r);
  bool is_axis = axis[0] >= 'x' && axis[0] <= 'z' && !axis[1];
  bool is_known = is_axis && (is_block ? o->has_block : o->has_grid);
  *out = is_known ? (is_block ? o->block : o->grid)[axis[0] - 'x'] : 0;
  if (!is_known)
    expression_fail(
        r, arena_printf(o->arena, "'%s.%s' isn't known here%s", name, axis,
                        is_block && is_axis ? "; give it with --block" : ""));
  return true;
}

static int64_t expression_divide(Reader *r, int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return expression_fail(r,
                           b ? "a number is too large" : "a division by zero");
  return a / b;
}

static int64_t divide_up(Reader *r, int64_t a, int64_t b) {
  int64_t whole = expression_divide(r, a, b);
  return r->why ? 0 : whole + (a % b != 0 && (a < 0) == (b < 0));
}

// A whole number that C++ is to divide by as a real one: 32.0f, (float)m,
// float(m), m.
static int64_t real_operand(Reader *r, bool *is_real) {
  static const char *const casts[] = {"(float)", "(double)"};
  for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
    *is_real |= expression_accept(r, casts[i]);
  int64_t value = expression_operand(r);
  if (r->at < r->end && *r->at == '.') {
    *is_real = true;
    r->at++;
    while (r->at < r->end && *r->at == '0')
      r->at++;
    if (r->at < r->end && (*r->at == 'f' || *r->at == 'F'))
      r->at++;
  }
  return value;
}

// ceil(n / 32.0), behind the bracket: of one division.
static int64_t ceil_call(Reader *r) {
  bool is_real = false;
  int64_t a = real_operand(r, &is_real);
  expression_expect(r, "/");
  int64_t b = real_operand(r, &is_real);
  expression_expect(r, ")");
  if (r->why)
    return 0;
  return is_real ? divide_up(r, a, b) : expression_divide(r, a, b);
}

static int64_t expression_call(Reader *r, const char *name) {
  if (strcmp(name, "sizeof") == 0) {
    int64_t size = size_of_type(r);
    expression_expect(r, ")");
    return size;
  }
  if (strcmp(name, "ceil") == 0)
    return ceil_call(r);
  int64_t a = expression_choice(r);
  expression_expect(r, ",");
  int64_t b = expression_choice(r);
  expression_expect(r, ")");
  if (strcmp(name, "min") == 0)
    return a < b ? a : b;
  if (strcmp(name, "max") == 0)
    return a > b ? a : b;
  if (strcmp(name, "cdiv") != 0 && strcmp(name, "ceil_div") != 0)
    return expression_fail(
        r, arena_printf(r->options->arena,
                        "'%s' is not a function that is"
                        " known here (cdiv, ceil, min, max and sizeof are)",
                        name));
  return divide_up(r, a, b);
}

static int64_t expression_operand(Reader *r) {
  int64_t value = 0;
  if (++r->depth > MOST_DEPTH)
    return expression_fail(r, "it is nested too deep");
  expression_skip_blanks(r);
  if (r->at == r->end) {
    expression_fail(r, "a number is missing");
  } else if (expression_accept(r, "(")) {
    value = expression_choice(r);
    expression_expect(r, ")");
  } else if (expression_accept(r, "-")) {
    if (__builtin_sub_overflow(0, expression_operand(r), &value))
      expression_fail(r, "a number is too large");
  } else if (expression_accept(r, "+")) {
    value = expression_operand(r);
  } else if (isdigit((unsigned char)*r->at)) {
    value = expression_number(r);
  } else if (expression_is_name_char(*r->at)) {
    const char *name = take_name(r);
    while (expression_accept(r, "::")) // std::min, cuda::ceil_div
      name = take_name(r);
    if (!read_size(r, name, &value))
      value = expression_accept(r, "(") ? expression_call(r, name)
                                        : expression_named(r, name);
  } else {
    expression_fail(r,
                    arena_printf(r->options->arena, "'%.*s' is not understood",
                                 (int)(r->end - r->at), r->at));
  }
  r->depth--;
  return value;
}

// --------------------------------------------------------------- operators

static int64_t product(Reader *r) {
  int64_t value = expression_operand(r);
  while (!r->why) {
    if (expression_accept(r, "*")) {
      if (__builtin_mul_overflow(value, expression_operand(r), &value))
        expression_fail(r, "a number is too large");
    } else if (expression_accept(r, "/")) {
      value = expression_divide(r, value, expression_operand(r));
    } else if (expression_accept(r, "%")) {
      int64_t by = expression_operand(r);
      int64_t whole = expression_divide(r, value, by);
      value = r->why ? 0 : value - whole * by;
    } else {
      break;
    }
  }
  return value;
}

static int64_t terms(Reader *r) {
  int64_t value = product(r);
  while (!r->why) {
    bool is_over;
    if (expression_accept(r, "+"))
      is_over = __builtin_add_overflow(value, product(r), &value);
    else if (expression_accept(r, "-"))
      is_over = __builtin_sub_overflow(value, product(r), &value);
    else
      break;
    if (is_over)
      expression_fail(r, "a number is too large");
  }
  return value;
}

static int64_t expression_shift_left(Reader *r, int64_t value, int64_t by) {
  if (by < 0 || by > 62 ||
      __builtin_mul_overflow(value, (int64_t)1 << by, &value))
    return expression_fail(r, "a number is too large");
  return value;
}

static int64_t expression_sum(Reader *r) {
  int64_t value = terms(r);
  while (!r->why) {
    if (expression_accept(r, "<<")) {
      value = expression_shift_left(r, value, terms(r));
    } else if (expression_accept(r, ">>")) {
      int64_t by = terms(r);
      value = by < 0 || by > 62 ? expression_fail(r, "a shift is too large")
                                : value >> by;
    } else {
      break;
    }
  }
  return value;
}

static int64_t expression_compared(Reader *r) {
  static const char *const words[] = {"<=", ">=", "==", "!=", "<", ">"};
  int64_t a = expression_sum(r);
  for (size_t i = 0; !r->why && i < sizeof words / sizeof *words; i++) {
    if (!expression_accept(r, words[i]))
      continue;
    int64_t b = expression_sum(r);
    bool results[] = {a <= b, a >= b, a == b, a != b, a<b, a> b};
    return results[i];
  }
  return a;
}

// a < b ? c : d; both sides must have a value.
static int64_t expression_choice(Reader *r) {
  if (++r->depth > MOST_DEPTH)
    return expression_fail(r, "it is nested too deep");
  int64_t value = expression_compared(r);
  if (!r->why && expression_accept(r, "?")) {
    bool is_first = value != 0;
    int64_t first = expression_choice(r);
    expression_expect(r, ":");
    int64_t second = expression_choice(r);
    value = is_first ? first : second;
  }
  r->depth--;
  return value;
}

const char *expression_value(const Options *options, const char *text,
                             size_t length, int64_t *out) {
  Reader r = {.options = options, .at = text, .end = text + length};
  *out = expression_choice(&r);
  expression_skip_blanks(&r);
  if (r.at < r.end)
    expression_fail(&r, arena_printf(options->arena, "'%.*s' is not understood",
                                     (int)(r.end - r.at), r.at));
  return r.why;
}

// ------------------------------------------------------------------- lists

size_t expression_part(const char *text, size_t length, const char *stops) {
  int depth = 0;
  for (size_t i = 0; i < length; i++) {
    depth += text[i] == '(' || text[i] == '{';
    depth -= text[i] == ')' || text[i] == '}';
    if (depth == 0 && strchr(stops, text[i]))
      return i;
  }
  return length;
}

static void skip_both_blanks(const char **text, size_t *length) {
  while (*length > 0 && isspace((unsigned char)(*text)[*length - 1]))
    --*length;
  while (*length > 0 && isspace((unsigned char)**text))
    ++*text, --*length;
}

// dim3(…), dim3{…} and {…} are what is inside.
static void open_dim3(const char **text, size_t *length) {
  skip_both_blanks(text, length);
  const char *inner = *text;
  size_t n = *length;
  bool is_dim3 = n > 4 && memcmp(inner, "dim3", 4) == 0;
  if (is_dim3) {
    inner += 4;
    n -= 4;
    skip_both_blanks(&inner, &n);
  }
  char first = n > 1 ? inner[0] : 0, last = n > 1 ? inner[n - 1] : 0;
  if ((first == '{' && last == '}') ||
      (is_dim3 && first == '(' && last == ')')) {
    *text = inner + 1;
    *length = n - 2;
  }
}

const char *expression_sizes(const Options *options, const char *text,
                             size_t length, int64_t out[3]) {
  open_dim3(&text, &length);
  out[0] = out[1] = out[2] = 1;
  for (int i = 0; i < 3; i++) {
    size_t part = expression_part(text, length, ",");
    const char *why = expression_value(options, text, part, &out[i]);
    if (why || part == length)
      return why;
    text += part + 1;
    length -= part + 1;
  }
  return "there are more than three numbers";
}
