// SPDX-License-Identifier: Apache-2.0
// heddle.h as a host program uses it: several sessions and threads, streams,
// events, views, memory of the host, and handles freed in any order.
#include "api_set_up.h"

// ------------------------------------------------------- threads, sessions

typedef struct {
  int number;
  const char *failure; // what went wrong
} Job;

static const char *use_own_session(int turns) {
  for (int turn = 0; turn < turns; turn++) {
    HdSession *s = new_session(0);
    HdProgram *p;
    HdDevice *d;
    if (hd_compile_text(s, "api.hd", source, strlen(source), &p) != HD_OK ||
        hd_device_open(s, "cpu:2", &d) != HD_OK)
      return "compile or open";
    HdBuffer *x = iota(d, N), *y = iota(d, N);
    if (hd_launch(p, "add", NULL, HD_INT(N), HD_BUF(x), HD_BUF(y), HD_END))
      return "launch";
    expect_times_iota(y, 2);
    HdProgram *wrong = NULL;
    if (hd_compile_text(s, "w.hd", "kernel int;", 11, &wrong) !=
        HD_ERROR_PROGRAM)
      return "a wrong program";
    if (!strstr(hd_last_message(s), "w.hd:1:"))
      return "its message";
    hd_program_free(wrong);
    hd_session_free(s);
    hd_program_free(p);
    hd_buffer_free(x);
    hd_device_free(d);
    hd_buffer_free(y);
  }
  return NULL;
}

static void *own_session(void *argument) {
  Job *job = argument;
  job->failure = use_own_session(job->number);
  return NULL;
}

static void run_jobs(void *(*body)(void *)) {
  enum { N_JOBS = 3 };

  pthread_t threads[N_JOBS];
  Job jobs[N_JOBS] = {{1, NULL}, {2, NULL}, {3, NULL}};
  for (int i = 0; i < N_JOBS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, body, &jobs[i]), 0);
  for (int i = 0; i < N_JOBS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < N_JOBS; i++) {
    if (jobs[i].failure)
      fail_msg("job %d: %s", jobs[i].number, jobs[i].failure);
  }
}

static void sessions_in_threads_are_independent(void **state) {
  (void)state;
  run_jobs(own_session);
}

static const char *use_same_session(int number) {
  char factor[16];
  snprintf(factor, sizeof factor, "%d", number % 2 + 2);
  for (int turn = 0; turn < 5; turn++) {
    HdEmbed embed = {"K", factor};
    HdKernel *kernel;
    HdBuffer *y = iota(device, N);
    if (hd_kernel_get(program, "scale", &embed, 1, &kernel) != HD_OK)
      return "get";
    HdArg args[] = {HD_INT(N), HD_BUF(y)};
    if (hd_kernel_launch(kernel, NULL, NULL, args, 2) != HD_OK)
      return "launch";
    args[0] = HD_INT(N + number);
    char message[200];
    if (hd_kernel_launch(kernel, NULL, NULL, args, 2) != HD_ERROR_LAUNCH ||
        hd_message_copy(session, message, sizeof message) == 0)
      return "a refused launch";
    expect_times_iota(y, number % 2 + 2);
    hd_buffer_free(y);
    hd_kernel_free(kernel);
  }
  return NULL;
}

static void *same_session(void *argument) {
  Job *job = argument;
  job->failure = use_same_session(job->number);
  return NULL;
}

static void one_session_serves_many_threads(void **state) {
  (void)state;
  run_jobs(same_session);
}

// -------------------------------------------------------- streams, events

static void a_stream_keeps_order(void **state) {
  (void)state;
  HdStream *stream;
  HdEmbed embed = {"K", "3"};
  HdKernel *scale;
  ok(hd_stream_new(device, &stream));
  ok(hd_kernel_get(program, "scale", &embed, 1, &scale));
  HdBuffer *x = iota(device, N), *y = iota(device, N);
  // ((1 + 1) * 3 + 1) * 3 = 21
  for (int i = 0; i < 2; i++) {
    ok(hd_launch(program, "add", stream, HD_INT(N), HD_BUF(x), HD_BUF(y),
                 HD_END));
    HdArg args[] = {HD_INT(N), HD_BUF(y)};
    ok(hd_kernel_launch(scale, stream, NULL, args, 2));
  }
  expect_times_iota(y, 21); // waits by itself
  ok(hd_stream_wait(stream));
  hd_kernel_free(scale);
  hd_buffer_free(x);
  hd_buffer_free(y);
  hd_stream_free(stream);
}

static void a_stream_waits_for_another(void **state) {
  (void)state;
  HdStream *first, *second;
  HdEvent *begin, *made;
  HdBuffer *x = new_ints(device, N), *y = new_ints(device, N);
  HdBuffer *one = iota(device, N), *scratch = new_ints(device, 1);
  ok(hd_stream_new(device, &first));
  ok(hd_stream_new(device, &second));
  ok(hd_event_new(device, &begin));
  ok(hd_event_new(device, &made));
  ok(hd_event_record(begin, first));
  ok(hd_launch(program, "slow", first, HD_INT(3000000), HD_BUF(scratch),
               HD_END));
  ok(hd_launch(program, "add", first, HD_INT(N), HD_BUF(one), HD_BUF(x),
               HD_END));
  ok(hd_event_record(made, first));
  ok(hd_stream_wait_event(second, made));
  ok(hd_launch(program, "add", second, HD_INT(N), HD_BUF(x), HD_BUF(y),
               HD_END));
  ok(hd_stream_wait(second));
  expect_times_iota(y, 1);
  double elapsed_ms = -1;
  ok(hd_event_elapsed_ms(begin, made, &elapsed_ms));
  assert_true(elapsed_ms >= 0);
  hd_stream_free(first);
  hd_stream_free(second);
  hd_event_free(begin);
  hd_event_free(made);
  hd_buffer_free(x);
  hd_buffer_free(y);
  hd_buffer_free(one);
  hd_buffer_free(scratch);
}

static void events_may_be_freed_before_they_happen(void **state) {
  (void)state;
  HdStream *first, *second;
  HdEvent *event;
  HdBuffer *scratch = new_ints(device, 1);
  ok(hd_stream_new(device, &first));
  ok(hd_stream_new(device, &second));
  ok(hd_event_new(device, &event));
  ok(hd_launch(program, "slow", first, HD_INT(3000000), HD_BUF(scratch),
               HD_END));
  ok(hd_event_record(event, first));
  ok(hd_stream_wait_event(second, event));
  hd_event_free(event);
  hd_buffer_free(scratch);
  ok(hd_stream_wait(second));
  hd_stream_free(second);
  hd_stream_free(first);
}

static void an_event_never_recorded_has_no_time(void **state) {
  (void)state;
  HdEvent *a, *b;
  double elapsed_ms;
  ok(hd_event_new(device, &a));
  ok(hd_event_new(device, &b));
  ok(hd_event_wait(a)); // nothing to wait for
  ok(hd_event_record(a, NULL));
  refused(hd_event_elapsed_ms(a, b, &elapsed_ms), HD_ERROR_ARGUMENT,
          "never recorded");
  hd_event_free(a);
  hd_event_free(b);
}

static void a_failed_launch_is_told_once(void **state) {
  (void)state;
  HdStream *stream;
  HdBuffer *y = new_ints(device, 1), *x = iota(device, N);
  HdBuffer *sum = new_ints(device, N);
  ok(hd_stream_new(device, &stream));
  ok(hd_launch(program, "fails", stream, HD_BUF(y), HD_END));
  ok(hd_launch(program, "add", stream, HD_INT(N), HD_BUF(x), HD_BUF(sum),
               HD_END));
  HdStatus status = hd_stream_wait(stream);
  assert_int_not_equal(status, HD_OK);
  assert_non_null(strstr(hd_last_message(session), "api.hd:"));
  ok(hd_stream_wait(stream));
  expect_times_iota(sum, 0); // dropped
  ok(hd_launch(program, "add", stream, HD_INT(N), HD_BUF(x), HD_BUF(sum),
               HD_END));
  ok(hd_stream_wait(stream));
  expect_times_iota(sum, 1);
  hd_buffer_free(y);
  hd_buffer_free(x);
  hd_buffer_free(sum);
  hd_stream_free(stream);
}

static void *interrupt_soon(void *argument) {
  usleep(100 * 1000);
  hd_interrupt(argument);
  return NULL;
}

static void a_long_launch_can_be_interrupted(void **state) {
  (void)state;
  HdBuffer *y = new_ints(device, 1), *x = iota(device, N);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, session), 0);
  HdStatus status = hd_launch(program, "many", NULL, HD_BUF(y), HD_END);
  assert_int_equal(status, HD_ERROR_INTERRUPTED);
  pthread_join(thread, NULL);
  HdBuffer *sum = new_ints(device, N);
  ok(hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(x), HD_BUF(sum),
               HD_END));
  expect_times_iota(sum, 1);
  hd_buffer_free(y);
  hd_buffer_free(x);
  hd_buffer_free(sum);
}

// It meets no barrier, and would run for days.
static void a_launch_that_is_watched_ends_at_its_next_access(void **state) {
  (void)state;
  HdSession *s = new_session(1);
  HdProgram *p;
  HdDevice *d;
  assert_int_equal(hd_compile_text(s, "api.hd", source, strlen(source), &p),
                   HD_OK);
  assert_int_equal(hd_device_open(s, "cpu:1", &d), HD_OK);
  HdBuffer *y = new_ints(d, 1);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, s), 0);
  HdStatus status =
      hd_launch(p, "adds", NULL, HD_INT(INT64_MAX), HD_BUF(y), HD_END);
  assert_int_equal(status, HD_ERROR_INTERRUPTED);
  pthread_join(thread, NULL);
  hd_buffer_free(y);
  hd_device_free(d);
  hd_program_free(p);
  hd_session_free(s);
}

// ------------------------------------------------------- arguments, errors

static void wrong_arguments_are_refused(void **state) {
  (void)state;
  HdBuffer *y = iota(device, N), *x = iota(device, N), *f;
  ok(hd_buffer_new(device, HD_F32, 1, (int64_t[]){N}, &f));
  refused(hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(x), HD_END),
          HD_ERROR_LAUNCH, "takes 3 arguments, but 2 were given");
  refused(
      hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(x), HD_BUF(f), HD_END),
      HD_ERROR_LAUNCH, "'y'");
  refused(
      hd_launch(program, "add", NULL, HD_BUF(x), HD_BUF(x), HD_BUF(y), HD_END),
      HD_ERROR_LAUNCH, "'n'");
  refused(
      hd_launch(program, "add", NULL, HD_INT(N), HD_INT(3), HD_BUF(y), HD_END),
      HD_ERROR_LAUNCH, "'x'");
  refused(hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(NULL), HD_BUF(y),
                    HD_END),
          HD_ERROR_LAUNCH, "'x'");
  refused(hd_launch(program, "add", NULL, HD_INT(N + 1), HD_BUF(x), HD_BUF(y),
                    HD_END),
          HD_ERROR_LAUNCH, "'x'");
  refused(hd_launch(program, "add", NULL, HD_FLOAT(0.5), HD_BUF(x), HD_BUF(y),
                    HD_END),
          HD_ERROR_LAUNCH, "not an integer");
  refused(hd_launch(program, "scale", NULL, HD_INT(N), HD_BUF(y), HD_END),
          HD_ERROR_LAUNCH, "'K'");
  refused(hd_launch(program, "none", NULL, HD_END), HD_ERROR_NOT_FOUND, "none");
  int32_t three[3] = {1, 2, 3};
  HdBuffer *two = new_ints(device, 2);
  refused(hd_launch(program, "pair", NULL, HD_BYTES(three, 12), HD_BUF(two),
                    HD_END),
          HD_ERROR_LAUNCH, "8 bytes, but 12 were given");
  ok(hd_launch(program, "pair", NULL, HD_BYTES(three + 1, 8), HD_BUF(two),
               HD_END));
  assert_int_equal(((int32_t *)hd_buffer_data(two))[1], 3);
  expect_times_iota(y, 1); // nothing ran
  hd_buffer_free(two);
  hd_buffer_free(x);
  hd_buffer_free(y);
  hd_buffer_free(f);
}

static void buffers_of_another_device_are_refused(void **state) {
  (void)state;
  HdDevice *other;
  ok(hd_device_open(session, "cpu:1", &other));
  HdBuffer *x = iota(other, N), *y = iota(device, N);
  refused(
      hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(x), HD_BUF(y), HD_END),
      HD_ERROR_LAUNCH, "another device");
  hd_buffer_free(x);
  hd_buffer_free(y);
  hd_device_free(other);
}

static void kernels_without_arrays_need_a_device(void **state) {
  (void)state;
  HdKernel *count;
  int32_t calls = -1;
  ok(hd_kernel_get(program, "count", NULL, 0, &count));
  refused(hd_kernel_launch(count, NULL, NULL, NULL, 0), HD_ERROR_ARGUMENT,
          "device");
  HdLaunchOptions options = HD_LAUNCH_OPTIONS_INIT;
  options.device = device;
  ok(hd_global_read(program, "calls", &calls, sizeof calls));
  assert_int_equal(calls, 0);
  ok(hd_kernel_launch(count, NULL, &options, NULL, 0));
  ok(hd_kernel_launch(count, NULL, &options, NULL, 0));
  ok(hd_global_read(program, "calls", &calls, sizeof calls));
  assert_int_equal(calls, 6);
  calls = 100;
  ok(hd_global_write(program, "calls", &calls, sizeof calls));
  ok(hd_kernel_launch(count, NULL, &options, NULL, 0));
  ok(hd_global_read(program, "calls", &calls, sizeof calls));
  assert_int_equal(calls, 103);
  assert_int_not_equal(hd_global_read(program, "cells", &calls, 4), HD_OK);
  assert_int_not_equal(hd_global_read(program, "calls", &calls, 4000), HD_OK);
  hd_kernel_free(count);
}

// ---------------------------------------------------------------- lifetimes

// Everything the launch needs is freed while it is queued.
static void handles_are_freed_in_any_order(void **state) {
  (void)state;
  int32_t results[N] = {0}, scratch = 0;
  HdSession *s = new_session(0);
  HdProgram *p;
  HdDevice *d;
  HdStream *stream;
  HdBuffer *busy, *y;
  assert_int_equal(hd_compile_text(s, "api.hd", source, strlen(source), &p),
                   HD_OK);
  assert_int_equal(hd_device_open(s, "cpu:2", &d), HD_OK);
  assert_int_equal(hd_stream_new(d, &stream), HD_OK);
  assert_int_equal(
      hd_buffer_wrap(d, &scratch, HD_I32, 1, (int64_t[]){1}, NULL, &busy),
      HD_OK);
  assert_int_equal(
      hd_buffer_wrap(d, results, HD_I32, 1, (int64_t[]){N}, NULL, &y), HD_OK);
  HdBuffer *x = iota(d, N);
  assert_int_equal(
      hd_launch(p, "slow", stream, HD_INT(2000000), HD_BUF(busy), HD_END),
      HD_OK);
  assert_int_equal(
      hd_launch(p, "add", stream, HD_INT(N), HD_BUF(x), HD_BUF(y), HD_END),
      HD_OK);
  hd_session_free(s);
  hd_program_free(p);
  hd_device_free(d);
  hd_buffer_free(x);
  hd_buffer_free(y);
  hd_buffer_free(busy);
  hd_stream_free(stream); // waits, and is the last to hold the device
  assert_int_equal(results[N - 1], N - 1);
}

static void null_handles_are_freed(void **state) {
  (void)state;
  hd_session_free(NULL);
  hd_program_free(NULL);
  hd_kernel_free(NULL);
  hd_args_free(NULL);
  hd_device_free(NULL);
  hd_buffer_free(NULL);
  hd_stream_free(NULL);
  hd_event_free(NULL);
  hd_text_free(NULL);
}

static void what_does_not_exist_is_told(void **state) {
  (void)state;
  HdProgram *p;
  HdDevice *d;
  char *text;
  refused(hd_compile_file(session, "no/such.hd", &p), HD_ERROR_NOT_FOUND,
          "no/such.hd");
  assert_null(p);
  refused(hd_device_open(session, "gpu", &d), HD_ERROR_NOT_FOUND, "gpu");
  refused(hd_device_open(session, "cpu:", &d), HD_ERROR_NOT_FOUND, "cpu:");
  assert_null(d);
  assert_int_not_equal(hd_dump(program, "add", NULL, 0, "soup", &text), HD_OK);
  assert_null(hd_explain("HD9999"));
  assert_null(hd_program_kernel_name(program, 99));
  assert_null(hd_program_kernel_name(program, -1));
  assert_null(hd_device_name(session, 99));
  assert_string_equal(hd_status_text((HdStatus)12345), "unknown status");
}

static void a_graph_repeats_its_launches(void **state) {
  (void)state;
  HdStream *stream;
  HdGraph *graph;
  HdKernel *kernel;
  int64_t n = N;
  HdBuffer *x, *y;
  static int32_t ones[N], sums[N];
  for (int i = 0; i < N; i++)
    ones[i] = 1;
  ok(hd_buffer_new(device, HD_I32, 1, &n, &x));
  ok(hd_buffer_new(device, HD_I32, 1, &n, &y));
  ok(hd_buffer_write(x, ones, sizeof ones));
  ok(hd_stream_new(device, &stream));
  assert_int_equal(hd_graph_end(stream, &graph), HD_ERROR_ARGUMENT);
  ok(hd_graph_begin(stream));
  assert_int_equal(hd_graph_begin(stream), HD_ERROR_ARGUMENT);
  ok(hd_kernel_get(program, "add", NULL, 0, &kernel));
  HdArg args[] = {HD_INT(N), HD_BUF(x), HD_BUF(y)};
  ok(hd_kernel_launch(kernel, stream, NULL, args, 3));
  ok(hd_kernel_launch(kernel, stream, NULL, args, 3));
  ok(hd_graph_end(stream, &graph));
  hd_kernel_free(kernel);
  hd_buffer_free(x); // the graph holds it
  ok(hd_buffer_read(y, sums, sizeof sums));
  assert_int_equal(sums[N - 1], 0);
  ok(hd_graph_launch(graph, stream));
  ok(hd_stream_wait(stream));
  ok(hd_graph_launch(graph, NULL));
  hd_graph_free(graph);
  ok(hd_buffer_read(y, sums, sizeof sums));
  for (int i = 0; i < N; i++)
    assert_int_equal(sums[i], 4);
  hd_buffer_free(y);
  hd_stream_free(stream);
}

// Freed at once, where reading its buffer would wait, too.
static void freeing_a_graph_waits_for_its_launches(void **state) {
  (void)state;
  HdStream *stream;
  HdGraph *graph;
  int32_t result = 0;
  HdBuffer *y;
  ok(hd_buffer_wrap(device, &result, HD_I32, 1, (int64_t[]){1}, NULL, &y));
  ok(hd_stream_new(device, &stream));
  ok(hd_graph_begin(stream));
  ok(hd_launch(program, "slow", stream, HD_INT(20000000), HD_BUF(y), HD_END));
  ok(hd_graph_end(stream, &graph));
  assert_int_equal(result, 0);
  ok(hd_graph_launch(graph, stream));
  hd_graph_free(graph);
  assert_int_not_equal(__atomic_load_n(&result, __ATOMIC_RELAXED), 0);
  hd_buffer_free(y);
  ok(hd_stream_wait(stream));
  hd_stream_free(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sessions_in_threads_are_independent),
      cmocka_unit_test(one_session_serves_many_threads),
      cmocka_unit_test(a_stream_keeps_order),
      cmocka_unit_test(a_stream_waits_for_another),
      cmocka_unit_test(events_may_be_freed_before_they_happen),
      cmocka_unit_test(an_event_never_recorded_has_no_time),
      cmocka_unit_test(a_failed_launch_is_told_once),
      cmocka_unit_test(a_long_launch_can_be_interrupted),
      cmocka_unit_test(a_launch_that_is_watched_ends_at_its_next_access),
      cmocka_unit_test(wrong_arguments_are_refused),
      cmocka_unit_test(buffers_of_another_device_are_refused),
      cmocka_unit_test(kernels_without_arrays_need_a_device),
      cmocka_unit_test(handles_are_freed_in_any_order),
      cmocka_unit_test(null_handles_are_freed),
      cmocka_unit_test(what_does_not_exist_is_told),
      cmocka_unit_test(a_graph_repeats_its_launches),
      cmocka_unit_test(freeing_a_graph_waits_for_its_launches),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
