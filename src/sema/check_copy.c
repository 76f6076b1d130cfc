// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies, sections as their operands, and what else concerns
// shared memory beyond a block: mapped pointers, semaphores.
#include "sema/builtin_table.h"

static TExpr *check_copy_poison(const BuiltinCall *call) {
  return build_poison(call->cx, call->span);
}

// --- sections ---

static bool check_copy_refuse_base(SemaContext *cx, const Expr *expr,
                                   const Type *type) {
  const char *instead = "only arrays have extents";
  if (type->kind == TY_POINTER)
    instead = "declare the parameter as an array, as in 'float A[n]'";
  else if (type->kind == TY_TILE)
    instead = "extract(…) takes a part of a tile, insert(…) replaces one";
  SEMA_ERROR(cx, expr->span, section_array, NT(cx, type), DS(instead));
  return false;
}

bool check_section_base(SemaContext *cx, const Expr *expr) {
  const Expr *base = expr->kind == EXPR_INDEX ? expr->u.index.base : expr;
  TExpr *array = check_expr(cx, base);
  if (expr_is_poison(array))
    return false;
  bool is_array = array->kind == TEXPR_VAR && type_is(array->type, TY_ARRAY);
  return is_array || check_copy_refuse_base(cx, base, array->type);
}

static int64_t whole_extent(const TSection *section, uint32_t i) {
  const TExpr *const *extents = (const TExpr *const *)section->array->extents;
  return extents && extents[i] && expr_is_const(extents[i])
             ? extents[i]->u.value.i
             : -1;
}

// Shared arrays are whole: a part beyond their extents is a mistake. Kernel
// arrays may end inside a section.
static bool check_bounds(SemaContext *cx, const TSection *section, uint32_t i) {
  int64_t extent = whole_extent(section, i);
  const TExpr *lo = section->lo[i];
  int64_t length = section->length[i]->u.value.i;
  bool is_shared = sema_var_space(section->array) == TSPACE_SHARED;
  if (!is_shared || extent < 0 || cx->unevaluated)
    return true;
  int64_t first = expr_is_const(lo) ? lo->u.value.i : 0;
  if (first >= 0 && length <= extent && first <= extent - length)
    return true;
  int64_t index = first < 0 ? first : first + length - 1;
  SEMA_ERROR(cx, lo->span, subscript_range, DD(index), DS(section->array->name),
             DD(extent));
  return false;
}

static bool check_length(SemaContext *cx, const TSection *section, uint32_t i) {
  const TExpr *length = section->length[i];
  bool is_written = length->span.begin >= section->span.begin &&
                    length->span.end <= section->span.end;
  if (!expr_is_const(length)) {
    SEMA_ERROR(cx, is_written ? length->span : section->span, not_constant,
               DS("the length of a section that is copied"));
    return false;
  }
  if (length->u.value.i > 0)
    return check_bounds(cx, section, i);
  SEMA_ERROR(cx, length->span, barrier_value, DS("the length of a section"),
             DD(length->u.value.i), DS("it must be positive"));
  return false;
}

// A section of constant lengths; NULL when it was refused.
static TSection *check_copied(SemaContext *cx, const Expr *expr) {
  TSection *section = ARENA_NEW(cx->arena, TSection);
  if (!check_section_base(cx, expr) || !check_section(cx, expr, section))
    return NULL;
  for (uint32_t i = 0; i < section->rank; i++)
    if (!check_length(cx, section, i))
      return NULL;
  return section;
}

static uint64_t section_count(const TSection *section) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < section->rank; i++)
    if (__builtin_mul_overflow(count, section->length[i]->u.value.u, &count))
      return UINT64_MAX;
  return count;
}

static bool check_section_size(SemaContext *cx, const TSection *section) {
  uint64_t bytes;
  bool overflows = __builtin_mul_overflow(
      section_count(section), section->array->element->size_bytes, &bytes);
  if (!overflows && bytes < (uint64_t)1 << 31)
    return true;
  SEMA_ERROR(cx, section->span, too_large, DS("this section"),
             DU(((uint64_t)1 << 31) - 1));
  return false;
}

// "float[16][64]"
static const char *shape_text(SemaContext *cx, const TSection *section) {
  Text out = {.arena = cx->arena};
  text_add(&out, sema_type_name(cx, section->array->element));
  for (uint32_t i = 0; i < section->rank; i++)
    if (!section->is_index[i])
      text_printf(&out, "[%lld]", (long long)section->length[i]->u.value.i);
  return text_cstr(&out);
}

static uint32_t next_dimension(const TSection *section, uint32_t i) {
  while (i < section->rank && section->is_index[i])
    i++;
  return i;
}

static bool check_copy_is_same_shape(const TSection *a, const TSection *b) {
  uint32_t i = next_dimension(a, 0), k = next_dimension(b, 0);
  while (i < a->rank && k < b->rank) {
    if (a->length[i]->u.value.i != b->length[k]->u.value.i)
      return false;
    i = next_dimension(a, i + 1);
    k = next_dimension(b, k + 1);
  }
  return i == a->rank && k == b->rank && a->array->element == b->array->element;
}

static TExpr *section_expr(SemaContext *cx, TSection *section) {
  TExpr *expr =
      build_expr(cx, TEXPR_SECTION, section->array->element, section->span);
  expr->u.section = section;
  return expr;
}

// --- copies of sections ---

typedef struct {
  Builtin id;
  uint32_t least, most; // arguments
  bool to_shared, to_global;
  const char *needed;
} CopyForm;

static const CopyForm *check_copy_form(Builtin id) {
  static const CopyForm forms[] = {
      {BI_COPY_ASYNC, 2, 3, true, true, "between shared and global memory"},
      {BI_TMA_LOAD, 3, 4, true, false, "from global to shared memory"},
      {BI_TMA_STORE, 2, 2, false, true, "from shared to global memory"},
      {BI_TMA_REDUCE, 3, 3, false, true, "from shared to global memory"},
  };
  const CopyForm *form = forms;
  while (form->id != id)
    form++;
  return form;
}

static bool check_spaces(const BuiltinCall *call, const CopyForm *form,
                         const TSection *to, const TSection *from) {
  Space x = sema_var_space(to->array), y = sema_var_space(from->array);
  if ((x == TSPACE_SHARED && y == TSPACE_GLOBAL && form->to_shared) ||
      (x == TSPACE_GLOBAL && y == TSPACE_SHARED && form->to_global))
    return true;
  SEMA_ERROR(call->cx, call->span, copy_spaces, DS(call->name),
             DS(form->needed), DS(space_name(y)), DS(space_name(x)));
  return false;
}

static bool check_sections(const BuiltinCall *call, const CopyForm *form,
                           TExpr **args) {
  SemaContext *cx = call->cx;
  TSection *to = check_copied(cx, call->args->data[0]);
  TSection *from = check_copied(cx, call->args->data[1]);
  if (!to || !from || !check_spaces(call, form, to, from) ||
      !check_section_size(cx, to))
    return false;
  if (to->array->is_const) {
    SEMA_ERROR(cx, to->span, not_assignable,
               DS(sema_format(cx, "'%s'", to->array->name)), DS("it is const"));
    return false;
  }
  if (!check_copy_is_same_shape(to, from)) {
    SEMA_ERROR(cx, call->span, section_shape, DS(shape_text(cx, from)),
               DS(shape_text(cx, to)));
    return false;
  }
  args[0] = section_expr(cx, to);
  args[1] = section_expr(cx, from);
  return true;
}

static const BuiltinWord combine_words[] = {
    {"add", TCOMBINE_PLUS},  {"min", TCOMBINE_MIN},
    {"max", TCOMBINE_MAX},   {"and", TCOMBINE_BIT_AND},
    {"or", TCOMBINE_BIT_OR}, {"xor", TCOMBINE_BIT_XOR},
    {NULL, TCOMBINE_NONE},
};

static const char *combine_needs(TCombine combine) {
  if (combine == TCOMBINE_PLUS)
    return "a section of int, long, float, double, half or bfloat16, signed or "
           "unsigned";
  if (combine == TCOMBINE_MIN || combine == TCOMBINE_MAX)
    return "a section of int, long, half or bfloat16, signed or unsigned";
  return "a section of int or long, signed or unsigned";
}

static bool engine_combines(TCombine combine, const Type *type) {
  type = type_underlying(type);
  if (type_is_integer(type) && type->kind != TY_BOOL)
    return type->size_bytes == 4 || type->size_bytes == 8;
  bool is_half = type_is(type, TY_HALF) || type_is(type, TY_BFLOAT16);
  if (combine == TCOMBINE_MIN || combine == TCOMBINE_MAX)
    return is_half;
  return combine == TCOMBINE_PLUS &&
         (is_half || type_is(type, TY_FLOAT) || type_is(type, TY_DOUBLE));
}

// tma_reduce(dst, src, op)
static TExpr *check_copy_reduces(const BuiltinCall *call, TExpr **args) {
  int combine;
  if (!builtin_word(call, 2, combine_words, TCOMBINE_NONE, &combine))
    return check_copy_poison(call);
  if (!engine_combines((TCombine)combine, args[0]->type))
    return builtin_refuse_type(call, 0, args[0]->type,
                               combine_needs((TCombine)combine));
  TExpr *result = builtin_void(call, call->builtin->id, args, 2);
  result->u.builtin.combine = (TCombine)combine;
  return result;
}

static bool check_copy_is_full(const TExpr *barrier) {
  return barrier->kind == TEXPR_BUILTIN;
}

TExpr *check_copy_call(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  const CopyForm *form = check_copy_form(call->builtin->id);
  uint32_t given = call->args->count;
  TExpr *args[4];
  if (!builtin_takes(call, form->least, form->most) ||
      !check_sections(call, form, args))
    return check_copy_poison(call);
  if (form->id == BI_TMA_REDUCE)
    return check_copy_reduces(call, args);
  if (given > 2) {
    args[2] = builtin_barrier(call, 2, true);
    if (!args[2])
      return check_copy_poison(call);
  }
  if (given > 3) {
    args[3] = builtin_mask(call, 3);
    if (!args[3])
      return check_copy_poison(call);
    if (check_copy_is_full(args[2])) {
      sema_not_available(cx, call->span, "a multicast into a pipeline");
      return check_copy_poison(call);
    }
  }
  if (form->id == BI_COPY_ASYNC &&
      !check_needs_group(cx, call->span, "copy_async"))
    return check_copy_poison(call);
  return builtin_void(call, form->id, args, given);
}

TExpr *check_bytes_of(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  if (!builtin_takes(call, 1, 1))
    return check_copy_poison(call);
  TSection *section = check_copied(cx, call->args->data[0]);
  if (!section || !check_section_size(cx, section))
    return check_copy_poison(call);
  uint64_t bytes = section_count(section) * section->array->element->size_bytes;
  return build_int(cx, sema_basic(cx, TY_ULONG), (int64_t)bytes, call->span);
}

// copy_commit(), copy_wait(n), their kin of the TMA, fence_async().
TExpr *check_copy_step(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  Builtin id = call->builtin->id;
  uint32_t n_args = id == BI_COPY_WAIT || id == BI_TMA_WAIT ||
                    id == BI_TMA_WAIT_READ || id == BI_WGMMA_WAIT;
  int64_t newest = 0;
  if (!builtin_takes(call, n_args, n_args) ||
      (n_args && !builtin_constant(call, 0, &newest)))
    return check_copy_poison(call);
  TExpr *count = build_int(cx, sema_basic(cx, TY_LONG), newest, call->span);
  return builtin_void(call, id, &count, n_args);
}

// --- copies of bytes by a group ---

// Argument `index` as a pointer to memory of one space; TSPACE_UNKNOWN: of any.
static TExpr *copied_pointer(const BuiltinCall *call, uint32_t index,
                             Space space, bool is_written) {
  SemaContext *cx = call->cx;
  TExpr *value = check_value(cx, call->args->data[index]);
  if (expr_is_poison(value))
    return NULL;
  const Type *type = value->type;
  const char *needed = NULL;
  if (type->kind != TY_POINTER)
    needed = space == TSPACE_UNKNOWN
                 ? "a pointer"
                 : sema_format(cx, "a pointer to %s memory", space_name(space));
  else if (space != TSPACE_UNKNOWN && type->u.pointer.space != space &&
           type->u.pointer.space != TSPACE_UNKNOWN)
    needed = sema_format(cx, "a pointer to %s memory", space_name(space));
  else if (is_written && type->u.pointer.to_const)
    needed = "a pointer to writable memory";
  if (!needed)
    return value;
  builtin_refuse_type(call, index, type, needed);
  return NULL;
}

static TExpr *size_argument(const BuiltinCall *call, uint32_t index) {
  TExpr *value = builtin_value(call, index, TY_LONG);
  if (!value || !expr_is_const(value) || value->u.value.i >= 0)
    return value;
  int64_t ignored;
  builtin_constant(call, index, &ignored);
  return NULL;
}

static TExpr *smaller_in_bytes(const BuiltinCall *call, TExpr *a, TExpr *b,
                               const Type *element) {
  SemaContext *cx = call->cx;
  const Type *type = sema_basic(cx, TY_LONG);
  TExpr *count;
  if (expr_is_const(a) && expr_is_const(b)) {
    count = a->u.value.i < b->u.value.i ? a : b;
  } else {
    TExpr *pair[2] = {a, b};
    count = build_call_builtin(cx, BI_MIN, type, pair, 2, call->span);
  }
  TExpr *size = build_int(cx, type, (int64_t)element->size_bytes, call->span);
  return build_binary(cx, TOP_MUL, "*", count, size, call->span);
}

// The five operands, or NULL: dst, nd, src, ns as a number of bytes.
static TExpr *check_copy_element_bytes(const BuiltinCall *call, uint32_t next,
                                       TExpr **args) {
  TExpr *n_to = size_argument(call, next + 1);
  TExpr *n_from = size_argument(call, next + 3);
  if (!n_to || !n_from || !args[1] || !args[2])
    return NULL;
  const Type *to = args[1]->type->u.pointer.pointee;
  const Type *from = args[2]->type->u.pointer.pointee;
  if (to == from && type_is_complete(to))
    return smaller_in_bytes(call, n_to, n_from, to);
  builtin_refuse_type(
      call, next + 2, args[2]->type,
      sema_format(call->cx, "a pointer to '%s'", sema_type_name(call->cx, to)));
  return NULL;
}

TExpr *check_memcpy_call(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  uint32_t next, given = call->args->count;
  TExpr *args[4];
  args[0] = builtin_group(call, &next);
  if (!args[0] || !builtin_in_block(call, args[0]))
    return check_copy_poison(call);
  bool has_counts = given == next + 4;
  if (!has_counts && !builtin_takes(call, next + 3, next + 3))
    return check_copy_poison(call);
  args[1] = copied_pointer(call, next, TSPACE_SHARED, true);
  args[2] = copied_pointer(call, has_counts ? next + 2 : next + 1,
                           TSPACE_GLOBAL, false);
  args[3] = has_counts ? check_copy_element_bytes(call, next, args)
                       : size_argument(call, next + 2);
  bool is_valid = args[1] && args[2] && args[3] && !expr_is_poison(args[3]);
  if (!is_valid || !check_needs_group(cx, call->span, "memcpy_async"))
    return check_copy_poison(call);
  return builtin_void(call, BI_MEMCPY_ASYNC, args, 4);
}

TExpr *check_copy_bytes(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  uint32_t next;
  TExpr *args[5];
  args[0] = builtin_group(call, &next);
  if (!args[0] || !builtin_in_block(call, args[0]) ||
      !builtin_takes(call, next + 3, next + 4))
    return check_copy_poison(call);
  bool has_barrier = call->args->count == next + 4;
  args[1] = copied_pointer(call, next, TSPACE_UNKNOWN, true);
  args[2] = copied_pointer(call, next + 1, TSPACE_UNKNOWN, false);
  args[3] = size_argument(call, next + 2);
  args[4] = has_barrier ? builtin_barrier(call, next + 3, false) : NULL;
  if (!args[1] || !args[2] || !args[3] || (has_barrier && !args[4]) ||
      !check_needs_group(cx, call->span, "copy_bytes"))
    return check_copy_poison(call);
  return builtin_void(call, BI_COPY_BYTES, args, has_barrier ? 5 : 4);
}

// With a barrier from global to shared memory, else back.
TExpr *check_copy_bulk(const BuiltinCall *call) {
  enum { UNIT = 16 };

  TExpr *args[4];
  if (!builtin_takes(call, 3, 4))
    return check_copy_poison(call);
  bool is_load = call->args->count == 4;
  args[0] =
      copied_pointer(call, 0, is_load ? TSPACE_SHARED : TSPACE_GLOBAL, true);
  args[1] =
      copied_pointer(call, 1, is_load ? TSPACE_GLOBAL : TSPACE_SHARED, false);
  args[2] = size_argument(call, 2);
  args[3] = is_load ? builtin_barrier(call, 3, false) : NULL;
  if (!args[0] || !args[1] || !args[2] || (is_load && !args[3]))
    return check_copy_poison(call);
  bool is_odd = expr_is_const(args[2]) && args[2]->u.value.i % UNIT != 0;
  if (is_odd && !call->cx->unevaluated) {
    SEMA_ERROR(call->cx, call->args->data[2]->span, barrier_value,
               DS("argument 3 of 'copy_bulk'"), DD(args[2]->u.value.i),
               DS("it must be a multiple of 16"));
    return check_copy_poison(call);
  }
  return builtin_void(call, BI_COPY_BULK, args, is_load ? 4 : 3);
}

TExpr *check_wait_prior(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  uint32_t next;
  int64_t newest;
  TExpr *args[2];
  args[0] = builtin_group(call, &next);
  if (!args[0] || !builtin_in_block(call, args[0]) ||
      !builtin_takes(call, next + 1, next + 1) ||
      !builtin_constant(call, next, &newest) ||
      !check_needs_group(cx, call->span, "wait_prior"))
    return check_copy_poison(call);
  args[1] = build_int(cx, sema_basic(cx, TY_LONG), newest, call->span);
  return builtin_void(call, BI_MEMCPY_WAIT, args, 2);
}

// --- semaphores ---

TExpr *check_semaphore_call(const BuiltinCall *call) {
  TExpr *args[2];
  if (!builtin_takes(call, 2, 2))
    return check_copy_poison(call);
  args[0] = copied_pointer(call, 0, TSPACE_GLOBAL, true);
  args[1] = builtin_value(call, 1, TY_UINT);
  if (!args[0] || !args[1])
    return check_copy_poison(call);
  if (!type_is(args[0]->type->u.pointer.pointee, TY_UINT))
    return builtin_refuse_type(call, 0, args[0]->type,
                               "a pointer to a global unsigned int");
  return builtin_void(call, call->builtin->id, args, 2);
}

// --- other blocks' shared memory ---

TExpr *check_map_shared(const BuiltinCall *call) {
  SemaContext *cx = call->cx;
  bool is_map = call->builtin->id == BI_MAP_SHARED;
  uint32_t n_args = is_map ? 3 : 2;
  TExpr *args[3];
  if (!builtin_takes(call, n_args, n_args))
    return check_copy_poison(call);
  args[0] = check_group_expr(cx, call->args->data[0],
                             sema_format(cx, "argument 1 of '%s'", call->name));
  args[1] = copied_pointer(call, 1, TSPACE_SHARED, false);
  args[2] = is_map ? builtin_value(call, 2, TY_INT) : NULL;
  if (expr_is_poison(args[0]) || !args[1] || (is_map && !args[2]))
    return check_copy_poison(call);
  if (args[0]->u.group.facts.ref != TGROUP_CLUSTER)
    return builtin_refuse_type(call, 0, args[0]->type, "this_cluster()");
  const Type *result = is_map ? args[1]->type : sema_basic(cx, TY_INT);
  return build_call_builtin(cx, call->builtin->id, result, args, n_args,
                            call->span);
}
