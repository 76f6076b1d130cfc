// SPDX-License-Identifier: Apache-2.0
// Stores of equal values.
//
// Note [Equal stores]
// Where stores of equal values to one cell are no race, the history has to know
// what was stored. Memory does: it holds what the last store has left there,
// and what the cell's history calls the last write is that store. Only what the
// lanes of the same warp store at the same time isn't in memory yet; it is
// among the values at hand, for lanes that are `done`.
//
// Of several equal stores that aren't ordered the last is the cell's write, the
// others are records. So all of them are compared with what comes later, and
// all have the value that memory has: one that differs is told, and then
// replaces them.
#include "rt/cpu/race_parts.h"

void race_store_begin(RaceBlock *block, RaceStore *store) {
  block->store = store;
  if (store)
    store->done = 0;
}

static uint8_t byte_of(const RaceStore *store, uint32_t lane, uint64_t offset) {
  uint32_t bytes = store->part_bytes;
  uint64_t part = offset / bytes;
  return store->values[(part * 32 + lane) * bytes + offset % bytes];
}

// The write is one of the accesses that are being made.
static bool is_pending(const RaceActor *a, uint64_t address,
                       const RaceEpoch *write) {
  const RaceStore *store = a->block->store;
  uint32_t lane = write->who % 32;
  return write->block == a->now.block && write->clock == a->now.clock &&
         write->site == a->now.site && write->who / 32 == a->now.who / 32 &&
         (store->done >> lane & 1) &&
         address - store->addresses[lane] < a->site->size_bytes;
}

bool race_stores_equal(const RaceActor *a, const RaceShadow *shadow,
                       uint64_t address, const RaceEpoch *write) {
  const RaceStore *store = a->block->store;
  if (!store || !race_is_plain_write(write->kind) ||
      !race_is_plain_write(a->now.kind))
    return false;
  uint32_t mine = a->now.who % 32, other = write->who % 32;
  bool is_other_pending = is_pending(a, address, write);
  const uint8_t *memory = (const uint8_t *)(uintptr_t)address;
  for (uint64_t i = 0; i < UINT64_C(1) << shadow->cell_log2; i++) {
    uint64_t at = address + i;
    uint8_t before = is_other_pending
                         ? byte_of(store, other, at - store->addresses[other])
                         : memory[i];
    if (byte_of(store, mine, at - store->addresses[mine]) != before)
      return false;
  }
  return true;
}
