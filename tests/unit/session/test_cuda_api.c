// SPDX-License-Identifier: Apache-2.0
// heddle.h on GPUs, over the stand-in for the driver: which code a device gets,
// whose memory is whose, graphs, tensors of other libraries, and what is
// refused. What the kernel computes is computed by functions here.
#include "rt/cuda_setup.h"

#include "session/api_expect.h"
#include "session/dlpack.h"

#include <stdint.h>

static const char source[] =
    "global int calls[2] = {7, 8};\n"
    "kernel void add(int n, const int x[n], int y[n])\n"
    "    grid(cdiv(n, 64)) threads(64)\n"
    "{\n"
    "    int i = block_index().x * 64 + rank();\n"
    "    if (i < n)\n"
    "        y[i] += x[i];\n"
    "}\n"
    "kernel void fails(int y[1]) grid(1) threads(1) { y[0] = 1; trap(); }\n"
    "kernel void both(const int (*xs[2])[4], int y[4]) grid(1)\n"
    "{ y[:] = xs[0][:] * 10 + xs[1][:]; }\n"
    "kernel void count() grid(3) threads(1) { atomic_add(&calls[0], 1); }\n";

enum { N = 100 };

static HdProgram *program;
static HdDevice *device;
static char last_text[64 * 1024]; // PTX of the last launch
static int n_launches;

static void keep_text(const FakeLaunch *launch) {
  snprintf(last_text, sizeof last_text, "%s", launch->text);
  n_launches++;
}

static void *pointer_of(uint64_t word) {
  return (void *)(uintptr_t)word;
}

// `add`: n, then address, extent and stride of x and of y.
static int add_kernel(const FakeLaunch *launch, void *context) {
  (void)context;
  keep_text(launch);
  const uint64_t *words = launch->words;
  const int32_t *x = pointer_of(words[1]);
  int32_t *y = pointer_of(words[4]);
  for (uint64_t i = 0; i < words[0]; i++)
    y[i * words[6]] += x[i * words[3]];
  return CU_OK;
}

// `both`: the table's address, then extents and strides, then y's address.
static int both_kernel(const FakeLaunch *launch, void *context) {
  keep_text(launch);
  const uint64_t *table = pointer_of(launch->words[0]);
  *(const uint64_t **)context = table;
  const int32_t *first = pointer_of(table[0]), *second = pointer_of(table[1]);
  int32_t *y = pointer_of(launch->words[5]);
  for (int i = 0; i < 4; i++)
    y[i] = first[i] * 10 + second[i];
  return CU_OK;
}

// `count`: no slots, so the first object's address follows the hidden words.
static int count_kernel(const FakeLaunch *launch, void *context) {
  (void)context;
  keep_text(launch);
  int32_t *calls = pointer_of(launch->words[HD_CUDA_N_HIDDEN]);
  calls[0] += (int32_t)launch->grid[0];
  return CU_OK;
}

static int trap_kernel(const FakeLaunch *launch, void *context) {
  (void)context;
  HdCudaFault *fault = fault_of(launch, 3);
  int code = write_fault(fault, HD_CUDA_FAULT_TRAP, CU_LAUNCH_FAILED);
  fault->loc = 0; // the only one
  return code;
}

static void open_all(const HdSessionOptions *options) {
  n_launches = 0;
  ok(hd_session_new(options, &session));
  ok(hd_compile_text(session, "k.hd", source, sizeof source - 1, &program));
  ok(hd_device_open(session, "cuda", &device));
}

static void close_all(void) {
  hd_device_free(device);
  hd_program_free(program);
  hd_session_free(session);
}

static void open_default(void) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  open_all(&options);
}

static HdBuffer *ints(HdDevice *on, int64_t n, int factor) {
  HdBuffer *buffer;
  int32_t data[N];
  for (int i = 0; i < n; i++)
    data[i] = i * factor;
  ok(hd_buffer_new(on, HD_I32, 1, &n, &buffer));
  ok(hd_buffer_write(buffer, data, (size_t)n * sizeof data[0]));
  return buffer;
}

static void expect(HdBuffer *buffer, int factor) {
  int32_t data[N];
  ok(hd_buffer_read(buffer, data, sizeof data));
  for (int i = 0; i < N; i++)
    assert_int_equal(data[i], i * factor);
}

// What a GPU follows is on it: it may not reach the host's memory.
static void tables_of_arrays_are_in_memory_of_the_device(void **state) {
  (void)state;
  const uint64_t *table = NULL;
  fake->on_kernel(both_kernel, &table);
  open_default();
  HdBuffer *xs[] = {ints(device, 4, 1), ints(device, 4, 3)}, *wrapped;
  HdBuffer *y = ints(device, 4, 0);
  HdStream *stream;
  ok(hd_stream_new(device, &stream));
  HdKernel *kernel;
  ok(hd_kernel_get(program, "both", NULL, 0, &kernel));
  HdArg args[] = {HD_BUFS(xs, 2), HD_BUF(y)};
  ok(hd_kernel_launch(kernel, NULL, NULL, args, 2));
  int32_t data[4];
  ok(hd_buffer_read(y, data, sizeof data));
  assert_int_equal(data[3], 39);
  HdGraph *graph; // keeps them as long as it may run
  ok(hd_graph_begin(stream));
  ok(hd_kernel_launch(kernel, stream, NULL, args, 2));
  ok(hd_graph_end(stream, &graph));
  ok(hd_graph_launch(graph, stream));
  ok(hd_stream_wait(stream));
  ok(hd_buffer_wrap(device, (void *)(uintptr_t)table, HD_I64, 1, &(int64_t){3},
                    NULL, &wrapped));
  hd_buffer_free(wrapped);
  hd_graph_free(graph);
  hd_stream_free(stream);
  hd_kernel_free(kernel);
  hd_buffer_free(y);
  hd_buffer_free(xs[0]);
  hd_buffer_free(xs[1]);
  close_all();
}

static void a_launch_computes_in_memory_of_the_device(void **state) {
  (void)state;
  fake->on_kernel(add_kernel, NULL);
  open_default();
  assert_string_equal(hd_device_target(device), "sm_90a");
  HdBuffer *x = ints(device, N, 1), *y = ints(device, N, 10);
  ok(hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(x), HD_BUF(y), HD_END));
  expect(y, 11);
  assert_non_null(strstr(last_text, "// kernel add"));
  assert_non_null(strstr(last_text, ".target sm_90a"));
  HdStream *stream;
  ok(hd_stream_new(device, &stream));
  assert_non_null(hd_stream_handle(stream));
  HdKernel *kernel;
  ok(hd_kernel_get(program, "add", NULL, 0, &kernel));
  HdArg args[] = {HD_INT(N), HD_BUF(x), HD_BUF(y)};
  ok(hd_kernel_launch(kernel, stream, NULL, args, 3));
  hd_buffer_free(x); // the launch holds it
  ok(hd_stream_wait(stream));
  expect(y, 12);
  hd_stream_free(stream);
  hd_kernel_free(kernel);
  hd_buffer_free(y);
  close_all();
}

static void the_code_is_for_the_generation(void **state) {
  (void)state;

  static const struct {
    int major, minor;
    const char *target;
  } rows[] = {{8, 0, "sm_80"},    {8, 9, "sm_80"},  {9, 0, "sm_90a"},
              {10, 0, "sm_100a"}, {10, 3, "sm_80"}, {12, 0, "sm_80"}};

  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    fake->set("major", rows[i].major);
    fake->set("minor", rows[i].minor);
    fake->on_kernel(add_kernel, NULL);
    open_default();
    assert_string_equal(hd_device_target(device), rows[i].target);
    HdBuffer *x = ints(device, N, 1), *y = ints(device, N, 1);
    ok(hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(x), HD_BUF(y),
                 HD_END));
    char target[32];
    snprintf(target, sizeof target, ".target %s", rows[i].target);
    assert_non_null(strstr(last_text, target));
    hd_buffer_free(x);
    hd_buffer_free(y);
    close_all();
  }
}

static void parts_of_arrays_lie_where_the_device_says(void **state) {
  (void)state;
  fake->on_kernel(add_kernel, NULL);
  open_default();
  HdBuffer *x = ints(device, N, 1), *y = ints(device, N, 1), *view, *head;
  ok(hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(x), HD_BUF(y), HD_END));
  ok(hd_buffer_view(x, 1, 1, (int64_t[]){N - 1}, NULL, &view));
  ok(hd_buffer_view(y, 1, 1, (int64_t[]){N - 1}, NULL, &head));
  ok(hd_launch(program, "add", NULL, HD_INT(N - 1), HD_BUF(view), HD_BUF(head),
               HD_END));
  assert_int_equal(n_launches, 2);
  int32_t data[N];
  ok(hd_buffer_read(y, data, sizeof data));
  assert_int_equal(data[0], 0);
  assert_int_equal(data[5], 3 * 5); // once as a whole, once as a part
  refused(hd_launch(program, "add", NULL, HD_INT(N - 1), HD_BUF(view),
                    HD_BUF(view), HD_END),
          HD_ERROR_LAUNCH, "overlap");
  hd_buffer_free(head);
  hd_buffer_free(view);
  hd_buffer_free(x);
  hd_buffer_free(y);
  close_all();
}

static void each_device_has_its_own_globals(void **state) {
  (void)state;
  int32_t calls[2];
  HdDevice *other;
  fake->set("devices", 2);
  fake->on_kernel(count_kernel, NULL);
  open_default();
  ok(hd_device_open(session, "cuda:1", &other));
  HdKernel *kernel;
  ok(hd_kernel_get(program, "count", NULL, 0, &kernel));
  HdLaunchOptions options = HD_LAUNCH_OPTIONS_INIT;
  options.device = device;
  ok(hd_kernel_launch(kernel, NULL, &options, NULL, 0));
  ok(hd_kernel_launch(kernel, NULL, &options, NULL, 0));
  options.device = other;
  ok(hd_kernel_launch(kernel, NULL, &options, NULL, 0));
  ok(hd_global_read_on(program, device, "calls", calls, sizeof calls));
  assert_int_equal(calls[0], 13);
  assert_int_equal(calls[1], 8);
  ok(hd_global_read_on(program, other, "calls", calls, sizeof calls));
  assert_int_equal(calls[0], 10);
  ok(hd_global_read(program, "calls", calls, sizeof calls)); // of CPUs
  assert_int_equal(calls[0], 7);
  calls[0] = 100;
  ok(hd_global_write_on(program, other, "calls", calls, sizeof calls));
  ok(hd_kernel_launch(kernel, NULL, &options, NULL, 0));
  ok(hd_global_read_on(program, other, "calls", calls, sizeof calls));
  assert_int_equal(calls[0], 103);
  hd_kernel_free(kernel);
  hd_device_free(other);
  close_all();
}

static void memory_of_another_device_is_refused(void **state) {
  (void)state;
  HdDevice *cpu;
  open_default();
  ok(hd_device_open(session, "cpu", &cpu));
  HdBuffer *x = ints(cpu, N, 1), *y = ints(device, N, 1), *wrong;
  refused(
      hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(x), HD_BUF(y), HD_END),
      HD_ERROR_LAUNCH, "on another device");
  int32_t host[4];
  refused(hd_buffer_wrap(device, host, HD_I32, 1, (int64_t[]){4}, NULL, &wrong),
          HD_ERROR_ARGUMENT, "hd_buffer_wrap: ");
  ok(hd_buffer_wrap(device, hd_buffer_data(y), HD_I32, 1, (int64_t[]){N}, NULL,
                    &wrong));
  expect(wrong, 1);
  hd_buffer_free(wrong);
  hd_buffer_free(x);
  hd_buffer_free(y);
  hd_device_free(cpu);
  close_all();
}

static void what_only_cpus_do_is_refused(void **state) {
  (void)state;
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  int *const switches[] = {&options.sanitize, &options.schedule,
                           &options.trace};
  static const char *const names[] = {"--sanitize", "--schedule", "--trace"};
  for (int i = 0; i < 3; i++) {
    *switches[i] = 1;
    ok(hd_session_new(&options, &session));
    refused(hd_device_open(session, "cuda", &device), HD_ERROR_UNSUPPORTED,
            names[i]);
    refused(HD_ERROR_UNSUPPORTED, HD_ERROR_UNSUPPORTED, "--device cpu");
    hd_session_free(session);
    *switches[i] = 0;
  }
  open_default();
  HdBuffer *x = ints(device, N, 1), *y = ints(device, N, 1);
  HdKernel *kernel;
  ok(hd_kernel_get(program, "add", NULL, 0, &kernel));
  HdLaunchOptions launch = HD_LAUNCH_OPTIONS_INIT;
  launch.trace = "trace.json";
  HdArg args[] = {HD_INT(N), HD_BUF(x), HD_BUF(y)};
  refused(hd_kernel_launch(kernel, NULL, &launch, args, 3),
          HD_ERROR_UNSUPPORTED, "timelines");
  hd_kernel_free(kernel);
  hd_buffer_free(x);
  hd_buffer_free(y);
  close_all();
}

static void a_graph_repeats_its_launches(void **state) {
  (void)state;
  fake->on_kernel(add_kernel, NULL);
  open_default();
  HdBuffer *x = ints(device, N, 1), *y = ints(device, N, 0);
  HdStream *stream;
  HdGraph *graph;
  ok(hd_stream_new(device, &stream));
  refused(hd_graph_end(stream, &graph), HD_ERROR_ARGUMENT, "hd_graph_begin");
  ok(hd_graph_begin(stream));
  refused(hd_graph_begin(stream), HD_ERROR_ARGUMENT, "already");
  HdKernel *kernel;
  ok(hd_kernel_get(program, "add", NULL, 0, &kernel));
  HdArg args[] = {HD_INT(N), HD_BUF(x), HD_BUF(y)};
  ok(hd_kernel_launch(kernel, stream, NULL, args, 3));
  ok(hd_kernel_launch(kernel, stream, NULL, args, 3));
  ok(hd_graph_end(stream, &graph));
  expect(y, 0);
  hd_buffer_free(x); // the graph holds it
  ok(hd_graph_launch(graph, stream));
  ok(hd_graph_launch(graph, NULL));
  ok(hd_stream_wait(stream));
  expect(y, 4);
  ok(hd_graph_launch(graph, stream));
  hd_graph_free(graph); // waits for it
  expect(y, 6);
  hd_kernel_free(kernel);
  hd_buffer_free(y);
  hd_stream_free(stream);
  close_all();
}

static void a_trap_names_the_place_and_ends_the_device(void **state) {
  (void)state;
  fake->on_kernel(trap_kernel, NULL);
  open_default();
  HdBuffer *y, *other;
  int64_t one = 1;
  ok(hd_buffer_new(device, HD_I32, 1, &one, &y));
  refused(hd_launch(program, "fails", NULL, HD_BUF(y), HD_END), HD_ERROR_TRAP,
          "k.hd:9:");
  int32_t value;
  assert_int_equal(hd_buffer_read(y, &value, sizeof value), HD_ERROR_DEVICE);
  assert_int_equal(hd_buffer_new(device, HD_I32, 1, &one, &other),
                   HD_ERROR_DEVICE);
  hd_buffer_free(y);
  hd_device_free(device);
  // The driver gives the process no other context; the session goes on.
  refused(hd_device_open(session, "cuda", &device), HD_ERROR_DEVICE,
          "start the process again");
  ok(hd_device_open(session, "cpu", &device));
  HdBuffer *x = ints(device, N, 1);
  y = ints(device, N, 1);
  ok(hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(x), HD_BUF(y), HD_END));
  expect(y, 2);
  hd_buffer_free(x);
  hd_buffer_free(y);
  close_all();
}

static void a_report_tells_what_code_takes(void **state) {
  (void)state;
  fake->set("registers", 40);
  fake->set("local_bytes", 64);
  fake->set("spill_bytes", 24);
  open_default();
  HdBuffer *x = ints(device, N, 1), *y = ints(device, N, 1);
  HdKernel *kernel;
  HdArgs *args;
  ok(hd_kernel_get(program, "add", NULL, 0, &kernel));
  ok(hd_args_new(kernel, &args));
  ok(hd_args_set(args, "x", HD_BUF(x)));
  ok(hd_args_set(args, "y", HD_BUF(y)));
  ok(hd_args_infer(args));
  HdReport report = HD_REPORT_INIT;
  ok(hd_args_report(args, device, &report));
  assert_int_equal(report.registers, 40);
  assert_int_equal(report.local_bytes, 64);
  assert_int_equal(report.spill_bytes, 24);
  assert_int_equal(report.resident_blocks, 2);
  HdDevice *cpu;
  ok(hd_device_open(session, "cpu", &cpu));
  ok(hd_args_report(args, cpu, &report));
  assert_null(report.blocks);
  assert_null(report.shared);
  hd_device_free(cpu);
  hd_args_free(args);
  hd_kernel_free(kernel);
  hd_buffer_free(x);
  hd_buffer_free(y);
  close_all();
}

static int n_deleted;

static void delete_tensor(struct DLManagedTensor *tensor) {
  (void)tensor;
  n_deleted++;
}

static void tensors_of_a_gpu_are_used_in_place(void **state) {
  (void)state;
  fake->on_kernel(add_kernel, NULL);
  n_deleted = 0;
  open_default();
  HdBuffer *x = ints(device, N, 1), *y = ints(device, N, 1), *lent;
  int64_t shape[] = {N};
  struct DLManagedTensor tensor = {.tensor = {.data = hd_buffer_data(x),
                                              .device = {DL_CUDA, 0},
                                              .ndim = 1,
                                              .dtype = {DL_INT, 32, 1},
                                              .shape = shape},
                                   .deleter = delete_tensor};
  ok(hd_buffer_from_dlpack(device, &tensor, &lent));
  ok(hd_launch(program, "add", NULL, HD_INT(N), HD_BUF(lent), HD_BUF(y),
               HD_END));
  expect(y, 2);
  assert_int_equal(n_deleted, 0);
  hd_buffer_free(lent);
  assert_int_equal(n_deleted, 1);
  tensor.tensor.device.device_id = 1;
  refused(hd_buffer_from_dlpack(device, &tensor, &lent), HD_ERROR_ARGUMENT,
          "the tensor is on GPU 1, but a buffer of this device needs GPU 0");
  tensor.tensor.device = (DlDevice){DL_CPU, 0};
  refused(hd_buffer_from_dlpack(device, &tensor, &lent), HD_ERROR_ARGUMENT,
          "on the host");
  assert_int_equal(n_deleted, 1);
  struct DLManagedTensor *out;
  ok(hd_buffer_to_dlpack(y, &out));
  assert_int_equal(out->tensor.device.device_type, DL_CUDA);
  assert_ptr_equal(out->tensor.data, hd_buffer_data(y));
  hd_buffer_free(y); // the tensor holds the memory
  out->deleter(out);
  hd_buffer_free(x);
  close_all();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CUDA_TEST(a_launch_computes_in_memory_of_the_device),
      CUDA_TEST(tables_of_arrays_are_in_memory_of_the_device),
      CUDA_TEST(the_code_is_for_the_generation),
      CUDA_TEST(parts_of_arrays_lie_where_the_device_says),
      CUDA_TEST(each_device_has_its_own_globals),
      CUDA_TEST(memory_of_another_device_is_refused),
      CUDA_TEST(what_only_cpus_do_is_refused),
      CUDA_TEST(a_graph_repeats_its_launches),
      CUDA_TEST(a_trap_names_the_place_and_ends_the_device),
      CUDA_TEST(a_report_tells_what_code_takes),
      CUDA_TEST(tensors_of_a_gpu_are_used_in_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
