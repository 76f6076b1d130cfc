// SPDX-License-Identifier: Apache-2.0
// Launches on a GPU: what the kernel is given, and what is refused.
#include "cuda_setup.h"

// What the last launch was given.
static FakeLaunch seen;
static uint64_t seen_words[64];
static CuTensorMap seen_maps[4];
static int n_seen;

static int look(const FakeLaunch *launch, void *context) {
  (void)context;
  const char *slots = strstr(launch->text, "// slots ");
  const char *globals = strstr(launch->text, "// globals ");
  size_t n_words =
      4 + strtoul(slots + 9, NULL, 10) + strtoul(globals + 11, NULL, 10);
  seen = *launch;
  memcpy(seen_words, launch->words, n_words * sizeof(uint64_t));
  if (strstr(launch->text, "// map "))
    memcpy(seen_maps, launch->maps, sizeof seen_maps[0]);
  n_seen++;
  return CU_OK;
}

static RtDevice *open_watched(void) {
  n_seen = 0;
  fake->on_kernel(look, NULL);
  return open_cuda();
}

static void a_kernel_gets_its_words(void **state) {
  (void)state;
  RtDevice *device = open_watched();
  KernelText k = plain;
  k.slots = 3;
  k.globals = 2;
  RtCode *code = load(device, &k);
  uint64_t args[] = {7, 8, 9};
  void *globals[] = {&k, &code};
  RtLaunch launch = {.code = code,
                     .args = args,
                     .n_slots = 3,
                     .globals = globals,
                     .grid = {5, 6, 7}};
  assert_int_equal(run(device, NULL, &launch), HD_OK);
  assert_int_equal(seen_words[0], 7);
  assert_int_equal(seen_words[1], 8);
  assert_int_equal(seen_words[2], 9);
  assert_int_not_equal(seen_words[3 + HD_CUDA_HIDDEN_FAULT], 0);
  assert_int_equal(seen_words[3 + HD_CUDA_HIDDEN_WORKSPACE], 0);
  assert_int_equal(seen_words[3 + HD_CUDA_HIDDEN_GRID], 5 | (uint64_t)6 << 32);
  assert_int_equal(seen_words[3 + HD_CUDA_HIDDEN_GRID_Z], 7);
  assert_int_equal(seen_words[7], (uintptr_t)&k);
  assert_int_equal(seen_words[8], (uintptr_t)&code);
  assert_int_equal(seen.grid[1], 6);
  assert_int_equal(seen.block[0], 64);
  assert_int_equal(seen.block[1], 2);
  assert_int_equal(seen.shared_bytes, 0);
  assert_false(seen.is_cooperative);
  launch.n_slots = 2;
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_ARGUMENT);
  assert_string_equal(error.text,
                      "kernel 'k' takes 3 argument slots and 2 addresses of "
                      "globals; 2 and they were given");
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void a_launch_is_one_call_of_the_driver(void **state) {
  (void)state;
  RtDevice *device = open_watched();
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  assert_int_equal(run(device, stream, &launch), HD_OK); // starts the thread
  assert_int_equal(device->ops->stream_wait(stream, &error), HD_OK);
  int before = fake->calls("cuMemAlloc_v2") + fake->calls("cuMemHostAlloc") +
               fake->calls("cuStreamCreate") + fake->calls("cuEventCreate") +
               fake->calls("cuFuncSetAttribute") +
               fake->calls("cuMemsetD8Async");
  for (int i = 0; i < 40; i++)
    assert_int_equal(run(device, stream, &launch), HD_OK);
  assert_int_equal(fake->calls("cuLaunchKernelEx"), 41);
  assert_int_equal(fake->calls("cuEventRecord"), 0);
  assert_int_equal(
      before, fake->calls("cuMemAlloc_v2") + fake->calls("cuMemHostAlloc") +
                  fake->calls("cuStreamCreate") + fake->calls("cuEventCreate") +
                  fake->calls("cuFuncSetAttribute") +
                  fake->calls("cuMemsetD8Async"));
  device->ops->stream_free(stream);
  assert_int_equal(n_seen, 41);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static int check_workspace(const FakeLaunch *launch, void *context) {
  uint64_t size_bytes = *(const uint64_t *)context;
  char *workspace = (char *)(uintptr_t)launch->words[HD_CUDA_HIDDEN_WORKSPACE];
  for (uint64_t i = 0; i < size_bytes; i++)
    assert_int_equal(workspace[i], 0);
  memset(workspace, 1, size_bytes); // for the next one to find
  n_seen++;
  return CU_OK;
}

static void the_workspace_is_zeroed_for_each_launch(void **state) {
  (void)state;
  RtDevice *device = open_watched();
  RtStream *stream = new_stream(device);
  KernelText k = plain;
  uint64_t size_bytes;
  k.fixed = 40;
  k.per_block = 8;
  RtCode *code = load(device, &k);
  fake->on_kernel(check_workspace, &size_bytes);
  static const int grids[] = {1, 10, 10, 3, 1000};
  for (int i = 0; i < 5; i++) {
    RtLaunch launch = launch_of(code);
    launch.grid[0] = grids[i];
    size_bytes = sizeof(HdCudaWorkspace) + 40 + 8 * (uint64_t)grids[i];
    assert_int_equal(run(device, stream, &launch), HD_OK);
    assert_int_equal(device->ops->stream_wait(stream, &error), HD_OK);
  }
  assert_int_equal(n_seen, 5);
  assert_int_equal(fake->alive(FAKE_MEMORY), 1);
  RtLaunch launch = launch_of(code);
  launch.grid[0] = 1 << 30;
  assert_int_equal(run(device, stream, &launch), HD_ERROR_MEMORY);
  assert_non_null(strstr(error.text,
                         "kernel 'k': 8589934760 bytes of workspace "
                         "for 1073741824 blocks: out of memory"));
  size_bytes = sizeof(HdCudaWorkspace) + 48;
  launch.grid[0] = 1;
  assert_int_equal(run(device, stream, &launch), HD_OK);
  device->ops->stream_free(stream);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void flags_alone_ask_for_a_workspace(void **state) {
  (void)state;
  RtDevice *device = open_watched();
  KernelText k = plain;
  uint64_t size_bytes = sizeof(HdCudaWorkspace);
  fake->on_kernel(check_workspace, &size_bytes);
  k.flags = HD_CUDA_FLAG_TICKET;
  RtCode *code = load(device, &k);
  RtLaunch launch = launch_of(code);
  assert_int_equal(run(device, NULL, &launch), HD_OK);
  assert_int_equal(n_seen, 1);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void an_empty_grid_runs_nothing(void **state) {
  (void)state;
  RtDevice *device = open_watched();
  RtCode *code = load(device, &plain);
  RtLaunch launch = {.code = code, .grid = {4, 0, 1}};
  assert_int_equal(run(device, NULL, &launch), HD_OK);
  assert_int_equal(n_seen, 0);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

// Runs a kernel that has to be refused.
static void refused(const KernelText *k, const RtLaunch *how, HdStatus status,
                    const char *message) {
  RtDevice *device = open_watched();
  RtCode *code = load(device, k);
  RtLaunch launch = *how;
  launch.code = code;
  assert_int_equal(run(device, NULL, &launch), status);
  assert_string_equal(error.text, message);
  assert_int_equal(n_seen, 0);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void too_many_threads_are_refused(void **state) {
  (void)state;
  RtLaunch launch = launch_of(NULL);
  KernelText k = plain;
  k.block[0] = 2048;
  refused(&k, &launch, HD_ERROR_LAUNCH,
          "kernel 'k' has 2048 threads a block along x; device cuda:0 (Fake "
          "GPU 0) allows 1024");
  k.block[0] = 1024;
  refused(&k, &launch, HD_ERROR_LAUNCH,
          "kernel 'k' has 2048 threads a block; device cuda:0 (Fake GPU 0) "
          "allows 1024");
  fake->set("max_threads", 512);
  k.block[1] = 1;
  refused(&k, &launch, HD_ERROR_LAUNCH,
          "kernel 'k' has 1024 threads a block; device cuda:0 (Fake GPU 0) "
          "allows 512 of this kernel, because of its registers");
}

static void too_large_grids_are_refused(void **state) {
  (void)state;
  RtLaunch launch = {.grid = {1, 1, 70000}};
  refused(&plain, &launch, HD_ERROR_LAUNCH,
          "kernel 'k': a grid of 1 x 1 x 70000 blocks; device cuda:0 (Fake GPU "
          "0) allows 65535 along z");
}

static void shared_memory_is_asked_for_and_limited(void **state) {
  (void)state;
  RtDevice *device = open_watched();
  KernelText k = plain;
  k.shared = 40000;
  k.is_dynamic = 1;
  RtCode *code = load(device, &k);
  RtLaunch launch = launch_of(code);
  assert_int_equal(run(device, NULL, &launch), HD_OK);
  assert_int_equal(fake->calls("cuFuncSetAttribute"), 0);
  launch.dynamic_shared_bytes = 100000;
  assert_int_equal(run(device, NULL, &launch), HD_OK);
  assert_int_equal(run(device, NULL, &launch), HD_OK);
  assert_int_equal(seen.shared_bytes, 140000);
  assert_int_equal(fake->calls("cuFuncSetAttribute"), 1);
  launch.dynamic_shared_bytes = 192449;
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_LAUNCH);
  assert_string_equal(error.text,
                      "kernel 'k' needs 232449 bytes of shared memory a block; "
                      "device cuda:0 (Fake GPU 0) has 232448");
  launch.dynamic_shared_bytes = 192448;
  assert_int_equal(run(device, NULL, &launch), HD_OK);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void cooperative_grids_must_fit(void **state) {
  (void)state;
  RtDevice *device = open_watched();
  KernelText k = plain;
  k.flags = HD_CUDA_FLAG_COOPERATIVE;
  RtCode *code = load(device, &k);
  RtLaunch launch = launch_of(code);
  launch.grid[0] = 8;
  assert_int_equal(run(device, NULL, &launch), HD_OK);
  assert_true(seen.is_cooperative);
  assert_int_not_equal(seen_words[HD_CUDA_HIDDEN_WORKSPACE], 0);
  launch.grid[0] = 9;
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_LAUNCH);
  assert_string_equal(
      error.text,
      "kernel 'k' syncs the grid, so its 9 blocks must all be resident at "
      "once: of "
      "blocks of 128 threads and 0 bytes of shared memory, 8 fit device cuda:0 "
      "(Fake GPU 0, 4 multiprocessors)");
  // Asked of the driver once.
  assert_int_equal(fake->calls("cuOccupancyMaxActiveBlocksPerMultiprocessor"),
                   1);
  device->ops->code_free(device, code);
  device->ops->close(device);
  fake->set("cooperative", 0);
  launch.grid[0] = 1;
  refused(&k, &launch, HD_ERROR_UNSUPPORTED,
          "kernel 'k' syncs the grid, which device cuda:0 (Fake GPU 0) can't");
}

static void clusters_come_from_kernel_or_launch(void **state) {
  (void)state;
  RtDevice *device = open_watched();
  KernelText k = plain;
  k.cluster[0] = 2;
  k.cluster[1] = k.cluster[2] = 1;
  RtCode *code = load(device, &k), *open = load(device, &plain);
  RtLaunch launch = {.code = code, .grid = {6, 4, 1}, .cluster = {3, 4, 1}};
  assert_int_equal(run(device, NULL, &launch), HD_OK);
  assert_int_equal(seen.cluster[0], 2);
  assert_int_equal(seen.cluster[1], 1);
  launch.code = open;
  assert_int_equal(run(device, NULL, &launch), HD_OK);
  assert_int_equal(seen.cluster[0], 3);
  assert_int_equal(seen.cluster[1], 4);
  launch.cluster[0] = 4;
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_LAUNCH);
  assert_string_equal(error.text, "a grid of 6 x 4 x 1 blocks can't be made of "
                                  "clusters of 4 along x");
  launch.grid[0] = 8;
  launch.cluster[0] = 8;
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_LAUNCH);
  assert_string_equal(error.text, "a cluster has 32 blocks: the limit is 16");
  fake->set("resident_clusters", 0);
  launch.cluster[1] = 2;
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_LAUNCH);
  assert_string_equal(error.text,
                      "kernel 'k': a cluster of 16 blocks of 128 threads and 0 "
                      "bytes of shared memory doesn't fit device cuda:0 (Fake "
                      "GPU 0)");
  device->ops->code_free(device, open);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void clusters_need_a_device_that_has_them(void **state) {
  (void)state;
  static const char message[] =
      "kernel 'k' uses clusters; device cuda:0 (Fake GPU 0, compute capability "
      "8.0) has none: they need 9.0";
  KernelText k = plain;
  RtLaunch launch = {.grid = {4, 1, 1}, .cluster = {2, 1, 1}};
  fake->set("major", 8);
  fake->set("clusters", 0);
  k.target = "sm_80";
  refused(&k, &launch, HD_ERROR_UNSUPPORTED, message);
  k.flags = HD_CUDA_FLAG_CLUSTER;
  launch.cluster[0] = 0;
  refused(&k, &launch, HD_ERROR_UNSUPPORTED, message);
}

static void what_only_cpus_do_is_refused(void **state) {
  (void)state;
  RtLaunch launch = launch_of(NULL);
  launch.is_scheduled = true;
  refused(&plain, &launch, HD_ERROR_UNSUPPORTED,
          "kernel 'k': schedules and timelines exist on CPUs only");
}

// --- tensor maps ---

// float a[rows][columns], copied in boxes of 8 x 16.
static const KernelText tiled = {.name = "k",
                                 .target = "sm_90a",
                                 .slots = 6,
                                 .block = {32, 1, 1},
                                 .lines = "// map a 1 2 7 3 16 8\n",
                                 .version = "8.6",
                                 .body = ""};

static void a_tensor_map_describes_the_array(void **state) {
  (void)state;
  RtDevice *device = open_watched();
  RtCode *code = load(device, &tiled);
  uint64_t args[] = {1, 4096, 100, 64, 80, 1};
  RtLaunch launch = {
      .code = code, .args = args, .n_slots = 6, .grid = {1, 1, 1}};
  assert_int_equal(run(device, NULL, &launch), HD_OK);
  assert_int_equal(seen_maps[0].words[0], 4096);
  assert_int_equal(seen_maps[0].words[1], 2 | 7 << 8 | 3 << 16);
  assert_int_equal(seen_maps[0].words[2], 64); // innermost first
  assert_int_equal(seen_maps[0].words[3], 100);
  assert_int_equal(seen_maps[0].words[7], 320); // bytes from row to row
  assert_int_equal(seen_maps[0].words[11], 16);
  assert_int_equal(seen_maps[0].words[12], 8);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void tensor_maps_are_kept_by_arguments(void **state) {
  (void)state;
  RtDevice *device = open_watched();
  RtCode *code = load(device, &tiled);
  uint64_t args[] = {1, 4096, 100, 64, 80, 1};
  RtLaunch launch = {
      .code = code, .args = args, .n_slots = 6, .grid = {1, 1, 1}};
  for (int i = 0; i < 12; i++) {
    args[0] = (uint64_t)i; // not of the array
    args[1] = 4096 * (1 + (uint64_t)i % 3);
    assert_int_equal(run(device, NULL, &launch), HD_OK);
    assert_int_equal(seen_maps[0].words[0], args[1]);
  }
  assert_int_equal(fake->calls("cuTensorMapEncodeTiled"), 3);
  for (int round = 0; round < 2; round++) {
    for (uint64_t i = 1; i <= 20; i++) { // more than are kept
      args[2] = i;
      assert_int_equal(run(device, NULL, &launch), HD_OK);
      assert_int_equal(seen_maps[0].words[3], i);
    }
  }
  assert_int_equal(fake->calls("cuTensorMapEncodeTiled"), 43);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void arrays_that_no_map_can_describe(void **state) {
  (void)state;
  uint64_t args[] = {1, 4100, 100, 64, 80, 1};
  RtLaunch launch = {.args = args, .n_slots = 6, .grid = {1, 1, 1}};
  refused(&tiled, &launch, HD_ERROR_LAUNCH,
          "kernel 'k' copies 'a' with the tensor copy engine, so it must start "
          "at a multiple of 16 bytes; it is at 0x1004");
  args[1] = 4096;
  args[4] = 65;
  refused(&tiled, &launch, HD_ERROR_LAUNCH,
          "kernel 'k' copies 'a' with the tensor copy engine: stride 0 must be "
          "a multiple of 16 bytes; it is 65 elements");
  args[4] = 64;
  args[5] = 2;
  refused(&tiled, &launch, HD_ERROR_LAUNCH,
          "kernel 'k' copies 'a' with the tensor copy engine: stride 1 must be "
          "1; it is 2 elements");
  args[5] = 1;
  args[2] = 0;
  refused(
      &tiled, &launch, HD_ERROR_LAUNCH,
      "kernel 'k' copies 'a' with the tensor copy engine, whose extents are "
      "1 to 2^32; extent 0 is 0");
  args[2] = 100;
  fake->fail_at("cuTensorMapEncodeTiled", 1, CU_INVALID_VALUE);
  refused(&tiled, &launch, HD_ERROR_DEVICE,
          "kernel 'k': a tensor map of 'a': invalid argument "
          "(CUDA_ERROR_INVALID_VALUE)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CUDA_TEST(a_kernel_gets_its_words),
      CUDA_TEST(a_launch_is_one_call_of_the_driver),
      CUDA_TEST(the_workspace_is_zeroed_for_each_launch),
      CUDA_TEST(flags_alone_ask_for_a_workspace),
      CUDA_TEST(an_empty_grid_runs_nothing),
      CUDA_TEST(too_many_threads_are_refused),
      CUDA_TEST(too_large_grids_are_refused),
      CUDA_TEST(shared_memory_is_asked_for_and_limited),
      CUDA_TEST(cooperative_grids_must_fit),
      CUDA_TEST(clusters_come_from_kernel_or_launch),
      CUDA_TEST(clusters_need_a_device_that_has_them),
      CUDA_TEST(what_only_cpus_do_is_refused),
      CUDA_TEST(a_tensor_map_describes_the_array),
      CUDA_TEST(tensor_maps_are_kept_by_arguments),
      CUDA_TEST(arrays_that_no_map_can_describe),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
