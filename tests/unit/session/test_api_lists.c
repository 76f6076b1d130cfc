// SPDX-License-Identifier: Apache-2.0
// Lists of buffers as arguments for arrays of arrays.
#include "session/api_expect.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char source[] =
    "kernel void add(int n, int m, const int (*xs[n])[m], int (*ys[n])[m])\n"
    "    grid(n) requires(disjoint(ys))\n"
    "{\n"
    "    int g = block_index().x;\n"
    "    for (int i = 0; i < m; i += 8)\n"
    "        ys[g][i:8] += xs[g][i:8];\n"
    "}\n"
    "kernel void two(const int (*xs[2])[4], int y[4]) grid(1)\n"
    "{\n"
    "    y[0:4] = xs[0][0:4] * 10 + xs[1][0:4];\n"
    "}\n";

enum { LISTED = 3, LENGTH = 21 };

static HdProgram *program;
static HdDevice *device;

static int set_up(void **state) {
  (void)state;
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  assert_int_equal(hd_session_new(&options, &session), HD_OK);
  ok(hd_compile_text(session, "lists.hd", source, strlen(source), &program));
  ok(hd_device_open(session, "cpu:2", &device));
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  hd_program_free(program);
  hd_device_free(device);
  hd_session_free(session);
  return 0;
}

static HdBuffer *counted(int64_t length, int first) {
  HdBuffer *buffer;
  ok(hd_buffer_new(device, HD_I32, 1, &length, &buffer));
  int32_t *data = hd_buffer_data(buffer);
  for (int i = 0; i < length; i++)
    data[i] = first + i;
  return buffer;
}

static void make_lists(HdBuffer **xs, HdBuffer **ys) {
  for (int g = 0; g < LISTED; g++) {
    xs[g] = counted(LENGTH, 100 * g);
    ys[g] = counted(LENGTH, 7);
  }
}

static void free_list(HdBuffer **list, int count) {
  for (int i = 0; i < count; i++)
    hd_buffer_free(list[i]);
}

static void expect_sums(HdBuffer **ys, int times) {
  int32_t data[LENGTH];
  for (int g = 0; g < LISTED; g++) {
    ok(hd_buffer_read(ys[g], data, sizeof data));
    for (int i = 0; i < LENGTH; i++)
      assert_int_equal(data[i], 7 + i + times * (100 * g + i));
  }
}

static void each_buffer_has_its_place(void **state) {
  (void)state;
  HdBuffer *xs[LISTED], *ys[LISTED];
  make_lists(xs, ys);
  ok(hd_launch(program, "add", NULL, HD_INT(LISTED), HD_INT(LENGTH),
               HD_BUFS(xs, LISTED), HD_BUFS(ys, LISTED), HD_END));
  expect_sums(ys, 1);
  free_list(xs, LISTED);
  free_list(ys, LISTED);
}

static void sizes_follow_from_the_list(void **state) {
  (void)state;
  HdBuffer *xs[LISTED], *ys[LISTED], **got;
  HdKernel *kernel;
  HdArgs *args;
  HdParamInfo info;
  HdArg value;
  int rank;
  int64_t extents[8];
  make_lists(xs, ys);
  ok(hd_kernel_get(program, "add", NULL, 0, &kernel));
  ok(hd_kernel_param(kernel, 2, &info));
  assert_int_equal(info.kind, HD_PARAM_ARRAYS);
  assert_int_equal(info.rank, 1);
  ok(hd_args_new(kernel, &args));
  ok(hd_args_set(args, "xs", HD_BUFS(xs, LISTED)));
  free_list(xs, LISTED); // the arguments hold them
  ok(hd_args_infer(args));
  ok(hd_args_extents(args, "ys", &rank, extents));
  assert_int_equal(rank, 2);
  assert_int_equal(extents[0], LISTED);
  assert_int_equal(extents[1], LENGTH);
  ok(hd_args_set(args, "ys", HD_BUFS(ys, LISTED)));
  ok(hd_args_get(args, "ys", &value));
  assert_int_equal(value.kind, HD_ARG_BUFFERS);
  assert_int_equal(value.integer, LISTED);
  got = (HdBuffer **)(uintptr_t)value.bytes;
  assert_ptr_equal(hd_buffer_data(got[2]), hd_buffer_data(ys[2]));
  ok(hd_args_launch(args, NULL, NULL));
  ok(hd_args_launch(args, NULL, NULL));
  expect_sums(ys, 2);
  hd_args_free(args);
  hd_kernel_free(kernel);
  free_list(ys, LISTED);
}

// The launch holds what it needs: lists and arguments are gone when it runs.
static void streams_and_graphs_keep_lists(void **state) {
  (void)state;
  HdBuffer *xs[LISTED], *ys[LISTED];
  HdStream *stream;
  HdGraph *graph;
  make_lists(xs, ys);
  ok(hd_stream_new(device, &stream));
  for (int i = 0; i < 4; i++) {
    HdBuffer *list[LISTED];
    memcpy(list, xs, sizeof list);
    ok(hd_launch(program, "add", stream, HD_INT(LISTED), HD_INT(LENGTH),
                 HD_BUFS(list, LISTED), HD_BUFS(ys, LISTED), HD_END));
    memset(list, 0, sizeof list);
  }
  ok(hd_stream_wait(stream));
  ok(hd_graph_begin(stream));
  ok(hd_launch(program, "add", stream, HD_INT(LISTED), HD_INT(LENGTH),
               HD_BUFS(xs, LISTED), HD_BUFS(ys, LISTED), HD_END));
  ok(hd_graph_end(stream, &graph));
  free_list(xs, LISTED);
  for (int i = 0; i < 3; i++)
    ok(hd_graph_launch(graph, stream));
  ok(hd_stream_wait(stream));
  expect_sums(ys, 7);
  hd_graph_free(graph);
  hd_stream_free(stream);
  free_list(ys, LISTED);
}

static void add_refused(HdArg xs, HdArg ys, const char *why) {
  refused(hd_launch(program, "add", NULL, HD_INT(LISTED), HD_INT(LENGTH), xs,
                    ys, HD_END),
          HD_ERROR_LAUNCH, why);
}

static void wrong_lists_are_refused(void **state) {
  (void)state;
  HdBuffer *xs[LISTED], *ys[LISTED], *list[LISTED], *other, *part;
  int64_t length = LENGTH, shape[2] = {3, 7};
  make_lists(xs, ys);
  memcpy(list, ys, sizeof list);
  HdArg good = HD_BUFS(xs, LISTED);
  add_refused(good, HD_BUF(ys[0]),
              "argument 'ys': is an array of arrays: a list of buffers");
  add_refused(good, HD_BUFS(NULL, 3), "a list of buffers is needed");
  add_refused(good, HD_BUFS(ys, 0), "a list has 1 to");
  add_refused(good, HD_BUFS(ys, -1), "a list has 1 to");
  add_refused(good, HD_BUFS(ys, 2),
              "argument 'ys': a list of 2 buffers, but the kernel states 3");
  list[1] = NULL;
  add_refused(good, HD_BUFS(list, LISTED), "argument 'ys': buffer 1 is NULL");
  list[0] = NULL;
  add_refused(good, HD_BUFS(list, LISTED), "argument 'ys': buffer 0 is NULL");
  list[0] = ys[0];
  ok(hd_buffer_new(device, HD_F32, 1, &length, &other));
  list[1] = other;
  add_refused(good, HD_BUFS(list, LISTED),
              "buffer 1 has elements of type float32, but the arrays have "
              "int32");
  hd_buffer_free(other);
  list[1] = other = counted(LENGTH - 1, 0);
  add_refused(good, HD_BUFS(list, LISTED),
              "extent 0 of buffer 1 is 20, but that of buffer 0 is 21");
  hd_buffer_free(other);
  ok(hd_buffer_new(device, HD_I32, 2, shape, &other));
  list[1] = other;
  add_refused(good, HD_BUFS(list, LISTED),
              "buffer 1 has 2 dimensions, but each of the arrays has 1");
  hd_buffer_free(other);
  other = counted(2 * LENGTH, 0);
  ok(hd_buffer_view(other, 0, 1, &length, (int64_t[]){2}, &part));
  list[1] = part;
  add_refused(good, HD_BUFS(list, LISTED),
              "stride 0 of buffer 1 is 2, but a dense array has 1");
  hd_buffer_free(part);
  hd_buffer_free(other);
  list[1] = ys[2];
  add_refused(good, HD_BUFS(list, LISTED),
              "requires disjoint(ys), which is false: buffers 1 and 2 of 'ys' "
              "overlap");
  list[1] = xs[0];
  add_refused(good, HD_BUFS(list, LISTED),
              "arguments 'xs' and 'ys' overlap in memory");
  refused(
      hd_launch(program, "two", NULL, HD_BUFS(xs, 2), HD_BUFS(ys, 3), HD_END),
      HD_ERROR_LAUNCH, "argument 'y'");
  free_list(xs, LISTED);
  free_list(ys, LISTED);
}

static void what_is_read_may_be_one_buffer(void **state) {
  (void)state;
  HdBuffer *x = counted(4, 1), *y = counted(4, 0), *list[2] = {x, x};
  ok(hd_launch(program, "two", NULL, HD_BUFS(list, 2), HD_BUF(y), HD_END));
  int32_t data[4];
  ok(hd_buffer_read(y, data, sizeof data));
  for (int i = 0; i < 4; i++)
    assert_int_equal(data[i], 11 * (i + 1));
  hd_buffer_free(x);
  hd_buffer_free(y);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_buffer_has_its_place),
      cmocka_unit_test(sizes_follow_from_the_list),
      cmocka_unit_test(streams_and_graphs_keep_lists),
      cmocka_unit_test(wrong_lists_are_refused),
      cmocka_unit_test(what_is_read_may_be_one_buffer),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
