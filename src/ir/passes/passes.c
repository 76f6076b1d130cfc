// SPDX-License-Identifier: Apache-2.0
#include "ir/passes/passes.h"
#include "base/panic.h"
#include "ir/verify/verify.h"

#include <string.h>

const PassInfo pass_table[PASS_COUNT] = {
#define PASS(stage, id, name, needs, breaks, before, after, when, doc)         \
  [PASS_##id] = {STAGE_##stage,  #name,         needs, breaks,                 \
                 LEVEL_##before, LEVEL_##after, when,  doc},
#include "ir/passes.def"
#undef PASS
};

const char *const pass_device[STAGE_COUNT] = {
    [STAGE_CPU] = "cpu", [STAGE_NVPTX] = "cuda"};

PassId pass_find(const char *name) {
  int id = 0;
  while (id < PASS_COUNT && strcmp(pass_table[id].name, name) != 0)
    id++;
  return (PassId)id;
}

// --------------------------------------------------------------- watching

static void verify(PassId pass, const IrModule *module) {
  const char *why = ir_verify(module);
  if (why)
    HD_PANIC("%s broke the IR of %s: %s", pass_table[pass].name, module->name,
             why);
}

void pass_done(PassId pass, const IrKernel *kernel, bool has_changed) {
  HD_ASSERT(pass < PASS_COUNT);
  const IrModule *module = kernel->module;
  const PassWatch *watch = module->watch;
  bool is_copy = pass_table[pass].stage != STAGE_KERNEL;
  if (has_changed && (!is_copy || (watch && watch->verifies_each)))
    verify(pass, module);
  if (!watch || watch->shown != pass)
    return;
  watch->text->length = 0; // of an earlier round
  ir_print(module, watch->text);
}

// ------------------------------------------------------------------- rows
// Each returns whether it has changed the kernel.

static bool run_lowering(PassRun *run) {
  (void)run;
  return true; // somebody else has
}

static bool run_check_tokens(PassRun *run) {
  ir_check_tokens(run->kernel, run->diags);
  return false;
}

static bool run_simplify(PassRun *run) {
  return ir_simplify(run->kernel);
}

static bool run_name_own(PassRun *run) {
  return ir_name_own(run->kernel);
}

static bool run_promote(PassRun *run) {
  return ir_promote(run->kernel);
}

static bool run_split_webs(PassRun *run) {
  return ir_split_webs(run->kernel);
}

static bool run_simplify_again(PassRun *run) {
  bool has_changed = ir_simplify(run->kernel);
  ir_kernel_renumber(run->kernel);
  return has_changed;
}

static bool run_decide_whole(PassRun *run) {
  return ir_decide_whole(run->kernel);
}

static bool run_check_groups(PassRun *run) {
  ir_check_groups_but(run->kernel, run->uniformity, run->diags, run->arena,
                      run->open);
  return false;
}

static bool run_decide_joins(PassRun *run) {
  ir_decide_joins(run->kernel, run->uniformity);
  return true;
}

static bool run_test_claims(PassRun *run) {
  return ir_test_claims(run->kernel, run->uniformity);
}

static bool run_wait_polls(PassRun *run) {
  return ir_wait_polls(run->kernel);
}

static bool run_track_inits(PassRun *run) {
  return ir_track_inits(run->kernel, (run->when & PASS_CHECKED) != 0);
}

static bool run_decide_layouts(PassRun *run) {
  return ir_decide_layouts(run->kernel);
}

static bool run_track_ends(PassRun *run) {
  return ir_track_ends(run->kernel);
}

static bool run_follow_lanes(PassRun *run) {
  return ir_follow_lanes(run->kernel);
}

static bool run_track_values(PassRun *run) {
  ir_track_values(run->kernel);
  return true;
}

static bool run_track_claims(PassRun *run) {
  ir_track_claims(run->kernel);
  return true;
}

static bool run_no_tiles(PassRun *run) {
  HD_ASSERT(!ir_has_tiles(run->kernel));
  return false;
}

// --------------------------------------------------------------- the loop

typedef bool (*Pass)(PassRun *run);

static const Pass passes[PASS_COUNT] = {
#define PASS_KERNEL(id, name, ...) [PASS_##id] = run_##name,
#include "ir/passes.def"
};

static bool passes_is_right(const PassRun *run) {
  return diag_round_error_count(run->diags) == 0;
}

static bool passes_applies(const PassRun *run, const PassInfo *row) {
  return (row->when & ~run->when) == 0 &&
         (!(row->needs & KNOWN_RIGHT) || passes_is_right(run));
}

static void forget_uniformity(PassRun *run) {
  if (run->scratch)
    arena_free(run->scratch);
  run->scratch = NULL;
  run->uniformity = NULL;
}

static void run_row(PassRun *run, PassId pass) {
  const PassInfo *row = &pass_table[pass];
  HD_ASSERT(run->kernel->level == row->before);
  if ((row->needs & KNOWN_UNIFORMITY) && !run->uniformity) {
    run->scratch = arena_new();
    run->uniformity = ir_uniformity(run->scratch, run->kernel);
  }
  bool has_changed = passes[pass](run);
  if (has_changed && (row->breaks & KNOWN_UNIFORMITY))
    forget_uniformity(run);
  run->kernel->level = row->after;
  pass_done(pass, run->kernel, has_changed || row->before != row->after);
}

void passes_run(PassRun *run) {
  HD_ASSERT(run->diags && (!run->open || run->arena));
  run->kernel->level = LEVEL_SOURCE; // of IR text: it may have been here before
  for (int pass = 0; pass < PASS_COUNT; pass++) {
    if (!passes[pass])
      continue;
    if (passes_applies(run, &pass_table[pass]))
      run_row(run, (PassId)pass);
    else
      pass_done((PassId)pass, run->kernel, false);
  }
  forget_uniformity(run);
}
