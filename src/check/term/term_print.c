// SPDX-License-Identifier: Apache-2.0
// Terms as C expressions.
#include "check/term/term_table.h"
#include <inttypes.h>

// Terms share parts, their text doesn't.
#define MAX_LENGTH 2000

// How tightly the surroundings bind.
typedef enum { BIND_ANY, BIND_OR, BIND_AND, BIND_SUM, BIND_FACTOR } Binding;

static void check_term_print(const Term *term, Binding binding, Text *out);

static void open_if(bool condition, const char *paren, Text *out) {
  if (condition)
    text_add(out, paren);
}

static void print_magnitude(const TermPart *part, Text *out) {
  int64_t c = part->coefficient;
  uint64_t size = c < 0 ? 0 - (uint64_t)c : (uint64_t)c;
  if (size != 1)
    text_printf(out, "%" PRIu64 " * ", size);
  check_term_print(part->atom, BIND_FACTOR, out);
}

// The parts with this sign, and the number if it has it; "0" for none.
static void print_side(const SumView *view, int sign, Text *out) {
  bool is_first = true;
  for (uint32_t i = 0; i < view->n; i++) {
    if ((view->parts[i].coefficient < 0) != (sign < 0))
      continue;
    open_if(!is_first, " + ", out);
    print_magnitude(&view->parts[i], out);
    is_first = false;
  }
  int64_t number = view->number;
  if (number != 0 && (number < 0) == (sign < 0)) {
    open_if(!is_first, " + ", out);
    text_printf(out, "%" PRIu64,
                number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
  } else if (is_first) {
    text_add(out, "0");
  }
}

static void print_sum(const Term *term, Text *out) {
  for (uint32_t i = 0; i < term->n_parts; i++) {
    bool is_negative = term->parts[i].coefficient < 0;
    if (i == 0)
      open_if(is_negative, "-", out);
    else
      text_add(out, is_negative ? " - " : " + ");
    print_magnitude(&term->parts[i], out);
  }
  if (term->n_parts == 0)
    text_printf(out, "%" PRId64, term->number);
  else if (term->number)
    text_printf(out, " %c %" PRIu64, term->number < 0 ? '-' : '+',
                term->number < 0 ? 0 - (uint64_t)term->number
                                 : (uint64_t)term->number);
}

// sum <= 0 or sum == 0 with what is negative on the other side; the strict form
// where it saves the 1.
static void print_comparison(const Term *sum, const char *operation,
                             bool may_be_strict, Text *out) {
  SumView view;
  term_sum_view(sum, &view);
  bool is_turned = true;
  for (uint32_t i = 0; i < view.n; i++)
    is_turned = is_turned && view.parts[i].coefficient < 0;
  if (may_be_strict && view.number == 1) {
    view.number = 0;
    operation = is_turned ? " > " : " < ";
  } else if (may_be_strict) {
    operation = is_turned ? " >= " : " <= ";
  }
  print_side(&view, is_turned ? -1 : 1, out);
  text_add(out, operation);
  print_side(&view, is_turned ? 1 : -1, out);
}

static void print_list(const Term *term, const char *separator, Binding binding,
                       Text *out) {
  for (uint32_t i = 0; i < term->n_args; i++) {
    open_if(i > 0, separator, out);
    check_term_print(term->args[i], binding, out);
  }
}

static void print_call(const char *name, const Term *term, Text *out) {
  text_printf(out, "%s(", name);
  print_list(term, ", ", BIND_ANY, out);
  text_add_char(out, ')');
}

static void print_operation(const Term *term, const char *operation,
                            Binding outer, Text *out) {
  open_if(outer >= BIND_SUM, "(", out);
  print_list(term, operation, BIND_FACTOR, out);
  open_if(outer >= BIND_SUM, ")", out);
}

static void print_junction(const Term *term, const char *operation,
                           Binding outer, Binding own, Text *out) {
  open_if(outer >= own, "(", out);
  print_list(term, operation, own, out);
  open_if(outer >= own, ")", out);
}

static void print_choice(const Term *term, Binding outer, Text *out) {
  open_if(outer > BIND_ANY, "(", out);
  check_term_print(term->args[0], BIND_OR, out);
  text_add(out, " ? ");
  check_term_print(term->args[1], BIND_OR, out);
  text_add(out, " : ");
  check_term_print(term->args[2], BIND_OR, out);
  open_if(outer > BIND_ANY, ")", out);
}

static void print_not(const Term *term, Text *out) {
  const Term *inner = term->args[0];
  if (inner->kind == TERM_EQ) {
    print_comparison(inner->args[0], " != ", false, out);
    return;
  }
  text_add(out, "!(");
  check_term_print(inner, BIND_ANY, out);
  text_add_char(out, ')');
}

static void print_apply(const Term *term, Text *out) {
  text_add(out, term->object && term->object->name ? term->object->name : "?");
  for (uint32_t i = 0; i < term->n_args; i++) {
    text_add_char(out, '[');
    check_term_print(term->args[i], BIND_ANY, out);
    text_add_char(out, ']');
  }
}

static void check_term_print(const Term *term, Binding binding, Text *out) {
  if (out->length > MAX_LENGTH) {
    text_add(out, "...");
    return;
  }
  switch (term->kind) {
  case TERM_SUM:
    open_if(binding == BIND_FACTOR && term->n_parts, "(", out);
    print_sum(term, out);
    open_if(binding == BIND_FACTOR && term->n_parts, ")", out);
    return;
  case TERM_SYMBOL:
    text_add(out, term->symbol->name ? term->symbol->name : "?");
    return;
  case TERM_MUL: print_operation(term, " * ", binding, out); return;
  case TERM_DIV: print_operation(term, " / ", binding, out); return;
  case TERM_MOD: print_operation(term, " % ", binding, out); return;
  case TERM_MIN: print_call("min", term, out); return;
  case TERM_MAX: print_call("max", term, out); return;
  case TERM_ITE: print_choice(term, binding, out); return;
  case TERM_AND: print_operation(term, " & ", binding, out); return;
  case TERM_OR: print_operation(term, " | ", binding, out); return;
  case TERM_XOR: print_operation(term, " ^ ", binding, out); return;
  case TERM_SHL: print_operation(term, " << ", binding, out); return;
  case TERM_SHR: print_operation(term, " >> ", binding, out); return;
  case TERM_APPLY: print_apply(term, out); return;
  case TERM_TRUE: text_add(out, "true"); return;
  case TERM_FALSE: text_add(out, "false"); return;
  case TERM_LE: print_comparison(term->args[0], "", true, out); return;
  case TERM_EQ: print_comparison(term->args[0], " == ", false, out); return;
  case TERM_NOT: print_not(term, out); return;
  case TERM_ALL: print_junction(term, " && ", binding, BIND_AND, out); return;
  case TERM_SOME: print_junction(term, " || ", binding, BIND_OR, out); return;
  }
}

void term_print(const Term *term, Text *out) {
  check_term_print(term, BIND_ANY, out);
}
