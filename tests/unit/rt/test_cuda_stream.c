// SPDX-License-Identifier: Apache-2.0
// Streams and events of a GPU: what is in flight, callbacks, waiting.
#include "cuda_setup.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int n_done, n_run;

static void count_done(void *context) {
  atomic_int *counter = context;
  atomic_fetch_add(counter, 1);
}

static int count_run(const FakeLaunch *launch, void *context) {
  (void)launch;
  (void)context;
  atomic_fetch_add(&n_run, 1);
  return CU_OK;
}

static RtDevice *open_counting(void) {
  atomic_store(&n_done, 0);
  atomic_store(&n_run, 0);
  fake->on_kernel(count_run, NULL);
  return open_cuda();
}

static HdStatus run_counted(RtDevice *device, RtStream *stream,
                            const RtLaunch *launch) {
  return device->ops->launch(device, stream, launch, count_done, &n_done,
                             &error);
}

static void wait_until(atomic_int *value, int wanted) {
  for (int i = 0; i < 20000 && atomic_load(value) != wanted; i++)
    usleep(100);
  assert_int_equal(atomic_load(value), wanted);
}

static void without_a_stream_the_launch_has_ended(void **state) {
  (void)state;
  RtDevice *device = open_counting();
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  for (int i = 1; i <= 3; i++) {
    assert_int_equal(run_counted(device, NULL, &launch), HD_OK);
    assert_int_equal(atomic_load(&n_done), i);
    assert_int_equal(atomic_load(&n_run), i);
  }
  assert_int_equal(fake->calls("cuStreamCreate"), 1); // one is kept
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void waiting_makes_all_callbacks(void **state) {
  (void)state;
  RtDevice *device = open_counting();
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  assert_int_equal(device->ops->stream_wait(stream, &error), HD_OK);
  for (int i = 0; i < 200; i++)
    assert_int_equal(run_counted(device, stream, &launch), HD_OK);
  assert_int_equal(device->ops->stream_wait(stream, &error), HD_OK);
  assert_int_equal(atomic_load(&n_done), 200);
  assert_int_equal(atomic_load(&n_run), 200);
  assert_int_equal(run_counted(device, stream, &launch), HD_OK);
  device->ops->stream_free(stream); // waits
  assert_int_equal(atomic_load(&n_done), 201);
  device->ops->stream_free(NULL);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void callbacks_come_though_nobody_waits(void **state) {
  (void)state;
  RtDevice *device = open_counting();
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  assert_int_equal(run_counted(device, stream, &launch), HD_OK);
  wait_until(&n_done, 1);
  usleep(20000); // longer than the thread lingers
  assert_int_equal(run_counted(device, stream, &launch), HD_OK);
  wait_until(&n_done, 2);
  device->ops->stream_free(stream);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

// Only what has ended is told: the first 64 are, once their mark is reached.
static void marks_tell_how_far_a_busy_stream_is(void **state) {
  (void)state;
  RtDevice *device = open_counting();
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  fake->set("is_held", 1);
  for (int i = 0; i < 100; i++)
    assert_int_equal(run_counted(device, stream, &launch), HD_OK);
  usleep(5000);
  assert_int_equal(atomic_load(&n_done), 0);
  for (int i = 0; i < 65; i++) // the mark is work, too
    fake->step();
  wait_until(&n_done, 64);
  for (int i = 0; i < 20; i++)
    fake->step();
  usleep(5000);
  assert_int_equal(atomic_load(&n_done), 64);
  while (fake->step() > 0)
    continue;
  wait_until(&n_done, 100);
  device->ops->stream_free(stream);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

static void *step_slowly(void *argument) {
  atomic_int *is_ending = argument;
  while (!atomic_load(is_ending)) {
    fake->step();
    usleep(20);
  }
  return NULL;
}

static void a_full_stream_makes_room(void **state) {
  (void)state;
  atomic_int is_ending = 0;
  pthread_t thread;
  RtDevice *device = open_counting();
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  fake->set("is_held", 1);
  for (int i = 0; i < 256; i++)
    assert_int_equal(run_counted(device, stream, &launch), HD_OK);
  assert_int_equal(atomic_load(&n_run), 0);
  pthread_create(&thread, NULL, step_slowly, &is_ending);
  for (int i = 0; i < 300; i++)
    assert_int_equal(run_counted(device, stream, &launch), HD_OK);
  assert_true(atomic_load(&n_run) >= 300);
  assert_int_equal(device->ops->stream_wait(stream, &error), HD_OK);
  assert_int_equal(atomic_load(&n_done), 556);
  atomic_store(&is_ending, 1);
  pthread_join(thread, NULL);
  device->ops->stream_free(stream);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

// A callback gives back what the launch used.
typedef struct {
  RtDevice *device;
  void *memory;
  RtCode *code;
} Used;

static void free_used(void *context) {
  Used *used = context;
  used->device->ops->memory_free(used->device, used->memory);
  used->device->ops->code_free(used->device, used->code);
  atomic_fetch_add(&n_done, 1);
}

static void callbacks_may_free_what_was_used(void **state) {
  (void)state;
  RtDevice *device = open_counting();
  RtStream *stream = new_stream(device);
  Used used = {.device = device, .code = load(device, &plain)};
  RtLaunch launch = launch_of(used.code);
  assert_int_equal(device->ops->memory_new(device, 64, &used.memory, &error),
                   HD_OK);
  assert_int_equal(
      device->ops->launch(device, stream, &launch, free_used, &used, &error),
      HD_OK);
  wait_until(&n_done, 1);
  assert_int_equal(fake->alive(FAKE_MODULE), 1); // kept until the device goes
  device->ops->stream_free(stream);
  device->ops->close(device);
  assert_int_equal(fake->alive(FAKE_MODULE), 0);
}

static void a_refused_launch_is_called_back(void **state) {
  (void)state;
  RtDevice *device = open_counting();
  RtStream *stream = new_stream(device);
  RtCode *code = load(device, &plain);
  RtLaunch launch = launch_of(code);
  launch.dynamic_shared_bytes = 1 << 20;
  assert_int_equal(run_counted(device, stream, &launch), HD_ERROR_LAUNCH);
  assert_int_equal(run_counted(device, NULL, &launch), HD_ERROR_LAUNCH);
  launch.dynamic_shared_bytes = 0;
  fake->fail_at("cuLaunchKernelEx", 1, CU_INVALID_VALUE);
  assert_int_equal(run_counted(device, stream, &launch), HD_ERROR_DEVICE);
  assert_string_equal(error.text, "launching kernel 'k': invalid argument "
                                  "(CUDA_ERROR_INVALID_VALUE)");
  assert_int_equal(atomic_load(&n_done), 3);
  assert_int_equal(device->ops->stream_wait(stream, &error), HD_OK);
  device->ops->stream_free(stream);
  device->ops->code_free(device, code);
  device->ops->close(device);
}

// --- events ---

static void events_tell_the_time_between(void **state) {
  (void)state;
  RtDevice *device = open_counting();
  RtStream *stream = new_stream(device);
  RtEvent *start, *end;
  double time_ms = -1;
  assert_int_equal(device->ops->event_new(device, &start, &error), HD_OK);
  assert_int_equal(device->ops->event_new(device, &end, &error), HD_OK);
  assert_int_equal(device->ops->event_elapsed_ms(start, end, &time_ms, &error),
                   HD_ERROR_ARGUMENT);
  assert_string_equal(error.text, "an event was never recorded");
  assert_int_equal(device->ops->event_wait(start, &error), HD_OK);
  assert_int_equal(device->ops->event_record(start, NULL, &error), HD_OK);
  fake->set("is_held", 1);
  assert_int_equal(device->ops->event_record(end, stream, &error), HD_OK);
  assert_int_equal(device->ops->event_elapsed_ms(start, end, &time_ms, &error),
                   HD_ERROR_ARGUMENT);
  assert_string_equal(error.text,
                      "an event wasn't reached yet: wait for it first");
  fake->step();
  assert_int_equal(device->ops->event_wait(end, &error), HD_OK);
  assert_int_equal(device->ops->event_elapsed_ms(start, end, &time_ms, &error),
                   HD_OK);
  assert_true(time_ms >= 0);
  assert_int_equal(device->ops->stream_wait_event(stream, end, &error), HD_OK);
  device->ops->event_free(start);
  device->ops->event_free(end);
  device->ops->event_free(NULL);
  device->ops->stream_free(stream);
  device->ops->close(device);
}

static void events_that_fail(void **state) {
  (void)state;
  RtDevice *device = open_counting();
  RtStream *stream = new_stream(device);
  RtEvent *event;
  fake->fail_at("cuEventCreate", 1, CU_OUT_OF_MEMORY);
  assert_int_equal(device->ops->event_new(device, &event, &error),
                   HD_ERROR_MEMORY);
  assert_null(event);
  assert_int_equal(device->ops->event_new(device, &event, &error), HD_OK);
  fake->fail_at("cuEventRecord", 1, CU_INVALID_VALUE);
  assert_int_equal(device->ops->event_record(event, stream, &error),
                   HD_ERROR_DEVICE);
  fake->fail_at("cuStreamWaitEvent", 1, CU_INVALID_VALUE);
  assert_int_equal(device->ops->stream_wait_event(stream, event, &error),
                   HD_ERROR_DEVICE);
  fake->fail_at("cuEventQuery", 1, CU_INVALID_VALUE);
  assert_int_equal(device->ops->event_wait(event, &error), HD_ERROR_DEVICE);
  assert_string_equal(error.text, "waiting for an event: invalid argument "
                                  "(CUDA_ERROR_INVALID_VALUE)");
  device->ops->event_free(event);
  device->ops->stream_free(stream);
  device->ops->close(device);
}

// --- streams of other libraries ---

static void streams_of_others_are_theirs(void **state) {
  (void)state;
  RtDevice *a = open_counting(), *b = open_cuda();
  RtStream *own = new_stream(a), *wrapped;
  RtCode *code = load(a, &plain);
  RtLaunch launch = launch_of(code);
  void *handle = a->ops->stream_handle(own);
  assert_int_equal(a->ops->stream_wrap(a, handle, &wrapped, &error), HD_OK);
  assert_ptr_equal(a->ops->stream_handle(wrapped), handle);
  assert_int_equal(run_counted(a, wrapped, &launch), HD_OK);
  assert_int_equal(a->ops->stream_wait(wrapped, &error), HD_OK);
  assert_int_equal(atomic_load(&n_run), 1);
  a->ops->stream_free(wrapped);
  assert_int_equal(fake->alive(FAKE_STREAM), 1);
  assert_int_equal(b->ops->stream_wrap(b, handle, &wrapped, &error),
                   HD_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "belongs to another CUDA context than "
                                     "that of device cuda:0"));
  assert_null(wrapped);
  a->ops->stream_free(own);
  a->ops->code_free(a, code);
  b->ops->close(b);
  a->ops->close(a);
}

// --- threads ---

enum { THREADS = 4, ROUNDS = 150 };

static void *launch_much(void *argument) {
  RtDevice *device = argument;
  RtError own;
  RtStream *stream;
  RtCode *code;
  char text[4096];
  kernel_text(&plain, text);
  RtSource source = {.text = text, .size_bytes = strlen(text)};
  assert_int_equal(device->ops->code_load(device, &source, &code, &own), HD_OK);
  assert_int_equal(device->ops->stream_new(device, &stream, &own), HD_OK);
  RtLaunch launch = launch_of(code);
  for (int i = 0; i < ROUNDS; i++) {
    void *memory;
    assert_int_equal(device->ops->memory_new(device, 256, &memory, &own),
                     HD_OK);
    assert_int_equal(device->ops->launch(device, i % 3 ? stream : NULL, &launch,
                                         count_done, &n_done, &own),
                     HD_OK);
    if (i % 10 == 0)
      assert_int_equal(device->ops->stream_wait(stream, &own), HD_OK);
    device->ops->memory_free(device, memory);
  }
  device->ops->stream_free(stream);
  device->ops->code_free(device, code);
  return NULL;
}

static void threads_use_a_device_together(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  RtDevice *device = open_counting();
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, launch_much, device), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(atomic_load(&n_done), THREADS * ROUNDS);
  assert_int_equal(atomic_load(&n_run), THREADS * ROUNDS);
  device->ops->close(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CUDA_TEST(without_a_stream_the_launch_has_ended),
      CUDA_TEST(waiting_makes_all_callbacks),
      CUDA_TEST(callbacks_come_though_nobody_waits),
      CUDA_TEST(marks_tell_how_far_a_busy_stream_is),
      CUDA_TEST(a_full_stream_makes_room),
      CUDA_TEST(callbacks_may_free_what_was_used),
      CUDA_TEST(a_refused_launch_is_called_back),
      CUDA_TEST(events_tell_the_time_between),
      CUDA_TEST(events_that_fail),
      CUDA_TEST(streams_of_others_are_theirs),
      CUDA_TEST(threads_use_a_device_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
