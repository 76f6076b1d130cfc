// SPDX-License-Identifier: Apache-2.0
#include "cuda/form/cu_type.h"

#include "base/panic.h"
#include "cuda/form/cu_record.h"

static const struct {
  const char *name;
  uint8_t size_bytes;
} basics[] = {
    [CU_POISON] = {"<error>", 0},
    [CU_VOID] = {"void", 0},
    [CU_BOOL] = {"bool", 1},
    [CU_CHAR] = {"char", 1},
    [CU_SCHAR] = {"signed char", 1},
    [CU_UCHAR] = {"unsigned char", 1},
    [CU_SHORT] = {"short", 2},
    [CU_USHORT] = {"unsigned short", 2},
    [CU_INT] = {"int", 4},
    [CU_UINT] = {"unsigned int", 4},
    [CU_LONG] = {"long", 8},
    [CU_ULONG] = {"unsigned long", 8},
    [CU_LLONG] = {"long long", 8},
    [CU_ULLONG] = {"unsigned long long", 8},
    [CU_HALF] = {"_Float16", 2},
    [CU_BFLOAT16] = {"__bf16", 2},
    [CU_FLOAT] = {"float", 4},
    [CU_DOUBLE] = {"double", 8},
    [CU_NULLPTR] = {"std::nullptr_t", 8},
    [CU_OVERLOADS] = {"<function>", 0},
    [CU_LIST] = {"<initialiser list>", 0},
};

void cu_types_init(CuTypes *types, Arena *arena) {
  types->arena = arena;
  for (int i = 0; i <= CU_LIST; i++) {
    types->basic[i].kind = (CuTypeKind)i;
    types->basic[i].plain = &types->basic[i];
  }
}

const CuType *cu_basic(const CuTypes *types, CuTypeKind kind) {
  return &types->basic[kind];
}

CuType *cu_new_type(CuTypes *types, CuTypeKind kind) {
  CuType *type = ARENA_NEW(types->arena, CuType);
  type->kind = kind;
  type->plain = type;
  return type;
}

// The lists of types made of a type are no part of its value.
static CuType *derived(const CuType *type) {
  return (CuType *)(uintptr_t)type;
}

const CuType *cu_pointer(CuTypes *types, const CuType *to) {
  CuType *base = derived(to);
  if (to->kind == CU_POISON)
    return to;
  if (!base->pointer) {
    base->pointer = cu_new_type(types, CU_POINTER);
    base->pointer->u.inner = to;
  }
  return base->pointer;
}

const CuType *cu_number(CuTypes *types, const CuType *pointer, uint32_t bytes) {
  const CuType *whole = cu_pointer(types, pointer->u.inner);
  if (!bytes || whole->kind == CU_POISON)
    return whole;
  CuType *base = derived(whole);
  if (!base->numbers[bytes == 8]) {
    CuType *made = cu_new_type(types, CU_POINTER);
    made->u.inner = whole->u.inner;
    made->number_bytes = (uint8_t)bytes;
    base->numbers[bytes == 8] = made;
  }
  return base->numbers[bytes == 8];
}

const CuType *cu_reference(CuTypes *types, const CuType *to, bool is_rvalue) {
  if (to->kind == CU_POISON)
    return to;
  if (to->kind == CU_REFERENCE) {
    is_rvalue = is_rvalue && to->is_rvalue;
    to = to->u.inner;
  }
  CuType *base = derived(to);
  if (!base->references[is_rvalue]) {
    CuType *made = cu_new_type(types, CU_REFERENCE);
    made->u.inner = to;
    made->is_rvalue = is_rvalue;
    base->references[is_rvalue] = made;
  }
  return base->references[is_rvalue];
}

const CuType *cu_array(CuTypes *types, const CuType *element, int64_t extent) {
  if (element->kind == CU_POISON)
    return element;
  CuType *base = derived(element);
  for (CuType *made = base->arrays; made; made = made->next) {
    if (made->u.array.extent == extent)
      return made;
  }
  CuType *made = cu_new_type(types, CU_ARRAY);
  made->u.array.element = element;
  made->u.array.extent = extent;
  made->next = base->arrays;
  base->arrays = made;
  return made;
}

const CuType *cu_qualified(CuTypes *types, const CuType *type, uint8_t quals) {
  quals &= CX_QUAL_CONST | CX_QUAL_VOLATILE;
  if (!quals || type->kind == CU_REFERENCE || type->kind == CU_POISON ||
      type->kind == CU_FUNCTION)
    return type;
  if (type->kind == CU_ARRAY)
    return cu_array(types, cu_qualified(types, type->u.array.element, quals),
                    type->u.array.extent);
  quals |= type->quals;
  CuType *base = derived(type->plain);
  if (quals == type->quals)
    return type;
  if (!base->qualified[quals]) {
    CuType *made = ARENA_NEW(types->arena, CuType);
    made->kind = base->kind;
    made->u = base->u;
    made->number_bytes = base->number_bytes;
    made->plain = base;
    made->quals = quals;
    base->qualified[quals] = made;
  }
  return base->qualified[quals];
}

static bool has_params(const CuType *function, const CuType *const *params,
                       uint32_t n_params) {
  if (function->u.function.n_params != n_params)
    return false;
  for (uint32_t i = 0; i < n_params; i++) {
    if (function->u.function.params[i] != params[i])
      return false;
  }
  return true;
}

const CuType *cu_function(CuTypes *types, const CuType *result,
                          const CuType *const *params, uint32_t n_params) {
  CuType *base = derived(result);
  for (CuType *made = base->functions; made; made = made->next) {
    if (has_params(made, params, n_params))
      return made;
  }
  CuType *made = cu_new_type(types, CU_FUNCTION);
  made->u.function.result = result;
  made->u.function.params =
      ARENA_ARRAY(types->arena, const CuType *, n_params + 1);
  for (uint32_t i = 0; i < n_params; i++)
    made->u.function.params[i] = params[i];
  made->u.function.n_params = n_params;
  made->next = base->functions;
  base->functions = made;
  return made;
}

// ---------------------------------------------------------------- questions

bool cu_is(const CuType *type, CuTypeKind kind) {
  return type->kind == kind;
}

bool cu_is_poison(const CuType *type) {
  return type->kind == CU_POISON;
}

bool cu_is_integer(const CuType *type) {
  return type->kind >= CU_BOOL && type->kind <= CU_ULLONG;
}

bool cu_is_signed(const CuType *type) {
  switch ((int)type->kind) {
  case CU_CHAR:
  case CU_SCHAR:
  case CU_SHORT:
  case CU_INT:
  case CU_LONG:
  case CU_LLONG: return true;
  default: return false;
  }
}

bool cu_is_floating(const CuType *type) {
  return type->kind >= CU_HALF && type->kind <= CU_DOUBLE;
}

bool cu_is_arithmetic(const CuType *type) {
  return type->kind >= CU_BOOL && type->kind <= CU_DOUBLE;
}

bool cu_is_unscoped_enum(const CuType *type) {
  return type->kind == CU_ENUM && !type->u.enumeration->is_scoped;
}

bool cu_is_const(const CuType *type) {
  return (cu_array_base(type)->quals & CX_QUAL_CONST) != 0;
}

bool cu_is_number(const CuType *type) {
  return type->kind == CU_POINTER && type->number_bytes > 0;
}

bool cu_is_scalar(const CuType *type) {
  return cu_is_arithmetic(type) || type->kind == CU_ENUM ||
         type->kind == CU_POINTER || type->kind == CU_NULLPTR;
}

const CuType *cu_referred(const CuType *type) {
  return type->kind == CU_REFERENCE ? type->u.inner : type;
}

const CuType *cu_plain(const CuType *type) {
  return type->plain;
}

const CuType *cu_array_base(const CuType *type) {
  while (type->kind == CU_ARRAY)
    type = type->u.array.element;
  return type;
}

uint32_t cu_bits(const CuType *type) {
  if (type->kind == CU_BOOL)
    return 1;
  return type->kind <= CU_DOUBLE ? basics[type->kind].size_bytes * 8u : 0;
}

uint64_t cu_size(const CuType *type) {
  switch ((int)type->kind) {
  case CU_POINTER: return type->number_bytes ? type->number_bytes : 8;
  case CU_REFERENCE: return cu_size(type->u.inner);
  case CU_ARRAY:
    return type->u.array.extent < 0 ? 0
                                    : (uint64_t)type->u.array.extent *
                                          cu_size(type->u.array.element);
  case CU_RECORD: return type->u.record->size_bytes;
  case CU_ENUM: return cu_size(type->u.enumeration->underlying);
  case CU_FUNCTION:
  case CU_LAMBDA: return 0;
  default: return basics[type->kind].size_bytes;
  }
}

uint64_t cu_align(const CuType *type) {
  switch ((int)type->kind) {
  case CU_REFERENCE: return cu_align(type->u.inner);
  case CU_ARRAY: return cu_align(type->u.array.element);
  case CU_RECORD: return type->u.record->align_bytes;
  default: return cu_size(type);
  }
}

// ---------------------------------------------------------------- in words

static void type_print_quals(uint8_t quals, Text *out) {
  if (quals & CX_QUAL_CONST)
    text_add(out, "const ");
  if (quals & CX_QUAL_VOLATILE)
    text_add(out, "volatile ");
}

// `what` points or refers to it: "(*)".
static void print_function(const CuType *type, const char *what, Text *out) {
  cu_type_print(type->u.function.result, out);
  text_printf(out, " %s(", what);
  for (uint32_t i = 0; i < type->u.function.n_params; i++) {
    text_add(out, i ? ", " : "");
    cu_type_print(type->u.function.params[i], out);
  }
  text_add(out, ")");
}

static void print_array(const CuType *type, Text *out) {
  cu_type_print(cu_array_base(type), out);
  text_add(out, " ");
  for (; type->kind == CU_ARRAY; type = type->u.array.element) {
    if (type->u.array.extent < 0)
      text_add(out, "[]");
    else
      text_printf(out, "[%lld]", (long long)type->u.array.extent);
  }
}

void cu_type_print(const CuType *type, Text *out) {
  switch ((int)type->kind) {
  case CU_POINTER:
    if (type->number_bytes) {
      text_add(out, basics[type->number_bytes == 4 ? CU_UINT : CU_ULONG].name);
      return;
    }
    if (type->u.inner->kind == CU_FUNCTION) {
      print_function(type->u.inner, "(*)", out);
      return;
    }
    cu_type_print(type->u.inner, out);
    text_add(out, type->u.inner->kind == CU_POINTER ? "*" : " *");
    text_add(out, type->quals & CX_QUAL_CONST ? "const" : "");
    return;
  case CU_REFERENCE:
    cu_type_print(type->u.inner, out);
    text_add(out, type->is_rvalue ? " &&" : " &");
    return;
  case CU_ARRAY: print_array(type, out); return;
  case CU_FUNCTION: print_function(type, "", out); return;
  default: break;
  }
  type_print_quals(type->quals, out);
  if (type->kind == CU_RECORD)
    text_add(out, type->u.record->shown);
  else if (type->kind == CU_ENUM)
    text_add(out, type->u.enumeration->shown);
  else if (type->kind == CU_LAMBDA)
    text_add(out, CU_LAMBDA_NAME);
  else
    text_add(out, basics[type->kind].name);
}

const char *cu_type_text(Arena *arena, const CuType *type) {
  Text text = {.arena = arena};
  cu_type_print(type, &text);
  return text_cstr(&text);
}
