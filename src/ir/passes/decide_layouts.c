// SPDX-License-Identifier: Apache-2.0
// Where elements of shared arrays lie that the program leaves to the compiler.
//
// Note [Chosen layouts]
// Matrix units and tensor cores want swizzled operands. So an array that they
// read has the widest swizzle that its rows and their sections allow, if only
// copies and stores of sections write it. Every other array is row-major, and
// stays undecided here.
#include "base/vec.h"
#include "ir/analyses/analysis.h"
#include "ir/form/swizzle.h"

typedef struct {
  bool is_read;      // by a matrix unit
  bool is_fixed;     // row-major
  uint32_t multiple; // whose divisors swizzles are, or 0: bytes
} LayoutUse;

typedef struct {
  const IrModule *module;
  LayoutUse *uses; // by object id
} LayoutUses;

static void layouts_fix(LayoutUses *u, const IrObject *object) {
  if (object && object->space == SPACE_SHARED)
    u->uses[object->id].is_fixed = true;
}

// Rows of an operand that is [K][M] or [K][N] are cut into whole panels, the
// others have 32 bytes or a multiple in a product.
static void layouts_note_operand(LayoutUses *u, const IrNode *product,
                                 uint32_t i) {
  const IrNode *load = product->args[i];
  int32_t numbers = product->u.tile.n_numbers ? product->u.tile.numbers[0] : 0;
  if (load->op != IR_WGMMA_LOAD && load->op != IR_TENSOR_READ)
    return;
  const IrObject *object = load->u.section.object;
  LayoutUse *use = &u->uses[object->id];
  bool is_turned = numbers & (i == 0 ? WGMMA_TURNS_A : WGMMA_TURNS_B);
  bool is_across = (i == 0) == is_turned;
  uint32_t last = object->rank - 1u;
  use->is_read = true;
  use->is_fixed |= load->u.section.kind[last] != SECTION_RANGE;
  if (is_across) // swizzles are powers of two
    use->multiple |= load->u.section.length[last] * object->element_bytes;
}

// A tensor core copies it to its memory.
static bool layouts_is_copied(const IrNode *node) {
  return node->op == IR_TENSOR_WRITE &&
         node->args[node->n_args - 1]->op == IR_TENSOR_READ;
}

static void layouts_note_copied(LayoutUses *u, const IrNode *read) {
  const IrObject *object = read->u.section.object;
  LayoutUse *use = &u->uses[object->id];
  use->is_read = true;
  use->is_fixed |= read->u.section.kind[object->rank - 1u] != SECTION_RANGE;
}

static bool layouts_note(IrNode *node, void *context) {
  LayoutUses *u = context;
  const IrOpInfo *info = ir_op_info(node);
  if (node->op == IR_WGMMA_MMA || node->op == IR_TENSOR_MMA) {
    layouts_note_operand(u, node, 0);
    layouts_note_operand(u, node, 1);
  } else if (layouts_is_copied(node)) {
    layouts_note_copied(u, node->args[node->n_args - 1]);
  } else if (info->form == FORM_ACCESS && node->u.access.object) {
    if (info->memory & MEM_WRITE || node->op == IR_ADDRESS ||
        ir_leaves_element(u->module, &node->u.access))
      layouts_fix(u, node->u.access.object);
  } else if (info->form == FORM_SECTION && node->op != IR_TILE_STORE &&
             info->memory & MEM_WRITE) {
    layouts_fix(u, node->u.section.object);
  }
  return true;
}

static IrLayoutKind layouts_widest(const IrObject *object,
                                   const LayoutUse *use) {
  static const IrLayoutKind kinds[] = {LAYOUT_SWIZZLE128, LAYOUT_SWIZZLE64,
                                       LAYOUT_SWIZZLE32};
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t bytes = ir_layout_bytes(kinds[i]);
    if (use->multiple % bytes == 0 && !ir_swizzle_problem(object, bytes))
      return kinds[i];
  }
  return LAYOUT_UNDECIDED;
}

bool ir_decide_layouts(IrKernel *kernel) {
  Arena *scratch = arena_new();
  uint32_t n = kernel->objects.count;
  LayoutUses u = {.module = kernel->module,
                  .uses = ARENA_ARRAY(scratch, LayoutUse, n)};
  bool has_changed = false;
  ir_walk(&kernel->body, layouts_note, &u);
  for (uint32_t i = 0; i < n; i++) {
    IrObject *object = kernel->objects.data[i];
    const LayoutUse *use = &u.uses[i];
    if (object->layout != LAYOUT_UNDECIDED || !use->is_read || use->is_fixed ||
        object->address_taken)
      continue;
    object->layout = layouts_widest(object, use);
    has_changed |= object->layout != LAYOUT_UNDECIDED;
  }
  arena_free(scratch);
  return has_changed;
}
