// SPDX-License-Identifier: Apache-2.0
// Region allocation: everything of one lifetime is freed at once.
//
// The compiler keeps four lifetimes (session, unit, module, scratch), each one
// arena. Memory is zeroed and aligned to 16 bytes. Where the host has none
// left, the thread goes back to its rescue: Note [Memory that runs out] in
// rescue.h.
#ifndef HD_BASE_ARENA_H
#define HD_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Arena Arena;

// A point to roll back to. Valid until the arena is released further back.
typedef struct {
  void *page;
  size_t used_bytes;
} ArenaMark;

Arena *arena_new(void);
// Frees the arena and all that was allocated from it. NULL is accepted.
void arena_free(Arena *arena);

// It outlives the rescue that it was made under: its owner does.
void arena_keep(Arena *arena);

// Zeroed memory, 16-byte aligned, never NULL; size 0 gives a valid pointer.
void *arena_alloc(Arena *arena, size_t size_bytes);
// As arena_alloc(count * size_bytes); a product that overflows is no memory.
void *arena_alloc_array(Arena *arena, size_t count, size_t size_bytes);
// Larger storage with the first `kept_bytes` of `old`, which has `old_bytes`
// and may be NULL: what came last grows where it is. What is behind those isn't
// set.
void *arena_grow(Arena *arena, void *old, size_t old_bytes, size_t kept_bytes,
                 size_t size_bytes);
void *arena_copy(Arena *arena, const void *data, size_t size_bytes);
char *arena_strdup(Arena *arena, const char *text);
char *arena_strndup(Arena *arena, const char *text, size_t length);
char *arena_printf(Arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

ArenaMark arena_mark(Arena *arena);
// Frees all that was allocated since `mark` (poisoned in the stress build).
void arena_release(Arena *arena, ArenaMark mark);
// Bytes handed out so far, for reports and limits.
size_t arena_used_bytes(const Arena *arena);

#define ARENA_NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define ARENA_ARRAY(arena, T, count)                                           \
  ((T *)arena_alloc_array((arena), (count), sizeof(T)))

#endif
