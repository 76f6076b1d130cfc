// SPDX-License-Identifier: Apache-2.0
#include "check/prove/input.h"

#include "base/map.h"
#include "ir/form/order.h"

// Terms and operands inside each other; deeper ones are taken for none.
enum { MOST_DEPTH = 100 };

typedef struct {
  const Check *check;
  InputQuestion question;
  Map seen; // nodes, objects and terms
  Arena *scratch;
  Map open;           // the stores that are being looked at, by object
  uint32_t n_updates; // of these, those of what other elements hold
} Input;

// Writes of an object that may come before a load: all, if there is none. The
// tree knows where pointers lead.
typedef struct {
  const IrObject *object;
  const IrNode *load;
  bool is_behind; // the load was met
  bool is_found;
} Writes;

// A turn later the load is behind it.
static bool is_in_loop_with(const IrNode *write, const IrNode *load) {
  const IrNode *outer = ir_node_owner(write);
  for (; outer; outer = ir_node_owner(outer)) {
    bool is_loop = outer->op == IR_LOOP || outer->op == IR_FOR ||
                   outer->op == IR_THREAD_FOR;
    if (is_loop && ir_is_inside(load, outer))
      return true;
  }
  return false;
}

static void input_find_write(const Step *step, void *context) {
  Writes *writes = context;
  writes->is_behind |= step->node == writes->load;
  if (step->kind != STEP_TOUCH || !step->u.touch.touch->is_write ||
      (writes->is_behind && !is_in_loop_with(step->node, writes->load)))
    return;
  const IrObject *object = step->u.touch.touch->object;
  writes->is_found |= !object || object == writes->object;
}

static bool holds_input(const Check *check, const IrObject *object,
                        const IrNode *load) {
  bool is_of_host = object && (object->space == SPACE_GLOBAL ||
                               object->space == SPACE_CONSTANT);
  Writes writes = {.object = object, .load = load};
  if (is_of_host)
    tree_each(check->tree->first, input_find_write, &writes);
  return is_of_host && !writes.is_found;
}

bool check_is_input(const Check *check, const IrObject *object) {
  return holds_input(check, object, NULL);
}

static bool is_stated(const Input *in, const IrObject *object) {
  const Tree *tree = in->check->tree;
  for (uint32_t i = 0; i < tree->tables.count; i++) {
    bool is_bound = tree->tables.data[i].kind == TABLE_BOUNDED;
    if (tree->tables.data[i].object == object &&
        is_bound == (in->question == INPUT_BOUNDS))
      return true;
  }
  return false;
}

// `load`: what it gives; NULL: at any time.
static const IrObject *open_input(const Input *in, const IrObject *object,
                                  const IrNode *load) {
  return holds_input(in->check, object, load) && !is_stated(in, object) ? object
                                                                        : NULL;
}

static bool input_is_new(Input *in, const void *what) {
  if (map_has(&in->seen, MAP_KEY(what)))
    return false;
  map_put(in->scratch, &in->seen, MAP_KEY(what), in);
  return true;
}

// --------------------------------------------------------------- elements

static bool input_is_same_value(const IrNode *a, const IrNode *b) {
  return a == b || (a->op == IR_CONST && b->op == IR_CONST &&
                    a->type.kind == b->type.kind &&
                    a->u.constant.bits == b->u.constant.bits);
}

// Of one array.
static bool input_is_same_element(const IrNode *load, const IrNode *store) {
  bool is_same = load->n_args + 1 == store->n_args;
  for (uint32_t i = 0; i < load->n_args && is_same; i++)
    is_same = input_is_same_value(load->args[i], store->args[i]);
  return is_same;
}

// It reads another element than the store that is being looked at writes.
static bool input_is_update(const Input *in, const IrNode *node) {
  const IrNode *store = node->op == IR_LOAD && node->u.access.object
                            ? map_get(&in->open, MAP_KEY(node->u.access.object))
                            : NULL;
  return store && !input_is_same_element(node, store);
}

// ------------------------------------------------------------------ nodes

// Operators and exchanges hand values on; what is counted or added up is the
// kernel's own.
static bool input_hands_on(const IrNode *node) {
  bool is_pure = (ir_op_info(node)->flags & OPF_PURE) != 0;
  switch (ir_family(node)) {
  case FAMILY_VALUE: return is_pure || node->op == IR_SET;
  case FAMILY_ARITHMETIC:
  case FAMILY_COMPARE:
  case FAMILY_CONVERT:
  case FAMILY_MATH:
  case FAMILY_POSITION:
  case FAMILY_MEMORY: return is_pure;
  case FAMILY_EXCHANGE: return ir_is_shuffle(node->op);
  case FAMILY_CLAIM: return node->op == IR_UNIFORM;
  case FAMILY_SYNC:
  case FAMILY_REDUCE:
  case FAMILY_MBARRIER:
  case FAMILY_COPY:
  case FAMILY_EFFECT:
  case FAMILY_CONTROL:
  case FAMILY_TILE:
  case FAMILY_COUNT: break;
  }
  return false;
}

typedef struct {
  Input *in;
  uint32_t var, depth;
  const IrObject *found;
} Sets;

static const IrObject *of_node(Input *in, const IrNode *node, uint32_t depth);

// What conditions inside of a loop ask before the set: which half is searched,
// at which turn something was found.
static const IrObject *of_way(Input *in, const IrNode *set, uint32_t depth) {
  const IrObject *found = NULL;
  for (const IrNode *outer = ir_node_owner(set); outer && depth < MOST_DEPTH;
       outer = ir_node_owner(outer)) {
    if (outer->op == IR_LOOP || outer->op == IR_FOR)
      return found;
    const IrObject *asked =
        outer->op == IR_IF ? of_node(in, outer->args[0], depth + 1) : NULL;
    found = asked ? asked : found;
  }
  return NULL;
}

// n = n + 1
static bool input_is_count(const IrNode *set) {
  const IrNode *sum = set->args[0];
  bool is_sum = sum->op == IR_ADD || sum->op == IR_SUB;
  for (uint32_t i = 0; is_sum && i < sum->n_args; i++)
    if (sum->args[i]->op == IR_GET &&
        sum->args[i]->u.variable.var == set->u.variable.var)
      return true;
  return false;
}

static bool input_look_at_set(IrNode *node, void *context) {
  Sets *sets = context;
  if (node->op != IR_SET || node->u.variable.var != sets->var)
    return true;
  sets->found = of_node(sets->in, node, sets->depth + 1);
  if (!sets->found &&
      (sets->in->question == INPUT_BOUNDS || !input_is_count(node)))
    sets->found = of_way(sets->in, node, sets->depth + 1);
  return !sets->found;
}

static const IrObject *of_variable(Input *in, uint32_t var, uint32_t depth) {
  Sets sets = {in, var, depth, NULL};
  ir_walk((IrRegion *)(uintptr_t)&in->check->kernel->body, input_look_at_set,
          &sets);
  return sets.found;
}

typedef struct {
  Input *in;
  const IrObject *object;
  uint32_t depth;
  bool is_element; // it is read at an index
  const IrObject *found;
} Stores;

// Of a struct that the launch passes.
static bool input_is_member(const IrNode *value) {
  return value->op == IR_EXTRACT && value->args[0]->op == IR_PARAM;
}

static bool input_look_at_store(IrNode *node, void *context) {
  Stores *stores = context;
  if (node->op != IR_STORE || node->u.access.object != stores->object)
    return true;
  Input *in = stores->in;
  const IrNode *value = node->args[node->n_args - 1];
  map_put(in->scratch, &in->open, MAP_KEY(stores->object),
          (void *)(uintptr_t)node);
  const IrObject *found = stores->is_element && input_is_member(value)
                              ? stores->object
                              : of_node(in, value, stores->depth + 1);
  map_put(in->scratch, &in->open, MAP_KEY(stores->object), NULL);
  stores->found = found ? found : stores->found;
  return true;
}

// What the kernel puts into an array, to read it there, is the host's where it
// is a copy of that, or goes on from it: an offset that advances. What is made
// of other elements of the array isn't: sums, scans. The elements of an array
// in a struct that is passed are the host's.
static const IrObject *of_stores(Input *in, const IrObject *object,
                                 bool is_element, uint32_t depth) {
  if (!object || !input_is_new(in, object))
    return NULL;
  uint32_t before = in->n_updates;
  Stores stores = {in, object, depth, is_element, NULL};
  ir_walk((IrRegion *)(uintptr_t)&in->check->kernel->body, input_look_at_store,
          &stores);
  return in->n_updates == before ? stores.found : NULL;
}

static const IrObject *of_load(Input *in, const IrNode *load, uint32_t depth) {
  const IrObject *object = load->u.access.object;
  const IrObject *found = open_input(in, object, load);
  return found ? found : of_stores(in, object, load->n_args > 0, depth);
}

static const IrObject *of_node(Input *in, const IrNode *node, uint32_t depth) {
  in->n_updates += input_is_update(in, node);
  if (depth > MOST_DEPTH || !input_is_new(in, node))
    return NULL;
  if (node->op == IR_LOAD)
    return of_load(in, node, depth);
  if (node->op == IR_GET)
    return of_variable(in, node->u.variable.var, depth);
  const IrObject *found = NULL;
  for (uint32_t i = 0; input_hands_on(node) && i < node->n_args && !found; i++)
    found = of_node(in, node->args[i], depth + 1);
  return found;
}

// ------------------------------------------------------------------ terms

static const IrObject *of_value(Input *in, const Symbol *symbol) {
  const Symbol *first = symbol->copy_of ? symbol->copy_of : symbol;
  const IrNode *origin = symbol->origin ? symbol->origin : first->origin;
  if (origin)
    return of_node(in, origin, 0);
  return first->n_var ? of_variable(in, first->n_var - 1, 0) : NULL;
}

static const IrObject *of_term(Input *in, const Term *term, uint32_t depth) {
  if (depth > MOST_DEPTH || !input_is_new(in, term))
    return NULL;
  const IrObject *found = NULL;
  if (term->kind == TERM_APPLY)
    found = open_input(in, term->object, NULL);
  if (term->kind == TERM_SYMBOL && term->symbol->kind == SYMBOL_VALUE)
    found = of_value(in, term->symbol);
  for (uint32_t i = 0; i < term->n_args && !found; i++)
    found = of_term(in, term->args[i], depth + 1);
  for (uint32_t i = 0; i < term->n_parts && !found; i++)
    found = of_term(in, term->parts[i].atom, depth + 1);
  return found;
}

const IrObject *check_input(const Check *check, const Term *term,
                            InputQuestion question) {
  if (!check_has(check, CHECK_OPEN_INPUT))
    return NULL;
  Input in = {.check = check, .question = question, .scratch = arena_new()};
  const IrObject *found = of_term(&in, term, 0);
  arena_free(in.scratch);
  return found;
}

// ------------------------------------------------------------------ loops

typedef struct {
  const Check *check;
  InputQuestion question;
  const CheckLoop *loop; // whose end is looked at
  const IrObject *found;
} InputTurns;

// An exit of the loop, under a condition.
static void input_look_at_exit(const Step *step, void *context) {
  InputTurns *turns = context;
  const Step *target = step->kind == STEP_EXIT ? step->u.exit.target : NULL;
  bool is_end = target && target->kind == STEP_LOOP &&
                target->u.loop.loop == turns->loop && !step->u.exit.is_continue;
  const Step *test = is_end ? step->parent : NULL;
  if (test && test->kind == STEP_IF && !turns->found)
    turns->found =
        check_input(turns->check, test->u.branch.condition, turns->question);
}

static void input_look_at_turn(const Symbol *symbol, void *context) {
  InputTurns *turns = context;
  const Tree *tree = turns->check->tree;
  for (uint32_t i = 0; i < tree->loops.count && !turns->found; i++) {
    turns->loop = tree->loops.data[i];
    if (turns->loop->turn != symbol)
      continue;
    if (turns->loop->trips)
      turns->found =
          check_input(turns->check, turns->loop->trips, turns->question);
    if (!turns->found && turns->loop->has_exit)
      tree_each(tree->first, input_look_at_exit, turns);
  }
}

const IrObject *check_input_turns(const Check *check, const Term *term,
                                  InputQuestion question) {
  InputTurns turns = {.check = check, .question = question};
  if (check_has(check, CHECK_OPEN_INPUT))
    term_symbols(term, input_look_at_turn, &turns);
  return turns.found;
}

// ----------------------------------------------------------------- counts

// What the store adds a constant to; NULL: it does something else.
static const IrNode *input_counted(const IrNode *store) {
  const IrNode *sum =
      store->op == IR_STORE ? store->args[store->n_args - 1] : NULL;
  if (!sum || (sum->op != IR_ADD && sum->op != IR_SUB) ||
      !ir_type_is_int(sum->type))
    return NULL;
  for (int i = 0; i < 2; i++) {
    const IrNode *load = sum->args[i];
    if (load->op == IR_LOAD && sum->args[1 - i]->op == IR_CONST &&
        load->u.access.object == store->u.access.object &&
        input_is_same_element(load, store))
      return load;
  }
  return NULL;
}

bool check_counts(const IrNode *a, const IrNode *b) {
  const IrNode *of_a = input_counted(a), *of_b = input_counted(b);
  return (of_a && (a == b || of_a == b)) || (of_b && of_b == a);
}
