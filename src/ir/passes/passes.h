// SPDX-License-Identifier: Apache-2.0
// The passes of passes.def, and the loop over those that every kernel goes
// through.
#ifndef HD_IR_PASSES_PASSES_H
#define HD_IR_PASSES_PASSES_H

#include "ir/analyses/analysis.h"

typedef enum {

#define PASS(stage, id, ...) PASS_##id,
#include "ir/passes.def"
#undef PASS
  PASS_COUNT
} PassId;

typedef enum {
  STAGE_KERNEL,
  STAGE_CHECK,
  STAGE_CPU,
  STAGE_NVPTX,
  STAGE_COUNT
} PassStage;

// Kind of the devices for whose code the stage is, or NULL.
extern const char *const pass_device[STAGE_COUNT];

enum { // what is known of a kernel
  KNOWN_NONE = 0,
  KNOWN_UNIFORMITY = 1, // the table; it is made when a row needs it
  KNOWN_RIGHT = 2,      // no rule of the language is broken
};

enum { // what kernels are for
  PASS_ALWAYS = 0,
  PASS_RUN = 1,       // launches without checks
  PASS_CHECKED = 2,   // the static checker, or launches with checks
  PASS_SANITIZED = 4, // launches with checks
  PASS_CUDA = 8,      // of CUDA C++ (waits_freely)
  PASS_UNTILED = 16,  // without tiles
};

typedef struct {
  PassStage stage;
  const char *name;
  uint32_t needs, breaks;
  IrLevel before, after;
  uint32_t when;
  const char *doc;
} PassInfo;

extern const PassInfo pass_table[PASS_COUNT];

// By name; PASS_COUNT: there is none.
PassId pass_find(const char *name);

// Who looks at the kernels of a module behind each pass.
typedef struct PassWatch {
  bool verifies_each; // copies, too
  PassId shown;       // `text` becomes the module behind this one; PASS_COUNT:
  Text *text;         // nothing is shown
} PassWatch;

// Behind a pass that has left this kernel. Panics where it broke the IR.
void pass_done(PassId pass, const IrKernel *kernel, bool has_changed);

typedef struct {
  IrKernel *kernel;
  uint32_t when; // PASS_ bits that hold
  DiagEngine *diags;
  // What ir_check_groups_but leaves open, in `arena`; NULL: nothing.
  OpenConditions *open;
  Arena *arena;
  // Of the loop: made when it is needed, dropped when a pass breaks it.
  Uniformity *uniformity;
  Arena *scratch;
} PassRun;

// All rows of the stage KERNEL whose conditions hold, in order. Errors are
// reported to `diags`; behind them no row runs that needs KNOWN_RIGHT.
void passes_run(PassRun *run);

#endif
