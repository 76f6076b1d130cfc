// SPDX-License-Identifier: Apache-2.0
// Arrays on the host: from files, from generators, to files and to people.
#ifndef HD_CLI_ARRAY_H
#define HD_CLI_ARRAY_H

#include "base/arena.h"
#include "heddle/heddle.h"
#include <stdbool.h>

enum { ARRAY_MOST_RANK = 8 };

// Dense and row-major. `data` is malloc'd; free with array_fini.
typedef struct {
  HdType type;    // HD_STRUCT: opaque elements
  bool is_record; // of a file whose elements have fields
  size_t element_bytes;
  int rank;
  int64_t extents[ARRAY_MOST_RANK];
  char *data;
  size_t size_bytes;
} HostArray;

// The parameter takes an array, with extents or without.
static inline bool array_is_param(const HdParamInfo *info) {
  return info->kind == HD_PARAM_ARRAY || info->kind == HD_PARAM_POINTER;
}

// What the functions here return when memory runs out: this text itself.
extern const char array_no_memory[];

void array_fini(HostArray *array);
// Zeroed memory for type, element_bytes, rank and extents. NULL, or why not.
const char *array_alloc(HostArray *array);
int64_t array_count(const HostArray *array); // elements

// Reads FILE.npy (format versions 1 to 3, any byte order, C or Fortran order)
// or FILE.png (8 bits: grey H x W, colour H x W x C). NULL on success, else
// what is wrong with the file, from `arena`.
const char *npy_read(Arena *arena, const char *path, HostArray *out);
const char *png_read_file(Arena *arena, const char *path, HostArray *out);
const char *npy_write(Arena *arena, const char *path, const HostArray *array);
const char *png_write_file(Arena *arena, const char *path,
                           const HostArray *array);

// Parses the bytes of an .npy file. For tests and fuzzing too.
const char *npy_parse(Arena *arena, const char *bytes, size_t size_bytes,
                      HostArray *out);
// The bytes of a file that npy_parse reads back; malloc'd, NULL: no memory.
char *npy_format(const HostArray *array, size_t *size_bytes);

// Fills from "zeros", "iota", "full:X", "list:X,Y", "random:SEED". Without data
// only the text is looked at. `lanes` scalars of
// type `lane_type` make an element. NULL, or what is wrong with the text.
const char *array_generate(Arena *arena, HostArray *array, HdType lane_type,
                           int lanes, const char *text);

// Prints as nested brackets; long dimensions show their ends.
void array_print(const char *name, const HostArray *array, HdType lane_type,
                 int lanes);

// "1" "-2" "0x1F" "2.5e3" "true": a scalar argument. False: not a number.
bool scalar_parse(const char *text, bool wants_float, HdArg *out);

#endif
