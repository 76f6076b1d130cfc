// SPDX-License-Identifier: Apache-2.0
// Growable arrays whose storage lives in an arena (nothing to free).
//
//   hd_vec(Expr *) args = {0};
//   VEC_PUSH(arena, &args, expr);
//   for (uint32_t i = 0; i < args.count; i++) use(args.data[i]);
//
// A push may move the elements: keep indices, never pointers to elements.
#ifndef HD_BASE_VEC_H
#define HD_BASE_VEC_H

#include "base/arena.h"
#include "base/panic.h"

#define hd_vec(T)                                                              \
  struct {                                                                     \
    T *data;                                                                   \
    uint32_t count;                                                            \
    uint32_t capacity;                                                         \
  }

// Grows the storage to hold at least `needed` elements; above 2^31 memory
// has run out. What is behind `count` isn't set.
// `data` is the address of the vector's data member, whatever its type.
void vec_grow(Arena *arena, void *data, uint32_t count, uint32_t *capacity,
              uint32_t needed, size_t element_bytes);

#define VEC_RESERVE(arena, vec, needed)                                        \
  ((needed) > (vec)->capacity                                                  \
       ? vec_grow((arena), &(vec)->data, (vec)->count, &(vec)->capacity,       \
                  (needed), sizeof(*(vec)->data))                              \
       : (void)0)

#define VEC_PUSH(arena, vec, value)                                            \
  (VEC_RESERVE((arena), (vec), (vec)->count + 1),                              \
   (vec)->data[(vec)->count++] = (value))

// Both need an element.
#define VEC_LAST(vec) ((vec)->data[vec_last((vec)->count)])
#define VEC_POP(vec)  ((vec)->data[(vec)->count = vec_last((vec)->count)])

static inline uint32_t vec_last(uint32_t count) {
  HD_ASSERT(count > 0);
  return count - 1;
}

#endif
