// SPDX-License-Identifier: Apache-2.0
// CUDA C to Heddle C as text: what its parts share.
#ifndef HD_CONVERT_CONVERT_H
#define HD_CONVERT_CONVERT_H

#include "convert/convert_tidy.h"
#include "cuda/cuda.h"
#include "session/session.h"
#include "syntax/ast.h"

// A kernel of a unit that is being changed. The unit that was translated stays
// as it is: what changes is copied.
typedef struct {
  HdProgram *program;
  Arena *arena;
  AstUnit *unit;             // ours
  uint32_t position;         // of the kernel among the unit's declarations
  OpenConditions *open;      // of spec_try
  OpenMembers *open_members; // of SemaOptions
  bool tells_errors;         // of the kernel, in the program's round
  bool is_cuda;              // of spec_try: the tree of the translation
} Conversion;

// --- convert_tree.c
Decl *convert_kernel(const Conversion *cx);
DeclList *convert_params(const Conversion *cx);
// A copy of the kernel with parameters of its own, in place of it.
void convert_own_kernel(Conversion *cx);
// Parameter `index` as an array of as many elements as the product of
// parameters, NULL behind the last, says.
void convert_set_extent(Conversion *cx, uint32_t index,
                        const char *const *factors);
// Parameter `index`, an array, with elements that may be written.
void convert_drop_const(Conversion *cx, uint32_t index);
// requires(aligned(parameter, align_bytes))
void convert_require_aligned(Conversion *cx, const char *param,
                             uint32_t align_bytes);

typedef enum {
  BLOCK_KNOWN,
  BLOCK_GUESSED, // by what the kernel looks like
  BLOCK_ANY,     // nothing speaks for it
} BlockOrigin;

// Block sizes that nothing depends on become literals, but for guesses:
// somebody has to say the size.
void convert_block(Conversion *cx, BlockOrigin origin);

// --- convert_groups.c
// whole_warp() and the like by their plainer names, where those are accepted.
void convert_groups(Conversion *cx, Tidy *tidy);

// --- convert_extents.c
// Milliseconds for a check that may take `most`; 0: the time limit of the
// conversion has passed.
uint32_t convert_time_left(const HdProgram *program, uint32_t most);
// The kernel of this unit; NULL: the tree isn't right.
struct IrKernel *convert_lowered(const Conversion *cx, AstUnit *unit,
                                 Arena *arena);
// Gives extents to pointers where the checker then proves every access. Arrays
// that are written though they are const are so no more.
void convert_extents(Conversion *cx);
// What CUDA C trusts of pointers, where accesses depend on it.
void convert_alignment(Conversion *cx);

// --- convert_apart.c
// Pointers that a check of CUDA C trusts to be apart become `restrict`.
void convert_apart(Conversion *cx);

// --- convert_launch.c
// What the launches in the file say of the kernel, as far as the checker needs
// it: Note [Launches that are stated].
CudaStatement convert_launches(HdProgram *program, const CudaKernel *row,
                               const CudaTranslation *translation,
                               Arena *arena);

#endif
