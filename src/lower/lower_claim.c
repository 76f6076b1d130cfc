// SPDX-License-Identifier: Apache-2.0
// Clauses of thread loops: consumes, produces, preserves, reads. They run as
// nothing; the checker compares them with what the iteration touches.
#include "lower/lower_barrier.h"

// Of a nest: the loops around, then the loop itself.
static void name_iteration(Lowering *lw, const TVar *var, IrNode **args,
                           uint32_t *n_args) {
  const Binding *binding = lower_binding(lw, var);
  HD_ASSERT(binding);
  IrNode *value = binding->kind == BIND_VARS ? lower_get(lw, binding->first_var)
                                             : binding->value.node;
  args[(*n_args)++] = value;
}

static IrNode *wide(Lowering *lw, const TExpr *bound) {
  return lower_to_i64(lw, lower_index(lw, bound));
}

// The array, and which section of it.
static IrObject *claimed(Lowering *lw, const TSection *section, IrNode **args,
                         uint32_t *n_args, bool *is_part) {
  const Binding *binding = lower_binding(lw, section->array);
  bool is_whole = binding && binding->kind == BIND_OBJECT &&
                  binding->object->rank == section->rank;
  *is_part = false;
  if (!is_whole)
    return lower_claimed(lw, section, args, n_args, is_part);
  for (uint32_t i = 0; i < section->rank; i++) {
    args[(*n_args)++] = wide(lw, section->lo[i]);
    args[(*n_args)++] = wide(lw, section->length[i]);
  }
  return binding->object;
}

static void lower_claim(Lowering *lw, const TClaims *claims,
                        const TClaim *claim, bool is_nest) {
  static const IrOp ops[] = {[TCLAIM_CONSUMES] = IR_CONSUMES,
                             [TCLAIM_PRODUCES] = IR_PRODUCES,
                             [TCLAIM_PRESERVES] = IR_PRESERVES,
                             [TCLAIM_READS] = IR_READS};
  const TSection *section = &claim->section;
  uint32_t n = 0, most = lw->nest.count + 1 + 2 * IR_MAX_RANK;
  bool is_part;
  IrNode **args = ARENA_ARRAY(lw->scratch, IrNode *, most);
  lw->loc = lower_loc(lw, section->span);
  for (uint32_t i = 0; is_nest && i < lw->nest.count; i++)
    name_iteration(lw, lw->nest.data[i], args, &n);
  name_iteration(lw, claims->var, args, &n);
  IrObject *object = claimed(lw, section, args, &n, &is_part);
  IrNode *node =
      lower_emit(lw, ops[claim->kind], ir_scalar(IR_TYPE_VOID), args, n);
  node->u.index.object = object;
  node->u.index.number = (claim->is_uninit ? CLAIM_UNINIT : 0u) |
                         (is_nest ? CLAIM_NEST : 0u) |
                         (is_part ? CLAIM_PART : 0u);
}

static bool lower_claim_is_pure(const TExpr *expr, void *context) {
  (void)context;
  switch ((int)expr->kind) {
  case TEXPR_ASSIGN:
  case TEXPR_ASSIGN_OP:
  case TEXPR_INC_DEC:
  case TEXPR_CALL: return false;
  case TEXPR_BUILTIN: return lower_is_pure_builtin(expr->u.builtin.id);
  default: return true;
  }
}

bool lower_has_no_effect(Lowering *lw, const TSection *section) {
  for (uint32_t i = 0; i < section->rank; i++) {
    if (lower_visit_expr(section->lo[i], lower_claim_is_pure, NULL) &&
        lower_visit_expr(section->length[i], lower_claim_is_pure, NULL))
      continue;
    lower_report(lw, DIAG_REPORT(lw->diags, DIAG_clause_effect,
                                 lower_place(lw, section->span),
                                 DS(section->array->name)));
    return false;
  }
  return true;
}

void lower_claims(Lowering *lw, const TClaims *claims, bool is_nest) {
  IrLocId loc = lw->loc;
  for (uint32_t i = 0; i < claims->n; i++)
    if (lower_has_no_effect(lw, &claims->data[i].section))
      lower_claim(lw, claims, &claims->data[i], is_nest);
  lw->loc = loc;
}
