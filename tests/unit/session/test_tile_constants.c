// SPDX-License-Identifier: Apache-2.0
// Embedded parameters of tile kernels: each value has a compiled form of its
// own, made once, in which the parameter has no bytes. And tile kernels that
// are running keep what they need.
#include "session/args.h"
#include "session/session.h"

#include "session/api_expect.h"

#include <stdio.h>

static const char source[] =
    "kernel void scaled(int n, const int x[n], int y[n], constexpr int W,\n"
    "                   constexpr int K = 3)\n"
    "    grid(cdiv(n, W))\n"
    "{\n"
    "    int i = block_index().x * W;\n"
    "    tile int t[W] = x[i:W] * K;\n"
    "    y[i:W] = t;\n"
    "}\n"
    "kernel void plain(int n, const int x[n], int y[n]) grid(cdiv(n, 32))\n"
    "{\n"
    "    int i = block_index().x * 32;\n"
    "    y[i:32] = x[i:32] * 3;\n"
    "}\n"
    "kernel void slow(int n, int turns, const int x[n], int y[n])\n"
    "    grid(cdiv(n, 32))\n"
    "{\n"
    "    int i = block_index().x * 32;\n"
    "    tile int t[32] = x[i:32];\n"
    "    for (int k = 0; k < turns; k++)\n"
    "        t = t * 3 ^ k;\n"
    "    y[i:32] = x[i:32] + (t & 0);\n"
    "}\n";

enum { N = 100 };

static HdProgram *program;
static HdDevice *device;
static HdBuffer *x, *y;

static int set_up(void **state) {
  (void)state;
  const int64_t n = N;
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  assert_int_equal(hd_session_new(&options, &session), HD_OK);
  ok(hd_compile_text(session, "c.hd", source, strlen(source), &program));
  ok(hd_device_open(session, "cpu:2", &device));
  ok(hd_buffer_new(device, HD_I32, 1, &n, &x));
  ok(hd_buffer_new(device, HD_I32, 1, &n, &y));
  for (int i = 0; i < N; i++)
    ((int32_t *)hd_buffer_data(x))[i] = i;
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  hd_buffer_free(x);
  hd_buffer_free(y);
  hd_device_free(device);
  hd_program_free(program);
  hd_session_free(session);
  return 0;
}

static HdKernel *get_scaled(int width, int factor) {
  HdKernel *kernel;
  char w[16], k[16];
  snprintf(w, sizeof w, "%d", width);
  snprintf(k, sizeof k, "%d", factor);
  HdEmbed embeds[] = {{"W", w}, {"K", k}};
  ok(hd_kernel_get(program, "scaled", embeds, 2, &kernel));
  return kernel;
}

static void launch_scaled(HdKernel *kernel, int factor) {
  HdArgs *args;
  ok(hd_args_new(kernel, &args));
  ok(hd_args_set(args, "n", HD_INT(N)));
  ok(hd_args_set(args, "x", HD_BUF(x)));
  ok(hd_args_set(args, "y", HD_BUF(y)));
  ok(hd_args_launch(args, NULL, NULL));
  hd_args_free(args);
  for (int i = 0; i < N; i++)
    assert_int_equal(((int32_t *)hd_buffer_data(y))[i], i * factor);
}

// Of the kernel "scaled": specialised forms, and pieces of code for these.
static void count_forms(int *n_forms, int *n_codes) {
  *n_forms = *n_codes = 0;
  for (const Spec *spec = program->specs; spec; spec = spec->next) {
    if (strcmp(spec->kernel->name, "scaled") != 0)
      continue;
    ++*n_forms;
    for (const Variant *v = spec->variants; v; v = v->next)
      ++*n_codes;
  }
}

static void test_each_value_has_one_form(void **state) {
  (void)state;
  static const int values[][2] = {{32, 3}, {32, 4}, {64, 3}, {32, 3}, {64, 3}};
  static const int forms[] = {1, 2, 3, 3, 3};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    HdKernel *kernel = get_scaled(values[i][0], values[i][1]);
    launch_scaled(kernel, values[i][1]);
    launch_scaled(kernel, values[i][1]);
    int n_forms, n_codes;
    count_forms(&n_forms, &n_codes);
    assert_int_equal(n_forms, forms[i]);
    assert_int_equal(n_codes, forms[i]);
    hd_kernel_free(kernel);
  }
}

static void test_embedded_have_no_bytes(void **state) {
  (void)state;
  HdKernel *scaled = get_scaled(32, 3), *plain;
  ok(hd_kernel_get(program, "plain", NULL, 0, &plain));
  const IrKernel *ir = scaled->spec->kernel;
  assert_int_equal(ir->n_slots, plain->spec->kernel->n_slots);
  uint32_t n_embedded = 0;
  for (uint32_t i = 0; i < ir->params.count; i++)
    n_embedded += strcmp(ir->params.data[i].name, "W") == 0 ||
                  strcmp(ir->params.data[i].name, "K") == 0;
  assert_int_equal(n_embedded, 0);
  hd_kernel_free(scaled);
  hd_kernel_free(plain);
}

// What was passed to a launch may be freed while it runs.
static void test_launches_keep_their_arrays(void **state) {
  (void)state;
  const int64_t n = N;
  HdStream *stream;
  HdBuffer *input, *output, *kept;
  ok(hd_stream_new(device, &stream));
  ok(hd_buffer_new(device, HD_I32, 1, &n, &input));
  ok(hd_buffer_new(device, HD_I32, 1, &n, &output));
  ok(hd_buffer_view(output, 0, 1, &n, NULL, &kept));
  for (int i = 0; i < N; i++)
    ((int32_t *)hd_buffer_data(input))[i] = 7 * i;
  ok(hd_launch(program, "slow", stream, HD_INT(N), HD_INT(200000),
               HD_BUF(input), HD_BUF(output), HD_END));
  hd_buffer_free(input);
  hd_buffer_free(output);
  ok(hd_stream_wait(stream));
  for (int i = 0; i < N; i++)
    assert_int_equal(((int32_t *)hd_buffer_data(kept))[i], 7 * i);
  hd_buffer_free(kept);
  hd_stream_free(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_each_value_has_one_form, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(test_embedded_have_no_bytes, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(test_launches_keep_their_arrays, set_up,
                                      tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
