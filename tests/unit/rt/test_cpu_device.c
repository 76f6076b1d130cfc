// SPDX-License-Identifier: Apache-2.0
// The CPU runtime without the compiler: kernels written by hand in the form
// that generated code has.
#include "abi/cpu.h"
#include "rt/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
// cmocka last: it needs the headers above.
#include <cmocka.h>

static const char *const locs[] = {"unknown place", "k.hd:3:5", "k.hd:7:9"};

static HdCpuKernel range_kernel(void (*run)(const HdCpuLaunch *, HdCpuBlock *,
                                            int64_t, int64_t)) {
  return (HdCpuKernel){.abi_version = HD_CPU_ABI_VERSION,
                       .name = "k",
                       .file = "k.hd",
                       .run_range = run,
                       .locs = locs,
                       .n_locs = 3,
                       .block_dim = {32, 2, 1, 0}};
}

static RtDevice *open_cpu(int n_threads) {
  RtDevice *device;
  RtError error;
  assert_int_equal(rt_cpu_ops.open(n_threads, &device, &error), HD_OK);
  return device;
}

static HdStatus launch(RtDevice *device, const HdCpuKernel *kernel, int blocks,
                       uint64_t *args, uint32_t n_args, RtError *error) {
  RtLaunch what = {
      .code = kernel, .args = args, .n_slots = n_args, .grid = {blocks, 1, 1}};
  error->text[0] = 0;
  return device->ops->launch(device, NULL, &what, NULL, NULL, error);
}

// --- kernels that never block ---

static void count_blocks(const HdCpuLaunch *l, HdCpuBlock *block, int64_t first,
                         int64_t last) {
  int32_t *counts = (int32_t *)(uintptr_t)l->args[0];
  (void)block;
  for (int64_t b = first; b < last; b++)
    counts[b]++;
}

static void every_block_runs_once(void **state) {
  (void)state;
  static int32_t counts[100000];
  uint64_t args[] = {(uint64_t)(uintptr_t)counts};
  HdCpuKernel kernel = range_kernel(count_blocks);
  RtError error;
  for (int n_threads = 1; n_threads <= 4; n_threads++) {
    RtDevice *device = open_cpu(n_threads);
    int sizes[] = {0, 1, 7, 100000};
    for (int i = 0; i < 4; i++) {
      memset(counts, 0, sizeof counts);
      assert_int_equal(launch(device, &kernel, sizes[i], args, 1, &error),
                       HD_OK);
      for (int b = 0; b < 100000; b++)
        assert_int_equal(counts[b], b < sizes[i]);
    }
    device->ops->close(device);
  }
}

static void trap_in_block_five(const HdCpuLaunch *l, HdCpuBlock *block,
                               int64_t first, int64_t last) {
  for (int64_t b = first; b < last; b++) {
    block->linear = b;
    if (b == 5)
      l->services->trap(block, 1, 33, "i < n");
  }
}

static void a_trap_tells_place_block_and_thread(void **state) {
  (void)state;
  RtDevice *device = open_cpu(2);
  HdCpuKernel kernel = range_kernel(trap_in_block_five);
  RtError error;
  assert_int_equal(launch(device, &kernel, 9, NULL, 0, &error), HD_ERROR_TRAP);
  assert_string_equal(error.text,
                      "k.hd:3:5: assertion failed: 'i < n' in kernel 'k', "
                      "block (5, 0, 0), thread (1, 1, 0)");
  kernel.run_range = count_blocks; // the device is still good
  static int32_t counts[9];
  uint64_t args[] = {(uint64_t)(uintptr_t)counts};
  assert_int_equal(launch(device, &kernel, 9, args, 1, &error), HD_OK);
  device->ops->close(device);
}

static void an_interrupt_ends_the_launch(void **state) {
  (void)state;
  static int32_t counts[64];
  static const int32_t interrupt = 1;
  RtDevice *device = open_cpu(1);
  HdCpuKernel kernel = range_kernel(count_blocks);
  uint64_t args[] = {(uint64_t)(uintptr_t)counts};
  RtLaunch what = {.code = &kernel,
                   .args = args,
                   .n_slots = 1,
                   .grid = {64, 1, 1},
                   .interrupt = &interrupt};
  RtError error;
  assert_int_equal(device->ops->launch(device, NULL, &what, NULL, NULL, &error),
                   HD_ERROR_INTERRUPTED);
  device->ops->close(device);
}

static void another_abi_is_refused(void **state) {
  (void)state;
  RtDevice *device = open_cpu(1);
  HdCpuKernel kernel = range_kernel(count_blocks);
  kernel.abi_version = HD_CPU_ABI_VERSION + 1;
  RtError error;
  assert_int_equal(launch(device, &kernel, 1, NULL, 0, &error),
                   HD_ERROR_UNSUPPORTED);
  device->ops->close(device);
}

// --- kernels that block: strands as frames ---

// A strand that adds its number to args[0][block], waits for the others, and
// then stores the sum it sees to args[1][block * 4 + strand].
typedef struct {
  void (*resume)(void *frame);
  HdCpuBlock *block;
  int32_t strand;
} Frame;

enum { N_STRANDS = 4 };

static void sum_finish(void *memory) {
  Frame *frame = memory;
  const uint64_t *args = frame->block->launch->args;
  int32_t *sums = (int32_t *)(uintptr_t)args[0];
  int32_t *seen = (int32_t *)(uintptr_t)args[1];
  int64_t b = frame->block->linear;
  seen[b * N_STRANDS + frame->strand] = sums[b];
  frame->resume = NULL;
}

// Arrives; true if this strand completes the barrier.
static int arrive(HdCpuBlock *block, int32_t strand, int32_t size) {
  HdCpuBarrier *barrier = &block->barriers[0];
  block->waits[strand] = (HdCpuWait){.word = &barrier->generation,
                                     .value = barrier->generation,
                                     .kind = HD_CPU_WAIT_BARRIER,
                                     .loc = 2};
  barrier->arrived += 32;
  if (barrier->arrived < size)
    return 0;
  barrier->arrived = 0;
  barrier->generation++;
  block->progress++;
  return 1;
}

static void *sum_start(const HdCpuLaunch *l, HdCpuBlock *block,
                       int32_t strand) {
  int32_t *sums = (int32_t *)(uintptr_t)l->args[0];
  sums[block->linear] += strand;
  Frame *frame = l->services->frame_alloc(block, sizeof(Frame));
  *frame = (Frame){sum_finish, block, strand};
  if (arrive(block, strand, N_STRANDS * 32))
    sum_finish(frame);
  return frame;
}

static const HdCpuStrand strands[N_STRANDS] = {
    {0, 0, 32}, {1, 0, 32}, {2, 0, 32}, {3, 0, 32}};
static const HdCpuBarrierInfo barriers[] = {{"the block", 0, 128}};

static HdCpuKernel strand_kernel(void *(*start)(const HdCpuLaunch *,
                                                HdCpuBlock *, int32_t)) {
  HdCpuKernel kernel = range_kernel(NULL);
  kernel.start = start;
  kernel.n_strands = N_STRANDS;
  kernel.strands = strands;
  kernel.barriers = barriers;
  kernel.n_barriers = 1;
  kernel.shared_bytes = 4096;
  return kernel;
}

static void a_barrier_lets_nobody_pass_early(void **state) {
  (void)state;

  enum { BLOCKS = 500 };

  static int32_t sums[BLOCKS], seen[BLOCKS * N_STRANDS];
  uint64_t args[] = {(uint64_t)(uintptr_t)sums, (uint64_t)(uintptr_t)seen};
  RtDevice *device = open_cpu(3);
  HdCpuKernel kernel = strand_kernel(sum_start);
  RtError error;
  assert_int_equal(launch(device, &kernel, BLOCKS, args, 2, &error), HD_OK);
  for (int i = 0; i < BLOCKS * N_STRANDS; i++)
    assert_int_equal(seen[i], 0 + 1 + 2 + 3);
  device->ops->close(device);
}

// Strand 3 ends without arriving.
static void *lost_start(const HdCpuLaunch *l, HdCpuBlock *block,
                        int32_t strand) {
  return strand == 3 ? NULL : sum_start(l, block, strand);
}

static void a_barrier_nobody_completes_is_a_deadlock(void **state) {
  (void)state;
  static int32_t sums[1], seen[N_STRANDS];
  uint64_t args[] = {(uint64_t)(uintptr_t)sums, (uint64_t)(uintptr_t)seen};
  RtDevice *device = open_cpu(2);
  HdCpuKernel kernel = strand_kernel(lost_start);
  RtError error;
  assert_int_equal(launch(device, &kernel, 1, args, 2, &error),
                   HD_ERROR_DEADLOCK);
  assert_string_equal(
      error.text,
      "deadlock in kernel 'k', block (0, 0, 0): no thread can go on\n"
      "  threads 0 to 95 wait at k.hd:7:9 for the barrier of the block: 96 of "
      "its 128 threads have arrived; missing: threads 96 to 127 (ended)");
  device->ops->close(device);
}

// Every strand polls args[0]; block 1 writes it, if there is one.
static void poll(void *memory) {
  Frame *frame = memory;
  int32_t *flag = (int32_t *)(uintptr_t)frame->block->launch->args[0];
  if (__atomic_load_n(flag, __ATOMIC_ACQUIRE))
    frame->resume = NULL;
  else
    frame->block->waits[frame->strand] =
        (HdCpuWait){.word = NULL, .loc = 2, .row = ~0u};
}

static void *poll_start(const HdCpuLaunch *l, HdCpuBlock *block,
                        int32_t strand) {
  if (block->linear == 1) {
    __atomic_store_n((int32_t *)(uintptr_t)l->args[0], 1, __ATOMIC_RELEASE);
    block->progress++;
    return NULL;
  }
  Frame *frame = l->services->frame_alloc(block, sizeof(Frame));
  *frame = (Frame){poll, block, strand};
  poll(frame);
  return frame;
}

static void waiting_for_another_block_is_no_deadlock(void **state) {
  (void)state;
  RtDevice *device = open_cpu(2);
  HdCpuKernel kernel = strand_kernel(poll_start);
  kernel.does_yield = 1;
  RtError error;
  for (int i = 0; i < 50; i++) {
    int32_t flag = 0;
    uint64_t args[] = {(uint64_t)(uintptr_t)&flag};
    assert_int_equal(launch(device, &kernel, 2, args, 1, &error), HD_OK);
  }
  int32_t never = 0;
  uint64_t args[] = {(uint64_t)(uintptr_t)&never};
  assert_int_equal(launch(device, &kernel, 1, args, 1, &error),
                   HD_ERROR_DEADLOCK);
  assert_non_null(strstr(error.text, "in a loop for memory"));
  device->ops->close(device);
}

// --- streams and events ---

static void set_done(void *context) {
  *(int *)context = 1;
}

static void streams_run_in_order_and_tell_failures_once(void **state) {
  (void)state;
  static int32_t counts[1000];
  RtDevice *device = open_cpu(2);
  RtStream *stream;
  RtEvent *start, *end;
  RtError error;
  int is_done = 0;
  double ms = -1;
  HdCpuKernel good = range_kernel(count_blocks);
  HdCpuKernel bad = range_kernel(trap_in_block_five);
  uint64_t args[] = {(uint64_t)(uintptr_t)counts};
  RtLaunch what = {
      .code = &good, .args = args, .n_slots = 1, .grid = {1000, 1, 1}};
  assert_int_equal(device->ops->stream_new(device, &stream, &error), HD_OK);
  assert_int_equal(device->ops->event_new(device, &start, &error), HD_OK);
  assert_int_equal(device->ops->event_new(device, &end, &error), HD_OK);
  assert_int_equal(device->ops->event_record(start, stream, &error), HD_OK);
  for (int i = 0; i < 20; i++)
    assert_int_equal(
        device->ops->launch(device, stream, &what, NULL, NULL, &error), HD_OK);
  assert_int_equal(device->ops->event_record(end, stream, &error), HD_OK);
  assert_int_equal(device->ops->event_wait(end, &error), HD_OK);
  assert_int_equal(counts[999], 20);
  assert_int_equal(device->ops->event_elapsed_ms(start, end, &ms, &error),
                   HD_OK);
  assert_true(ms >= 0);
  what.code = &bad;
  device->ops->launch(device, stream, &what, NULL, NULL, &error);
  what.code = &good; // dropped: the stream has failed
  device->ops->launch(device, stream, &what, set_done, &is_done, &error);
  assert_int_equal(device->ops->stream_wait(stream, &error), HD_ERROR_TRAP);
  assert_int_equal(counts[999], 20);
  assert_int_equal(is_done, 1);
  assert_int_equal(device->ops->stream_wait(stream, &error), HD_OK);
  device->ops->event_free(start);
  device->ops->event_free(end);
  device->ops->stream_free(stream);
  device->ops->close(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_block_runs_once),
      cmocka_unit_test(a_trap_tells_place_block_and_thread),
      cmocka_unit_test(an_interrupt_ends_the_launch),
      cmocka_unit_test(another_abi_is_refused),
      cmocka_unit_test(a_barrier_lets_nobody_pass_early),
      cmocka_unit_test(a_barrier_nobody_completes_is_a_deadlock),
      cmocka_unit_test(waiting_for_another_block_is_no_deadlock),
      cmocka_unit_test(streams_run_in_order_and_tell_failures_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
