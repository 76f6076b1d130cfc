// SPDX-License-Identifier: Apache-2.0
// Instructions of inline assembly as calls: the prelude (ptx_*.h) is the table
// of them.
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_local.h"
#include "cuda/form/cu_overload.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_resolve.h"
#include "cuda/form/cu_scope.h"
#include "cuda/form/cu_tree.h"
#include "cuda/translate/cu_asm_parts.h"
#include "cxx/cx_parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void cu_asm_refuse(CuContext *cu, const CuInstruction *instruction) {
  if (!instruction->scope->has_failed)
    cu_unsupported(cu, instruction->stmt->keyword,
                   cu_format(cu, "'%s' in inline assembly", instruction->op),
                   "use a built-in function for it");
  instruction->scope->has_failed = true;
}

// --- registers ---

static const CuType *register_type(CuContext *cu, const char *name) {
  static const struct {
    const char *name;
    CuTypeKind kind;
  } types[] = {{".pred", CU_BOOL}, {".b16", CU_USHORT}, {".u16", CU_USHORT},
               {".s16", CU_SHORT}, {".b32", CU_UINT},   {".u32", CU_UINT},
               {".s32", CU_INT},   {".b64", CU_ULLONG}, {".u64", CU_ULLONG},
               {".s64", CU_LLONG}, {".f32", CU_FLOAT},  {".f64", CU_DOUBLE}};

  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
    if (strcmp(types[i].name, name) == 0)
      return cu_basic(&cu->types, types[i].kind);
  return NULL;
}

static bool asm_ptx_is_identifier(const char *text) {
  for (const char *at = text; *at; at++)
    if (!isalnum((unsigned char)*at) && *at != '_')
      return false;
  return *text && !isdigit((unsigned char)*text);
}

void cu_asm_registers(CuContext *cu, CuAsmScope *scope, char *text) {
  static const char separators[] = " \t\n,";
  Span span = scope->stmt->keyword;
  CuInstruction declaration = {.stmt = scope->stmt, .scope = scope};
  declaration.op = cu_format(cu, ".reg %s", text);
  char *rest = NULL;
  const char *name = strtok_r(text, separators, &rest);
  const CuType *type = name ? register_type(cu, name) : NULL;
  if (!type)
    cu_asm_refuse(cu, &declaration);
  while (type && (name = strtok_r(NULL, separators, &rest)) != NULL) {
    const char *wanted = name + strspn(name, "%"); // "%%p" in operands
    if (!asm_ptx_is_identifier(wanted)) {
      cu_asm_refuse(cu, &declaration);
      return;
    }
    CuVariable *variable = cu_new_local(cu, wanted, type);
    cu_add_local(cu, variable, NULL, span);
    variable->name->is_told = true;
    cu_declare_local(cu, variable, NULL, NULL);
    CuRegister made = {arena_strdup(cu->arena, name), variable};
    VEC_PUSH(cu->arena, &scope->registers, made);
  }
}

static CuVariable *find_register(const CuAsmScope *scope, const char *name) {
  for (uint32_t i = scope->registers.count; i > 0; i--)
    if (strcmp(scope->registers.data[i - 1].name, name) == 0)
      return scope->registers.data[i - 1].variable;
  return NULL;
}

// --- operands ---

static CuValue asm_ptx_number(CuContext *cu, const char *text, Span span) {
  char *end = NULL;
  if (text[0] == '0' && (text[1] == 'f' || text[1] == 'F') &&
      strlen(text) == 10) {
    uint32_t bits = (uint32_t)strtoul(text + 2, &end, 16);
    float value;
    memcpy(&value, &bits, sizeof value);
    const CuType *type = cu_basic(&cu->types, CU_FLOAT);
    return *end ? cu_poison(cu, span)
                : cu_rvalue(type, cu_float_expr(cu, type, value, span), span);
  }
  if (strchr(text, '.')) {
    double value = strtod(text, &end);
    const CuType *type = cu_basic(&cu->types, CU_DOUBLE);
    return *end ? cu_poison(cu, span)
                : cu_rvalue(type, cu_float_expr(cu, type, value, span), span);
  }
  bool is_negative = *text == '-';
  unsigned long long value = strtoull(text, &end, 0);
  if (end == text || (*end && strcmp(end, "U") != 0))
    return cu_poison(cu, span);
  bool is_small =
      is_negative ? (long long)value >= INT32_MIN : value <= INT32_MAX;
  CuTypeKind kind = is_small                              ? CU_INT
                    : !is_negative && value <= UINT32_MAX ? CU_UINT
                                                          : CU_LLONG;
  return cu_int_value(cu, cu_basic(&cu->types, kind), (int64_t)value, span);
}

static CuValue plain_operand(CuContext *cu, const CuInstruction *instruction,
                             const char *text) {
  Span span = instruction->stmt->keyword;
  const CxAsmOperand *given = cu_asm_placeholder(instruction->stmt, text);
  if (given)
    return cu_operand(cu, given->value);
  CuVariable *own = find_register(instruction->scope, text);
  if (own)
    return cu_variable_value(cu, own, span);
  if (text[0] != '%')
    return asm_ptx_number(cu, text, span);
  return cu_asm_special_register(cu, text[1] == '%' ? text + 2 : text + 1,
                                 span);
}

static CuOverloads *functions(CuContext *cu, const char *name) {
  const char *why = NULL;
  const CxName *parsed =
      cx_parse_name_text(cu->tree, cu_format(cu, "__ptx::%s", name), &why);
  CuOverloads *set = ARENA_NEW(cu->arena, CuOverloads);
  CuScope *before = cu_set_scope(cu, cu->global);
  bool is_found = parsed && cu_resolve_name(cu, parsed, &set->found);
  cu_set_scope(cu, before);
  if (!is_found)
    return NULL;
  set->is_qualified = true;
  set->part = &parsed->parts[parsed->n_parts - 1];
  set->has_args = set->part->has_args;
  return set;
}

static CuValue call_of(CuContext *cu, CuOverloads *set, CuValues args,
                       Span span) {
  return cu_call_overloads(cu, set, NULL, args, span, span);
}

// [p], [p+8]
static CuValue asm_ptx_address(CuContext *cu, const CuInstruction *instruction,
                               const char *text) {
  Span span = instruction->stmt->keyword;
  char *inner = arena_strdup(cu->arena, text + 1);
  inner[strcspn(inner, "]")] = 0;
  char *plus = strpbrk(inner, "+-");
  CuValue args[2];
  args[1] = args[0] = (CuValue){0};
  if (plus)
    args[1] = asm_ptx_number(cu, *plus == '+' ? plus + 1 : plus, span);
  if (plus)
    *plus = 0;
  while (*inner == ' ')
    inner++;
  inner[strcspn(inner, " ")] = 0;
  args[0] = plain_operand(cu, instruction, inner);
  bool is_barrier = plus && cu_is_barrier_pointer(args[0].type) && args[0].expr;
  if (is_barrier)
    args[0] = cu_address_binary(cu, BINARY_ADD, args[0], args[1], span);
  args[0] = cu_behind_number(cu, args[0]);
  CuOverloads *set = plus && !is_barrier ? functions(cu, "at") : NULL;
  return set ? call_of(cu, set, (CuValues){args, 2}, span) : args[0];
}

CuValue cu_asm_operand(CuContext *cu, const CuInstruction *instruction,
                       uint32_t i) {
  const char *text = instruction->operands[i];
  return *text == '[' ? asm_ptx_address(cu, instruction, text)
                      : plain_operand(cu, instruction, text);
}

Expr *cu_asm_guard(CuContext *cu, const CuInstruction *instruction) {
  const char *text = instruction->guard;
  bool is_negated = *text == '!';
  CuVariable *own = find_register(instruction->scope, text + is_negated);
  if (!own) {
    CuInstruction guarded = *instruction;
    guarded.op = cu_format(cu, "@%s", text);
    cu_asm_refuse(cu, &guarded);
    return NULL;
  }
  Span span = instruction->stmt->keyword;
  Expr *value = cu_variable_value(cu, own, span).expr;
  return is_negated ? cu_unary(cu, UNARY_NOT, value, span) : value;
}

// --- instructions ---

static bool uses_carry(const char *op) {
  return strstr(op, ".cc") || strncmp(op, "addc", 4) == 0 ||
         strncmp(op, "subc", 4) == 0 || strncmp(op, "madc", 4) == 0;
}

static bool add_carry(CuContext *cu, const CuInstruction *instruction,
                      CuValue *out) {
  CuAsmScope *scope = instruction->scope;
  Span span = instruction->stmt->keyword;
  bool is_first = strncmp(instruction->op, "add.cc", 6) == 0 ||
                  strncmp(instruction->op, "sub.cc", 6) == 0 ||
                  strncmp(instruction->op, "mad.", 4) == 0;
  if (!scope->carry && !is_first)
    return false;
  if (!scope->carry) {
    scope->carry = cu_new_local(cu, "carry", cu_basic(&cu->types, CU_UINT));
    scope->carry->is_changed = true;
    cu_add_local(cu, scope->carry, NULL, span);
    cu_declare_local(cu, scope->carry, NULL, NULL);
  }
  *out = cu_variable_value(cu, scope->carry, span);
  return true;
}

static bool asm_ptx_is_float(const CuType *type) {
  type = cu_plain(type);
  return cu_is(type, CU_FLOAT) || cu_is(type, CU_DOUBLE) ||
         cu_is(type, CU_HALF);
}

// .b32 asks for bits, whatever type the register has; that of createpolicy is
// of its result alone.
static bool asks_for_bits(const char *op) {
  const char *last = strrchr(op, '.');
  return last && last[1] == 'b' && isdigit((unsigned char)last[2]);
}

static CuValue taken_for(CuContext *cu, const char *function, CuValue value,
                         Span span) {
  CuOverloads *set = functions(cu, function);
  return set ? call_of(cu, set, (CuValues){&value, 1}, span)
             : cu_poison(cu, span);
}

// .f32 takes the bits of a register of 32 bits, whatever type that has.
static bool asks_for_real(const char *op, const char *ending) {
  const char *last = strrchr(op, '.');
  return last && strcmp(last, ending) == 0;
}

static CuValue as_operand(CuContext *cu, const CuInstruction *instruction,
                          CuValue value) {
  const CuType *type = value.expr ? cu_plain(value.type) : NULL;
  Span span = instruction->stmt->keyword;
  bool is_real = type && (cu_is(type, CU_FLOAT) || cu_is(type, CU_DOUBLE));
  if (is_real && asks_for_bits(instruction->op) &&
      strncmp(instruction->op, "createpolicy.", 13) != 0)
    return taken_for(cu, "bits_of", value, span);
  bool is_integer = type && cu_is_integer(type);
  if (is_integer && asks_for_real(instruction->op, ".f32") &&
      cu_size(type) == 4)
    return taken_for(cu, "float_of", value, span);
  if (is_integer && asks_for_real(instruction->op, ".f64") &&
      cu_size(type) == 8)
    return taken_for(cu, "double_of", value, span);
  return value;
}

static CuValue as_result(CuContext *cu, const CuInstruction *instruction,
                         const CuType *to, CuValue value) {
  const CuType *type = cu_plain(value.type);
  Span span = instruction->stmt->keyword;
  to = cu_plain(to);
  bool is_kept = cu_is(type, CU_FLOAT) || cu_is(type, CU_DOUBLE);
  if (is_kept && cu_is_integer(to) && cu_size(to) == cu_size(type))
    return taken_for(cu, "bits_of", value, span);
  if (!asks_for_bits(instruction->op))
    return value;
  if (cu_is(to, CU_FLOAT) && cu_is(type, CU_UINT))
    return taken_for(cu, "float_of", value, span);
  if (cu_is(to, CU_DOUBLE) && cu_is(type, CU_ULLONG))
    return taken_for(cu, "double_of", value, span);
  return value;
}

// Bits of one kind stay bits of that kind.
static bool keeps_kinds(const CuFunction *function, CuValues args) {
  for (uint32_t i = 0; i < args.count; i++)
    if (asm_ptx_is_float(cu_referred(function->params[i].type)) !=
            asm_ptx_is_float(args.data[i].type) &&
        args.data[i].constant.kind != CU_CONST_INT)
      return false;
  return true;
}

static uint32_t count_word(const char *text, size_t length, const char *word) {
  size_t n = strlen(word);
  uint32_t count = 0;
  for (size_t i = 0; i + n <= length; i++) {
    bool is_inner = i > 0 && (isalnum((unsigned char)text[i - 1]) ||
                              text[i - 1] == '_' || text[i - 1] == '$');
    bool goes_on = i + n < length &&
                   (isalnum((unsigned char)text[i + n]) || text[i + n] == '_');
    count += !is_inner && !goes_on && memcmp(text + i, word, n) == 0;
  }
  return count;
}

// The state of an mbarrier that nobody asks for: it stands where it is declared
// and here only.
static bool is_unused_state(CuContext *cu, const CuInstruction *instruction,
                            uint32_t index, const CuValue *value) {
  const CuType *type = cu_plain(value->type);
  if (type->kind != CU_RECORD || type->u.record->opaque != CU_OPAQUE_TOKEN)
    return false;
  const char *text = instruction->operands[index];
  if (find_register(instruction->scope, text)) {
    const char *code = instruction->stmt->u.asm_stmt.code->u.string_lit.bytes;
    return count_word(code, strlen(code), text) <= 2;
  }
  CuValue place = cu_asm_operand(cu, instruction, index);
  const CuFunction *function = cu->frame->function;
  if (!place.variable || !place.variable->name || !function ||
      !function->decl || !function->decl->u.function.has_body)
    return false;
  Span body = cx_tokens_span(cu->tree, function->decl->u.function.body);
  return count_word(source_text(cu->source) + body.begin, body.end - body.begin,
                    place.variable->name->wanted) <= 2;
}

bool cu_asm_store(CuContext *cu, const CuInstruction *instruction,
                  uint32_t index, CuValue value) {
  Span span = instruction->stmt->keyword;
  if (strcmp(instruction->operands[index], "_") == 0 ||
      is_unused_state(cu, instruction, index, &value)) {
    cu_add_stmt(cu, cu_expr_stmt(cu, value.expr, span));
    return true;
  }
  CuValue place = cu_asm_operand(cu, instruction, index);
  if (place.variable && cu_adopt(cu, place.variable, &value, span)) {
    if (place.variable->holds == CU_HOLDS_SUBSTITUTE)
      return true;
    place.type = place.variable->type;
  }
  if (place.expr)
    value = as_result(cu, instruction, place.type, value);
  if (!place.expr || !place.is_lvalue || !value.expr ||
      asm_ptx_is_float(place.type) != asm_ptx_is_float(value.type))
    return false;
  if (place.variable)
    place.variable->is_changed = true;
  value = cu_convert(cu, value, cu_plain(place.type), "the result");
  if (value.expr)
    cu_add_stmt(cu, cu_expr_stmt(
                        cu, cu_assign(cu, place.expr, value.expr, span), span));
  return value.expr != NULL;
}

// d = f(…), or of a vector the elements one by one.
static bool store_all(CuContext *cu, const CuInstruction *instruction,
                      uint32_t n_results, CuValue value,
                      const CuType *element) {
  static const char *const elements[] = {"x", "y", "z", "w"};
  if (n_results == 1)
    return cu_asm_store(cu, instruction, 0, value);
  CuValue held = cu_temporary(cu, value, "loaded");
  for (uint32_t i = 0; i < n_results; i++) {
    const char *name = intern_cstr(cu->names, elements[i]);
    Expr *place = cu_clone(cu, held.expr, (Span){0, 0});
    CuValue part =
        cu_rvalue(element, cu_member(cu, place, name, value.span), value.span);
    if (!cu_asm_store(cu, instruction, i, part))
      return false;
  }
  return true;
}

// Of a mov it is a part of what is moved.
static const CuType *asm_ptx_element_type(CuContext *cu,
                                          const CuInstruction *instruction,
                                          uint32_t n_results) {
  const char *last = strrchr(instruction->op, '.');
  if (last && n_results > 1 && strncmp(instruction->op, "mov.b", 5) == 0)
    last = cu_format(cu, ".b%u", (uint32_t)atoi(last + 2) / n_results);
  return last ? register_type(cu, last) : NULL;
}

// With so many results in front.
static bool try_call(CuContext *cu, const CuInstruction *instruction,
                     CuOverloads *set, uint32_t n_results) {
  CuValue values[CU_MOST_OPERANDS + 1];
  CuValues args = {values, 0};
  Span span = instruction->stmt->keyword;
  if (instruction->n_operands < n_results)
    return false;
  for (uint32_t i = n_results; i < instruction->n_operands; i++) {
    values[args.count] =
        as_operand(cu, instruction, cu_asm_operand(cu, instruction, i));
    if (!values[args.count++].expr)
      return false;
  }
  if (uses_carry(instruction->op) &&
      !add_carry(cu, instruction, &values[args.count++]))
    return false;
  const CuFunction *function = cu_choose_quietly(cu, set, NULL, args, false);
  if (!function || !keeps_kinds(function, args) ||
      cu_is(function->result, CU_VOID) != (n_results == 0))
    return false;
  CuValue value = call_of(cu, set, args, span);
  if (!value.expr)
    return n_results == 0 && !cu_is_poisoned(&value); // of mbarrier.init
  if (n_results > 0)
    return store_all(cu, instruction, n_results, value,
                     asm_ptx_element_type(cu, instruction, n_results));
  // Else nothing is left of it.
  if (cu_has_effect(value.expr) || cu_reads_memory(value.expr))
    cu_add_stmt(cu, cu_expr_stmt(cu, value.expr, span));
  return true;
}

static void call_with(CuContext *cu, const CuInstruction *instruction,
                      const char *op, const char *result, const char *a,
                      const char *b) {
  CuInstruction made = *instruction;
  made.op = op;
  made.n_operands = b ? 3 : 2;
  made.operands[0] = result;
  made.operands[1] = a;
  made.operands[2] = b;
  cu_asm_call(cu, &made);
}

// setp.lt.and.s32 p, a, b, c is setp.lt.s32 h, a, b and and.pred p, h, c.
static bool call_combined(CuContext *cu, const CuInstruction *instruction) {
  static const char *const words[] = {"and", "or", "xor"};
  static const char held[] = "%heddle_compared", other[] = "%heddle_other";
  const char *op = instruction->op;
  if (strncmp(op, "setp.", 5) != 0 || instruction->n_operands != 4)
    return false;
  const char *word = op + 5 + strcspn(op + 5, ".");
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    size_t n = strlen(words[i]);
    if (*word != '.' || strncmp(word + 1, words[i], n) != 0 ||
        word[n + 1] != '.')
      continue;
    const char *const *operands = instruction->operands;
    const char *with = operands[3];
    cu_asm_registers(
        cu, instruction->scope,
        arena_strdup(cu->arena, cu_format(cu, ".pred %s, %s", held, other)));
    call_with(cu, instruction,
              cu_format(cu, "%.*s%s", (int)(word - op), op, word + n + 1), held,
              operands[1], operands[2]);
    if (*with == '!')
      call_with(cu, instruction, "not.pred", other, with + 1, NULL);
    call_with(cu, instruction, cu_format(cu, "%s.pred", words[i]), operands[0],
              held, *with == '!' ? other : with);
    return true;
  }
  return false;
}

void cu_asm_call(CuContext *cu, const CuInstruction *instruction) {
  const char *op = instruction->op;
  if (cu_asm_address(cu, instruction) || call_combined(cu, instruction))
    return;
  uint32_t n_results = strncmp(op, "ld.", 3) != 0 ? 1
                       : strstr(op, ".v2.")       ? 2
                       : strstr(op, ".v4.")       ? 4
                                                  : 1;
  const char *name = cu_asm_function_name(cu, op);
  bool is_unpacked =
      strncmp(op, "mov.b", 5) == 0 && instruction->n_in_braces > 1;
  if (is_unpacked) {
    n_results = instruction->n_in_braces;
    name = cu_format(cu, "unpack%u_%s", n_results, op + 4);
  }
  CuOverloads *set = functions(cu, name);
  bool is_done = set && (try_call(cu, instruction, set, n_results) ||
                         try_call(cu, instruction, set, 0));
  if (is_done)
    return;
  CuInstruction refused = *instruction;
  bool is_move = strncmp(op, "mov.", 4) == 0 && instruction->n_operands == 2;
  const char *source = is_move ? instruction->operands[1] : "";
  source += source[0] == '%' && source[1] == '%';
  if (source[0] == '%' && isalpha((unsigned char)source[1]))
    refused.op = source; // a special register
  cu_asm_refuse(cu, &refused);
}
