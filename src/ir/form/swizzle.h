// SPDX-License-Identifier: Apache-2.0
// Shared arrays whose places are swizzled.
//
// Note [Swizzled places]
// The last two dimensions are cut into panels of columns that are as wide as
// the swizzle, one behind the other; in a panel rows follow each other. Then
// bits 4 to 6 of an element's offset are exclusive-ored with bits 7 to 9 (128
// bytes; 4 and 5 with 7 and 8 for 64, 4 with 7 for 32): so are tiles that TMA
// writes and matrix units read. An element lies within a chunk of 16 bytes,
// which is whole. Only code for GPUs has it so. Elsewhere an array is
// row-major, whatever its layout is, because no program sees places: accesses
// have all indices.
#ifndef HD_IR_FORM_SWIZZLE_H
#define HD_IR_FORM_SWIZZLE_H

#include "ir/form/ir.h"

enum { SWIZZLE_CHUNK_BYTES = 16, SWIZZLE_ROWS = 8 };

// 32, 64 or 128; 0: row-major.
uint32_t ir_layout_bytes(IrLayoutKind layout);
uint32_t ir_swizzle_bytes(const IrObject *object);
// What the array's address is a multiple of, or 1.
uint64_t ir_swizzle_align(const IrObject *object);
// Bytes of a row, or 0: only the launch knows.
uint64_t ir_row_bytes(const IrObject *object);
// Why a swizzle of so many bytes can't be the layout of the object, or NULL.
const char *ir_swizzle_problem(const IrObject *object, uint32_t bytes);
// The access has not all indices, or may go beyond the element that they say.
bool ir_leaves_element(const IrModule *module, const IrAccess *access);

#endif
