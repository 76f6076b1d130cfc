// SPDX-License-Identifier: Apache-2.0
// Note [Addresses as numbers]
// Instructions in inline assembly take addresses of shared memory as integers
// of 32 bits, which __cvta_generic_to_shared() and the like make of pointers.
// Heddle C has no such integers, and the checker wants to see where a pointer
// leads. So the value stays the pointer, and its type says that it is seen as
// an integer (cu_number). Where the program declares a variable, a parameter or
// a result as an integer and gives it such a value, what is declared gets the
// value's type instead. It may be moved by bytes and compared; whatever else
// asks for the integer is refused.
//
// Note [Words that are mbarriers]
// In CUDA an mbarrier is a word of 64 bits in shared memory. A shared variable
// of such words is an array of mbarriers in the output if the kernel
// initialises one of them as such. Which ones those are, a first translation
// finds out, in which all are taken for mbarriers and nothing is reported
// (cuda_find_words). A pointer to one stays a pointer to an mbarrier,
// whatever pointer or integer it is converted to.
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_lambda.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_pipeline.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_space.h"
#include "cuda/form/cu_spot.h"
#include "cuda/form/cu_tree.h"

#include <string.h>

// ---------------------------------------------------------------- the types

bool cu_is_word(const CuType *type) {
  return cu_is_integer(type) && cu_size(type) == 8;
}

static bool is_of_class(const CuType *pointer, const char *name) {
  if (pointer->kind != CU_POINTER || !cu_is_opaque(pointer->u.inner))
    return false;
  const CuRecord *record = cu_plain(pointer->u.inner)->u.record;
  return record->entity && record->entity->name &&
         strcmp(record->entity->name, name) == 0;
}

bool cu_is_word_barrier(const CuType *pointer) {
  return is_of_class(cu_plain(pointer), "word_barrier");
}

bool cu_is_bound_word(const CuType *value, const CuType *inner) {
  const CuType *type = cu_plain(value);
  return type->kind == CU_RECORD && type->u.record->opaque &&
         type->u.record->entity && cu_is_word(cu_plain(inner)) &&
         strcmp(type->u.record->entity->name, "word_barrier") == 0;
}

// A class of the prelude.
static const CuType *own_class(CuContext *cu, const char *name) {
  CuEntityVec found = {0};
  cu_lookup_in(cu, cu->global, intern_cstr(cu->names, "__hd"), &found);
  CuScope *own = found.count ? found.data[0]->space : cu->global;
  found.count = 0;
  cu_lookup_in(cu, own, intern_cstr(cu->names, name), &found);
  return found.count ? cu_entity_type(cu, found.data[0], NULL)
                     : cu_basic(&cu->types, CU_POISON);
}

const CuType *cu_word_barrier(CuContext *cu) {
  return own_class(cu, "word_barrier");
}

static const CuType *with_base(CuContext *cu, const CuType *type,
                               const CuType *base) {
  return type->kind == CU_ARRAY
             ? cu_array(&cu->types, with_base(cu, type->u.array.element, base),
                        type->u.array.extent)
             : base;
}

const CuType *cu_shared_type(CuContext *cu, const CxDecl *decl,
                             const CuType *type) {
  bool is_chosen = cu->barriers.words &&
                   (cu->barriers.words->finds ||
                    map_has(&cu->barriers.words->decls, MAP_KEY(decl)));
  if (!is_chosen || !cu_is_word(cu_plain(cu_array_base(type))))
    return type;
  return with_base(cu, type, cu_word_barrier(cu));
}

void cu_try_word(CuContext *cu, CxDecl *decl, CuVariable *variable) {
  if (!cu->barriers.words || !cu->barriers.words->finds)
    return;
  VEC_PUSH(cu->arena, &cu->barriers.words->tried, decl);
  VEC_PUSH(cu->arena, &cu->barriers.words->variables, variable);
}

// ---------------------------------------------------------------- staying

static bool address_is_token(const CuType *type) {
  return type->kind == CU_RECORD && type->u.record->opaque == CU_OPAQUE_TOKEN;
}

CuRank cu_rank_kept(const CuType *from, const CuType *to) {
  from = cu_plain(from);
  to = cu_plain(to);
  if (address_is_token(from))
    return cu_is_word(to) ? CU_RANK_EXACT : CU_RANK_NONE;
  if (cu_is_number(from) && cu_is_integer(to) && cu_size(to) >= 4)
    return cu_size(to) == from->number_bytes ? CU_RANK_EXACT
                                             : CU_RANK_CONVERSION;
  if (cu_is_number(from) && cu_is_number(to))
    return cu_is_barrier_pointer(from) == cu_is_barrier_pointer(to)
               ? CU_RANK_EXACT
               : CU_RANK_NONE;
  bool is_kept_pointer = from->kind == CU_POINTER && !cu_is_number(from) &&
                         cu_is_barrier_pointer(from) &&
                         to->kind == CU_POINTER && !cu_is_number(to) &&
                         !cu_is_opaque(to->u.inner);
  if (!is_kept_pointer)
    return CU_RANK_NONE;
  return cu_is_word(cu_plain(to->u.inner)) ? CU_RANK_EXACT : CU_RANK_CONVERSION;
}

bool cu_keep(CuContext *cu, CuValue *value, const CuType *to) {
  const CuType *from = cu_plain(value->type);
  to = cu_plain(to);
  if (!value->expr || cu_rank_kept(from, to) == CU_RANK_NONE)
    return false;
  if (cu_is_number(from) && cu_is_number(to) && from->u.inner != to->u.inner)
    value->expr =
        cu_cast(cu, cu_number(&cu->types, to, 0), value->expr, value->span);
  if (cu_is_number(from))
    value->type = cu_is_number(to)
                      ? to
                      : cu_number(&cu->types, from, (uint32_t)cu_size(to));
  value->is_lvalue = false;
  value->variable = NULL;
  return true;
}

const CuType *cu_kept_type(CuContext *cu, const CuValue *value,
                           const CuType *type) {
  CuValue kept = *value;
  return cu_keep(cu, &kept, type)
             ? cu_qualified(&cu->types, kept.type, type->quals)
             : type;
}

// ---------------------------------------------------------------- numbers

CuValue cu_address_number(CuContext *cu, CuValue pointer, uint32_t bytes) {
  pointer = cu_decay(cu, pointer);
  const CuType *type = cu_plain(pointer.type);
  if (type->kind == CU_POINTER)
    pointer.type = cu_number(&cu->types, type, bytes);
  pointer.is_lvalue = false;
  pointer.variable = NULL;
  return pointer;
}

CuValue cu_behind_number(CuContext *cu, CuValue value) {
  const CuType *type = cu_plain(value.type);
  if (!cu_is_number(type))
    return value;
  value.type = cu_number(&cu->types, type, 0);
  value.is_lvalue = false;
  if (cu_is_const(type->u.inner) &&
      !cu_is_barrier_pointer(type)) { // which a number doesn't tell
    const CuType *to = cu_basic(&cu->types, CU_VOID);
    value.type = cu_pointer(&cu->types, to);
    value.expr = cu_cast(cu, value.type, value.expr, value.span);
  }
  return value;
}

CuValue cu_refuse_address(CuContext *cu, Span span) {
  cu_unsupported(cu, span, "the number of an address here",
                 "keep it in a variable of its own, move it by bytes or pass "
                 "it to a function");
  return cu_poison(cu, span);
}

CuValue cu_refuse_kept(CuContext *cu, const CuValue *value) {
  if (!address_is_token(cu_plain(value->type)))
    return cu_refuse_address(cu, value->span);
  cu_unsupported(cu, value->span, "the state of an mbarrier here",
                 "keep it in a variable of its own or pass it to a function");
  return cu_poison(cu, value->span);
}

bool cu_cast_address(CuContext *cu, CuValue value, const CuType *to, Span span,
                     CuValue *out) {
  const CuType *from = cu_plain(value.type);
  if (from->kind != CU_POINTER && !address_is_token(from))
    return false;
  *out = value;
  out->span = span;
  if (cu_keep(cu, out, to))
    return true;
  if (cu_is_barrier_pointer(from) && cu_is_integer(to) && cu_size(to) == 8) {
    *out = cu_address_number(cu, value, 8);
    return true;
  }
  if (!cu_is_number(from))
    return false;
  if (to->kind != CU_POINTER) {
    *out = cu_refuse_address(cu, span);
    return true;
  }
  *out = cu_behind_number(cu, value);
  if (!cu_keep(cu, out, to) && cu_plain(out->type) != to) {
    out->expr = cu_cast(cu, to, out->expr, span);
    out->type = to;
  }
  out->span = span;
  return true;
}

static bool is_word_size(const Expr *expr) {
  if (expr->kind == EXPR_CAST)
    return is_word_size(expr->u.cast.operand);
  if (expr->kind == EXPR_INT)
    return expr->u.int_lit.value == 8;
  const TypeSyntax *type = expr->kind == EXPR_SIZEOF_TYPE ? expr->u.type : NULL;
  return type && type->kind == TYPE_BUILTIN &&
         type->u.builtin >= BUILTIN_LONG && type->u.builtin <= BUILTIN_ULLONG;
}

// i of i * 8 and 8 * i.
static Expr *factor_of_words(CuContext *cu, const CuValue *bytes) {
  const CuType *type = cu_basic(&cu->types, CU_INT);
  if (bytes->constant.kind == CU_CONST_INT && bytes->constant.i % 8 == 0)
    return cu_int_expr(cu, type, bytes->constant.i / 8, bytes->span);
  Expr *expr = bytes->expr;
  while (expr->kind == EXPR_CAST)
    expr = expr->u.cast.operand;
  if (expr->kind != EXPR_BINARY || expr->u.binary.op != BINARY_MUL)
    return NULL;
  Expr *sides[2] = {expr->u.binary.left, expr->u.binary.right};
  for (int i = 0; i < 2; i++) {
    if (is_word_size(sides[i]))
      return sides[1 - i];
  }
  return NULL;
}

// The barrier so many bytes further.
static CuValue moved_barrier(CuContext *cu, BinaryOp op, CuValue barrier,
                             const CuValue *bytes, Span span) {
  Expr *index = op == BINARY_ADD ? factor_of_words(cu, bytes) : NULL;
  if (!index) {
    cu_unsupported(cu, span, "this way to an mbarrier",
                   "add a multiple of sizeof(uint64_t), or use a subscript");
    return cu_poison(cu, span);
  }
  barrier.expr = cu_barrier_place(cu, barrier.expr, index, span);
  barrier.span = span;
  return barrier;
}

static CuValue address_moved(CuContext *cu, BinaryOp op, CuValue address,
                             const CuValue *bytes, Span span) {
  const CuType *type = cu_plain(address.type);
  if (cu_is_barrier_pointer(type))
    return moved_barrier(cu, op, address, bytes, span);
  const CuType *target = cu_basic(&cu->types, CU_CHAR);
  if (cu_is_const(type->u.inner))
    target = cu_qualified(&cu->types, target, CX_QUAL_CONST);
  const CuType *chars = cu_pointer(&cu->types, target);
  Expr *base = cu_plain(type->u.inner)->kind == CU_CHAR
                   ? address.expr
                   : cu_cast(cu, chars, address.expr, span);
  CuValue value = cu_rvalue(cu_number(&cu->types, chars, type->number_bytes),
                            cu_binary(cu, op, base, bytes->expr, span), span);
  value.spot = cu_spot_indexed(cu, address.spot, target, bytes, op);
  return value;
}

CuValue cu_address_binary(CuContext *cu, BinaryOp op, CuValue left,
                          CuValue right, Span span) {
  const CuType *a = cu_plain(left.type), *b = cu_plain(right.type);
  bool is_left = cu_is_number(a), is_right = cu_is_number(b);
  bool compares = op >= BINARY_LT && op <= BINARY_NE;
  if (is_left && is_right && compares && !cu_is_barrier_pointer(a) &&
      !cu_is_barrier_pointer(b))
    return cu_rvalue(cu_basic(&cu->types, CU_BOOL),
                     cu_binary(cu, op, left.expr, right.expr, span), span);
  if (is_left && (op == BINARY_ADD || op == BINARY_SUB) && cu_is_integer(b))
    return address_moved(cu, op, left, &right, span);
  if (is_right && op == BINARY_ADD && cu_is_integer(a))
    return address_moved(cu, op, right, &left, span);
  return cu_refuse_address(cu, span);
}

// ---------------------------------------------------------------- variables

// The variable is declared in the block that is being translated.
static bool is_in_this_block(const CuContext *cu, const CuVariable *variable) {
  const CuStmtVec *statements = cu->frame->statements;
  for (uint32_t i = 0; i < statements->count; i++)
    if (statements->data[i] == variable->name->stmt)
      return true;
  return false;
}

bool cu_adopt(CuContext *cu, CuVariable *variable, CuValue *value, Span span) {
  bool is_fresh = variable && variable->holds == CU_HOLDS_VALUE &&
                  variable->decl && variable->decl->kind == DECL_VAR &&
                  !variable->decl->u.var.init && !variable->is_changed &&
                  variable->frame == cu->frame &&
                  cu_rank_kept(value->type, variable->type) != CU_RANK_NONE;
  if (!is_fresh ||
      (cu_is_barrier_pointer(value->type) && !is_in_this_block(cu, variable)))
    return false;
  variable->type = cu_kept_type(cu, value, variable->type);
  cu_keep(cu, value, variable->type);
  if (cu_bind_barrier(cu, variable, *value, span))
    return true;
  variable->decl->type = cu_emit_type(cu, variable->type, span);
  return true;
}

// ---------------------------------------------------------------- functions

// What a parameter is where it isn't what was declared.
typedef struct {
  const CuType *type;
  const CuPipeline *pipeline;
} Kept;

static bool address_same_params(const CuFunction *a, const Kept *kept) {
  for (uint32_t i = 0; i < a->n_params; i++)
    if (a->params[i].type != kept[i].type ||
        a->params[i].pipeline != kept[i].pipeline)
      return false;
  return true;
}

static CuFunction *with_params(CuContext *cu, CuFunction *function,
                               const Kept *kept) {
  for (CuFunction *other = function->kept; other; other = other->kept)
    if (address_same_params(other, kept))
      return other;
  CuFunction *made = ARENA_NEW(cu->arena, CuFunction);
  *made = *function;
  made->params = ARENA_ARRAY(cu->arena, CuParam, function->n_params);
  for (uint32_t i = 0; i < function->n_params; i++) {
    made->params[i] = function->params[i];
    made->params[i].type = kept[i].type;
    made->params[i].pipeline = kept[i].pipeline;
  }
  made->is_translated = made->is_translating = made->is_failed = false;
  made->name = NULL;
  made->emitted = NULL;
  made->variants = made->helpers = NULL;
  made->needs.data = NULL;
  made->needs.count = made->needs.capacity = 0;
  made->kept = function->kept;
  function->kept = made;
  return made;
}

// What the name of an array, or a pointer to its first element, is of.
static const CuType *address_named_type(const CuContext *cu,
                                        const CuValue *arg) {
  const CuName *name = cu_outermost_name(cu, arg->expr);
  if (!name || arg->is_lvalue)
    return name ? cu_plain(arg->type) : NULL;
  for (uint32_t i = 0; i < cu->barriers.members.count; i++)
    if (cu->barriers.members.data[i].barriers->name == name)
      return cu->barriers.members.data[i].type;
  return name->variable ? cu_plain(name->variable->type) : NULL;
}

// A pointer to the first mbarrier of an array leads to all of them: the array
// is passed.
static bool pass_all(CuContext *cu, CuValue *arg, const CuType *param) {
  const CuType *type = arg->expr && cu_is_barrier_pointer(param)
                           ? address_named_type(cu, arg)
                           : NULL;
  if (!type || !cu_is(type, CU_ARRAY) || cu_is(type->u.array.element, CU_ARRAY))
    return false;
  *arg = cu_lvalue(type, arg->expr, arg->span);
  return true;
}

CuFunction *cu_with_kept(CuContext *cu, CuFunction *function, CuValues args) {
  Kept *kept = ARENA_ARRAY(cu->arena, Kept, function->n_params + 1);
  bool differs = false;
  for (uint32_t i = 0; i < function->n_params; i++) {
    const CuType *type = kept[i].type = function->params[i].type;
    if (i < args.count && args.data[i].expr)
      kept[i].pipeline = cu_pipeline_of(cu, args.data[i].expr);
    differs |= kept[i].pipeline != NULL;
    if (i < args.count && type->kind == CU_REFERENCE &&
        cu_is_bound_word(args.data[i].type, type->u.inner)) {
      kept[i].type = cu_reference(&cu->types, args.data[i].type, false);
      differs = true;
      continue;
    }
    if (i < args.count && pass_all(cu, &args.data[i], type)) {
      kept[i].type = cu_reference(&cu->types, args.data[i].type, false);
      differs = true;
      continue;
    }
    if (i < args.count && cu_is_function_pointer(type) &&
        cu_is(args.data[i].type, CU_LAMBDA)) {
      kept[i].type = args.data[i].type;
      differs = true;
      continue;
    }
    bool is_copy = type->kind != CU_REFERENCE || cu_is_const(type->u.inner);
    if (i >= args.count || !is_copy)
      continue;
    CuValue value = cu_decay(cu, args.data[i]);
    const CuType *stays = cu_kept_type(cu, &value, cu_referred(type));
    if (stays == cu_referred(type))
      continue;
    kept[i].type = stays;
    differs = true;
  }
  return differs ? with_params(cu, function, kept) : function;
}

// ---------------------------------------------------------------- clusters

// A barrier of another block is a call that is never put out: its arguments
// are the barrier and the block's rank.
CuValue cu_map_address(CuContext *cu, CuValue address, CuValue rank,
                       Span span) {
  const CuType *type = cu_plain(address.type);
  uint32_t bytes = type->number_bytes;
  rank = cu_convert(cu, rank, cu_basic(&cu->types, CU_INT), "a rank");
  if (type->kind != CU_POINTER || !rank.expr)
    return cu_refuse_address(cu, span);
  if (!cu_is_barrier_pointer(type)) {
    Expr **args = ARENA_ARRAY(cu->arena, Expr *, 3);
    args[0] = cu_word_call(cu, "this_cluster", NULL, NULL, span);
    args[1] = address.expr;
    args[2] = rank.expr;
    Expr *callee = cu_word_expr(cu, "map_shared", span);
    return cu_rvalue(type, cu_call(cu, callee, args, 3, span), span);
  }
  const CuType *mapped = own_class(cu, "mapped_barrier");
  mapped = cu_number(&cu->types, cu_pointer(&cu->types, mapped), bytes);
  return cu_rvalue(mapped,
                   cu_word_call(cu, "arrive_remote",
                                cu_barrier_place(cu, address.expr, NULL, span),
                                rank.expr, span),
                   span);
}

bool cu_is_mapped_barrier(CuContext *cu, const CuValue *value, Expr **barrier,
                          Expr **rank) {
  const CuType *type = cu_plain(value->type);
  (void)cu;
  if (!is_of_class(type, "mapped_barrier") || value->expr->kind != EXPR_CALL)
    return false;
  *barrier = value->expr->u.call.args.data[0];
  *rank = value->expr->u.call.args.data[1];
  return true;
}
