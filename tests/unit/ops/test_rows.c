// SPDX-License-Identifier: Apache-2.0
// Every row of ops.def against everything that reads the IR: each consumer does
// the operation, or refuses it in its documented way. A new row fails here in
// those that don't know it.
#include "row_run.h"

#include "check/check.h"
#include "check/tree/tree.h"
#include "codegen/code_ops.h"
#include "ir/analyses/analysis.h"
#include "ir/analyses/touches.h"
#include "ir/form/float_format.h"
#include "ir/form/fold.h"
#include "rt/device.h"
#include "tile/tile.h"

// ------------------------------------------------------------ all rows

typedef void (*RowTest)(const RowKernel *of);

// Each row of the table, in each type that it is built in.
static void each_row(RowTest test) {
  static const int ends[] = {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    signal(ends[i], name_row);
  n_faults = 0;
  for (int op = 0; op < IR_OP_COUNT; op++) {
    const char *const *variants = row_variants((IrOp)op);
    if (!variants)
      fail_msg("no kernel holds '%s' with operands '%s': add it to rows.h",
               ir_op_table[op].text, ir_op_table[op].args);
    for (; *variants; variants++)
      test(&(RowKernel){.op = (IrOp)op, .variant = *variants});
  }
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    signal(ends[i], SIG_DFL);
  assert_int_equal(n_faults, 0);
}

// ------------------------------------------------- text, verifier, copies

static void reads_back(const RowKernel *of) {
  Row row = make_row(of);
  const char *printed = print_ir(row.arena, row.module), *code, *message;
  IrModule *again = parse_ir(row.arena, printed, &code, &message);
  if (!again)
    fail_msg("%s: %s: %s\n%s", row_name, code, message, printed);
  assert_string_equal(print_ir(row.arena, again), printed);
  IrKernel *copy = ir_clone_kernel(row.arena, row.kernel);
  assert_null(ir_verify(copy->module));
  assert_string_equal(print_ir(row.arena, copy->module), printed);
  arena_free(row.arena);
}

static void text_and_copies_have_each_row(void **state) {
  (void)state;
  each_row(reads_back);
}

// -------------------------------------------------------- rules of groups

static uint32_t count_errors(Row *row) {
  DiagEngine *diags = diag_engine_new(row->arena, 0);
  ir_check_tokens(row->kernel, diags);
  ir_check_groups(row->kernel, ir_uniformity(row->arena, row->kernel), diags);
  uint32_t count;
  diag_list(diags, &count);
  return count;
}

static uint32_t errors_of(const RowKernel *of) {
  Row row = make_row(of);
  uint32_t count = count_errors(&row);
  arena_free(row.arena);
  return count;
}

static void is_reached_together(const RowKernel *of) {
  const IrOpInfo *info = &ir_op_table[of->op];
  if (errors_of(of))
    fault("the rules of groups refuse '%s'", row_name);
  RowKernel half = *of, whole = *of;
  half.is_divergent = true;
  whole.is_unwrapped = true;
  bool is_of_all = info->flags & (OPF_COLLECTIVE | OPF_CANNOT_VARY) &&
                   !row_has_tiles(of); // one thread
  if (is_of_all && !errors_of(&half))
    fault("half of the group may do '%s'", row_name);
  bool is_of_one = info->need == NEED_SINGLE;
  if (is_of_one && !errors_of(&whole))
    fault("all threads may do '%s', which is for one", row_name);
}

static void groups_come_together(void **state) {
  (void)state;
  each_row(is_reached_together);
}

// -------------------------------------------------------------- analyses

static void is_judged(const RowKernel *of) {
  Row row = make_row(of);
  store_result(&row);
  const Uniformity *tables = ir_uniformity(row.arena, row.kernel);
  const Liveness *live = ir_liveness(row.arena, row.kernel);
  for (uint32_t i = 0; i < row.kernel->vars.count; i++)
    (void)liveness_after(live, row.node, i);
  (void)ir_observes_order(row.kernel);
  (void)ir_test_claims(row.kernel, tables);
  assert_null(ir_verify(row.module));
  arena_free(row.arena);
}

static void analyses_know_each_row(void **state) {
  (void)state;
  each_row(is_judged);
}

// ----------------------------------------------------------------- passes

// Their effect is a value that nobody wants here, or their body alone.
static bool is_for_others(IrOp op) {
  return op == IR_GET || op == IR_SET || op == IR_IF || op == IR_LOOP ||
         op == IR_FOR || op == IR_BLOCK || op == IR_CALL || op == IR_EXIT ||
         op == IR_UNIFORM;
}

static void is_kept(const RowKernel *of) {
  Row row = make_row(of);
  bool is_pure = ir_op_table[of->op].flags & OPF_PURE;
  ir_simplify(row.kernel);
  assert_null(ir_verify(row.module));
  bool is_there = false;
  Search search = {.op = of->op};
  ir_walk(&row.kernel->body, find_last, &search);
  is_there = search.found == row.node;
  if (is_pure && is_there)
    fault("'%s' is pure and unused, and stays", row_name);
  if (!is_pure && !is_there && !is_for_others(of->op))
    fault("'%s' has an effect, and is taken out", row_name);
  arena_free(row.arena);
}

static void passes_keep_effects(void **state) {
  (void)state;
  each_row(is_kept);
}

static void pass_all(const RowKernel *of) {
  Row row = make_row(of);
  store_result(&row);
  IrKernel *unrolled = ir_unroll(row.arena, row.kernel);
  if (unrolled)
    assert_null(ir_verify(unrolled->module));
  IrKernel *copy = ir_clone_kernel(row.arena, row.kernel);
  ir_name_own(copy);
  ir_promote(copy);
  ir_split_webs(copy);
  ir_simplify(copy);
  ir_kernel_renumber(copy);
  ir_decide_whole(copy);
  ir_decide_joins(copy, ir_uniformity(row.arena, copy));
  ir_wait_polls(copy);
  ir_track_inits(copy, true);
  ir_track_values(copy);
  ir_track_claims(copy);
  const char *broken = ir_verify(copy->module);
  if (broken)
    fault("after the passes, '%s': %s", row_name, broken);
  const IrKernel *followed = ir_follow_values(row.arena, row.kernel, NULL);
  broken = ir_verify(followed->module);
  if (broken)
    fault("where values are followed, '%s': %s", row_name, broken);
  arena_free(row.arena);
}

static void passes_keep_the_rules(void **state) {
  (void)state;
  each_row(pass_all);
}

// ------------------------------------------------------------ interpreter

static void runs(const RowKernel *of) {
  Row row = make_row(of);
  store_result(&row);
  ir_track_inits(row.kernel, false);
  ir_kernel_renumber(row.kernel);
  uint64_t out[ROW_ELEMENTS];
  const char *why;
  HdStatus status = run_row(&row, out, &why);
  if (status != (of->op == IR_TRAP ? HD_ERROR_TRAP : HD_OK))
    fault("the interpreter, '%s': %s", row_name, why);
  arena_free(row.arena);
}

static void interpreter_runs_each_row(void **state) {
  (void)state;
  each_row(runs);
}

// Claims, and the checks that they become, hold of equal operands alone.
static bool can_vary(const RowKernel *of) {
  const IrOpInfo *info = &ir_op_table[of->op];
  return !row_written(of->op) && *info->args && *info->args != 'p' &&
         !row_is_of_one(of) && info->family != FAMILY_CLAIM &&
         of->op != IR_CHECK_VALUE;
}

static bool are_alike(const uint64_t *out) {
  for (int i = 1; i < ROW_THREADS; i++)
    if (out[i] != out[0])
      return false;
  return true;
}

// What is said to be the same in all threads is, and what is pure and has equal
// operands is said to be.
static void is_true_of_runs(const RowKernel *of) {
  Row row = make_row(of);
  const IrOpInfo *info = ir_op_info(row.node);
  bool is_of_block = !row_is_of_one(of) && !row_has_tiles(of);
  if (!is_of_block || !is_stored(row.node)) {
    arena_free(row.arena);
    return;
  }
  store_result(&row);
  bool is_same = uniformity_has(ir_uniformity(row.arena, row.kernel), row.node,
                                row.kernel->groups.data[GROUP_ROW_BLOCK]);
  ir_track_inits(row.kernel, false);
  ir_kernel_renumber(row.kernel);
  uint64_t out[ROW_ELEMENTS];
  const char *why;
  if (run_row(&row, out, &why) != HD_OK)
    fault("the interpreter, '%s': %s", row_name, why);
  const char *operands =
      of->is_varied ? "operands that differ" : "equal operands";
  if (is_same && !are_alike(out))
    fault("'%s' of %s differs from thread to thread, and the analysis of "
          "uniformity has it the same (src/ir/analyses/uniform_base.c)",
          row_name, operands);
  if (info->flags & OPF_ALIKE && !is_same)
    fault("'%s' gives all threads the same, and may differ", row_name);
  if (info->flags & OPF_PURE && !of->is_varied && are_alike(out) && !is_same)
    fault("'%s' of equal operands may differ", row_name);
  arena_free(row.arena);
}

static void varies_truly(const RowKernel *of) {
  is_true_of_runs(of);
  if (!can_vary(of))
    return;
  RowKernel varied = *of;
  varied.is_varied = true;
  is_true_of_runs(&varied);
}

static void analyses_are_true_of_runs(void **state) {
  (void)state;
  each_row(varies_truly);
}

// Folding gives what the interpreter computes.
static void folds(const RowKernel *of) {
  if (!(ir_op_table[of->op].flags & OPF_PURE) || row_written(of->op))
    return;
  uint64_t out[2][ROW_ELEMENTS];
  for (int i = 0; i < 2; i++) {
    RowKernel kernel = *of;
    kernel.is_constant = i;
    Row row = make_row(&kernel);
    bool is_place = row.node->type.kind == IR_TYPE_PTR;
    store_result(&row);
    if (i)
      ir_simplify(row.kernel);
    ir_kernel_renumber(row.kernel);
    const char *why;
    assert_int_equal(run_row(&row, out[i], &why), HD_OK);
    if (is_place)
      out[i][0] = 0;
    arena_free(row.arena);
  }
  if (out[0][0] != out[1][0])
    fault("'%s' gives 0x%llx, folded 0x%llx", row_name,
          (unsigned long long)out[0][0], (unsigned long long)out[1][0]);
}

static void folding_computes_the_same(void **state) {
  (void)state;
  each_row(folds);
}

// ---------------------------------------------------------------- touches

typedef struct {
  uint32_t memory;
  IrEvent waits, signals;
  IrTouchKind last;
  IrTouch touches[4]; // of memory
  uint32_t n_touches;
} Touched;

static bool note_touch(const IrTouch *touch, void *context) {
  Touched *all = context;
  if (touch->kind < all->last)
    fault("'%s' touches in another order", row_name);
  all->last = touch->kind;
  switch (touch->kind) {
  case IR_TOUCH_MEMORY:
    all->memory |= touch->is_read ? MEM_READ : 0;
    all->memory |= touch->is_write ? MEM_WRITE : 0;
    if ((touch->object == NULL) == (touch->pointer == NULL))
      fault("'%s' touches no object and no pointer, or both", row_name);
    all->touches[all->n_touches++] = *touch;
    break;
  case IR_TOUCH_ORDER: all->memory |= MEM_ORDER; break;
  case IR_TOUCH_WAIT: all->waits = touch->event; break;
  case IR_TOUCH_SIGNAL: all->signals = touch->event; break;
  }
  return true;
}

static Touched touched_by(const IrNode *node) {
  Touched all = {0};
  ir_touches(node, note_touch, &all);
  return all;
}

static void touches(const RowKernel *of) {
  Row row = make_row(of);
  const IrOpInfo *info = ir_op_info(row.node);
  Touched all = touched_by(row.node);
  if (all.memory != info->memory || all.waits != info->waits ||
      all.signals != info->signals)
    fault("'%s' touches other than its row says", row_name);
  for (uint32_t i = 0; i < all.n_touches; i++)
    if (all.touches[i].proxy != ir_proxy(row.node))
      fault("'%s' reaches memory by another proxy", row_name);
  arena_free(row.arena);
}

static void touches_are_those_of_the_row(void **state) {
  (void)state;
  each_row(touches);
}

typedef struct {
  const IrNode *node;
  uint32_t memory; // MEM_ bits
  uint64_t part;   // of the node's newest copy
} Observed;

static void see_access(void *context, const ObservedThread *thread,
                       const ObservedAccess *access) {
  (void)thread;
  Observed *seen = context;
  if (access->node == seen->node)
    seen->memory |=
        (access->reads ? MEM_READ : 0u) | (access->writes ? MEM_WRITE : 0u);
}

static void see_copy(void *context, const ObservedCopy *told) {
  Observed *seen = context;
  if (told->node == seen->node)
    seen->part = told->part;
}

// What a matrix unit reads goes on by itself, as a copy does.
static void see_copied(void *context, uint64_t part, uint64_t to, uint64_t from,
                       uint64_t n_bytes) {
  (void)n_bytes;
  Observed *seen = context;
  if (part == seen->part && ir_op_info(seen->node)->signals == EVENT_COPY)
    seen->memory |= (from ? MEM_READ : 0u) | (to ? MEM_WRITE : 0u);
}

// Those who watch a run are told what the columns say, and it happens.
static void is_observed(const RowKernel *of) {
  const IrOpInfo *info = &ir_op_table[of->op];
  if (info->form != FORM_ACCESS && info->form != FORM_SECTION)
    return;
  Row row = make_row(of);
  Observed seen = {.node = row.node};
  InterpObserver observer = {.context = &seen,
                             .access = see_access,
                             .copy = see_copy,
                             .copy_bytes = see_copied};
  RowLaunch launch;
  const char *why;
  begin_launch(&launch, ROUND_TABLE);
  row_observer = &observer;
  if (interpret(&row, &launch, &why) != HD_OK)
    fault("the interpreter, '%s': %s", row_name, why);
  row_observer = NULL;
  if (seen.memory != (info->memory & (MEM_READ | MEM_WRITE)))
    fault("the interpreter's observers see other accesses of '%s' than its row "
          "says",
          row_name);
  bool has_changed = false;
  for (int i = 0; i < ROW_ELEMENTS; i++)
    has_changed |= launch.out[i] || launch.in[i];
  bool is_elsewhere = of->op == IR_TENSOR_WRITE; // in tensor memory
  if (!is_elsewhere && has_changed != ((info->memory & MEM_WRITE) != 0))
    fault("the interpreter, '%s': %s is written", row_name,
          has_changed ? "something" : "nothing");
  arena_free(row.arena);
}

static void observers_see_accesses(void **state) {
  (void)state;
  each_row(is_observed);
}

// ---------------------------------------------------------------- checker

typedef struct {
  const IrNode *node;
  bool has_step;
  Touched touched;
  uint32_t n_touches; // that the checker names
} Steps;

static const IrObject *led_to(const IrTouch *touch) {
  return touch->pointer ? touch->pointer->u.access.object : touch->object;
}

// The checker's steps name what the operation touches, in its order.
static void see_step(const Step *step, void *context) {
  Steps *steps = context;
  if (step->node != steps->node)
    return;
  steps->has_step = true;
  if (step->kind != STEP_TOUCH)
    return;
  uint32_t i = steps->n_touches++;
  if (i >= steps->touched.n_touches) {
    fault("the checker has another touch of '%s'", row_name);
    return;
  }
  const Touch *seen = step->u.touch.touch;
  const IrTouch *touch = &steps->touched.touches[i];
  if (seen->object != led_to(touch) || seen->is_read != touch->is_read ||
      seen->is_write != touch->is_write ||
      seen->is_atomic != touch->is_atomic || seen->proxy != touch->proxy ||
      (seen->done != DONE_AT_ONCE) != touch->goes_on ||
      (touch->is_atomic && seen->scope != touch->scope))
    fault("the checker's touch %u of '%s' isn't its own", i, row_name);
}

// Of what nothing is to be proved, and which orders nothing.
static bool is_nothing_to_checks(IrOp op) {
  switch (ir_op_table[op].family) {
  case FAMILY_VALUE:
  case FAMILY_POSITION:
  case FAMILY_EXCHANGE:
  case FAMILY_REDUCE: return true;
  case FAMILY_EFFECT:
    return op != IR_ASSERT && op != IR_TRAP && op != IR_CHECK_VALUE &&
           op != IR_INSIDE;
  case FAMILY_CONTROL: return op == IR_GROUP || op == IR_WITH;
  case FAMILY_CLAIM: return op == IR_UNIFORM;      // it is, of any parameter
  case FAMILY_MBARRIER: return op == IR_MBAR_INIT; // ir_track_inits
  case FAMILY_TILE:
    return ir_op_table[op].form != FORM_SECTION && op != IR_TILE_ASSERT;
  case FAMILY_ARITHMETIC:
  case FAMILY_COMPARE:
  case FAMILY_CONVERT:
  case FAMILY_MATH:
  case FAMILY_MEMORY:
  case FAMILY_SYNC:
  case FAMILY_COUNT: break;
  case FAMILY_COPY:
    return op == IR_WGMMA_FENCE || op == IR_TENSOR_FENCE ||
           op == IR_TENSOR_ALLOC ||
           op == IR_TENSOR_DEALLOC; // a rule of the language
  }
  return ir_op_table[op].flags & OPF_PURE;
}

static void is_checked(const RowKernel *of) {
  Row row = make_row(of);
  store_result(&row);
  if (ir_track_inits(row.kernel, true))
    ir_kernel_renumber(row.kernel);
  CheckOptions options = {.no_search = true, .no_fixes = true};
  CheckReport report = {0};
  check_kernel(row.arena, row.kernel, &options, &report);
  assert_true(report.n_proved <= report.n_obligations);
  assert_true((report.verdict == VERDICT_PROVED) ==
              (report.n_proved == report.n_obligations));
  TermTable *terms = term_table_new(row.arena);
  Solver *solver = solver_new(row.arena, terms, &options.solve);
  const Tree *tree =
      tree_build(row.arena, row.kernel, ir_uniformity(row.arena, row.kernel),
                 terms, solver, false);
  Steps steps = {.node = row.node, .touched = touched_by(row.node)};
  tree_each(tree->first, see_step, &steps);
  if (steps.n_touches < steps.touched.n_touches)
    fault("the checker leaves out a touch of '%s'", row_name);
  solver_free(solver);
  if (!steps.has_step && !is_nothing_to_checks(of->op)) {
    Text text = {.arena = row.arena};
    tree_print(tree, &text);
    fault("the checker has no step for '%s'\n%s", row_name, text_cstr(&text));
  }
  arena_free(row.arena);
}

static void checker_sees_each_row(void **state) {
  (void)state;
  each_row(is_checked);
}

// -------------------------------------------------------------- back ends

static const CodeOps *back_end;
static const CodeModel *model;
static CodeCompiler *compiler;

static RtDevice *cpu; // NULL: what is compiled isn't run

// Its value is of the threads' order, the machine's, or of no use outside.
static bool has_own_value(const Row *row) {
  IrOp op = row->node->op;
  return op == IR_RMW || op == IR_CAS || op == IR_MAKE_GROUP ||
         op == IR_CLOCK || op == IR_GLOBALTIMER || op == IR_MBAR_TEST ||
         op == IR_MBAR_TEST_TOKEN || row->node->type.kind == IR_TYPE_PTR;
}

// The bits, but of functions of real numbers, which are rounded otherwise.
static bool is_same_value(const Row *row, uint64_t a, uint64_t b) {
  IrType type = row->node->type;
  if (a == b || !ir_type_is_float(type))
    return a == b;
  FloatFormat format = ir_float_format(type);
  double x = float_bits_to_double(format, a),
         y = float_bits_to_double(format, b);
  bool is_rounded = ir_family(row->node) == FAMILY_MATH;
  double most = type.kind == IR_TYPE_BF16  ? 0x1p-7
                : type.kind == IR_TYPE_F16 ? 0x1p-10
                                           : 0x1p-18;
  return (isnan(x) && isnan(y)) ||
         (is_rounded && fabs(x - y) <= most * fmax(fabs(x), 0x1p-6));
}

static void compare_round(const Row *row, const RowKernel *of, const void *code,
                          RowRound round) {
  RowLaunch here, there;
  const char *why;
  RtError error = {{0}};
  begin_launch(&here, round);
  begin_launch(&there, round);
  HdStatus wanted = interpret(row, &there, &why);
  RtLaunch launch = {.code = code,
                     .args = here.args,
                     .n_slots = row->kernel->n_slots,
                     .grid = {1, 1, 1}};
  HdStatus status = rt_cpu_ops.launch(cpu, NULL, &launch, NULL, NULL, &error);
  if (status != wanted)
    fault("'%s' ends with %d on a CPU, not %d: %s", row_name, (int)status,
          (int)wanted, error.text);
  if (memcmp(here.in, there.in, sizeof here.in) != 0)
    fault("'%s' writes other values on a CPU", row_name);
  bool is_compared = !is_stored(row->node) || !has_own_value(row);
  for (int i = 0; is_compared && i < ROW_ELEMENTS; i++)
    if (is_stored(row->node) && i < row_threads(of)
            ? !is_same_value(row, here.out[i], there.out[i])
            : here.out[i] != there.out[i]) {
      fault("'%s'%s gives thread %d 0x%llx on a CPU, and 0x%llx in the "
            "interpreter (round %d)",
            row_name, of->is_varied ? " of operands that differ" : "", i,
            (unsigned long long)here.out[i], (unsigned long long)there.out[i],
            (int)round);
      return;
    }
}

// Generated code computes what the interpreter does.
static void compare_values(const Row *row, const RowKernel *of,
                           const CodeObject *object) {
  const void *code;
  const char *why = "";
  if (back_end->load(compiler, object->data, object->size_bytes, row->arena,
                     &code, &why) != HD_OK)
    fail_msg("'%s': %s", row_name, why);
  IrFamily family = ir_family(row->node);
  bool is_total = !row_written(row->node->op) &&
                  (family == FAMILY_ARITHMETIC || family == FAMILY_COMPARE ||
                   family == FAMILY_CONVERT);
  for (int i = 0; i < (is_total ? ROUND_COUNT : 1); i++)
    compare_round(row, of, code, (RowRound)i);
}

static void is_compiled_so(const RowKernel *of) {
  if (ir_op_table[of->op].flags & OPF_CHECKS) // sessions refuse to run it
    return;
  Row row = make_row(of);
  store_result(&row);
  ir_track_inits(row.kernel, false);
  ir_kernel_renumber(row.kernel);
  const char *why = "";
  CodeObject object = {0};
  IrKernel *kernel = row.kernel;
  if (ir_has_tiles(kernel)) {
    if (!model->tile_lanes) { // sessions refuse it
      arena_free(row.arena);
      return;
    }
    kernel->level = LEVEL_TILES;
    assert_null(tile_refusal(kernel));
    TileTarget target = {.lanes = model->tile_lanes,
                         .vector_bytes = compiler->vector_bytes,
                         .n_vectors = compiler->n_vectors,
                         .shows_doubles = true,
                         .joins_for_workers = 2};
    kernel = tile_lower(row.arena, kernel, &target);
    assert_null(ir_verify(kernel->module));
  }
  HdStatus status = back_end->compile(compiler, row.arena, kernel->module,
                                      kernel, &object, &why);
  IrFamily family = ir_family(row.node);
  bool is_newer = model->runs_on_later &&
                  (family == FAMILY_COPY || family == FAMILY_MBARRIER ||
                   family == FAMILY_MEMORY);
  is_newer |= !cpu && (row_is_of_engine(of) || ir_is_tensor_op(of->op) ||
                       of->op == IR_TENSOR_TOUCH || of->op == IR_TENSOR_ALLOC ||
                       of->op == IR_TENSOR_DEALLOC); // on CPUs only
  if (status != HD_OK && !(is_newer && status == HD_ERROR_UNSUPPORTED))
    fault("%s, '%s': %s", model->name, row_name, why);
  if (status == HD_OK && cpu && of->op != IR_PRINTF &&
      of->op != IR_TILE_PRINT) // not into the log
    compare_values(&row, of, &object);
  code_object_free(&object);
  arena_free(row.arena);
}

// Threads of several warps meet in other ways, where the rules let them.
static bool can_be_wide(const RowKernel *of) {
  RowKernel wide = *of;
  wide.is_wide = true;
  return ir_op_table[of->op].flags & OPF_COLLECTIVE && !row_is_of_one(of) &&
         !errors_of(&wide);
}

static void is_compiled(const RowKernel *of) {
  int n_varied = cpu && can_vary(of) ? 2 : 1; // their values are compared
  int n_wide = can_be_wide(of) ? 2 : 1;
  for (int varied = 0; varied < n_varied; varied++)
    for (int wide = 0; wide < n_wide; wide++) {
      RowKernel kernel = *of;
      kernel.is_varied = varied;
      kernel.is_wide = wide;
      is_compiled_so(&kernel);
    }
}

static void compile_all(bool checks) {
  compiler = back_end->open(&(CodeOptions){.checks = checks}, model);
  each_row(is_compiled);
  back_end->close(compiler);
}

static void back_ends_have_each_row(void **state) {
  (void)state;
  for (int i = 0; i < code_back_ends.count; i++) {
    back_end = code_back_ends.data[i];
    for (int k = 0; k < back_end->n_models; k++) {
      model = &back_end->models[k];
      bool is_run = strcmp(back_end->device, rt_cpu_ops.kind) == 0;
      RtError error;
      if (is_run)
        assert_int_equal(rt_cpu_ops.open(1, &cpu, &error), HD_OK);
      compile_all(false);
      rt_cpu_ops.close(cpu);
      cpu = NULL;
      if (back_end->has_checks)
        compile_all(true);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_and_copies_have_each_row),
      cmocka_unit_test(groups_come_together),
      cmocka_unit_test(analyses_know_each_row),
      cmocka_unit_test(passes_keep_effects),
      cmocka_unit_test(passes_keep_the_rules),
      cmocka_unit_test(interpreter_runs_each_row),
      cmocka_unit_test(analyses_are_true_of_runs),
      cmocka_unit_test(folding_computes_the_same),
      cmocka_unit_test(touches_are_those_of_the_row),
      cmocka_unit_test(observers_see_accesses),
      cmocka_unit_test(checker_sees_each_row),
      cmocka_unit_test(back_ends_have_each_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
