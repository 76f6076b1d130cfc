// SPDX-License-Identifier: Apache-2.0
// Kernels that fail on a GPU: what is said, and what still works afterwards.
#include "cuda_setup.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static const char gone[] = "all memory on it is gone; start the process again";

// How the kernels of a test end, by name.
typedef struct {
  const char *name;
  uint32_t kind; // of the record; 0: none
  int code;
} Ending;

static const Ending *endings;
static int n_endings;

static int end_as_told(const FakeLaunch *launch, void *context) {
  char line[64];
  (void)context;
  for (int i = 0; i < n_endings; i++) {
    snprintf(line, sizeof line, "// kernel %s\n", endings[i].name);
    if (!strstr(launch->text, line))
      continue;
    if (endings[i].kind)
      write_fault(fault_of(launch, 0), endings[i].kind, 0);
    return endings[i].code;
  }
  return CU_OK;
}

static RtDevice *open_failing(const Ending *list, int count) {
  endings = list;
  n_endings = count;
  fake->on_kernel(end_as_told, NULL);
  return open_cuda();
}

static RtCode *load_named(RtDevice *device, const char *name) {
  KernelText k = plain;
  k.name = name;
  return load(device, &k);
}

static void assert_lost(RtDevice *device, const char *why) {
  void *memory;
  RtStream *stream;
  RtEvent *event;
  char expected[512];
  snprintf(expected, sizeof expected, "device cuda:0 was lost when %s: %s", why,
           gone);
  assert_int_equal(device->ops->memory_new(device, 8, &memory, &error),
                   HD_ERROR_DEVICE);
  assert_string_equal(error.text, expected);
  assert_int_equal(device->ops->stream_new(device, &stream, &error),
                   HD_ERROR_DEVICE);
  assert_string_equal(error.text, expected);
  assert_int_equal(device->ops->event_new(device, &event, &error),
                   HD_ERROR_DEVICE);
  assert_int_equal(
      device->ops->memory_read(device, &memory, &memory, 8, &error),
      HD_ERROR_DEVICE);
  assert_string_equal(error.text, expected);
  assert_int_equal(
      device->ops->memory_write(device, &memory, &memory, 8, &error),
      HD_ERROR_DEVICE);
  RtCode *code;
  assert_int_equal(load_kernel(device, &plain, NULL, &code), HD_ERROR_DEVICE);
}

static void a_trap_tells_place_block_and_thread(void **state) {
  (void)state;
  static const Ending list[] = {{"k", HD_CUDA_FAULT_TRAP, CU_LAUNCH_FAILED}};
  RtDevice *device = open_failing(list, 1);
  RtCode *code = load(device, &plain);
  void *memory;
  assert_int_equal(device->ops->memory_new(device, 64, &memory, &error), HD_OK);
  RtLaunch launch = launch_of(code);
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_TRAP);
  assert_string_equal(error.text, "k.hd:3:5: trap() in kernel 'k', block (5, "
                                  "1, 0), thread (1, 1, 0)");
  assert_lost(device, "kernel 'k' failed");
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_DEVICE);
  device->ops->memory_free(device, memory);
  device->ops->code_free(device, code);
  RtDevice *again;
  assert_int_equal(rt_cuda_ops.open(-1, &again, &error), HD_ERROR_DEVICE);
  assert_string_equal(
      error.text,
      "device cuda:0 (Fake GPU 0) can't be opened, since a kernel of this "
      "process failed on it (unspecified launch failure "
      "(CUDA_ERROR_LAUNCH_FAILED)): start the process again");
  device->ops->close(device);
}

static void check_assertion(uint32_t kind, const char *of_element) {
  const Ending list[] = {{"k", kind, CU_LAUNCH_FAILED}};
  RtDevice *device = open_failing(list, 1);
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  assert_int_equal(run(device, stream, &launch), HD_OK);
  assert_int_equal(device->ops->stream_wait(stream, &error), HD_ERROR_TRAP);
  char text[256];
  snprintf(text, sizeof text,
           "k.hd:3:5: assertion failed: 'x[i] < \"n\"'%s in kernel 'k', block "
           "(5, 1, 0), thread (1, 1, 0)",
           of_element);
  assert_string_equal(error.text, text);
  assert_int_equal(device->ops->stream_wait(stream, &error), HD_OK);
  device->ops->stream_free(stream);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void a_failed_assertion_tells_its_condition(void **state) {
  (void)state;
  check_assertion(HD_CUDA_FAULT_ASSERT, "");
}

static void a_failed_assertion_of_a_tile_tells_the_element(void **state) {
  (void)state;
  check_assertion(HD_CUDA_FAULT_ASSERT_ELEMENT, " for element [2][3]");
}

// A kernel that writes its record and ends costs nothing but its results.
static void texts_are_ascii_on_the_way(void **state) {
  (void)state;
  static const Ending list[] = {{"k\\303\\274", HD_CUDA_FAULT_ASSERT, CU_OK}};
  RtDevice *device = open_failing(list, 1);
  KernelText k = plain;
  k.name = "k\\303\\274";
  k.lines = "// loc 1 g\\303\\274t.hd:3:5\n// text 0 a[\\\"\\\\\\\"]\n";
  RtCode *code = load(device, &k);
  RtLaunch launch = launch_of(code);
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_TRAP);
  assert_string_equal(error.text,
                      "g\303\274t.hd:3:5: assertion failed: 'a[\"\\\"]' in "
                      "kernel 'k\303\274', block (5, 1, 0), thread (1, 1, 0)");
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void a_failure_without_trap_keeps_the_device(void **state) {
  (void)state;
  static const Ending list[] = {{"k", HD_CUDA_FAULT_TRAP, CU_OK}};
  RtDevice *device = open_failing(list, 1);
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain), *other = load_named(device, "other");
  RtLaunch launch = launch_of(code), good = launch_of(other);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(run(device, NULL, &launch), HD_ERROR_TRAP);
    assert_int_equal(run(device, stream, &good), HD_OK);
    assert_int_equal(run(device, stream, &launch), HD_OK);
    assert_int_equal(device->ops->stream_wait(stream, &error), HD_ERROR_TRAP);
    assert_int_equal(run(device, NULL, &good), HD_OK);
    assert_int_equal(device->ops->stream_wait(stream, &error), HD_OK);
  }
  device->ops->stream_free(stream);
  device->ops->code_free(device, other);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void an_invalid_address_names_the_kernel(void **state) {
  (void)state;
  static const Ending list[] = {{"k", 0, CU_ILLEGAL_ADDRESS}};
  RtDevice *device = open_failing(list, 1);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_TRAP);
  assert_string_equal(
      error.text,
      "kernel 'k' accessed an address that isn't valid: an illegal memory "
      "access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS). Device cuda:0 is "
      "lost: all memory on it is gone; start the process again");
  assert_lost(device, "kernel 'k' accessed an address that isn't valid");
  device->ops->code_free(device, code);
  device->ops->close(device);
}

// Two kernels are in flight, and neither of them said anything.
static void all_kernels_in_flight_are_suspects(void **state) {
  (void)state;
  static const Ending list[] = {{"a", 0, FAKE_GOES_ON},
                                {"b", 0, CU_ILLEGAL_ADDRESS}};
  RtDevice *device = open_failing(list, 2);
  RtStream *one = new_stream(device), *two = new_stream(device);
  RtCode *a = load_named(device, "a"), *b = load_named(device, "b");
  RtLaunch first = launch_of(a), second = launch_of(b);
  assert_int_equal(run(device, one, &first), HD_OK);
  assert_int_equal(run(device, two, &second), HD_OK);
  assert_int_equal(device->ops->stream_wait(one, &error), HD_ERROR_TRAP);
  assert_string_equal(
      error.text,
      "one of the kernels 'b', 'a' accessed an address that isn't valid: an "
      "illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS). "
      "Device cuda:0 is lost: all memory on it is gone; start the process "
      "again");
  device->ops->stream_free(one);
  device->ops->stream_free(two);
  device->ops->code_free(device, a);
  device->ops->code_free(device, b);
  device->ops->close(device);
}

static void other_streams_learn_of_the_loss(void **state) {
  (void)state;
  static const Ending list[] = {{"bad", HD_CUDA_FAULT_TRAP, CU_LAUNCH_FAILED},
                                {"good", 0, FAKE_GOES_ON}};
  RtDevice *device = open_failing(list, 2);
  RtStream *one = new_stream(device), *two = new_stream(device);
  RtCode *bad = load_named(device, "bad"), *good = load_named(device, "good");
  RtLaunch first = launch_of(bad), second = launch_of(good);
  assert_int_equal(run(device, two, &second), HD_OK);
  assert_int_equal(run(device, one, &first), HD_OK);
  assert_int_equal(device->ops->stream_wait(one, &error), HD_ERROR_TRAP);
  assert_non_null(strstr(error.text, "trap() in kernel 'bad'"));
  assert_int_equal(device->ops->stream_wait(two, &error), HD_ERROR_DEVICE);
  assert_string_equal(error.text,
                      "device cuda:0 was lost when kernel 'bad' failed: all "
                      "memory on it is gone; start the process again");
  device->ops->stream_free(one);
  device->ops->stream_free(two);
  device->ops->code_free(device, good);
  device->ops->code_free(device, bad);
  device->ops->close(device);
}

static atomic_int n_done;

static void count_done(void *context) {
  (void)context;
  atomic_fetch_add(&n_done, 1);
}

static void launches_behind_a_failure_are_dropped(void **state) {
  (void)state;
  static const Ending list[] = {{"k", HD_CUDA_FAULT_TRAP, CU_LAUNCH_FAILED}};
  RtDevice *device = open_failing(list, 1);
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  atomic_store(&n_done, 0);
  for (int i = 0; i < 5; i++)
    assert_int_equal(
        device->ops->launch(device, stream, &launch, count_done, NULL, &error),
        HD_OK);
  assert_int_equal(device->ops->stream_wait(stream, &error), HD_ERROR_TRAP);
  assert_non_null(strstr(error.text, "k.hd:3:5: trap() in kernel 'k'"));
  assert_int_equal(atomic_load(&n_done), 5);
  assert_int_equal(
      device->ops->launch(device, stream, &launch, count_done, NULL, &error),
      HD_ERROR_DEVICE);
  assert_int_equal(atomic_load(&n_done), 6);
  device->ops->stream_free(stream);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void a_record_that_was_cut_off(void **state) {
  (void)state;
  static const Ending list[] = {{"k", 0, CU_LAUNCH_FAILED}};
  RtDevice *device = open_failing(list, 1);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_TRAP);
  assert_non_null(strstr(error.text, "kernel 'k' stopped with an error: "
                                     "unspecified launch failure"));
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void the_hardware_fails(void **state) {
  (void)state;
  static const Ending list[] = {{"k", 0, CU_ECC_UNCORRECTABLE}};
  RtDevice *device = open_failing(list, 1);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_DEVICE);
  assert_string_equal(error.text,
                      "device cuda:0 was lost: uncorrectable ECC error "
                      "encountered (CUDA_ERROR_ECC_UNCORRECTABLE): all memory "
                      "on it is gone; start the process again");
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void the_loss_shows_in_a_copy_first(void **state) {
  (void)state;
  static const Ending list[] = {{"k", HD_CUDA_FAULT_TRAP, CU_LAUNCH_FAILED}};
  RtDevice *device = open_failing(list, 1);
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  void *memory;
  char byte = 0;
  assert_int_equal(device->ops->memory_new(device, 64, &memory, &error), HD_OK);
  assert_int_equal(run(device, stream, &launch), HD_OK);
  assert_int_equal(device->ops->memory_read(device, &byte, memory, 1, &error),
                   HD_ERROR_DEVICE);
  assert_non_null(strstr(error.text, "was lost when kernel 'k' failed"));
  assert_int_equal(device->ops->stream_wait(stream, &error), HD_ERROR_TRAP);
  assert_non_null(strstr(error.text, "trap() in kernel 'k'"));
  device->ops->memory_free(device, memory);
  device->ops->stream_free(stream);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

// --- interrupts ---

static int wait_for_interrupt(const FakeLaunch *launch, void *context) {
  HdCudaFault *fault = fault_of(launch, 0);
  if (!__atomic_load_n(&fault->interrupt, __ATOMIC_RELAXED))
    return FAKE_GOES_ON;
  return write_fault(fault, HD_CUDA_FAULT_INTERRUPTED, *(const int *)context);
}

static int32_t interrupt;

static void *interrupt_soon(void *argument) {
  (void)argument;
  usleep(3000);
  __atomic_store_n(&interrupt, 1, __ATOMIC_RELAXED);
  return NULL;
}

static void interrupted_kernel(int code_at_end) {
  pthread_t thread;
  fake->on_kernel(wait_for_interrupt, &code_at_end);
  interrupt = 0;
  RtDevice *device = open_cuda();
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  launch.interrupt = &interrupt;
  pthread_create(&thread, NULL, interrupt_soon, NULL);
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_INTERRUPTED);
  assert_string_equal(error.text, "interrupted");
  pthread_join(thread, NULL);
  // Once it is known, nothing is started.
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_INTERRUPTED);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void a_kernel_that_waits_is_interrupted(void **state) {
  (void)state;
  interrupted_kernel(CU_OK);
  interrupted_kernel(CU_LAUNCH_FAILED); // it may trap to end
}

static void an_interrupt_reaches_launches_nobody_waits_for(void **state) {
  (void)state;
  int code_at_end = CU_OK;
  fake->on_kernel(wait_for_interrupt, &code_at_end);
  interrupt = 0;
  atomic_store(&n_done, 0);
  RtDevice *device = open_cuda();
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  launch.interrupt = &interrupt;
  for (int i = 0; i < 3; i++)
    assert_int_equal(
        device->ops->launch(device, stream, &launch, count_done, NULL, &error),
        HD_OK);
  __atomic_store_n(&interrupt, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 20000 && atomic_load(&n_done) < 3; i++)
    usleep(100);
  assert_int_equal(atomic_load(&n_done), 3);
  assert_int_equal(device->ops->stream_wait(stream, &error),
                   HD_ERROR_INTERRUPTED);
  device->ops->stream_free(stream);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static int never_end(const FakeLaunch *launch, void *context) {
  (void)launch;
  (void)context;
  return FAKE_GOES_ON;
}

static void a_kernel_that_does_not_end_is_given_up(void **state) {
  (void)state;
  void *memory;
  fake->on_kernel(never_end, NULL);
  RtDevice *device = open_cuda();
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  interrupt = 0;
  launch.interrupt = &interrupt;
  atomic_store(&n_done, 0);
  assert_int_equal(
      device->ops->launch(device, stream, &launch, count_done, NULL, &error),
      HD_OK);
  __atomic_store_n(&interrupt, 1, __ATOMIC_RELAXED);
  assert_int_equal(device->ops->stream_wait(stream, &error),
                   HD_ERROR_INTERRUPTED);
  assert_int_equal(atomic_load(&n_done), 1);
  assert_int_equal(device->ops->memory_new(device, 8, &memory, &error),
                   HD_ERROR_DEVICE);
  assert_string_equal(error.text,
                      "device cuda:0 was given up because kernel 'k' doesn't "
                      "end, though it was interrupted: all memory on it is "
                      "gone; start the process again");
  device->ops->stream_free(stream);
  device->ops->code_free(device, code);
  device->ops->close(device);
  // The kernel still runs in the context, which is left to the process's end.
  assert_int_equal(fake->alive(FAKE_CONTEXT), 1);
  fake->reset();
}

// It wrote down where it failed, but other threads wait for those that ended.
static int fail_and_hang(const FakeLaunch *launch, void *context) {
  (void)context;
  write_fault(fault_of(launch, 0), HD_CUDA_FAULT_TRAP, 0);
  return FAKE_GOES_ON;
}

static void a_kernel_that_hangs_after_its_failure(void **state) {
  (void)state;
  void *memory;
  fake->on_kernel(fail_and_hang, NULL);
  RtDevice *device = open_cuda();
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  assert_int_equal(run(device, NULL, &launch), HD_ERROR_TRAP);
  assert_non_null(strstr(error.text, "k.hd:3:5: trap() in kernel 'k'"));
  assert_int_equal(device->ops->memory_new(device, 8, &memory, &error),
                   HD_ERROR_DEVICE);
  assert_non_null(strstr(error.text, "was given up because kernel 'k' doesn't "
                                     "end, though it failed"));
  device->ops->code_free(device, code);
  device->ops->close(device);
  fake->reset();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CUDA_TEST(a_trap_tells_place_block_and_thread),
      CUDA_TEST(a_failed_assertion_tells_its_condition),
      CUDA_TEST(a_failed_assertion_of_a_tile_tells_the_element),
      CUDA_TEST(texts_are_ascii_on_the_way),
      CUDA_TEST(a_failure_without_trap_keeps_the_device),
      CUDA_TEST(an_invalid_address_names_the_kernel),
      CUDA_TEST(all_kernels_in_flight_are_suspects),
      CUDA_TEST(other_streams_learn_of_the_loss),
      CUDA_TEST(launches_behind_a_failure_are_dropped),
      CUDA_TEST(a_record_that_was_cut_off),
      CUDA_TEST(the_hardware_fails),
      CUDA_TEST(the_loss_shows_in_a_copy_first),
      CUDA_TEST(a_kernel_that_waits_is_interrupted),
      CUDA_TEST(an_interrupt_reaches_launches_nobody_waits_for),
      CUDA_TEST(a_kernel_that_does_not_end_is_given_up),
      CUDA_TEST(a_kernel_that_hangs_after_its_failure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
