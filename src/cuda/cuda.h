// SPDX-License-Identifier: Apache-2.0
// CUDA C++ to the syntax tree of Heddle C.
//
// Expects  the text of a .cu file after preprocessing, with the declarations
//          of heddle/cuda/prelude in front of it.
// Gives    the kernels that the file holds, and for each one that is asked for
//          a unit of Heddle C: the kernel and all that it needs. Sema,
//          lowering and the checker see nothing of C++.
// Owns     nothing: everything lives in the arena.
// Robust   host code is skipped; what a kernel doesn't need isn't understood
//          and can't be wrong; an error in one kernel leaves others alone.
//
//   text -cx_parse-> declarations, bodies as tokens
//        -cx_translate-> AstUnit of one kernel -> sema, as for any .hd
#ifndef HD_CUDA_CUDA_H
#define HD_CUDA_CUDA_H

#include "base/intern.h"
#include "diag/diag.h"

struct AstUnit;

typedef struct CudaUnit CudaUnit;

// Reads a file. Never NULL. Reported are only errors that leave nothing to go
// on with (a bracket that isn't closed); has `diag_error_count` grown, nothing
// should be translated. All arguments must outlive the unit.
CudaUnit *cuda_parse(Arena *arena, Interner *names, DiagEngine *diags,
                     SourceText *source);

// --- what a file offers to run ---

// Sizes of a launch, as bits.
typedef enum {
  CUDA_SIZE_GRID_X = 1,
  CUDA_SIZE_GRID_Y = 2,
  CUDA_SIZE_GRID_Z = 4,
  CUDA_SIZE_GRID = 7,
  CUDA_SIZE_BLOCK_X = 8,
  CUDA_SIZE_BLOCK_Y = 16,
  CUDA_SIZE_BLOCK_Z = 32,
  CUDA_SIZE_BLOCK = 56,
  CUDA_SIZE_SHARED = 64, // dynamic_shared_bytes
} CudaSize;

// A condition over the kernel's parameters and the sizes of its launch.
typedef struct {
  const char *text; // in C++
  unsigned names;   // CudaSize: those that it names
  // CudaSize: the one that it gives a value, which follows; 0: none.
  unsigned sets;
  const char *value;
} CudaFact;

// The fact of that text, which stays the caller's.
CudaFact cuda_fact(const char *text);

typedef struct {
  const CudaFact *data;
  uint32_t count;
} CudaFacts;

// Where a number comes from that a launch passes and that no fact tells.
typedef enum {
  CUDA_ORIGIN_GIVEN,  // from outside: it may be any
  CUDA_ORIGIN_PASSED, // from other files, which call the function
  CUDA_ORIGIN_ASKED,  // from a function that isn't seen
  CUDA_ORIGIN_UNSEEN, // a member of a struct that the file doesn't set
  CUDA_ORIGIN_MADE,   // the file computes it in a way that isn't followed
} CudaOrigin;

// A number parameter that no fact gives a value, and one value that it gets, if
// one is known.
typedef struct {
  const char *name;
  CudaOrigin origin;
  bool has_value;
  int64_t value;
} CudaMade;

// A launch in host code, and what it says as conditions over the kernel's
// parameters, gridDim, len(x) and dynamic_shared_bytes (see cu_facts.h).
typedef struct {
  Span span; // of the kernel's name up to >>>
  // The same, for readers, for proofs, and to be stated: the grid as
  // "gridDim.x == E".
  CudaFacts shown, exact, stated;
  // What holds of launches like it, of other sizes: how the arguments and the
  // grid relate, in place of their constants. For proofs, and to be stated.
  CudaFacts like, like_stated;
  // Pointer parameters that get one pointer: names, two and two, then NULL.
  // NULL: there are none.
  const char *const *shared;
  // Likewise: that get pointers into one array, or may. One of the two may be
  // an array of file scope.
  const char *const *overlapping;
  // The grid, if it is constant (then it is among the facts, too).
  bool has_grid;
  uint32_t grid[3];
  // Sizes of the block that are constant; others 0.
  uint32_t block[3];
  // Bytes of `extern __shared__` arrays, if they are constant.
  bool has_shared;
  uint32_t shared_bytes;
  const CudaMade *made;
  uint32_t n_made;
  // What holds in the first turn of the loops around the launch; none: nothing
  // more than in all.
  CudaFacts first;
} CudaLaunch;

// A kernel, or one instantiation of a kernel template: those that launches in
// the file make, with arguments that are written or deduced, and explicit ones.
typedef struct {
  // As a user writes it: "k", "ns::k", "k<float, 128>"; "k(const int *)" where
  // there are others of the same name.
  const char *name;
  Span span; // of its name where it is defined
  // A template that the file doesn't launch with constant arguments: it can
  // only be translated under a name with arguments.
  bool is_open;
  // The block size that is the default of the parameters block_dim_x, _y and
  // _z: of the first launch with a constant block size, else of
  // __launch_bounds__ (with is_bound), else what the kernel looks like (with
  // is_guess; see cu_block.h).
  uint32_t block[3];
  bool is_bound, is_guess;
  // A guess that nothing in the kernel speaks for: as good as any other. What a
  // launch says of it is in `fixed` (0: nothing).
  bool is_any;
  // Of a guess: the kernel has an array, a bound or a condition that speaks for
  // it, and what it multiplies blockIdx by does so, too.
  bool is_shown;
  // Of a guess: what the variables of a launch begin with, before host code
  // changes them.
  bool is_first;
  uint32_t fixed[3];
  // Launches with this block size, in order: numbers in the unit's list. Of a
  // guess and of bounds: launches whose block isn't constant.
  const uint32_t *launches;
  uint32_t n_launches;
  // Likewise, of any block size.
  const uint32_t *all;
  uint32_t n_all;
  // Of any block size: the first that doesn't say that all blocks run together,
  // which is <<<…>>> or cudaLaunchKernel.
  bool has_plain_launch;
  Span plain_launch;
} CudaKernel;

typedef struct {
  const CudaKernel *data;
  uint32_t count;
} CudaKernels;

// In order of definition, instantiations in order of launch. Kernels of
// headers are not listed (they can be translated by name).
CudaKernels cuda_kernels(const CudaUnit *unit);

// The first of them with this name; NULL: it isn't listed.
const CudaKernel *cuda_listed_kernel(const CudaUnit *unit, const char *name);

// The row of a kernel, or of any instance of a template; NULL: there is none.
const CudaKernel *cuda_kernel_row(CudaUnit *unit, const char *name);

// Launch number `index` of a kernel's, with that block where it isn't constant.
// False: nothing is known of it.
bool cuda_launch_told(const CudaUnit *unit, const CudaKernel *kernel,
                      const uint32_t block[3], uint32_t index, CudaLaunch *out);
// The same for number `launch` in the unit's list, an element of `launches` or
// `all`.
bool cuda_any_launch_told(const CudaUnit *unit, const CudaKernel *kernel,
                          const uint32_t block[3], uint32_t launch,
                          CudaLaunch *out);

// --- translation ---

typedef enum {
  CUDA_LEVEL_GRID,
  CUDA_LEVEL_CLUSTER,
  CUDA_LEVEL_BLOCK
} CudaLevel;

// A condition whose value all threads of the group are stated to have alike:
// the place in it, or of the statement that it decides about.
typedef struct {
  Span span;
  CudaLevel level;
} CudaStated;

// From now on translations of the unit state it. False: they did before.
bool cuda_state(CudaUnit *unit, CudaStated stated);
uint32_t cuda_stated_count(const CudaUnit *unit);

// Memory that pointers point to, as bits.
typedef enum {
  CUDA_MEMORY_GLOBAL = 1,
  CUDA_MEMORY_SHARED = 2,
  CUDA_MEMORY_CONSTANT = 4,
  CUDA_MEMORY_LOCAL = 8,
  CUDA_MEMORY_GENERIC = 16,
} CudaMemory;

// Tags of what isn't a member: what a name's span declares, a `?:`.
#define CUDA_HELD_DECL   ""
#define CUDA_HELD_CHOICE "?:"

// A member of a class that holds pointers to this memory in a kernel, or
// another place where such pointers meet.
typedef struct {
  const char *kernel; // as it is given to cuda_translate
  const char *tag;    // of the struct that the class became, or CUDA_HELD_...
  const char *name;   // of the member there
  Span span;          // of its declaration
  unsigned memory;    // CudaMemory
} CudaHeld;

// From now on translations of this kernel declare it so; of several it is
// `generic`. False: they did before.
bool cuda_hold(CudaUnit *unit, CudaHeld held);
uint32_t cuda_held_count(const CudaUnit *unit);

// What launches of a kernel say of it, to be stated; what they say of the grid
// becomes the clause `grid`.
typedef struct {
  CudaFacts facts;
  const char *note; // for readers, or NULL
} CudaStatement;

typedef struct {
  // What holds at every launch, in C++ over the kernel's parameters and
  // len(x), the number of elements of the array x: "n <= len(x)". Becomes
  // extents of parameters and `requires` clauses.
  const CudaFact *assumptions;
  uint32_t n_assumptions;
  bool is_for_all; // of cuda_translate_all's own
  // The kernel's; of cuda_translate_all, by row of cuda_kernels. May be NULL.
  const CudaStatement *statement;
  // Of cuda_translate_all, by row of cuda_kernels: those to be left out, NULL:
  // none.
  const bool *leaves_out;
  // Initialisations of mbarriers stay, as calls of __mbarrier_init.
  bool keeps_inits;
  // Default block size; 0: the kernel's own (CudaKernel.block).
  uint32_t block[3];
  // Arrays whose size is only known in terms of the grid have it as a
  // parameter, `long len_x`. Else they are pointers: a launch knows their size.
  bool has_lengths;
  // Constant memory that host code of the file may write has no initialiser:
  // kernels find there whatever the host has put.
  bool is_written_by_host;
  // What gridDim is in conditions, if it is known.
  bool has_grid;
  uint32_t grid[3];
} CudaTranslation;

// The parameters that hold the block size, by axis: block_dim_x and so on.
const char *cuda_block_param(int axis);
bool cuda_is_block_param(const char *name);

// The Heddle C of `kernel`, named as in CudaKernel; blanks don't matter and
// template arguments with a default may be missing. NULL when an error was
// reported, also if there is no such kernel. `options` may be NULL.
//
// The last declaration of the unit is the kernel. Its parameters are those of
// the CUDA kernel, in order and with their names; then, only if the kernel has
// `extern __shared__` arrays, `unsigned dynamic_shared_bytes`; lengths; then
// `constexpr int block_dim_x = 256, constexpr int block_dim_y = 1, constexpr
// int block_dim_z = 1`, which `threads` repeats. The grid is left to the
// launcher.
// Spans are those of the CUDA text. The same kernel may be asked for again.
__attribute__((warn_unused_result)) struct AstUnit *
cuda_translate(CudaUnit *unit, const char *kernel,
               const CudaTranslation *options);

// One unit with all of cuda_kernels that are not open. Kernels with errors are
// left out; NULL when nothing remains. An assumption is left out where it names
// what the kernel doesn't have.
__attribute__((warn_unused_result)) struct AstUnit *
cuda_translate_all(CudaUnit *unit, const CudaTranslation *options);

// The name of the kernel in the unit that cuda_translate gave: "k",
// "k_float_128"; unique among the kernels of the file.
const char *cuda_kernel_name(const struct AstUnit *translated);

#endif
