// SPDX-License-Identifier: Apache-2.0
// The table of a back end: all that the rest of Heddle knows of one. Adding one
// is a file with its table and a row of back_ends.def.
//
// Expects  a kernel that passed ir_verify and the analyses, joins decided.
// Gives    the bytes of its code. Where back ends load code themselves, it is
//          of this process: an object file, found again as an HdCpuKernel
//          (abi/cpu.h). Otherwise it is text that a device of that kind loads
//          (RtDeviceOps.code_load); abi/cuda.h describes PTX.
// Errors   what is wrong with a program was found before. HD_ERROR_UNSUPPORTED:
//          the target can't do it, or it would be too much code, of which
//          `excess` says more. HD_ERROR_DEVICE: trouble with the libraries
//          below. HD_ERROR_MEMORY. Each with *why, a constant or from the arena
//          given. Where arenas have no memory, the thread goes back to its
//          rescue (base/rescue.h).
// Threads  a compiler is of one thread at a time; different ones are
//          independent. Loaded code may run on any threads.
#ifndef HD_CODEGEN_CODE_OPS_H
#define HD_CODEGEN_CODE_OPS_H

#include "base/status.h"
#include "base/text.h"
#include "codegen/code_excess.h"
#include "ir/form/ir.h"

typedef struct {
  int opt_level; // 0..3
  // What a back end has no such code for, it leaves out; see CodeOps.
  bool checks;    // tell the runtime of every access and barrier
  bool schedules; // warps of every kernel can be put in any order
} CodeOptions;

// One target of a back end.
typedef struct {
  const char *name; // "cpu", "sm_90a": unique among all back ends
  // RtDevice.sm of the devices that run its code: of these, or of all later
  // ones that have no target of their own.
  int capability;
  bool runs_on_later;
  bool is_usual; // dumps are of it where no target is named
  // Threads of a block that runs a tile kernel (tile/tile.h), 0: it runs none;
  // at most, if the kernel asks for a number of warps.
  uint32_t tile_lanes, most_tile_lanes;
  bool runs_threads_at_once;  // of a block: more of them do more
  uint32_t most_shared_bytes; // of a block's tiles; 0: as much as there is
} CodeModel;

// A compiler for one target, and what it keeps from kernel to kernel. Each back
// end embeds it first.
typedef struct {
  // "x86-64 znver5 +avx512f…": all that the code depends on, for cache keys.
  // Never changes, valid as long as the compiler.
  const char *text;
  CodeExcess excess; // of the kernel that was compiled or dumped last
  // Registers for vectors, where kernels of tiles are lowered to lanes.
  uint32_t vector_bytes, n_vectors;
  uint32_t cache_bytes; // of the first level, for data; 0: unknown
  bool has_dot4, has_dot2, has_fdot2; // these operations are fast
  bool has_units;                     // matrix units of warpgroups
  bool has_tensors;                   // tensor cores with memory of their own
  bool has_matrix;     // and nests of dot4, its kin and fdot2 are much faster
  bool follows_blocks; // runs are told of each block: none may run others' work
} CodeCompiler;

// The code of one kernel.
typedef struct {
  char *data; // malloc'd
  size_t size_bytes;
} CodeObject;

void code_object_free(CodeObject *object);

// A kernel is right, and slower on the targets than it could be.
typedef struct {
  uint32_t code; // of the diagnostic: 1092 for HD1092
  const IrNode *node;
  const char *message, *note;
} CodeRemark;

typedef struct {
  const char *device;      // RtDeviceOps.kind of the devices that run the code
  const CodeModel *models; // the one with the lowest capability first
  int n_models;
  const char *const *stages; // that dump has, NULL behind the last
  // Whether sessions that ask for it have devices with this code.
  bool has_checks, has_schedules, has_timelines;

  // `options` are copied, `model` is one of `models`. Loads no library that
  // could be missing: what is wrong with those is told by compile. The caller
  // owns the compiler.
  CodeCompiler *(*open)(const CodeOptions *options, const CodeModel *model);
  // Unloads all that it has loaded. Accepts NULL.
  void (*close)(CodeCompiler *compiler);

  // Compiles one kernel; *out is freed by code_object_free, empty on failure.
  // `scratch` is for what is needed meanwhile.
  __attribute__((warn_unused_result))
  HdStatus (*compile)(CodeCompiler *compiler, Arena *scratch,
                      const IrModule *module, const IrKernel *kernel,
                      CodeObject *out, const char **why);
  // Appends the kernel at stages[stage], as text.
  __attribute__((warn_unused_result))
  HdStatus (*dump)(CodeCompiler *compiler, Arena *scratch,
                   const IrModule *module, const IrKernel *kernel, int stage,
                   Text *out, const char **why);
  // Loads what compile gave, or a cache kept of it, into this process. *out is
  // RtLaunch.code for devices whose memory is the host's: a const HdCpuKernel
  // that stays valid as long as the compiler. Bytes that can't be used are
  // HD_ERROR_DEVICE. NULL: the device loads it.
  __attribute__((warn_unused_result))
  HdStatus (*load)(CodeCompiler *compiler, const void *data, size_t size_bytes,
                   Arena *arena, const void **out, const char **why);
  // What is to be said of a kernel whatever it is compiled for, if anything;
  // texts are from the arena. NULL: never anything.
  bool (*remark)(Arena *arena, const IrKernel *kernel, CodeRemark *out);
} CodeOps;

// Back ends in the order in which their targets are listed.
typedef struct {
  const CodeOps *const *data;
  int count;
} CodeBackEnds;

// Those of back_ends.def.
extern const CodeBackEnds code_back_ends;

// "heddle 0.1.0 (LLVM 22.1.8, glibc libmvec)": what compiles and computes, for
// bug reports.
const char *code_version_text(void);

#endif
