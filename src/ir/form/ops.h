// SPDX-License-Identifier: Apache-2.0
// Operations, as ops.def lists them, and their families.
#ifndef HD_IR_FORM_OPS_H
#define HD_IR_FORM_OPS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {

#define OP(family, id, ...) IR_##id,
#include "ir/ops.def"
#undef OP
  IR_OP_COUNT
} IrOp;

typedef enum {

#define FAMILY(id, name, doc) FAMILY_##id,
#include "ir/families.def"
#undef FAMILY
  FAMILY_COUNT
} IrFamily;

typedef enum { PROXY_NONE, PROXY_GENERIC, PROXY_ASYNC } IrProxy;

typedef enum {
  FORM_PLAIN,
  FORM_CONST,
  FORM_VAR,
  FORM_INDEX,
  FORM_GROUP,
  FORM_ACCESS,
  FORM_TEXT,
  FORM_LOOP,
  FORM_PART,
  FORM_EXIT,
  FORM_COLLECTIVE,
  FORM_BARRIER,
  FORM_COPY,
  FORM_TILE,
  FORM_SECTION,
} IrForm;

// What the executing group must be.
typedef enum {
  NEED_NONE,       // any thread, convergent or not
  NEED_GROUP,      // all threads of its group together
  NEED_SINGLE,     // exactly one thread
  NEED_WARP,       // an aligned group of 32
  NEED_WARPGROUP,  // 128 threads, begin a multiple of 128
  NEED_WARPGROUPS, // whole ones of these
  NEED_SINGLE_OR_WARP,
  NEED_AT_LEAST_16,
} IrNeed;

enum {                   // flags column
  OPF_PURE = 1,          // no effect: may be removed, duplicated, hoisted
  OPF_COLLECTIVE = 2,    // all threads of the group must reach it together
  OPF_CHECKS = 4,        // of programs that are checked: no back end has it
  OPF_REGION = 8,        // has regions
  OPF_EXIT = 16,         // control does not go on after it
  OPF_BLOCKS = 32,       // a thread may have to wait here
  OPF_CANNOT_VARY = 128, // structure: group statements and the like must be
                         // reached by all threads of the current group
  OPF_ALIKE = 256,       // all threads of the group have the same result,
  OPF_ABOVE_TILES = 512, // a pass takes it away: not at the level tiles
};

enum { MEM_NONE = 0, MEM_READ = 1, MEM_WRITE = 2, MEM_ORDER = 4 };

typedef enum {
  EVENT_NONE,
  EVENT_GROUP_BARRIER,
  EVENT_MBARRIER,
  EVENT_TOKEN,
  EVENT_COPY,
  EVENT_SEMAPHORE,
} IrEvent;

typedef struct {
  IrFamily family;
  const char *text; // mnemonic in IR text
  const char *args; // operand classes, see ops.def
  const char *result;
  IrForm form;
  IrNeed need;
  uint32_t flags, memory;
  IrProxy proxy;
  IrEvent waits, signals;
  const char *doc;
} IrOpInfo;

extern const IrOpInfo ir_op_table[IR_OP_COUNT];

// --- the operations of a family. A switch over one of these types has no
// default: the compiler names each row that it leaves out.

typedef enum {

#define OP_VALUE(id, ...) VALUE_##id = IR_##id,
#include "ir/ops.def"
} IrValueOp;

typedef enum {

#define OP_ARITHMETIC(id, ...) ARITHMETIC_##id = IR_##id,
#include "ir/ops.def"
} IrArithmeticOp;

typedef enum {

#define OP_COMPARE(id, ...) COMPARE_##id = IR_##id,
#include "ir/ops.def"
} IrCompareOp;

typedef enum {

#define OP_CONVERT(id, ...) CONVERT_##id = IR_##id,
#include "ir/ops.def"
} IrConvertOp;

typedef enum {

#define OP_MATH(id, ...) MATH_##id = IR_##id,
#include "ir/ops.def"
} IrMathOp;

typedef enum {

#define OP_POSITION(id, ...) POSITION_##id = IR_##id,
#include "ir/ops.def"
} IrPositionOp;

typedef enum {

#define OP_MEMORY(id, ...) MEMORY_##id = IR_##id,
#include "ir/ops.def"
} IrMemoryOp;

typedef enum {

#define OP_SYNC(id, ...) SYNC_##id = IR_##id,
#include "ir/ops.def"
} IrSyncOp;

typedef enum {

#define OP_EXCHANGE(id, ...) EXCHANGE_##id = IR_##id,
#include "ir/ops.def"
} IrExchangeOp;

typedef enum {

#define OP_REDUCE(id, ...) REDUCE_##id = IR_##id,
#include "ir/ops.def"
} IrReduceOp;

typedef enum {

#define OP_MBARRIER(id, ...) MBARRIER_##id = IR_##id,
#include "ir/ops.def"
} IrMbarrierOp;

typedef enum {

#define OP_COPY(id, ...) COPY_##id = IR_##id,
#include "ir/ops.def"
} IrCopyOp;

typedef enum {

#define OP_CLAIM(id, ...) CLAIM_##id = IR_##id,
#include "ir/ops.def"
} IrClaimOp;

typedef enum {

#define OP_EFFECT(id, ...) EFFECT_##id = IR_##id,
#include "ir/ops.def"
} IrEffectOp;

typedef enum {

#define OP_CONTROL(id, ...) CONTROL_##id = IR_##id,
#include "ir/ops.def"
} IrControlOp;

typedef enum {

#define OP_TILE(id, ...) id = IR_##id,
#include "ir/ops.def"
} IrTileOp;

static inline IrValueOp ir_value_op(IrOp op) {
  return (IrValueOp)op;
}

static inline IrArithmeticOp ir_arithmetic_op(IrOp op) {
  return (IrArithmeticOp)op;
}

static inline IrCompareOp ir_compare_op(IrOp op) {
  return (IrCompareOp)op;
}

static inline IrConvertOp ir_convert_op(IrOp op) {
  return (IrConvertOp)op;
}

static inline IrMathOp ir_math_op(IrOp op) {
  return (IrMathOp)op;
}

static inline IrPositionOp ir_position_op(IrOp op) {
  return (IrPositionOp)op;
}

static inline IrMemoryOp ir_memory_op(IrOp op) {
  return (IrMemoryOp)op;
}

static inline IrSyncOp ir_sync_op(IrOp op) {
  return (IrSyncOp)op;
}

static inline IrExchangeOp ir_exchange_op(IrOp op) {
  return (IrExchangeOp)op;
}

static inline IrReduceOp ir_reduce_op(IrOp op) {
  return (IrReduceOp)op;
}

static inline IrMbarrierOp ir_mbarrier_op(IrOp op) {
  return (IrMbarrierOp)op;
}

static inline IrCopyOp ir_copy_op(IrOp op) {
  return (IrCopyOp)op;
}

static inline IrClaimOp ir_claim_op(IrOp op) {
  return (IrClaimOp)op;
}

static inline IrEffectOp ir_effect_op(IrOp op) {
  return (IrEffectOp)op;
}

static inline IrControlOp ir_control_op(IrOp op) {
  return (IrControlOp)op;
}

static inline IrTileOp ir_tile_op(IrOp op) {
  return (IrTileOp)op;
}

// Quotients and remainders of integers.
static inline bool ir_divides(IrOp op) {
  return op == IR_SDIV || op == IR_UDIV || op == IR_SREM || op == IR_UREM;
}

// A value of other threads, not a fact about them: shuffles and broadcast.
static inline bool ir_is_shuffle(IrOp op) {
  const IrOpInfo *info = &ir_op_table[op];
  return info->family == FAMILY_EXCHANGE && info->result[0] == '=';
}

// Waits for a phase of an mbarrier.
static inline bool ir_waits_phase(IrOp op) {
  const IrOpInfo *info = &ir_op_table[op];
  return info->family == FAMILY_MBARRIER && info->flags & OPF_BLOCKS;
}

// Says whether a phase of an mbarrier has completed.
static inline bool ir_asks_phase(IrOp op) {
  const IrOpInfo *info = &ir_op_table[op];
  return info->waits == EVENT_MBARRIER && !(info->flags & OPF_BLOCKS);
}

// All threads of the group have arrived before one goes on, in one operation.
static inline bool ir_is_barrier(IrOp op) {
  const IrOpInfo *info = &ir_op_table[op];
  return info->signals == EVENT_GROUP_BARRIER && info->flags & OPF_BLOCKS;
}

#endif
