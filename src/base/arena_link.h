// SPDX-License-Identifier: Apache-2.0
// Arenas in the lists of rescues; for arena.c and rescue.c.
#ifndef HD_BASE_ARENA_LINK_H
#define HD_BASE_ARENA_LINK_H

#include "base/rescue.h"

RescueLink *arena_rescue_link(Arena *arena);
void arena_link(Arena *arena);
void arena_unlink(Arena *arena);

#endif
