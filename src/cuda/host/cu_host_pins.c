// SPDX-License-Identifier: Apache-2.0
// `case 512:`, `if (threads == 512)`: what must hold where a launch is made
// says what its sizes are. Such a launch is never made with others, whatever
// the variable got before.
#include "cuda/host/cu_host.h"

#include "cuda/host/cx_guards.h"

enum { MOST_DEPTH = 16 };

static bool host_pins_read_place(const CxExpr *expr, CuHostPin *out) {
  if (expr->kind == CX_EXPR_MEMBER && !expr->u.member.is_arrow) {
    out->member = expr->u.member.name->parts[0].name;
    expr = expr->u.member.base;
  }
  out->name = cu_host_name(expr);
  return out->name;
}

static void add_equal(CuHostReader *reader, const CxExpr *place,
                      const CxExpr *value) {
  CuHostPin pin = {.value = NULL};
  if (!host_pins_read_place(place, &pin)) {
    pin = (CuHostPin){.term = cu_host_term(reader, place)};
    if (!pin.term || pin.term->kind == CU_HOST_NUMBER)
      return;
  }
  pin.value = cu_host_term(reader, value);
  if (pin.value && pin.value->kind == CU_HOST_NUMBER)
    VEC_PUSH(reader->cu->arena, &reader->pins, pin);
}

static void host_pins_add_condition(CuHostReader *reader, const CxExpr *expr,
                                    bool is_false, uint32_t depth) {
  if (depth > MOST_DEPTH)
    return;
  if (expr->kind == CX_EXPR_UNARY && expr->u.unary.op == UNARY_NOT)
    host_pins_add_condition(reader, expr->u.unary.operand, !is_false,
                            depth + 1);
  if (expr->kind != CX_EXPR_BINARY)
    return;
  BinaryOp op = expr->u.binary.op;
  const CxExpr *left = expr->u.binary.left, *right = expr->u.binary.right;
  if (op == (is_false ? BINARY_NE : BINARY_EQ)) {
    add_equal(reader, left, right);
    add_equal(reader, right, left);
  } else if (op == (is_false ? BINARY_LOG_OR : BINARY_LOG_AND)) {
    host_pins_add_condition(reader, left, is_false, depth + 1);
    host_pins_add_condition(reader, right, is_false, depth + 1);
  }
}

void cu_host_find_pins(CuHostReader *reader) {
  const CxLaunch *launch = reader->launch;
  CxGuards guards = {0};
  if (reader->has_pins)
    return;
  cx_find_guards(reader->cu->tree, launch->function, launch->at, &guards);
  for (uint32_t i = 0; i < guards.count; i++) {
    const CxGuard *guard = &guards.data[i];
    const CxExpr *expr =
        guard->counter ? NULL : cu_host_parse(reader, guard->condition);
    const CxExpr *label = cu_host_parse(reader, guard->label);
    if (expr && label)
      add_equal(reader, expr, label);
    else if (expr && guard->label.begin == guard->label.end)
      host_pins_add_condition(reader, expr, guard->is_false, 0);
  }
  reader->has_pins = true;
}

const CuHost *cu_host_pinned(const CuHostReader *reader, const char *name,
                             const char *member) {
  for (uint32_t i = 0; i < reader->pins.count && reader->is_size; i++) {
    const CuHostPin *pin = &reader->pins.data[i];
    if (!pin->term && pin->name == name && pin->member == member)
      return cu_host_symbol(reader, name, member) ? pin->value : NULL;
  }
  return NULL;
}

// if (n / m == 64) k<<<g, n / m>>>(…)
void cu_host_pin_dims(CuHostReader *reader, const CuHost *dims[3]) {
  for (uint32_t i = 0; i < reader->pins.count; i++)
    for (int k = 0; k < 3; k++)
      if (reader->pins.data[i].term && dims[k] &&
          cu_host_equal(reader->pins.data[i].term, dims[k]))
        dims[k] = reader->pins.data[i].value;
}
