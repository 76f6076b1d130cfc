// SPDX-License-Identifier: Apache-2.0
// Note [Barriers in classes]
// An mbarrier is a variable in Heddle C. A member that is one, or an array of
// them, becomes a shared variable of its own for each object that has it; the
// object keeps as many words. So the object must be known by its name: a shared
// variable, or a reference or pointer whose initialiser means the same place
// whenever and by whichever thread it is computed. Where two such places are
// one but don't look alike, there are two sets of barriers, of which one is
// never initialised: that is told. Places that are a number of bytes from the
// start of a shared variable (cu_spot.h) are compared as such.
//
// A member that is a word becomes an mbarrier if the kernel initialises it as
// one: Note [Words that are mbarriers].
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_spot.h"
#include "cuda/form/cu_tree.h"

// One, or an array of them.
static bool are_barriers(const CuType *type) {
  return cu_is_barrier(cu_array_base(type));
}

const CuType *cu_stored_type(CuContext *cu, const CuType *type) {
  if (!are_barriers(type))
    return type;
  return type->kind == CU_ARRAY
             ? cu_array(&cu->types, cu_stored_type(cu, type->u.array.element),
                        type->u.array.extent)
             : cu_basic(&cu->types, CU_ULLONG);
}

static bool is_fixed_place(CuContext *cu, const Expr *expr, int depth);

static bool is_fixed_name(CuContext *cu, const Expr *expr, int depth) {
  const CuName *name = cu_outermost_name(cu, expr);
  if (!name || name->shared_by || !name->is_local)
    return name && name->shared_by;
  bool is_known = name->decl && name->decl->kind == DECL_VAR &&
                  name->decl->u.var.init && name->variable;
  if (!is_known || !is_fixed_place(cu, name->decl->u.var.init, depth + 1))
    return false;
  if (name->variable->type->kind == CU_REFERENCE)
    return true; // only what it refers to changes
  cu_fix(cu, name, expr->span);
  return !name->variable->is_changed;
}

static bool is_fixed_place(CuContext *cu, const Expr *expr, int depth) {
  if (depth > 64)
    return false;
  switch ((int)expr->kind) {
  case EXPR_INT:
  case EXPR_SIZEOF_TYPE: return true;
  case EXPR_NAME: return is_fixed_name(cu, expr, depth);
  case EXPR_CAST: return is_fixed_place(cu, expr->u.cast.operand, depth + 1);
  case EXPR_UNARY: return is_fixed_place(cu, expr->u.unary.operand, depth + 1);
  case EXPR_MEMBER: return is_fixed_place(cu, expr->u.member.base, depth + 1);
  case EXPR_BINARY:
    return is_fixed_place(cu, expr->u.binary.left, depth + 1) &&
           is_fixed_place(cu, expr->u.binary.right, depth + 1);
  case EXPR_INDEX:
    for (uint32_t i = 0; i < expr->u.index.n_subscripts; i++)
      if (!expr->u.index.subscripts[i].index ||
          !is_fixed_place(cu, expr->u.index.subscripts[i].index, depth + 1))
        return false;
    return is_fixed_place(cu, expr->u.index.base, depth + 1);
  default: return false;
  }
}

// Where the object is, in terms of names without initialisers.
static const Expr *member_barrier_place_of(const CuContext *cu,
                                           const Expr *object) {
  for (int depth = 0; depth < 64; depth++) {
    const CuName *name = cu_outermost_name(cu, object);
    if (object->kind == EXPR_UNARY)
      object = object->u.unary.operand;
    else if (object->kind == EXPR_CAST)
      object = object->u.cast.operand;
    else if (name && !name->shared_by && name->decl)
      object = name->decl->u.var.init;
    else
      break;
  }
  return object;
}

// The name that the object has; NULL: it isn't known.
static const CuName *member_barrier_root_of(CuContext *cu, const Expr *object) {
  while (object->kind == EXPR_UNARY)
    object = object->u.unary.operand;
  const CuName *name = cu_outermost_name(cu, object);
  uint32_t n_fixed = cu->barriers.fixed.count;
  if (name && is_fixed_place(cu, object, 0))
    return name;
  cu->barriers.fixed.count = n_fixed;
  return NULL;
}

static const CuElement *
member_barrier_element_of(const CuMemberBarrier *barrier) {
  return barrier->spot ? barrier->spot->element : NULL;
}

static int64_t member_barrier_n_elements(const CuMemberBarrier *barrier) {
  return member_barrier_element_of(barrier)
             ? member_barrier_element_of(barrier)->extent
             : 1;
}

// Of those of one element.
static int64_t own_bytes(const CuMemberBarrier *barrier) {
  return (int64_t)cu_size(barrier->type) / member_barrier_n_elements(barrier);
}

// From those of one element to those of the next.
static int64_t stride_of(const CuMemberBarrier *barrier) {
  return member_barrier_element_of(barrier)
             ? (int64_t)member_barrier_element_of(barrier)->stride_bytes
             : own_bytes(barrier);
}

static bool member_barrier_is_same(const CuContext *cu,
                                   const CuMemberBarrier *a,
                                   const CuMemberBarrier *b) {
  if (!a->spot && !b->spot)
    return a->field == b->field && cu_same_expr(cu, a->place, b->place);
  return a->spot && b->spot && a->spot->root == b->spot->root &&
         a->spot->bytes == b->spot->bytes && a->type == b->type &&
         stride_of(a) == stride_of(b);
}

// Bytes `begin` to `begin` + `n_bytes` are some of its barriers'.
static bool member_barrier_is_at(const CuMemberBarrier *a, int64_t begin,
                                 int64_t n_bytes) {
  int64_t stride = stride_of(a), own = own_bytes(a);
  int64_t first = begin - a->spot->bytes;
  // The last element that doesn't begin behind it.
  int64_t last = first + n_bytes - 1 < 0 ? -1 : (first + n_bytes - 1) / stride;
  if (last >= member_barrier_n_elements(a))
    last = member_barrier_n_elements(a) - 1;
  return last >= 0 && last * stride + own > first;
}

static bool member_barrier_overlap(const CuMemberBarrier *a,
                                   const CuMemberBarrier *b) {
  if (!a->spot || !b->spot || a->spot->root != b->spot->root)
    return false;
  for (int64_t i = 0; i < member_barrier_n_elements(b); i++)
    if (member_barrier_is_at(a, b->spot->bytes + i * stride_of(b),
                             own_bytes(b)))
      return true;
  return false;
}

// The name that the place begins with.
static const CuName *first_name(const CuContext *cu, const Expr *expr) {
  for (;;) {
    if (expr->kind == EXPR_UNARY)
      expr = expr->u.unary.operand;
    else if (expr->kind == EXPR_CAST)
      expr = expr->u.cast.operand;
    else if (expr->kind == EXPR_MEMBER)
      expr = expr->u.member.base;
    else if (expr->kind == EXPR_INDEX)
      expr = expr->u.index.base;
    else if (expr->kind == EXPR_BINARY)
      expr = expr->u.binary.left;
    else
      return cu_outermost_name(cu, expr);
  }
}

// Data must not lie where the barriers are: that is for the checker to see.
// Holes are in order, and those that touch each other are one.
static void add_hole(CuContext *cu, Decl *decl, uint64_t begin,
                     uint64_t n_bytes) {
  ByteHole hole = {begin, begin + n_bytes};
  uint32_t n = 0, n_old = decl->u.var.n_holes;
  ByteHole *holes = ARENA_ARRAY(cu->arena, ByteHole, n_old + 1);
  bool is_placed = false;
  for (uint32_t i = 0; i < n_old; i++) {
    ByteHole old = decl->u.var.holes[i];
    if (old.begin <= hole.end && hole.begin <= old.end) {
      hole.begin = old.begin < hole.begin ? old.begin : hole.begin;
      hole.end = old.end > hole.end ? old.end : hole.end;
      continue;
    }
    if (!is_placed && old.begin > hole.end) {
      holes[n++] = hole;
      is_placed = true;
    }
    holes[n++] = old;
  }
  if (!is_placed)
    holes[n++] = hole;
  decl->u.var.holes = holes;
  decl->u.var.n_holes = n;
}

CuVariable *cu_barriers_at(CuContext *cu, CuMemberBarrier *wanted,
                           const char *wish, Span span) {
  for (uint32_t i = 0; i < cu->barriers.members.count; i++) {
    const CuMemberBarrier *known = &cu->barriers.members.data[i];
    if (member_barrier_is_same(cu, known, wanted))
      return known->barriers;
    if (member_barrier_overlap(known, wanted)) {
      cu_unsupported(cu, span, "an mbarrier that is accessed in two ways",
                     "use one class, or one pointer, for this memory");
      return NULL;
    }
  }
  const char *name = cu_free_local_name(cu, wish);
  wanted->barriers = cu_new_shared(cu, name, wanted->type, span);
  map_put(cu->arena, &cu->prologue, MAP_KEY(name), wanted->barriers);
  VEC_PUSH(cu->arena, &cu->barriers.members, *wanted);
  VEC_PUSH(cu->arena, &cu->barriers.declared, wanted->barriers->decl);
  for (int64_t i = 0; wanted->spot && i < member_barrier_n_elements(wanted);
       i++)
    add_hole(cu, wanted->spot->root->decl,
             (uint64_t)(wanted->spot->bytes + i * stride_of(wanted)),
             (uint64_t)own_bytes(wanted));
  return wanted->barriers;
}

// NULL: told.
static CuVariable *barriers_of(CuContext *cu, const CuValue *object,
                               const CuField *field, const CuType *type,
                               Span span) {
  CuMemberBarrier wanted = {.type = cu_plain(type), .field = field->decl};
  wanted.spot = cu_spot_moved(cu, object->spot, (int64_t)field->offset_bytes);
  if (member_barrier_element_of(&wanted))
    wanted.type =
        cu_array(&cu->types, wanted.type, member_barrier_n_elements(&wanted));
  wanted.place = member_barrier_place_of(cu, object->expr);
  const CuName *first = first_name(cu, object->expr);
  const char *name = cu_format(
      cu, "%s_%s", (first ? first : object->spot->root)->wanted, field->name);
  CuVariable *barriers = cu_barriers_at(cu, &wanted, name, span);
  if (!barriers)
    return NULL;
  if (!barriers->name->shared_by)
    barriers->name->shared_by = field->decl;
  cu_try_word(cu, field->decl, barriers);
  return barriers;
}

bool cu_has_barriers(CuContext *cu, const CuType *type) {
  type = cu_plain(cu_array_base(type));
  if (!cu_is(type, CU_RECORD) || type->u.record->opaque ||
      !cu_complete_record(cu, type->u.record))
    return false;
  for (uint32_t i = 0; i < type->u.record->fields.count; i++) {
    const CuField *field = &type->u.record->fields.data[i];
    const CuType *inner = field->type;
    if (field->decl)
      inner = cu_shared_type(cu, field->decl, inner);
    if (are_barriers(inner) || cu_has_barriers(cu, inner))
      return true;
  }
  return false;
}

bool cu_holds_barriers(CuContext *cu, const CuValue *object) {
  const CuType *type = cu_plain(cu_referred(object->type));
  return object->spot &&
         cu_has_barriers(cu, cu_is(type, CU_POINTER) ? type->u.inner : type);
}

bool cu_member_barrier(CuContext *cu, const CuValue *object,
                       const CuField *field, Span span, CuValue *out) {
  if (!field->decl || !field->name || !object->expr || cu->frame == NULL)
    return false;
  const CuType *type = cu_shared_type(cu, field->decl, field->type);
  if (!are_barriers(type))
    return false;
  bool is_known = object->spot || member_barrier_root_of(cu, object->expr);
  if (!is_known && type != field->type && cu->barriers.words->finds)
    return false; // it may be a number
  if (!is_known) {
    cu_unsupported(cu, span, "an mbarrier of an unknown object",
                   "name the object in the kernel by a shared variable, or a "
                   "reference to one place of shared memory, and pass the "
                   "barriers to functions");
    *out = cu_lvalue(cu_plain(type), cu_poison_expr(cu, span), span);
    return true;
  }
  cu_spot_fix(cu, object->spot, span);
  CuVariable *barriers = barriers_of(cu, object, field, type, span);
  CuVariable *here = barriers ? cu_seen_from_here(cu, barriers, span) : NULL;
  *out = here ? cu_variable_value(cu, here, span)
              : cu_lvalue(cu_plain(type), cu_poison_expr(cu, span), span);
  const CuElement *element = object->spot ? object->spot->element : NULL;
  if (here && element) {
    CuValue index = element->index;
    index.expr = cu_clone(cu, index.expr, span);
    *out = cu_index_of(cu, *out, index, span);
  }
  return true;
}
