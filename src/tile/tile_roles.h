// SPDX-License-Identifier: Apache-2.0
// Tile kernels as programs of thread groups with roles: what the files
// tile_roles*.c share. See Note [Roles of a tile kernel] in tile_roles.c.
#ifndef HD_TILE_TILE_ROLES_H
#define HD_TILE_TILE_ROLES_H

#include "tile/tile_parts.h"

enum {
  ROLES_MOST_RINGS = 4,
  ROLES_GROUP = 128, // threads of a warpgroup
  ROLES_UNIT_ROWS = 64,
  ROLES_MOST_SUMS = 128, // of a thread
  ROLES_MOST_GROUPS = 3,
};

// A section that each turn of the loop loads, and where it is staged.
typedef struct {
  IrTileShape shape;
  IrObject *ring; // [stages][…]
  uint64_t bytes; // of a stage
} RolesRing;

typedef struct {
  Lower *t;
  uint32_t n_rings;
  RolesRing rings[ROLES_MOST_RINGS];
  uint32_t sums;        // of a row: columns of all products
  uint32_t rows;        // of the products
  uint32_t n_stages;    // of the rings
  uint32_t n_consumers; // warpgroups
  uint32_t n_products;
  hd_vec(const IrObject *) written;
  IrObject *full, *empty;
  IrGroup *consumers; // all of them
  IrGroup *consumer;  // one
  IrNode *part;       // the consumer's first row, NULL: 0
  const char *why;
} Roles;

// Whether the loop multiplies in each turn.
bool roles_is_turn(const IrNode *loop);
// The section behind an operand; NULL: it is none. *is_turned: transposed.
IrNode *roles_section(IrNode *operand, bool *is_turned);
// NULL: the kernel fits; else why not, a constant: tile_roles_find.c
const char *roles_find(Roles *r);
// The rows of all tiles can be divided among several consumers; those in the
// region become one's. False: they can't be: tile_roles_rows.c
bool roles_may_split(Roles *r);
bool roles_split(Roles *r, IrRegion *region);
// tile_lower.c: what a block is told of itself stays so.
void roles_fix_positions(Lower *t);

#endif
