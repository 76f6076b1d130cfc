// SPDX-License-Identifier: Apache-2.0
#include "base/rescue.h"

#include "base/arena_link.h"
#include "base/panic.h"
#include <stddef.h>

// Of one thread, so that two sessions in two threads stay independent.
static _Thread_local Rescue *current;

void rescue_begin(Rescue *rescue) {
  rescue->outer = current;
  rescue->arenas = NULL;
  rescue->n_owed = 0;
  rescue->is_left = rescue->is_foreign = false;
  current = rescue;
}

bool rescue_is_there(void) {
  return current != NULL;
}

// ----------------------------------------------------------------- arenas

void arena_link(Arena *arena) {
  RescueLink *link = arena_rescue_link(arena);
  *link = (RescueLink){0};
  if (!current)
    return;
  link->next = current->arenas;
  link->place = &current->arenas;
  if (link->next)
    arena_rescue_link(link->next)->place = &link->next;
  current->arenas = arena;
}

void arena_unlink(Arena *arena) {
  RescueLink *link = arena_rescue_link(arena);
  if (!link->place)
    return;
  *link->place = link->next;
  if (link->next)
    arena_rescue_link(link->next)->place = link->place;
  *link = (RescueLink){0};
}

static void hand_on_arenas(Rescue *rescue) {
  while (rescue->arenas) {
    Arena *arena = rescue->arenas;
    arena_unlink(arena);
    arena_link(arena); // of the one around, which is the current one
  }
}

void rescue_hand_over(Arena *arena) {
  arena_unlink(arena);
}

// ------------------------------------------------------------------- debts

// One that finds no place is lost if memory runs out.
void rescue_owe(void (*release)(void *what), void *what) {
  if (current && current->n_owed < RESCUE_MOST_OWED)
    current->owed[current->n_owed++] = (RescueDebt){release, what};
}

void rescue_paid(void *what) {
  for (Rescue *rescue = current; rescue; rescue = rescue->outer) {
    for (uint32_t i = rescue->n_owed; i-- > 0;) {
      if (rescue->owed[i].what != what)
        continue;
      rescue->n_owed--;
      for (; i < rescue->n_owed; i++)
        rescue->owed[i] = rescue->owed[i + 1];
      return;
    }
  }
}

// Leaves it with the one around as the current one.
static void rescue_leave(Rescue *rescue) {
  rescue->is_left = true;
  current = rescue->outer;
}

void rescue_end(Rescue *rescue) {
  if (rescue->is_left)
    return;
  HD_ASSERT(current == rescue); // they nest
  rescue_leave(rescue);
  hand_on_arenas(rescue);
  for (uint32_t i = 0; i < rescue->n_owed; i++)
    rescue_owe(rescue->owed[i].release, rescue->owed[i].what);
}

// It is the current one meanwhile: what is released leaves its lists.
void rescue_release(Rescue *rescue) {
  while (rescue->n_owed > 0) {
    RescueDebt debt = rescue->owed[--rescue->n_owed];
    debt.release(debt.what);
  }
  while (rescue->arenas)
    arena_free(rescue->arenas);
  rescue_leave(rescue);
}

void rescue_out_of_memory(void) {
  Rescue *rescue = current;
  if (!rescue)
    HD_PANIC("out of memory where nobody looks after it");
  rescue_release(rescue);
  longjmp(rescue->back, RESCUE_MEMORY);
}

bool rescue_is_foreign(void) {
  return current && current->is_foreign;
}

void rescue_leave_foreign(RescueEnd end) {
  Rescue *rescue = current;
  rescue_release(rescue);
  longjmp(rescue->back, (int)end);
}
