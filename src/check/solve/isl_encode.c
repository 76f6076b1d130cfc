// SPDX-License-Identifier: Apache-2.0
#ifdef HD_HAVE_ISL

#include "check/solve/isl_encode.h"

#include "base/panic.h"
#include "base/rescue.h"
#include "check/solve/isl_memory.h"
#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

isl_ctx *isl_context_of(Solver *solver) {
  if (!solver->isl) {
    solver->isl = calloc(1, sizeof *solver->isl);
    if (!solver->isl)
      rescue_out_of_memory();
    solver->isl->context = isl_memory_ctx();
  }
  return solver->isl->context;
}

// ------------------------------------------------------------------ dimensions

bool isl_is_dimension(const Term *term) {
  int64_t number;
  switch (term->kind) {
  case TERM_SYMBOL:
  case TERM_MUL:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL:
  case TERM_SHR:
  case TERM_APPLY: return true;
  case TERM_DIV:
  case TERM_MOD: return !term_is_constant(term->args[1], &number) || number < 1;
  case TERM_SUM:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ITE:
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_LE:
  case TERM_EQ:
  case TERM_NOT:
  case TERM_ALL:
  case TERM_SOME: break;
  }
  return false;
}

static uint32_t count_choices(const Term *term) {
  switch ((int)term->kind) {
  case TERM_SOME: return term->n_args;
  case TERM_NOT:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ITE: return 2;
  default: return 1;
  }
}

// What is inside of a dimension has none (of its own by that).
void isl_note(IslSpace *q, const Term *term, uint32_t stamp) {
  TermNode *node = term_node(term);
  if (node->stamp == stamp)
    return;
  node->stamp = stamp;
  node->image = NULL;
  uint32_t n = count_choices(term);
  q->n_choices =
      q->n_choices > ISL_MAX_CHOICES ? q->n_choices : q->n_choices * n;
  if (isl_is_dimension(term)) {
    VEC_PUSH(q->arena, &q->atoms, term);
    return;
  }
  for (uint32_t i = 0; i < term->n_args; i++)
    isl_note(q, term->args[i], stamp);
  for (uint32_t i = 0; i < term->n_parts; i++)
    isl_note(q, term->parts[i].atom, stamp);
}

void isl_space_begin(IslSpace *q) {
  q->numbers = ARENA_ARRAY(q->arena, uint32_t, q->atoms.count + 1);
  for (uint32_t i = 0; i < q->atoms.count; i++) {
    q->numbers[i] = i;
    map_put(q->arena, &q->dimensions, MAP_KEY(q->atoms.data[i]),
            &q->numbers[i]);
  }
  isl_space *space = isl_space_set_alloc(q->context, 0, q->atoms.count);
  q->space = isl_local_space_from_space(space);
}

void isl_space_end(IslSpace *q) {
  isl_local_space_free(q->space);
}

// -------------------------------------------------------------------- encoding

static isl_pw_aff *encode(IslSpace *q, const Term *term);

static isl_val *value_of(IslSpace *q, int64_t number) {
  return isl_val_int_from_si(q->context, (long)number);
}

static isl_pw_aff *encode_number(IslSpace *q, int64_t number) {
  isl_aff *aff = isl_aff_val_on_domain(isl_local_space_copy(q->space),
                                       value_of(q, number));
  return isl_pw_aff_from_aff(aff);
}

static isl_pw_aff *encode_dimension(IslSpace *q, uint32_t dimension) {
  return isl_pw_aff_from_aff(isl_aff_var_on_domain(
      isl_local_space_copy(q->space), isl_dim_set, dimension));
}

static isl_pw_aff *encode_sum(IslSpace *q, const Term *term) {
  isl_pw_aff *sum = encode_number(q, term->number);
  for (uint32_t i = 0; i < term->n_parts; i++) {
    isl_pw_aff *part = encode(q, term->parts[i].atom);
    part = isl_pw_aff_scale_val(part, value_of(q, term->parts[i].coefficient));
    sum = isl_pw_aff_add(sum, part);
  }
  return sum;
}

static isl_pw_aff *encode_quotient(IslSpace *q, const Term *term) {
  isl_pw_aff *a = encode(q, term->args[0]);
  isl_val *b = value_of(q, term->args[1]->number);
  if (term->kind == TERM_MOD)
    return isl_pw_aff_mod_val(a, b);
  return isl_pw_aff_floor(isl_pw_aff_scale_down_val(a, b));
}

static isl_pw_aff *encode_ite(IslSpace *q, const Term *term) {
  isl_set *condition = isl_encode(q, term->args[0]);
  isl_pw_aff *is_true = isl_set_indicator_function(condition);
  return isl_pw_aff_cond(is_true, encode(q, term->args[1]),
                         encode(q, term->args[2]));
}

static isl_pw_aff *encode(IslSpace *q, const Term *term) {
  const uint32_t *dimension = map_get(&q->dimensions, MAP_KEY(term));
  if (dimension)
    return encode_dimension(q, *dimension);
  switch (term->kind) {
  case TERM_SUM: return encode_sum(q, term);
  case TERM_DIV:
  case TERM_MOD: return encode_quotient(q, term);
  case TERM_MIN:
    return isl_pw_aff_min(encode(q, term->args[0]), encode(q, term->args[1]));
  case TERM_MAX:
    return isl_pw_aff_max(encode(q, term->args[0]), encode(q, term->args[1]));
  case TERM_ITE: return encode_ite(q, term);
  case TERM_SYMBOL:
  case TERM_MUL:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL:
  case TERM_SHR:
  case TERM_APPLY:
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_LE:
  case TERM_EQ:
  case TERM_NOT:
  case TERM_ALL:
  case TERM_SOME: break;
  }
  HD_PANIC("a term without dimension");
}

isl_set *isl_universe(IslSpace *q) {
  return isl_set_universe(isl_local_space_get_space(q->space));
}

static isl_set *encode_junction(IslSpace *q, const Term *term) {
  bool is_all = term->kind == TERM_ALL;
  isl_set *set = isl_universe(q);
  if (!is_all)
    set = isl_set_subtract(set, isl_universe(q));
  for (uint32_t i = 0; i < term->n_args; i++) {
    isl_set *arg = isl_encode(q, term->args[i]);
    set = is_all ? isl_set_intersect(set, arg) : isl_set_union(set, arg);
  }
  return set;
}

isl_set *isl_encode(IslSpace *q, const Term *term) {
  switch (term->kind) {
  case TERM_TRUE: return isl_universe(q);
  case TERM_FALSE: return isl_set_subtract(isl_universe(q), isl_universe(q));
  case TERM_LE:
    return isl_pw_aff_le_set(encode(q, term->args[0]), encode_number(q, 0));
  case TERM_EQ:
    return isl_pw_aff_eq_set(encode(q, term->args[0]), encode_number(q, 0));
  case TERM_NOT: // of an equation
    if (term->args[0]->kind == TERM_EQ)
      return isl_pw_aff_ne_set(encode(q, term->args[0]->args[0]),
                               encode_number(q, 0));
    return isl_set_complement(isl_encode(q, term->args[0]));
  case TERM_ALL:
  case TERM_SOME: return encode_junction(q, term);
  case TERM_SUM:
  case TERM_SYMBOL:
  case TERM_MUL:
  case TERM_DIV:
  case TERM_MOD:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ITE:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_SHL:
  case TERM_SHR:
  case TERM_APPLY: break;
  }
  HD_PANIC("an integer as a condition");
}

isl_set *isl_box(IslSpace *q, uint32_t first) {
  isl_set *set = isl_universe(q);
  for (uint32_t i = first; i < q->atoms.count; i++) {
    TermRange range = term_range(q->atoms.data[i]);
    if (!term_is_open(range.low))
      set =
          isl_set_lower_bound_val(set, isl_dim_set, i, value_of(q, range.low));
    if (!term_is_open(range.high))
      set =
          isl_set_upper_bound_val(set, isl_dim_set, i, value_of(q, range.high));
  }
  return set;
}

bool isl_read_point(const IslSpace *q, Arena *arena, isl_point *point,
                    TermModel *model) {
  uint32_t n = 0;
  model->symbols = ARENA_ARRAY(arena, const Symbol *, q->atoms.count);
  model->values = ARENA_ARRAY(arena, int64_t, q->atoms.count);
  bool is_read = true;
  for (uint32_t i = 0; i < q->atoms.count && is_read; i++) {
    if (q->atoms.data[i]->kind != TERM_SYMBOL)
      continue;
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, (int)i);
    // At most 8 bytes and a sign.
    is_read = isl_val_is_int(value) == isl_bool_true &&
              isl_val_n_abs_num_chunks(value, 8) <= 1;
    uint64_t size = 0;
    if (is_read)
      isl_val_get_abs_num_chunks(value, 8, &size);
    is_read = is_read && size <= INT64_MAX;
    model->symbols[n] = q->atoms.data[i]->symbol;
    model->values[n++] =
        isl_val_is_neg(value) == isl_bool_true ? -(int64_t)size : (int64_t)size;
    isl_val_free(value);
  }
  model->n = n;
  return is_read;
}

#endif
