// SPDX-License-Identifier: Apache-2.0
// Elements as other types: tile_cast by their values, tile_bitcast by their
// bits.
#include "interp/eval.h"
#include "interp/tile.h"
#include "ir/form/cast.h"
#include <string.h>

bool tile_cast(Machine *m, Thread *t, const Insn *insn) {
  IrCast cast = ir_cast_of(m->program->kernel->module, insn->node);
  uint32_t from_size = machine_kind_bytes[cast.from.kind];
  uint32_t to_size = machine_kind_bytes[cast.to.kind];
  TileValue *to = tile_new(m, t, insn->node, insn->node->type);
  TileValue *from = to ? tile_operand(m, t, insn, 0) : NULL;
  if (!from) {
    tile_release(m, to);
    return false;
  }
  for (uint64_t i = 0; i < to->size_bytes / to_size; i++) {
    uint64_t bits = machine_read(from->bytes + i * from_size, cast.from.kind);
    machine_write(to->bytes + i * to_size, cast.to.kind,
                  ir_cast_bits(&cast, bits));
  }
  tile_release(m, from);
  return tile_give(m, t, insn, to);
}

// Elements are a stream of bits, little endian.
typedef struct {
  const char *bytes;
  uint32_t element_bytes, width;
  uint8_t kind;
} Bits;

static uint64_t tile_cast_bits_at(const Bits *from, uint64_t at,
                                  uint32_t count) {
  uint64_t value = 0;
  for (uint32_t have = 0; have < count;) {
    uint64_t element = (at + have) / from->width;
    uint32_t offset = (uint32_t)((at + have) % from->width);
    uint64_t bits =
        machine_read(from->bytes + element * from->element_bytes, from->kind);
    value |= bits >> offset << have;
    have += from->width - offset;
  }
  return value & eval_mask(count);
}

// tf32 has no low bits.
static uint64_t tile_cast_kept(IrType type, uint64_t bits) {
  return type.kind == IR_TYPE_TF32 ? bits & ~UINT64_C(0x1fff) : bits;
}

void tile_regroup(TileValue *to, IrType to_type, const TileValue *from,
                  IrType from_type) {
  uint32_t size = machine_kind_bytes[to_type.kind];
  uint32_t width = ir_type_bits(to_type);
  Bits bits = {from->bytes, machine_kind_bytes[from_type.kind],
               ir_type_bits(from_type), from_type.kind};
  for (uint64_t i = 0; i < to->size_bytes / size; i++)
    machine_write(
        to->bytes + i * size, to_type.kind,
        tile_cast_kept(to_type, tile_cast_bits_at(&bits, i * width, width)));
}
