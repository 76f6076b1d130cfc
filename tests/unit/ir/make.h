// SPDX-License-Identifier: Apache-2.0
// Making kernels by hand, one call a node. `at` is where nodes go; calls that
// open a region move it inside, make_end moves it behind. Every node gets its
// own line, so that diagnostics can be told apart.
#ifndef HD_TESTS_IR_MAKE_H
#define HD_TESTS_IR_MAKE_H

#include "ir/analyses/analysis.h"
#include <stdlib.h>

typedef struct {
  Arena *arena;
  IrModule *module;
  IrKernel *kernel;
  IrRegion *at;
  uint32_t line;
} Make;

static inline IrGroup *make_block_group(const Make *m) {
  return m->kernel->groups.data[GROUP_ROW_BLOCK];
}

static inline IrGroup *make_current(const Make *m) {
  for (const IrNode *owner = m->at->owner; owner; owner = owner->region->owner)
    if (owner->op == IR_GROUP || owner->op == IR_THREAD_FOR)
      return owner->u.part.group;
  return make_block_group(m);
}

static inline Make make_kernel(int32_t n_threads) {
  Make m = {.arena = arena_new()};
  m.module = ir_module_new(m.arena, "test.hd");
  m.kernel = ir_kernel_new(m.module, "k");
  m.kernel->block_dim[0] = n_threads;
  make_block_group(&m)->size = n_threads;
  m.at = &m.kernel->body;
  return m;
}

static inline void make_free(Make *m) {
  arena_free(m->arena);
}

static inline IrNode *make_node(Make *m, IrOp op, IrType type, IrNode *a,
                                IrNode *b) {
  IrNode *args[2] = {a, b};
  m->line++;
  Place place = {"test.hd", m->line, 1, m->line, 2, false};
  IrLocId loc = ir_loc_intern(m->module, &(IrLoc){.place = place});
  return ir_node_new(m->kernel, m->at, op, type, loc, args,
                     a ? (b ? 2u : 1u) : 0u);
}

#define MAKE_I32 ir_scalar(IR_TYPE_I32)

static inline IrNode *make_int(Make *m, int64_t value) {
  IrNode *node = make_node(m, IR_CONST, MAKE_I32, NULL, NULL);
  node->u.constant.bits = (uint32_t)value;
  return node;
}

static inline IrNode *make_op(Make *m, IrOp op, IrNode *a, IrNode *b) {
  bool is_bool = ir_op_table[op].result[0] == 'b';
  return make_node(m, op, is_bool ? ir_scalar(IR_TYPE_BOOL) : a->type, a, b);
}

static inline IrNode *make_rank_of(Make *m, IrGroup *group) {
  IrNode *node = make_node(m, IR_RANK, MAKE_I32, NULL, NULL);
  node->u.group.group = group;
  return node;
}

static inline IrNode *make_rank(Make *m) {
  return make_rank_of(m, make_current(m));
}

// rank() < n
static inline IrNode *make_below(Make *m, int64_t n) {
  IrNode *rank = make_rank(m);
  return make_op(m, IR_SLT, rank, make_int(m, n));
}

static inline IrNode *make_block_index(Make *m) {
  return make_node(m, IR_BLOCK_INDEX, MAKE_I32, NULL, NULL);
}

// A condition that is uniform over the block: block_index().x > 3
static inline IrNode *make_same(Make *m) {
  IrNode *index = make_block_index(m);
  return make_op(m, IR_SLT, make_int(m, 3), index);
}

static inline uint32_t make_var(Make *m, const char *name) {
  return ir_var_new(m->kernel, name, MAKE_I32);
}

static inline IrNode *make_get(Make *m, uint32_t var) {
  IrNode *node =
      make_node(m, IR_GET, m->kernel->vars.data[var].type, NULL, NULL);
  node->u.variable.var = var;
  return node;
}

static inline IrNode *make_set(Make *m, uint32_t var, IrNode *value) {
  IrNode *node = make_node(m, IR_SET, ir_scalar(IR_TYPE_VOID), value, NULL);
  node->u.variable.var = var;
  return node;
}

static inline IrNode *make_set_int(Make *m, uint32_t var, int64_t value) {
  return make_set(m, var, make_int(m, value));
}

// var != 0
static inline IrNode *make_test(Make *m, uint32_t var) {
  IrNode *value = make_get(m, var);
  return make_op(m, IR_NE, value, make_int(m, 0));
}

static inline IrNode *make_open(Make *m, IrOp op, IrNode *a, IrNode *b) {
  IrNode *node = make_node(m, op, ir_scalar(IR_TYPE_VOID), a, b);
  m->at = &node->regions[0];
  return node;
}

static inline IrNode *make_if(Make *m, IrNode *condition) {
  return make_open(m, IR_IF, condition, NULL);
}

static inline void make_else(Make *m) {
  m->at = &m->at->owner->regions[1];
}

static inline void make_end(Make *m) {
  m->at = m->at->owner->region;
}

static inline IrNode *make_loop(Make *m) {
  return make_open(m, IR_LOOP, NULL, NULL);
}

static inline IrNode *make_for(Make *m, uint32_t var, IrNode *lo, IrNode *hi) {
  IrNode *node = make_open(m, IR_FOR, lo, hi);
  node->u.loop.var = var;
  node->u.loop.step = 1;
  node->u.loop.is_signed = true;
  return node;
}

static inline IrNode *make_exit(Make *m, IrNode *target, bool is_continue) {
  IrNode *node = make_node(m, IR_EXIT, ir_scalar(IR_TYPE_VOID), NULL, NULL);
  node->u.exit.target = target;
  node->u.exit.is_continue = is_continue;
  return node;
}

// if (condition) exit target
static inline void make_exit_if(Make *m, IrNode *condition, IrNode *target,
                                bool is_continue) {
  make_if(m, condition);
  make_exit(m, target, is_continue);
  make_end(m);
}

// thread_group(begin, count); `begin` NULL: the constant in `known`
static inline IrNode *make_group(Make *m, IrNode *begin, int64_t known,
                                 int64_t count) {
  IrGroup *parent = make_current(m);
  IrGroup *group =
      ir_group_new(m->kernel, count == 1 ? GROUP_SINGLE : GROUP_RANGE, parent);
  group->size = count;
  group->begin = begin ? SIZE_UNKNOWN : known;
  group->name =
      begin ? arena_printf(m->arena, "thread_group(begin, %d)", (int)count)
            : arena_printf(m->arena, "thread_group(%d, %d)", (int)known,
                           (int)count);
  IrNode *node = make_open(m, IR_GROUP, begin, NULL);
  node->u.part.group = group;
  node->u.part.parent = parent;
  group->maker = node;
  return node;
}

// thread_for over [0, count): split if the count divides the threads
static inline IrNode *make_thread_for(Make *m, uint32_t var, IrNode *hi,
                                      int64_t count) {
  IrGroup *parent = make_current(m);
  bool is_split = count > 0 && count <= parent->size;
  IrGroup *group =
      ir_group_new(m->kernel, is_split ? GROUP_SPLIT : GROUP_THREAD, parent);
  group->size = is_split ? parent->size / count : 1;
  group->instances = is_split ? count : SIZE_UNKNOWN;
  group->name = "thread for";
  IrNode *lo = make_int(m, 0);
  IrNode *node = make_open(m, IR_THREAD_FOR, lo, hi ? hi : make_int(m, count));
  node->u.part.group = group;
  node->u.part.parent = parent;
  node->u.part.var = var;
  node->u.part.step = 1;
  node->u.part.count = count > 0 ? count : SIZE_UNKNOWN;
  node->u.part.is_split = is_split;
  group->maker = node;
  return node;
}

static inline IrNode *make_sync_of(Make *m, IrGroup *group) {
  IrNode *node = make_node(m, IR_SYNC, ir_scalar(IR_TYPE_VOID), NULL, NULL);
  node->u.group.group = group;
  return node;
}

static inline IrNode *make_sync(Make *m) {
  return make_sync_of(m, make_current(m));
}

static inline IrObject *make_shared(Make *m, const char *name) {
  IrObject *object = ir_object_new(m->kernel, name, SPACE_SHARED, MAKE_I32);
  object->rank = 1;
  object->group = make_current(m);
  return object;
}

static inline IrObject *make_array(Make *m, const char *name) {
  IrObject *object = ir_object_new(m->kernel, name, SPACE_GLOBAL, MAKE_I32);
  object->rank = 1;
  return object;
}

static inline IrNode *make_load(Make *m, IrObject *object, IrNode *index) {
  IrNode *node = make_node(m, IR_LOAD, MAKE_I32, index, NULL);
  node->u.access = (IrAccess){.object = object, .type = MAKE_I32, .n_index = 1};
  return node;
}

static inline IrNode *make_store(Make *m, IrObject *object, IrNode *index,
                                 IrNode *value) {
  IrNode *node = make_node(m, IR_STORE, ir_scalar(IR_TYPE_VOID), index, value);
  node->u.access = (IrAccess){.object = object, .type = MAKE_I32, .n_index = 1};
  return node;
}

#endif
