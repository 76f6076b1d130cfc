// SPDX-License-Identifier: Apache-2.0
// Every call of the driver fails once, at every place where it is made, in a
// program that uses all of the device table: what failed is told, nothing stays
// behind, and no callback is missing.
#include "cuda_setup.h"

#include <stdatomic.h>

static const char *const functions[] = {
#define CUDA_API(name, symbol, since, parameters) #symbol,
#include "rt/cuda/cuda_api.def"
#undef CUDA_API
};

enum { LARGE = 9 << 20, N_FUNCTIONS = sizeof functions / sizeof *functions };

static atomic_int n_done;
static int n_launched; // callbacks to come

static void count_done(void *context) {
  (void)context;
  atomic_fetch_add(&n_done, 1);
}

typedef struct {
  RtDevice *device;
  RtStream *stream;
  RtCode *code, *wide;
  RtEvent *first, *last;
  RtGraph *graph;
  void *memory;
} Things;

static HdStatus launch(const Things *t, RtStream *stream, RtCode *code) {
  uint64_t args[] = {1, 4096, 100, 64, 80, 1};
  RtLaunch l = {.code = code,
                .args = args,
                .n_slots = 6,
                .grid = {2, 1, 1},
                .dynamic_shared_bytes = 60000};
  n_launched++;
  return t->device->ops->launch(t->device, stream, &l, count_done, NULL,
                                &error);
}

static HdStatus make_things(Things *t) {
  KernelText k = plain, wide = plain;
  k.slots = wide.slots = 6;
  k.is_dynamic = wide.is_dynamic = 1;
  k.lines = "// map a 1 2 7 3 16 8\n";
  k.flags = HD_CUDA_FLAG_COOPERATIVE | HD_CUDA_FLAG_PRINTS;
  wide.name = "wide";
  wide.cluster[0] = 2;
  wide.cluster[1] = wide.cluster[2] = 1;
  HD_TRY(rt_cuda_ops.open(0, &t->device, &error));
  const RtDeviceOps *ops = t->device->ops;
  HD_TRY(ops->memory_new(t->device, LARGE, &t->memory, &error));
  HD_TRY(ops->memory_check(t->device, t->memory, LARGE, &error));
  HD_TRY(load_kernel(t->device, &k, NULL, &t->code));
  HD_TRY(load_kernel(t->device, &wide, NULL, &t->wide));
  RtCodeInfo info;
  HD_TRY(ops->code_info(t->device, t->code, &info, &error));
  HD_TRY(ops->stream_new(t->device, &t->stream, &error));
  HD_TRY(ops->event_new(t->device, &t->first, &error));
  return ops->event_new(t->device, &t->last, &error);
}

static HdStatus use_things(Things *t, char *bytes) {
  const RtDeviceOps *ops = t->device->ops;
  RtStream *wrapped;
  double time_ms;
  HD_TRY(ops->memory_write(t->device, t->memory, bytes, LARGE, &error));
  HD_TRY(ops->memory_read(t->device, bytes, t->memory, 100, &error));
  HD_TRY(ops->memory_read(t->device, bytes, t->memory, LARGE, &error));
  HD_TRY(launch(t, NULL, t->code));
  HD_TRY(launch(t, NULL, t->wide));
  HD_TRY(ops->event_record(t->first, NULL, &error));
  for (int i = 0; i < 70; i++)
    HD_TRY(launch(t, t->stream, t->code));
  HD_TRY(ops->event_record(t->last, t->stream, &error));
  HD_TRY(ops->stream_wait_event(t->stream, t->first, &error));
  HD_TRY(ops->stream_wait(t->stream, &error));
  HD_TRY(ops->event_wait(t->last, &error));
  HD_TRY(ops->event_elapsed_ms(t->first, t->last, &time_ms, &error));
  HD_TRY(ops->stream_wrap(t->device, ops->stream_handle(t->stream), &wrapped,
                          &error));
  ops->stream_free(wrapped);
  HD_TRY(ops->graph_begin(t->stream, &error));
  HD_TRY(launch(t, t->stream, t->code));
  HD_TRY(ops->graph_end(t->stream, &t->graph, &error));
  n_launched++;
  return ops->graph_launch(t->graph, NULL, NULL, count_done, NULL, &error);
}

static void free_things(Things *t) {
  if (!t->device)
    return;
  const RtDeviceOps *ops = t->device->ops;
  // A stream that still collects makes the callbacks when it is freed.
  ops->stream_free(t->stream);
  ops->graph_free(t->graph);
  ops->event_free(t->first);
  ops->event_free(t->last);
  ops->code_free(t->device, t->code);
  ops->code_free(t->device, t->wide);
  ops->memory_free(t->device, t->memory);
  ops->close(t->device);
}

static char bytes[LARGE];

static HdStatus whole_program(void) {
  Things t = {0};
  n_launched = 0;
  atomic_store(&n_done, 0);
  HdStatus status = make_things(&t);
  if (status == HD_OK)
    status = use_things(&t, bytes);
  free_things(&t);
  assert_int_equal(atomic_load(&n_done), n_launched);
  return status;
}

// Failures of these aren't told: they free, or the work goes on without them.
static bool may_be_silent(const char *function) {
  static const char *const names[] = {"Destroy",
                                      "Free",
                                      "Unload",
                                      "Release",
                                      "cuCtxGetCurrent",
                                      "cuCtxSetCurrent",
                                      "cuCtxPopCurrent",
                                      "cuCtxPushCurrent",
                                      "cuCtxSetLimit",
                                      "cuDeviceGetName",
                                      "cuMemGetInfo",
                                      "cuDevicePrimaryCtxGetState",
                                      "cuGetError",
                                      "cuEventQuery",
                                      "cuEventRecord",
                                      "cuPointerGetAttribute",
                                      "cuDeviceGetAttribute",
                                      "cuOccupancyMaxActiveBlocks"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strstr(function, names[i]))
      return true;
  }
  return false;
}

static void fail_every_call(const char *function, int code) {
  fake->reset();
  assert_int_equal(whole_program(), HD_OK);
  int n_calls = fake->calls(function);
  if (n_calls > 10)
    n_calls = 10; // the later ones are the same
  for (int n = 1; n <= n_calls; n++) {
    fake->reset();
    fake->fail_at(function, n, code);
    error.text[0] = 0;
    HdStatus status = whole_program();
    // How often somebody looks whether launches have ended is chance.
    bool has_failed = fake->calls(function) >= n;
    if (status == HD_OK && has_failed && !may_be_silent(function))
      fail_msg("%s failed at call %d, and nobody was told", function, n);
    if (status != HD_OK && !error.text[0])
      fail_msg("%s failed at call %d without words", function, n);
    // What a failing function didn't free goes with its context.
    if (strstr(function, "CtxDestroy"))
      continue;
    for (int kind = 0; kind < FAKE_KINDS; kind++) {
      if (fake->alive((FakeKind)kind) != 0)
        fail_msg("%s failed at call %d: of kind %d something is left", function,
                 n, kind);
    }
    // Nor does anybody free what is lost with the device.
    bool frees = strstr(error.text, "lost") || strstr(function, "Destroy") ||
                 strstr(function, "EndCapture") || strstr(function, "Free") ||
                 strstr(function, "Unload") || strstr(function, "Ctx");
    if (!frees && fake->leaked() != 0)
      fail_msg("%s failed at call %d: %d things were not freed", function, n,
               fake->leaked());
    if (!strstr(function, "Ctx") && fake->misused() != 0)
      fail_msg("%s failed at call %d: the driver's rules were broken", function,
               n);
  }
}

static void every_call_may_run_out_of_memory(void **state) {
  (void)state;
  for (int i = 0; i < N_FUNCTIONS; i++)
    fail_every_call(functions[i], CU_OUT_OF_MEMORY);
  fake->reset();
}

static void every_call_may_find_the_device_lost(void **state) {
  (void)state;
  for (int i = 0; i < N_FUNCTIONS; i++)
    fail_every_call(functions[i], CU_LAUNCH_FAILED);
  fake->reset();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CUDA_TEST(every_call_may_run_out_of_memory),
      CUDA_TEST(every_call_may_find_the_device_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
