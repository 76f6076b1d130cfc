// SPDX-License-Identifier: Apache-2.0
// mbarriers, pending copies, clusters and grids of the CPU runtime, with
// kernels written by hand in the form that generated code has.
#include "abi/cpu.h"
#include "rt/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
// cmocka last: it needs the headers above.
#include <cmocka.h>

enum { N_STRANDS = 2, SHARED_BYTES = 1024, SLOT = 512 };

static const char *const locs[] = {"unknown place", "k.hd:3:5", "k.hd:7:9"};
static const HdCpuStrand strands[N_STRANDS] = {{0, 0, 32}, {1, 0, 32}};
static const uint32_t sources[] = {1};
static const HdCpuMbarrierInfo mbarriers[] = {
    {"full", 0, 2, 64, 1, 1, 1, 0, sources}};

typedef struct {
  void (*resume)(void *frame);
  HdCpuBlock *block;
  int32_t strand, token;
} Frame;

static HdCpuKernel kernel_of(void *(*start)(const HdCpuLaunch *, HdCpuBlock *,
                                            int32_t)) {
  return (HdCpuKernel){.abi_version = HD_CPU_ABI_VERSION,
                       .name = "k",
                       .file = "k.hd",
                       .start = start,
                       .n_strands = N_STRANDS,
                       .strands = strands,
                       .locs = locs,
                       .n_locs = 3,
                       .block_dim = {64, 1, 1, 0},
                       .shared_bytes = SHARED_BYTES,
                       .mbarriers = mbarriers,
                       .n_mbarriers = 1,
                       .copy_kinds = 1u << HD_CPU_COPY_SET};
}

static HdStatus launch(const HdCpuKernel *kernel, int blocks, int cluster,
                       uint64_t *args, uint32_t n_args, RtError *error) {
  RtDevice *device;
  assert_int_equal(rt_cpu_ops.open(2, &device, error), HD_OK);
  RtLaunch what = {.code = kernel,
                   .args = args,
                   .n_slots = n_args,
                   .grid = {blocks, 1, 1},
                   .cluster = {cluster, 1, 1}};
  error->text[0] = 0;
  HdStatus status = device->ops->launch(device, NULL, &what, NULL, NULL, error);
  device->ops->close(device);
  return status;
}

static Frame *frame_new(HdCpuBlock *block, int32_t strand,
                        void (*resume)(void *frame)) {
  Frame *frame = block->launch->services->frame_alloc(block, sizeof(Frame));
  *frame = (Frame){resume, block, strand, 0};
  return frame;
}

static HdCpuMbarrier *full(HdCpuBlock *block) {
  return (HdCpuMbarrier *)(void *)block->shared;
}

static void wait_phase(HdCpuBlock *block, int32_t strand,
                       HdCpuMbarrier *barrier, int32_t phase) {
  block->waits[strand] = (HdCpuWait){.word = &barrier->phase,
                                     .object = barrier,
                                     .value = phase,
                                     .kind = HD_CPU_WAIT_MBARRIER,
                                     .loc = 2};
}

static int32_t *seen_of(const HdCpuBlock *block) {
  return (int32_t *)(uintptr_t)block->launch->args[0];
}

// ------------------------------------------------------------ mbarriers

static void both_finish(void *memory) {
  Frame *frame = memory;
  seen_of(frame->block)[frame->strand] = full(frame->block)->phase;
  frame->resume = NULL;
}

// Every lane arrives; both strands wait for all 64.
static void *both_start(const HdCpuLaunch *l, HdCpuBlock *block,
                        int32_t strand) {
  int32_t tokens[32];
  l->services->mbar_arrive(block, full(block), 1, 0, UINT32_MAX, 0, 1, tokens);
  seen_of(block)[2 + strand] = tokens[31];
  wait_phase(block, strand, full(block), 0);
  return frame_new(block, strand, both_finish);
}

static void a_phase_ends_with_its_last_arrival(void **state) {
  (void)state;
  static int32_t seen[4];
  uint64_t args[] = {(uint64_t)(uintptr_t)seen};
  HdCpuKernel kernel = kernel_of(both_start);
  RtError error;
  assert_int_equal(launch(&kernel, 1, 1, args, 1, &error), HD_OK);
  assert_int_equal(seen[0], 1);
  assert_int_equal(seen[1], 1);
  assert_int_equal(seen[2], 0);
  assert_int_equal(seen[3], 0);
}

static void *half_start(const HdCpuLaunch *l, HdCpuBlock *block,
                        int32_t strand) {
  return strand == 1 ? NULL : both_start(l, block, strand);
}

static void a_missing_arrival_is_told(void **state) {
  (void)state;
  static int32_t seen[4];
  uint64_t args[] = {(uint64_t)(uintptr_t)seen};
  HdCpuKernel kernel = kernel_of(half_start);
  RtError error;
  assert_int_equal(launch(&kernel, 1, 1, args, 1, &error), HD_ERROR_DEADLOCK);
  assert_string_equal(
      error.text,
      "deadlock in kernel 'k', block (0, 0, 0): no thread can go on\n"
      "  threads 0 to 31 wait at k.hd:7:9 for mbarrier full[0], phase 0: 32 of "
      "64 arrivals seen; it could be released at k.hd:3:5");
}

static void *crowd_start(const HdCpuLaunch *l, HdCpuBlock *block,
                         int32_t strand) {
  (void)strand;
  l->services->mbar_arrive(block, full(block), 65, 0, 1, 0, 1, NULL);
  return NULL;
}

static void too_many_arrivals_stop_the_launch(void **state) {
  (void)state;
  HdCpuKernel kernel = kernel_of(crowd_start);
  RtError error;
  assert_int_equal(launch(&kernel, 1, 1, NULL, 0, &error), HD_ERROR_TRAP);
  assert_non_null(strstr(error.text, "k.hd:3:5: 65 more arrivals on mbarrier "
                                     "full[0], of which phase 0 expects 64"));
}

// --------------------------------------------------------------- copies

// Strand 0 asks for a copy of four ints to shared memory, looks, waits, looks.
static void *copy_start(const HdCpuLaunch *l, HdCpuBlock *block,
                        int32_t strand) {
  static int32_t source[4] = {5, 6, 7, 8};
  int32_t *target = (int32_t *)(void *)(block->shared + SLOT);
  if (strand == 1)
    return NULL;
  memset(target, 0, sizeof source);
  HdCpuCopy copy = {.to = (char *)target,
                    .from = (char *)source,
                    .length = {4},
                    .to_stride = {4},
                    .from_stride = {4},
                    .high = {3}, // the last is outside the array: a zero
                    .rank = 1,
                    .element_bytes = 4,
                    .kind = HD_CPU_COPY_SET,
                    .lanes = 3,
                    .n_threads = 2};
  copy.ranks[1] = 1;
  target[3] = -1;
  l->services->copy(block, &copy);
  l->services->copy_commit(block, HD_CPU_COPY_SET, 0, 3);
  seen_of(block)[0] = target[0];
  l->services->copy_wait(block, HD_CPU_COPY_SET, 0, 1, 0, 0, 0);
  seen_of(block)[1] = target[1];
  seen_of(block)[2] = target[2]; // of the lane that hasn't waited
  l->services->copy_wait(block, HD_CPU_COPY_SET, 0, 2, 0, 1, 0);
  seen_of(block)[3] = target[2]; // its newest set may stay
  l->services->copy_wait(block, HD_CPU_COPY_SET, 0, 2, 0, 0, 0);
  seen_of(block)[4] = target[2];
  seen_of(block)[5] = target[3];
  return NULL;
}

static void a_copy_lands_when_its_lanes_wait(void **state) {
  (void)state;
  static int32_t seen[6];
  static const int32_t expected[6] = {0, 6, 0, 0, 7, 0};
  uint64_t args[] = {(uint64_t)(uintptr_t)seen};
  HdCpuKernel kernel = kernel_of(copy_start);
  RtError error;
  assert_int_equal(launch(&kernel, 1, 1, args, 1, &error), HD_OK);
  assert_memory_equal(seen, expected, sizeof seen);
}

// ----------------------------------------------------- clusters and grids

static void meet_finish(void *memory) {
  Frame *frame = memory;
  HdCpuBlock *block = frame->block;
  int32_t sum = 0;
  for (int i = 0; i < block->cluster_size; i++) {
    char *shared = block->cluster_shared + (uint64_t)i * block->shared_stride;
    sum += *(int32_t *)(void *)(shared + SLOT);
  }
  seen_of(block)[block->linear * N_STRANDS + frame->strand] = sum;
  frame->resume = NULL;
}

// Leaves its number in shared memory and meets the cluster (or grid).
static void *meet(const HdCpuLaunch *l, HdCpuBlock *block, int32_t strand,
                  uint32_t is_grid) {
  *(int32_t *)(void *)(block->shared + SLOT) = (int32_t)block->linear;
  int32_t generation = l->services->wide_arrive(block, is_grid, 32);
  block->waits[strand] =
      (HdCpuWait){.word = block->wide[is_grid],
                  .value = generation,
                  .kind = is_grid ? HD_CPU_WAIT_GRID : HD_CPU_WAIT_CLUSTER,
                  .loc = 2};
  return frame_new(block, strand, meet_finish);
}

static void *cluster_start(const HdCpuLaunch *l, HdCpuBlock *block,
                           int32_t strand) {
  return meet(l, block, strand, 0);
}

static void *grid_start(const HdCpuLaunch *l, HdCpuBlock *block,
                        int32_t strand) {
  return meet(l, block, strand, 1);
}

static void blocks_of_a_cluster_see_each_other(void **state) {
  (void)state;

  enum { BLOCKS = 12, SIZE = 4 };

  static int32_t seen[BLOCKS * N_STRANDS];
  uint64_t args[] = {(uint64_t)(uintptr_t)seen};
  HdCpuKernel kernel = kernel_of(cluster_start);
  RtError error;
  assert_int_equal(launch(&kernel, BLOCKS, SIZE, args, 1, &error), HD_OK);
  for (int i = 0; i < BLOCKS * N_STRANDS; i++) {
    int first = i / N_STRANDS / SIZE * SIZE;
    assert_int_equal(seen[i], 4 * first + 0 + 1 + 2 + 3);
  }
  assert_int_equal(launch(&kernel, BLOCKS - 1, SIZE, args, 1, &error),
                   HD_ERROR_LAUNCH);
}

static void all_blocks_of_a_grid_meet(void **state) {
  (void)state;

  enum { BLOCKS = 100 };

  static int32_t seen[BLOCKS * N_STRANDS];
  uint64_t args[] = {(uint64_t)(uintptr_t)seen};
  HdCpuKernel kernel = kernel_of(grid_start);
  kernel.syncs_grid = 1;
  RtError error;
  assert_int_equal(launch(&kernel, BLOCKS, 1, args, 1, &error), HD_OK);
  for (int i = 0; i < BLOCKS * N_STRANDS; i++)
    assert_int_equal(seen[i], i / N_STRANDS);
  kernel.shared_bytes = UINT64_C(1) << 40;
  assert_int_equal(launch(&kernel, BLOCKS, 1, args, 1, &error),
                   HD_ERROR_LAUNCH);
  assert_non_null(
      strstr(error.text, "its 100 blocks must all be resident at once"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_phase_ends_with_its_last_arrival),
      cmocka_unit_test(a_missing_arrival_is_told),
      cmocka_unit_test(too_many_arrivals_stop_the_launch),
      cmocka_unit_test(a_copy_lands_when_its_lanes_wait),
      cmocka_unit_test(blocks_of_a_cluster_see_each_other),
      cmocka_unit_test(all_blocks_of_a_grid_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
