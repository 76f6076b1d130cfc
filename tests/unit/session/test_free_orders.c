// SPDX-License-Identifier: Apache-2.0
// Handles are freed in any order, and those that are left work: each keeps
// alive what it was made of. Freed memory is filled, so that a use of it shows.
#include "heddle/heddle.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
// cmocka wants the ones above first.
#include <cmocka.h>

static const char source[] = "global int added[1];\n"
                             "kernel void k(int n, const int x[n], int y[n])\n"
                             "    grid(cdiv(n, 32)) threads(32)\n"
                             "{\n"
                             "    int i = block_index().x * 32 + rank();\n"
                             "    if (i < n) y[i] = x[i] * 3 + added[0];\n"
                             "}\n";

enum { N = 64 };

typedef enum {
  SESSION,
  PROGRAM,
  KERNEL,
  ARGS,
  CHECK,
  DEVICE,
  INPUT,
  HALF,
  OUTPUT,
  VIEW,
  STREAM,
  GRAPH,
  EVENT,
  LATER,
  N_HANDLES,
} Handle;

typedef struct {
  HdSession *session;
  HdProgram *program;
  HdKernel *kernel;
  HdArgs *args;
  HdCheck *check;
  HdDevice *device;
  HdBuffer *input, *half, *output, *view;
  HdStream *stream;
  HdGraph *graph;
  HdEvent *event, *later;
  bool is_freed[N_HANDLES];
} Handles;

static void succeed(HdStatus status) {
  assert_int_equal(status, HD_OK);
}

static void make_program(Handles *h) {
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  options.use_disk_cache = 0;
  *h = (Handles){0};
  succeed(hd_session_new(&options, &h->session));
  succeed(
      hd_compile_text(h->session, "t.hd", source, strlen(source), &h->program));
  succeed(hd_kernel_get(h->program, "k", NULL, 0, &h->kernel));
  succeed(hd_args_new(h->kernel, &h->args));
}

static void make_launches(Handles *h) {
  const int64_t n = N, half = N / 2;
  HdCheckOptions rules = HD_CHECK_OPTIONS_INIT;
  rules.rules_only = 1;
  succeed(hd_check(h->program, "k", NULL, 0, &rules, &h->check));
  succeed(hd_device_open(h->session, "cpu:1", &h->device));
  succeed(hd_buffer_new(h->device, HD_I32, 1, &n, &h->input));
  succeed(hd_buffer_new(h->device, HD_I32, 1, &n, &h->output));
  succeed(hd_buffer_view(h->input, 0, 1, &half, NULL, &h->half));
  succeed(hd_buffer_view(h->output, N / 2, 1, &half, NULL, &h->view));
  succeed(hd_stream_new(h->device, &h->stream));
  succeed(hd_event_new(h->device, &h->event));
  succeed(hd_event_new(h->device, &h->later));
  succeed(hd_args_set(h->args, "x", HD_BUF(h->input)));
  succeed(hd_args_set(h->args, "y", HD_BUF(h->output)));
  succeed(hd_args_infer(h->args));
  succeed(hd_graph_begin(h->stream));
  succeed(hd_args_launch(h->args, h->stream, NULL));
  HdArg halves[] = {HD_INT(N / 2), HD_BUF(h->half), HD_BUF(h->view)};
  succeed(hd_kernel_launch(h->kernel, h->stream, NULL, halves, 3));
  succeed(hd_graph_end(h->stream, &h->graph));
  succeed(hd_event_record(h->event, h->stream));
  succeed(hd_args_launch(h->args, h->stream, NULL));
  succeed(hd_event_record(h->later, h->stream));
}

static void free_handle(Handles *h, Handle which) {
  assert_false(h->is_freed[which]);
  h->is_freed[which] = true;
  switch (which) {
  case SESSION: hd_session_free(h->session); break;
  case PROGRAM: hd_program_free(h->program); break;
  case KERNEL: hd_kernel_free(h->kernel); break;
  case ARGS: hd_args_free(h->args); break;
  case CHECK: hd_check_free(h->check); break;
  case DEVICE: hd_device_free(h->device); break;
  case INPUT: hd_buffer_free(h->input); break;
  case HALF: hd_buffer_free(h->half); break;
  case OUTPUT: hd_buffer_free(h->output); break;
  case VIEW: hd_buffer_free(h->view); break;
  case STREAM: hd_stream_free(h->stream); break;
  case GRAPH: hd_graph_free(h->graph); break;
  case EVENT: hd_event_free(h->event); break;
  case LATER: hd_event_free(h->later); break;
  case N_HANDLES: break;
  }
}

// -------------------------------------------------------------- uses

static void use_program(const Handles *h) {
  HdKernel *kernel;
  const int value = 4;
  succeed(hd_global_write(h->program, "added", &value, sizeof value));
  assert_string_equal(hd_program_diagnostics(h->program, HD_FORMAT_TEXT), "");
  assert_string_equal(hd_program_kernel_name(h->program, 0), "k");
  succeed(hd_kernel_get(h->program, NULL, NULL, 0, &kernel));
  hd_kernel_free(kernel);
}

static void use_kernel(const Handles *h) {
  HdParamInfo param;
  HdArgs *args;
  assert_string_equal(hd_kernel_name(h->kernel), "k");
  succeed(hd_kernel_param(h->kernel, 1, &param));
  assert_string_equal(param.name, "x");
  succeed(hd_args_new(h->kernel, &args));
  hd_args_free(args);
}

static void use_args(const Handles *h) {
  int64_t extents[8];
  int rank;
  if (h->stream) { // launches were made
    succeed(hd_args_extents(h->args, "y", &rank, extents));
    assert_int_equal(extents[0], N);
    succeed(hd_args_launch(h->args, NULL, NULL));
  }
  assert_int_equal(hd_args_set(h->args, "nope", HD_INT(1)), HD_ERROR_NOT_FOUND);
}

static void use_buffer(HdBuffer *buffer, int64_t n) {
  int values[N];
  assert_int_equal(hd_buffer_extent(buffer, 0), n);
  succeed(hd_buffer_read(buffer, values, (size_t)n * sizeof *values));
}

static void use(const Handles *h, Handle which) {
  double ms;
  switch (which) {
  case SESSION:
    assert_true(hd_device_count(h->session) >= 1);
    assert_non_null(hd_last_message(h->session));
    break;
  case PROGRAM: use_program(h); break;
  case KERNEL: use_kernel(h); break;
  case ARGS: use_args(h); break;
  case CHECK:
    assert_string_equal(hd_check_kernel(h->check), "k");
    assert_memory_equal(hd_check_diagnostics(h->check), "[]", 2);
    break;
  case DEVICE: assert_string_equal(hd_device_target(h->device), "cpu"); break;
  case INPUT: use_buffer(h->input, N); break;
  case HALF: use_buffer(h->half, N / 2); break;
  case OUTPUT: use_buffer(h->output, N); break;
  case VIEW: use_buffer(h->view, N / 2); break;
  case STREAM: succeed(hd_stream_wait(h->stream)); break;
  case GRAPH: succeed(hd_graph_launch(h->graph, NULL)); break;
  case EVENT:
    succeed(hd_event_wait(h->event));
    if (!h->is_freed[LATER])
      succeed(hd_event_elapsed_ms(h->event, h->later, &ms));
    break;
  case LATER: succeed(hd_event_wait(h->later)); break;
  case N_HANDLES: break;
  }
}

static void use_what_is_left(const Handles *h, int n_made) {
  for (int i = 0; i < n_made; i++)
    if (!h->is_freed[i])
      use(h, (Handle)i);
}

// -------------------------------------------------------------- orders

static bool next_permutation(int *order, int n) {
  int at = n - 2;
  while (at >= 0 && order[at] > order[at + 1])
    at--;
  if (at < 0)
    return false;
  int with = n - 1;
  while (order[with] < order[at])
    with--;
  int kept = order[at];
  order[at] = order[with], order[with] = kept;
  for (int low = at + 1, high = n - 1; low < high; low++, high--)
    kept = order[low], order[low] = order[high], order[high] = kept;
  return true;
}

// Session, program, kernel and arguments, in all 24 orders.
static void programs_in_any_order(void **state) {
  (void)state;
  int order[] = {SESSION, PROGRAM, KERNEL, ARGS};
  do {
    Handles h;
    make_program(&h);
    for (int i = 0; i < 4; i++) {
      free_handle(&h, (Handle)order[i]);
      use_what_is_left(&h, 4);
    }
  } while (next_permutation(order, 4));
}

// Each two of all handles are the first ones once, in both orders; then all
// others are used, and freed forwards or backwards.
static void launches_in_any_order(void **state) {
  (void)state;
  for (int first = 0; first < N_HANDLES; first++) {
    for (int second = 0; second < N_HANDLES; second++) {
      if (second == first)
        continue;
      Handles h;
      make_program(&h);
      make_launches(&h);
      free_handle(&h, (Handle)first);
      free_handle(&h, (Handle)second);
      use_what_is_left(&h, N_HANDLES);
      for (int i = 0; i < N_HANDLES; i++) {
        int which = first < second ? i : N_HANDLES - 1 - i;
        if (!h.is_freed[which])
          free_handle(&h, (Handle)which);
      }
    }
  }
}

int main(void) {
  mallopt(M_PERTURB, 0x5A);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(programs_in_any_order),
      cmocka_unit_test(launches_in_any_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
