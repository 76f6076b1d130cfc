// SPDX-License-Identifier: Apache-2.0
// Accesses of warps: alignment, arrays, races.
#include "rt/cpu/cpu_check.h"
#include "rt/cpu/cpu_check_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// A launch that makes so many accesses outside of arrays is stopped: what it
// reads there may be what would end it.
enum { MOST_OUTSIDE = 1 << 20 };

uint64_t check_place_hash(const char *text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text && *text != ' '; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

uint64_t check_outside_key(const char *place) {
  return ~check_place_hash(place);
}

// The launch goes on behind an access outside of arrays, which isn't made. The
// place is new: it is to be told.
static bool counts_outside(HdCpuBlock *block, const RaceSite *where) {
  CpuCheckBlock *mine = block->check;
  CpuWorker *worker = block->worker;
  uint32_t n = __atomic_add_fetch(&mine->check->n_outside, 1, __ATOMIC_RELAXED);
  if (n >= MOST_OUTSIDE) {
    cpu_run_fail(worker->run, HD_ERROR_CHECK, "");
    longjmp(worker->escape, 1);
  }
  return !race_has_report(mine->check->race, check_outside_key(where->place));
}

// From the start of the array that the place names. Shared ones begin in the
// memory of the block.
static int64_t check_access_byte_of(const HdCpuBlock *block, uint32_t site,
                                    uint64_t address) {
  const CpuCheck *check = ((const CpuCheckBlock *)block->check)->check;
  int32_t row = check->kernel->sites[site].array;
  uint64_t base = check->sites[site].array->base;
  if (row >= 0 && check->kernel->arrays[row].kind == HD_CPU_ARRAY_SHARED)
    base += (uint64_t)(uintptr_t)block->shared;
  return (int64_t)(address - base);
}

static void tell_outside(HdCpuBlock *block, uint32_t site, uint32_t warp,
                         uint32_t lanes, uint64_t address) {
  CpuCheckBlock *mine = block->check;
  const RaceSite *where = &mine->check->sites[site];
  char who[128], text[1024];
  if (!counts_outside(block, where))
    return;
  uint32_t lane = (uint32_t)__builtin_ctz(lanes);
  race_name_thread(mine->race, warp * 32 + lane, who, sizeof who);
  const char *verb = where->kind & RACE_WRITES ? "writes" : "reads";
  if (where->array)
    snprintf(text, sizeof text,
             "%s: error[HD0702]: access outside of array '%s'\n"
             "  %s %s %" PRIu32 " bytes at byte %" PRId64
             " of '%s', which has %" PRIu64 "\n",
             where->place, where->array->name, who, verb, where->size_bytes,
             check_access_byte_of(block, site, address), where->array->name,
             where->array->size_bytes);
  else
    snprintf(text, sizeof text,
             "%s: error[HD0702]: access outside of all arrays\n"
             "  %s %s %" PRIu32 " bytes at address 0x%" PRIx64
             ", which no array of the launch holds\n",
             where->place, who, verb, where->size_bytes, address);
  race_add_report(mine->check->race, check_outside_key(where->place), text);
}

static void stop_misaligned(HdCpuBlock *block, uint32_t site, uint32_t warp,
                            uint32_t lane, uint64_t address) {
  CpuCheckBlock *mine = block->check;
  const RaceSite *where = &mine->check->sites[site];
  uint32_t align = mine->check->kernel->sites[site].align_bytes;
  char who[128], element[256], text[1024];
  race_name_thread(mine->race, warp * 32 + lane, who, sizeof who);
  race_name_element(mine->race, where, address, element, sizeof element);
  snprintf(text, sizeof text,
           "%s: error[HD0703]: misaligned access\n"
           "  %s %s %s, an address that is not a multiple of %" PRIu32,
           where->place, who, where->kind & RACE_WRITES ? "writes" : "reads",
           element, align);
  check_stop(block, text);
}

static void test_alignment(HdCpuBlock *block, uint32_t site, uint32_t warp,
                           uint32_t mask, uint64_t address, int64_t step) {
  CpuCheckBlock *mine = block->check;
  uint64_t less = mine->check->kernel->sites[site].align_bytes - 1u;
  if (((address | (uint64_t)step) & less) == 0)
    return;
  for (; mask; mask &= mask - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    uint64_t at = address + lane * (uint64_t)step;
    if (at & less)
      stop_misaligned(block, site, warp, lane, at);
  }
}

void cpu_check_stored(HdCpuBlock *block, uint32_t mask, const void *values,
                      uint32_t part_bytes) {
  CpuCheckBlock *mine = block->check;
  if (!mine->check->allows_equal || mask == 0)
    return; // nobody makes the access
  mine->store.values = values;
  mine->store.part_bytes = part_bytes;
}

// Where the lanes store, if the values are known.
static void begin_store(CpuCheckBlock *mine, const RaceRows *rows) {
  if (!mine->store.values)
    return;
  race_rows_addresses(rows, mine->store.addresses);
  race_store_begin(mine->race, &mine->store);
}

static void end_store(CpuCheckBlock *mine) {
  if (!mine->store.values)
    return;
  race_store_begin(mine->race, NULL);
  mine->store.values = NULL;
}

// Nothing but races and arrays is to be looked at: no clauses, no values, and
// `bits` of the addresses say that they are aligned.
static inline bool check_access_is_simple(const CpuCheckBlock *mine,
                                          uint32_t site, uint64_t bits) {
  const HdCpuSite *from = &mine->sites[site];
  return (bits & (from->align_bytes - 1u)) == 0 && from->loops == 0 &&
         !mine->store.values;
}

// ------------------------------------------------------------ plain pointers
// What lies behind a pointer's own memory may be another array of the launch,
// which the detector would take the access to be meant for.

// All of the `bytes` from `first` on are the memory of the site's pointer, or
// its array tells otherwise what is in it.
static inline bool check_access_in_reach(const HdCpuBlock *block,
                                         const HdCpuSite *site, uint64_t first,
                                         uint64_t bytes) {
  if (site->array < 0)
    return true;
  const uint64_t *reach =
      &block->launch->reach[(size_t)2 * (uint32_t)site->array];
  return reach[1] == 0 ||
         (bytes <= reach[1] && first - reach[0] <= reach[1] - bytes);
}

static inline bool check_access_row_in_reach(const HdCpuBlock *block,
                                             const HdCpuSite *site,
                                             const RaceRows *rows,
                                             int64_t more) {
  uint64_t columns = (UINT64_C(1) << rows->period_log2) - 1;
  uint64_t n_rows = (UINT64_C(32) >> rows->period_log2) - 1;
  int64_t moves[3] = {(int64_t)(columns * (uint64_t)rows->step),
                      (int64_t)(n_rows * (uint64_t)rows->row_bytes), more};
  uint64_t first = rows->base, length = site->size_bytes;
  for (int i = 0; i < 3; i++) {
    first += moves[i] < 0 ? (uint64_t)moves[i] : 0;
    length += moves[i] < 0 ? 0 - (uint64_t)moves[i] : (uint64_t)moves[i];
  }
  return check_access_in_reach(block, site, first, length);
}

// Lanes that are out of reach. They are told.
static uint32_t check_access_out_of_reach(HdCpuBlock *block, uint32_t site,
                                          uint32_t warp, uint32_t mask,
                                          const uint64_t *addresses) {
  const HdCpuSite *from = &((CpuCheckBlock *)block->check)->sites[site];
  uint32_t out = 0;
  for (uint32_t todo = mask; todo; todo &= todo - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo);
    if (!check_access_in_reach(block, from, addresses[lane], from->size_bytes))
      out |= 1u << lane;
  }
  if (out)
    tell_outside(block, site, warp, out, addresses[__builtin_ctz(out)]);
  return out;
}

// ------------------------------------------------------------------ accesses

uint32_t cpu_check_same(HdCpuBlock *block, uint32_t site, uint32_t warp,
                        uint32_t mask, uint64_t address) {
  CpuCheckBlock *mine = block->check;
  check_interrupt(block);
  if (mask == 0)
    return 0;
  const HdCpuSite *from = &mine->sites[site];
  if (!check_access_in_reach(block, from, address, from->size_bytes)) {
    mine->store.values = NULL;
    tell_outside(block, site, warp, mask, address);
    return mask;
  }
  bool is_more = !check_access_is_simple(mine, site, address);
  if (is_more) {
    test_alignment(block, site, warp, mask, address, 0);
    begin_store(mine, &(RaceRows){address, 0, 0, 5});
  }
  uint32_t outside = race_access_same(mine->race, &mine->check->sites[site],
                                      warp, mask, address);
  if (is_more)
    end_store(mine);
  if (outside)
    tell_outside(block, site, warp, outside, address);
  if (is_more)
    check_own_bytes(block, site, warp, mask & ~outside, address,
                    mine->sites[site].size_bytes);
  return outside;
}

static bool has_owners(const CpuCheckBlock *mine, uint32_t site) {
  return mine->sites[site].loops != 0;
}

static void check_owned_row(HdCpuBlock *block, uint32_t site, uint32_t warp,
                            uint32_t mask, uint64_t address, int64_t step) {
  uint64_t addresses[32];
  for (uint32_t i = 0; i < 32; i++)
    addresses[i] = address + i * (uint64_t)step;
  check_own_lanes(block, site, warp, mask, addresses);
}

uint32_t cpu_check_row(HdCpuBlock *block, uint32_t site, uint32_t warp,
                       uint32_t mask, uint64_t address, int64_t step) {
  CpuCheckBlock *mine = block->check;
  check_interrupt(block);
  if (mask == 0)
    return 0;
  RaceRows rows = {address, step, 0, 5};
  const HdCpuSite *from = &mine->sites[site];
  if (!check_access_in_reach(block, from, address, from->size_bytes) ||
      !check_access_in_reach(block, from, address + 31 * (uint64_t)step,
                             from->size_bytes)) {
    uint64_t addresses[32];
    race_rows_addresses(&rows, addresses);
    return cpu_check_lanes(block, site, warp, mask, addresses);
  }
  // The access itself comes next, and would wait for its memory alone.
  __builtin_prefetch((const char *)(uintptr_t)address);
  __builtin_prefetch((const char *)(uintptr_t)(address + 31 * (uint64_t)step));
  bool is_more = !check_access_is_simple(mine, site, address | (uint64_t)step);
  if (is_more) {
    test_alignment(block, site, warp, mask, address, step);
    begin_store(mine, &rows);
  }
  uint32_t outside = race_access_row(mine->race, &mine->check->sites[site],
                                     warp, mask, address, step);
  if (is_more)
    end_store(mine);
  if (outside)
    tell_outside(block, site, warp, outside,
                 address + (uint64_t)__builtin_ctz(outside) * (uint64_t)step);
  if (is_more && has_owners(mine, site))
    check_owned_row(block, site, warp, mask & ~outside, address, step);
  return outside;
}

uint32_t cpu_check_rows(HdCpuBlock *block, uint32_t site, uint32_t warp,
                        uint32_t mask, uint64_t address, int64_t step,
                        int64_t row_bytes, uint32_t period_log2) {
  CpuCheckBlock *mine = block->check;
  check_interrupt(block);
  RaceRows rows = {address, step, row_bytes, period_log2};
  if (check_access_is_simple(mine, site,
                             address | (uint64_t)step | (uint64_t)row_bytes) &&
      check_access_row_in_reach(block, &mine->sites[site], &rows, 0) &&
      race_access_rows(mine->race, &mine->check->sites[site], warp, mask,
                       &rows))
    return 0;
  uint64_t addresses[32];
  race_rows_addresses(&rows, addresses);
  return cpu_check_lanes(block, site, warp, mask, addresses);
}

uint32_t cpu_check_lanes(HdCpuBlock *block, uint32_t site, uint32_t warp,
                         uint32_t mask, const uint64_t *addresses) {
  CpuCheckBlock *mine = block->check;
  check_interrupt(block);
  if (mask == 0)
    return 0;
  uint64_t all = 0, low = UINT64_MAX, high = 0;
  for (uint32_t i = 0; i < 32; i++) {
    uint64_t none = (mask >> i & 1) - UINT64_C(1), at = addresses[i];
    all |= at & ~none;
    low = (at | none) < low ? at | none : low;
    high = (at & ~none) > high ? at & ~none : high;
  }
  const HdCpuSite *from = &mine->sites[site];
  uint32_t strays = 0;
  if (!check_access_in_reach(block, from, low, high - low + from->size_bytes))
    strays = check_access_out_of_reach(block, site, warp, mask, addresses);
  mask &= ~strays;
  if (mask == 0) {
    mine->store.values = NULL;
    return strays;
  }
  uint64_t less = mine->check->kernel->sites[site].align_bytes - 1u;
  for (uint32_t todo = all & less ? mask : 0; todo; todo &= todo - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(todo);
    test_alignment(block, site, warp, 1u << lane, addresses[lane], 0);
  }
  if (mine->store.values) {
    memcpy(mine->store.addresses, addresses, sizeof mine->store.addresses);
    race_store_begin(mine->race, &mine->store);
  }
  uint32_t outside =
      race_access(mine->race, &mine->check->sites[site], warp, mask, addresses);
  end_store(mine);
  if (outside)
    tell_outside(block, site, warp, outside, addresses[__builtin_ctz(outside)]);
  if (has_owners(mine, site))
    check_own_lanes(block, site, warp, mask & ~outside, addresses);
  return outside | strays;
}

uint32_t cpu_check_turns(HdCpuBlock *block, uint32_t warp, uint32_t mask,
                         uint32_t n_turns, uint32_t n_reads,
                         const HdCpuTurns *reads) {
  CpuCheckBlock *mine = block->check;
  RaceTurns turns[HD_CPU_MOST_TURNS];
  check_interrupt(block);
  if (n_turns == 0)
    return 0;
  for (uint32_t i = 0; i < n_reads; i++) {
    const HdCpuTurns *r = &reads[i];
    uint64_t bits = r->address | (uint64_t)r->step | (uint64_t)r->row_bytes |
                    (uint64_t)r->turn_bytes;
    RaceRows rows = {r->address, r->step, r->row_bytes, r->period_log2};
    int64_t more = (int64_t)((n_turns - 1) * (uint64_t)r->turn_bytes);
    if (!check_access_is_simple(mine, r->site, bits) ||
        !check_access_row_in_reach(block, &mine->sites[r->site], &rows, more))
      return 0;
    turns[i] = (RaceTurns){&mine->check->sites[r->site], rows, r->turn_bytes};
  }
  return race_access_turns(mine->race, warp, mask, turns, n_reads, n_turns);
}

void cpu_check_stop_copy(HdCpuBlock *block, uint32_t site, uint32_t warp,
                         uint32_t lanes, uint64_t address, uint64_t bytes) {
  CpuCheckBlock *mine = block->check;
  const RaceSite *where = &mine->check->sites[site];
  char who[128], text[1024];
  uint32_t lane = (uint32_t)__builtin_ctz(lanes);
  race_name_thread(mine->race, warp * 32 + lane, who, sizeof who);
  snprintf(text, sizeof text,
           "%s: error[HD0702]: a copy leads outside of all arrays\n"
           "  issued by %s, it %s %" PRIu64 " bytes from address 0x%" PRIx64,
           where->place, who, where->kind & RACE_WRITES ? "writes" : "reads",
           bytes, address);
  check_stop(block, text);
}

void cpu_check_outside(HdCpuBlock *block, uint32_t site, uint32_t warp,
                       uint32_t mask, uint32_t dim, const int64_t *indices,
                       int64_t extent) {
  CpuCheckBlock *mine = block->check;
  const RaceSite *where = &mine->check->sites[site];
  if (!counts_outside(block, where))
    return;
  uint32_t lane = mask ? (uint32_t)__builtin_ctz(mask) : 0;
  char who[128], text[1024], what[256] = "a private array";
  if (where->array)
    snprintf(what, sizeof what, "array '%s'", where->array->name);
  race_name_thread(mine->race, warp * 32 + lane, who, sizeof who);
  snprintf(text, sizeof text,
           "%s: error[HD0702]: access outside of %s\n"
           "  %s %s element %" PRId64 " of dimension %" PRIu32
           ", which has %" PRId64 "\n",
           where->place, what, who,
           where->kind & RACE_WRITES ? "writes" : "reads", indices[lane], dim,
           extent);
  race_add_report(mine->check->race, check_outside_key(where->place), text);
}
