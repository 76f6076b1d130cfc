// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include "base/arena_link.h"
#include "base/bits.h"
#include "base/panic.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#endif

// Under AddressSanitizer everything not handed out is poisoned, and each
// allocation is followed by a gap, so that running past its end is caught.
#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>

enum { RED_ZONE_BYTES = 16 };

static void arena_poison(void *memory, size_t size_bytes) {
  __asan_poison_memory_region(memory, size_bytes);
}

static void unpoison(void *memory, size_t size_bytes) {
  __asan_unpoison_memory_region(memory, size_bytes);
}
#else
enum { RED_ZONE_BYTES = 0 };

static void arena_poison(void *memory, size_t size_bytes) {
  (void)memory;
  (void)size_bytes;
}

static void unpoison(void *memory, size_t size_bytes) {
  (void)memory;
  (void)size_bytes;
}
#endif

enum {
  ALIGNMENT = 16,
#ifdef HD_STRESS
  FIRST_PAGE_BYTES = 64,
  LAST_PAGE_BYTES = 64,
#else
  FIRST_PAGE_BYTES = 4 * 1024,
  LAST_PAGE_BYTES = 1024 * 1024,
#endif
};

typedef struct Page Page;

struct Page {
  _Alignas(ALIGNMENT) Page *previous;
  size_t capacity;   // bytes after this header
  size_t used;       // of them
  size_t used_below; // handed out by all pages before this one
};

struct Arena {
  Page *top;
  Page *spare; // one released page, so that mark/release loops don't thrash
  size_t next_page_bytes;
  RescueLink rescue;
};

static char *page_data(Page *page) {
  return (char *)page + sizeof(Page);
}

static size_t arena_align_up(size_t size_bytes) {
  return bits_align_up(size_bytes, ALIGNMENT);
}

RescueLink *arena_rescue_link(Arena *arena) {
  return &arena->rescue;
}

Arena *arena_new(void) {
  Arena *arena = calloc(1, sizeof(*arena));
  if (!arena)
    rescue_out_of_memory();
  arena->next_page_bytes = FIRST_PAGE_BYTES;
  arena_link(arena);
  return arena;
}

static void page_free(Page *page) {
  if (page)
    unpoison(page_data(page), page->capacity);
  free(page);
}

void arena_free(Arena *arena) {
  if (!arena)
    return;
  arena_unlink(arena);
  while (arena->top) {
    Page *page = arena->top;
    arena->top = page->previous;
    page_free(page);
  }
  page_free(arena->spare);
  free(arena);
}

void arena_keep(Arena *arena) {
  arena_unlink(arena);
}

static Page *page_new(Arena *arena, size_t needed) {
  size_t capacity = arena->next_page_bytes;
  if (arena->next_page_bytes < LAST_PAGE_BYTES)
    arena->next_page_bytes *= 2;
  if (capacity < needed)
    capacity = needed;
  Page *page = malloc(sizeof(Page) + capacity);
  if (!page)
    rescue_out_of_memory();
  page->capacity = capacity;
  return page;
}

static void push_page(Arena *arena, size_t needed) {
  Page *page = arena->spare;
  if (page && page->capacity >= needed)
    arena->spare = NULL;
  else
    page = page_new(arena, needed);
  page->previous = arena->top;
  page->used = 0;
  page->used_below = arena_used_bytes(arena);
  arena->top = page;
  arena_poison(page_data(page), page->capacity);
}

static size_t arena_step_of(size_t size_bytes) {
  if (size_bytes > SIZE_MAX / 4)
    rescue_out_of_memory();
  return arena_align_up(size_bytes ? size_bytes : 1) + RED_ZONE_BYTES;
}

// As arena_alloc, but with any content.
static void *arena_take(Arena *arena, size_t size_bytes) {
  size_t step = arena_step_of(size_bytes);
  if (!arena->top || arena->top->capacity - arena->top->used < step)
    push_page(arena, step);
  char *memory = page_data(arena->top) + arena->top->used;
  arena->top->used += step;
  unpoison(memory, size_bytes);
  return memory;
}

void *arena_alloc(Arena *arena, size_t size_bytes) {
  return memset(arena_take(arena, size_bytes), 0, size_bytes);
}

void *arena_alloc_array(Arena *arena, size_t count, size_t size_bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, size_bytes, &total))
    rescue_out_of_memory();
  return arena_alloc(arena, total);
}

// Where it is; the builds that look for mistakes have everything move.
static bool grows_in_place(Arena *arena, const char *old, size_t old_bytes,
                           size_t size_bytes) {
#if defined(ARENA_ASAN) || defined(HD_STRESS)
  (void)arena, (void)old, (void)old_bytes, (void)size_bytes;
  return false;
#else
  Page *page = arena->top;
  size_t old_step = arena_step_of(old_bytes), step = arena_step_of(size_bytes);
  if (!old || !page || old != page_data(page) + page->used - old_step ||
      step - old_step > page->capacity - page->used)
    return false;
  page->used += step - old_step;
  return true;
#endif
}

void *arena_grow(Arena *arena, void *old, size_t old_bytes, size_t kept_bytes,
                 size_t size_bytes) {
  HD_ASSERT(kept_bytes <= old_bytes && old_bytes <= size_bytes);
  if (grows_in_place(arena, old, old_bytes, size_bytes))
    return old;
  char *storage = arena_take(arena, size_bytes);
  if (kept_bytes)
    memcpy(storage, old, kept_bytes);
#ifdef HD_STRESS
  memset(storage + kept_bytes, 0xDD, size_bytes - kept_bytes);
#endif
  return storage;
}

void *arena_copy(Arena *arena, const void *data, size_t size_bytes) {
  void *copy = arena_take(arena, size_bytes);
  if (size_bytes)
    memcpy(copy, data, size_bytes);
  return copy;
}

char *arena_strdup(Arena *arena, const char *text) {
  return arena_strndup(arena, text, strlen(text));
}

char *arena_strndup(Arena *arena, const char *text, size_t length) {
  char *copy = arena_take(arena, length + 1);
  if (length)
    memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char *arena_printf(Arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = arena_vprintf(arena, format, args);
  va_end(args);
  return text;
}

char *arena_vprintf(Arena *arena, const char *format, va_list args) {
  va_list measured;
  va_copy(measured, args);
  int length = vsnprintf(NULL, 0, format, measured);
  va_end(measured);
  HD_ASSERT(length >= 0);
  char *text = arena_take(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, args);
  return text;
}

ArenaMark arena_mark(Arena *arena) {
  ArenaMark mark = {arena->top, arena->top ? arena->top->used : 0};
  return mark;
}

// Use after release must not find the old bytes in the stress build.
static void wipe(Page *page, size_t from) {
#ifdef HD_STRESS
  unpoison(page_data(page) + from, page->capacity - from);
  memset(page_data(page) + from, 0xDD, page->capacity - from);
#endif
  arena_poison(page_data(page) + from, page->capacity - from);
}

static void pop_page(Arena *arena) {
  Page *page = arena->top;
  arena->top = page->previous;
  wipe(page, 0);
  bool is_kept = page->capacity <= LAST_PAGE_BYTES &&
                 (!arena->spare || arena->spare->capacity < page->capacity);
  if (is_kept) {
    page_free(arena->spare);
    arena->spare = page;
  } else {
    page_free(page);
  }
}

void arena_release(Arena *arena, ArenaMark mark) {
  while (arena->top != mark.page) {
    HD_ASSERT(arena->top); // else the mark is of another arena, or too old
    pop_page(arena);
  }
  if (!arena->top)
    return;
  HD_ASSERT(mark.used_bytes <= arena->top->used);
  arena->top->used = mark.used_bytes;
  wipe(arena->top, mark.used_bytes);
}

size_t arena_used_bytes(const Arena *arena) {
  return arena->top ? arena->top->used_below + arena->top->used : 0;
}
