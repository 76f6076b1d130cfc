// SPDX-License-Identifier: Apache-2.0
// Pointers: (object, offset) while the object is known, else `ptr` values.
//
// Note [Roots of pointers]. A pointer variable that is assigned more than once
// can stay (object, offset) only if everything bound to it leads to one object.
// That is decided where the variable is declared, without looking at order: all
// of its assignments in the function are known from the scan. Where they lead
// to variables that aren't declared yet, as in `t = a; a = b; b = t`, all of
// these are decided together. What leads to a pointer in memory or to a call's
// result counts as unknown; the variable is then a `ptr`.
#include "lower/lower_view.h"

// ----------------------------------------------------------------- roots

typedef enum { ROOT_NONE, ROOT_ONE, ROOT_MANY } RootKind;

typedef struct {
  RootKind kind;
  IrObject *object;
} Root;

static const Root root_many = {ROOT_MANY, NULL};

static Root root_object(IrObject *object) {
  return object ? (Root){ROOT_ONE, object} : root_many;
}

static Root root_join(Root a, Root b) {
  if (a.kind == ROOT_NONE)
    return b;
  if (b.kind == ROOT_NONE)
    return a;
  return a.kind == ROOT_ONE && b.kind == ROOT_ONE && a.object == b.object
             ? a
             : root_many;
}

typedef struct {
  Lowering *lw;
  hd_vec(VarUse *) seen;
} RootSearch;

static Root lower_pointer_root_of(RootSearch *search, const TExpr *pointer);

// Where the variable is memory itself.
static Root root_of_memory(Lowering *lw, const TVar *var) {
  const Binding *binding = lower_binding(lw, var);
  if (!binding)
    return root_many;
  if (binding->kind == BIND_OBJECT)
    return root_object(binding->object);
  if (binding->kind == BIND_DENSE)
    return root_object(binding->address->object);
  if (binding->kind == BIND_VIEW)
    return root_object(binding->view->object);
  return root_many;
}

static Root root_of_place(RootSearch *search, const TExpr *place) {
  for (;;) {
    switch ((int)place->kind) {
    case TEXPR_VAR: return root_of_memory(search->lw, place->u.var);
    case TEXPR_INDEX: place = place->u.index.base; break;
    case TEXPR_MEMBER:
    case TEXPR_COMPONENT: place = place->u.member.base; break;
    case TEXPR_DEREF: return lower_pointer_root_of(search, place->u.operand);
    default: return root_many;
    }
  }
}

static Root root_of_assigned(RootSearch *search, const VarUse *use) {
  Root root = {ROOT_NONE, NULL};
  for (uint32_t i = 0; i < use->sources.count; i++)
    root = root_join(root, lower_pointer_root_of(search, use->sources.data[i]));
  return root;
}

// Of all that the variable is given. A variable that was seen before adds
// nothing.
static Root root_of_sources(RootSearch *search, VarUse *use) {
  Root root = {ROOT_NONE, NULL};
  use->is_seen = true;
  VEC_PUSH(search->lw->scratch, &search->seen, use);
  if (use->given)
    root = root_object(use->given->object);
  if (use->initial)
    root = root_join(root, lower_pointer_root_of(search, use->initial));
  return root_join(root, root_of_assigned(search, use));
}

static bool is_decided_ahead(const VarUse *use) {
  return (use->is_declared || use->given) && !use->needs_memory;
}

static Root root_of_variable(RootSearch *search, const TVar *var) {
  Lowering *lw = search->lw;
  VarUse *use = lower_use_of(lw, var);
  if (use->is_seen)
    return (Root){ROOT_NONE, NULL};
  const Binding *binding = lower_binding(lw, var);
  if (!binding && use->root)
    return root_object(use->root);
  if (!binding && is_decided_ahead(use))
    return root_of_sources(search, use);
  if (binding && binding->kind == BIND_POINTER)
    return root_object(binding->address->object);
  if (binding && binding->kind == BIND_OFFSET)
    return root_object(binding->object);
  return root_many;
}

static Root root_of_loaded(RootSearch *search, const TExpr *place) {
  return place->kind == TEXPR_VAR ? root_of_variable(search, place->u.var)
                                  : root_many;
}

static Root lower_pointer_root_of(RootSearch *search, const TExpr *pointer) {
  switch ((int)pointer->kind) {
  case TEXPR_ADDR: return root_of_place(search, pointer->u.operand);
  case TEXPR_LOAD: return root_of_loaded(search, pointer->u.operand);
  case TEXPR_PTR_ADD:
    return lower_pointer_root_of(search, pointer->u.binary.left);
  case TEXPR_COMMA:
  case TEXPR_ASSIGN:
    return lower_pointer_root_of(search, pointer->u.binary.right);
  case TEXPR_ASSIGN_OP: return root_of_loaded(search, pointer->u.assign.place);
  case TEXPR_INC_DEC: return root_of_loaded(search, pointer->u.inc_dec.place);
  case TEXPR_CONVERT:
    return type_is(pointer->u.operand->type, TY_POINTER)
               ? lower_pointer_root_of(search, pointer->u.operand)
               : root_many;
  case TEXPR_CONDITIONAL:
    return root_join(
        lower_pointer_root_of(search, pointer->u.conditional.if_true),
        lower_pointer_root_of(search, pointer->u.conditional.if_false));
  default: return root_many;
  }
}

// Those that aren't declared yet and led to the root have it, too.
static IrObject *lower_pointer_decide(RootSearch *search, Root root) {
  IrObject *object = root.kind == ROOT_ONE ? root.object : NULL;
  for (uint32_t i = 0; i < search->seen.count; i++) {
    search->seen.data[i]->is_seen = false;
    search->seen.data[i]->root = object;
  }
  return object;
}

IrObject *lower_variable_root(Lowering *lw, const TVar *var,
                              const Address *initial) {
  VarUse *own = lower_use_of(lw, var);
  if (own->root)
    return own->root;
  RootSearch search = {.lw = lw};
  Root root = {ROOT_NONE, NULL};
  if (initial)
    root = root_object(initial->object);
  own->is_seen = true;
  root = root_join(root, root_of_assigned(&search, own));
  own->is_seen = false;
  return lower_pointer_decide(&search, root);
}

static Root root_of_returns(RootSearch *search, const TStmt *stmt);

static Root root_of_block(RootSearch *search, const TStmt *stmt) {
  Root root = {ROOT_NONE, NULL};
  for (uint32_t i = 0; i < stmt->u.block.n_stmts; i++)
    root = root_join(root, root_of_returns(search, stmt->u.block.stmts[i]));
  return root;
}

static Root root_of_returns(RootSearch *search, const TStmt *stmt) {
  Root none = {ROOT_NONE, NULL};
  if (!stmt)
    return none;
  switch (stmt->kind) {
  case TSTMT_BLOCK: return root_of_block(search, stmt);
  case TSTMT_IF:
    return root_join(root_of_returns(search, stmt->u.if_.if_true),
                     root_of_returns(search, stmt->u.if_.if_false));
  case TSTMT_LOOP: return root_of_returns(search, stmt->u.loop.body);
  case TSTMT_SWITCH: return root_of_returns(search, stmt->u.switch_.body);
  case TSTMT_RETURN:
    return stmt->u.expr ? lower_pointer_root_of(search, stmt->u.expr) : none;
  case TSTMT_EXPR:
  case TSTMT_DECL:
  case TSTMT_BREAK:
  case TSTMT_CONTINUE:
  case TSTMT_GROUP:
  case TSTMT_WITH:
  case TSTMT_STAGE:
  case TSTMT_THREAD_FOR:
  case TSTMT_PARALLEL_FOR: break;
  }
  return none; // a return can't leave those
}

IrObject *lower_result_root(Lowering *lw, const TFunc *func) {
  RootSearch search = {.lw = lw};
  return lower_pointer_decide(&search, root_of_returns(&search, func->body));
}

// ------------------------------------------------- forms of an address

static IrNode *sum_of_indices(Lowering *lw, const Address *address) {
  IrNode *sum = NULL;
  for (uint32_t i = 0; i < address->n_index; i++) {
    int64_t value;
    IrNode *index = address->indices[i];
    if (!index || (lower_is_const(index, &value) && value == 0))
      continue;
    IrNode *stride = lower_stride_bytes(lw, address->object, i);
    IrNode *part = lower_mul64(lw, lower_to_i64(lw, index), stride);
    sum = sum ? lower_add64(lw, sum, part) : part;
  }
  return sum;
}

// The same place without indices: offsets from the object's start.
static Address *flattened(Lowering *lw, const Address *address) {
  Address *flat = lower_address_new(lw, address);
  if (!address->object || address->n_index == 0)
    return flat;
  address->object->address_taken = true;
  if (address->object->is_table)
    lower_refuse_table(lw, address->object,
                       "a pointer into it can't be moved: subscript it");
  IrNode *sum = sum_of_indices(lw, address);
  if (sum)
    flat->offset = flat->offset ? lower_add64(lw, flat->offset, sum) : sum;
  flat->n_index = 0;
  return flat;
}

static IrNode *whole_offset(Lowering *lw, const Address *address) {
  if (address->offset && address->offset_bytes == 0)
    return address->offset;
  IrNode *constant = lower_i64(lw, address->offset_bytes);
  return address->offset ? lower_add64(lw, address->offset, constant)
                         : constant;
}

IrNode *lower_flat_offset(Lowering *lw, const Address *address) {
  return whole_offset(lw, flattened(lw, address));
}

static IrType pointer_type(IrSpace space) {
  return (IrType){.kind = IR_TYPE_PTR, .lanes = 1, .space = (uint8_t)space};
}

static IrNode *in_space(Lowering *lw, IrNode *pointer, IrSpace space) {
  if (pointer->type.space == space)
    return pointer;
  return lower_emit1(lw, IR_BITCAST, pointer_type(space), pointer);
}

static IrNode *moved_pointer(Lowering *lw, const Address *address) {
  if (!address->offset && address->offset_bytes == 0)
    return address->pointer;
  return lower_emit2(lw, IR_PTR_ADD, address->pointer->type, address->pointer,
                     whole_offset(lw, address));
}

IrNode *lower_pointer_node(Lowering *lw, const Address *address, Space space) {
  IrSpace wanted = lower_space(space);
  if (!address->object)
    return in_space(lw, moved_pointer(lw, address), wanted);
  IrObject *object = address->object;
  object->address_taken = true;
  IrNode *node =
      lower_access(lw, IR_ADDRESS, address, object->element, 1, NULL, 0);
  node->type = pointer_type(object->space);
  return in_space(lw, node, wanted);
}

// What an `address` node was made from is known again where it arrives.
const Address *lower_address_of_node(Lowering *lw, IrNode *pointer) {
  Address *address = lower_address_new(lw, NULL);
  IrNode *origin = pointer;
  while (origin->op == IR_BITCAST && origin->args[0]->type.kind == IR_TYPE_PTR)
    origin = origin->args[0];
  if (origin->op != IR_ADDRESS || !origin->u.access.object) {
    address->pointer = pointer;
    return address;
  }
  const IrAccess *access = &origin->u.access;
  address->object = access->object;
  address->n_index = address->n_given = access->n_index;
  for (uint32_t i = 0; i < access->n_index; i++)
    address->indices[i] = origin->args[i];
  if (access->has_offset)
    address->offset = origin->args[access->n_index];
  address->offset_bytes = access->offset_bytes;
  return address;
}

const Address *lower_offset_address(Lowering *lw, IrObject *object,
                                    IrNode *offset) {
  Address *address = lower_address_new(lw, NULL);
  address->object = object;
  address->offset = offset;
  object->address_taken = true;
  return address;
}

// ------------------------------------------------------------- arithmetic

// In a one-dimensional object whole elements are counted by its index.
static bool steps_by_index(const Address *address, uint64_t size_bytes) {
  return address->object && address->n_index == 1 && !address->offset &&
         address->offset_bytes == 0 && address->object->element_bytes > 0 &&
         size_bytes % address->object->element_bytes == 0;
}

static IrNode *index_sum(Lowering *lw, IrNode *old, IrNode *index,
                         int64_t ratio) {
  int64_t value;
  bool is_start = !old || (lower_is_const(old, &value) && value == 0);
  if (ratio == 1 && is_start)
    return index;
  IrNode *scaled = lower_scale64(lw, index, ratio);
  if (is_start)
    return scaled;
  return lower_add64(lw, lower_to_i64(lw, old), scaled);
}

const Address *lower_address_add(Lowering *lw, const Address *address,
                                 IrNode *index, uint64_t size_bytes) {
  int64_t value;
  if (lower_is_const(index, &value) && value == 0)
    return address;
  if (steps_by_index(address, size_bytes)) {
    Address *moved = lower_address_new(lw, address);
    int64_t ratio = (int64_t)(size_bytes / address->object->element_bytes);
    moved->indices[0] = index_sum(lw, address->indices[0], index, ratio);
    moved->n_given = 1;
    if (moved->inside)
      lower_move_inside(lw, moved,
                        lower_scale64(lw, index, (int64_t)size_bytes), 0);
    return moved;
  }
  Address *flat = flattened(lw, address);
  IrNode *bytes = lower_scale64(lw, index, (int64_t)size_bytes);
  flat->offset = flat->offset ? lower_add64(lw, flat->offset, bytes) : bytes;
  lower_move_inside(lw, flat, bytes, 0);
  return flat;
}

Value lower_pointer_add(Lowering *lw, const TExpr *expr) {
  const Address *address = lower_pointer(lw, expr->u.binary.left);
  IrNode *index = lower_index(lw, expr->u.binary.right);
  uint64_t size_bytes = expr->type->u.pointer.pointee->size_bytes;
  return lower_value_address(lower_address_add(lw, address, index, size_bytes));
}

// Byte distance of two pointers.
static IrNode *lower_pointer_distance(Lowering *lw, const Address *left,
                                      const Address *right, const Type *type) {
  IrType i64 = ir_scalar(IR_TYPE_I64);
  if (left->object && left->object == right->object) {
    IrNode *a = lower_flat_offset(lw, left), *b = lower_flat_offset(lw, right);
    IrNode *node = lower_emit2(lw, IR_SUB, i64, a, b);
    node->flags |= NODE_NO_SIGNED_WRAP | NODE_OWN;
    return node;
  }
  Space space = type->u.pointer.space;
  IrNode *a = lower_pointer_node(lw, left, space);
  IrNode *b = lower_pointer_node(lw, right, space);
  return lower_emit2(lw, IR_PTR_DIFF, i64, a, b);
}

Value lower_pointer_difference(Lowering *lw, const TExpr *expr) {
  const Type *type = expr->u.binary.left->type;
  const Address *left = lower_pointer(lw, expr->u.binary.left);
  const Address *right = lower_pointer(lw, expr->u.binary.right);
  IrNode *bytes = lower_pointer_distance(lw, left, right, type);
  int64_t size_bytes = (int64_t)type->u.pointer.pointee->size_bytes;
  if (size_bytes <= 1)
    return lower_value_node(bytes);
  return lower_value_node(lower_emit2(lw, IR_SDIV, ir_scalar(IR_TYPE_I64),
                                      bytes, lower_i64(lw, size_bytes)));
}

static IrNode *compare_nodes(Lowering *lw, TOp op, IrNode *a, IrNode *b,
                             bool is_signed) {
  bool is_swapped = op == TOP_GT || op == TOP_GE;
  IrOp less = is_signed ? IR_SLT : IR_ULT, equal = is_signed ? IR_SLE : IR_ULE;
  IrOp ir = op == TOP_EQ                   ? IR_EQ
            : op == TOP_NE                 ? IR_NE
            : op == TOP_LT || op == TOP_GT ? less
                                           : equal;
  return lower_emit2(lw, ir, ir_scalar(IR_TYPE_BOOL), is_swapped ? b : a,
                     is_swapped ? a : b);
}

IrNode *lower_pointer_compare(Lowering *lw, TOp op, Value left, Value right,
                              const Type *type) {
  const Address *a = left.address, *b = right.address;
  if (a->object && a->object == b->object)
    return compare_nodes(lw, op, lower_flat_offset(lw, a),
                         lower_flat_offset(lw, b), true);
  Space space = type->u.pointer.space;
  return compare_nodes(lw, op, lower_pointer_node(lw, a, space),
                       lower_pointer_node(lw, b, space), false);
}
