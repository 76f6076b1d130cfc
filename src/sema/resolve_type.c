// SPDX-License-Identifier: Apache-2.0
// From types as written to types.
#include "sema/tile.h"

#include "base/bits.h"
#include "sema/type/constants.h"
#include <string.h>

enum { MAX_RANK = 8, MAX_ALIGNMENT = 4096 };

QualType sema_plain(const Type *type) {
  QualType plain = {.type = type};
  return plain;
}

static QualType poison_type(SemaContext *cx) {
  return sema_plain(sema_basic(cx, TY_POISON));
}

// --- the outermost scope ---

typedef struct {
  const char *name;
  TypeKind kind;
  uint32_t lanes; // 0: a scalar
} BuiltinTypeName;

#define VECTORS(text, kind)                                                    \
  {text "2", kind, 2}, {text "3", kind, 3}, {                                  \
    text "4", kind, 4                                                          \
  }

static const BuiltinTypeName builtin_type_names[] = {
    {"half", TY_HALF, 0},
    {"bfloat16", TY_BFLOAT16, 0},
    {"fp8_e4m3", TY_FP8_E4M3, 0},
    {"fp8_e5m2", TY_FP8_E5M2, 0},
    {"tf32", TY_TF32, 0},
    {"fp4_e2m1", TY_FP4_E2M1, 0},
    {"fp6_e2m3", TY_FP6_E2M3, 0},
    {"fp6_e3m2", TY_FP6_E3M2, 0},
    {"fp8_e8m0", TY_FP8_E8M0, 0},
    {"int1_p", TY_INT1_P, 0},
    {"int2_p", TY_INT2_P, 0},
    {"int3_p", TY_INT3_P, 0},
    {"int4_p", TY_INT4_P, 0},
    {"int5_p", TY_INT5_P, 0},
    {"int6_p", TY_INT6_P, 0},
    {"int7_p", TY_INT7_P, 0},
    {"uint1_p", TY_UINT1_P, 0},
    {"uint2_p", TY_UINT2_P, 0},
    {"uint3_p", TY_UINT3_P, 0},
    {"uint4_p", TY_UINT4_P, 0},
    {"uint5_p", TY_UINT5_P, 0},
    {"uint6_p", TY_UINT6_P, 0},
    {"uint7_p", TY_UINT7_P, 0},
    {"size_t", TY_ULONG, 0},
    {"ptrdiff_t", TY_LONG, 0},
    {"int8_t", TY_SCHAR, 0},
    {"int16_t", TY_SHORT, 0},
    {"int32_t", TY_INT, 0},
    {"int64_t", TY_LONG, 0},
    {"uint8_t", TY_UCHAR, 0},
    {"uint16_t", TY_USHORT, 0},
    {"uint32_t", TY_UINT, 0},
    {"uint64_t", TY_ULONG, 0},
    {"intptr_t", TY_LONG, 0},
    {"uintptr_t", TY_ULONG, 0},
    {"intmax_t", TY_LONG, 0},
    {"uintmax_t", TY_ULONG, 0},
    VECTORS("char", TY_CHAR),
    VECTORS("uchar", TY_UCHAR),
    VECTORS("short", TY_SHORT),
    VECTORS("ushort", TY_USHORT),
    VECTORS("int", TY_INT),
    VECTORS("uint", TY_UINT),
    VECTORS("long", TY_LONG),
    VECTORS("ulong", TY_ULONG),
    VECTORS("longlong", TY_LLONG),
    VECTORS("ulonglong", TY_ULLONG),
    VECTORS("float", TY_FLOAT),
    VECTORS("double", TY_DOUBLE),
    VECTORS("half", TY_HALF),
    VECTORS("bfloat16", TY_BFLOAT16),
};

void sema_builtin_types_init(SemaContext *cx) {
  size_t count = sizeof(builtin_type_names) / sizeof(*builtin_type_names);
  for (size_t i = 0; i < count; i++) {
    const BuiltinTypeName *row = &builtin_type_names[i];
    const Type *type = sema_basic(cx, row->kind);
    if (row->lanes)
      type = type_vector(cx->types, type, row->lanes);
    map_put(cx->arena, &cx->builtin_types,
            MAP_KEY(intern_cstr(cx->names, row->name)),
            arena_copy(cx->arena, &type, sizeof(type)));
  }
}

const Type *sema_builtin_type(SemaContext *cx, const char *name) {
  const Type *const *slot = map_get(&cx->builtin_types, MAP_KEY(name));
  return slot ? *slot : NULL;
}

static bool is_byte_name(const char *name) {
  return strcmp(name, "int8_p") == 0 || strcmp(name, "uint8_p") == 0;
}

QualType sema_resolve_element(SemaContext *cx, const TypeSyntax *syntax,
                              ArrayContext *arrays) {
  bool before = cx->takes_narrow;
  cx->takes_narrow = true;
  QualType type = sema_resolve_type(cx, syntax, arrays);
  cx->takes_narrow = before;
  return type;
}

// A type that isn't an element, whatever stands around it.
static QualType resolve_no_element(SemaContext *cx, const TypeSyntax *syntax) {
  bool before = cx->takes_narrow;
  cx->takes_narrow = false;
  QualType type = syntax->kind == TYPE_STRUCT || syntax->kind == TYPE_UNION
                      ? sema_resolve_record(cx, syntax)
                      : sema_resolve_type(cx, syntax, NULL);
  cx->takes_narrow = before;
  return type;
}

static QualType resolve_narrow(SemaContext *cx, const TypeSyntax *syntax,
                               const Type *type) {
  if (cx->takes_narrow)
    return sema_plain(type);
  SEMA_ERROR(cx, syntax->span, narrow_place, NT(cx, type),
             DS("elements of tiles and of array parameters"));
  return poison_type(cx);
}

static QualType resolve_name(SemaContext *cx, const TypeSyntax *syntax) {
  const char *name = syntax->u.named;
  Symbol *symbol = sema_scope_find(cx, name);
  if (symbol && symbol->kind == SYMBOL_TYPE)
    return symbol->type;
  if (symbol && symbol->kind == SYMBOL_POISON)
    return poison_type(cx);
  const Type *builtin = symbol ? NULL : sema_builtin_type(cx, name);
  if (builtin)
    return type_is_narrow(builtin) ? resolve_narrow(cx, syntax, builtin)
                                   : sema_plain(builtin);
  if (!symbol && is_byte_name(name))
    SEMA_ERROR(cx, syntax->span, not_in_kernels,
               DS(sema_format(cx, "'%s'", name)),
               DS(name[0] == 'u' ? "write uint8_t" : "write int8_t"));
  else
    SEMA_ERROR(cx, syntax->span, unknown_type, DS(name));
  return poison_type(cx);
}

// --- C's own words ---

static QualType resolve_builtin(SemaContext *cx, const TypeSyntax *syntax) {
  static const TypeKind kinds[] = {
      [BUILTIN_VOID] = TY_VOID,      [BUILTIN_BOOL] = TY_BOOL,
      [BUILTIN_CHAR] = TY_CHAR,      [BUILTIN_SCHAR] = TY_SCHAR,
      [BUILTIN_UCHAR] = TY_UCHAR,    [BUILTIN_SHORT] = TY_SHORT,
      [BUILTIN_USHORT] = TY_USHORT,  [BUILTIN_INT] = TY_INT,
      [BUILTIN_UINT] = TY_UINT,      [BUILTIN_LONG] = TY_LONG,
      [BUILTIN_ULONG] = TY_ULONG,    [BUILTIN_LLONG] = TY_LLONG,
      [BUILTIN_ULLONG] = TY_ULLONG,  [BUILTIN_HALF] = TY_HALF,
      [BUILTIN_FLOAT] = TY_FLOAT,    [BUILTIN_DOUBLE] = TY_DOUBLE,
      [BUILTIN_LDOUBLE] = TY_POISON,
  };
  if (syntax->u.builtin == BUILTIN_LDOUBLE)
    SEMA_ERROR(cx, syntax->span, not_in_kernels, DS("'long double'"),
               DS("use double"));
  return sema_plain(sema_basic(cx, kinds[syntax->u.builtin]));
}

// --- derived types ---

// What lies behind another pointer, in an array or in a field isn't bound
// separately: a pointer there is global unless it says otherwise.
static const Type *resolve_type_settle(SemaContext *cx, QualType inner) {
  if (!inner.takes_space || inner.type->kind != TY_POINTER)
    return inner.type;
  return type_pointer(cx->types, inner.type->u.pointer.pointee, TSPACE_GLOBAL,
                      inner.type->u.pointer.to_const);
}

static QualType resolve_pointer(SemaContext *cx, const TypeSyntax *syntax) {
  const TypeSyntax *inner = syntax->u.pointer.pointee;
  if (inner->kind == TYPE_FUNCTION) {
    SEMA_ERROR(cx, syntax->span, not_in_kernels, DS("a pointer to a function"),
               DS("call the function by name, or select with if"));
    return poison_type(cx);
  }
  QualType pointee = resolve_no_element(cx, inner);
  if (type_is_poison(pointee.type))
    return pointee;
  if (inner->kind == TYPE_TILE) {
    sema_may_lie(cx, syntax->span, type_tile(cx->types, pointee.type, 0, NULL),
                 "pointed to");
    return poison_type(cx);
  }
  if (pointee.type->kind == TY_GROUP) {
    SEMA_ERROR0(cx, syntax->span, group_pointed);
    return poison_type(cx);
  }
  if (!sema_may_lie(cx, syntax->span, pointee.type, "pointed to"))
    return poison_type(cx);
  QualType result = {.takes_space = pointee.space == TSPACE_UNKNOWN};
  result.type = type_pointer(cx->types, resolve_type_settle(cx, pointee),
                             pointee.space, pointee.is_const);
  return result;
}

// The extent as a number: -1 when it is left open or known only at run time.
static bool resolve_extent(SemaContext *cx, const TypeSyntax *syntax,
                           ArrayContext *arrays, uint32_t dimension,
                           int64_t *extent) {
  const Expr *written = syntax->u.array.extent;
  *extent = -1;
  if (!written) {
    if (arrays && arrays->allows_open && dimension == 0)
      return true;
    SEMA_ERROR(cx, syntax->u.array.brackets, not_constant,
               DS("this array extent"));
    return false;
  }
  if (arrays && arrays->allows_runtime) {
    TExpr *value = arrays->is_function
                       ? check_long(cx, written, "an array extent")
                       : check_host_long(cx, written, "an array extent");
    if (expr_is_poison(value))
      return false;
    arrays->extents[dimension] = value;
    if (!expr_is_const(value))
      return true;
    *extent = value->u.value.i;
  } else if (!check_const_int(cx, written, "an array extent", extent)) {
    return false;
  }
  if (*extent > 0)
    return true;
  SEMA_ERROR(cx, written->span, array_extent, DD(*extent));
  return false;
}

static QualType resolve_array(SemaContext *cx, const TypeSyntax *syntax,
                              ArrayContext *arrays) {
  uint32_t dimension = arrays ? arrays->rank++ : 0;
  if (arrays && arrays->rank > MAX_RANK) {
    SEMA_ERROR(cx, syntax->span, array_rank, DS(arrays->what), DU(arrays->rank),
               DU(MAX_RANK));
    return poison_type(cx);
  }
  int64_t extent;
  bool is_valid = resolve_extent(cx, syntax, arrays, dimension, &extent);
  QualType element = sema_resolve_type(cx, syntax->u.array.element, arrays);
  if (!is_valid || type_is_poison(element.type))
    return poison_type(cx);
  const Type *inner = resolve_type_settle(cx, element);
  if (inner->kind == TY_GROUP) {
    SEMA_ERROR(cx, syntax->span, group_stored, DS("an element of an array"));
    return poison_type(cx);
  }
  if (inner->kind == TY_VOID) {
    SEMA_ERROR(cx, syntax->span, bad_type, DS("an array element"),
               NT(cx, inner));
    return poison_type(cx);
  }
  if (inner->kind != TY_MBARRIER &&
      !sema_may_lie(cx, syntax->span, inner, "stored in an array"))
    return poison_type(cx);
  if (!type_is_complete(type_array_base(inner, NULL))) {
    SEMA_ERROR(cx, syntax->span, incomplete_type, NT(cx, inner));
    return poison_type(cx);
  }
  QualType result = element;
  result.takes_space = false;
  result.type = type_array(cx->types, inner, extent);
  if (result.type)
    return result;
  SEMA_ERROR(cx, syntax->span, too_large, DS("this array"),
             DU((uint64_t)1 << 60));
  return poison_type(cx);
}

static QualType resolve_typeof(SemaContext *cx, const TypeSyntax *syntax) {
  if (syntax->kind == TYPE_TYPEOF_TYPE)
    return sema_resolve_type(cx, syntax->u.inner, NULL);
  cx->unevaluated++;
  TExpr *expr = check_expr(cx, syntax->u.expr);
  cx->unevaluated--;
  QualType result = sema_plain(expr->type);
  result.is_const = expr->is_const_place;
  return result;
}

// --- barriers ---

static QualType resolve_counted(SemaContext *cx, const TypeSyntax *syntax) {
  bool is_barrier = syntax->kind == TYPE_MBARRIER;
  QualType result =
      sema_plain(sema_basic(cx, is_barrier ? TY_MBARRIER : TY_PIPELINE));
  if (!syntax->u.expr)
    return result;
  const char *what =
      is_barrier ? "the count of an mbarrier" : "the stages of a pipeline";
  int64_t most = is_barrier ? SEMA_MAX_ARRIVALS : SEMA_MAX_STAGES;
  if (!check_const_int(cx, syntax->u.expr, what, &result.count))
    return poison_type(cx);
  if (result.count >= 1 && result.count <= most)
    return result;
  SEMA_ERROR(cx, syntax->u.expr->span, barrier_count, DS(what), DD(most),
             DD(result.count));
  return poison_type(cx);
}

// group, group(n)
static QualType resolve_group(SemaContext *cx, const TypeSyntax *syntax) {
  QualType result = sema_plain(sema_basic(cx, TY_GROUP));
  const Expr *size = syntax->u.expr;
  if (!size)
    return result;
  if (!check_const_int(cx, size, "the size of a group", &result.group_size))
    return poison_type(cx);
  if (result.group_size > 0)
    return result;
  SEMA_ERROR(cx, size->span, group_count, DD(result.group_size));
  return poison_type(cx);
}

static QualType resolve_type_function(SemaContext *cx,
                                      const TypeSyntax *syntax) {
  SEMA_ERROR(cx, syntax->span, not_in_kernels, DS("a function type here"),
             DS("declare the function at file scope"));
  return poison_type(cx);
}

static QualType resolve_unqualified(SemaContext *cx, const TypeSyntax *syntax,
                                    ArrayContext *arrays) {
  switch (syntax->kind) {
  case TYPE_POISON: build_note_poison(cx, syntax->span); return poison_type(cx);
  case TYPE_BUILTIN: return resolve_builtin(cx, syntax);
  case TYPE_NAMED: return resolve_name(cx, syntax);
  case TYPE_STRUCT:
  case TYPE_UNION: return resolve_no_element(cx, syntax);
  case TYPE_ENUM: return sema_resolve_enum(cx, syntax);
  case TYPE_POINTER: return resolve_pointer(cx, syntax);
  case TYPE_ARRAY:
    return is_tile_syntax(syntax) ? tile_resolve(cx, syntax)
                                  : resolve_array(cx, syntax, arrays);
  case TYPE_FUNCTION: return resolve_type_function(cx, syntax);
  case TYPE_TYPEOF_EXPR:
  case TYPE_TYPEOF_TYPE: return resolve_typeof(cx, syntax);
  case TYPE_ATOMIC:
    SEMA_ERROR(
        cx, syntax->span, not_in_kernels, DS("'_Atomic'"),
        DS("use atomic_load, atomic_add and the other atomic functions"));
    return poison_type(cx);
  case TYPE_GROUP: return resolve_group(cx, syntax);
  case TYPE_TILE: return tile_resolve(cx, syntax);
  case TYPE_TOKEN: return sema_plain(sema_basic(cx, TY_TOKEN));
  case TYPE_MBARRIER:
  case TYPE_PIPELINE: return resolve_counted(cx, syntax);
  }
  return poison_type(cx);
}

// --- qualifiers ---

static Space space_of_quals(uint32_t quals) {
  if (quals & QUAL_GLOBAL)
    return TSPACE_GLOBAL;
  if (quals & (QUAL_SHARED | QUAL_TMEM))
    return TSPACE_SHARED;
  if (quals & QUAL_CONSTANT)
    return TSPACE_CONSTANT;
  if (quals & QUAL_LOCAL)
    return TSPACE_LOCAL;
  return quals & QUAL_GENERIC ? TSPACE_GENERIC : TSPACE_UNKNOWN;
}

static bool refuse_quals(SemaContext *cx, const TypeSyntax *syntax) {
  uint32_t quals = syntax->quals;
  if (quals & QUAL_VOLATILE)
    SEMA_ERROR(cx, syntax->span, not_in_kernels, DS("'volatile'"),
               DS("use atomic_load and atomic_store"));
  else if (quals & QUAL_ATOMIC)
    SEMA_ERROR(
        cx, syntax->span, not_in_kernels, DS("'_Atomic'"),
        DS("use atomic_load, atomic_add and the other atomic functions"));
  else if ((quals & QUAL_TMEM) && syntax != cx->tensor_syntax)
    SEMA_ERROR(cx, syntax->span, bad_qualifier, DS("tmem"),
               DS("only arrays that a function declares lie in tensor memory"));
  else if ((quals & QUAL_CLUSTER) && !(quals & QUAL_SHARED))
    SEMA_ERROR(cx, syntax->span, bad_qualifier, DS("cluster"),
               DS("only 'shared' memory can belong to a whole cluster"));
  else
    return true;
  return false;
}

static bool apply_quals(SemaContext *cx, const TypeSyntax *syntax,
                        QualType *type) {
  Space space = space_of_quals(syntax->quals);
  uint32_t spaces = syntax->quals & QUAL_SPACES;
  bool is_second = bits_has_several(spaces) ||
                   (space && type->space && type->space != space);
  if (is_second) {
    SEMA_ERROR(cx, syntax->span, bad_qualifier, DS(space_name(space)),
               DS("it already has another memory space"));
    return false;
  }
  if (space)
    type->space = space;
  type->is_const |= (syntax->quals & QUAL_CONST) != 0;
  type->is_cluster |= (syntax->quals & QUAL_CLUSTER) != 0;
  return true;
}

QualType sema_resolve_type(SemaContext *cx, const TypeSyntax *syntax,
                           ArrayContext *arrays) {
  if (!refuse_quals(cx, syntax))
    return poison_type(cx);
  QualType type = resolve_unqualified(cx, syntax, arrays);
  if (type_is_poison(type.type) || !apply_quals(cx, syntax, &type))
    return poison_type(cx);
  return type;
}

// --- alignment ---

static bool alignment_value(SemaContext *cx, const AlignSpec *spec,
                            int64_t *value) {
  if (!spec->type)
    return check_const_int(cx, spec->expr, "an alignment", value);
  QualType type = sema_resolve_type(cx, spec->type, NULL);
  *value = (int64_t)type.type->align_bytes;
  return !type_is_poison(type.type);
}

uint32_t sema_resolve_alignment(SemaContext *cx, const Decl *decl,
                                const Type *type) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < decl->n_aligns; i++) {
    int64_t value;
    if (!alignment_value(cx, &decl->aligns[i], &value) || value == 0)
      continue;
    const char *reason = NULL;
    if (!is_power_of_two(value))
      reason = "it must be a power of two";
    else if (value > MAX_ALIGNMENT)
      reason = "the limit is 4096 bytes";
    else if (value < (int64_t)type->align_bytes)
      reason = sema_format(cx, "'%s' already needs %u bytes",
                           sema_type_name(cx, type), type->align_bytes);
    if (reason)
      SEMA_ERROR(cx, decl->aligns[i].span, alignment, DD(value), DS(reason));
    else if ((uint32_t)value > result)
      result = (uint32_t)value;
  }
  return result;
}
