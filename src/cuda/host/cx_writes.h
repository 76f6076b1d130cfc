// SPDX-License-Identifier: Apache-2.0
// What variables of host functions got last, by the tokens of their bodies.
#ifndef HD_CUDA_HOST_CX_WRITES_H
#define HD_CUDA_HOST_CX_WRITES_H

#include "cxx/cx_ast.h"

enum { CX_MOST_MEMBERS = 6 };

// A variable, or a member of one: `block`, `block.x`, `config.gridDim.x`. All
// names are interned.
typedef struct {
  const char *name;
  const char *members[CX_MOST_MEMBERS];
  uint32_t n_members;
  bool is_first; // in the first turn of loops: what later ones do doesn't count
} CxPlace;

typedef struct {
  enum {
    CX_WRITE_NONE, // it has what its declaration gave it
    CX_WRITE_VALUE,
    CX_WRITE_OTHER, // `+=`, its address, in a branch, …
  } kind;

  uint32_t n_members; // of the place's that were written
  CxTokens value;
  uint32_t at; // where it stands
} CxWrite;

// What the place, whose variable is declared at `from` (0: a parameter), got
// last before `at`, whichever way led there. Launches that take the address of
// a variable leave it as it is.
CxWrite cx_last_write(const CxUnit *unit, const CxDecl *function,
                      const CxPlace *place, uint32_t from, uint32_t at);

// The same where the last change stands in a branch: `if (n % 32) x++;` or
// `if (n < 64) x = 64; else x = n;`. Branches with more in front of the change
// are none.
typedef enum {
  CX_ARM_NONE,  // it keeps what it had
  CX_ARM_VALUE, // = value
  CX_ARM_ADDED, // += value
  CX_ARM_RAISED // ++
} CxArmKind;

typedef struct {
  CxArmKind kind;
  CxTokens value;
} CxArm;

typedef struct {
  CxTokens place, condition;
  CxArm yes, no;
  uint32_t at; // the `if`: all of it is read there
} CxBranch;

// False: it isn't such a change.
bool cx_last_branch(const CxUnit *unit, const CxDecl *function,
                    const CxPlace *place, uint32_t from, uint32_t at,
                    CxBranch *out);

// What stands at `pos` changes the place, something around it or in it.
bool cx_writes_place(const struct CxParser *cx, const CxPlace *place,
                     uint32_t pos);
// A statement of a block that `at` stands in, too.
bool cx_is_always_done(const CxUnit *unit, uint32_t statement, uint32_t at);
// A call before `at` knows where it is: what is called later may write a value
// of its own.
bool cx_is_known_elsewhere(const CxUnit *unit, const CxDecl *function,
                           const CxPlace *place, uint32_t at);

// The variable, or member, holds at `at` what it held at `from`, also in all
// turns of loops that begin between them.
bool cx_is_unchanged(const CxUnit *unit, const CxDecl *function,
                     const CxPlace *place, uint32_t from, uint32_t at);

// No block that is open at token `from` ends before `at`.
bool cx_is_inside(const CxUnit *unit, uint32_t from, uint32_t at);

#endif
