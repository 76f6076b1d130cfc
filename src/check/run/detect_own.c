// SPDX-License-Identifier: Apache-2.0
// What iterations own by the clauses of their loops, in one run: two
// iterations of one execution with a common element, accesses to elements that
// no clause gives, reads of what is uninit.
#include "check/run/detect.h"

#include <string.h>

#include "base/range_box.h"

// Compared with each other; followed in a launch.
enum {
  MOST_ITERATIONS = 256,
  MOST_SECTIONS = 1 << 14,
  MOST_ELEMENTS = 1 << 16
};

// One evaluation of a clause.
typedef struct Section {
  const IrNode *node;
  uint64_t execution, iteration; // iteration: in the execution
  int64_t number;                // value of the loop's variable
  int64_t low[IR_MAX_RANK], length[IR_MAX_RANK];
  bool is_known; // else neither
} Section;

typedef hd_vec(const Section *) Sections;

// The clauses of one loop.
typedef struct {
  hd_vec(const IrNode *) claims;
  uint64_t *inside; // a bit a node of the loop's body
  bool has_copies;
} OwnLoop;

typedef struct DetectOwn {
  hd_vec(OwnLoop) loops;
  Map latest;     // thread and clause -> Section
  Map executions; // -> Sections
  Map written;    // iteration and element
  Map touched;    // execution and element -> Touched, of arrays not named
  uint32_t n_sections, n_elements;
} DetectOwn;

typedef struct {
  uint64_t iteration;
  bool is_written, is_shared;
} Touched;

static uint64_t detect_own_mix(uint64_t a, uint64_t b) {
  return fingerprint_bytes(&(uint64_t[2]){a, b}, 2 * sizeof a);
}

// --------------------------------------------------------------- the loops

static OwnLoop *detect_own_loop_of(const DetectOwn *own, const IrNode *claim) {
  for (uint32_t i = 0; i < own->loops.count; i++) {
    const IrNode *first = own->loops.data[i].claims.data[0];
    if (first->region == claim->region &&
        ir_claim_names(first) == ir_claim_names(claim))
      return &own->loops.data[i];
  }
  return NULL;
}

static bool detect_own_find_claim(IrNode *node, void *context) {
  Detect *d = context;
  if (!ir_is_claim(node))
    return true;
  if (!d->own)
    d->own = ARENA_NEW(d->arena, DetectOwn);
  OwnLoop *loop = detect_own_loop_of(d->own, node);
  if (!loop) {
    OwnLoop none = {0};
    VEC_PUSH(d->arena, &d->own->loops, none);
    loop = &VEC_LAST(&d->own->loops);
  }
  VEC_PUSH(d->arena, &loop->claims, (const IrNode *)node);
  return true;
}

static bool note_inside(IrNode *node, void *context) {
  OwnLoop *loop = context;
  loop->inside[node->id / 64] |= UINT64_C(1) << node->id % 64;
  loop->has_copies |= ir_is_async_copy(node);
  return true;
}

void detect_own_begin(Detect *d) {
  ir_walk((IrRegion *)(uintptr_t)&d->kernel->body, detect_own_find_claim, d);
  for (uint32_t i = 0; d->own && i < d->own->loops.count; i++) {
    OwnLoop *loop = &d->own->loops.data[i];
    loop->inside = ARENA_ARRAY(d->arena, uint64_t, d->kernel->n_nodes / 64 + 1);
    ir_walk(loop->claims.data[0]->region, note_inside, loop);
  }
}

// ------------------------------------------------------------- sections

static bool detect_own_is_exclusive(const IrNode *claim) {
  return claim->op != IR_READS;
}

static int64_t detect_own_larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static int64_t detect_own_end_of(const Section *s, int k) {
  int64_t end;
  return __builtin_add_overflow(s->low[k], s->length[k], &end) ? INT64_MAX
                                                               : end;
}

// The first element that both have.
static bool in_common(const Section *a, const Section *b, int64_t *index) {
  int rank = a->node->u.index.object->rank;
  for (int k = 0; k < rank; k++) {
    index[k] = detect_own_larger(a->low[k], b->low[k]);
    if (index[k] >= detect_own_end_of(a, k) ||
        index[k] >= detect_own_end_of(b, k))
      return false;
  }
  return true;
}

static Fact fact_of(FactKind kind, const IrObject *object,
                    const int64_t *index) {
  Fact fact = {.kind = kind,
               .args = {.name = object->name, .n_index = object->rank}};
  memcpy(fact.args.index, index, object->rank * sizeof *index);
  return fact;
}

static void detect_own_compare(Detect *d, const ObservedThread *thread,
                               const Section *now, const Section *before) {
  const IrNode *other = before->node == now->node ? NULL : before->node;
  int64_t index[IR_MAX_RANK];
  if (!before->is_known || !now->is_known ||
      before->iteration == now->iteration ||
      before->node->u.index.object != now->node->u.index.object ||
      (!detect_own_is_exclusive(before->node) &&
       !detect_own_is_exclusive(now->node)) ||
      !in_common(now, before, index) ||
      detect_is_told(d, EVENT_FOUND_TWO_OWNERS, thread, now->node, other))
    return;
  bool do_both = detect_own_is_exclusive(before->node) &&
                 detect_own_is_exclusive(now->node);
  Fact fact = fact_of(do_both ? FACT_BOTH_OWN : FACT_ONE_OWNS,
                      now->node->u.index.object, index);
  fact.args.numbers[0] = before->number;
  fact.args.numbers[1] = now->number;
  detect_found(d, EVENT_FOUND_TWO_OWNERS, thread, now->node, other, &fact);
}

// Of a plain pointer's elements there is one row.
static const int64_t *strides_of(const DetectArray *array) {
  static const int64_t one = 1;
  return array->strides || array->object->rank != 1 ? array->strides : &one;
}

static const int64_t *find_strides(const Detect *d, const IrObject *object) {
  for (uint32_t i = 0; i < d->arrays.count; i++)
    if (d->arrays.data[i].object == object)
      return strides_of(&d->arrays.data[i]);
  return NULL;
}

// `bounds`: the operands behind the names.
static void set_section(const Detect *d, Section *section,
                        const int64_t *bounds) {
  const IrObject *object = section->node->u.index.object;
  uint32_t rank = object->rank;
  if (section->node->u.index.number & CLAIM_PART) {
    const int64_t *strides = find_strides(d, object);
    section->is_known =
        strides &&
        range_box(strides, rank, object->element_bytes, bounds, bounds[rank],
                  bounds[rank + 1], section->low, section->length);
    return;
  }
  section->is_known = true;
  for (uint32_t k = 0; k < rank; k++) {
    section->low[k] = bounds[2 * k];
    section->length[k] = bounds[2 * k + 1];
  }
}

void detect_claim(void *detect, const ObservedThread *thread,
                  const IrNode *node, uint64_t key, const int64_t *operands) {
  Detect *d = detect;
  const IrObject *object = node->u.index.object;
  if (!d->own || !object || d->is_tainted)
    return;
  if (d->own->n_sections++ > MOST_SECTIONS) {
    d->own = NULL; // small launches tell all
    return;
  }
  uint32_t n = ir_claim_names(node);
  const IrNode *first = detect_own_loop_of(d->own, node)->claims.data[0];
  Section *now = ARENA_NEW(d->arena, Section);
  *now = (Section){.node = node, .execution = detect_own_mix(key, first->id)};
  for (uint32_t i = 0; i + 1 < n; i++)
    now->execution = detect_own_mix(now->execution, (uint64_t)operands[i]);
  now->number = operands[n - 1];
  now->iteration = detect_own_mix(now->execution, (uint64_t)now->number);
  set_section(d, now, operands + n);
  map_put(d->arena, &d->own->latest,
          detect_own_mix((uint64_t)thread->number, node->id) | 1, now);
  Sections *all = map_get(&d->own->executions, now->execution | 1);
  if (!all) {
    all = ARENA_NEW(d->arena, Sections);
    map_put(d->arena, &d->own->executions, now->execution | 1, all);
  }
  for (uint32_t i = 0; i < all->count; i++)
    detect_own_compare(d, thread, now, all->data[i]);
  if (all->count < MOST_ITERATIONS)
    VEC_PUSH(d->arena, all, (const Section *)now);
}

// -------------------------------------------------------------- accesses

typedef struct {
  Detect *d;
  const ObservedThread *thread;
  const ObservedAccess *access;
  const OwnLoop *loop;
  const IrObject *object;
  uint64_t address; // of the element
  int64_t index[IR_MAX_RANK];
} Element;

static const Section *latest(const Element *e, const IrNode *claim) {
  return map_get(&e->d->own->latest,
                 detect_own_mix((uint64_t)e->thread->number, claim->id) | 1);
}

static bool detect_own_is_in(const Element *e, const Section *section) {
  for (int k = 0; k < e->object->rank; k++)
    if (e->index[k] < section->low[k] ||
        e->index[k] >= detect_own_end_of(section, k))
      return false;
  return true;
}

static void detect_own_tell(const Element *e, ConcreteKind kind,
                            const Section *section, FactKind what) {
  if (detect_is_told(e->d, kind, e->thread, e->access->node, section->node))
    return;
  Fact fact = fact_of(what, e->object, e->index);
  fact.args.numbers[0] = section->number;
  detect_found(e->d, kind, e->thread, e->access->node, section->node, &fact);
}

// Reads need what was written in this iteration, or before the loop.
static void detect_own_follow_contents(const Element *e, const Section *uninit,
                                       bool has_contents) {
  Detect *d = e->d;
  uint64_t key = detect_own_mix(uninit->iteration, e->address) | 1;
  if (e->access->reads && !has_contents && !map_has(&d->own->written, key))
    detect_own_tell(e, EVENT_FOUND_NO_CONTENTS, uninit, FACT_NOT_WRITTEN);
  if (e->access->writes) {
    map_put(d->arena, &d->own->written, key, d);
    d->own->n_elements++;
  }
}

static void follow_named(const Element *e, const Section *named) {
  bool is_owned = false, has_contents = false;
  const Section *uninit = NULL;
  for (uint32_t i = 0; i < e->loop->claims.count; i++) {
    const IrNode *claim = e->loop->claims.data[i];
    const Section *section =
        claim->u.index.object == e->object ? latest(e, claim) : NULL;
    if (!section || !detect_own_is_in(e, section))
      continue;
    is_owned |= detect_own_is_exclusive(claim) || !e->access->writes;
    if (claim->u.index.number & CLAIM_UNINIT && claim->op != IR_PRODUCES)
      uninit = section;
    else
      has_contents |= claim->op != IR_PRODUCES;
  }
  if (!is_owned)
    detect_own_tell(e, EVENT_FOUND_NOT_OWNED, named,
                    e->access->writes ? FACT_WRITES_OTHER : FACT_READS_OTHER);
  if (uninit && !e->loop->has_copies)
    detect_own_follow_contents(e, uninit, has_contents);
}

// Of an array that no clause names: who touches an element that is written
// owns it.
static void follow_other(const Element *e, const Section *now) {
  Detect *d = e->d;
  uint64_t key = detect_own_mix(now->execution, e->address) | 1;
  Touched *touched = map_get(&d->own->touched, key);
  if (!touched) {
    touched = ARENA_NEW(d->arena, Touched);
    *touched = (Touched){.iteration = now->iteration};
    map_put(d->arena, &d->own->touched, key, touched);
    d->own->n_elements++;
  }
  touched->is_shared |= touched->iteration != now->iteration;
  touched->is_written |= e->access->writes;
  if (touched->is_shared && touched->is_written && e->access->writes)
    detect_own_tell(e, EVENT_FOUND_NOT_OWNED, now, FACT_WRITES_SHARED);
}

static void follow_element(Element *e) {
  const Section *named = NULL, *any = NULL;
  for (uint32_t i = 0; i < e->loop->claims.count; i++) {
    const Section *section = latest(e, e->loop->claims.data[i]);
    if (!section)
      return; // some clause wasn't evaluated: turns that aren't told
    if (!section->is_known && section->node->u.index.object == e->object)
      return;
    any = section;
    if (!named && section->node->u.index.object == e->object)
      named = section;
  }
  if (named)
    follow_named(e, named);
  else if (any && e->d->owner_strict)
    follow_other(e, any);
}

static bool detect_own_find_element(Element *e, const DetectArray *array,
                                    uint64_t at) {
  uint32_t size = e->object->element_bytes;
  int64_t rest = (int64_t)((at - array->base) / size);
  const int64_t *strides = strides_of(array);
  e->address = array->base + (uint64_t)rest * size;
  for (int k = 0; k < e->object->rank; k++) {
    if (!strides || strides[k] <= 0)
      return false;
    e->index[k] = rest / strides[k];
    rest -= e->index[k] * strides[k];
  }
  return true;
}

static void detect_own_follow(Element *e, const DetectArray *array) {
  uint64_t from = e->access->address, end = from + e->access->n_bytes;
  for (uint64_t at = from; at < end && detect_own_find_element(e, array, at);
       at = e->address + e->object->element_bytes)
    follow_element(e);
}

void detect_owned(Detect *d, const ObservedThread *thread,
                  const ObservedAccess *access) {
  const IrNode *node = access->node;
  if (d->own && d->own->n_elements > MOST_ELEMENTS)
    d->own = NULL;
  for (uint32_t i = 0; d->own && i < d->own->loops.count; i++) {
    const OwnLoop *loop = &d->own->loops.data[i];
    if (d->is_tainted || !(loop->inside[node->id / 64] >> node->id % 64 & 1))
      continue;
    const DetectArray *array = detect_find_array(d, access->address);
    if (!array || array->object->element_bytes == 0 ||
        (ir_op_info(node)->form == FORM_ACCESS && node->u.access.object &&
         node->u.access.object != array->object))
      return;
    Element e = {.d = d,
                 .thread = thread,
                 .access = access,
                 .loop = loop,
                 .object = array->object};
    detect_own_follow(&e, array);
  }
}
