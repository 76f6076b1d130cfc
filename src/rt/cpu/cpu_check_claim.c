// SPDX-License-Identifier: Apache-2.0
// What --sanitize makes of `uniform`: the first value that a group's thread
// states at a place, in a turn of all loops around it, is kept, and those of
// the others are compared with it. Where a group is no larger than the strand
// that speaks, its lanes are all there is to compare.
#include "rt/cpu/cpu_check_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Places and turns that are kept of a block; what comes later isn't compared
// between strands.
enum { MOST_CLAIMS = 1 << 20 };

static uint64_t check_claim_key_of(const HdCpuClaim *claim, uint32_t lane) {
  uint64_t key = check_mix(claim->number, claim->turns[lane]);
  key = check_mix(key, (uint32_t)claim->parts[lane]);
  if (claim->scope == HD_CPU_CLAIM_WARP)
    key = check_mix(key, claim->warp);
  return key;
}

// ----------------------------------------------------------------- table

static CheckClaim *check_claim_find(const CheckClaims *claims, uint64_t key) {
  uint32_t at = (uint32_t)key & (claims->capacity - 1);
  while (claims->slots[at].key && claims->slots[at].key != key)
    at = (at + 1) & (claims->capacity - 1);
  return &claims->slots[at];
}

static bool check_claim_grow(CheckClaims *claims) {
  if (claims->count * 2 < claims->capacity)
    return true;
  CheckClaims grown = {.count = claims->count};
  grown.capacity = claims->capacity ? claims->capacity * 2 : 64;
  grown.slots = calloc(grown.capacity, sizeof *grown.slots);
  if (!grown.slots)
    return false;
  for (uint32_t i = 0; i < claims->capacity; i++)
    if (claims->slots[i].key)
      *check_claim_find(&grown, claims->slots[i].key) = claims->slots[i];
  free(claims->slots);
  *claims = grown;
  return true;
}

// The first claim like this one: NULL if this is it, or can't be kept.
static const CheckClaim *check_claim_first_of(CheckClaims *claims,
                                              const CheckClaim *now) {
  if (claims->count == MOST_CLAIMS ? !claims->slots : !check_claim_grow(claims))
    return NULL;
  CheckClaim *slot = check_claim_find(claims, now->key);
  if (slot->key)
    return slot;
  if (claims->count < MOST_CLAIMS) {
    *slot = *now;
    claims->count++;
  }
  return NULL;
}

// --------------------------------------------------------------- reports

static double float_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static bool check_claim_is_same(uint32_t kind, uint64_t a, uint64_t b) {
  if (kind == HD_CPU_VALUE_FLOAT && float_of(a) != float_of(a))
    return float_of(b) != float_of(b);
  return a == b;
}

static void name_value(uint32_t kind, uint64_t bits, char *text, size_t size) {
  if (kind == HD_CPU_VALUE_FLOAT)
    snprintf(text, size, "%.9g", float_of(bits));
  else if (kind == HD_CPU_VALUE_POINTER)
    snprintf(text, size, "0x%" PRIx64, bits);
  else if (kind == HD_CPU_VALUE_UNSIGNED)
    snprintf(text, size, "%" PRIu64, bits);
  else
    snprintf(text, size, "%" PRId64, (int64_t)bits);
}

static void stop_false(HdCpuBlock *block, const HdCpuClaim *claim,
                       const CheckClaim *a, const CheckClaim *b) {
  CpuCheckBlock *mine = block->check;
  const CheckClaim *both[2] = {a, b};
  char who[2][128], value[2][64], text[1024];
  for (int i = 0; i < 2; i++) {
    race_name_thread_of(mine->check->race, (uint32_t)both[i]->block,
                        both[i]->thread, who[i], sizeof who[i]);
    name_value(claim->kind, both[i]->value, value[i], sizeof value[i]);
  }
  snprintf(text, sizeof text,
           "%s: error[HD0405]: 'uniform' states one value for all threads of "
           "%s, but there are several\n"
           "  %s has %s\n"
           "  %s has %s",
           mine->check->kernel->locs[claim->loc], claim->group, who[0],
           value[0], who[1], value[1]);
  check_stop(block, text);
}

// --------------------------------------------------------------- service

static CheckClaims *claims_of(HdCpuBlock *block, uint32_t scope) {
  CpuCheckBlock *mine = block->check;
  if (scope == HD_CPU_CLAIM_GRID)
    return &mine->check->claims;
  if (scope != HD_CPU_CLAIM_CLUSTER)
    return &mine->claims;
  CpuBlock *first = (CpuBlock *)(void *)block - block->cluster_rank;
  return &((CpuCheckBlock *)first->abi.check)->cluster_claims;
}

static CheckClaim claim_of_lane(const HdCpuBlock *block,
                                const HdCpuClaim *claim, uint32_t lane) {
  return (CheckClaim){.key = check_claim_key_of(claim, lane),
                      .value = claim->values[lane],
                      .block = block->linear,
                      .thread = claim->warp * 32 + lane};
}

// The lanes of one part and turn are compared with the first of them, and that
// one with the first of all strands.
void cpu_check_claim(HdCpuBlock *block, const HdCpuClaim *claim) {
  uint32_t left = claim->mask;
  while (left) {
    uint32_t first = (uint32_t)__builtin_ctz(left);
    CheckClaim now = claim_of_lane(block, claim, first);
    for (uint32_t todo = left; todo; todo &= todo - 1) {
      uint32_t lane = (uint32_t)__builtin_ctz(todo);
      if (claim->parts[lane] != claim->parts[first] ||
          claim->turns[lane] != claim->turns[first])
        continue;
      left &= ~(1u << lane);
      CheckClaim other = claim_of_lane(block, claim, lane);
      if (!check_claim_is_same(claim->kind, now.value, other.value))
        stop_false(block, claim, &now, &other);
    }
    if (claim->scope == HD_CPU_CLAIM_STRAND)
      continue;
    const CheckClaim *before =
        check_claim_first_of(claims_of(block, claim->scope), &now);
    if (before && !check_claim_is_same(claim->kind, before->value, now.value))
      stop_false(block, claim, before, &now);
  }
}
