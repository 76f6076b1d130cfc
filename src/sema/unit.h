// SPDX-License-Identifier: Apache-2.0
// The file scope of a unit.
#ifndef HD_SEMA_UNIT_H
#define HD_SEMA_UNIT_H

#include "sema/context.h"

// Declares everything at file scope, once a unit; errors there are reported
// then. Makes it the context's current unit.
Unit *unit_prepare(SemaContext *cx, const AstUnit *ast);

#endif
