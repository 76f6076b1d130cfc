// SPDX-License-Identifier: Apache-2.0
// A kernel of a row as the IR in memory, and runs of it by the interpreter.
#ifndef HD_TESTS_OPS_ROW_RUN_H
#define HD_TESTS_OPS_ROW_RUN_H

#include "interp/interp.h"
#include "interp/observe.h"
#include "rows.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>
// cmocka wants the ones above first.
#include <cmocka.h>

// ------------------------------------------------------------ the kernels

// What is wrong with rows, all of it and not only the first.
static uint32_t n_faults;

__attribute__((format(printf, 1, 2))) static void fault(const char *format,
                                                        ...) {
  char text[2000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  print_error("%s\n", text);
  n_faults++;
}

// The row under test, for whoever reads why a consumer gave up.
static char row_name[80];

static void name_row(int signal_number) {
  static const char before[] = "\nrow of ops.def: ";
  (void)!write(STDERR_FILENO, before, sizeof before - 1);
  (void)!write(STDERR_FILENO, row_name, strlen(row_name));
  (void)!write(STDERR_FILENO, "\n", 1);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

typedef struct {
  Arena *arena;
  const char *text;
  IrModule *module;
  IrKernel *kernel;
  IrNode *node; // the operation
} Row;

typedef struct {
  IrOp op;
  IrNode *found;
} Search;

static bool find_last(IrNode *node, void *context) {
  Search *search = context;
  if (node->op == search->op)
    search->found = node;
  return true;
}

static IrNode *operation_of(IrKernel *kernel, IrOp op) {
  Search search = {.op = op};
  ir_walk(&kernel->body, find_last, &search);
  return search.found;
}

static Row make_row(const RowKernel *of) {
  Row row = {.arena = arena_new()};
  snprintf(row_name, sizeof row_name, "%s of %s%s", ir_op_table[of->op].text,
           of->variant, of->is_wide ? " in two warps" : "");
  row.text = row_text(row.arena, of);
  if (!row.text)
    fail_msg("'%s': its columns don't say how it is built; give it a line in "
             "row_by_hand, tests/unit/ops/rows.h",
             row_name);
  const char *code, *message;
  row.module = parse_ir(row.arena, row.text, &code, &message);
  if (!row.module)
    fail_msg("%s: %s: %s\n%s", row_name, code, message, row.text);
  row.kernel = row.module->kernels.data[0];
  row.node = operation_of(row.kernel, of->op);
  if (!row.node)
    fail_msg("the kernel of '%s' doesn't have it", row_name);
  return row;
}

static bool is_stored(const IrNode *node) {
  return node->type.kind != IR_TYPE_VOID && node->type.kind != IR_TYPE_TOKEN &&
         node->type.kind != IR_TYPE_TILE;
}

// What the operation gives a thread goes to out[its rank], so that it is
// needed.
static void store_result(Row *row) {
  if (!is_stored(row->node))
    return;
  IrPlace place = {.kernel = row->kernel, .at = row->node, .is_after = true};
  IrNode *args[] = {NULL, row->node};
  args[0] = ir_place_node(&place, IR_RANK, ir_scalar(IR_TYPE_I32), NULL, 0);
  args[0]->u.group.group = row->kernel->groups.data[GROUP_ROW_BLOCK];
  place.at = args[0];
  IrNode *store =
      ir_place_node(&place, IR_STORE, ir_scalar(IR_TYPE_VOID), args, 2);
  store->u.access = (IrAccess){.object = row->kernel->objects.data[0],
                               .type = row->node->type,
                               .n_index = 1,
                               .align_bytes = 8};
  ir_kernel_renumber(row->kernel);
  const char *broken = ir_verify(row->module);
  if (broken)
    fail_msg("%s: %s\n%s", row_name, broken, row->text);
}

// --------------------------------------------------------------- launches

// One launch: its memory and its arguments.
typedef struct {
  _Alignas(128) uint64_t out[ROW_ELEMENTS];
  _Alignas(128) int32_t in[ROW_ELEMENTS];
  uint64_t args[ROW_PARAMS + 6];
} RowLaunch;

static void begin_launch(RowLaunch *launch, RowRound round) {
  memset(launch, 0, sizeof *launch);
  for (int i = 0; i < ROW_PARAMS; i++)
    launch->args[i] = row_value(round, i);
  uint64_t *arrays = launch->args + ROW_PARAMS;
  arrays[0] = (uint64_t)(uintptr_t)launch->out;
  arrays[3] = (uint64_t)(uintptr_t)launch->in;
  arrays[1] = arrays[4] = ROW_ELEMENTS;
  arrays[2] = arrays[5] = 1;
}

static const InterpObserver *row_observer; // of the runs; NULL: nobody

static HdStatus interpret(const Row *row, RowLaunch *launch, const char **why) {
  InterpMemory memory[ROW_PARAMS + 2] = {0};
  memory[ROW_PARAMS] = (InterpMemory){launch->out, sizeof launch->out};
  memory[ROW_PARAMS + 1] = (InterpMemory){launch->in, sizeof launch->in};
  InterpLaunch given = {.args = launch->args,
                        .arrays = memory,
                        .observer = row_observer,
                        .grid = {1, 1, 1},
                        .max_steps = 10000000};
  *why = "";
  return interp_run(row->arena, row->kernel, &given, why);
}

static HdStatus run_row(const Row *row, uint64_t *out, const char **why) {
  RowLaunch launch;
  begin_launch(&launch, ROUND_TABLE);
  HdStatus status = interpret(row, &launch, why);
  memcpy(out, launch.out, sizeof launch.out);
  return status;
}

#endif
