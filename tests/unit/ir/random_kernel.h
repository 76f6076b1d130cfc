// SPDX-License-Identifier: Apache-2.0
// Random structured kernels: conditions, loops that most kernels leave, exits
// to anywhere around, group statements that stay and that move, thread loops.
#ifndef HD_TESTS_IR_RANDOM_KERNEL_H
#define HD_TESTS_IR_RANDOM_KERNEL_H

#include "make.h"

#define N_THREADS 8
#define N_VARS    4

static uint64_t random_state;

static inline uint32_t pick(uint32_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % n;
}

static inline IrNode *some_value(Make *m) {
  switch (pick(6)) {
  case 0: return make_rank_of(m, make_block_group(m));
  case 1: return make_block_index(m);
  case 2: return make_int(m, pick(5));
  default: return make_get(m, pick(N_VARS));
  }
}

static inline IrNode *some_condition(Make *m) {
  IrNode *a = some_value(m);
  return make_op(m, pick(2) ? IR_SLT : IR_EQ, a, some_value(m));
}

static inline IrNode *some_target(const Make *m, bool *is_continue) {
  uint32_t skip = pick(3);
  IrNode *found = NULL;
  for (IrNode *owner = m->at->owner; owner; owner = owner->region->owner) {
    if (owner->op == IR_GROUP || owner->op == IR_THREAD_FOR)
      break;
    if (owner->op == IR_LOOP || owner->op == IR_FOR || owner->op == IR_BLOCK) {
      found = owner;
      if (skip-- == 0)
        break;
    }
  }
  *is_continue = found && found->op != IR_BLOCK && pick(2);
  return found;
}

static inline void fill(Make *m, uint32_t depth);

static inline void fill_inside(Make *m, IrNode *node, uint32_t depth) {
  for (uint32_t i = 0; i < node->n_regions; i++) {
    m->at = &node->regions[i];
    fill(m, depth - 1);
  }
  m->at = node->region;
}

// A loop that most kernels leave some time.
static inline void some_loop(Make *m, uint32_t depth) {
  IrNode *loop = make_loop(m);
  uint32_t var = pick(N_VARS);
  IrNode *old = make_get(m, var);
  make_set(m, var, make_op(m, IR_ADD, old, make_int(m, 1)));
  if (pick(3) == 0)
    make_exit_if(m, some_condition(m), loop, true);
  IrNode *limit = make_int(m, pick(4));
  IrNode *is_over = make_op(m, IR_SLT, limit, make_get(m, var));
  make_exit_if(m, pick(2) ? is_over : some_condition(m), loop, false);
  fill(m, depth - 1);
  m->at = loop->region;
}

static inline void some_part(Make *m, uint32_t depth) {
  int64_t size = make_current(m)->size;
  if (size < 2)
    return;
  int64_t count = 1 + pick((uint32_t)size);
  int64_t begin = pick((uint32_t)(size - count) + 1);
  IrNode *moving = pick(3) == 0 ? make_get(m, pick(N_VARS)) : NULL;
  fill_inside(m, make_group(m, moving, begin, count), depth);
}

// for (k = 0; k < n; k++) thread_group(k, count) …: a group that moves.
static inline void some_moving_part(Make *m, uint32_t depth) {
  int64_t size = make_current(m)->size;
  if (size < 3)
    return;
  uint32_t var = make_var(m, NULL);
  IrNode *lo = make_int(m, 0);
  IrNode *loop = make_for(m, var, lo, make_int(m, 2 + pick(2)));
  IrNode *begin = make_get(m, var);
  make_group(m, begin, 0, size - 2);
  uint32_t state = pick(N_VARS);
  IrNode *old = make_get(m, state);
  make_set(m, state, make_op(m, IR_ADD, old, make_int(m, 1)));
  fill(m, depth - 1);
  m->at = loop->region;
}

static inline IrNode *counted_beyond(Make *m, uint32_t counter) {
  IrNode *limit = make_int(m, 1 + pick(3));
  return make_op(m, IR_SLT, limit, make_get(m, counter));
}

// Exits out of a loop to a block around it, to behind the loop and to its next
// turn, under conditions that agree and that differ: which way a thread came
// depends on conditions that it met or didn't meet in other turns.
static inline void some_escape(Make *m, uint32_t depth) {
  uint32_t counter = make_var(m, NULL), result = pick(N_VARS);
  make_set_int(m, counter, 0);
  IrNode *outer = make_open(m, IR_BLOCK, NULL, NULL);
  IrNode *loop = make_loop(m);
  IrNode *old = make_get(m, counter);
  make_set(m, counter, make_op(m, IR_ADD, old, make_int(m, 1)));
  IrNode *inner = pick(2) ? make_open(m, IR_BLOCK, NULL, NULL) : NULL;
  if (pick(2)) {
    bool is_inner = inner && pick(2);
    // once only, so that threads that go on get to the end some time
    IrNode *when = make_int(m, 1 + pick(3));
    make_if(m, make_op(m, IR_EQ, when, make_get(m, counter)));
    IrNode *differs = make_rank_of(m, make_block_group(m));
    make_exit_if(m, make_op(m, IR_SLT, differs, make_int(m, 3)),
                 is_inner ? inner : loop, !is_inner && pick(2));
    make_end(m);
  }
  IrNode *turn = make_int(m, 1 + pick(3));
  make_if(m, make_op(m, IR_EQ, turn, make_get(m, counter)));
  make_set_int(m, result, 7);
  make_exit(m, pick(2) ? outer : loop, false);
  make_end(m);
  if (inner)
    make_end(m);
  make_if(m, counted_beyond(m, counter));
  make_set_int(m, result, 8);
  make_exit(m, pick(2) ? outer : loop, false);
  make_end(m);
  make_end(m);
  IrNode *last = pick(2) ? make_int(m, 1) : make_get(m, result);
  make_set(m, result, make_op(m, IR_ADD, last, make_int(m, 1)));
  m->at = outer->region;
  if (depth > 1)
    make_get(m, result);
}

static inline void some_thread_for(Make *m, uint32_t depth) {
  int64_t size = make_current(m)->size;
  int64_t count = pick(2) ? size : size % 2 == 0 ? size / 2 : 1;
  if (pick(3) == 0)
    count = 0; // strided, over a bound that isn't constant
  uint32_t var = make_var(m, NULL);
  IrNode *hi = count ? NULL : make_block_index(m);
  IrNode *node = make_thread_for(m, var, hi, count);
  make_set(m, pick(N_VARS), make_get(m, var));
  fill(m, depth - 1);
  m->at = node->region;
}

static inline void some_statement(Make *m, uint32_t depth) {
  uint32_t what = pick(depth ? 17 : 5);
  if (what < 2) {
    IrNode *value = some_value(m);
    make_set(m, pick(N_VARS), make_op(m, IR_ADD, value, some_value(m)));
  } else if (what < 4) {
    make_set(m, pick(N_VARS), some_value(m));
  } else if (what == 4) {
    make_sync(m);
  } else if (what < 8) {
    fill_inside(m, make_if(m, some_condition(m)), depth);
  } else if (what == 8) {
    some_loop(m, depth);
  } else if (what == 9) {
    uint32_t var = make_var(m, NULL);
    IrNode *lo = some_value(m);
    IrNode *node = make_for(m, var, lo, some_value(m));
    make_set(m, pick(N_VARS), make_get(m, var));
    fill(m, depth - 1);
    m->at = node->region;
  } else if (what < 12) {
    fill_inside(m, make_open(m, IR_BLOCK, NULL, NULL), depth);
  } else if (what == 12) {
    some_part(m, depth);
  } else if (what == 13) {
    some_moving_part(m, depth);
  } else if (what < 16) {
    some_escape(m, depth);
  } else {
    some_thread_for(m, depth);
  }
}

static inline void fill(Make *m, uint32_t depth) {
  for (uint32_t n = 1 + pick(4); n > 0; n--)
    some_statement(m, depth);
  bool is_continue;
  IrNode *target = pick(4) == 0 ? some_target(m, &is_continue) : NULL;
  if (target)
    make_exit(m, target, is_continue);
}

// Ids aren't dense yet, so that more may be added at the end.
static inline Make random_kernel(uint32_t seed) {
  random_state = seed * UINT64_C(2654435761) + 99;
  Make m = make_kernel(N_THREADS);
  for (uint32_t i = 0; i < N_VARS; i++)
    make_var(&m, NULL);
  for (uint32_t i = 0; i < N_VARS; i++)
    make_set_int(&m, i, i);
  fill(&m, 4);
  return m;
}

#endif
