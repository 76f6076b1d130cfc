// SPDX-License-Identifier: Apache-2.0
// From the tree of regions to a list of instructions.
#include "interp/layout.h"
#include "interp/machine.h"
#include "ir/form/cursor.h"
#include <string.h>

// What is known of a region node while its region is open. Jumps that wait for
// their target are chained through Insn.target (index + 1 of the next).
typedef struct {
  uint32_t start;      // where its next turn begins
  uint32_t entry;      // instruction that may jump over it
  uint32_t exits;      // chain of jumps behind it
  uint32_t continues;  // chain of jumps to its next turn
  uint32_t top;        // slots in use before it
  uint32_t n_tiles;    // registers for tiles in use before it
  uint32_t most_tiles; // and at most inside
} Open;

typedef struct {
  Program *program;
  const Launch *launch;
  uint32_t *slots;  // by node id
  Open *open;       // by node id
  uint32_t top;     // slots in use
  uint32_t n_tiles; // registers in use
  // By node id; NULL: there are no tiles. The first tile that nobody uses
  // behind the node (node id + 1; 0: none), and for a tile the next of those.
  uint32_t *dead, *next_dead;
  const char *why;
} Flatten;

// ----------------------------------------------------------------- slots

static uint32_t take_slots(Flatten *f, uint32_t count) {
  uint32_t first = f->top;
  f->top += count;
  if (f->top > f->program->frame_slots)
    f->program->frame_slots = f->top;
  return first;
}

// A register; they are emptied at the end of the region.
static uint32_t take_tile(Flatten *f) {
  uint32_t number = f->n_tiles++;
  if (f->n_tiles > f->program->n_tiles)
    f->program->n_tiles = f->n_tiles;
  return number;
}

static uint32_t type_slots(const Flatten *f, IrType type) {
  return program_layout(f->program, type)->n_slots;
}

static uint32_t pool_add(Flatten *f, uint64_t value) {
  VEC_PUSH(f->program->arena, &f->program->pool, value);
  return f->program->pool.count - 1;
}

// ---------------------------------------------------------- instructions

static uint32_t flatten_here(const Flatten *f) {
  return f->program->code.count;
}

static Insn *flatten_emit(Flatten *f, uint32_t op, const IrNode *node) {
  Insn insn = {.op = (uint16_t)op, .node = node};
  insn.args = f->program->args.count;
  if (node) {
    const IrModule *module = f->program->kernel->module;
    insn.to_kind = ir_element_type(module, node->type).kind;
    insn.kind = node->n_args ? ir_element_type(module, node->args[0]->type).kind
                             : insn.to_kind;
  }
  VEC_PUSH(f->program->arena, &f->program->code, insn);
  return &VEC_LAST(&f->program->code);
}

static void add_arg(Flatten *f, const IrNode *arg) {
  VEC_PUSH(f->program->arena, &f->program->args, f->slots[arg->id]);
}

static void flatten_add_args(Flatten *f, const IrNode *node) {
  for (uint32_t i = 0; i < node->n_args; i++)
    add_arg(f, node->args[i]);
}

static void emit_copy(Flatten *f, const IrNode *from, uint32_t to_slot,
                      const IrNode *node) {
  bool is_tile = ir_is_tile(from->type);
  Insn *insn = flatten_emit(f, is_tile ? INSN_TILE_SET : INSN_COPY, node);
  insn->dst = to_slot;
  insn->n_slots = type_slots(f, from->type);
  add_arg(f, from);
}

static void patch(Flatten *f, uint32_t chain, uint32_t target) {
  while (chain) {
    Insn *insn = &f->program->code.data[chain - 1];
    chain = insn->target;
    insn->target = target;
  }
}

// ------------------------------------------------------------ pool values

static void flatten_param_value(Flatten *f, const IrNode *node) {
  const IrParam *param = &f->program->kernel->params.data[node->u.index.number];
  const char *bytes = (const char *)&f->launch->given->args[param->slot];
  const TypeLayout *layout = program_layout(f->program, node->type);
  uint32_t first = f->program->pool.count;
  for (uint32_t i = 0; i < layout->n_slots; i++) {
    uint64_t value = 0;
    IrType scalar = ir_scalar((IrTypeKind)layout->kinds[i]);
    memcpy(&value, bytes + layout->offsets[i],
           ir_type_size(f->program->kernel->module, scalar));
    if (layout->kinds[i] == IR_TYPE_BOOL)
      value = value != 0;
    pool_add(f, value);
  }
  f->slots[node->id] = first | SLOT_IN_POOL;
}

// What is the same for all threads of a launch; true if the node is that.
static bool pool_value(Flatten *f, const IrNode *node) {
  uint64_t value;
  uint32_t number = node->u.index.number;
  switch ((int)node->op) {
  case IR_PARAM: flatten_param_value(f, node); return true;
  case IR_CONST: value = node->u.constant.bits; break;
  case IR_EXTENT:
    value = (uint64_t)launch_place(f->launch, node->u.index.object)
                ->extents[number];
    break;
  case IR_STRIDE:
    value = (uint64_t)launch_place(f->launch, node->u.index.object)
                ->strides[number];
    break;
  case IR_GRID_DIM: value = (uint32_t)f->launch->grid[number]; break;
  case IR_BLOCK_DIM:
    value = (uint32_t)f->program->kernel->block_dim[number];
    break;
  default: return false;
  }
  f->slots[node->id] = pool_add(f, value) | SLOT_IN_POOL;
  return true;
}

// ----------------------------------------------------------------- nodes

static void plain_node(Flatten *f, const IrNode *node) {
  Insn *insn = flatten_emit(f, node->op, node);
  bool is_memory = ir_op_info(node)->form == FORM_ACCESS;
  IrType type = is_memory ? node->u.access.type : node->type;
  insn->n_slots = type_slots(f, type);
  insn->is_tile = ir_is_tile(node->type) || ir_family(node) == FAMILY_TILE;
  if (node->type.kind != IR_TYPE_VOID) {
    insn->dst = ir_is_tile(node->type)
                    ? take_tile(f)
                    : take_slots(f, type_slots(f, node->type));
    f->slots[node->id] = insn->dst;
  }
  flatten_add_args(f, node);
}

// Turns are counted where coalesced_threads() asks for threads of one turn.
static void count_loop(Flatten *f, const IrNode *node) {
  Program *program = f->program;
  if (!program->loop_of[node->id])
    return;
  CountedLoop *loop = &program->loops.data[program->loop_of[node->id] - 1];
  loop->slot = take_slots(f, 1);
  loop->begin = flatten_here(f);
  flatten_emit(f, INSN_ZERO, node)->dst = loop->slot;
}

static void count_turn(Flatten *f, const IrNode *node) {
  Program *program = f->program;
  if (program->loop_of[node->id])
    flatten_emit(f, INSN_COUNT, node)->dst =
        program->loops.data[program->loop_of[node->id] - 1].slot;
}

// The operator stands behind the instruction, which jumps over it.
static void open_operator(Flatten *f, const IrNode *node) {
  plain_node(f, node);
  Open *open = &f->open[node->id];
  open->top = f->top; // keeps the result
  open->n_tiles = open->most_tiles = f->n_tiles;
  open->entry = flatten_here(f);
  flatten_emit(f, INSN_JUMP, node);
  f->program->code.data[open->entry - 1].extra = flatten_here(f);
}

static void open_for(Flatten *f, const IrNode *node) {
  Open *open = &f->open[node->id];
  uint32_t var = f->program->var_slots[node->u.loop.var];
  emit_copy(f, node->args[0], var, node);
  count_loop(f, node);
  open->start = flatten_here(f);
  count_turn(f, node);
  Insn *test = flatten_emit(f, INSN_FOR_TEST, node);
  test->dst = var;
  add_arg(f, node->args[1]);
}

static void open_thread_for(Flatten *f, const IrNode *node) {
  Open *open = &f->open[node->id];
  uint32_t var = f->program->var_slots[node->u.part.var];
  if (node->u.part.is_split) {
    Insn *insn = flatten_emit(f, INSN_SPLIT, node);
    insn->dst = var;
    add_arg(f, node->args[0]);
    return;
  }
  uint32_t turn = take_slots(f, 1);
  flatten_emit(f, INSN_STRIDE_START, node)->extra = turn;
  open->start = flatten_here(f);
  Insn *test = flatten_emit(f, INSN_STRIDE_TEST, node);
  test->dst = var;
  test->extra = turn;
  flatten_add_args(f, node);
  open->entry = flatten_here(f);
}

static void open_region_node(Flatten *f, const IrNode *node) {
  Open *open = &f->open[node->id];
  *open =
      (Open){.top = f->top, .n_tiles = f->n_tiles, .most_tiles = f->n_tiles};
  if (ir_is_operator(node)) {
    open_operator(f, node);
    return;
  }
  switch (ir_control_op(node->op)) {
  case IR_IF:
  case IR_GROUP:
    flatten_emit(f, node->op == IR_IF ? INSN_BRANCH : INSN_GROUP, node);
    flatten_add_args(f, node);
    open->entry = flatten_here(f);
    break;
  case IR_FOR: open_for(f, node); break;
  case IR_THREAD_FOR: open_thread_for(f, node); break;
  case IR_LOOP:
  case IR_BLOCK:
  case IR_CALL:
  case IR_WITH:
  case IR_EXIT:
    count_loop(f, node);
    open->start = flatten_here(f);
    count_turn(f, node);
    break;
  }
}

static void exit_node(Flatten *f, const IrNode *node) {
  Open *target = &f->open[node->u.exit.target->id];
  Insn *jump = flatten_emit(f, INSN_JUMP, node);
  uint32_t *chain =
      node->u.exit.is_continue ? &target->continues : &target->exits;
  jump->target = *chain;
  *chain = flatten_here(f);
}

// Empties the registers from number `first` on.
static void drop_tiles(Flatten *f, const IrNode *node, uint32_t first,
                       uint32_t count) {
  if (count == 0)
    return;
  Insn *insn = flatten_emit(f, INSN_TILE_DROP, node);
  insn->dst = first;
  insn->n_slots = count;
}

// Behind the node: tiles that nobody uses any more.
static void drop_dead(Flatten *f, const IrNode *node) {
  uint32_t next = f->dead ? f->dead[node->id] : 0;
  for (; next; next = f->next_dead[next - 1])
    drop_tiles(f, node, f->slots[next - 1], 1);
}

static bool gives_no_tile(IrOp op) {
  return ir_op_table[op].family != FAMILY_TILE && !ir_lifts(op) && op != IR_GET;
}

// What the passes before a run take out, and tiles where the verifier lets
// through what has no meaning.
static bool is_unknown(const Flatten *f, const IrNode *node) {
  return node->op == IR_MBAR_INIT || f->top > SLOT_IN_POOL / 2 ||
         (ir_is_tile(node->type) && gives_no_tile(node->op));
}

static bool flatten_node(Flatten *f, const IrNode *node) {
  if (is_unknown(f, node)) {
    f->why = arena_printf(
        f->program->arena,
        "the interpreter doesn't know '%s' as it is used "
        "at %s",
        ir_op_info(node)->text,
        ir_loc_text(f->program->kernel->module, node->loc, f->program->arena));
    return false;
  }
  if (node->n_regions)
    open_region_node(f, node);
  else if (node->op == IR_EXIT)
    exit_node(f, node);
  else if (node->op == IR_SET)
    emit_copy(f, node->args[0], f->program->var_slots[node->u.variable.var],
              node);
  else if (!pool_value(f, node))
    plain_node(f, node);
  if (!node->n_regions)
    drop_dead(f, node);
  return true;
}

// --------------------------------------------------------------- regions

static void jump_back(Flatten *f, uint32_t op, const IrNode *node,
                      uint32_t target) {
  Insn *insn = flatten_emit(f, op, node);
  insn->target = target;
}

static void leave_then(Flatten *f, const IrNode *node) {
  Open *open = &f->open[node->id];
  if (node->regions[1].first) {
    flatten_emit(f, INSN_JUMP, node)->target = open->exits;
    open->exits = flatten_here(f);
  }
  f->program->code.data[open->entry - 1].target = flatten_here(f);
}

static void leave_for(Flatten *f, const IrNode *node) {
  Open *open = &f->open[node->id];
  patch(f, open->continues, flatten_here(f));
  Insn *step = flatten_emit(f, INSN_FOR_STEP, node);
  step->dst = f->program->var_slots[node->u.loop.var];
  step->target = open->start;
  uint32_t test = open->start + (f->program->loop_of[node->id] ? 1 : 0);
  f->program->code.data[test].target = flatten_here(f);
}

static void leave_node(Flatten *f, const IrNode *node) {
  Open *open = &f->open[node->id];
  switch ((int)node->op) {
  case IR_LOOP:
    jump_back(f, INSN_JUMP, node, open->start);
    patch(f, open->continues, open->start);
    break;
  case IR_FOR: leave_for(f, node); break;
  case IR_THREAD_FOR:
    if (node->u.part.is_split)
      break;
    flatten_emit(f, INSN_STRIDE_STEP, node);
    VEC_LAST(&f->program->code).extra = open->top;
    VEC_LAST(&f->program->code).target = open->start;
    f->program->code.data[open->entry - 1].target = flatten_here(f);
    break;
  case IR_GROUP:
    f->program->code.data[open->entry - 1].target = flatten_here(f);
    break;
  default: break;
  }
  uint32_t n_tiles = open->most_tiles - open->n_tiles;
  if (ir_is_operator(node)) {
    drop_tiles(f, node, open->n_tiles, n_tiles);
    flatten_emit(f, INSN_RETURN, node);
    f->program->code.data[open->entry].target = flatten_here(f);
    return;
  }
  patch(f, open->exits, flatten_here(f));
  if (f->program->loop_of[node->id])
    f->program->loops.data[f->program->loop_of[node->id] - 1].end =
        flatten_here(f);
  drop_tiles(f, node, open->n_tiles, n_tiles);
}

static void flatten_leave_region(Flatten *f, const IrRegion *region) {
  const IrNode *node = region->owner;
  if (!node)
    return;
  Open *open = &f->open[node->id];
  if (f->n_tiles > open->most_tiles)
    open->most_tiles = f->n_tiles;
  bool goes_on = node->op == IR_IF && region == &node->regions[0];
  if (goes_on)
    leave_then(f, node);
  else
    leave_node(f, node);
  f->top = open->top;
  f->n_tiles = open->n_tiles;
  if (goes_on)
    return;
  const IrNode *around = node->region->owner;
  if (around && f->open[around->id].most_tiles < open->most_tiles)
    f->open[around->id].most_tiles = open->most_tiles;
  drop_dead(f, node);
}

static bool flatten_is_loop(const IrNode *node) {
  return node->op == IR_LOOP || node->op == IR_FOR;
}

static void count_loops_around(Program *program, const IrNode *inner) {
  for (const IrNode *node = inner->region->owner; node;
       node = node->region->owner) {
    if (!flatten_is_loop(node) || program->loop_of[node->id])
      continue;
    CountedLoop loop = {.node = node};
    VEC_PUSH(program->arena, &program->loops, loop);
    program->loop_of[node->id] = program->loops.count;
  }
}

static bool count_claim(IrNode *node, void *context) {
  if (node->op == IR_UNIFORM || ir_is_claim(node))
    count_loops_around(context, node);
  return true;
}

static void find_counted_loops(Flatten *f) {
  Program *program = f->program;
  const IrKernel *kernel = program->kernel;
  program->loop_of = ARENA_ARRAY(program->arena, uint32_t, kernel->n_nodes);
  for (uint32_t i = 0; i < kernel->groups.count; i++)
    if (kernel->groups.data[i]->kind == GROUP_COALESCED)
      count_loops_around(program, kernel->groups.data[i]->maker);
  if (f->launch->given->observer)
    ir_walk((IrRegion *)(uintptr_t)&kernel->body, count_claim, program);
}

static void place_vars(Flatten *f) {
  const IrKernel *kernel = f->program->kernel;
  f->program->var_slots =
      ARENA_ARRAY(f->program->arena, uint32_t, kernel->vars.count);
  for (uint32_t i = 0; i < kernel->vars.count; i++) {
    IrType type = kernel->vars.data[i].type;
    f->program->var_slots[i] =
        ir_is_tile(type) ? take_tile(f) : take_slots(f, type_slots(f, type));
  }
}

// ------------------------------------------------------------ last uses

// Ancestor of the user, or itself, that stands in the region of the value.
static const IrNode *user_beside(const IrNode *user, const IrNode *value) {
  while (user->region != value->region)
    user = user->region->owner;
  return user;
}

static bool note_last_uses(IrNode *node, void *context) {
  const IrNode **last = context;
  last[node->id] = node;
  for (uint32_t i = 0; i < node->n_args; i++)
    if (ir_is_tile(node->args[i]->type))
      last[node->args[i]->id] = user_beside(node, node->args[i]);
  return true;
}

typedef struct {
  Flatten *f;
  const IrNode **last;
} LastUses;

static bool add_dead(IrNode *node, void *context) {
  const LastUses *uses = context;
  if (ir_is_tile(node->type)) {
    uint32_t *first = &uses->f->dead[uses->last[node->id]->id];
    uses->f->next_dead[node->id] = *first;
    *first = node->id + 1;
  }
  return true;
}

static void find_last_uses(Flatten *f) {
  const IrKernel *kernel = f->program->kernel;
  Arena *arena = f->program->arena;
  IrRegion *body = (IrRegion *)(uintptr_t)&kernel->body;
  if (!ir_has_tiles(kernel))
    return;
  f->dead = ARENA_ARRAY(arena, uint32_t, kernel->n_nodes);
  f->next_dead = ARENA_ARRAY(arena, uint32_t, kernel->n_nodes);
  LastUses uses = {f, ARENA_ARRAY(arena, const IrNode *, kernel->n_nodes)};
  ir_walk(body, note_last_uses, uses.last);
  ir_walk(body, add_dead, &uses);
}

HdStatus program_build(Arena *arena, const IrKernel *kernel,
                       const Launch *launch, Program *out, const char **why) {
  *out = (Program){.arena = arena, .kernel = kernel};
  layout_build(out);
  Flatten f = {.program = out, .launch = launch};
  f.slots = ARENA_ARRAY(arena, uint32_t, kernel->n_nodes);
  f.open = ARENA_ARRAY(arena, Open, kernel->n_nodes);
  place_vars(&f);
  find_counted_loops(&f);
  find_last_uses(&f);
  IrCursor cursor = cursor_at(&kernel->body);
  while (cursor_next(&cursor)) {
    if (cursor.event == CURSOR_LEAVE)
      flatten_leave_region(&f, cursor.region);
    if (cursor.event == CURSOR_NODE && !flatten_node(&f, cursor.node)) {
      *why = f.why;
      return HD_ERROR_UNSUPPORTED;
    }
  }
  flatten_emit(&f, INSN_END, NULL);
  return HD_OK;
}
