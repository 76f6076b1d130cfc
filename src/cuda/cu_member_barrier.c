// SPDX-License-Identifier: Apache-2.0
// Note [Barriers in classes]
// An mbarrier is a variable in Heddle C. A member that is one, or an array of
// them, becomes a shared variable of its own for each object that has it; the
// object keeps as many words. So the object must be known by its name: a shared
// variable, or a reference or pointer whose initialiser means the same place
// whenever and by whichever thread it is computed. Where two such places are
// one but don't look alike, there are two sets of barriers, of which one is
// never initialised: that is told.
#include "cuda/cu_function.h"
#include "cuda/cu_local.h"
#include "cuda/cu_names.h"
#include "cuda/cu_report.h"
#include "cuda/cu_tree.h"

static bool is_barrier(const CuType *type) {
  type = cu_plain(cu_array_base(type));
  return cu_is(type, CU_RECORD) && type->u.record->opaque == CU_OPAQUE_BARRIER;
}

const CuType *cu_stored_type(CuContext *cu, const CuType *type) {
  if (!is_barrier(type))
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
static const Expr *place_of(const CuContext *cu, const Expr *object) {
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
static const CuName *root_of(CuContext *cu, const Expr *object) {
  while (object->kind == EXPR_UNARY)
    object = object->u.unary.operand;
  const CuName *name = cu_outermost_name(cu, object);
  uint32_t n_fixed = cu->fixed.count;
  if (name && is_fixed_place(cu, object, 0))
    return name;
  cu->fixed.count = n_fixed;
  return NULL;
}

static CuVariable *barriers_of(CuContext *cu, const CuName *root,
                               const Expr *object, const CuField *field,
                               Span span) {
  const Expr *place = place_of(cu, object);
  for (uint32_t i = 0; i < cu->members.count; i++) {
    const CuMemberBarrier *known = &cu->members.data[i];
    if (known->field == field->decl && cu_same_expr(cu, known->place, place))
      return known->barriers;
  }
  const char *wish = cu_format(cu, "%s_%s", root->wanted, field->name);
  const char *name = cu_free_local_name(cu, wish);
  CuVariable *made = cu_new_shared(cu, name, cu_plain(field->type), span);
  map_put(cu->arena, &cu->prologue, MAP_KEY(name), made);
  made->name->shared_by = field->decl;
  CuMemberBarrier member = {place, field->decl, made};
  VEC_PUSH(cu->arena, &cu->members, member);
  return made;
}

bool cu_member_barrier(CuContext *cu, const CuValue *object,
                       const CuField *field, Span span, CuValue *out) {
  if (!field->decl || !field->name || !is_barrier(field->type) ||
      !object->expr || cu->frame == NULL)
    return false;
  const CuName *root = root_of(cu, object->expr);
  if (!root) {
    cu_unsupported(cu, span, "an mbarrier of an object that isn't known here",
                   "name the object in the kernel by a shared variable, or a "
                   "reference to one place of shared memory, and pass the "
                   "barriers to functions");
    *out = cu_lvalue(cu_plain(field->type), cu_poison_expr(cu, span), span);
    return true;
  }
  CuVariable *here = cu_seen_from_here(
      cu, barriers_of(cu, root, object->expr, field, span), span);
  *out = here ? cu_variable_value(cu, here, span) : cu_poison(cu, span);
  return true;
}
