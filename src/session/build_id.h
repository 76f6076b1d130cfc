// SPDX-License-Identifier: Apache-2.0
// Which build of Heddle this is, so that code made by another is not reused.
#ifndef HD_SESSION_BUILD_ID_H
#define HD_SESSION_BUILD_ID_H

#include "base/arena.h"

// The linker's build id of the object that holds this function as hexadecimal
// text; without one, the size and time of its file.
const char *build_id_text(Arena *arena);

#endif
