// SPDX-License-Identifier: Apache-2.0
// Arrays for people: nested brackets, the ends of long dimensions.
#include "cli/array.h"
#include "cli/scalar.h"

#include <inttypes.h>
#include <stdio.h>

enum { LONG_ARRAY = 1000, EDGE = 3 };

typedef struct {
  const HostArray *array;
  HdType type;
  int lanes;
  bool is_short; // print everything
} Printer;

static void print_scalar(const Printer *p, const char *at) {
  HdArg value = scalar_load(p->type, at);
  if (value.kind == HD_ARG_FLOAT)
    printf("%.*g",
           p->type == HD_F64   ? 17
           : p->type == HD_F32 ? 9
                               : 5,
           value.real);
  else if (p->type == HD_BOOL)
    fputs(value.integer ? "true" : "false", stdout);
  else if (value.kind == HD_ARG_UINT)
    printf("%" PRIu64, (uint64_t)value.integer);
  else
    printf("%" PRId64, value.integer);
}

static void print_element(const Printer *p, const char *at) {
  if (p->type == HD_STRUCT) { // opaque: its bytes
    for (size_t i = 0; i < p->array->element_bytes; i++)
      printf("%02x", (unsigned char)at[i]);
    return;
  }
  if (p->lanes > 1)
    putchar('(');
  for (int lane = 0; lane < p->lanes; lane++) {
    fputs(lane ? " " : "", stdout);
    print_scalar(p, at + (size_t)lane * hd_type_size(p->type));
  }
  if (p->lanes > 1)
    putchar(')');
}

static void print_separator(bool is_last, int depth) {
  if (is_last)
    putchar(' ');
  else
    printf("\n%*s", depth, "");
}

static void print_dimension(const Printer *p, int dimension, int64_t first) {
  if (dimension == p->array->rank) {
    print_element(p, p->array->data + (size_t)first * p->array->element_bytes);
    return;
  }
  int64_t extent = p->array->extents[dimension];
  bool is_last = dimension + 1 == p->array->rank;
  putchar('[');
  for (int64_t i = 0; i < extent; i++) {
    if (i > 0)
      print_separator(is_last, dimension + 1);
    if (!p->is_short && extent > 2 * EDGE && i == EDGE) {
      fputs("...", stdout);
      i = extent - EDGE - 1;
      continue;
    }
    print_dimension(p, dimension + 1, first * extent + i);
  }
  putchar(']');
}

// Index of the first element of row i is row * extent + i at every level, so
// `first` counts rows of the dimension above.
void array_print(const char *name, const HostArray *array, HdType lane_type,
                 int lanes) {
  Printer printer = {array, lane_type, lanes, array_count(array) <= LONG_ARRAY};
  printf("%s = ", name);
  print_dimension(&printer, 0, 0);
  putchar('\n');
}
