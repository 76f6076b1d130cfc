// SPDX-License-Identifier: Apache-2.0
// The walk that makes tokens and edges: one pass over the tree with the current
// version of every variable, a log to undo assignments at the end of a path,
// and a stack of what an exit can leave.
//
// Note [What decides a join]
// Where paths meet, a variable is what all its versions share, and also what
// the conditions share that decide which path a thread came by. At the end of
// an `if` that is its condition. At the end of a block, call or loop it is
// every condition between it and an exit to it, and how the loops and blocks in
// between were left (a thread that left an inner loop at another turn did not
// meet the later conditions of that turn). Exits that go further out don't
// count: their threads aren't here. A variable set in a loop, used after it,
// is decided by the loop's exits even if only one of its versions gets there,
// because threads that left at different turns hold different values of it.
//
// Note [Who is here]
// `reach` is another question, the one of collective operations: do all threads
// of the group come here together? Every exit counts that was passed since the
// group became current, wherever it leads, until its target ends.
#include "ir/analyses/uniform.h"

// Bounds the work on hostile programs: exits times variables.
#define MAX_RECORDS 40000000u

typedef struct {
  uint32_t var;
  Token version;
} Record;

// Paths that meet behind `node`.
typedef struct {
  const IrNode *node;
  uint32_t log_mark; // assignments since the paths parted
  uint32_t n_paths;
  bool is_lost; // too many records
  hd_vec(Record) records;
} Join;

typedef struct {
  Token left;
  uint32_t last_exit;
} Leavers;

// What an exit can name: the end of a block, call or loop, or (is_turn) the
// next turn of a loop.
typedef struct Target {
  Join join;
  bool is_turn;
  Token left;              // those who left so far; START: nobody
  Token choice;            // START: nobody asked
  hd_vec(Leavers) earlier; // who left before a group was made of the others
  bool is_choice_done;
  uint32_t first_exit, last_exit; // positions; valid when there are exits
  hd_vec(const IrNode *) exits;
  struct Target *next_asked;
} Target;

// Labeled groups whose label is known again; more only says less.
enum { MAX_LABELS = 16 };

typedef struct {
  uint32_t var;
  Token previous;
} LogEntry;

// A variable at a join: its one version, or the phi of several.
typedef struct {
  uint32_t var;
  uint32_t n_paths;
  Token version;
  bool is_phi;
} Meeting;

typedef struct {
  Uniformity *u;
  Arena *scratch;
  const IrKernel *kernel;
  const NodeOrder *order;
  Token *current;                // by variable
  const IrNode **home;           // by variable, see find_homes
  uint32_t *stamp, *slot, clock; // by variable: scratch sets
  hd_vec(LogEntry) log;
  hd_vec(Target *) stack;
  Target **leave_of, **turn_of;   // by node id
  hd_vec(const IrNode *) setters; // all nodes that assign, in order
  hd_vec(Meeting) meetings;
  Target *asked; // choices to be worked out
  uint32_t depth;
  uint32_t last_exit; // position of the newest exit + 1
  uint32_t n_records;
  const IrNode *labels[MAX_LABELS]; // makers of labeled groups, the newest ones
  uint32_t n_labels;
} Walk;

// --------------------------------------------------------------- tokens

static Token new_token(Walk *w, TokenKind kind, const IrNode *node,
                       GroupSet base) {
  Uniformity *u = w->u;
  TokenInfo info = {.kind = kind, .depth = w->depth, .node = node};
  VEC_PUSH(u->arena, &u->tokens, info);
  VEC_PUSH(u->arena, &u->base, base);
  return u->tokens.count - 1;
}

static Token new_var_token(Walk *w, TokenKind kind, const IrNode *node,
                           uint32_t var, GroupSet base) {
  Token token = new_token(w, kind, node, base);
  w->u->tokens.data[token].var = var;
  return token;
}

static void depends(Walk *w, Token to, Token from) {
  if (from == uniform_start(w->u) || from == to)
    return;
  TokenEdge edge = {from, to};
  VEC_PUSH(w->u->arena, &w->u->edges, edge);
}

static void depends_on_value(Walk *w, Token to, const IrNode *value) {
  if (value->op != IR_CONST)
    depends(w, to, value->id);
}

static Token reach_token(Walk *w, const IrNode *node, Token outer) {
  Token token = new_token(w, TOKEN_REACH, node, GROUP_SET_ALL);
  depends(w, token, outer);
  return token;
}

static Token choice_of(Walk *w, Target *target) {
  if (target->choice == uniform_start(w->u)) {
    target->choice =
        new_token(w, TOKEN_CHOICE, target->join.node, GROUP_SET_ALL);
    target->next_asked = w->asked;
    w->asked = target;
  }
  return target->choice;
}

// ------------------------------------------------------------- variables

// A variable that is set first of all in a region, and used only there, needs
// no versions outside: that is where its home is.
typedef struct {
  Walk *walk;
  const IrRegion **regions; // by variable
  bool *is_seen;
} HomeSearch;

static void meet_variable(HomeSearch *search, const IrNode *node, uint32_t var,
                          const IrRegion *region) {
  if (!search->is_seen[var]) {
    search->is_seen[var] = true;
    search->regions[var] = region;
  } else if (search->regions[var] &&
             !order_in_region(search->walk->order, search->regions[var], node))
    search->regions[var] = NULL;
}

static bool has_turn_variable(const IrNode *node) {
  return node->op == IR_FOR || node->op == IR_THREAD_FOR;
}

static uint32_t turn_variable(const IrNode *node) {
  return node->op == IR_FOR ? node->u.loop.var : node->u.part.var;
}

static void find_homes(Walk *w) {
  uint32_t n_vars = w->kernel->vars.count;
  HomeSearch search = {w, ARENA_ARRAY(w->scratch, const IrRegion *, n_vars),
                       ARENA_ARRAY(w->scratch, bool, n_vars)};
  for (uint32_t i = 0; i < w->order->n_nodes; i++) {
    const IrNode *node = w->order->nodes[i];
    if (node->op == IR_SET)
      meet_variable(&search, node, node->u.variable.var, node->region);
    else if (node->op == IR_GET)
      meet_variable(&search, node, node->u.variable.var, NULL);
    else if (has_turn_variable(node))
      meet_variable(&search, node, turn_variable(node), &node->regions[0]);
    if (node->op == IR_SET || has_turn_variable(node))
      VEC_PUSH(w->scratch, &w->setters, node);
  }
  for (uint32_t i = 0; i < n_vars; i++)
    w->home[i] = search.regions[i] ? search.regions[i]->owner : NULL;
}

static bool is_home_inside(const Walk *w, uint32_t var, const IrNode *node) {
  return w->home[var] && order_inside(w->order, node, w->home[var]);
}

static void assign(Walk *w, uint32_t var, Token version) {
  LogEntry entry = {var, w->current[var]};
  VEC_PUSH(w->scratch, &w->log, entry);
  w->current[var] = version;
}

static void undo(Walk *w, uint32_t mark) {
  while (w->log.count > mark) {
    LogEntry entry = VEC_POP(&w->log);
    w->current[entry.var] = entry.previous;
  }
}

// ----------------------------------------------------------------- joins

// A path ends here and goes on behind the join.
static void record_path(Walk *w, Join *join) {
  join->n_paths++;
  uint32_t stamp = ++w->clock;
  for (uint32_t i = join->log_mark; i < w->log.count; i++) {
    uint32_t var = w->log.data[i].var;
    if (++w->n_records > MAX_RECORDS)
      join->is_lost = true;
    if (join->is_lost)
      return;
    if (w->stamp[var] == stamp || is_home_inside(w, var, join->node))
      continue;
    w->stamp[var] = stamp;
    Record record = {var, w->current[var]};
    VEC_PUSH(w->scratch, &join->records, record);
  }
}

static void add_version(Walk *w, const Join *join, Meeting *meeting,
                        Token version) {
  meeting->n_paths++;
  if (version == meeting->version)
    return;
  if (!meeting->is_phi) {
    Token phi =
        new_var_token(w, TOKEN_PHI, join->node, meeting->var, GROUP_SET_ALL);
    depends(w, phi, meeting->version);
    meeting->version = phi;
    meeting->is_phi = true;
  }
  depends(w, meeting->version, version);
}

// Fills w->meetings; the log is undone to where the paths parted.
static void gather(Walk *w, const Join *join) {
  uint32_t stamp = ++w->clock;
  w->meetings.count = 0;
  for (uint32_t i = 0; i < join->records.count; i++) {
    Record record = join->records.data[i];
    if (w->stamp[record.var] != stamp) {
      w->stamp[record.var] = stamp;
      w->slot[record.var] = w->meetings.count;
      Meeting meeting = {record.var, 1, record.version, false};
      VEC_PUSH(w->scratch, &w->meetings, meeting);
    } else {
      Meeting *meeting = &w->meetings.data[w->slot[record.var]];
      add_version(w, join, meeting, record.version);
    }
  }
  undo(w, join->log_mark);
  for (uint32_t i = 0; i < w->meetings.count; i++) {
    Meeting *meeting = &w->meetings.data[i];
    if (meeting->n_paths < join->n_paths)
      add_version(w, join, meeting, w->current[meeting->var]);
  }
}

// Index into w->setters of the first at or after a position.
static uint32_t setter_at(const Walk *w, uint32_t position) {
  uint32_t low = 0, high = w->setters.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (w->order->position[w->setters.data[middle]->id] < position)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static uint32_t assigned_variable(const IrNode *setter) {
  return setter->op == IR_SET ? setter->u.variable.var : turn_variable(setter);
}

typedef void (*VariableAction)(Walk *w, const IrNode *node, uint32_t var);

// Once for each variable that is set inside `node` and lives longer.
static void each_assigned(Walk *w, const IrNode *node, VariableAction act) {
  uint32_t end = setter_at(w, w->order->end[node->id]);
  uint32_t stamp = ++w->clock;
  for (uint32_t i = setter_at(w, w->order->position[node->id]); i < end; i++) {
    uint32_t var = assigned_variable(w->setters.data[i]);
    if (w->stamp[var] == stamp || is_home_inside(w, var, node))
      continue;
    w->stamp[var] = stamp;
    act(w, node, var);
  }
}

static void lose_variable(Walk *w, const IrNode *node, uint32_t var) {
  assign(w, var, new_var_token(w, TOKEN_LOST, node, var, GROUP_SET_SINGLE));
}

// Those that don't run this region of an `if` have returned.
static bool is_way_of_present(const Walk *w, const IrNode *node, int region) {
  uint32_t others = region == 0 ? NODE_ELSE_RETURNS : NODE_THEN_RETURNS;
  return w->u->of_present && (node->flags & others) != 0;
}

// The versions behind `join`. `target` is NULL for an `if`, whose condition
// decides. See Note [What decides a join].
static void finish_join(Walk *w, const Join *join, Target *target) {
  if (join->is_lost) {
    undo(w, join->log_mark);
    each_assigned(w, join->node, lose_variable);
    return;
  }
  gather(w, join);
  for (uint32_t i = 0; i < w->meetings.count; i++) {
    Meeting meeting = w->meetings.data[i];
    bool is_decided = meeting.is_phi;
    if (target && w->u->tokens.data[meeting.version].depth > w->depth &&
        !meeting.is_phi) {
      Token version = meeting.version;
      meeting.version =
          new_var_token(w, TOKEN_PHI, join->node, meeting.var, GROUP_SET_ALL);
      depends(w, meeting.version, version);
      is_decided = true;
    }
    if (is_decided && target)
      depends(w, meeting.version, choice_of(w, target));
    else if (is_decided && !is_way_of_present(w, join->node, 0) &&
             !is_way_of_present(w, join->node, 1))
      depends_on_value(w, meeting.version, join->node->args[0]);
    assign(w, meeting.var, meeting.version);
  }
}

// --------------------------------------------------------------- targets

static Target *push_target(Walk *w, const IrNode *node, bool is_turn) {
  Target *target = ARENA_NEW(w->scratch, Target);
  target->join.node = node;
  target->join.log_mark = w->log.count;
  target->is_turn = is_turn;
  target->left = target->choice = uniform_start(w->u);
  VEC_PUSH(w->scratch, &w->stack, target);
  (is_turn ? w->turn_of : w->leave_of)[node->id] = target;
  return target;
}

static void state(Walk *w, Token token, const IrGroup *group) {
  TokenGroup row = {.token = token, .group = group};
  VEC_PUSH(w->u->arena, &w->u->stated, row);
}

#define MAX_EARLIER 64u // parts of those who left; more only says less

// A labeled or coalesced group was made: its threads are together from here
// on, whoever left before.
static Token make_group_reach(Walk *w, const IrNode *node, Token reach) {
  Token here = reach_token(w, node, reach);
  state(w, here, node->u.group.group);
  for (uint32_t i = 0; i < w->stack.count; i++) {
    Target *target = w->stack.data[i];
    if (target->left == uniform_start(w->u) ||
        target->earlier.count == MAX_EARLIER)
      continue;
    Leavers leavers = {target->left, target->last_exit};
    VEC_PUSH(w->scratch, &target->earlier, leavers);
    target->left = uniform_start(w->u);
  }
  return here;
}

static void walk_exit(Walk *w, const IrNode *node, Token reach) {
  if (w->u->of_present && (node->flags & NODE_RETURNS))
    return;
  const IrNode *aim = node->u.exit.target;
  bool is_turn =
      node->u.exit.is_continue && (aim->op == IR_LOOP || aim->op == IR_FOR);
  Target *target = (is_turn ? w->turn_of : w->leave_of)[aim->id];
  uint32_t at = w->order->position[node->id];
  if (target->exits.count == 0)
    target->first_exit = at;
  target->last_exit = at;
  w->last_exit = at + 1;
  VEC_PUSH(w->scratch, &target->exits, node);
  Token left = new_token(w, TOKEN_LEFT, node, GROUP_SET_ALL);
  depends(w, left, target->left);
  depends(w, left, reach);
  target->left = left;
  record_path(w, &target->join);
}

// Makes `token` depend on who left for an enclosing target inside `node`.
static void add_leaks(Walk *w, const IrNode *node, Token token) {
  uint32_t from = w->order->position[node->id];
  for (uint32_t i = w->stack.count; i-- > 0;) {
    const Target *target = w->stack.data[i];
    if (target->exits.count == 0 || target->last_exit <= from)
      continue;
    depends(w, token, target->left);
    for (uint32_t k = target->earlier.count; k-- > 0;) {
      if (target->earlier.data[k].last_exit <= from)
        break;
      depends(w, token, target->earlier.data[k].left);
    }
  }
}

static bool has_leaks(const Walk *w, const IrNode *node) {
  uint32_t from = w->order->position[node->id];
  if (w->last_exit > from)
    for (uint32_t i = w->stack.count; i-- > 0;) {
      const Target *target = w->stack.data[i];
      if (target->exits.count && target->last_exit > from)
        return true;
    }
  return false;
}

// ----------------------------------------------------------------- nodes

static bool walk_region(Walk *w, const IrRegion *region, Token reach);

static bool walk_if(Walk *w, const IrNode *node, Token reach) {
  Join join = {.node = node, .log_mark = w->log.count};
  Token inside = reach_token(w, node, reach);
  depends_on_value(w, inside, node->args[0]);
  for (int i = 0; i < 2; i++) {
    Token way = is_way_of_present(w, node, i) ? reach : inside;
    if (walk_region(w, &node->regions[i], way))
      record_path(w, &join);
    undo(w, join.log_mark);
  }
  if (join.n_paths > 0)
    finish_join(w, &join, NULL);
  return join.n_paths > 0;
}

static bool walk_block(Walk *w, const IrNode *node, Token reach) {
  Target *target = push_target(w, node, false);
  bool falls = walk_region(w, &node->regions[0], reach);
  (void)VEC_POP(&w->stack);
  if (target->exits.count == 0)
    return falls;
  if (falls)
    record_path(w, &target->join);
  finish_join(w, &target->join, target);
  return true;
}

static void make_header(Walk *w, const IrNode *node, uint32_t var) {
  Token phi = new_var_token(w, TOKEN_PHI, node, var, GROUP_SET_ALL);
  depends(w, phi, w->current[var]);
  assign(w, var, phi);
}

static void lose_header(Walk *w, const IrNode *node, uint32_t var) {
  Token lost = new_var_token(w, TOKEN_LOST, node, var, GROUP_SET_SINGLE);
  depends(w, w->current[var], lost);
}

// Back edges into the header versions, which are current afterwards.
static void close_turn(Walk *w, Target *turn) {
  Join *join = &turn->join;
  if (join->is_lost) {
    undo(w, join->log_mark);
    each_assigned(w, join->node, lose_header);
    return;
  }
  gather(w, join);
  for (uint32_t i = 0; i < w->meetings.count; i++) {
    Meeting meeting = w->meetings.data[i];
    if (meeting.is_phi)
      depends(w, meeting.version, choice_of(w, turn));
    depends(w, w->current[meeting.var], meeting.version);
  }
}

static void start_turn_variable(Walk *w, const IrNode *node, GroupSet base) {
  uint32_t var = turn_variable(node);
  Token turn = new_var_token(w, TOKEN_TURN, node, var, base);
  depends_on_value(w, turn, node->args[0]);
  assign(w, var, turn);
}

// `loop`, `for` and the strided form of `thread_for`. `inside` is the reach
// token of the body.
static bool walk_loop(Walk *w, const IrNode *node, Token inside) {
  Target *leave = push_target(w, node, false);
  if (node->op == IR_THREAD_FOR)
    choice_of(w, leave); // its turns differ: done in finish_choices
  w->depth++;
  each_assigned(w, node, make_header);
  if (has_turn_variable(node))
    start_turn_variable(w, node,
                        node->op == IR_FOR ? GROUP_SET_ALL : GROUP_SET_SINGLE);
  Target *turn = push_target(w, node, true);
  if (walk_region(w, &node->regions[0], inside))
    record_path(w, &turn->join);
  (void)VEC_POP(&w->stack);
  add_leaks(w, node, inside);
  close_turn(w, turn);
  w->depth--;
  (void)VEC_POP(&w->stack);
  bool has_end = node->op != IR_LOOP;
  if (has_end)
    record_path(w, &leave->join);
  if (leave->join.n_paths > 0)
    finish_join(w, &leave->join, leave);
  return leave->join.n_paths > 0;
}

static bool walk_for(Walk *w, const IrNode *node, Token reach) {
  Token inside = reach_token(w, node, reach);
  bool is_left_by_returns = w->u->of_present && (node->flags & NODE_RETURNS);
  for (uint32_t i = 0; i < node->n_args && !is_left_by_returns; i++)
    depends_on_value(w, inside, node->args[i]);
  return walk_loop(w, node, inside);
}

// Does one execution of the statement mean the same threads as the next?
static bool is_fixed_part(const Uniformity *u, const IrNode *node) {
  if (node->u.part.is_any || node->u.part.group->begin >= 0)
    return true;
  return node->n_args == 0 || uniform_is_fixed(u, node->args[0]);
}

static void leave_group(Walk *w, const IrNode *node, const Join *join) {
  GroupSet base = is_fixed_part(w->u, node)
                      ? group_set_of(w->u->sets, node->u.part.group)
                      : GROUP_SET_SINGLE;
  undo(w, join->log_mark);
  for (uint32_t i = 0; i < join->records.count; i++) {
    Record record = join->records.data[i];
    Token after = new_var_token(w, TOKEN_GROUP_EXIT, node, record.var, base);
    depends(w, after, record.version);
    TokenEdge outside = {w->current[record.var], after};
    VEC_PUSH(w->u->arena, &w->u->outside, outside);
    assign(w, record.var, after);
  }
}

static bool is_whole_parent(const IrNode *node) {
  const IrGroup *group = node->u.part.group, *parent = node->u.part.parent;
  return group->begin == 0 && group->size > 0 && group->size == parent->size;
}

static Token part_reach(Walk *w, const IrNode *node) {
  return new_token(w, TOKEN_REACH, node,
                   group_set_inside(w->u->sets, node->u.part.group));
}

// The operator's variables are its own: behind it all is as before.
static bool walk_operator(Walk *w, const IrNode *node) {
  uint32_t mark = w->log.count;
  uint32_t given[] = {node->u.collective.left, node->u.collective.right};
  for (uint32_t i = 0; i < 2; i++)
    assign(w, given[i],
           new_var_token(w, TOKEN_TURN, node, given[i], GROUP_SET_SINGLE));
  walk_region(w, &node->regions[0],
              new_token(w, TOKEN_REACH, node, GROUP_SET_SINGLE));
  undo(w, mark);
  return true;
}

static bool walk_group(Walk *w, const IrNode *node) {
  Join join = {.node = node, .log_mark = w->log.count};
  bool falls = walk_region(w, &node->regions[0], part_reach(w, node));
  if (is_whole_parent(node))
    return falls;
  if (falls)
    record_path(w, &join);
  if (join.is_lost) {
    undo(w, join.log_mark);
    each_assigned(w, node, lose_variable);
  } else
    leave_group(w, node, &join);
  return true;
}

static bool walk_thread_for(Walk *w, const IrNode *node) {
  if (!node->u.part.is_split)
    return walk_loop(w, node,
                     new_token(w, TOKEN_REACH, node, GROUP_SET_SINGLE));
  start_turn_variable(w, node,
                      group_set_inside(w->u->sets, node->u.part.group));
  return walk_region(w, &node->regions[0], part_reach(w, node));
}

// True if the node after it is reached by this path.
static bool walk_control(Walk *w, const IrNode *node, Token reach) {
  switch ((int)node->op) {
  case IR_IF: return walk_if(w, node, reach);
  case IR_LOOP: return walk_loop(w, node, reach_token(w, node, reach));
  case IR_FOR: return walk_for(w, node, reach);
  case IR_BLOCK:
  case IR_CALL: return walk_block(w, node, reach);
  case IR_GROUP: return walk_group(w, node);
  case IR_WITH: return walk_region(w, &node->regions[0], part_reach(w, node));
  case IR_REDUCE_BY:
  case IR_SCAN_BY: return walk_operator(w, node);
  default: return walk_thread_for(w, node);
  }
}

// The threads of a labeled group agree on its label, and on the variable that
// held it until another value is assigned.
static void state_label(Walk *w, const IrNode *make) {
  const IrNode *label = make->args[0];
  while (label->op == IR_ZEXT || label->op == IR_SEXT) {
    state(w, label->id, make->u.group.group);
    label = label->args[0];
  }
  if (label->op == IR_CONST)
    return;
  w->labels[w->n_labels++ % MAX_LABELS] = make;
  state(w, label->id, make->u.group.group);
  Token version = w->u->version[label->id];
  if (label->op == IR_GET && version != uniform_start(w->u))
    state(w, version, make->u.group.group);
}

// The label may be written again behind its partition.
static void state_repeated_label(Walk *w, const IrNode *node) {
  bool may_be = ir_type_is_int(node->type) || node->type.kind == IR_TYPE_BOOL;
  uint32_t count = w->n_labels < MAX_LABELS ? w->n_labels : MAX_LABELS;
  for (uint32_t i = 0; may_be && i < count; i++)
    if (uniform_repeats(w->u, node, w->labels[i]->args[0]))
      state(w, node->id, w->labels[i]->u.group.group);
}

static void walk_value(Walk *w, const IrNode *node) {
  Uniformity *u = w->u;
  if (node->op == IR_UNIFORM)
    state(w, node->id, node->u.group.group);
  if (ir_op_info(node)->flags & OPF_ALIKE)
    return;
  if (node->op == IR_GET) {
    Token version = w->current[node->u.variable.var];
    u->version[node->id] = version;
    depends(w, node->id, version);
    return;
  }
  if (node->type.kind != IR_TYPE_VOID || node->op == IR_SET)
    for (uint32_t i = 0; i < node->n_args; i++)
      depends_on_value(w, node->id, node->args[i]);
  state_repeated_label(w, node);
  if (node->op == IR_SET)
    assign(w, node->u.variable.var, node->id);
}

// True if the end of the region is reached.
static bool walk_region(Walk *w, const IrRegion *region, Token reach) {
  for (const IrNode *node = region->first; node; node = node->next) {
    w->u->reach[node->id] = reach;
    w->u->tokens.data[node->id].depth = w->depth;
    if (node->op == IR_EXIT) {
      walk_exit(w, node, reach);
      return false;
    }
    if (node->op == IR_MAKE_GROUP) {
      if (node->u.group.group->kind == GROUP_LABELED)
        state_label(w, node);
      if (node->u.group.group->kind != GROUP_TILED)
        reach = make_group_reach(w, node, reach);
      continue;
    }
    if (node->n_regions == 0) {
      walk_value(w, node);
      continue;
    }
    if (!walk_control(w, node, reach))
      return false;
    if (has_leaks(w, node)) {
      reach = reach_token(w, node, reach);
      add_leaks(w, node, reach);
    }
  }
  return true;
}

// --------------------------------------------------------------- choices

static void ask_about(Walk *w, Token choice, Target *inner, uint32_t before) {
  if (inner && inner->exits.count && inner->first_exit < before)
    depends(w, choice, choice_of(w, inner));
}

// What decides, at `node` on the way from a target to its exit at position
// `at`, whether a thread gets there.
static void add_step(Walk *w, Token choice, const IrNode *node, uint32_t at) {
  if (node->op == IR_IF || node->op == IR_FOR)
    for (uint32_t i = 0; i < node->n_args; i++)
      depends_on_value(w, choice, node->args[i]);
  ask_about(w, choice, w->turn_of[node->id], at);
  bool is_loop = node->op == IR_LOOP || node->op == IR_FOR;
  ask_about(w, choice, w->leave_of[node->id], is_loop ? UINT32_MAX : at);
}

static void finish_choice(Walk *w, Target *target, const Target **stamps) {
  const IrNode *top = target->join.node;
  Token choice = target->choice;
  if (top->op == IR_FOR && !target->is_turn)
    for (uint32_t i = 0; i < top->n_args; i++)
      depends_on_value(w, choice, top->args[i]);
  if (top->op == IR_THREAD_FOR)
    w->u->base.data[choice] = GROUP_SET_SINGLE;
  // The last exit first: what it passes covers what the others pass.
  for (uint32_t i = target->exits.count; i-- > 0;) {
    const IrNode *leaf = target->exits.data[i];
    uint32_t at = w->order->position[leaf->id];
    if (!target->is_turn)
      ask_about(w, choice, w->turn_of[top->id], at);
    for (const IrNode *node = ir_node_owner(leaf); node && node != top;
         node = ir_node_owner(node)) {
      if (stamps[node->id] == target)
        break;
      stamps[node->id] = target;
      add_step(w, choice, node, at);
    }
  }
}

static void finish_choices(Walk *w) {
  const Target **stamps =
      ARENA_ARRAY(w->scratch, const Target *, w->order->n_ids);
  while (w->asked) {
    Target *target = w->asked;
    w->asked = target->next_asked;
    finish_choice(w, target, stamps);
  }
}

// Values that no path reaches are never asked about, but have a row.
static void make_value_tokens(Uniformity *u) {
  uint32_t n_ids = u->order->n_ids;
  VEC_RESERVE(u->arena, &u->tokens, n_ids + n_ids / 2 + 1);
  VEC_RESERVE(u->arena, &u->base, n_ids + n_ids / 2 + 1);
  u->tokens.count = u->base.count = n_ids;
  for (uint32_t i = 0; i < u->order->n_nodes; i++) {
    const IrNode *node = u->order->nodes[i];
    u->tokens.data[node->id] = (TokenInfo){.kind = TOKEN_VALUE, .node = node};
    u->base.data[node->id] = uniform_base(u, node);
    u->reach[node->id] = u->version[node->id] = uniform_start(u);
  }
}

void uniform_walk(Uniformity *u, Arena *scratch) {
  const IrKernel *kernel = u->kernel;
  uint32_t n_vars = kernel->vars.count, n_ids = u->order->n_ids;
  Walk w = {.u = u, .scratch = scratch, .kernel = kernel, .order = u->order};
  w.current = ARENA_ARRAY(scratch, Token, n_vars);
  w.home = ARENA_ARRAY(scratch, const IrNode *, n_vars);
  w.stamp = ARENA_ARRAY(scratch, uint32_t, n_vars);
  w.slot = ARENA_ARRAY(scratch, uint32_t, n_vars);
  w.leave_of = ARENA_ARRAY(scratch, Target *, n_ids);
  w.turn_of = ARENA_ARRAY(scratch, Target *, n_ids);
  for (uint32_t i = 0; i < n_vars; i++)
    w.current[i] = uniform_start(u);
  find_homes(&w);
  make_value_tokens(u);
  new_token(&w, TOKEN_START, NULL, GROUP_SET_ALL);
  walk_region(&w, &kernel->body, uniform_start(u));
  finish_choices(&w);
}
