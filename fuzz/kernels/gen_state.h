// SPDX-License-Identifier: Apache-2.0
// What the files of the generator share.
#ifndef HD_FUZZ_KERNELS_GEN_STATE_H
#define HD_FUZZ_KERNELS_GEN_STATE_H

#include "base/vec.h"
#include "gen.h"

// A variable that expressions may use.
typedef struct {
  const char *name;
  GenType type;
  bool is_const;   // never assigned
  bool is_uniform; // all threads of the group `level` and its parts agree
  uint32_t level;  // depth of the group it was declared under
} GenVar;

typedef enum { LOOP_NONE, LOOP_UNIFORM, LOOP_DIVERGENT } GenLoop;

// A group that has a name.
typedef struct {
  const char *name;
  int32_t most;      // threads
  int32_t size;      // the same for every part, or 0
  uint32_t level;    // depth of the group it was declared under
  uint32_t region;   // body it was declared in
  bool is_in_warp;   // whatever its begin
  bool is_coalesced; // its threads stay together only in their own body
  bool is_dead;      // some may have left
} GenGroup;

// A function made beforehand: all parameters are scalars.
typedef struct {
  const char *name;
  GenType result;
  GenType params[4];
  uint32_t n_params;
} GenFunction;

typedef struct {
  Arena *arena;
  uint64_t random;
  Text out;
  uint32_t indent;
  uint32_t n_names;
  int32_t budget; // statements that may still be made
  hd_vec(GenVar) vars;
  hd_vec(GenFunction) functions;
  hd_vec(GenGroup) groups;
  bool has_groups; // kernels with groups as values, barriers and copies
  uint32_t region; // number of the body
  uint32_t n_regions;
  int32_t in_cluster; // blocks of a cluster
  bool has_stored;    // out_copy
  bool is_aligned;    // the current group begins at a multiple of 32
  uint32_t level;     // groups open inside the block
  int32_t threads;    // of the current group
  bool is_uniform;    // all threads of the current group are here together
  bool is_thread;     // in a loop whose body one thread runs
  bool can_share;     // shared arrays may be declared here
  bool has_sized;     // an array sized at launch: at most one
  bool in_function;
  bool is_flat;     // every iteration is a thread: no positions
  GenType result;   // of the function
  GenLoop loop;     // innermost loop, if it is of this group
  uint32_t depth;   // statements inside one another
  uint32_t n_slots; // output slots of a thread, each type
  GenProgram *program;
} Gen;

// gen_state.c
uint32_t gen_below(Gen *g, uint32_t limit); // in [0, limit)
bool gen_chance(Gen *g, uint32_t percent);
const char *gen_text(Gen *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *gen_name(Gen *g, const char *stem);
// One line of the program; a '{' at its end indents, a '}' at its start
// unindents.
void gen_line(Gen *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void gen_declare(Gen *g, const char *name, GenType type, bool is_const,
                 bool is_uniform);
// A variable of that type; NULL: none. Uniform ones agree over the current
// group; assignable ones may be set here without making others disagree.
const GenVar *gen_pick(Gen *g, GenType type, bool uniform, bool assignable);
GenParam *gen_param(Gen *g, const char *name, GenType type);

// gen_expr.c: an expression in parentheses or an operand.
const char *gen_expr(Gen *g, GenType type, uint32_t depth, bool uniform);
const char *gen_condition(Gen *g, uint32_t depth, bool uniform);
// An integer expression with a value in [0, limit), limit > 0.
const char *gen_index(Gen *g, uint32_t limit, bool uniform);
GenType gen_any_type(Gen *g);

// gen_stmt.c
void gen_block(Gen *g); // some statements
void gen_assign(Gen *g);
void gen_declaration(Gen *g, bool uniform);

// gen_parts.c: groups as values, and collectives of them.
void gen_parts(Gen *g);
// In divergent code: coalesced groups.
void gen_coalesced(Gen *g);
// Threads leave a body: those that are left are no whole groups any more.
void gen_leave(Gen *g);
// Runs `body` for a part of the group, whose threads come back.
void gen_part_body(Gen *g, int32_t threads, bool is_thread, bool can_share,
                   bool is_aligned);

// gen_sync.c: barriers in two pieces, mbarriers, pipelines, copies, clusters.
void gen_sync(Gen *g);

// gen_turns.c: shared arrays that may lie in the same bytes, or not.
void gen_turns(Gen *g);
// gen_steps.c: chains of steps through shared memory.
void gen_steps(Gen *g);

// gen_group.c: statements for places that all threads reach together.
void gen_collective(Gen *g);

#endif
