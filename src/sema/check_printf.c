// SPDX-License-Identifier: Apache-2.0
// printf: the format is read at compile time, arguments are checked against it
// and promoted, strings become part of it. Where a condition chooses a string
// there is a format for each choice.
#include "sema/context.h"

#include <string.h>

typedef enum {
  WANT_INT,
  WANT_LONG,
  WANT_DOUBLE,
  WANT_POINTER,
  WANT_STRING
} Want;

enum { MAX_FORMATS = 64 };

typedef struct {
  const char *begin;        // at the '%'
  uint32_t length;          // of the whole conversion
  bool is_left;             // flag '-'
  int64_t width, precision; // -1: none
  bool has_star[2];         // '*' as width, as precision
  uint32_t modifier_begin, modifier_length;
  char letter;
  Want want;
} Conversion;

typedef struct {
  SemaContext *cx;
  const Expr *call;
  const Expr *format;
  Text *outs; // one for each choice of strings
  uint32_t n_outs;
  TExpr *choice; // an int: which of them; NULL where there is one
  TExpr **values;
  uint32_t n_values; // arguments that stay
  uint32_t n_taken;  // arguments that were looked at
  bool is_wrong;
} Printer;

static const char *shown(const Printer *printer, const Conversion *at) {
  return arena_strndup(printer->cx->arena, at->begin, at->length);
}

static void refuse_conversion(Printer *printer, const Conversion *at,
                              const char *problem) {
  SEMA_ERROR(printer->cx, printer->format->span, format_conversion,
             DS(shown(printer, at)), DS(problem));
  printer->is_wrong = true;
}

static int64_t check_printf_read_number(const char **at, const char *end) {
  int64_t value = 0;
  for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
    value = value < 100000 ? value * 10 + (**at - '0') : value;
  return value;
}

static bool skip_star(const char **at, const char *end) {
  bool is_there = *at < end && **at == '*';
  *at += is_there;
  return is_there;
}

static void read_conversion(const char *begin, const char *end,
                            Conversion *out) {
  *out = (Conversion){.begin = begin, .width = -1, .precision = -1};
  const char *at = begin + 1;
  for (; at < end && strchr("-+ #0", *at); at++)
    out->is_left |= *at == '-';
  out->has_star[0] = skip_star(&at, end);
  if (at < end && *at >= '1' && *at <= '9')
    out->width = check_printf_read_number(&at, end);
  if (at < end && *at == '.') {
    at++;
    out->has_star[1] = skip_star(&at, end);
    out->precision = check_printf_read_number(&at, end);
  }
  out->modifier_begin = (uint32_t)(at - begin);
  while (at < end && strchr("hlzjtLq", *at))
    at++;
  out->modifier_length = (uint32_t)(at - begin) - out->modifier_begin;
  out->letter = '\0';
  if (at < end)
    out->letter = *at++;
  out->length = (uint32_t)(at - begin);
}

static bool is_modifier(const Conversion *at, const char *text) {
  return strlen(text) == at->modifier_length &&
         strncmp(at->begin + at->modifier_begin, text, at->modifier_length) ==
             0;
}

static bool is_long(const Conversion *at) {
  static const char *const longs[] = {"l", "ll", "z", "j", "t"};
  for (size_t i = 0; i < sizeof(longs) / sizeof(*longs); i++)
    if (is_modifier(at, longs[i]))
      return true;
  return false;
}

// Decides what argument the conversion takes.
static bool check_printf_classify(Printer *printer, Conversion *at) {
  bool is_short = is_modifier(at, "h") || is_modifier(at, "hh");
  bool is_plain = at->modifier_length == 0;
  if (at->letter && strchr("diouxX", at->letter)) {
    at->want = is_long(at) ? WANT_LONG : WANT_INT;
    if (is_plain || is_short || is_long(at))
      return true;
  } else if (at->letter && strchr("fFeEgGaA", at->letter)) {
    at->want = WANT_DOUBLE;
    if (is_plain || is_modifier(at, "l"))
      return true;
  } else if (at->letter && strchr("csp", at->letter)) {
    at->want = at->letter == 'c'   ? WANT_INT
               : at->letter == 's' ? WANT_STRING
                                   : WANT_POINTER;
    if (is_plain)
      return true;
  }
  refuse_conversion(printer, at, "is not a conversion of printf here");
  return false;
}

// --- arguments ---

static const char *want_text(Want want) {
  static const char *const texts[] = {
      [WANT_INT] = "an int",
      [WANT_LONG] = "a long",
      [WANT_DOUBLE] = "a double",
      [WANT_POINTER] = "a pointer",
      [WANT_STRING] = "a string literal, or a choice c ? \"a\" : \"b\" of some",
  };
  return texts[want];
}

static bool check_printf_is_wanted(Want want, const Type *type) {
  switch (want) {
  case WANT_INT: return type_is_integer(type) && type->size_bytes == 4;
  case WANT_LONG: return type_is_integer(type) && type->size_bytes == 8;
  case WANT_DOUBLE: return type->kind == TY_DOUBLE;
  case WANT_POINTER: return type->kind == TY_POINTER;
  case WANT_STRING: return false;
  }
  return false;
}

// The default argument promotions.
static TExpr *promote(SemaContext *cx, TExpr *value) {
  if (type_is_floating(value->type))
    return build_convert(cx, value, sema_basic(cx, TY_DOUBLE));
  if (type_is_integer(value->type))
    return convert_promote(cx, value);
  return value;
}

// --- output: in every format ---

static void check_printf_add_text(Printer *printer, const char *bytes,
                                  size_t length) {
  for (uint32_t i = 0; i < printer->n_outs; i++)
    text_add_n(&printer->outs[i], bytes, length);
}

static void add_spaces(Text *out, int64_t count) {
  for (; count > 0; count--)
    text_add_char(out, ' ');
}

// A string is known now, so it is printed now; its '%' are doubled.
static void merge_string(Text *out, const Conversion *at, const Expr *string) {
  const char *bytes = string->u.string_lit.bytes;
  size_t length = strlen(bytes);
  if (at->precision >= 0 && (size_t)at->precision < length)
    length = (size_t)at->precision;
  int64_t padding = at->width - (int64_t)length;
  if (!at->is_left)
    add_spaces(out, padding);
  for (size_t i = 0; i < length; i++) {
    if (bytes[i] == '%')
      text_add_char(out, '%');
    text_add_char(out, bytes[i]);
  }
  if (at->is_left)
    add_spaces(out, padding);
}

// Copies a conversion with one spelling for each length: "", hh, h, l.
static void add_conversion(Printer *printer, const Conversion *at) {
  check_printf_add_text(printer, at->begin, at->modifier_begin);
  if (at->want == WANT_LONG)
    check_printf_add_text(printer, "l", 1);
  else if (at->want == WANT_INT)
    check_printf_add_text(printer, at->begin + at->modifier_begin,
                          at->modifier_length);
  check_printf_add_text(printer, &at->letter, 1);
}

// --- values ---

static void take_value(Printer *printer, const Conversion *at, Want want,
                       const Expr *argument) {
  SemaContext *cx = printer->cx;
  TExpr *value = promote(cx, check_value(cx, argument));
  if (expr_is_poison(value)) {
    printer->is_wrong = true;
    return;
  }
  if (!check_printf_is_wanted(want, value->type)) {
    SEMA_ERROR(cx, argument->span, format_argument, DS(shown(printer, at)),
               DS(want_text(want)), DU(printer->n_taken + 1),
               NT(cx, value->type));
    printer->is_wrong = true;
    return;
  }
  printer->values[printer->n_values++] = value;
}

static void merge_string_everywhere(Printer *printer, const Conversion *at,
                                    const Expr *string) {
  for (uint32_t i = 0; i < printer->n_outs; i++)
    merge_string(&printer->outs[i], at, string);
}

// --- strings that conditions choose ---

typedef struct {
  const Expr *strings[MAX_FORMATS];
  uint32_t count;
} Strings;

static bool find_strings(const Expr *expr, Strings *out) {
  if (expr->kind == EXPR_STRING) {
    if (out->count == MAX_FORMATS)
      return false;
    out->strings[out->count++] = expr;
    return true;
  }
  return expr->kind == EXPR_CONDITIONAL &&
         find_strings(expr->u.conditional.if_true, out) &&
         find_strings(expr->u.conditional.if_false, out);
}

// The same conditions, but for the string's number.
static Expr *numbered(Printer *printer, const Expr *expr, uint32_t *next) {
  Expr *copy = ARENA_NEW(printer->cx->arena, Expr);
  *copy = *expr;
  if (expr->kind == EXPR_STRING) {
    copy->kind = EXPR_INT;
    memset(&copy->u, 0, sizeof copy->u);
    copy->u.int_lit.value = (*next)++;
    copy->u.int_lit.base = 10;
    return copy;
  }
  copy->u.conditional.if_true =
      numbered(printer, expr->u.conditional.if_true, next);
  copy->u.conditional.if_false =
      numbered(printer, expr->u.conditional.if_false, next);
  return copy;
}

// Each format so far, once for each string: format f with string k is number
// f * count + k.
static void check_printf_merge_choice(Printer *printer, const Conversion *at,
                                      const Strings *all,
                                      const Expr *argument) {
  SemaContext *cx = printer->cx;
  uint32_t next = 0, n = printer->n_outs * all->count;
  TExpr *which = check_value(cx, numbered(printer, argument, &next));
  if (expr_is_poison(which)) {
    printer->is_wrong = true;
    return;
  }
  Text *outs = ARENA_ARRAY(cx->arena, Text, n);
  for (uint32_t i = 0; i < n; i++) {
    const Text *from = &printer->outs[i / all->count];
    outs[i].arena = cx->arena;
    text_add_n(&outs[i], text_cstr(from), from->length);
    merge_string(&outs[i], at, all->strings[i % all->count]);
  }
  const Type *type = sema_basic(cx, TY_INT);
  if (printer->choice) {
    TExpr *scaled = build_binary(
        cx, TOP_MUL, "*", printer->choice,
        build_int(cx, type, all->count, argument->span), argument->span);
    which = build_binary(cx, TOP_ADD, "+", scaled, which, argument->span);
  }
  printer->choice = which;
  printer->outs = outs;
  printer->n_outs = n;
}

static void check_printf_take_string(Printer *printer, Conversion *at,
                                     const Expr *argument) {
  Strings all = {.count = 0};
  if (!find_strings(argument, &all) ||
      all.count * printer->n_outs > MAX_FORMATS) {
    take_value(printer, at, WANT_STRING, argument);
    printer->is_wrong = true;
    return;
  }
  if (at->has_star[0] || at->has_star[1]) {
    refuse_conversion(printer, at,
                      "takes the width of a string from an argument: write "
                      "the number");
    return;
  }
  if (all.count > 1)
    check_printf_merge_choice(printer, at, &all, argument);
  else
    merge_string_everywhere(printer, at, argument);
}

static const Expr *next_argument(Printer *printer) {
  const ExprList *args = &printer->call->u.call.args;
  uint32_t index = ++printer->n_taken;
  return index < args->count ? args->data[index] : NULL; // counted at the end
}

static void take_argument(Printer *printer, Conversion *at) {
  for (uint32_t i = 0; i < 2; i++) {
    const Expr *star = at->has_star[i] ? next_argument(printer) : NULL;
    if (star && at->want != WANT_STRING)
      take_value(printer, at, WANT_INT, star);
  }
  const Expr *argument = next_argument(printer);
  if (!argument)
    return;
  if (at->want == WANT_STRING) {
    check_printf_take_string(printer, at, argument);
    return;
  }
  add_conversion(printer, at);
  take_value(printer, at, at->want, argument);
}

static void read_format(Printer *printer) {
  const char *at = printer->format->u.string_lit.bytes;
  const char *end = at + strlen(at);
  while (at < end) {
    if (*at != '%') {
      check_printf_add_text(printer, at++, 1);
      continue;
    }
    if (at + 1 < end && at[1] == '%') {
      check_printf_add_text(printer, "%%", 2);
      at += 2;
      continue;
    }
    Conversion conversion;
    read_conversion(at, end, &conversion);
    if (!check_printf_classify(printer, &conversion))
      return;
    take_argument(printer, &conversion);
    at += conversion.length;
  }
}

static TExpr *check_printf_make_call(Printer *printer) {
  SemaContext *cx = printer->cx;
  if (printer->n_outs > 1)
    printer->values[printer->n_values++] = printer->choice;
  TExpr *result =
      build_call_builtin(cx, BI_PRINTF, sema_basic(cx, TY_INT), printer->values,
                         printer->n_values, printer->call->span);
  result->u.builtin.text = text_cstr(&printer->outs[0]);
  result->u.builtin.text_length = (uint32_t)printer->outs[0].length;
  if (printer->n_outs == 1)
    return result;
  const char **formats = ARENA_ARRAY(cx->arena, const char *, printer->n_outs);
  for (uint32_t i = 0; i < printer->n_outs; i++)
    formats[i] = text_cstr(&printer->outs[i]);
  result->u.builtin.formats = formats;
  result->u.builtin.n_formats = printer->n_outs;
  return result;
}

TExpr *check_printf(SemaContext *cx, const Expr *call) {
  const ExprList *args = &call->u.call.args;
  if (args->count == 0 || args->data[0]->kind != EXPR_STRING) {
    Span span = args->count ? args->data[0]->span : call->span;
    if (args->count == 0 || args->data[0]->kind != EXPR_POISON)
      SEMA_ERROR(cx, span, argument_type, DU(1), DS("printf"),
                 DS("a string literal"),
                 DS(args->count ? "a computed string" : "nothing"));
    return build_poison(cx, call->span);
  }
  Printer printer = {.cx = cx, .call = call, .format = args->data[0]};
  printer.outs = ARENA_ARRAY(cx->arena, Text, 1);
  printer.outs[0].arena = cx->arena;
  printer.n_outs = 1;
  printer.values = ARENA_ARRAY(cx->arena, TExpr *, args->count + 1);
  read_format(&printer);
  uint32_t given = args->count - 1;
  if (!printer.is_wrong && printer.n_taken != given) {
    SEMA_ERROR(cx, call->span, format_count, DU(printer.n_taken), DU(given));
    printer.is_wrong = true;
  }
  if (printer.is_wrong)
    return build_poison(cx, call->span);
  return check_printf_make_call(&printer);
}
