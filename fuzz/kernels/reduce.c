// SPDX-License-Identifier: Apache-2.0
#include "reduce.h"
#include "base/vec.h"
#include <string.h>

typedef struct {
  hd_vec(const char *) lines;
} Lines;

static Lines split_lines(Arena *arena, const char *source) {
  Lines lines = {0};
  for (const char *end; (end = strchr(source, '\n')); source = end + 1)
    VEC_PUSH(arena, &lines.lines,
             arena_strndup(arena, source, (size_t)(end - source)));
  return lines;
}

// All lines but [from, to).
static const char *join_without(Arena *arena, const Lines *lines, uint32_t from,
                                uint32_t to) {
  Text text = {.arena = arena};
  for (uint32_t i = 0; i < lines->lines.count; i++) {
    if (i >= from && i < to)
      continue;
    text_add(&text, lines->lines.data[i]);
    text_add_char(&text, '\n');
  }
  return text_cstr(&text);
}

static int depth_change(const char *line) {
  int change = 0;
  for (; *line; line++)
    change += (*line == '{') - (*line == '}');
  return change;
}

// Line `at` stands inside a marked block.
static bool is_inside_unit(const Lines *lines, uint32_t at) {
  int depth = 0, unit = 0;
  for (uint32_t i = 0; i < at; i++) {
    const char *line = lines->lines.data[i];
    depth += depth_change(line);
    if (strstr(line, "//=") && !unit)
      unit = depth;
    if (unit && depth < unit)
      unit = 0;
  }
  return unit != 0;
}

// Whether [from, to) may be taken away as far as braces tell.
static bool is_removable(const Lines *lines, uint32_t from, uint32_t to) {
  int depth = 0;
  for (uint32_t i = from; i < to; i++) {
    const char *line = lines->lines.data[i];
    if (strchr(line, '}') && depth + depth_change(line) < 0)
      return false;
    if (line[0] == '}' || line[0] == '{' || strstr(line, "kernel void"))
      return false;
    depth += depth_change(line);
  }
  return depth == 0 && !is_inside_unit(lines, from) &&
         !is_inside_unit(lines, to);
}

// What is to be kept.
typedef struct {
  const GenProgram *program;
  uint64_t seed;
  Outcome outcome;
  const char *why;
} Failure;

enum { COMPARED_TEXT = 90, COMPARED_MESSAGE = 32 };

static bool still_fails(Arena *arena, const Failure *failure,
                        const char *source) {
  const char *why;
  Outcome outcome =
      run_both(arena, failure->program, source, failure->seed, &why);
  if (outcome != failure->outcome)
    return false;
  if (outcome == OUTCOME_FAILED)
    return strncmp(why, failure->why, COMPARED_MESSAGE) == 0;
  return outcome != OUTCOME_CRASHED ||
         strncmp(why, failure->why, COMPARED_TEXT) == 0;
}

// Tries all runs of `size` lines, or of a whole block that starts there.
static bool remove_runs(Arena *arena, const Failure *failure, Lines *lines,
                        uint32_t size) {
  bool changed = false;
  for (uint32_t from = 0; from + size <= lines->lines.count;) {
    if (!is_removable(lines, from, from + size)) {
      from++;
      continue;
    }
    Arena *scratch = arena_new();
    const char *smaller = join_without(scratch, lines, from, from + size);
    if (still_fails(scratch, failure, smaller)) {
      *lines = split_lines(arena, smaller);
      changed = true;
    } else {
      from++;
    }
    arena_free(scratch);
  }
  return changed;
}

const char *reduce_program(Arena *arena, const GenProgram *program,
                           uint64_t seed, Outcome outcome, const char *why) {
  Failure failure = {program, seed, outcome, why};
  Lines lines = split_lines(arena, program->source);
  bool changed = true;
  for (int round = 0; round < 4 && changed; round++) {
    changed = false;
    for (uint32_t size = lines.lines.count / 2; size > 0;
         size = size > 8 ? size * 2 / 3 : size - 1)
      changed |= remove_runs(arena, &failure, &lines, size);
  }
  return join_without(arena, &lines, 0, 0);
}
