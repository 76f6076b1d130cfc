// SPDX-License-Identifier: Apache-2.0
// Copies in a run: who asked for them, and who knows that they are there.
#include "check/run/detect.h"
#include "check/run/detect_events.h"

enum { MOST_COPY_BITS = 1 << 16 };

static DetectCopy *copy_new(Detect *d, const ObservedCopy *told) {
  DetectCopy *copy = ARENA_NEW(d->arena, DetectCopy);
  copy->node = told->node;
  copy->key = told->key;
  copy->is_once = told->is_once;
  copy->is_barrier =
      told->done == OBSERVED_BARRIER || told->done == OBSERVED_TENSOR;
  copy->size = told->is_once ? 1 : told->size;
  copy->n_bits = told->is_once && copy->is_barrier ? 1
                 : told->is_once                   ? told->n_threads
                                                   : told->size;
  copy->first_bit = copy->written_bit = d->n_bits;
  if (told->done == OBSERVED_BULK) // its reads may be waited for alone
    copy->written_bit += copy->n_bits;
  copy->block = (uint32_t)told->threads[0].block;
  copy->threads = told->threads;
  copy->asked = ARENA_ARRAY(d->arena, uint64_t, (copy->size + 63) / 64);
  d->n_bits = copy->written_bit + copy->n_bits;
  d->is_too_much |= d->n_bits > MOST_COPY_BITS;
  VEC_PUSH(d->arena, &d->copies, copy);
  VEC_PUSH(d->arena, &d->open_copies, d->copies.count - 1);
  return copy;
}

static bool has_asked(const DetectCopy *copy, uint32_t rank) {
  return copy->asked[rank / 64] >> rank % 64 & 1;
}

// The oldest copy of the node that this thread has not asked for yet.
static uint32_t find_open(Detect *d, const ObservedCopy *told) {
  for (uint32_t i = 0; i < d->open_copies.count && !told->is_once; i++) {
    const DetectCopy *copy = d->copies.data[d->open_copies.data[i]];
    if (copy->node == told->node && copy->key == told->key &&
        copy->size == told->size && !has_asked(copy, told->rank))
      return d->open_copies.data[i];
  }
  (void)copy_new(d, told);
  return d->copies.count - 1;
}

static void detect_add_knowledge(Detect *d, DetectCopy *copy, uint32_t thread) {
  Know *own = know_own(d, thread);
  if (!copy->least) {
    copy->least = own;
    return;
  }
  know_meet(d, copy->least, own);
  know_drop(d, own);
}

static void add_bits(Detect *d, Know **into, uint32_t first, uint32_t n) {
  if ((*into)->refs > 1 || (uint64_t)(*into)->n_words * 64 < first + n) {
    Know *copy = know_copy(d, *into);
    know_drop(d, *into);
    *into = copy;
  }
  for (uint32_t i = 0; i < n; i++)
    know_add_bit(d, *into, first + i);
}

// What a commit hands on: all that its thread has learnt of others, and of what
// it did itself nothing but that it happened.
static Know *know_handed(Detect *d, uint32_t thread) {
  const DetectThread *t = &d->threads[thread];
  Know *know = know_copy(d, t->know);
  for (int half = 0; half < HALF_COUNT; half++)
    if (d->keeps[half])
      know->clocks[half][thread] = half == HALF_CAUSE ? t->clock : 0;
  know_seal(d, know);
  return know;
}

// A tensor core does what its thread asks for one after the other.
static void follow_tensor(Detect *d, DetectCopy *copy, uint32_t thread) {
  DetectThread *t = &d->threads[thread];
  for (uint32_t i = 0; i < t->tensors.count; i++)
    add_bits(d, &copy->least, t->tensors.data[i], 1);
  VEC_PUSH(d->arena, &t->tensors, copy->first_bit);
}

void detect_on_copy(void *context, const ObservedCopy *told) {
  Detect *d = detect_of(context);
  uint32_t number = find_open(d, told);
  DetectCopy *copy = d->copies.data[number];
  uint32_t bit = told->is_once ? 0 : told->rank;
  copy->asked[bit / 64] |= UINT64_C(1) << bit % 64;
  copy->n_asked++;
  Know *asker = NULL;
  for (uint32_t i = 0; i < told->n_threads; i++) {
    uint32_t who = (uint32_t)told->threads[i].number;
    detect_add_knowledge(d, copy, who);
    if (told->done == OBSERVED_TENSOR)
      follow_tensor(d, copy, who);
    if (told->node->op == IR_MBAR_TENSOR)
      asker = know_handed(d, who);
    else if (copy->is_barrier && i == 0)
      asker = know_own(d, who);
    d->threads[who].clock = ++d->time; // what it does next isn't before it
  }
  while (d->parts.count < told->part) {
    VEC_PUSH(d->arena, &d->parts, 0);
    VEC_PUSH(d->arena, &d->askers, NULL);
  }
  VEC_PUSH(d->arena, &d->parts, (uint64_t)number << 32 | bit);
  VEC_PUSH(d->arena, &d->askers, asker);
}

static DetectCopy *copy_of_part(const Detect *d, uint64_t part) {
  return d->copies.data[d->parts.data[part] >> 32];
}

void detect_on_copy_bytes(void *context, uint64_t part, uint64_t to,
                          uint64_t from, uint64_t n_bytes) {
  Detect *d = detect_of(context);
  CopyRun run = {to, from, n_bytes};
  VEC_PUSH(d->arena, &copy_of_part(d, part)->runs, run);
}

static void access_runs(Detect *d, uint32_t number) {
  DetectCopy *copy = d->copies.data[number];
  bool is_async = ir_proxy(copy->node) == PROXY_ASYNC;
  know_seal(d, copy->least);
  Actor actor = {.know = copy->least,
                 .thread = -1,
                 .who = number,
                 .node = copy->node->id,
                 .kind = (uint8_t)(KIND_COPY | (is_async ? KIND_ASYNC : 0))};
  for (uint32_t i = 0; i < copy->runs.count; i++) {
    const CopyRun *run = &copy->runs.data[i];
    if (run->from)
      detect_touch(d, &actor, run->from, run->n_bytes);
    Actor writer = actor;
    writer.kind |= KIND_WRITES;
    if (copy->node->op == IR_TMA_REDUCE) {
      writer.kind |= (uint8_t)(KIND_ATOMIC | SCOPE_DEVICE << KIND_SCOPE);
      writer.scope = SCOPE_DEVICE;
    }
    if (run->to)
      detect_touch(d, &writer, run->to, run->n_bytes);
  }
  know_drop(d, copy->least);
  copy->least = NULL;
  copy->runs.count = 0;
}

void detect_flush_copies(Detect *d) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < d->open_copies.count; i++) {
    uint32_t number = d->open_copies.data[i];
    const DetectCopy *copy = d->copies.data[number];
    if (copy->n_asked == copy->size)
      access_runs(d, number);
    else
      d->open_copies.data[kept++] = number;
  }
  d->open_copies.count = kept;
}

static uint32_t detect_copies_bit_of(const Detect *d,
                                     const ObservedThread *thread,
                                     uint64_t part) {
  const DetectCopy *copy = copy_of_part(d, part);
  uint32_t bit = (uint32_t)d->parts.data[part];
  for (uint32_t i = 0; i < copy->n_bits && copy->is_once; i++)
    if (copy->threads[i].number == thread->number)
      bit = i;
  return bit;
}

void detect_on_copy_read(void *context, const ObservedThread *thread,
                         uint64_t part) {
  Detect *d = detect_of(context);
  uint32_t bit = detect_copies_bit_of(d, thread, part);
  detect_flush_copies(d);
  add_bits(d, &d->threads[thread->number].know,
           copy_of_part(d, part)->first_bit + bit, 1);
}

void detect_on_copy_waited(void *context, const ObservedThread *thread,
                           uint64_t part) {
  Detect *d = detect_of(context);
  uint32_t bit = detect_copies_bit_of(d, thread, part);
  const DetectCopy *copy = copy_of_part(d, part);
  detect_on_copy_read(context, thread, part);
  add_bits(d, &d->threads[thread->number].know, copy->written_bit + bit, 1);
}

// What happened before the copy was asked for happened before the phase ends.
static void add_cause(const Detect *d, Know *into, const Know *from) {
  uint32_t *clocks = into->clocks[HALF_CAUSE];
  for (uint32_t i = 0; i < d->n_all && from; i++)
    if (clocks[i] < from->clocks[HALF_CAUSE][i])
      clocks[i] = from->clocks[HALF_CAUSE][i];
}

void detect_on_copy_landed(void *context, uint64_t part, uint32_t barrier) {
  Detect *d = detect_of(context);
  const DetectCopy *copy = copy_of_part(d, part);
  Know **open = &detect_barrier_at(d, barrier)->open;
  detect_flush_copies(d);
  if (!*open)
    *open = know_copy(d, d->nothing);
  add_bits(d, open, copy->first_bit + (uint32_t)d->parts.data[part], 1);
  if (copy->node->op == IR_MBAR_TENSOR && d->askers.data[part])
    know_join(d, *open, d->askers.data[part]);
  else
    add_cause(d, *open, d->askers.data[part]);
  know_drop(d, d->askers.data[part]);
  d->askers.data[part] = NULL;
}

void detect_on_copy_lost(void *context, const ObservedThread *thread,
                         const IrNode *node) {
  Detect *d = detect_of(context);
  if (!d->is_tainted)
    detect_found(d, EVENT_FOUND_COPY, thread, node, NULL,
                 &(Fact){.kind = FACT_LOST_COPY});
}
