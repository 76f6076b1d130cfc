// SPDX-License-Identifier: Apache-2.0
// Inside of the symbolic walk (tree.c, walk_*.c, groups.c, induct*.c).
//
// The walk follows one thread through the kernel's regions. It keeps, for every
// node that was walked, the value it has in the execution at hand, for every
// variable what it holds, and the path: conditions that hold here.
#ifndef HD_CHECK_TREE_WALK_H
#define HD_CHECK_TREE_WALK_H

#include "check/tree/tree.h"

// ------------------------------------------------------------------ values

typedef enum {
  VALUE_OPAQUE,  // nothing is known (floats, …)
  VALUE_INT,     // term
  VALUE_BOOL,    // term: a condition
  VALUE_POINTER, // object, index, byte
  VALUE_TOKEN,   // step that made it
  VALUE_CHOICE,  // term ? parts[0] : parts[1], pointers into several arrays
  VALUE_PARTS,   // leaves of a struct or short vector
  VALUE_LOST,    // of a variable: what met here; symbols are made when read
} ValueKind;

// A reader of a lost variable: equal tokens of the uniformity analysis read the
// same, and over the same groups it is one value.
typedef struct LostRead {
  uint32_t token;
  const struct Value *value;
  struct LostRead *next;
} LostRead;

typedef struct Value {
  ValueKind kind;
  uint8_t bits; // INT
  // INT: the value's bits are term modulo 2^bits. The term is even exactly the
  // number as signed, or as unsigned. (Also where its interval shows it; see
  // value_signed.)
  bool is_signed, is_unsigned;
  const Term *term; // INT, BOOL; POINTER: byte offset
  // POINTER. Without an object it may be the head `head_var` of `loop`.
  const IrObject *object;
  uint32_t head_var; // its variable, and one
  bool is_null;      // no object: the null pointer, moved by `term` bytes
  uint8_t n_index;
  const Term *const *index;
  const Term *cluster_rank;
  // PARTS, CHOICE
  uint32_t n_parts;
  const struct Value *const *parts;
  const Step *step; // TOKEN
  // LOST
  LostRead **reads;
  CheckLoop *loop;        // around where they met; of a head
  const Term *low, *high; // where it is known to lie, or NULL
} Value;

// ------------------------------------------------------------------- joins

typedef struct {
  uint32_t var;
  const Value *value;
} VarValue;

// A way that leads to a join: what holds on it, beyond what holds where the
// target began, and the variables that changed since then.
typedef struct {
  const Term *condition; // NULL: too much to say
  bool leaves_out;       // the condition isn't all that decides
  bool is_joint;         // threads of a warp all come this way, or none
  CheckLoop *loop;       // innermost where it started
  VarValue *changes;
  uint32_t n_changes;
} Incoming;

// A region that exits lead to the end of, or to the next turn of.
typedef struct Join {
  struct Join *outer;
  const IrNode *node;
  Step *step;      // its LOOP or SCOPE; NULL: in a dry walk
  CheckLoop *loop; // around the node
  uint32_t log_mark, saved_base, path_mark;
  bool has_escape; // an exit inside leads further out
  uint32_t n_exits;
  hd_vec(Incoming) ends, nexts;
  hd_vec(const IrNode *) exits; // of `ends`
  // Of a loop: what its head tests (walk_is_head_test) ask, to stay in it.
  hd_vec(const Term *) stays;
} Join;

typedef struct {
  uint32_t var;
  uint32_t previous; // logged_at before
  const Value *value;
} LogEntry;

// Variables that a loop changes.
typedef struct {
  uint32_t *vars;
  uint32_t n;
  bool is_all; // too many to list: any
} LoopVars;

// --------------------------------------------------------------------- walk

// A table that stands for `grouped` of these terms: Note [Grouped places].
typedef struct {
  const Term *rows, *columns, *g;
  const IrObject *table;
} Grouped;

typedef struct Walk {
  Tree *tree;
  Arena *arena;
  TermTable *terms;
  Solver *solver; // facts go to both
  Solver *quick;  // for questions of the walk: little time, no bits
  const IrKernel *kernel;
  const Uniformity *uniformity;
  // By node id.
  const Value **values;
  uint8_t *hints;      // HINT_ bits of how values are used
  LoopVars **changed;  // of loops
  Map written;         // objects that something may write in the kernel
  uint8_t *var_hints;  // by variable id
  const Value **vars;  // by variable id
  uint32_t *logged_at; // by variable id: entry + 1 in log
  uint32_t *var_stamp;
  uint32_t stamp;
  uint32_t n_vars;           // the kernel's, and the counters of barriers
  const Term *const *counts; // the last ones that steps were given
  hd_vec(LogEntry) log;
  uint32_t log_base; // entries from here on belong to the innermost mark
  // Path: conditions one by one, and all up to each.
  hd_vec(const Term *) path, path_all;
  hd_vec(uint8_t) path_kinds; // PathKind
  Map ranges;                 // what path_push_range was given
  bool is_reachable;
  uint8_t *joint;     // by id of loops: see walk_lanes.c
  Map whole;          // paths on which all lanes of a warp are, or not
  bool trusts_places; // see walk_number.c
  Join *joins;
  CheckLoop *loop;
  const IrGroup *group; // current
  uint32_t n_operators; // > 0: in the operator of a tile, for some element
  Map axes;             // of tiles, by number and extent: their symbols' terms
  uint32_t dry;         // > 0: only values count, no steps are made
  hd_vec(Grouped) grouped;
  Step *parent, **tail;
  // Facts of copies that the walk needs once each.
  hd_vec(const Symbol *) elected; // of single_thread, by parent's view
  hd_vec(GroupView) elected_in;
  Map loop_phis; // (loop, variable) -> token of the analysis, and one
  Map params, wrapped, sizes_known;
  Map elements;    // by load: its term, of what isn't an integer
  Map table_signs; // by object: 1 unsigned, 2 signed, as its first load is
  Map unfit;       // terms that weren't proved to fit, with their bits
  uint32_t n_fit_proofs; // tried
  uint32_t n_divisor_proofs;
  Map obliged; // terms whose range was made an obligation -> Step
  hd_vec(const Term *) assumptions; // of laws in dry walks, about heads
  uint32_t n_assumed;     // those before were there before the loop's walk
  uint32_t n_starts;      // assumptions so far that 64 bits start small
  bool doubts_starts;     // no more of them
  hd_vec(uint32_t) sizes; // by term id
  int64_t budget;         // nodes that may still be walked for laws
  bool uses_dim[3];       // the index of the block along a dimension matters
  bool uses_cluster;      // some operation is about blocks of a cluster
  bool is_cut;            // the budget ended in the middle of such a walk
  bool has_given_up;      // variables are followed no more
  uint64_t work;          // entries merged so far
  uint32_t n_walked;      // nodes, to look at the clock now and then
  bool is_over;           // the time is: nothing more is walked
} Walk;

// A fact, or a decision that is the same for all of a warp who are there; one
// that isn't; a mark that one is missing.
typedef enum { PATH_FACT, PATH_WAY, PATH_LEFT_OUT } PathKind;

enum { HINT_SIGNED = 1, HINT_UNSIGNED = 2 };

// Larger terms become symbols.
#define WALK_MAX_SIZE  320u
#define WALK_MAX_MERGE 100u

// --- tree.c
void walk_extents(Walk *w);

// --- walk.c: the dispatch
void walk_region(Walk *w, const IrRegion *region);
void walk_set(Walk *w, const IrNode *node, const Value *value);

// --- walk_prepare.c: what is found before
void walk_prepare(Walk *w);

// --- walk_path.c
uint32_t walk_size(Walk *w, const Term *term); // of a term, as a tree
// It holds for all who are here, but decides nothing.
void path_push(Walk *w, const Term *condition);
// The same of elements of a table, whoever reads them.
void path_push_range(Walk *w, const Term *range);
// The same of a condition that decides which way is taken: what variables hold
// where ways meet is told apart by it, so that it can't be left out.
void path_push_way(Walk *w, const Term *condition, bool is_joint);
// One of several ways led here; NULL: which ones is too much to say.
void path_push_ways(Walk *w, const Term *any, bool leaves_out, bool is_joint);
void path_pop(Walk *w, uint32_t mark);
// Something that decides who gets here isn't in the path.
void path_leave_out(Walk *w);
bool path_has(const Walk *w, uint32_t mark, PathKind kind); // since `mark`
const Term *path_now(const Walk *w);
// What was added since `mark`; NULL: too much.
const Term *path_since(Walk *w, uint32_t mark);
Step *step_new(Walk *w, StepKind kind, const IrNode *node); // NULL: dry

// Steps that follow stand in `*list` of `parent` until step_leave.
typedef struct {
  Step *parent, **tail;
} StepPlace;

StepPlace step_enter(Walk *w, Step *parent, Step **list);
void step_leave(Walk *w, StepPlace place);
// Lists what the proof rests on.
void walk_trust(Walk *w, const char *text);
Step *walk_oblige(Walk *w, const IrNode *node, ObligationKind kind,
                  const Term *condition);

static inline bool walk_is_written(const Walk *w, const IrObject *object) {
  return map_has(&w->written, MAP_KEY(object));
}

// --- walk_env.c
void env_start(Walk *w);
const Value *env_get(Walk *w, const IrNode *node);
void env_set(Walk *w, uint32_t var, const Value *value);
uint32_t env_mark(Walk *w, uint32_t *saved_base);
void env_undo(Walk *w, uint32_t mark, uint32_t saved_base);
// Changes since `mark`, one a variable.
uint32_t env_changes(Walk *w, uint32_t mark, VarValue **changes);
const Value *value_lost(Walk *w);
const Value *value_null(Walk *w);
// Of IR_EQ and IR_NE of pointers, one of which is null; NULL: not known.
const Value *walk_is_null(Walk *w, const IrNode *node);
// A symbol for what a lost variable holds, with no group over it.
const Value *value_of_lost(Walk *w, const Value *lost, uint32_t var);
// The variable at the head of a loop, as a symbol of its own each turn.
const Value *value_of_turn(Walk *w, const IrNode *loop, uint32_t var);
const Value *value_lost_within(Walk *w, const Term *low, const Term *high);
// condition ? a : b, or lost.
const Value *value_merge(Walk *w, const Term *condition, const Value *a,
                         const Value *b);
// Sets every variable to what arrives: `own` (if own_condition) or `incoming`.
// Variables that differ without a condition to tell are lost.
void env_merge(Walk *w, const Incoming *incoming, uint32_t n);
Value *value_map(Walk *w, const Value *value, TermMap map, void *context);

// --- walk_count.c: counters of barriers as variables, Note [Counters] in
// tree.h
void counts_find(Walk *w);  // the arrays; sets n_vars
void counts_start(Walk *w); // all are 0
// The variable's row; a counter's isn't the kernel's.
const IrVar *walk_var(const Walk *w, uint32_t var);
bool walk_is_counter(const Walk *w, uint32_t var);
bool walk_leads(const Walk *w, uint32_t var); // what others may go with
void counts_range(const Walk *w, uint32_t var, int64_t *low, int64_t *high);
// Loops around the node may change the variable; NULL: no counter is changed.
typedef void (*CounterVisit)(uint32_t var, void *context);
void counts_of_node(const Walk *w, const IrNode *node, CounterVisit visit,
                    void *context);
// The operation, or copy that is counted on the barrier, has been done.
void counts_add(Walk *w, const IrNode *node);
// Behind a statement that part of the group has executed: `changes` are those
// of the threads that did. Variables hold already what their ways joined to.
void counts_pass(Walk *w, const IrNode *node, const VarValue *changes,
                 uint32_t n);
// What they are here, as Step.counts.
const Term *const *counts_now(Walk *w);

// --- walk_number.c: numbers and conditions
Value *value_new(Walk *w, ValueKind kind);
const Value *value_int(Walk *w, uint32_t bits, const Term *term, bool is_signed,
                       bool is_unsigned);
const Value *value_bool(Walk *w, const Term *condition);
const Term *value_signed(Walk *w, const Value *value);
const Term *value_unsigned(Walk *w, const Value *value);
// The number as unsigned is the term as it is.
bool value_fits_unsigned(Walk *w, const Value *value);
// What a number is divided by if it isn't seen to be positive everywhere, but
// where the walk is; NULL: it may be 0 or negative.
const Term *walk_divisor(Walk *w, const Term *term);
void type_range(uint32_t bits, bool is_unsigned, int64_t *low, int64_t *high);
// A value nothing is known of but its type, the same for all threads of the
// groups that the analysis says for `node`.
const Value *value_fresh(Walk *w, const IrNode *node, IrType type);
const Value *value_fresh_range(Walk *w, const IrNode *node, uint32_t bits,
                               int64_t low, int64_t high);
const Symbol *walk_symbol(Walk *w, const char *name, const IrNode *origin,
                          const IrGroup *over, int64_t low, int64_t high);
const Symbol *walk_variable(Walk *w, uint32_t var, const IrNode *origin,
                            const IrGroup *over, int64_t low, int64_t high);
const IrGroup *walk_over(Walk *w, const IrNode *node);
const Term *symbol_holds(Walk *w, const Symbol *symbol); // as a condition
const Value *walk_arg(Walk *w, const IrNode *node, uint32_t k);
const Term *arg_signed(Walk *w, const IrNode *node, uint32_t k);

// --- walk_arith.c
// NULL: not an operation on integers and bools.
const Value *walk_arithmetic(Walk *w, const IrNode *node);
const Value *walk_convert(Walk *w, const IrNode *node);

// --- walk_grouped.c
// The row or column that `grouped` gives; NULL: it is something else, or not
// known to be in range.
const Value *walk_grouped(Walk *w, const IrNode *node);

// The pointers that a choice is between, or the value itself, each with the
// condition for it. False: more than there is room for.
enum { WALK_MAX_CHOICES = 8 };

typedef struct {
  const Term *condition;
  const Value *value;
} ValueChoice;

typedef struct {
  uint32_t n;
  ValueChoice data[WALK_MAX_CHOICES];
} ValueChoices;

bool value_choices(Walk *w, const Value *value, ValueChoices *choices);

// --- walk_memory.c
const Value *walk_access(Walk *w, const IrNode *node);
const Value *walk_pointer(Walk *w, const IrNode *node);

// --- walk_table.c
// Of an object that nothing in the kernel writes; NULL: not known.
const Term *walk_known_element(Walk *w, const IrObject *object,
                               const Term *const *index, bool is_signed);

// --- walk_flat.c
// Elements between neighbours along dimension k of a dense object; NULL: not
// known.
const Term *walk_dense_stride(Walk *w, const IrObject *object, uint32_t k);
// Indices of the element that holds the bytes from `at` on from the start of a
// dense object, and what is left of `at`. False: not known to be inside the
// inner dimensions, or of one element.
bool walk_unflatten(Walk *w, const IrObject *object, uint32_t n_bytes,
                    const Term *at, const Term **index, const Term **byte);
// sum / by where it is known to leave nothing, else NULL.
const Term *walk_quotient(Walk *w, const Term *sum, const Term *by);

// --- walk_copy.c
void walk_copy(Walk *w, const IrNode *node);
void walk_row(Walk *w, const IrNode *node);

// --- walk.c
// An assertion or trap: owed, and held to be true behind it.
void walk_assert(Walk *w, const IrNode *node);

// --- walk_tile.c
// Of a tile its element, of other types themselves.
IrType walk_element(const Walk *w, IrType type);
// The index along an axis of the element that values of tiles are about.
const Term *walk_axis(Walk *w, uint32_t axis, uint32_t extent);
// The element at other places: `at`, one for each axis of the shape.
const Value *walk_tile_at(Walk *w, const Value *tile, const IrTileShape *shape,
                          const Term *const *at);
const Value *walk_tile(Walk *w, const IrNode *node); // FAMILY_TILE

// --- walk_section.c
const Value *walk_section(Walk *w, const IrNode *node);

// --- walk_claim.c
void walk_claim(Walk *w, const IrNode *node); // a clause of a thread loop

// --- walk_meet.c: groups and barriers
const Value *walk_sync(Walk *w, const IrNode *node);          // FAMILY_SYNC
const Value *walk_between_lanes(Walk *w, const IrNode *node); // …_EXCHANGE
const Value *walk_position(Walk *w, const IrNode *node);      // ranks and sizes
const Value *walk_uniform(Walk *w, const IrNode *node);
const Value *walk_choice(Walk *w, const IrNode *node);
void walk_memcpy_wait(Walk *w, const IrNode *node);
const Value *walk_barrier(Walk *w, const IrNode *node);
BarrierUse *barrier_use(Walk *w, const IrObject *object, const IrNode *node,
                        uint32_t first_index);

// --- walk_lanes.c
// All lanes that the thread's warp has get to where the walk is, in the same
// turns of all loops.
bool walk_has_all_lanes(Walk *w);
// The same for all threads of a warp that evaluate the node.
bool walk_is_joint(const Walk *w, const IrNode *node);
// The term at another thread of a group; NULL: not known there.
const Term *walk_at_thread(Walk *w, const IrGroup *group, const Term *term,
                           const Term *thread);
// Of the bits of lanes: who is in a coalesced group; NULL: not known.
const Value *walk_lane_mask(Walk *w, const IrNode *node);
// Of a mask of all lanes: whether it has a lane, and how many are below one;
// NULL: something else.
const Value *walk_lane_bit(Walk *w, const IrNode *node);
const Value *walk_lanes_below(Walk *w, const IrNode *node);

// --- walk_exchange.c
// Of shuffles and broadcasts; NULL: not known.
const Value *walk_exchange(Walk *w, const IrNode *node);

// --- walk_control.c
void walk_if(Walk *w, const IrNode *node);
void walk_block(Walk *w, const IrNode *node);
void walk_exit(Walk *w, const IrNode *node);
void walk_group(Walk *w, const IrNode *node);
void walk_split(Walk *w, const IrNode *node); // thread_for, split form
Join *join_open(Walk *w, const IrNode *node, Step *step);
void join_add(Walk *w, Join *join, bool is_next);
// Path and variables are again as they were where it was opened.
void join_close(Walk *w, Join *join);
// Goes on where `n` ways meet.
void join_arrive(Walk *w, Incoming *incoming, uint32_t n, bool has_escape);

// --- walk_close.c
// New symbols for those of loops that are left.
typedef struct Closing Closing;
Closing *closing_new(Walk *w, CheckLoop *outer, const IrGroup *over);
const Term *closing_symbol(const Symbol *symbol, void *closing);
// Instead of a new symbol.
void closing_set(Closing *closing, const Symbol *symbol, const Term *term);
// Symbols of loops inside `outer` become symbols there: values at the moment
// when the loops were left. With closing NULL, they are this way's own.
void incoming_close(Walk *w, Incoming *incoming, CheckLoop *outer,
                    Closing *closing);
// The loop is one inside `outer` (NULL: the kernel), not `outer` itself.
bool loop_is_inside(const CheckLoop *loop, const CheckLoop *outer);

// The symbol has this value where the loop ends; values that are sums of it
// choose where it does.
void closing_end(Closing *closing, const Symbol *symbol, const Term *term);

// --- walk_while.c
// The IF only leaves the loop around, in whose turns nothing but such tests and
// what they compare comes before.
bool walk_is_head_test(const IrNode *node);
// Of symbols from outside of the loop, its turn left aside.
bool walk_is_of_turn(const CheckLoop *loop, const Term *term);
// The turns of a loop that starts with tests; those that tell aren't steps.
void count_while(Walk *w, Step *step, const Join *join);
// The same in a walk that makes no steps: head tests as terms of the turn.
void count_while_dry(Walk *w, CheckLoop *loop, const Join *join);

// --- walk_loop.c
void walk_loop(Walk *w, const IrNode *node);
// All threads of the group that are in a turn of the loop take this exit of it
// there, or none.
bool walk_leaves_together(const Walk *w, const IrNode *exit, const IrNode *loop,
                          const IrGroup *group);

// --- induct.c
// What a loop's variables hold at the head, as terms of its turn.
typedef struct {
  uint32_t var;
  const Value *start; // before the loop
  const Value *head;  // a symbol, in the walk that looks for laws
  const Symbol *symbol;
  const Value *back;      // at the end of a turn, of heads
  const Value *law;       // at the head, of the turn; NULL: none found
  const Value *at_head;   // in the walk that made the ways out
  const Term *low, *high; // without a law: where it lies, or NULL
  // (start + step * turn) % period, once that is the law; 0: it isn't
  int64_t period;
  const Term *period_term; // the same of (first + turn) mod it
  const Term *first, *step;
  // As numbers, by the head's signedness: at the end of a turn, and the law.
  const Term *back_term, *law_term;
  // A period's law with one symbol, any number, for start + step * turn: what
  // is proved for that is proved, with smaller terms.
  const Symbol *count;
  const Term *short_law;
  // While those that follow a counter are looked for: it is (counter +
  // follows_from) mod followed; 0: it isn't.
  int64_t followed, follows_from;
  bool follows; // has a law in terms of the counter
} LoopVar;

typedef struct {
  CheckLoop *loop;
  // The turn in laws. It may be the one behind the last as well, where laws say
  // what variables hold behind the loop; in the body it isn't.
  const Symbol *turn;
  LoopVar *vars;
  uint32_t n;
  const Term *back_path; // holds at the end of every turn; of heads
  bool has_back;         // there is a way to the next turn
  int64_t last_turn;     // no turn behind it begins; INT64_MAX: not known
  bool is_short;         // induct_replace gives short laws
  bool has_follower;     // laws hold symbols of the turn: Note [Following]
  bool is_forgotten;     // what was assumed inside isn't so
} LoopLaws;

void induct(Walk *w, LoopLaws *laws);
// Replaces heads by laws.
const Term *induct_replace(const Symbol *symbol, void *laws);
// The law's value at a turn.
const Value *induct_at(Walk *w, const LoopLaws *laws, const LoopVar *var,
                       const Term *turn);

// --- walk_host.c
const Term *host_term(Walk *w, const IrHost *host);      // NULL: no integer
const Term *host_condition(Walk *w, const IrHost *host); // NULL: not known
Symbol *param_symbol(Walk *w, uint32_t param, uint32_t leaf, IrType type,
                     bool is_signed);
void walk_facts(Walk *w);

// --- groups.c
void groups_start(Walk *w);
// The view of the group that `node` makes, at this execution.
void groups_make(Walk *w, const IrNode *node);
const GroupView *walk_view(Walk *w, const IrGroup *group);

#endif
