// SPDX-License-Identifier: Apache-2.0
// heddle run: two parameters that are given one array, `y=x`, or a part of it
// from an element on, `y=x+100`.
#include "cli/run_share.h"
#include "cli/expression.h"

#include <ctype.h>
#include <string.h>

static size_t name_length(const char *text) {
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '_')
    n++;
  return n;
}

static bool run_share_is_word(const char *text) {
  return strcmp(text, "zeros") == 0 || strcmp(text, "iota") == 0;
}

const char *cli_shared_name(Arena *arena, const char *value,
                            const char **offset) {
  size_t n = name_length(value);
  *offset = value[n] == '+' ? value + n + 1 : NULL;
  if (n == 0 || isdigit((unsigned char)value[0]) || run_share_is_word(value) ||
      (value[n] != 0 && value[n] != '+'))
    return NULL;
  return arena_strndup(arena, value, n);
}

// What parameter the value names, or -1: it is none.
static int run_share_source_of(const Run *run, const Assignment *given,
                               const char **offset) {
  const char *name = cli_shared_name(run->options->arena, given->value, offset);
  int index = name ? run_find_param(run, name) : -1;
  return index >= 0 && array_is_param(&run->params[index]) ? index : -1;
}

bool run_is_shared(const Run *run, const Assignment *given) {
  const char *offset;
  return given && run_share_source_of(run, given, &offset) >= 0;
}

static int share_error(const char *name, const char *why) {
  cli_error("argument '%s': %s", name, why);
  return EXIT_USAGE;
}

// The shape of the view: as it was typed, as the kernel has it, or, of a
// pointer, all that follows.
static int find_shape(Run *run, const HdParamInfo *info,
                      const Assignment *given, HdBuffer *from, int64_t first,
                      int *rank, int64_t extents[8]) {
  if (given->extents)
    return run_read_extents(run, info->name, given->extents, rank, extents);
  if (info->kind == HD_PARAM_ARRAY) {
    HdStatus status = hd_args_extents(run->args, info->name, rank, extents);
    return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
  }
  int64_t last = 0;
  *rank = 1;
  extents[0] = 0;
  for (int i = 0; i < hd_buffer_rank(from); i++) {
    if (hd_buffer_extent(from, i) == 0)
      return EXIT_DONE;
    last += (hd_buffer_extent(from, i) - 1) * hd_buffer_stride(from, i);
  }
  extents[0] = last + 1 > first ? last + 1 - first : 0;
  return EXIT_DONE;
}

static int cli_run_share(Run *run, int index, const Assignment *given,
                         int source, const char *offset) {
  const HdParamInfo *info = &run->params[index];
  HdBuffer *from = run->buffers[source];
  int64_t first = 0, extents[8];
  int rank;
  const char *why =
      offset ? expression_value(run->options, offset, strlen(offset), &first)
             : NULL;
  if (why)
    return share_error(info->name, why);
  int result = find_shape(run, info, given, from, first, &rank, extents);
  if (result != EXIT_DONE)
    return result;
  HdStatus status =
      hd_buffer_view(from, first, rank, extents, NULL, &run->buffers[index]);
  if (status != HD_OK) {
    share_error(info->name, hd_last_message(run->session));
    return cli_exit_status(status);
  }
  status = hd_args_set(run->args, info->name, HD_BUF(run->buffers[index]));
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

int run_set_shared_arrays(Run *run) {
  int status = EXIT_DONE;
  bool *is_shared =
      ARENA_ARRAY(run->options->arena, bool, (size_t)run->n_params + 1);
  for (int i = 0; i < run->n_params; i++)
    is_shared[i] = array_is_param(&run->params[i]) &&
                   run_is_shared(run, run_given(run, run->params[i].name));
  for (int i = 0; i < run->n_params && status == EXIT_DONE; i++) {
    const Assignment *given = run_given(run, run->params[i].name);
    const char *offset;
    if (!is_shared[i])
      continue;
    int source = run_share_source_of(run, given, &offset);
    status = is_shared[source]
                 ? share_error(run->params[i].name,
                               arena_printf(run->options->arena,
                                            "'%s' isn't an array of its own: "
                                            "name the one that it shares",
                                            run->params[source].name))
                 : cli_run_share(run, i, given, source, offset);
  }
  return status;
}
