// SPDX-License-Identifier: Apache-2.0
// A user's program: compiles a kernel from text, runs it, checks the result.
// It defines functions that have the names of internal ones: no clash.
#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>

int arena_new(void);
int text_add(void);

int arena_new(void) {
  return 1;
}

int text_add(void) {
  return 2;
}

static const char source[] =
    "kernel void twice(int n, float x[n]) grid(cdiv(n, 64)) threads(64) {\n"
    "  int i = block_index().x * 64 + rank();\n"
    "  if (i < n) x[i] = 2 * x[i];\n"
    "}\n";

static int fail(HdSession *session, const char *what) {
  fprintf(stderr, "%s: %s\n", what, session ? hd_last_message(session) : "");
  return 1;
}

int main(void) {
  enum { N = 100 };

  float data[N];
  for (int i = 0; i < N; i++)
    data[i] = (float)i;
  HdSession *session = NULL;
  HdProgram *program = NULL;
  HdDevice *device = NULL;
  HdBuffer *buffer = NULL;
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  if (hd_session_new(&options, &session) != HD_OK)
    return fail(NULL, "session");
  if (hd_compile_text(session, "twice.hd", source, strlen(source), &program))
    return fail(session, "compile");
  if (hd_device_open(session, "cpu", &device))
    return fail(session, "device");
  if (hd_buffer_new(device, HD_F32, 1, (int64_t[]){N}, &buffer) ||
      hd_buffer_write(buffer, data, sizeof data))
    return fail(session, "buffer");
  if (hd_launch(program, "twice", NULL, HD_INT(N), HD_BUF(buffer), HD_END))
    return fail(session, "launch");
  if (hd_buffer_read(buffer, data, sizeof data))
    return fail(session, "read");
  for (int i = 0; i < N; i++)
    if (data[i] != 2.0f * (float)i)
      return fail(session, "wrong result");
  hd_buffer_free(buffer);
  hd_device_free(device);
  hd_program_free(program);
  hd_session_free(session);
  printf("heddle %s, %d\n", hd_version(), arena_new() + text_add());
  return 0;
}
