// SPDX-License-Identifier: Apache-2.0
// Which thread touches which element, as far as the shape of the index shows
// it. No solver: two accesses have one owner where they have the same linear
// form in the same places of a thread hierarchy.
#ifndef HD_IR_ANALYSES_OWNER_MAP_H
#define HD_IR_ANALYSES_OWNER_MAP_H

#include "ir/analyses/uniform.h"

typedef struct OwnerMaps OwnerMaps;

OwnerMaps *owner_maps_new(Arena *arena, const Uniformity *uniformity);

// Wherever the two accesses touch the same element of their (one) object, one
// thread of `group` does both; at any turns of the loops around `between`.
bool owner_maps_same(OwnerMaps *maps, const IrNode *a, const IrNode *b,
                     const IrGroup *group, const IrNode *between);

#endif
