// SPDX-License-Identifier: Apache-2.0
// What --sanitize makes of the clauses of thread loops: two iterations of one
// execution must not own one element, an access must lie in what the clauses
// give to its iteration, and what is uninit is written before it is read.
//
// Sections of few elements are compared by element: who owns, and who reads
// it. The first MOST_COMPARED of an execution are also compared with each other
// as they are.
#include "base/range_box.h"
#include "rt/cpu/cpu_check_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  FEW = 64,                // elements of a section that are looked at
  MOST_COMPARED = 256,     // sections of an execution
  MOST_KEPT = 1 << 22,     // keys of all tables: small launches tell all
  MOST_SECTIONS = 1 << 16, // that are compared, of all executions
};

typedef struct {
  uint64_t key; // never 0 where something is
  int64_t value;
} OwnSlot;

typedef struct {
  OwnSlot *slots; // a power of two of them, or none
  uint32_t count, capacity;
} OwnTable;

// One evaluation of a clause.
typedef struct {
  uint64_t execution; // of its loop; 0: none
  int64_t number;     // of the iteration
  int64_t low[RACE_MAX_RANK], length[RACE_MAX_RANK];
  bool is_known; // else neither
} Section;

typedef struct {
  Section section;
  uint32_t clause;
  int64_t next; // of the execution, -1: none
} KeptSection;

struct CheckOwn {
  OwnTable begun;   // execution, clause, iteration
  OwnTable owners;  // execution, array, element: the iteration
  OwnTable readers; // likewise: the first that reads it
  OwnTable others;  // likewise: another one
  OwnTable written; // execution, iteration, address: of what is uninit
  OwnTable newest;  // execution: of its kept sections
  KeptSection *kept;
  uint32_t n_kept, kept_capacity;
  bool is_off;
};

// ----------------------------------------------------------------- tables

static OwnSlot *check_own_slot_of(const OwnTable *table, uint64_t key) {
  uint32_t at = (uint32_t)key & (table->capacity - 1);
  while (table->slots[at].key && table->slots[at].key != key)
    at = (at + 1) & (table->capacity - 1);
  return &table->slots[at];
}

static const int64_t *check_own_find(const OwnTable *table, uint64_t key) {
  const OwnSlot *slot = table->capacity ? check_own_slot_of(table, key) : NULL;
  return slot && slot->key ? &slot->value : NULL;
}

static bool make_room(OwnTable *table) {
  if (table->count * 2 < table->capacity)
    return true;
  OwnTable grown = {.count = table->count};
  grown.capacity = table->capacity ? table->capacity * 2 : 256;
  if (grown.capacity > MOST_KEPT)
    return false;
  grown.slots = calloc(grown.capacity, sizeof *grown.slots);
  if (!grown.slots)
    return false;
  for (uint32_t i = 0; i < table->capacity; i++)
    if (table->slots[i].key)
      *check_own_slot_of(&grown, table->slots[i].key) = table->slots[i];
  free(table->slots);
  *table = grown;
  return true;
}

// The value that was there, or NULL where this is the first one. Without room
// nothing is tested any more.
static int64_t *check_own_put(CheckOwn *own, OwnTable *table, uint64_t key,
                              int64_t value) {
  if (!make_room(table)) {
    own->is_off = true;
    return NULL;
  }
  OwnSlot *slot = check_own_slot_of(table, key);
  if (slot->key)
    return &slot->value;
  *slot = (OwnSlot){key, value};
  table->count++;
  return NULL;
}

static KeptSection *check_own_keep(CheckOwn *own, const Section *section,
                                   uint32_t clause) {
  if (own->n_kept == own->kept_capacity) {
    uint32_t capacity = own->kept_capacity ? own->kept_capacity * 2 : 256;
    KeptSection *grown = capacity > MOST_SECTIONS
                             ? NULL
                             : realloc(own->kept, capacity * sizeof *own->kept);
    if (!grown)
      return NULL;
    own->kept = grown;
    own->kept_capacity = capacity;
  }
  KeptSection *kept = &own->kept[own->n_kept++];
  *kept = (KeptSection){*section, clause, -1};
  return kept;
}

void check_own_free(CheckOwn *own) {
  if (!own)
    return;
  OwnTable *const tables[] = {&own->begun,  &own->owners,  &own->readers,
                              &own->others, &own->written, &own->newest};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    free(tables[i]->slots);
  free(own->kept);
  free(own);
}

// ---------------------------------------------------------- two iterations

typedef struct {
  CpuCheckBlock *mine;
  CheckOwn *own;
  const HdCpuClauseInfo *info; // of the clause that is evaluated
  const RaceArray *array;
  uint32_t clause;
  Section section;
} Begin;

static void name_element(const RaceArray *array, const int64_t *index,
                         char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "%s", array->name);
  for (uint32_t k = 0; k < array->rank && used < size; k++)
    used +=
        (size_t)snprintf(text + used, size - used, "[%" PRId64 "]", index[k]);
}

static const char *check_own_place_of(const CpuCheckBlock *mine, uint32_t loc) {
  return mine->check->kernel->locs[loc];
}

static void tell_two(const Begin *b, uint32_t other_clause, int64_t other,
                     const int64_t *index) {
  const HdCpuClauseInfo *with = &b->mine->check->kernel->clauses[other_clause];
  bool both = with->flags & b->info->flags & HD_CPU_CLAUSE_OWNS;
  char element[256], text[1024];
  name_element(b->array, index, element, sizeof element);
  snprintf(text, sizeof text,
           "%s: error[HD0607]: two iterations own one element of '%s'\n"
           "  iterations %" PRId64 " and %" PRId64 " %s %s%s\n"
           "  the other clause: %s\n"
           "  an element has one owner until the loop ends: give each "
           "iteration its own, or only 'reads' what all use\n",
           check_own_place_of(b->mine, b->info->loc), b->array->name, other,
           b->section.number, both ? "both own" : "share", element,
           both ? "" : ", while one of them owns it",
           check_own_place_of(b->mine, with->loc));
  race_add_report(b->mine->check->race,
                  check_mix(check_mix(607, b->clause), other_clause), text);
}

static int64_t check_own_end_of(const Section *s, uint32_t k) {
  int64_t end;
  return __builtin_add_overflow(s->low[k], s->length[k], &end) ? INT64_MAX
                                                               : end;
}

static void check_own_compare(const Begin *b, const KeptSection *before) {
  const Section *s = &b->section, *t = &before->section;
  const HdCpuClauseInfo *with =
      &b->mine->check->kernel->clauses[before->clause];
  int64_t index[RACE_MAX_RANK];
  if (!t->is_known || s->number == t->number || with->array != b->info->array ||
      !((with->flags | b->info->flags) & HD_CPU_CLAUSE_OWNS))
    return;
  for (uint32_t k = 0; k < b->array->rank; k++) {
    index[k] = s->low[k] > t->low[k] ? s->low[k] : t->low[k];
    if (index[k] >= check_own_end_of(s, k) ||
        index[k] >= check_own_end_of(t, k))
      return;
  }
  tell_two(b, before->clause, t->number, index);
}

static void compare_all(Begin *b) {
  CheckOwn *own = b->own;
  const int64_t *newest = check_own_find(&own->newest, b->section.execution);
  uint32_t n = 0;
  for (int64_t i = newest ? *newest : -1; i >= 0; i = own->kept[i].next, n++)
    check_own_compare(b, &own->kept[i]);
  KeptSection *kept =
      n < MOST_COMPARED ? check_own_keep(own, &b->section, b->clause) : NULL;
  if (!kept)
    return;
  kept->next = newest ? *newest : -1;
  int64_t number = (int64_t)own->n_kept - 1;
  int64_t *at = check_own_put(own, &own->newest, b->section.execution, number);
  if (at)
    *at = number;
}

// The values of the tables by element: iteration and clause.
static int64_t packed(const Begin *b) {
  return (int64_t)((uint64_t)b->section.number << 12 | (b->clause & 0xfff));
}

static void check_own_meet(const Begin *b, const int64_t *before,
                           const int64_t *index) {
  if (before && *before >> 12 != packed(b) >> 12)
    tell_two(b, (uint32_t)(*before & 0xfff), *before >> 12, index);
}

static void own_element(Begin *b, const int64_t *index) {
  CheckOwn *own = b->own;
  uint64_t key = check_mix(b->section.execution, (uint64_t)b->info->array);
  for (uint32_t k = 0; k < b->array->rank; k++)
    key = check_mix(key, (uint64_t)index[k]);
  if (b->info->flags & HD_CPU_CLAUSE_OWNS) {
    check_own_meet(b, check_own_put(own, &own->owners, key, packed(b)), index);
    check_own_meet(b, check_own_find(&own->readers, key), index);
    check_own_meet(b, check_own_find(&own->others, key), index);
    return;
  }
  check_own_meet(b, check_own_find(&own->owners, key), index);
  const int64_t *first = check_own_put(own, &own->readers, key, packed(b));
  if (first && *first >> 12 != packed(b) >> 12)
    (void)check_own_put(own, &own->others, key, packed(b));
}

static void own_elements(Begin *b) {
  const Section *s = &b->section;
  uint32_t rank = b->array->rank;
  int64_t index[RACE_MAX_RANK], n = 1;
  for (uint32_t k = 0; k < rank; k++) {
    if (s->length[k] <= 0 || s->length[k] > FEW || (n *= s->length[k]) > FEW)
      return;
    index[k] = s->low[k];
  }
  for (; n > 0 && !b->own->is_off; n--) {
    own_element(b, index);
    for (uint32_t k = rank; k-- > 0;) {
      if (++index[k] < check_own_end_of(s, k))
        break;
      index[k] = s->low[k];
    }
  }
}

// --------------------------------------------------------------- iterations

static Section *latest_of(const CpuCheckBlock *mine, uint32_t thread,
                          uint32_t clause) {
  Section *latest = mine->latest;
  return &latest[thread * mine->check->kernel->n_clauses + clause];
}

static bool check_own_prepare(HdCpuBlock *block) {
  CpuCheckBlock *mine = block->check;
  CpuCheck *check = mine->check;
  if (!check->own)
    check->own = calloc(1, sizeof *check->own);
  if (!mine->latest)
    mine->latest = calloc((size_t)check->n_threads * check->kernel->n_clauses,
                          sizeof(Section));
  return check->own && mine->latest && !check->own->is_off;
}

// `bounds`: the operands behind the names.
static void set_bounds(Section *s, const RaceArray *array, bool is_part,
                       const int64_t *const *bounds, uint32_t lane) {
  int64_t index[RACE_MAX_RANK];
  uint32_t rank = array->rank;
  s->is_known = !is_part;
  for (uint32_t k = 0; k < rank && !is_part; k++) {
    s->low[k] = bounds[2 * k][lane];
    s->length[k] = bounds[2 * k + 1][lane];
  }
  if (!is_part || rank == 0)
    return;
  for (uint32_t k = 0; k < rank; k++)
    index[k] = bounds[k][lane];
  s->is_known =
      range_box(array->strides, rank, array->element_bytes, index,
                bounds[rank][lane], bounds[rank + 1][lane], s->low, s->length);
}

static Section section_of(const HdCpuBlock *block, const HdCpuClause *clause,
                          const HdCpuClauseInfo *info, const RaceArray *array,
                          uint32_t lane) {
  const int64_t *const *operands = clause->operands;
  Section s = {.execution = check_mix(info->loop, clause->turns[lane])};
  if (!(info->flags & HD_CPU_CLAUSE_NEST)) {
    s.execution = check_mix(s.execution, (uint64_t)block->linear);
    s.execution = check_mix(s.execution, (uint32_t)clause->parts[lane]);
  }
  if (info->flags & HD_CPU_CLAUSE_WARP)
    s.execution = check_mix(s.execution, clause->warp);
  for (uint32_t i = 0; i + 1 < info->n_names; i++)
    s.execution = check_mix(s.execution, (uint64_t)operands[i][lane]);
  s.number = operands[info->n_names - 1][lane];
  set_bounds(&s, array, info->flags & HD_CPU_CLAUSE_PART,
             operands + info->n_names, lane);
  return s;
}

void cpu_check_clause(HdCpuBlock *block, const HdCpuClause *clause) {
  CpuCheckBlock *mine = block->check;
  const HdCpuClauseInfo *info = &mine->check->kernel->clauses[clause->number];
  if (info->array < 0 || !check_own_prepare(block))
    return;
  Begin b = {.mine = mine,
             .own = mine->check->own,
             .info = info,
             .array = &mine->check->arrays[info->array],
             .clause = clause->number};
  for (uint32_t todo = clause->mask; todo && !b.own->is_off; todo &= todo - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo);
    b.section = section_of(block, clause, info, b.array, lane);
    *latest_of(mine, clause->warp * 32 + lane, clause->number) = b.section;
    uint64_t key = check_mix(b.section.execution, (uint64_t)b.section.number);
    if (check_own_put(b.own, &b.own->begun, check_mix(key, clause->number), 0))
      continue; // another thread of the iteration
    if (!b.section.is_known)
      continue;
    compare_all(&b);
    own_elements(&b);
  }
}

// ---------------------------------------------------------------- accesses

typedef struct {
  CpuCheckBlock *mine;
  const RaceSite *site;
  const RaceArray *array;
  int32_t row; // of the array
  uint32_t thread;
  uint64_t address; // of the element
  int64_t index[RACE_MAX_RANK];
} Element;

static bool check_own_is_in(const Element *e, const Section *s) {
  for (uint32_t k = 0; k < e->array->rank; k++)
    if (e->index[k] < s->low[k] || e->index[k] >= check_own_end_of(s, k))
      return false;
  return true;
}

static void tell_element(const Element *e, uint32_t clause, uint32_t code,
                         const char *what, const char *help) {
  const Section *s = latest_of(e->mine, e->thread, clause);
  const HdCpuClauseInfo *info = &e->mine->check->kernel->clauses[clause];
  char who[128], element[256], text[1024];
  race_name_thread(e->mine->race, e->thread, who, sizeof who);
  name_element(e->array, e->index, element, sizeof element);
  snprintf(text, sizeof text,
           "%s: error[HD0%" PRIu32 "]: %s\n"
           "  %s, in iteration %" PRId64 ", %s %s\n"
           "  the clauses name '%s' at %s: %s\n",
           e->site->place, code, what, who, s->number,
           e->site->kind & RACE_WRITES ? "writes" : "reads", element,
           e->array->name, check_own_place_of(e->mine, info->loc), help);
  race_add_report(
      e->mine->check->race,
      check_mix(check_mix(code, clause), (uint64_t)(uintptr_t)e->site), text);
}

// Only what this iteration wrote has contents there.
static void follow_contents(const Element *e, uint32_t uninit,
                            bool has_contents) {
  const Section *s = latest_of(e->mine, e->thread, uninit);
  CheckOwn *own = e->mine->check->own;
  uint64_t key =
      check_mix(check_mix(s->execution, (uint64_t)s->number), e->address);
  bool writes = e->site->kind & RACE_WRITES;
  bool reads = !writes || e->site->kind & RACE_RMW;
  if (reads && !has_contents && !check_own_find(&own->written, key)) {
    char what[256];
    snprintf(what, sizeof what, "'%s' is read before the iteration writes it",
             e->array->name);
    tell_element(e, uninit, 609, what, "write it first, or leave out 'uninit'");
  }
  if (writes)
    (void)check_own_put(own, &own->written, key, 0);
}

typedef struct {
  uint32_t named, uninit; // clauses; UINT32_MAX: none
  bool is_owned, has_contents, is_unknown;
} Given;

static void check_own_add_given(const Element *e, uint32_t clause,
                                Given *given) {
  const HdCpuClauseInfo *info = &e->mine->check->kernel->clauses[clause];
  const Section *s = latest_of(e->mine, e->thread, clause);
  bool writes = e->site->kind & RACE_WRITES;
  given->is_unknown |= info->array < 0;
  if (info->array != e->row || s->execution == 0)
    return;
  given->is_unknown |= !s->is_known;
  if (given->named == UINT32_MAX)
    given->named = clause;
  if (given->is_unknown || !check_own_is_in(e, s))
    return;
  given->is_owned |= info->flags & HD_CPU_CLAUSE_OWNS || !writes;
  given->has_contents |= (info->flags & HD_CPU_CLAUSE_CONTENTS) != 0;
  if (info->flags & HD_CPU_CLAUSE_UNINIT)
    given->uninit = clause;
}

static void follow_loop(const Element *e, uint32_t loop) {
  const HdCpuKernel *kernel = e->mine->check->kernel;
  Given given = {.named = UINT32_MAX, .uninit = UINT32_MAX};
  for (uint32_t i = 0; i < kernel->n_clauses; i++)
    if (kernel->clauses[i].loop == loop)
      check_own_add_given(e, i, &given);
  if (given.named == UINT32_MAX || given.is_unknown)
    return;
  if (!given.is_owned) {
    char what[256];
    snprintf(what, sizeof what,
             "the iteration doesn't own this element of '%s'", e->array->name);
    tell_element(e, given.named, 608, what,
                 "name this element there, too, or give it to this iteration");
  }
  // What a copy brings comes later.
  if (given.uninit != UINT32_MAX && !(e->site->kind & RACE_ASYNC))
    follow_contents(e, given.uninit, given.has_contents);
}

static bool find_index(Element *e, uint64_t base, uint64_t address) {
  const RaceArray *array = e->array;
  int64_t rest = (int64_t)((address - base) / array->element_bytes);
  e->address = base + (uint64_t)rest * array->element_bytes;
  for (uint32_t k = 0; k < array->rank; k++) {
    if (array->strides[k] <= 0)
      return false;
    e->index[k] = rest / array->strides[k];
    rest -= e->index[k] * array->strides[k];
  }
  return array->rank > 0;
}

// Which element of which array, by the one that the access names.
static bool find_element(Element *e, const HdCpuBlock *block, int32_t named,
                         uint64_t address) {
  const CpuCheck *check = e->mine->check;
  for (uint32_t i = 0; i < check->kernel->n_arrays; i++) {
    const HdCpuArray *row = &check->kernel->arrays[i];
    if (named >= 0 && named != (int32_t)i)
      continue;
    e->row = (int32_t)i;
    e->array = &check->arrays[i];
    uint64_t base = e->array->base, size = e->array->size_bytes;
    if (row->kind == HD_CPU_ARRAY_SHARED)
      base += (uint64_t)(uintptr_t)block->shared;
    uint64_t n = row->kind == HD_CPU_ARRAY_SHARED ? row->n_instances : 1;
    if (size == 0 || address < base || (address - base) / size >= n)
      continue;
    return find_index(e, base + (address - base) / size * size, address);
  }
  return false;
}

static void check_own_follow(Element *e, const HdCpuBlock *block, uint32_t site,
                             uint64_t address, uint64_t n_bytes) {
  const HdCpuSite *where = &e->mine->check->kernel->sites[site];
  for (uint64_t at = address; at < address + n_bytes;
       at = e->address + e->array->element_bytes) {
    if (!find_element(e, block, where->array, at))
      return;
    for (uint32_t todo = where->loops; todo; todo &= todo - 1)
      follow_loop(e, (uint32_t)__builtin_ctz(todo));
  }
}

void check_own_bytes(HdCpuBlock *block, uint32_t site, uint32_t warp,
                     uint32_t mask, uint64_t address, uint64_t n_bytes) {
  CpuCheckBlock *mine = block->check;
  const CheckOwn *own = mine->check->own;
  if (mine->check->kernel->sites[site].loops == 0 || !own || !mine->latest)
    return;
  Element e = {.mine = mine, .site = &mine->check->sites[site]};
  for (uint32_t todo = mask; todo && !own->is_off; todo &= todo - 1) {
    e.thread = warp * 32 + (uint32_t)__builtin_ctz(todo);
    check_own_follow(&e, block, site, address, n_bytes);
  }
}

void check_own_lanes(HdCpuBlock *block, uint32_t site, uint32_t warp,
                     uint32_t mask, const uint64_t *addresses) {
  const CpuCheckBlock *mine = block->check;
  uint64_t bytes = mine->check->kernel->sites[site].size_bytes;
  for (uint32_t todo = mask; todo; todo &= todo - 1)
    check_own_bytes(block, site, warp, todo & (0 - todo),
                    addresses[__builtin_ctz(todo)], bytes);
}
