// SPDX-License-Identifier: Apache-2.0
// Where a thread goes on when its memory runs out.
//
// Note [Memory that runs out]
// Arenas never return NULL: whoever builds trees couldn't go on. A function
// that a user of the library calls enters a Rescue first. When memory runs out
// below it, what it owes is released, the latest first, the arenas made since
// are freed, and the thread is back in that function, which returns
// HD_ERROR_MEMORY:
//
//   HdStatus hd_thing(HdSession *session) {
//     Rescue rescue RESCUE_SCOPE;
//     if (RESCUE_ENTER(&rescue))
//       return HD_ERROR_MEMORY;
//     return thing(session);
//   }
//
// A function that enters one only passes its parameters on: a local variable
// that changes after RESCUE_ENTER would be lost by the jump.
//
// What isn't in an arena, and would be lost by a jump past its owner, is owed
// while that may happen: files, locks, children, handles. Rescues nest; what is
// left behind one belongs to the one around it. They are of one thread.
#ifndef HD_BASE_RESCUE_H
#define HD_BASE_RESCUE_H

#include "base/arena.h"
#include <setjmp.h>
#include <stdbool.h>

enum { RESCUE_MOST_OWED = 64 };

typedef struct Rescue Rescue;

typedef struct {
  void (*release)(void *what);
  void *what;
} RescueDebt;

struct Rescue {
  jmp_buf back;
  Rescue *outer;
  Arena *arenas; // made since
  uint32_t n_owed;
  bool is_left;
  bool is_foreign; // of rescue_foreign
  RescueDebt owed[RESCUE_MOST_OWED];
};

void rescue_begin(Rescue *rescue);
// The end of one, wherever its function returns.
void rescue_end(Rescue *rescue);
// Ends it as if memory had run out, without the jump.
void rescue_release(Rescue *rescue);

#define RESCUE_SCOPE         __attribute__((cleanup(rescue_end)))
// Not 0: memory ran out, and the rescue has ended.
#define RESCUE_ENTER(rescue) (rescue_begin(rescue), setjmp((rescue)->back))

// release(what) if memory runs out, unless rescue_paid was told before. Without
// a rescue on this thread nothing happens.
void rescue_owe(void (*release)(void *what), void *what);
// It was released, or has an owner outside now.
void rescue_paid(void *what);

// The arena leaves this thread's rescues, because another thread will free it:
// their lists are of one thread. To be called before the other one sees it.
void rescue_hand_over(Arena *arena);

// Goes back to this thread's rescue; a panic if there is none.
_Noreturn void rescue_out_of_memory(void);
bool rescue_is_there(void);

typedef enum {
  RESCUE_DONE,
  RESCUE_MEMORY,   // ran out; released as above
  RESCUE_EXCEPTION // of C++, about something else
} RescueEnd;

// work(context), which calls libraries that throw C++ exceptions or call
// rescue_out_of_memory where they have no memory. What those hold is lost.
RescueEnd rescue_foreign(void (*work)(void *context), void *context);

// This thread is in one.
bool rescue_is_foreign(void);
// Goes back to it; it then returns `end`.
_Noreturn void rescue_leave_foreign(RescueEnd end);

// For arenas: is in the list of this thread's rescue from now on.
typedef struct RescueLink {
  Arena *next, **place; // NULL: in no list
} RescueLink;

#endif
