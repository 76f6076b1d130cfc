// SPDX-License-Identifier: Apache-2.0
// What has ended before a touch begins, for memory. Relations are the caller's;
// far ones need order_see before.
#ifndef HD_CHECK_ORDER_ISL_ORDER_DONE_H
#define HD_CHECK_ORDER_ISL_ORDER_DONE_H

#include "check/order/isl_order.h"

// Of a copy that lands in several blocks, the block that is looked at.
enum { ORDER_ALL_BLOCKS = -1 };

isl_union_map *order_no_pairs(const Order *order);
// Strictly before, in one thread.
isl_union_map *order_of_thread(const Order *order, const OrderEvent *a,
                               const OrderEvent *b);
bool order_is_async(const Step *step);
// The copy's part in a barrier's phase; NULL: none.
const OrderUse *order_landing(const Order *order, const Step *step);
// Nodes that follow the end of the touch: event -> node.
isl_union_map *order_after(Order *order, OrderTouch *touch, int block,
                           OrderReach reach);
// Nodes that the thread awaited before the touch: node -> event.
isl_union_map *order_awaited(Order *order, OrderTouch *touch);
// a has ended before b starts: event -> event.
isl_union_map *order_before(Order *order, OrderTouch *a, int block,
                            OrderTouch *b, OrderReach reach);
isl_union_map *order_before_event(Order *order, OrderTouch *a,
                                  const OrderEvent *b, OrderReach reach);

#endif
