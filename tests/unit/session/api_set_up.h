// SPDX-License-Identifier: Apache-2.0
// A session, a program and a device for the tests of heddle.h.
#ifndef HD_TESTS_UNIT_SESSION_API_SET_UP_H
#define HD_TESTS_UNIT_SESSION_API_SET_UP_H

#include "session/api_expect.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source[] =
    "global int calls[1];\n"
    "kernel void add(int n, const int x[n], int y[n])\n"
    "    grid(cdiv(n, 64)) threads(64)\n"
    "{\n"
    "    int i = block_index().x * 64 + rank();\n"
    "    if (i < n)\n"
    "        y[i] += x[i];\n"
    "}\n"
    "kernel void move(int n, const int *restrict x, int *y) grid(1)\n"
    "    threads(64)\n"
    "{\n"
    "    if (rank() < n)\n"
    "        y[rank()] = x[rank()];\n"
    "}\n"
    "kernel void scale(int n, constexpr int K, int y[n])\n"
    "    grid(cdiv(n, 64)) threads(64)\n"
    "{\n"
    "    int i = block_index().x * 64 + rank();\n"
    "    sync();\n"
    "    if (i < n)\n"
    "        y[i] = y[i] * K;\n"
    "}\n"
    "kernel void rows(int m, int n, int lda, int a[m][n] stride(lda, 1))\n"
    "    grid(m) threads(32)\n"
    "{\n"
    "    thread for (int j = 0; j < n; j++)\n"
    "        a[block_index().x][j] = block_index().x * 100 + j;\n"
    "}\n"
    "kernel void slow(long n, int y[1]) grid(1) threads(32)\n"
    "{\n"
    "    int s = 1;\n"
    "    for (long i = 0; i < n; i++)\n"
    "        s = s ^ s << 7 ^ (int)i;\n"
    "    y[0] = s;\n"
    "}\n"
    "kernel void adds(long n, int y[1]) grid(1) threads(1)\n"
    "{\n"
    "    for (long i = 0; i < n; i++)\n"
    "        y[0] ^= (int)i;\n"
    "}\n"
    "kernel void many(int y[1]) grid(2147483647, 1000) threads(32)\n"
    "{\n"
    "    atomic_add(&y[0], 1);\n"
    "}\n"
    "kernel void fails(int y[1]) grid(1) threads(1) { y[0] = 1; trap(); }\n"
    "kernel void count() grid(3) threads(1) { atomic_add(&calls[0], 1); }\n"
    "kernel void pair(int2 v, int y[2]) grid(1) threads(1)\n"
    "{\n"
    "    y[0] = v.x;\n"
    "    y[1] = v.y;\n"
    "}\n";

enum { N = 1000 };

static HdProgram *program;
static HdDevice *device;

static inline HdSession *new_session(int sanitize) {
  HdSession *made;
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  options.sanitize = sanitize;
  assert_int_equal(hd_session_new(&options, &made), HD_OK);
  return made;
}

static inline int set_up(void **state) {
  (void)state;
  session = new_session(0);
  ok(hd_compile_text(session, "api.hd", source, strlen(source), &program));
  ok(hd_device_open(session, "cpu:2", &device));
  return 0;
}

static inline int tear_down(void **state) {
  (void)state;
  hd_device_free(device);
  hd_program_free(program);
  hd_session_free(session);
  return 0;
}

static inline HdBuffer *new_ints(HdDevice *on, int64_t n) {
  HdBuffer *buffer;
  assert_int_equal(hd_buffer_new(on, HD_I32, 1, &n, &buffer), HD_OK);
  return buffer;
}

static inline HdBuffer *iota(HdDevice *on, int64_t n) {
  HdBuffer *buffer = new_ints(on, n);
  int32_t *data = hd_buffer_data(buffer);
  for (int64_t i = 0; i < n; i++)
    data[i] = (int32_t)i;
  return buffer;
}

static inline void expect_times_iota(HdBuffer *buffer, int factor) {
  int32_t *data = malloc(N * sizeof *data);
  assert_non_null(data);
  assert_int_equal(hd_buffer_read(buffer, data, N * sizeof *data), HD_OK);
  for (int i = 0; i < N; i++)
    assert_int_equal(data[i], i * factor);
  free(data);
}

#endif
