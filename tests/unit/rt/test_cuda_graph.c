// SPDX-License-Identifier: Apache-2.0
// Failures of launches that a GPU collects and starts together; what graphs are
// like on every device is in test_cuda_like_cpu.c.
#include "cuda_setup.h"

#include <stdatomic.h>

static atomic_int n_done;

static void count_done(void *context) {
  (void)context;
  atomic_fetch_add(&n_done, 1);
}

// Appends the first argument to a list; fails where it is 13.
static uint64_t ran[16];
static int n_ran;

static int note_argument(const FakeLaunch *launch, void *context) {
  (void)context;
  ran[n_ran++] = launch->words[0];
  if (launch->words[0] == 13)
    return write_fault(fault_of(launch, 1), HD_CUDA_FAULT_TRAP, CU_OK);
  if (launch->words[0] == 14)
    return CU_ILLEGAL_ADDRESS;
  return CU_OK;
}

typedef struct {
  RtDevice *device;
  RtStream *stream;
  RtCode *code;
} Setting;

static Setting open_setting(void) {
  KernelText k = plain;
  k.slots = 1;
  k.fixed = 8;
  n_ran = 0;
  atomic_store(&n_done, 0);
  fake->on_kernel(note_argument, NULL);
  Setting s = {.device = open_cuda()};
  s.stream = new_stream(s.device);
  s.code = load(s.device, &k);
  return s;
}

static void close_setting(Setting *s) {
  s->device->ops->stream_free(s->stream);
  s->device->ops->code_free(s->device, s->code);
  s->device->ops->close(s->device);
}

static HdStatus launch_with(const Setting *s, uint64_t argument) {
  RtLaunch launch = launch_of(s->code);
  launch.args = &argument;
  launch.n_slots = 1;
  return s->device->ops->launch(s->device, s->stream, &launch, count_done, NULL,
                                &error);
}

static RtGraph *collect(const Setting *s, const uint64_t *arguments, int n) {
  RtGraph *graph = NULL;
  assert_int_equal(s->device->ops->graph_begin(s->stream, &error), HD_OK);
  for (int i = 0; i < n; i++)
    assert_int_equal(launch_with(s, arguments[i]), HD_OK);
  assert_int_equal(s->device->ops->graph_end(s->stream, &graph, &error), HD_OK);
  return graph;
}

static HdStatus start(const Setting *s, RtGraph *graph, RtStream *stream) {
  return s->device->ops->graph_launch(graph, stream, NULL, count_done, NULL,
                                      &error);
}

static void failures_in_a_graph_are_told(void **state) {
  (void)state;
  static const uint64_t arguments[] = {1, 13, 2};
  Setting s = open_setting();
  RtGraph *graph = collect(&s, arguments, 3);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(start(&s, graph, s.stream), HD_OK);
    assert_int_equal(s.device->ops->stream_wait(s.stream, &error),
                     HD_ERROR_TRAP);
    assert_string_equal(error.text, "k.hd:3:5: trap() in kernel 'k', block (5, "
                                    "1, 0), thread (1, 1, 0)");
  }
  assert_int_equal(s.device->ops->stream_wait(s.stream, &error), HD_OK);
  s.device->ops->graph_free(graph);
  close_setting(&s);
}

static void a_graph_can_lose_the_device(void **state) {
  (void)state;
  static const uint64_t arguments[] = {1, 14};
  Setting s = open_setting();
  RtGraph *graph = collect(&s, arguments, 2), *none;
  assert_int_equal(start(&s, graph, NULL), HD_ERROR_TRAP);
  assert_non_null(
      strstr(error.text, "kernel 'k' accessed an address that isn't valid"));
  assert_int_equal(start(&s, graph, s.stream), HD_ERROR_DEVICE);
  assert_int_equal(s.device->ops->graph_begin(s.stream, &error),
                   HD_ERROR_DEVICE);
  assert_int_equal(s.device->ops->graph_end(s.stream, &none, &error),
                   HD_ERROR_ARGUMENT);
  s.device->ops->graph_free(graph);
  close_setting(&s);
}

static void refused_launches_are_not_collected(void **state) {
  (void)state;
  Setting s = open_setting();
  RtGraph *graph;
  assert_int_equal(s.device->ops->graph_begin(s.stream, &error), HD_OK);
  RtLaunch launch = launch_of(s.code);
  assert_int_equal(run(s.device, s.stream, &launch), HD_ERROR_ARGUMENT);
  fake->fail_at("cuLaunchKernelEx", 1, CU_INVALID_VALUE);
  assert_int_equal(launch_with(&s, 3), HD_ERROR_DEVICE);
  assert_int_equal(launch_with(&s, 4), HD_OK);
  assert_int_equal(s.device->ops->graph_end(s.stream, &graph, &error), HD_OK);
  assert_int_equal(start(&s, graph, NULL), HD_OK);
  assert_int_equal(n_ran, 1);
  assert_int_equal(ran[0], 4);
  s.device->ops->graph_free(graph);
  close_setting(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CUDA_TEST(failures_in_a_graph_are_told),
      CUDA_TEST(a_graph_can_lose_the_device),
      CUDA_TEST(refused_launches_are_not_collected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
