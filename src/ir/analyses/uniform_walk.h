// SPDX-License-Identifier: Apache-2.0
// The walk that makes tokens and edges, between its files.
#ifndef HD_IR_ANALYSES_UNIFORM_WALK_H
#define HD_IR_ANALYSES_UNIFORM_WALK_H

#include "ir/analyses/uniform.h"

typedef struct {
  uint32_t var;
  Token version;
} UniformRecord;

// Paths that meet behind `node`.
typedef struct {
  const IrNode *node;
  uint32_t log_mark; // assignments since the paths parted
  uint32_t n_paths;
  bool is_lost; // too many records
  hd_vec(UniformRecord) records;
} UniformJoin;

typedef struct {
  Token left;
  uint32_t last_exit;
} UniformLeavers;

// What an exit can name: the end of a block, call or loop, or (is_turn) the
// next turn of a loop.
typedef struct UniformTarget {
  UniformJoin join;
  bool is_turn;
  Token left;   // those who left so far; START: nobody
  Token choice; // START: nobody asked
  hd_vec(UniformLeavers)
      earlier; // who left before a group was made of the others
  bool is_choice_done;
  uint32_t first_exit, last_exit; // positions; valid when there are exits
  hd_vec(const IrNode *) exits;
  struct UniformTarget *next_asked;
} UniformTarget;

// Labeled groups whose label is known again; more only says less.
enum { MAX_LABELS = 16 };

typedef struct {
  uint32_t var;
  Token previous;
} UniformAssignment;

// A variable at a join: its one version, or the phi of several.
typedef struct {
  uint32_t var;
  uint32_t n_paths;
  Token version;
  bool is_phi;
} UniformMeeting;

typedef struct {
  Uniformity *u;
  Arena *scratch;
  const IrKernel *kernel;
  const NodeOrder *order;
  Token *current;                // by variable
  const IrNode **home;           // by variable, see uniform_find_homes
  uint32_t *stamp, *slot, clock; // by variable: scratch sets
  hd_vec(UniformAssignment) log;
  hd_vec(UniformTarget *) stack;
  UniformTarget **leave_of, **turn_of; // by node id
  hd_vec(const IrNode *) setters;      // all nodes that assign, in order
  hd_vec(UniformMeeting) meetings;
  UniformTarget *asked; // choices to be worked out
  uint32_t depth;
  uint32_t last_exit; // position of the newest exit + 1
  uint32_t n_records;
  const IrNode *labels[MAX_LABELS]; // makers of labeled groups, the newest ones
  uint32_t n_labels;
} UniformWalk;

typedef void (*UniformAction)(UniformWalk *w, const IrNode *node, uint32_t var);

Token uniform_new_token(UniformWalk *w, TokenKind kind, const IrNode *node,
                        GroupSet base);
Token uniform_new_variable(UniformWalk *w, TokenKind kind, const IrNode *node,
                           uint32_t var, GroupSet base);
void uniform_depends(UniformWalk *w, Token to, Token from);
// Constants are the same for all.
void uniform_depends_on_value(UniformWalk *w, Token to, const IrNode *value);
Token uniform_reach_token(UniformWalk *w, const IrNode *node, Token outer);
Token uniform_choice_of(UniformWalk *w, UniformTarget *target);
bool uniform_has_turn_variable(const IrNode *node);
uint32_t uniform_turn_variable(const IrNode *node);
void uniform_find_homes(UniformWalk *w);
// As the log says; uniform_undo takes back what came after a mark.
void uniform_assign(UniformWalk *w, uint32_t var, Token version);
void uniform_undo(UniformWalk *w, uint32_t mark);
// A path ends here and goes on behind the join.
void uniform_record_path(UniformWalk *w, UniformJoin *join);
// Fills w->meetings; the log is undone to where the paths parted.
void uniform_gather(UniformWalk *w, const UniformJoin *join);
// Once for each variable that is set inside `node` and lives longer.
void uniform_each_assigned(UniformWalk *w, const IrNode *node,
                           UniformAction act);
void uniform_lose_variable(UniformWalk *w, const IrNode *node, uint32_t var);
// Those that do not run this region of an `if` have returned.
bool uniform_is_way_of_present(const UniformWalk *w, const IrNode *node,
                               int region);
void uniform_finish_join(UniformWalk *w, const UniformJoin *join,
                         UniformTarget *target);
void uniform_finish_choices(UniformWalk *w);

#endif
