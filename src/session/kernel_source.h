// SPDX-License-Identifier: Apache-2.0
// The table of a kind of source: what kernels are written in, and how one
// becomes something to run or to check. The rest of the session knows sources
// by their tables only:
//
//   program_heddle.c  Heddle C
//   program_cuda.c    CUDA C
//   program_ir.c      IR text
//
// Each keeps what it read as HdProgram.file, in the program's arena.
//
// Errors   about the program are reported to its diagnostics in the current
//          round, and HD_ERROR_PROGRAM is returned by program_fail. All others
//          have a message of the session.
// Threads  callers hold the session's lock.
#ifndef HD_SESSION_KERNEL_SOURCE_H
#define HD_SESSION_KERNEL_SOURCE_H

#include "ir/analyses/analysis.h"
#include "session/session.h"

// What holds in all programs of a source, and not in those of others.
typedef struct {
  // Heddle doesn't have all of the language: what it refuses may be right, and
  // which kernel an error is in isn't known.
  bool is_foreign;
  // An array has no dimensions: its extent says how many elements there are at
  // least.
  bool has_flat_arrays;
  // How many threads a block has may be given as block_dim_x, _y and _z.
  bool leaves_block_open;
  Language words; // of messages: IrModule.language, CheckOptions.language
  uint32_t load;  // LoadOptions.policy
  uint32_t sema;  // SemaOptions.policy
  uint32_t check; // CheckOptions.policy
  bool loses_const, has_open_lanes; // those of IrModule
  bool waits_freely;                // IrModule.waits_freely
  bool tests_launches;              // Spec.is_to_run
  bool allows_equal_stores;         // by several threads: they are no race
} SourcePolicy;

// Parameters of a kernel without values for those that are embedded.
typedef struct {
  const IndexKernel *index; // or NULL: those of `ir`
  const IrModule *module;
  const IrKernel *ir;
} SourceKernel;

// A kernel with its values: either a typed tree, to be lowered into a module of
// its own, or IR, whose module belongs to the program.
typedef struct {
  TKernel *typed;
  IrModule *module;
  IrKernel *kernel;
} SourceForm;

struct KernelSource {
  HdLanguage language;
  SourcePolicy policy;
  bool is_preprocessed;

  // It reads what is called `name` (not a path: "<stdin>" for standard input)
  // and begins with these bytes.
  bool (*reads)(const HdSession *session, const char *name, const char *head,
                size_t head_bytes);
  // Reads program->source, and becomes program->kernels once it has a file.
  HdStatus (*load)(HdProgram *program);

  // Kernels, and their names as users write them; valid as long as the program.
  int (*count)(const HdProgram *program);
  const char *(*name)(const HdProgram *program, int index);
  // It has embedded parameters that only users have values for.
  bool (*is_open)(const HdProgram *program, int index);
  // *name as users type it, NULL for the only kernel, becomes a kernel's name;
  // HD_ERROR_NOT_FOUND says what there is. NULL: it has to be one of them.
  HdStatus (*choose)(HdProgram *program, const char **name);
  // A kernel by its name; *out is empty where there is none.
  HdStatus (*find)(HdProgram *program, const char *name, SourceKernel *out);

  // A kernel that exists, with values. `limits` may be NULL. Neither a tree nor
  // IR in *out: errors were reported, some of them perhaps about the values.
  HdStatus (*specialise)(HdProgram *program, const char *name,
                         const HdEmbed *embeds, int n_embeds,
                         const SpecLimits *limits, SourceForm *out);
  // Of what the rules leave open in a kernel: is stated from now on, so that
  // specialising it again gives another tree. False: all of it was. NULL: such
  // conditions are errors.
  bool (*state)(HdProgram *program, const OpenConditions *open);

  // The syntax tree of one kernel, or (NULL) of all. NULL: it has no words.
  HdStatus (*print)(HdProgram *program, const char *kernel, Text *out);
  // Where a kernel's block size comes from when `embeds` are the values given.
  // NULL: always from the kernel.
  HdBlockSource (*block)(const HdProgram *program, const char *name,
                         const HdEmbed *embeds, int n_embeds);
  // What the file's launch says that the block size is from. NULL: files launch
  // nothing.
  void (*file_launch)(const HdProgram *program, const char *name,
                      HdFileLaunch *out);
};

// In the order in which they are asked whether they read a program.
extern const KernelSource kernels_in_ir, kernels_in_cuda, kernels_in_heddle;

// --- specialise.c: for sources that have trees ---
// A kernel's tree typed with these values; NULL: errors were reported.
HdStatus source_type(HdProgram *program, const KernelTree *tree,
                     const HdEmbed *embeds, int n_embeds, TKernel **out);
// Reports what is wrong with it beyond names and types.
void source_check(HdProgram *program, TKernel *typed);

#endif
