// SPDX-License-Identifier: Apache-2.0
// Finding the driver and its devices, and every way in which that fails.
#include "cuda_setup.h"

static HdStatus open_device(int ordinal) {
  RtDevice *device = NULL;
  HdStatus status = rt_cuda_ops.open(ordinal, &device, &error);
  if (status == HD_OK)
    device->ops->close(device);
  else
    assert_null(device);
  return status;
}

static void assert_says(const char *what) {
  if (!strstr(error.text, what))
    fail_msg("'%s' isn't in: %s", what, error.text);
}

static void devices_are_counted_and_described(void **state) {
  (void)state;
  int count;
  char text[256];
  fake->set("devices", 3);
  assert_int_equal(rt_cuda_ops.count(&count, &error), HD_OK);
  assert_int_equal(count, 3);
  rt_cuda_ops.describe(2, text, sizeof text);
  assert_string_equal(text, "Fake GPU 2, sm_90, 4 multiprocessors, 0.2 GiB, "
                            "driver with CUDA 13.0");
  rt_cuda_ops.describe(3, text, sizeof text);
  assert_string_equal(text,
                      "there is no device cuda:3; there are: cuda:0 to cuda:2");
}

static void a_device_has_its_limits(void **state) {
  (void)state;
  RtDevice *device = open_cuda();
  assert_ptr_equal(device->ops, &rt_cuda_ops);
  assert_int_equal(device->sm, 90);
  assert_int_equal(device->shared_limit_bytes, 232448);
  assert_int_equal(fake->alive(FAKE_CONTEXT), 1);
  device->ops->close(device);
  rt_cuda_ops.close(NULL);
}

static void no_driver_says_what_to_install(void **state) {
  (void)state;
  int count = 7;
  use_library("/nowhere/libcuda.so.1");
  assert_int_equal(open_device(-1), HD_ERROR_NOT_FOUND);
  assert_says("there is no NVIDIA driver: /nowhere/libcuda.so.1: cannot open");
  assert_says("Install the driver (565 or newer); a CUDA toolkit isn't needed");
  assert_int_equal(rt_cuda_ops.count(&count, &error), HD_ERROR_NOT_FOUND);
  assert_int_equal(count, 0);
  char text[256];
  rt_cuda_ops.describe(-1, text, sizeof text);
  assert_non_null(strstr(text, "there is no NVIDIA driver"));
}

static void a_library_that_is_no_driver(void **state) {
  (void)state;
  use_library("libc.so.6");
  assert_int_equal(open_device(-1), HD_ERROR_DEVICE);
  assert_says("doesn't report its version");
}

static void the_stub_of_the_toolkit(void **state) {
  (void)state;
  fake->fail_at("cuDriverGetVersion", 1, CU_STUB_LIBRARY);
  assert_int_equal(open_device(-1), HD_ERROR_DEVICE);
  assert_says("(error 34): this is the toolkit's stub library: take its folder "
              "out of LD_LIBRARY_PATH");
}

static void an_old_driver_says_both_versions(void **state) {
  (void)state;
  fake->set("version", 11080);
  assert_int_equal(open_device(-1), HD_ERROR_UNSUPPORTED);
  assert_string_equal(error.text,
                      "the NVIDIA driver is too old: it has CUDA 11.8, but at "
                      "least CUDA 12.0 is needed. Install 565 or newer");
}

static void a_driver_that_lacks_a_function(void **state) {
  (void)state;
  use_library(HD_FAKE_CUDA_OLD);
  assert_int_equal(open_device(-1), HD_ERROR_UNSUPPORTED);
  assert_says("at least CUDA 12.0 is needed for cuTensorMapEncodeTiled");
}

static void no_device_is_told(void **state) {
  (void)state;
  int count;
  fake->set("devices", 0);
  assert_int_equal(open_device(-1), HD_ERROR_NOT_FOUND);
  assert_says("there is no NVIDIA GPU: is a GPU in this machine, and is it "
              "visible (CUDA_VISIBLE_DEVICES");
  assert_int_equal(rt_cuda_ops.count(&count, &error), HD_ERROR_NOT_FOUND);
}

static void a_driver_that_does_not_start(void **state) {
  (void)state;
  fake->fail_at("cuInit", 1, CU_SYSTEM_NOT_READY);
  assert_int_equal(open_device(-1), HD_ERROR_DEVICE);
  assert_string_equal(error.text,
                      "the NVIDIA driver doesn't start: system not yet "
                      "initialized (CUDA_ERROR_SYSTEM_NOT_READY): is the "
                      "fabric manager running?");
  fake->fail_at("cuInit", 1, 12345);
  assert_int_equal(open_device(-1), HD_ERROR_DEVICE);
  assert_string_equal(
      error.text,
      "the NVIDIA driver doesn't start: error 12345 of the CUDA driver");
  fake->fail_at("cuDeviceGetCount", 1, CU_NOT_INITIALIZED);
  assert_int_equal(open_device(-1), HD_ERROR_DEVICE);
  assert_says("doesn't count its devices");
}

static void an_ordinal_that_is_not_there(void **state) {
  (void)state;
  assert_int_equal(open_device(1), HD_ERROR_NOT_FOUND);
  assert_string_equal(error.text,
                      "there is no device cuda:1; there is: cuda:0");
  fake->set("devices", 2);
  assert_int_equal(open_device(1), HD_OK);
}

static void a_busy_device_is_told(void **state) {
  (void)state;
  fake->fail_at("cuCtxCreate_v2", 1, CU_DEVICE_UNAVAILABLE);
  fake->set("compute_mode", 3);
  assert_int_equal(open_device(-1), HD_ERROR_DEVICE);
  assert_string_equal(
      error.text,
      "device cuda:0 (Fake GPU 0) is busy: another process uses it exclusively "
      "(compute mode 'exclusive process'): CUDA-capable device(s) is/are busy "
      "or unavailable (CUDA_ERROR_DEVICE_UNAVAILABLE)");
  fake->fail_at("cuCtxCreate_v2", 1, CU_DEVICE_UNAVAILABLE);
  fake->set("compute_mode", 2);
  assert_int_equal(open_device(-1), HD_ERROR_DEVICE);
  assert_says("compute mode 'prohibited', so nothing may run on it");
  fake->fail_at("cuCtxCreate_v2", 1, CU_INVALID_DEVICE);
  fake->set("compute_mode", 0);
  assert_int_equal(open_device(-1), HD_ERROR_DEVICE);
  assert_says("device cuda:0 (Fake GPU 0) can't be opened: invalid device");
}

static void a_full_device_is_told(void **state) {
  (void)state;
  fake->fail_at("cuCtxCreate_v2", 1, CU_OUT_OF_MEMORY);
  assert_int_equal(open_device(-1), HD_ERROR_MEMORY);
  assert_says("device cuda:0 (Fake GPU 0) has no memory left to be opened");
}

static void an_old_device_is_refused(void **state) {
  (void)state;
  fake->set("major", 7);
  fake->set("minor", 5);
  assert_int_equal(open_device(-1), HD_ERROR_UNSUPPORTED);
  assert_string_equal(error.text,
                      "device cuda:0 (Fake GPU 0) has compute capability "
                      "7.5; at least 8.0 is needed");
}

// Memory of other libraries lives in the primary context, so that one is used
// where it is in use.
static void the_primary_context_is_shared(void **state) {
  (void)state;
  fake->set("primary_is_active", 1);
  RtDevice *a = open_cuda(), *b = open_cuda();
  assert_int_equal(fake->alive(FAKE_CONTEXT), 1);
  assert_int_equal(fake->calls("cuCtxCreate_v2"), 0);
  void *memory;
  assert_int_equal(a->ops->memory_new(a, 64, &memory, &error), HD_OK);
  assert_int_equal(b->ops->memory_check(b, memory, 64, &error), HD_OK);
  a->ops->memory_free(a, memory);
  a->ops->close(a);
  fake->set("primary_is_active", 0);
  b->ops->close(b);
}

static CuContext current_context(void) {
  int (*get)(CuContext *);
  void *library = dlopen(HD_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
  void *address = dlsym(library, "cuCtxGetCurrent");
  memcpy(&get, &address, sizeof address);
  CuContext context;
  assert_int_equal(get(&context), CU_OK);
  dlclose(library);
  return context;
}

static void make_and_free(RtDevice *device) {
  void *memory;
  assert_int_equal(device->ops->memory_new(device, 64, &memory, &error), HD_OK);
  device->ops->memory_free(device, memory);
}

// Other code of the thread finds its context again.
static void a_context_that_is_current_stays_so(void **state) {
  (void)state;
  RtDevice *a = open_cuda(), *b = open_cuda();
  assert_null(current_context());
  make_and_free(a);
  CuContext first = current_context();
  assert_non_null(first);
  assert_int_equal(fake->calls("cuCtxPushCurrent_v2"), 0);
  make_and_free(b);
  assert_ptr_equal(current_context(), first);
  assert_int_equal(fake->calls("cuCtxPopCurrent_v2"),
                   fake->calls("cuCtxPushCurrent_v2") +
                       fake->calls("cuCtxCreate_v2"));
  b->ops->close(b);
  a->ops->close(a);
  assert_null(current_context());
}

static void only_the_call_that_was_meant_fails(void **state) {
  (void)state;
  fake->fail_at("cuInit", 2, CU_NO_DEVICE);
  assert_int_equal(open_device(-1), HD_OK);
  assert_int_equal(open_device(-1), HD_ERROR_NOT_FOUND);
  assert_int_equal(fake->calls("cuInit"), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CUDA_TEST(devices_are_counted_and_described),
      CUDA_TEST(a_device_has_its_limits),
      CUDA_TEST(no_driver_says_what_to_install),
      CUDA_TEST(a_library_that_is_no_driver),
      CUDA_TEST(the_stub_of_the_toolkit),
      CUDA_TEST(an_old_driver_says_both_versions),
      CUDA_TEST(a_driver_that_lacks_a_function),
      CUDA_TEST(no_device_is_told),
      CUDA_TEST(a_driver_that_does_not_start),
      CUDA_TEST(an_ordinal_that_is_not_there),
      CUDA_TEST(a_busy_device_is_told),
      CUDA_TEST(a_full_device_is_told),
      CUDA_TEST(an_old_device_is_refused),
      CUDA_TEST(the_primary_context_is_shared),
      CUDA_TEST(a_context_that_is_current_stays_so),
      CUDA_TEST(only_the_call_that_was_meant_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
