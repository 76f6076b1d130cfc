// SPDX-License-Identifier: Apache-2.0
// What one program may hold. Beyond a limit there is one clear error; below
// it, every pass may recurse over the tree.
#ifndef HD_SYNTAX_LIMITS_H
#define HD_SYNTAX_LIMITS_H

enum {
  // Bytes of one source file, and of the preprocessor's output.
  SYNTAX_MAX_SOURCE_BYTES = 64 * 1024 * 1024,
  // Brackets, statements and declarators inside one another.
  SYNTAX_MAX_NESTING = 256,
  // Depth of an expression's tree; long chains such as a + a + … count.
  SYNTAX_MAX_EXPR_DEPTH = 1000,
  // Nodes of one unit's tree.
  SYNTAX_MAX_NODES = 4 * 1000 * 1000,
};

#endif
