// SPDX-License-Identifier: Apache-2.0
// What the parts of the order engine share.
#ifndef HD_CHECK_ORDER_ISL_ORDER_H
#define HD_CHECK_ORDER_ISL_ORDER_H

#include "check/order/isl_order_graph.h"
#include "check/order/isl_order_terms.h"
#include "check/report/finding.h"

// An array of mbarriers. Its nodes are [home, slot, phase]; where slots go
// round with the turns of a loop, [home, phase * n_slots + slot], so that turn
// k of a ring is k. `home` tells instances apart where every part of a group,
// or every block of a cluster, has barriers of its own.
typedef struct {
  const IrObject *object;
  int64_t n_slots;
  bool goes_round;
  const char *problem; // why nothing is known of its phases; NULL: known
  bool is_told;        // a suspect says so
  isl_set *completed;  // nodes whose arrivals make the count
  isl_set *partial;    // some arrivals, but too few
} OrderBarrier;

typedef enum {
  BARRIER_ARRIVE, // by itself or with an expectation
  BARRIER_EXPECT,
  BARRIER_LAND, // bytes of a copy, or arrivals when its parts have landed
  BARRIER_WAIT,
  BARRIER_WAIT_TOKEN,
  GROUP_MEET, // sync, or a collective
  GROUP_ARRIVE,
  GROUP_WAIT,
} OrderKind;

// First letters of nodes' tuples.
enum { NODE_PHASE = 'F', NODE_MEETING = 'S', NODE_WIDE_MEETING = 'W' };

typedef struct {
  OrderOp op;     // op.node: the claim, as far as such phases complete
  isl_map *claim; // owned: event -> the phase it is meant for; NULL: not known
  OrderKind kind;
  const Step *step;
  const BarrierUse *use; // NULL: of a group
  OrderBarrier *barrier; // NULL: of a group
  const IrGroup *group;  // of a meeting
  // Of an operation that a group does once: the thread that stands for it.
  const Term *only;
  int64_t arrivals, bytes; // by each execution; bytes expected or landing
  bool expects;
  // The phase that is meant, and by how many phases it is off; NULL: not known.
  const Term *phase;
  int64_t shift;
  // What is known of it in the graph of that number.
  uint32_t n_graphs;
  bool is_placed, is_run;
  const char *misplaced, *stuck; // NULL: it isn't
} OrderUse;

// Two loops as one, Note [Flat nests]: its turn is that of the nest.
typedef struct {
  const CheckLoop *outer, *inner;
  CheckLoop loop;
} OrderFlat;

// Steps that leave something, or end copies: for exactness and fences.
typedef struct {
  const Step *step;
  OrderEvent event;
} OrderStep;

// Nodes that follow a touch, near and far. NULL: not asked for yet.
typedef struct {
  isl_union_map *nodes[ORDER_FAR + 1];
} OrderAfter;

typedef struct OrderTouch {
  const Step *step;
  bool is_ready;
  OrderEvent event;
  OrderAfter after;
  OrderAfter *landed; // likewise for each block where a copy lands
  isl_union_map *awaited;
  struct OrderTouch *like; // its thread awaits and signals the same around it
} OrderTouch;

struct Order {
  Check *check;
  Arena *arena;
  const Tree *tree;
  isl_ctx *ctx;
  OrderCluster cluster;
  bool is_quiet; // nothing is told: it is only asked about pairs
  OrderGraph graph;
  uint32_t n_graphs;         // built so far
  bool is_seen;              // order_see was called
  isl_set *facts;            // of parameters, and ranges of those met
  double start_ms, spent_ms; // isl's time
  hd_vec(OrderUse *) uses;
  hd_vec(OrderOp *) parts; // of operations, block by block
  hd_vec(OrderBarrier *) barriers;
  hd_vec(OrderFlat *) flats;
  hd_vec(const Step *) exits;
  hd_vec(OrderStep) fences, commits, copy_waits;
  hd_vec(OrderTouch) touches; // by step id
  hd_vec(const Symbol *) parameters;
  hd_vec(const Step *) polls; // test_wait
};

// The group's row; NULL: its threads aren't known.
const GroupView *order_view(const Order *order, const IrGroup *group);
// Fills `dims` with the dimensions of an event at the step: block's rank with
// clusters, thread, turns.
bool order_step_dims(const Order *order, const Step *step, OrderDims *dims);
// The loops around the step, outermost first, nests as one; their number, which
// may be more than ORDER_MAX_LOOPS (then `loops` isn't filled).
uint32_t order_loops(const Order *order, const Step *step,
                     const CheckLoop **loops);
// Which nests are one loop; before anything asks for loops (isl_order_flat.c).
void order_find_flats(Order *order);
// Puts one in the place of two; the number that is left.
uint32_t order_join_flats(const Order *order, const CheckLoop **loops,
                          uint32_t n);
// The nest whose turn it is; NULL: it is a loop's.
const OrderFlat *order_flat_of(const Order *order, const Symbol *turn);
// The nest's turn when the outer loop's begins.
const Term *order_flat_start(const Order *order, const OrderFlat *flat,
                             const Term *outer_turn);
// The term with choices taken that are clear at all executions of the step.
const Term *order_decide(const Order *order, const OrderEvent *event,
                         const Step *step, const Term *term);
// All executions of the step, exactly where that can be said. False: more loops
// than can be told.
bool order_event(Order *order, const Step *step, const Term *also,
                 OrderEvent *event);
void order_event_fini(OrderEvent *event);
// Collects operations, fences, … of the whole tree (isl_order_events.c).
void order_collect(Order *order);
// The value of a term at the event, as a map from it to one dimension; NULL.
isl_map *order_term_map(const Order *order, const OrderEvent *event,
                        const Step *step, const Term *term);
// First guess of all phases; the nodes of uses from their claims.
void order_claim(Order *order);
void order_set_node(Order *order, OrderUse *use);
// Number of the thread's instance of a group in the block; NULL: not known.
isl_map *order_instance(const Order *order, const OrderEvent *event,
                        const Step *step, const IrGroup *group);
// Rank of the executing block in its cluster.
isl_map *order_own_block(const Order *order, const OrderEvent *event);
// Which instances of the barrier, as in OrderBarrier; NULL: not known.
isl_map *order_home(const Order *order, const OrderUse *use);
// Executions of an operation with a mask that names the block of rank `to`;
// NULL: not known.
isl_set *order_naming(const Order *order, const OrderUse *use, int to);
// Counts of arrivals and bytes; sets completed, partial, problem.
void order_count(Order *order, OrderBarrier *barrier);
// Suspects of everything that isn't so (isl_order_checks.c).
void order_check(Order *order, bool has_barriers);
void order_check_fences(Order *order);
void order_check_copies(Order *order);

// It is in the outer loop of a nest that is one loop, and not in the nest.
bool order_is_aside(const Order *order, const OrderEvent *event);
// NULL: meetings in the outer loop of a nest alone make nobody wait for more
// (isl_order_aside.c). Else a wait in the nest that those who meet don't share.
const OrderUse *order_waits_aside(const Order *order);

// Adds an operation to the graph, and frees what was added (isl_order_split.c).
void order_push(Order *order, OrderOp *op);
void order_clear(Order *order);
// Those executions that are in the block of that rank. Takes the set.
isl_set *order_in_block(const Order *order, isl_set *domain, int block);
// The nodes of a map's range, or of both sides, as the graph knows them. Takes
// the map.
isl_union_map *order_split(const Order *order, isl_map *map);
isl_union_map *order_split_both(const Order *order, isl_map *map);

void order_proved(Order *order);
void order_suspect(Order *order, SuspectKind kind, const Step *a, const Step *b,
                   const char *reason);
OrderTouch *order_touch(Order *order, const Step *step);

// So many operations of isl at most until the end; what comes later fails, and
// nothing follows from it.
// Nothing is left for a kernel that has taken too long.
void order_begin(Order *order, unsigned long n_operations);
void order_end(Order *order);
// What orders memory, through several threads; outside of what order_begin
// bounds, and once.
void order_see(Order *order);

// --- small things about isl's values; they keep their arguments
bool set_is_empty(isl_set *set);
bool set_is_subset(isl_set *a, isl_set *b);
bool pairs_are_within(isl_union_map *pairs, isl_union_map *order); // takes both

#endif
