// SPDX-License-Identifier: Apache-2.0
// Note [What a const reference may see]
// A `const T &` of a scalar is a copy in the output, which is right as long as
// nobody writes the argument during the call. It is a pointer where the
// function gets another way to it: in
//     void add(const int &x, int &y) { y += 1; y += x; }    add(a, a);
// x is 2 when it is read. Of a local variable the other way names it, too; of
// memory, it is any pointer to its type or to a class, and for a variable of
// file scope its name in the function.
#include "cuda/form/cu_alias.h"

#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_walk.h"
#include "cxx/cx_parse.h"

typedef struct {
  CuWalk walk;
  const CuContext *cu;
  const CuName *name;
  bool is_found;
} NameWalk;

static void look_for_name(CuWalk *walk, const Expr *expr) {
  NameWalk *at = (NameWalk *)walk;
  if (expr->kind == EXPR_NAME)
    at->is_found |= map_get(&at->cu->output.named, MAP_KEY(expr)) == at->name;
}

static bool alias_mentions(const CuContext *cu, const Expr *expr,
                           const CuName *name) {
  NameWalk at = {.walk = {.on_expr = look_for_name}, .cu = cu, .name = name};
  cu_walk_expr(&at.walk, expr);
  return at.is_found;
}

// The variable that the place is, or a part of; NULL: it is reached by a
// pointer.
static const CuName *alias_root_of(const CuContext *cu, const Expr *place) {
  for (;;) {
    if (place->kind == EXPR_NAME) {
      const CuName *name = map_get(&cu->output.named, MAP_KEY(place));
      bool is_pointer =
          name && name->decl && name->decl->type->kind == TYPE_POINTER;
      return is_pointer ? NULL : name;
    }
    if (place->kind == EXPR_MEMBER && !place->u.member.is_arrow)
      place = place->u.member.base;
    else if (place->kind == EXPR_INDEX)
      place = place->u.index.base;
    else if (place->kind == EXPR_UNARY && place->u.unary.op == UNARY_ADDRESS)
      place = place->u.unary.operand;
    else
      return NULL;
  }
}

// What the function may write through this parameter; NULL: nothing.
static const CuType *written_through(const CuType *type) {
  bool is_indirect =
      type->kind == CU_REFERENCE || cu_is(cu_plain(type), CU_POINTER);
  const CuType *inner = type->kind == CU_REFERENCE ? type->u.inner
                        : is_indirect              ? cu_plain(type)->u.inner
                                                   : NULL;
  return inner && !cu_is_const(inner) && !cu_is_opaque(inner) ? inner : NULL;
}

static bool may_hold(const CuType *written, const CuType *read) {
  written = cu_plain(written);
  return written == read || written->kind == CU_RECORD ||
         written->kind == CU_VOID || written->kind == CU_ARRAY ||
         read->kind == CU_RECORD;
}

// Another way in to what `place` is.
static bool is_way_to(const CuContext *cu, const CuValue *place,
                      const CuName *root, const CuValue *way,
                      const CuType *written) {
  if (!way->expr || !may_hold(written, cu_plain(place->type)))
    return false;
  if (root)
    return alias_mentions(cu, way->expr, root);
  const CuName *other = alias_root_of(cu, way->expr);
  return !other || !other->is_local;
}

// A variable of file scope stands in the function's own text.
static bool is_named_inside(const CuContext *cu, const CuFunction *function,
                            const CuName *variable) {
  const CxDecl *decl = function->decl;
  return decl && decl->u.function.has_body &&
         cx_tokens_have(cu->tree, decl->u.function.body, variable->wanted);
}

// The reference is to the place itself, or to a base of it, and not to a
// temporary that it was converted to.
static bool refers_to(CuContext *cu, const CuType *place, const CuType *inner) {
  uint32_t path[16], n = 0;
  place = cu_plain(place);
  inner = cu_plain(inner);
  return place == inner ||
         (place->kind == CU_RECORD && inner->kind == CU_RECORD &&
          cu_find_base(cu, place->u.record, inner->u.record, path, &n));
}

bool cu_may_alias(CuContext *cu, const CuFunction *function,
                  const CuValue *object, CuValues args, uint32_t param) {
  const CuValue *place = &args.data[param];
  const CuType *inner = function->params[param].type->u.inner;
  if (!place->is_lvalue || !place->expr || cu_is_const(place->type) ||
      !refers_to(cu, place->type, inner) || cu_is_opaque(inner))
    return false;
  const CuName *root = alias_root_of(cu, place->expr);
  if (root && !root->is_local) {
    if (is_named_inside(cu, function, root))
      return true;
    root = NULL;
  }
  bool writes_object = function->record && !function->is_const_member && object;
  if (writes_object && is_way_to(cu, place, root, object, object->type))
    return true;
  for (uint32_t i = 0; i < args.count && i < function->n_params; i++) {
    const CuType *written = written_through(function->params[i].type);
    if (i != param && written &&
        is_way_to(cu, place, root, &args.data[i], written))
      return true;
  }
  return false;
}
