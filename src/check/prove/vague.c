// SPDX-License-Identifier: Apache-2.0
// What in a term isn't known exactly, in words.
#include "check/prove/bounds.h"

static void vague_look(const Term *term, CheckVague *vague, uint32_t depth) {
  if (depth > 100 || vague->table)
    return;
  if (term->kind == TERM_APPLY)
    vague->table = term->object;
  if (term->kind == TERM_SYMBOL && term->symbol->kind == SYMBOL_VALUE &&
      !term->symbol->is_axis && !vague->value)
    vague->value = term->symbol;
  for (uint32_t i = 0; i < term->n_args; i++)
    vague_look(term->args[i], vague, depth + 1);
  for (uint32_t i = 0; i < term->n_parts; i++)
    vague_look(term->parts[i].atom, vague, depth + 1);
}

void check_vague(const Term *term, CheckVague *vague) {
  vague_look(term, vague, 0);
}

// Operations have names of ours: what the program calls it isn't kept.
static const char *given_by(const IrNode *origin) {
  switch ((int)origin->op) {
  case IR_FTOS:
  case IR_FTOU: return "a float converted to an integer";
  case IR_CTZ:
  case IR_CLZ:
  case IR_POPCOUNT: return "a count of bits";
  case IR_BITREVERSE: return "reversed bits";
  case IR_CALL: return "the result of a function";
  default: return "the result of an operation";
  }
}

const char *check_vague_value(Arena *arena, const Symbol *value,
                              const char *what) {
  const IrNode *origin = value->origin;
  if (origin && origin->op == IR_LOAD && origin->u.access.object)
    return arena_printf(
        arena, "%s comes from memory: the contents of '%s' are unknown", what,
        origin->u.access.object->name ? origin->u.access.object->name
                                      : "memory");
  if (origin && origin->op == IR_LOAD)
    return arena_printf(
        arena,
        "%s comes from memory behind a pointer, whose contents are unknown",
        what);
  if (origin && (origin->op == IR_RMW || origin->op == IR_CAS ||
                 origin->op == IR_TILE_RMW || origin->op == IR_TILE_CAS))
    return arena_printf(arena,
                        "%s is the result of an atomic operation, about which "
                        "the checker knows nothing",
                        what);
  if (origin && (ir_op_info(origin)->flags & OPF_COLLECTIVE))
    return arena_printf(
        arena,
        "%s is the result of '%s', about which the checker knows nothing", what,
        ir_op_info(origin)->text);
  if (origin && origin->op == IR_UNKNOWN)
    return arena_printf(
        arena,
        "%s is the result of '%s', about which the checker knows nothing", what,
        origin->u.text.text);
  if (origin && (origin->op == IR_SDIV || origin->op == IR_SREM ||
                 origin->op == IR_UDIV || origin->op == IR_UREM))
    return arena_printf(
        arena,
        "%s is a quotient or remainder by a number that may be 0 or negative: "
        "state in `requires` that it is positive",
        what);
  if (origin && value->name == ir_op_info(origin)->text)
    return arena_printf(arena, "%s depends on %s, about which nothing is known",
                        what, given_by(origin));
  if (value->n_var)
    return arena_printf(
        arena,
        "%s depends on '%s', for whose values in a loop no formula was found",
        what, value->name);
  if (value->is_wrapped)
    return arena_printf(arena,
                        "%s may have wrapped around: 64 bits may not be enough "
                        "for it",
                        what);
  return arena_printf(arena, "%s is too complicated for the checker", what);
}
