// SPDX-License-Identifier: Apache-2.0
// The launches that a check is about: its grid, and for CUDA C what is assumed
// of them, by --assume and by the values and sizes that were given.
#include "cli/array.h"
#include "cli/expression.h"
#include "cli/run_share.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

typedef struct {
  const Options *options;
  const HdProgram *program;
  const char *kernel;
  hd_vec(const char *) assumptions;
} Limits;

static bool check_launch_find_param(const Limits *limits, const char *name,
                                    HdParamInfo *out) {
  int count = hd_program_param_count(limits->program, limits->kernel);
  for (int i = 0; i < count; i++) {
    if (hd_program_param(limits->program, limits->kernel, i, out) == HD_OK &&
        strcmp(out->name, name) == 0)
      return true;
  }
  return false;
}

// -------------------------------------------------------------- conditions

static bool check_launch_is_word_char(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static bool is_known_word(const char *word) {
  static const char *const known[] = {"len", "gridDim", "blockDim", "min",
                                      "max", "true",    "false",    "sizeof",
                                      "int", "long",    "unsigned", "size_t"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i], word) == 0)
      return true;
  return false;
}

// All that the condition names belongs to this kernel.
static bool is_about_kernel(const Limits *limits, const char *condition) {
  HdParamInfo info;
  for (const char *p = condition; *p;) {
    if (!check_launch_is_word_char(*p)) {
      p++;
      continue;
    }
    const char *begin = p;
    while (check_launch_is_word_char(*p))
      p++;
    bool is_member = begin > condition && begin[-1] == '.';
    const char *word =
        arena_strndup(limits->options->arena, begin, (size_t)(p - begin));
    if (!is_member && !isdigit((unsigned char)*word) && !is_known_word(word) &&
        !check_launch_find_param(limits, word, &info))
      return false;
  }
  return true;
}

// A condition is for the kernel that was named; for all of a file it is left
// out where it means nothing.
static void add_conditions(Limits *limits) {
  const Options *options = limits->options;
  bool is_named =
      options->kernel || hd_program_kernel_count(limits->program) == 1;
  for (uint32_t i = 0; i < options->assumptions.count; i++) {
    const char *condition = options->assumptions.data[i];
    if (is_named || is_about_kernel(limits, condition))
      VEC_PUSH(options->arena, &limits->assumptions, condition);
  }
}

// ------------------------------------------------------------------ values

// Elements of "[n][m]", or of a file; -1: not known.
static int64_t count_elements(const Options *options, const Assignment *given) {
  const char *text = given->extents;
  int64_t count = 1, extent;
  if (!text && given->value[0] == '@') {
    HostArray array;
    if (npy_read(options->arena, given->value + 1, &array))
      return -1;
    count = array_count(&array);
    array_fini(&array);
    return count;
  }
  for (; text && *text == '['; text += strcspn(text, "]") + 1) {
    if (expression_value(options, text + 1, strcspn(text, "]") - 1, &extent) ||
        extent < 0 || __builtin_mul_overflow(count, extent, &count))
      return -1;
  }
  return given->extents ? count : -1;
}

// The same for an array that is all of another's.
static int64_t count_shared(const Options *options, const Assignment *given) {
  const char *offset;
  const char *name = cli_shared_name(options->arena, given->value, &offset);
  for (uint32_t i = 0; name && !offset && i < options->assignments.count; i++)
    if (strcmp(options->assignments.data[i].name, name) == 0)
      return count_elements(options, &options->assignments.data[i]);
  return -1;
}

static bool check_launch_is_integer(const HdParamInfo *info) {
  static const char *const floats[] = {"float", "double", "half", "bfloat"};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    if (strstr(info->declared, floats[i]))
      return false;
  return info->kind == HD_PARAM_SCALAR;
}

static void check_launch_add_value(Limits *limits, const Assignment *given) {
  const Options *options = limits->options;
  HdParamInfo info;
  int64_t number;
  if (!check_launch_find_param(limits, given->name, &info))
    return;
  bool is_array = array_is_param(&info);
  int64_t elements = is_array ? count_elements(options, given) : -1;
  if (is_array && elements < 0)
    elements = count_shared(options, given);
  const char *condition = NULL;
  if (elements >= 0)
    condition = arena_printf(options->arena, "len(%s) == %" PRId64, info.name,
                             elements);
  else if (check_launch_is_integer(&info) &&
           !expression_value(options, given->value, strlen(given->value),
                             &number))
    condition =
        arena_printf(options->arena, "%s == %" PRId64, info.name, number);
  if (condition)
    VEC_PUSH(options->arena, &limits->assumptions, condition);
}

static void check_launch_add_values(Limits *limits) {
  const Options *options = limits->options;
  HdParamInfo info;
  for (uint32_t i = 0; i < options->assignments.count; i++)
    check_launch_add_value(limits, &options->assignments.data[i]);
  if (!options->shared_text ||
      !check_launch_find_param(limits, "dynamic_shared_bytes", &info))
    return;
  const char *condition =
      arena_printf(options->arena, "dynamic_shared_bytes == %" PRId64,
                   options->shared_bytes);
  VEC_PUSH(options->arena, &limits->assumptions, condition);
}

static bool check_launch_is_array(const Limits *limits, const char *name) {
  HdParamInfo info;
  return check_launch_find_param(limits, name, &info) && array_is_param(&info);
}

// What array a parameter is given by the name of, perhaps in part; itself, if
// of none.
static const char *source_of(const Limits *limits, const Assignment *given,
                             bool *is_part) {
  const char *offset;
  const char *other =
      cli_shared_name(limits->options->arena, given->value, &offset);
  bool is_shared = other && check_launch_is_array(limits, other);
  *is_part |= is_shared && offset;
  return is_shared ? other : given->name;
}

// Pairs of parameters with one array, or with parts of one.
static const char *const *shared_arrays(const Limits *limits,
                                        bool wants_parts) {
  const Options *options = limits->options;
  hd_vec(const char *) pairs = {0};
  for (uint32_t i = 0; i < options->assignments.count; i++)
    for (uint32_t k = 0; k < i; k++) {
      const Assignment *a = &options->assignments.data[i];
      const Assignment *b = &options->assignments.data[k];
      bool is_part = false;
      bool is_one = strcmp(source_of(limits, a, &is_part),
                           source_of(limits, b, &is_part)) == 0;
      if (!is_one || is_part != wants_parts ||
          !check_launch_is_array(limits, a->name) ||
          !check_launch_is_array(limits, b->name))
        continue;
      VEC_PUSH(options->arena, &pairs, a->name);
      VEC_PUSH(options->arena, &pairs, b->name);
    }
  VEC_PUSH(options->arena, &pairs, NULL);
  return pairs.data;
}

HdCheckOptions cli_check_options(const Options *options,
                                 const HdProgram *program, const char *kernel) {
  HdCheckOptions check = options->check;
  Limits limits = {.options = options, .program = program, .kernel = kernel};
  check.has_grid = options->grid_text != NULL;
  memcpy(check.grid, options->grid, sizeof check.grid);
  check.shared = shared_arrays(&limits, false);
  check.overlapping = shared_arrays(&limits, true);
  if (hd_program_language(program) != HD_LANGUAGE_CUDA)
    return check;
  add_conditions(&limits);
  check_launch_add_values(&limits);
  VEC_PUSH(options->arena, &limits.assumptions, NULL);
  check.assumptions = limits.assumptions.data;
  return check;
}
