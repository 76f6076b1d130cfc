// SPDX-License-Identifier: Apache-2.0
// What the files of the verifier share. Every check returns true when all is
// well; the first that is not states the fault and ends the run.
#ifndef HD_IR_VERIFY_VERIFY_PARTS_H
#define HD_IR_VERIFY_VERIFY_PARTS_H

#include "ir/form/ir.h"

typedef struct {
  const IrModule *module;
  const IrKernel *kernel;
  bool has_locs; // the table of locations is complete
  const char *fault;
  const IrNode *place; // the node at fault, or NULL
  // By node id: the node once it was passed; of region nodes, the region of
  // theirs that is open now, and how many groups were current outside.
  const IrNode **seen;
  const IrRegion **open;
  uint32_t *n_outer_parts;
  uint32_t n_parts;    // regions that no exit may leave, open now
  uint32_t *iterating; // by variable: loops open that iterate it
  // By variable: the operator that has it for itself (id + 1), UINT32_MAX:
  // used outside of operators, 0: not met yet.
  uint32_t *owner;
  const IrNode *operation; // whose operator is open: reduce_by, scan_by
  const IrGroup *current;
} Verifier;

bool verify_fail(Verifier *v, const IrNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *verify_type_text(const Verifier *v, IrType type);

// verify.c
bool verify_type(const Verifier *v, IrType type);
// The object is a row of the kernel or of the module.
bool verify_has_object(const Verifier *v, const IrObject *object);
bool verify_has_group(const Verifier *v, const IrGroup *group);
// NULL, or what is wrong with structs, tiles and file-scope objects.
const char *ir_module_fault(const IrModule *module);
// NULL, or what is wrong in a kernel, without its locations.
const char *ir_kernel_fault(const IrKernel *kernel, const IrNode **place);

// verify_host.c
// What the rows of the kernel may ask.
typedef enum {
  HOST_ASKS_VALUES, // parameters: shapes of arrays
  HOST_ASKS_SIZES,  // and what arrays were given
  HOST_ASKS_PLACES, // and predicates that the addresses tell
  HOST_ASKS_ALL,    // and predicates that a launch with checks tells
} HostAsks;

// NULL, which may stand for "not stated", is the caller's concern.
bool verify_host(Verifier *v, const IrHost *host, HostAsks asks,
                 const char *what);
// verify_table.c
bool verify_object(Verifier *v, const IrObject *object, bool is_global);
bool verify_kernel_tables(Verifier *v);

// verify_body.c
bool verify_body(Verifier *v);

// verify_node.c
bool verify_node(Verifier *v, const IrNode *node);

// verify_group.c: operations of groups, barriers and copies
bool verify_group_op(Verifier *v, const IrNode *node);
bool verify_collective(Verifier *v, const IrNode *node);
bool verify_barrier(Verifier *v, const IrNode *node);
bool verify_copy(Verifier *v, const IrNode *node);

// verify_tile.c: operations on tiles
bool verify_tile_form(Verifier *v, const IrNode *node);
bool verify_section(Verifier *v, const IrNode *node);
bool verify_narrow(Verifier *v, const IrNode *node);
// Whether products of such elements are added up in elements `to`.
bool verify_multiplies(IrType a, IrType b, IrType to);
// verify_wgmma.c
bool verify_wgmma(Verifier *v, const IrNode *node);
// Operands that only operations of the tensor core may have.
bool verify_tensor_operands(Verifier *v, const IrNode *node);
bool verify_engine_section(Verifier *v, const IrNode *node);

// verify_types.c
bool verify_operand_types(Verifier *v, const IrNode *node);
bool verify_result_type(Verifier *v, const IrNode *node);
bool verify_is_fp8(IrType type);

// verify_access.c
bool verify_access(Verifier *v, const IrNode *node);
bool verify_is_atomic_type(IrType type);
bool verify_is_float_rmw(IrRmw rmw);
bool verify_is_index(IrType type); // i32 or i64

#endif
