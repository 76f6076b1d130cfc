// SPDX-License-Identifier: Apache-2.0
// What synchronisation needs, decided before emission: how the kernel must be
// launched, words of shared memory for barriers, and which mbarriers need more
// than the plain instructions.
//
// Note [Words of barriers]
// Groups that no hardware barrier serves, and split barriers of groups in a
// block, meet at a word of shared memory for each part. Where the size is
// constant it is an mbarrier. Otherwise it is a counter,
//
//   bits 0..15: threads that have arrived    16..31: generation
//
// to which each thread adds one; the one that sees size - 1 adds what sets the
// count to zero and raises the generation.
//
// Where the threads of a part are not the same at each use, threads that have
// left one part may come to the next while others are still on their way to the
// first. Words of such groups are chosen by the rank in the block of the part's
// first thread and, where that varies too, by the size that the part really
// has: a tile may be as small as the part that it is cut from. Sizes count by
// the next power of two, p. What is left of n threads behind whole tiles, and
// tiles of tiles, has n mod p, whatever the tiles are. So of one begin and one
// p there are whole tiles, and rests of one size. They are of the same threads
// where the block is cut, as all else ends at its end, but not where ranges are
// that begin where a run says: there rests have words of their own. The same
// word then means the same threads.
//
// A group in a warp needs a word for split barriers only, and only where one of
// its threads may wait for another between the two halves; else `wait` is a
// sync.
//
// Note [Counted mbarriers]
// The hardware lets a thread wait only for mbarriers of its own block, and
// before sm_90 it counts no bytes. `cluster shared` mbarriers, and on sm_80
// those that expect bytes, are therefore words of our own, changed by
// compare-and-swap:
//
//   bits 0..19: arrivals that are missing    20..41: bytes, signed
//   42..63: phase
//
// Where threads drop, 42..61 are the arrivals of the next phase, and the phase
// has the two bits that tell it from its neighbours.
//
// Note [Arrivals on other blocks]
// A release at cluster scope costs a third of the speed of a matrix product
// whose consumers free slots on two blocks: it waits for all of the thread's
// writes, wherever they go. Without the scope the arrival is ordered behind
// the thread's reads, and that is all that freeing a slot needs. The cheap form
// is used where no thread that waits for the barrier afterwards touches what
// the kernel writes by ordinary stores; what copies write is ordered by the
// barriers that their bytes are counted on.
#include "base/bits.h"
#include "codegen/code_groups.h"
#include "codegen/nvptx/llvm_nvptx.h"
#include "ir/analyses/alias.h"
#include "ir/analyses/touches.h"

typedef struct {
  NvPlan *plan;
  bool *is_split;     // by group id: arrive and wait
  bool *is_met;       // by group id: its threads meet
  bool *expects;      // by object id: bytes are counted
  bool *is_elsewhere; // by object id: threads of other blocks arrive
  bool needs_ticket;  // for memory that other blocks write
} Survey;

// ------------------------------------------------------------------ survey

static bool sync_plan_is_in_loop(const IrNode *node) {
  const IrNode *at = node->region->owner;
  while (at && at->op != IR_LOOP)
    at = at->region->owner;
  return at != NULL;
}

// It may be the test of a loop that waits for another thread.
static bool sync_plan_may_wait(const IrNode *node) {
  const IrAccess *access = &node->u.access;
  if (node->op == IR_SEMAPHORE_LOCK)
    return true;
  bool is_test =
      node->op == IR_CAS ||
      (node->op == IR_LOAD && access->order != ORDER_PLAIN) ||
      (node->op == IR_RMW && access->rmw != RMW_ADD && access->rmw != RMW_INC);
  return is_test && sync_plan_is_in_loop(node);
}

static bool is_kernel_object(const Survey *survey, const IrObject *object) {
  const IrKernel *kernel = survey->plan->kernel;
  return object && object->id < kernel->objects.count &&
         kernel->objects.data[object->id] == object;
}

static void note_written(Survey *survey, const IrObject *object) {
  if (is_kernel_object(survey, object))
    survey->plan->is_written[object->id] = true;
  else
    survey->plan->writes_any = true;
}

static void survey_access(Survey *survey, const IrNode *node) {
  const IrObject *object = node->u.access.object;
  if (sync_plan_may_wait(node)) {
    survey->plan->has_waits = true;
    survey->needs_ticket |= object == NULL || object->space == SPACE_GLOBAL;
  }
}

// What threads write themselves, not the copy engine.
static bool note_write(const IrTouch *touch, void *context) {
  bool is_own = touch->object && touch->object->space == SPACE_LOCAL;
  if (touch->kind == IR_TOUCH_MEMORY && touch->is_write &&
      touch->proxy == PROXY_GENERIC && !is_own)
    note_written(context, touch->object);
  return true;
}

static void survey_group(Survey *survey, const IrNode *node,
                         const IrGroup *group) {
  NvPlan *plan = survey->plan;
  bool is_collective = (ir_op_info(node)->flags & OPF_COLLECTIVE) != 0;
  bool is_barrier = ir_family(node) == FAMILY_SYNC;
  if (node->op == IR_JOIN && node->u.group.join != JOIN_KEPT)
    return;
  survey->is_met[group->id] |= is_collective;
  survey->is_split[group->id] |= node->op == IR_ARRIVE;
  if (group->kind == GROUP_GRID && is_collective)
    plan->flags |= HD_CUDA_FLAG_COOPERATIVE;
  bool is_map = node->op == IR_MAP_SHARED || node->op == IR_SHARED_RANK;
  plan->writes_remote |= node->op == IR_MAP_SHARED;
  if (group->kind != GROUP_CLUSTER || !(is_collective || is_map))
    return;
  plan->flags |= HD_CUDA_FLAG_CLUSTER;
  plan->is_remote |= !is_barrier;
}

static void survey_copy(Survey *survey, const IrNode *node) {
  NvPlan *plan = survey->plan;
  const IrObject *barrier = node->u.copy.barrier;
  if ((node->op == IR_TMA_LOAD || node->op == IR_COPY_BULK) && barrier)
    survey->expects[barrier->id] = true;
  if (node->u.copy.has_mask) {
    plan->flags |= HD_CUDA_FLAG_CLUSTER;
    plan->is_remote = true;
  }
}

static void survey_barrier(Survey *survey, const IrNode *node) {
  NvPlan *plan = survey->plan;
  const IrObject *object = node->u.barrier.object;
  bool is_elsewhere = node->op == IR_MBAR_ARRIVE_REMOTE ||
                      node->op == IR_MBAR_ARRIVE_EXPECT_MULTICAST;
  survey->plan->has_waits = true;
  if (node->op == IR_MBAR_ARRIVE_DROP)
    plan->barriers[object->id].is_dropped = true;
  if (node->op == IR_MBAR_EXPECT || node->op == IR_MBAR_ARRIVE_EXPECT ||
      node->op == IR_MBAR_ARRIVE_EXPECT_MULTICAST)
    survey->expects[object->id] = true;
  if (!is_elsewhere)
    return;
  plan->flags |= HD_CUDA_FLAG_CLUSTER;
  plan->is_remote = true;
  survey->is_elsewhere[object->id] = true;
  if (object->is_cluster_shared)
    nv_refuse(plan, node->loc,
              "'%s' is one barrier of the whole cluster: it has no instance in "
              "another block",
              object->name);
}

static bool survey_node(IrNode *node, void *context) {
  Survey *survey = context;
  if (ir_op_info(node)->need == NEED_WARPGROUP &&
      !survey->plan->kernel->has_units)
    nv_refuse(survey->plan, node->loc,
              "'%s': products in matrix units run on CPUs only",
              ir_op_info(node)->text);
  switch ((int)ir_op_info(node)->form) {
  case FORM_ACCESS: survey_access(survey, node); break;
  case FORM_GROUP: survey_group(survey, node, node->u.group.group); break;
  case FORM_COLLECTIVE:
    survey_group(survey, node, node->u.collective.group);
    break;
  case FORM_COPY: survey_copy(survey, node); break;
  case FORM_BARRIER: survey_barrier(survey, node); break;
  default: break;
  }
  ir_touches(node, note_write, survey);
  return true;
}

// ----------------------------------------------------------------- groups

static bool needs_words(const Survey *survey, const IrGroup *group) {
  const NvGroupPlan *row = &survey->plan->groups[group->id];
  bool is_split = survey->is_split[group->id];
  if (group->kind < GROUP_BLOCK || code_is_scattered(group))
    return false;
  if (row->meet == NV_MEET_WARP)
    return is_split && survey->plan->has_waits;
  if (row->meet == NV_MEET_ARRAY)
    return survey->is_met[group->id];
  return is_split && row->meet != NV_MEET_NONE;
}

static bool is_cut_anywhere(const IrGroup *group) {
  for (; group; group = group->parent)
    if (group->kind == GROUP_RANGE && group->begin < 0)
      return true;
  return false;
}

// Powers of two up to the largest part; twice, if rests are told apart.
static uint32_t count_sizes(const NvGroupPlan *row) {
  uint32_t n = bits_log2_up(row->most_threads) + 1;
  return row->has_rest_words ? 2 * n : n;
}

// See Note [Words of barriers].
static void place_words(const Survey *survey, const IrGroup *group) {
  NvPlan *plan = survey->plan;
  NvGroupPlan *row = &plan->groups[group->id];
  if (!needs_words(survey, group))
    return;
  bool is_block = group->kind == GROUP_BLOCK;
  row->has_words = true;
  row->word_threads = is_block          ? plan->n_threads
                      : group->size > 0 ? (uint32_t)group->size
                                        : 0;
  row->n_words = row->n_instances > 0 ? row->n_instances : 1;
  if (row->is_moving) {
    row->word_shift = bits_log2_up(group->alignment);
    row->n_words = (plan->n_threads >> row->word_shift) + 1;
    row->has_rest_words = row->word_threads == 0 && is_cut_anywhere(group);
    row->word_sizes = row->word_threads == 0 ? count_sizes(row) : 1;
    row->n_words *= row->word_sizes;
  }
  row->word_offset = nv_plan_reserve(plan, 8 * (uint64_t)row->n_words, 8);
}

// -------------------------------------------------------------- mbarriers

// The group statement around, whose threads go on behind the wait together.
static IrNode *statement_of(const IrNode *node) {
  IrNode *at = node->region->owner;
  while (at && at->op != IR_GROUP && at->op != IR_WITH &&
         at->op != IR_THREAD_FOR)
    at = at->region->owner;
  return at;
}

typedef struct {
  const Survey *survey;
  bool is_touched;
  bool may_leave; // a loop or call around
} Behind;

static bool is_read_only(const IrObject *object) {
  return object->is_const || object->space == SPACE_LOCAL ||
         object->space == SPACE_CONSTANT;
}

static bool is_apart_from_stores(const IrTouch *touch, void *context) {
  Behind *behind = context;
  const Survey *survey = behind->survey;
  const IrObject *object = touch->object;
  if (touch->kind != IR_TOUCH_MEMORY)
    return true;
  if (object != NULL && is_kernel_object(survey, object))
    behind->is_touched |=
        !is_read_only(object) &&
        (survey->plan->writes_any || survey->plan->is_written[object->id]);
  else
    behind->is_touched |= object == NULL || !is_read_only(object);
  return !behind->is_touched;
}

// Stops at the first access to what ordinary stores write.
static bool find_touch(IrNode *node, void *context) {
  ((Behind *)context)->may_leave |= node->op == IR_EXIT;
  return ir_touches(node, is_apart_from_stores, context);
}

static bool is_wide_sync(const IrNode *node) {
  bool is_kept = node->op == IR_SYNC ||
                 (node->op == IR_JOIN && node->u.group.join == JOIN_KEPT);
  return is_kept && node->u.group.group->kind <= GROUP_BLOCK;
}

static void touch_inside(IrNode *node, Behind *found) {
  bool goes_on = find_touch(node, found);
  for (uint32_t i = 0; goes_on && i < node->n_regions; i++)
    goes_on = ir_walk(&node->regions[i], find_touch, found);
}

// No thread runs both group statements.
static bool is_apart(const IrNode *a, const IrNode *b) {
  if (a->op != IR_GROUP || b->op != IR_GROUP)
    return false;
  const IrGroup *x = a->u.part.group, *y = b->u.part.group;
  int64_t x_begin = ir_group_block_begin(x), y_begin = ir_group_block_begin(y);
  if (x_begin < 0 || y_begin < 0 || x->size < 0 || y->size < 0)
    return false;
  return x_begin + x->size <= y_begin || y_begin + y->size <= x_begin;
}

// The nodes from `first` to before `end` by the threads of `statement`, up to a
// sync of the block or of more, which orders all there is to order: false if it
// is there and surely comes.
static bool goes_on(const IrNode *statement, IrNode *first, const IrNode *end,
                    Behind *found) {
  for (IrNode *at = first; at != end && !found->is_touched; at = at->next) {
    if (is_wide_sync(at) && !found->may_leave)
      return false;
    if (!is_apart(statement, at))
      touch_inside(at, found);
  }
  return true;
}

static bool touches_behind(const IrNode *statement, Behind *found) {
  for (const IrNode *at = statement; at; at = at->region->owner) {
    const IrNode *owner = at->region->owner;
    bool is_again = owner && (owner->op == IR_LOOP || owner->op == IR_FOR ||
                              owner->op == IR_THREAD_FOR);
    if (!goes_on(statement, at->next, NULL, found) ||
        (is_again && !goes_on(statement, at->region->first, at, found)))
      return found->is_touched;
  }
  return found->is_touched;
}

static bool wait_acquires(const Survey *survey, const IrNode *wait) {
  IrNode *statement = statement_of(wait);
  Behind found = {.survey = survey};
  IrRegion body = survey->plan->kernel->body;
  ir_walk(statement ? &statement->regions[0] : &body, find_touch, &found);
  found.may_leave = false; // nothing leaves a group statement
  return found.is_touched || (statement && touches_behind(statement, &found));
}

// See Note [Arrivals on other blocks].
static bool note_wait(IrNode *node, void *context) {
  const Survey *survey = context;
  if (!ir_waits_phase(node->op) && !ir_asks_phase(node->op))
    return true;
  uint32_t id = node->u.barrier.object->id;
  NvBarrierPlan *row = &survey->plan->barriers[id];
  if (survey->is_elsewhere[id] && !row->is_released)
    row->is_released = wait_acquires(survey, node);
  return true;
}

// What threads copy to other blocks instead of the engine are ordinary stores.
static bool note_multicast(IrNode *node, void *context) {
  const NvPlan *plan = ((const Survey *)context)->plan;
  const NvBulk *bulk = plan->bulk[node->id];
  if (node->op == IR_TMA_LOAD && node->u.copy.has_mask &&
      (bulk == NULL || !bulk->is_aligned))
    plan->barriers[node->u.copy.barrier->id].is_released = true;
  return true;
}

static void plan_mbarriers(Survey *survey) {
  NvPlan *plan = survey->plan;
  const IrKernel *kernel = plan->kernel;
  for (uint32_t i = 0; i < kernel->objects.count; i++) {
    const IrObject *object = kernel->objects.data[i];
    if (object->space == SPACE_SHARED && object->is_cluster_shared) {
      plan->flags |= HD_CUDA_FLAG_CLUSTER;
      plan->is_remote = true;
      plan->writes_remote |= object->kind != OBJECT_MBARRIER;
    }
    if (object->kind == OBJECT_MBARRIER)
      plan->barriers[i].is_counted =
          object->is_cluster_shared || (plan->sm < 90 && survey->expects[i]);
  }
  IrRegion body = kernel->body;
  if (plan->is_remote)
    ir_walk(&body, note_wait, survey);
  ir_walk(&body, note_multicast, survey);
}

// ----------------------------------------------------------------- fences

// What threads write of global memory, the engine may access.
static bool is_apart_from_engine(const IrTouch *touch, void *context) {
  const NvPlan *plan = context;
  const IrObject *object = touch->object;
  if (touch->kind != IR_TOUCH_MEMORY || touch->proxy != PROXY_ASYNC ||
      (object && object->space != SPACE_GLOBAL))
    return true;
  bool is_written = plan->writes_any && !(object && object->is_const);
  for (uint32_t i = 0; i < plan->kernel->objects.count && !is_written; i++) {
    const IrObject *other = plan->kernel->objects.data[i];
    is_written = plan->is_written[i] && other->space == SPACE_GLOBAL &&
                 (!object || object == other ||
                  ir_may_alias(plan->kernel, object, other));
  }
  return !is_written;
}

// Stops at the first such access.
static bool note_engine(IrNode *node, void *context) {
  return ir_touches(node, is_apart_from_engine, context);
}

// ----------------------------------------------------------------- launch

static void plan_launch(const Survey *survey) {
  NvPlan *plan = survey->plan;
  const int32_t *cluster = plan->kernel->cluster_dim;
  int64_t blocks = 1;
  for (uint32_t k = 0; k < 3; k++)
    blocks *= cluster[k] > 0 ? cluster[k] : 1;
  if (plan->sm < 90 && blocks > 1)
    nv_refuse(plan, plan->kernel->loc,
              "clusters of %lld blocks: GPUs before sm_90 have none",
              (long long)blocks);
  if (plan->sm < 90) // each block is a cluster
    plan->flags &= ~(uint32_t)HD_CUDA_FLAG_CLUSTER;
  // Blocks of a cluster start together, those of a cooperative launch all.
  uint32_t together = HD_CUDA_FLAG_COOPERATIVE | HD_CUDA_FLAG_CLUSTER;
  if (survey->needs_ticket && (plan->flags & together) == 0 && blocks == 1) {
    plan->flags |= HD_CUDA_FLAG_TICKET;
    plan->ticket_offset = nv_plan_reserve(plan, 4, 4);
  }
  if (survey->is_met[GROUP_ROW_GRID]) {
    plan->grid_flag_offset = sizeof(HdCudaWorkspace) + plan->workspace_bytes;
    plan->workspace_bytes += sizeof(HdCudaWorkspace); // a line of its own
  }
  plan->is_grid_split = survey->is_split[GROUP_ROW_GRID];
  if (plan->is_grid_split)
    plan->grid_offset = nv_plan_reserve(plan, 4, 4);
}

void nv_plan_barriers(NvPlan *plan) {
  const IrKernel *kernel = plan->kernel;
  uint32_t n_objects = kernel->objects.count;
  Survey survey = {.plan = plan};
  survey.is_split = ARENA_ARRAY(plan->arena, bool, kernel->groups.count);
  survey.is_met = ARENA_ARRAY(plan->arena, bool, kernel->groups.count);
  survey.is_elsewhere = ARENA_ARRAY(plan->arena, bool, n_objects);
  survey.expects = ARENA_ARRAY(plan->arena, bool, n_objects);
  plan->is_written = ARENA_ARRAY(plan->arena, bool, n_objects);
  plan->barriers = ARENA_ARRAY(plan->arena, NvBarrierPlan, n_objects);
  IrRegion body = kernel->body;
  ir_walk(&body, survey_node, &survey);
  plan_mbarriers(&survey);
  plan->fences_global = !ir_walk(&body, note_engine, plan);
  for (uint32_t i = 0; i < kernel->groups.count; i++)
    place_words(&survey, kernel->groups.data[i]);
  plan_launch(&survey);
}
