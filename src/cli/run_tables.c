// SPDX-License-Identifier: Apache-2.0
// Arrays of arrays as arguments of heddle run: `ws=@a.npy,@b.npy`, or words
// that fill each of them.
#include "cli/run.h"

#include "base/panic.h"
#include <string.h>

static int give_list(Run *run, int index) {
  RunList *list = &run->lists[index];
  HdStatus status = hd_args_set(run->args, run->params[index].name,
                                HD_BUFS(list->buffers, list->count));
  return status == HD_OK ? EXIT_DONE : cli_fail(run->session, status);
}

static void run_tables_new_list(Run *run, int index, int64_t count) {
  run->lists[index].buffers =
      ARENA_ARRAY(run->options->arena, HdBuffer *, (size_t)count + 1);
  run->lists[index].count = (int)count;
}

// "@a.npy,@b.npy": each file begins with an @.
static int count_files(const char *text) {
  int count = 1;
  for (const char *p = strstr(text, ",@"); p; p = strstr(p + 1, ",@"))
    count++;
  return count;
}

static int set_list_of_files(Run *run, int index, const char *text) {
  run_tables_new_list(run, index, count_files(text));
  int result = EXIT_DONE;
  for (int i = 0; result == EXIT_DONE && i < run->lists[index].count; i++) {
    const char *end = strstr(text, ",@");
    size_t length = end ? (size_t)(end - text) : strlen(text);
    const char *path = arena_strndup(run->options->arena, text + 1, length - 1);
    result = run_read_buffer(run, &run->params[index], path,
                             &run->lists[index].buffers[i]);
    text += length + (end ? 1 : 0);
  }
  return result == EXIT_DONE ? give_list(run, index) : result;
}

int run_set_table_files(Run *run) {
  int result = EXIT_DONE;
  for (int i = 0; i < run->n_params && result == EXIT_DONE; i++) {
    const Assignment *given = run_given(run, run->params[i].name);
    if (run->params[i].kind != HD_PARAM_ARRAYS || !given)
      continue;
    if (given->extents) {
      cli_error("argument '%s' is an array of arrays: the kernel says how many "
                "and how large, so leave the extents out",
                given->name);
      return EXIT_USAGE;
    }
    if (given->value[0] == '@')
      result = set_list_of_files(run, i, given->value);
  }
  return result;
}

static int make_list(Run *run, int index) {
  const HdParamInfo *info = &run->params[index];
  const Assignment *given = run_given(run, info->name);
  int rank, result = EXIT_DONE;
  int64_t extents[8];
  HdStatus status = hd_args_extents(run->args, info->name, &rank, extents);
  if (status != HD_OK)
    return cli_fail(run->session, status);
  if (extents[0] > 1 << 20)
    extents[0] = 0; // hd_args_set says how many there may be
  run_tables_new_list(run, index, extents[0]);
  for (int64_t i = 0; i < extents[0] && result == EXIT_DONE; i++) {
    HdBuffer **buffer = &run->lists[index].buffers[i];
    status = run_make_buffer(run, info, rank - 1, extents + 1, buffer);
    result = status == HD_OK ? run_fill_buffer(run, info, *buffer,
                                               given ? given->value : NULL)
                             : cli_fail(run->session, status);
  }
  return result == EXIT_DONE ? give_list(run, index) : result;
}

int run_make_tables(Run *run) {
  int result = EXIT_DONE;
  for (int i = 0; i < run->n_params && result == EXIT_DONE; i++)
    if (run->params[i].kind == HD_PARAM_ARRAYS && !run->lists[i].buffers)
      result = make_list(run, i);
  return result;
}

void run_free_tables(Run *run) {
  for (int i = 0; i < run->n_params && run->lists; i++) {
    for (int k = 0; k < run->lists[i].count; k++)
      hd_buffer_free(run->lists[i].buffers[k]);
    run->lists[i] = (RunList){0};
  }
}

// "out.npy": "out.0.npy", "out.1.npy", …
const char *run_member_path(const Run *run, const char *path, int i) {
  HD_ASSERT(i >= 0);
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash ? slash : path, '.');
  int length = (int)(dot ? (size_t)(dot - path) : strlen(path));
  return arena_printf(run->options->arena, "%.*s.%d%s", length, path, i,
                      dot ? dot : "");
}
