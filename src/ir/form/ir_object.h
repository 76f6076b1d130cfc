// SPDX-License-Identifier: Apache-2.0
// Groups of threads and objects in memory: what nodes name.
#ifndef HD_IR_FORM_IR_OBJECT_H
#define HD_IR_FORM_IR_OBJECT_H

#include "ir/form/ir_type.h"

#include <stdbool.h>
#include <stdint.h>

// --------------------------------------------------------------- groups

typedef enum {

#define IR_GROUP(id, text) GROUP_##id,
#include "ir/groups.def"
#undef IR_GROUP
  GROUP_KIND_COUNT
} IrGroupKind;

#define SIZE_UNKNOWN (-1)

// One row of a kernel's group table. Row 0 is the grid, 1 the cluster, 2 the
// block. A row is made once per place in the program, inlined calls included.
typedef struct IrGroup {
  uint32_t id;
  IrGroupKind kind;
  struct IrGroup *parent; // NULL for the grid
  const char *name;       // for messages: "block", "thread_group(0, 16)", "g"
  int64_t size;           // threads, or SIZE_UNKNOWN
  int64_t begin;          // rank of its first thread in the parent, if constant
  int64_t instances;      // parts of this kind in one parent, if constant
  // The power of two that divides the block rank of its first thread, at
  // least (32: starts a warp). 1 when nothing is known.
  uint32_t alignment;
  // group, thread_for or make_group node; NULL: implicit. A group that a
  // make_group makes is used only where that node's value could be (structural
  // dominance), and anew at each execution of it.
  struct IrNode *maker;
  // Of whole_warp() and whole_partition(), until ir_decide_whole.
  bool is_whole;
} IrGroup;

// --------------------------------------------------------------- objects

typedef enum {
  OBJECT_ARRAY,
  OBJECT_MBARRIER,
  OBJECT_PIPELINE,
} IrObjectKind;

typedef enum {
  LAYOUT_UNDECIDED, // the compiler's choice, before code generation
  LAYOUT_ROW_MAJOR,
  LAYOUT_SWIZZLE32,
  LAYOUT_SWIZZLE64,
  LAYOUT_SWIZZLE128,
  LAYOUT_LINEAR, // linear_map: bit i of the address is parity(index & map[i])
} IrLayoutKind;

// Facts about an array argument that may select a variant (and no others).
typedef enum {
  FACT_ALIGNED16 = 1, // base address is a multiple of 16 bytes
  FACT_STRIDE16 = 2,  // inner extent and strides are multiples of 16 bytes
  FACT_DENSE = 4,     // row-major without gaps
  FACT_SMALL = 8,     // fewer than 2^31 elements between first and last
  FACT_LONG = 16,     // told of plain pointers: 16 MiB or more
} IrArrayFact;

#define FACTS_BITS 5
#define FACTS_ALL  ((1u << FACTS_BITS) - 1)

#define IR_MAX_RANK 8

typedef struct {
  uint64_t begin, end;
} IrHole;

typedef struct IrObject {
  uint32_t id;
  IrObjectKind kind;
  const char *name;
  IrSpace space;
  IrType element;         // scalar, short vector or struct
  uint32_t element_bytes; // distance of neighbours where dense
  uint8_t rank;           // 0: a single element
  bool is_const;          // read-only array parameter
  bool loses_const;       // a cast takes it away, and it is written
  bool decides_turns;     // a loop counts on it that its elements don't change
  bool is_plain_pointer;  // `T *p`: unknown extent, may alias others like it
  bool is_restrict;       // plain pointer that aliases nothing
  bool has_strides;       // strides given, else dense and row-major
  bool is_table;          // several arrays: dimension 0 says which
  bool address_taken;     // decays to a pointer somewhere: layout is row-major
  bool is_cluster_shared; // lives in the block of cluster rank 0
  bool is_uninitialised_ok;
  bool is_tensor;     // shared: 128 lanes of tensor memory instead
  bool was_tensor;    // it was, before tiles were lowered; not in IR text
  bool is_scratch;    // of the compiler: not counted as the program's memory
  bool marks_barrier; // of ir_track_inits: elements of the mbarrier of its name
  bool is_signed; // of file scope: the host reads elements as signed integers
  bool may_be_overwritten; // constant: a host may have replaced what is initial
  IrHost *extents[IR_MAX_RANK]; // elements; NULL where unknown
  IrHost *strides[IR_MAX_RANK]; // elements
  uint32_t align_bytes;
  uint32_t alias_class; // objects of one class may overlap; 0: with none
  uint32_t facts;       // IrArrayFact bits that this variant assumes
  int32_t param;        // kernel parameter that binds it, or -1
  // Shared: one instance for each part of `group` that runs `lifetime`.
  IrGroup *group;
  struct IrNode *lifetime; // innermost region node; NULL: the whole kernel
  IrLayoutKind layout;
  uint64_t *linear_map; // LAYOUT_LINEAR
  uint8_t n_map_bits;
  uint32_t arrivals;   // OBJECT_MBARRIER: count in the type
  const void *initial; // constant and global objects: bytes, or NULL for zeros
  uint64_t initial_bytes;
  // Shared arrays: bytes from the start that the program must not touch, in
  // order: in CUDA its mbarriers lie there. For the checker.
  hd_vec(IrHole) holes;
  IrLocId loc;
} IrObject;

#endif
