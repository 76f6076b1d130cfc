// SPDX-License-Identifier: Apache-2.0
// Layouts that are asked for by name: blocks, fragments of matrix units, shared
// memory as TMA writes it.
//
// Each function gives NULL and the layout, which is complete, or why the tile,
// its type or its group don't fit, and which bits of an index, lane or warp
// don't: words after "'NAME' can't be the layout of this tile: ", in memory of
// the arena. Then *out is unspecified. The tile must be one without a problem
// (layout_tile_problem).
//
// Threads that are too many hold copies, unless it says otherwise.
#ifndef HD_TILE_LAYOUT_LAYOUT_MAKE_H
#define HD_TILE_LAYOUT_LAYOUT_MAKE_H

#include "tile/layout/layout_form.h"

// ------------------------------------------------------------ blocks of bits

// A thread has per_thread[i] neighbours along axis i, a power of two. Lanes,
// then warps, go along the last axis first; what is left over is repeated in
// further registers.
const char *layout_blocked(Arena *arena, const LayoutTile *tile,
                           const uint32_t per_thread[LAYOUT_MAX_RANK],
                           TileLayout *out);

// What the bits of a place add to an index, from low to high.
typedef struct {
  uint32_t n;
  TileIndex offsets[BIT_MAP_MAX];
  int odd_axis; // counted by its last digit, or -1
} LayoutBits;

// The tile as bits say. Lanes and warps must be those of the group; odd
// factors that no place counts, and indices that none reaches, don't fit.
const char *layout_of_bits(Arena *arena, const LayoutTile *tile,
                           const LayoutBits bits[N_PLACES], TileLayout *out);

// ----------------------------------------------------------------- fragments

// Operands A[M][K], B[K][N] and the sums C[M][N] of a product.
typedef enum { OPERAND_A, OPERAND_B, OPERAND_C } MatrixOperand;

// How many warps share the rows and the columns of C. Warp w has row part
// w % rows. {0, 0}: as many as fit along the rows, others along the columns;
// of B, which C's rows don't show: copies.
typedef struct {
  uint32_t rows, columns;
} WarpGrid;

// Fragments of mma.sync: m16n8k4 to m16n8k256 as the type and the tile have it,
// m8n8k4 to m8n8k128 where a tile has 8 rows. Element types by their bits:
// 1, 4, 8, 16, 32 (tf32) or 64 for A and B, 16, 32 or 64 for C. Registers are
// in the instruction's order, then further instructions along the last axis,
// then along the first.
const char *layout_mma(Arena *arena, MatrixOperand operand,
                       const LayoutTile *tile, WarpGrid grid, TileLayout *out);

// Register operands of wgmma: A[64 n][K] (1, 8, 16 or 32 bits) and the sums
// C[64 n][8 m], held by whole warpgroups.
const char *layout_wgmma(Arena *arena, MatrixOperand operand,
                         const LayoutTile *tile, TileLayout *out);

// Matrices of 16 bytes a row that ldmatrix or stmatrix move between shared
// memory and registers. Lane i gives the address of row i of the tile, whose
// matrices stand one above the other.
typedef enum {
  MATRIX_B16,         // m8n8.b16, both
  MATRIX_B16_TRANS,   // m8n8.trans.b16, both
  MATRIX_LD_B8_TRANS, // ldmatrix.m16n16.trans.b8, b8x16
  MATRIX_LD_B8X16,    // ldmatrix.m8n16.b8x16: 4 and 6 bits become bytes
  MATRIX_ST_B8_TRANS, // stmatrix.m16n8.trans.b8
  N_MATRIX_FORMS
} MatrixForm;

// The tile is [rows of all matrices][16 bytes], held by one warp.
const char *layout_matrices(Arena *arena, MatrixForm form,
                            const LayoutTile *tile, TileLayout *out);

// Shapes of tcgen05.ld and tcgen05.st.
typedef enum { TMEM_32X32B, TMEM_16X64B, TMEM_16X128B, TMEM_16X256B } TmemShape;

// A tile of tensor memory [lanes][columns of 32 bits, packed], moved by the
// four warps of a warpgroup: of 128 lanes, but for 32x32b also of 64, of which
// each warp has 16. An instruction moves the columns first.
const char *layout_tmem(Arena *arena, TmemShape shape, const LayoutTile *tile,
                        TileLayout *out);

// ------------------------------------------------------------- shared memory

// The tile in shared memory: offsets to indices. swizzle_bytes is 0 (row-major)
// or 32, 64 or 128: as a TMA copy with this swizzle writes it to a multiple of
// 8 times that. The last two axes are cut into panels whose rows have that
// many bytes; bits 4 to 6 of a byte's address are exclusive-ored with bits 7 to
// 9, as many as the swizzle has. Rows that are narrower don't fit.
const char *layout_shared(Arena *arena, const LayoutTile *tile,
                          uint32_t swizzle_bytes, TileLayout *out);

#endif
