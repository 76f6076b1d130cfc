// SPDX-License-Identifier: Apache-2.0
// The order engine as the rest of the checker sees it, with or without isl.
#ifndef HD_CHECK_ORDER_ORDER_H
#define HD_CHECK_ORDER_ORDER_H

#include "check/report/finding.h"

// Built with isl only. `has_barriers`: mbarriers, else only copies and fences.
Order *isl_order_new(Check *check, bool has_barriers);
void isl_order_free(Order *order);
// Adds suspects of writes that aren't fenced.
void isl_order_fences(Order *order);

#endif
