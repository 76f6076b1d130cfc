// SPDX-License-Identifier: Apache-2.0
// What the tests of the CUDA runtime share: the stand-in for the driver, and
// kernels that are descriptions of a launch with hardly any code.
#ifndef HD_TESTS_RT_CUDA_SETUP_H
#define HD_TESTS_RT_CUDA_SETUP_H

#include "abi/cuda.h"
#include "fake_cuda.h"
#include "rt/device.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka last: it needs the headers above.
#include <cmocka.h>

static const FakeCuda *fake;
static RtError error;

static inline void use_library(const char *path) {
  assert_int_equal(setenv("HEDDLE_CUDA_LIBRARY", path, 1), 0);
}

// Before each test: a driver with one device and nothing alive.
static inline int fake_setup(void **state) {
  (void)state;
  use_library(HD_FAKE_CUDA);
  void *library = dlopen(HD_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  assert_non_null(library);
  FakeCudaGet get;
  void *address = dlsym(library, "fake_cuda");
  memcpy(&get, &address, sizeof get);
  fake = get();
  fake->reset();
  dlclose(library);
  error.text[0] = 0;
  return 0;
}

// After each test: nothing is left, and no rule of the driver was broken.
static inline int fake_teardown(void **state) {
  (void)state;
  for (int kind = 0; kind < FAKE_KINDS; kind++)
    assert_int_equal(fake->alive((FakeKind)kind), 0);
  assert_int_equal(fake->leaked(), 0);
  assert_int_equal(fake->misused(), 0);
  return 0;
}

static inline RtDevice *open_cuda(void) {
  RtDevice *device = NULL;
  if (rt_cuda_ops.open(-1, &device, &error) != HD_OK)
    fail_msg("%s", error.text);
  return device;
}

// What a test's kernel has of its own; the rest is as in `plain`.
typedef struct {
  const char *name, *target;
  unsigned slots, globals, block[3], cluster[3];
  unsigned shared, is_dynamic, flags, fixed, per_block;
  const char *lines; // maps, locs, texts
  const char *version, *body;
  const char *entry; // parameters and code; NULL: none
} KernelText;

static const KernelText plain = {.name = "k",
                                 .target = "sm_90a",
                                 .block = {64, 2, 1},
                                 .lines = "// loc 0 unknown place\n"
                                          "// loc 1 k.hd:3:5\n"
                                          "// text 0 x[i] < \\\"n\\\"\n",
                                 .version = "8.6",
                                 .body = ""};

static inline const char *kernel_text(const KernelText *k, char text[4096]) {
  snprintf(text, 4096,
           "// heddle-cuda %d\n// kernel %s\n// entry k$\n// target %s\n// "
           "slots %u\n"
           "// globals %u\n// block %u %u %u\n// cluster %u %u %u\n"
           "// shared %u %u\n// flags %u\n// workspace %u %u\n%s// end\n"
           ".version %s\n.target %s\n.address_size 64\n"
           ".visible .entry k$%s %s\n",
           HD_CUDA_ABI_VERSION, k->name, k->target, k->slots, k->globals,
           k->block[0], k->block[1], k->block[2], k->cluster[0], k->cluster[1],
           k->cluster[2], k->shared, k->is_dynamic, k->flags, k->fixed,
           k->per_block, k->lines, k->version, k->target,
           k->entry ? k->entry : "() { ret; }", k->body);
  return text;
}

static inline HdStatus load_kernel(RtDevice *device, const KernelText *k,
                                   const char *cache_dir, RtCode **out) {
  char text[4096];
  kernel_text(k, text);
  RtSource source = {.text = text,
                     .size_bytes = strlen(text),
                     .cache_dir = cache_dir,
                     .cache_limit_bytes = 1 << 20};
  return device->ops->code_load(device, &source, out, &error);
}

static inline RtCode *load(RtDevice *device, const KernelText *k) {
  RtCode *code = NULL;
  if (load_kernel(device, k, NULL, &code) != HD_OK)
    fail_msg("%s", error.text);
  return code;
}

// One block of a kernel without arguments.
static inline RtLaunch launch_of(const RtCode *code) {
  return (RtLaunch){.code = code, .grid = {1, 1, 1}};
}

static inline HdStatus run(RtDevice *device, RtStream *stream,
                           const RtLaunch *launch) {
  return device->ops->launch(device, stream, launch, NULL, NULL, &error);
}

static inline RtStream *new_stream(RtDevice *device) {
  RtStream *stream = NULL;
  if (device->ops->stream_new(device, &stream, &error) != HD_OK)
    fail_msg("%s", error.text);
  return stream;
}

// The record that a launch's kernel would write its failure to.
static inline HdCudaFault *fault_of(const FakeLaunch *launch, unsigned slots) {
  return (HdCudaFault *)(uintptr_t)launch->words[slots + HD_CUDA_HIDDEN_FAULT];
}

static inline int write_fault(HdCudaFault *fault, uint32_t kind, int code) {
  *fault = (HdCudaFault){.state = 2,
                         .kind = kind,
                         .loc = 1,
                         .text = kind == HD_CUDA_FAULT_ASSERT ||
                                         kind == HD_CUDA_FAULT_ASSERT_ELEMENT
                                     ? 0
                                     : UINT32_MAX,
                         .n_index = 2,
                         .index = {2, 3},
                         .block = {5, 1, 0},
                         .thread = 65,
                         .interrupt = fault->interrupt};
  return code;
}

#define CUDA_TEST(name)                                                        \
  cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)

#endif
