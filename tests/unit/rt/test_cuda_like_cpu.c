// SPDX-License-Identifier: Apache-2.0
// What rt/device.h promises of every device: the same tests on the CPU and over
// the stand-in for the driver; on a real GPU with the argument `gpu`. Each has
// a kernel that appends its argument to a list in the device's memory.
#include "cuda_setup.h"

#include "abi/cpu.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { FAILS = 13, MOST = 30 };

typedef struct {
  uint64_t n, values[MOST];
} List;

static const char failure[] =
    "k.hd:3:5: trap() in kernel 'k', block (0, 0, 0), thread (0, 0, 0)";

// ------------------------------------------------------------ the kernels

static void append(uint64_t list, uint64_t value) {
  List *at = (List *)(uintptr_t)list;
  at->values[at->n++] = value;
}

static void cpu_append(const HdCpuLaunch *l, HdCpuBlock *block, int64_t first,
                       int64_t last) {
  for (int64_t b = first; b < last; b++) {
    block->linear = b;
    append(l->args[1], l->args[0]);
    if (l->args[0] == FAILS)
      l->services->trap(block, 1, 0, NULL);
  }
}

static int fake_append(const FakeLaunch *launch, void *context) {
  (void)context;
  append(launch->words[1], launch->words[0]);
  if (launch->words[0] == FAILS)
    *fault_of(launch, 2) = (HdCudaFault){
        .state = 2, .kind = HD_CUDA_FAULT_TRAP, .loc = 1, .text = UINT32_MAX};
  return CU_OK;
}

// The same for a GPU: `state` is written last.
static const char gpu_append[] =
    "(.param .align 8 .b8 p[48]) {\n"
    ".reg .pred %p;\n.reg .b64 %value, %list, %fault, %n, %at;\n"
    "ld.param.u64 %value, [p];\n"
    "ld.param.u64 %list, [p+8];\n"
    "ld.param.u64 %fault, [p+16];\n"
    "atom.global.add.u64 %n, [%list], 1;\n"
    "shl.b64 %at, %n, 3;\n"
    "add.u64 %at, %at, %list;\n"
    "st.global.u64 [%at+8], %value;\n"
    "setp.ne.u64 %p, %value, 13;\n"
    "@%p ret;\n"
    "st.u32 [%fault+4], 1;\n"
    "st.u32 [%fault+8], 1;\n"
    "st.u32 [%fault+12], 4294967295;\n"
    "st.u64 [%fault+16], 0;\n"
    "st.u64 [%fault+24], 0;\n"
    "fence.acq_rel.sys;\n"
    "st.u32 [%fault], 2;\n"
    "ret;\n}\n";

static const char *const locs[] = {"unknown place", "k.hd:3:5"};

static const HdCpuKernel cpu_kernel = {.abi_version = HD_CPU_ABI_VERSION,
                                       .name = "k",
                                       .file = "k.hd",
                                       .run_range = cpu_append,
                                       .locs = locs,
                                       .n_locs = 2,
                                       .block_dim = {1, 1, 1, 0}};

// ----------------------------------------------------------- the device

static const RtDeviceOps *ops; // of the tests that run now
static RtDevice *device;
static const void *code;
static void *list; // on the device
static RtStream *stream;
static atomic_int n_done;

static void ok(HdStatus status) {
  if (status != HD_OK)
    fail_msg("%s", error.text);
}

static void fails(HdStatus status, HdStatus wanted, const char *text) {
  assert_int_equal(status, wanted);
  assert_string_equal(error.text, text);
}

static void set_up(void) {
  KernelText k = plain;
  k.slots = 2;
  memcpy(k.block, (unsigned[3]){1, 1, 1}, sizeof k.block);
  k.entry = gpu_append;
  atomic_store(&n_done, 0);
  ok(ops->open(-1, &device, &error));
  assert_ptr_equal(device->ops, ops);
  assert_ptr_equal(ops->code_load == NULL, ops->code_free == NULL);
  code = ops->code_load ? (const void *)load(device, &k) : &cpu_kernel;
  ok(ops->memory_new(device, sizeof(List), &list, &error));
  ok(ops->stream_new(device, &stream, &error));
}

static int set_up_cpu(void **state) {
  (void)state;
  ops = &rt_cpu_ops;
  set_up();
  return 0;
}

static int set_up_fake(void **state) {
  ops = &rt_cuda_ops;
  fake_setup(state);
  fake->on_kernel(fake_append, NULL);
  set_up();
  return 0;
}

static int set_up_gpu(void **state) {
  (void)state;
  ops = &rt_cuda_ops;
  set_up();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  ops->stream_free(stream);
  ops->memory_free(device, list);
  if (ops->code_free)
    ops->code_free(device, (RtCode *)(uintptr_t)code);
  ops->close(device);
  return 0;
}

static int tear_down_fake(void **state) {
  tear_down(state);
  return fake_teardown(state);
}

static void count_done(void *context) {
  (void)context;
  atomic_fetch_add(&n_done, 1);
}

static HdStatus launch_with(RtStream *on, uint64_t value,
                            const int32_t *interrupt) {
  uint64_t args[2] = {value, (uint64_t)(uintptr_t)list};
  RtLaunch launch = {.code = code,
                     .args = args,
                     .n_slots = 2,
                     .grid = {1, 1, 1},
                     .interrupt = interrupt};
  HdStatus status = ops->launch(device, on, &launch, count_done, NULL, &error);
  args[0] = 99; // they were copied
  return status;
}

// What ran so far, in this order.
static void expect(const uint64_t *values, uint64_t n) {
  List read;
  ok(ops->memory_read(device, &read, list, sizeof read, &error));
  assert_int_equal(read.n, n);
  if (n > 0)
    assert_memory_equal(read.values, values, n * sizeof *values);
}

// ------------------------------------------------------- memory, launches

static void memory_is_zeroed_and_aligned(void **state) {
  (void)state;
  static uint8_t bytes[1 << 20];
  static const uint64_t sizes[] = {0, 1, 127, 128, sizeof bytes};
  for (int i = 0; i < 5; i++) {
    void *memory;
    uint64_t last = sizes[i] ? sizes[i] - 1 : 0;
    uint8_t byte = 7;
    ok(ops->memory_new(device, sizes[i], &memory, &error));
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 128, 0);
    memset(bytes, 1, sizeof bytes);
    ok(ops->memory_read(device, bytes, memory, sizes[i], &error));
    for (uint64_t b = 0; b < sizes[i]; b++)
      assert_int_equal(bytes[b], 0);
    if (sizes[i] > 0) {
      char *end = (char *)memory + last;
      ok(ops->memory_write(device, end, &byte, 1, &error));
      ok(ops->memory_read(device, bytes, memory, sizes[i], &error));
      assert_int_equal(bytes[last], 7);
      assert_true(last == 0 || bytes[0] == 0);
    }
    ops->memory_free(device, memory);
  }
}

static void nothing_may_be_freed(void **state) {
  (void)state;
  ops->memory_free(device, NULL);
  ops->stream_free(NULL);
  ops->event_free(NULL);
  ops->graph_free(NULL);
  ops->close(NULL);
}

static void a_launch_without_a_stream_has_ended(void **state) {
  (void)state;
  static const uint64_t ran[] = {5, 6};
  for (int i = 0; i < 2; i++) {
    ok(launch_with(NULL, ran[i], NULL));
    assert_int_equal(atomic_load(&n_done), i + 1);
    expect(ran, (uint64_t)i + 1);
  }
  fails(launch_with(NULL, FAILS, NULL), HD_ERROR_TRAP, failure);
  assert_int_equal(atomic_load(&n_done), 3);
  ok(launch_with(NULL, 7, NULL)); // it told its failure
}

static void a_stream_runs_in_order(void **state) {
  (void)state;
  static const uint64_t ran[] = {3, 1, 4, 1, 5, 9, 2, 6};
  for (int i = 0; i < 8; i++)
    ok(launch_with(stream, ran[i], NULL));
  ok(ops->stream_wait(stream, &error));
  assert_int_equal(atomic_load(&n_done), 8);
  expect(ran, 8);
}

// Whether launches behind the one that failed run isn't promised.
static void a_failure_is_told_once(void **state) {
  (void)state;
  ok(launch_with(stream, 1, NULL));
  ok(launch_with(stream, FAILS, NULL));
  (void)launch_with(stream, 2, NULL);
  fails(ops->stream_wait(stream, &error), HD_ERROR_TRAP, failure);
  assert_int_equal(atomic_load(&n_done), 3);
  ok(ops->stream_wait(stream, &error));
  ok(launch_with(stream, 3, NULL));
  ok(ops->stream_wait(stream, &error));
  assert_int_equal(atomic_load(&n_done), 4);
}

static void an_interrupted_launch_does_not_run(void **state) {
  (void)state;
  static const int32_t interrupt = 1;
  fails(launch_with(NULL, 1, &interrupt), HD_ERROR_INTERRUPTED, "interrupted");
  assert_int_equal(atomic_load(&n_done), 1);
  expect(NULL, 0);
}

// ----------------------------------------------------------------- events

static void an_event_is_reached_behind_its_launches(void **state) {
  (void)state;
  static const uint64_t ran[] = {1, 2};
  RtEvent *start, *end;
  double ms = -1;
  ok(ops->event_new(device, &start, &error));
  ok(ops->event_new(device, &end, &error));
  ok(ops->event_wait(end, &error)); // never recorded: nothing to wait for
  fails(ops->event_elapsed_ms(start, end, &ms, &error), HD_ERROR_ARGUMENT,
        "an event was never recorded");
  ok(ops->event_record(start, stream, &error));
  ok(launch_with(stream, 1, NULL));
  ok(launch_with(stream, 2, NULL));
  ok(ops->event_record(end, stream, &error));
  ok(ops->event_wait(end, &error));
  expect(ran, 2);
  ok(ops->event_elapsed_ms(start, end, &ms, &error));
  assert_true(ms >= 0);
  ok(ops->event_record(end, NULL, &error));
  ok(ops->event_wait(end, &error));
  ops->event_free(start);
  ops->event_free(end);
}

static void streams_wait_for_events(void **state) {
  (void)state;
  static const uint64_t ran[] = {1, 2, 3, 4, 5, 6};
  RtStream *other;
  ok(ops->stream_new(device, &other, &error));
  RtStream *turns[2] = {stream, other};
  for (int i = 0; i < 6; i++) {
    RtEvent *event;
    ok(ops->event_new(device, &event, &error));
    ok(launch_with(turns[i % 2], ran[i], NULL));
    ok(ops->event_record(event, turns[i % 2], &error));
    ok(ops->stream_wait_event(turns[(i + 1) % 2], event, &error));
    ops->event_free(event); // while it may have to be reached still
  }
  ok(ops->stream_wait(stream, &error));
  ok(ops->stream_wait(other, &error));
  expect(ran, 6);
  ops->stream_free(other);
}

// ----------------------------------------------------------------- graphs

static RtGraph *collect(const uint64_t *values, int n) {
  RtGraph *graph = NULL;
  ok(ops->graph_begin(stream, &error));
  for (int i = 0; i < n; i++)
    ok(launch_with(stream, values[i], NULL));
  ok(ops->graph_end(stream, &graph, &error));
  assert_non_null(graph);
  return graph;
}

static HdStatus start_graph(RtGraph *graph, RtStream *on) {
  return ops->graph_launch(graph, on, NULL, count_done, NULL, &error);
}

static void a_graph_runs_what_was_collected(void **state) {
  (void)state;
  static const uint64_t ran[] = {4, 5, 6, 7, 5, 6, 7, 8, 5, 6, 7};
  ok(launch_with(stream, 4, NULL));
  RtGraph *graph = collect(ran + 1, 3);
  ok(ops->stream_wait(stream, &error));
  expect(ran, 1);
  ok(start_graph(graph, stream));
  ok(start_graph(graph, stream));
  ok(launch_with(stream, 8, NULL));
  ok(ops->stream_wait(stream, &error));
  assert_int_equal(atomic_load(&n_done), 4); // two graphs, two launches
  expect(ran, 8);
  ok(start_graph(graph, NULL));
  assert_int_equal(atomic_load(&n_done), 5);
  expect(ran, 11);
  ops->graph_free(graph);
  assert_int_equal(atomic_load(&n_done), 8); // those of the launches
}

static void a_graph_runs_on_any_stream(void **state) {
  (void)state;
  static const uint64_t ran[] = {1, 1, 1};
  RtGraph *graph = collect(ran, 1);
  ops->stream_free(stream); // a graph doesn't need the one that made it
  ok(ops->stream_new(device, &stream, &error));
  for (int i = 0; i < 3; i++)
    ok(start_graph(graph, stream));
  ok(ops->stream_wait(stream, &error));
  expect(ran, 3);
  ops->graph_free(graph);
}

static void an_empty_graph_does_nothing(void **state) {
  (void)state;
  RtGraph *graph = collect(NULL, 0);
  ok(start_graph(graph, stream));
  ok(ops->stream_wait(stream, &error));
  assert_int_equal(atomic_load(&n_done), 1);
  expect(NULL, 0);
  ops->graph_free(graph);
}

static void what_has_no_place_in_a_graph(void **state) {
  (void)state;
  static const uint64_t values[] = {1};
  static const char events[] =
      "events are not allowed in a graph: the stream collects launches";
  RtEvent *event;
  RtGraph *none = NULL, *graph = collect(values, 1);
  ok(ops->event_new(device, &event, &error));
  fails(ops->graph_end(stream, &none, &error), HD_ERROR_ARGUMENT,
        "the stream doesn't collect launches");
  ok(ops->graph_begin(stream, &error));
  fails(ops->graph_begin(stream, &error), HD_ERROR_ARGUMENT,
        "the stream collects launches already");
  fails(ops->stream_wait(stream, &error), HD_ERROR_ARGUMENT,
        "the stream collects launches for a graph: end that before it is "
        "waited for");
  fails(ops->event_record(event, stream, &error), HD_ERROR_ARGUMENT, events);
  fails(ops->stream_wait_event(stream, event, &error), HD_ERROR_ARGUMENT,
        events);
  fails(start_graph(graph, stream), HD_ERROR_ARGUMENT,
        "a graph can't be a part of another one");
  assert_int_equal(atomic_load(&n_done), 1);
  ok(launch_with(stream, 2, NULL));
  ops->stream_free(stream); // while it collects
  assert_int_equal(atomic_load(&n_done), 2);
  ok(ops->stream_new(device, &stream, &error));
  expect(NULL, 0);
  ops->event_free(event);
  ops->graph_free(graph);
}

static void a_failure_in_a_graph_is_told(void **state) {
  (void)state;
  static const uint64_t values[] = {1, FAILS, 2};
  RtGraph *graph = collect(values, 3);
  for (int i = 0; i < 2; i++) {
    ok(start_graph(graph, stream));
    fails(ops->stream_wait(stream, &error), HD_ERROR_TRAP, failure);
  }
  fails(start_graph(graph, NULL), HD_ERROR_TRAP, failure);
  ok(ops->stream_wait(stream, &error));
  ops->graph_free(graph);
}

static void a_failure_before_a_graph_is_for_the_next_wait(void **state) {
  (void)state;
  RtEvent *event;
  RtGraph *none;
  ok(ops->event_new(device, &event, &error));
  ok(launch_with(stream, FAILS, NULL));
  ok(ops->event_record(event, stream, &error));
  ok(ops->event_wait(event, &error));
  fails(ops->graph_begin(stream, &error), HD_ERROR_TRAP, failure);
  fails(ops->graph_end(stream, &none, &error), HD_ERROR_ARGUMENT,
        "the stream doesn't collect launches");
  fails(ops->stream_wait(stream, &error), HD_ERROR_TRAP, failure);
  ok(ops->graph_begin(stream, &error));
  ok(ops->graph_end(stream, &none, &error));
  ops->graph_free(none);
  ops->event_free(event);
}

static void an_interrupt_ends_a_graph(void **state) {
  (void)state;
  static const uint64_t values[] = {1};
  static const int32_t interrupt = 1;
  RtGraph *graph = collect(values, 1);
  fails(ops->graph_launch(graph, NULL, &interrupt, count_done, NULL, &error),
        HD_ERROR_INTERRUPTED, "interrupted");
  assert_int_equal(atomic_load(&n_done), 1);
  expect(NULL, 0);
  ops->graph_free(graph);
}

#define ALL(X)                                                                 \
  X(memory_is_zeroed_and_aligned)                                              \
  X(nothing_may_be_freed)                                                      \
  X(a_launch_without_a_stream_has_ended)                                       \
  X(a_stream_runs_in_order)                                                    \
  X(a_failure_is_told_once)                                                    \
  X(an_interrupted_launch_does_not_run)                                        \
  X(an_event_is_reached_behind_its_launches)                                   \
  X(streams_wait_for_events)                                                   \
  X(a_graph_runs_what_was_collected)                                           \
  X(a_graph_runs_on_any_stream)                                                \
  X(an_empty_graph_does_nothing)                                               \
  X(what_has_no_place_in_a_graph)                                              \
  X(a_failure_in_a_graph_is_told)                                              \
  X(a_failure_before_a_graph_is_for_the_next_wait)                             \
  X(an_interrupt_ends_a_graph)

#define ON_CPU(test) {"cpu: " #test, test, set_up_cpu, tear_down, NULL},
#define ON_FAKE(test)                                                          \
  {"fake GPU: " #test, test, set_up_fake, tear_down_fake, NULL},
#define ON_GPU(test) {"GPU: " #test, test, set_up_gpu, tear_down, NULL},

int main(int argc, char **argv) {
  static const struct CMUnitTest here[] = {ALL(ON_CPU) ALL(ON_FAKE)};
  static const struct CMUnitTest there[] = {ALL(ON_GPU)};
  if (argc > 1 && strcmp(argv[1], "gpu") == 0)
    return cmocka_run_group_tests(there, NULL, NULL);
  return cmocka_run_group_tests(here, NULL, NULL);
}
