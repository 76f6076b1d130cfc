// SPDX-License-Identifier: Apache-2.0
// What PTX made for NVIDIA GPUs and the CUDA runtime share: plain structs and
// numbers, no functions. The code generator mirrors these layouts; change both
// together and raise HD_CUDA_ABI_VERSION.
//
// A compiled kernel is one PTX text. Its first lines are comments that say what
// a launch must know, so that the file alone can be assembled, launched, kept
// and passed on:
//
//   // heddle-cuda VERSION
//   // kernel NAME                    for messages
//   // entry NAME                     what PTX calls it
//   // target sm_90a
//   // slots N                        argument slots, as in IrParam
//   // globals N                      addresses behind the hidden slots
//   // block X Y Z                    threads
//   // cluster X Y Z                  0 0 0: none, or left to the launch
//   // shared BYTES DYNAMIC           of a block; DYNAMIC 1: more at launch
//   // flags BITS                     HD_CUDA_FLAG_
//   // workspace FIXED PER_BLOCK      bytes of device memory, zeroed at launch
//   // map NAME PARAM_SLOT RANK ELEMENT SWIZZLE BOX...   one a tensor map, of
//                                     array parameter NAME; innermost box first
//   // loc N TEXT                     places that faults name, by number
//   // text N STRING                  conditions of asserts
//   // end
//
// The kernel's name, places and texts are escaped as \\, \" and \ooo (octal,
// three digits): assemblers want ASCII, and names have no spaces.
//
// There is a workspace if FIXED or PER_BLOCK isn't 0 or the kernel is
// HD_CUDA_FLAG_COOPERATIVE or HD_CUDA_FLAG_TICKET: an HdCudaWorkspace, then
// FIXED bytes, then PER_BLOCK bytes for each block of the grid.
//
// The entry has one parameter of 8-byte words,
//
//   [slots] [HD_CUDA_HIDDEN_ hidden words] [globals]
//
// then one 128-byte, 64-aligned tensor map for each map line, in order. Blocks
// are numbered by the hardware, or from a ticket (HD_CUDA_FLAG_TICKET).
#ifndef HD_ABI_CUDA_H
#define HD_ABI_CUDA_H

#include <assert.h>
#include <stdint.h>

#define HD_CUDA_ABI_VERSION 2

// Words behind the argument slots.
enum {
  HD_CUDA_HIDDEN_FAULT,     // address of an HdCudaFault that the host can read
  HD_CUDA_HIDDEN_WORKSPACE, // address of the workspace; 0 when it has no bytes
  HD_CUDA_HIDDEN_GRID,      // blocks of the grid: x | y << 32
  HD_CUDA_HIDDEN_GRID_Z,
  HD_CUDA_N_HIDDEN
};

enum {
  HD_CUDA_FLAG_COOPERATIVE = 1, // its blocks are resident together
  HD_CUDA_FLAG_TICKET = 2,      // takes its block index from the workspace
  HD_CUDA_FLAG_CLUSTER = 4,     // uses what only clusters have
  HD_CUDA_FLAG_PRINTS = 8,      // output is complete once the host has waited
};

// The first words of the workspace; what the kernel asked for follows.
typedef struct HdCudaWorkspace {
  uint32_t ticket;   // next block
  uint32_t arrivals; // of the grid barrier
  uint32_t release;  // of the grid barrier
  uint32_t reserved[29];
} HdCudaWorkspace;

enum { HD_CUDA_MAX_TILE_RANK = 5 };

// The first thread that fails fills it in and stops the kernel. In memory that
// the host can read while the kernel runs, and after it was lost.
typedef struct HdCudaFault {
  // 0: none, 1: being written, 2: written. Threads that fail while it is 1 wait
  // until it is 2 before they stop the kernel.
  uint32_t state;
  uint32_t kind; // HD_CUDA_FAULT_
  uint32_t loc;  // number of a loc line
  uint32_t text; // number of a text line, or UINT32_MAX
  int32_t block[3];
  int32_t thread;     // linear rank in the block
  uint32_t interrupt; // the host asks kernels that wait to end
  uint32_t n_index;   // of ASSERT_ELEMENT
  int32_t index[HD_CUDA_MAX_TILE_RANK];
  uint32_t reserved;
} HdCudaFault;

enum {
  HD_CUDA_FAULT_TRAP = 1,
  HD_CUDA_FAULT_ASSERT,
  HD_CUDA_FAULT_INTERRUPTED,
  HD_CUDA_FAULT_ASSERT_ELEMENT, // of a tile: `index` says which
};

// ELEMENT of a map line: the numbers of CUtensorMapDataType. SWIZZLE: those of
// CUtensorMapSwizzle.

// PTX has the offsets in it: another layout needs another HD_CUDA_ABI_VERSION.
static_assert(sizeof(HdCudaWorkspace) == 128 && sizeof(HdCudaFault) == 64,
              "the layout of HD_CUDA_ABI_VERSION");

#endif
