// SPDX-License-Identifier: Apache-2.0
// printf: the format is read at compile time, arguments are checked against it
// and promoted, strings become part of it.
#include "sema/context.h"

#include <string.h>

typedef enum {
  WANT_INT,
  WANT_LONG,
  WANT_DOUBLE,
  WANT_POINTER,
  WANT_STRING
} Want;

typedef struct {
  const char *begin;        // at the '%'
  uint32_t length;          // of the whole conversion
  bool is_left;             // flag '-'
  int64_t width, precision; // -1: none
  uint32_t modifier_begin, modifier_length;
  char letter;
  Want want;
} Conversion;

typedef struct {
  SemaContext *cx;
  const Expr *call;
  const Expr *format;
  Text out;
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

static int64_t read_number(const char **at, const char *end) {
  int64_t value = 0;
  for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
    value = value < 100000 ? value * 10 + (**at - '0') : value;
  return value;
}

// Reads one conversion; false (reported) when it is none of C's.
static bool read_conversion(Printer *printer, const char *begin,
                            const char *end, Conversion *out) {
  *out = (Conversion){.begin = begin, .width = -1, .precision = -1};
  const char *at = begin + 1;
  for (; at < end && strchr("-+ #0", *at); at++)
    out->is_left |= *at == '-';
  if (at < end && *at >= '1' && *at <= '9')
    out->width = read_number(&at, end);
  bool has_star = at < end && *at == '*';
  at += has_star;
  if (at < end && *at == '.') {
    at++;
    has_star |= at < end && *at == '*';
    at += at < end && *at == '*';
    out->precision = read_number(&at, end);
  }
  out->modifier_begin = (uint32_t)(at - begin);
  while (at < end && strchr("hlzjtLq", *at))
    at++;
  out->modifier_length = (uint32_t)(at - begin) - out->modifier_begin;
  out->letter = '\0';
  if (at < end)
    out->letter = *at++;
  out->length = (uint32_t)(at - begin);
  if (has_star)
    refuse_conversion(printer, out,
                      "takes its width from an argument, which "
                      "is not possible here: write the number");
  return !has_star;
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
static bool classify(Printer *printer, Conversion *at) {
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
      [WANT_STRING] = "a string literal",
  };
  return texts[want];
}

static bool is_wanted(Want want, const Type *type) {
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

static void take_value(Printer *printer, const Conversion *at,
                       const Expr *argument) {
  SemaContext *cx = printer->cx;
  TExpr *value = promote(cx, check_value(cx, argument));
  if (expr_is_poison(value)) {
    printer->is_wrong = true;
    return;
  }
  if (!is_wanted(at->want, value->type)) {
    SEMA_ERROR(cx, argument->span, format_argument, DS(shown(printer, at)),
               DS(want_text(at->want)), DU(printer->n_taken + 1),
               NT(cx, value->type));
    printer->is_wrong = true;
    return;
  }
  printer->values[printer->n_values++] = value;
}

static void add_spaces(Text *out, int64_t count) {
  for (; count > 0; count--)
    text_add_char(out, ' ');
}

// A string is known now, so it is printed now; its '%' are doubled.
static void merge_string(Printer *printer, const Conversion *at,
                         const Expr *string) {
  const char *bytes = string->u.string_lit.bytes;
  size_t length = strlen(bytes);
  if (at->precision >= 0 && (size_t)at->precision < length)
    length = (size_t)at->precision;
  int64_t padding = at->width - (int64_t)length;
  if (!at->is_left)
    add_spaces(&printer->out, padding);
  for (size_t i = 0; i < length; i++) {
    if (bytes[i] == '%')
      text_add_char(&printer->out, '%');
    text_add_char(&printer->out, bytes[i]);
  }
  if (at->is_left)
    add_spaces(&printer->out, padding);
}

// Copies a conversion with one spelling for each length: "", hh, h, l.
static void add_conversion(Printer *printer, const Conversion *at) {
  text_add_n(&printer->out, at->begin, at->modifier_begin);
  if (at->want == WANT_LONG)
    text_add(&printer->out, "l");
  else if (at->want == WANT_INT)
    text_add_n(&printer->out, at->begin + at->modifier_begin,
               at->modifier_length);
  text_add_char(&printer->out, at->letter);
}

static void take_argument(Printer *printer, Conversion *at) {
  const ExprList *args = &printer->call->u.call.args;
  uint32_t index = ++printer->n_taken;
  if (index >= args->count)
    return; // counted at the end
  const Expr *argument = args->data[index];
  if (at->want == WANT_STRING && argument->kind == EXPR_STRING) {
    merge_string(printer, at, argument);
    return;
  }
  add_conversion(printer, at);
  take_value(printer, at, argument);
}

static void read_format(Printer *printer) {
  const char *at = printer->format->u.string_lit.bytes;
  const char *end = at + strlen(at);
  while (at < end) {
    if (*at != '%') {
      text_add_char(&printer->out, *at++);
      continue;
    }
    if (at + 1 < end && at[1] == '%') {
      text_add(&printer->out, "%%");
      at += 2;
      continue;
    }
    Conversion conversion;
    bool is_valid = read_conversion(printer, at, end, &conversion) &&
                    classify(printer, &conversion);
    if (!is_valid)
      return;
    take_argument(printer, &conversion);
    at += conversion.length;
  }
}

TExpr *check_printf(SemaContext *cx, const Expr *call) {
  const ExprList *args = &call->u.call.args;
  if (args->count == 0 || args->data[0]->kind != EXPR_STRING) {
    Span span = args->count ? args->data[0]->span : call->span;
    if (args->count == 0 || args->data[0]->kind != EXPR_POISON)
      SEMA_ERROR(cx, span, argument_type, DU(1), DS("printf"),
                 DS(args->count ? "a computed string" : "nothing"),
                 DS("a string literal"));
    return build_poison(cx, call->span);
  }
  Printer printer = {.cx = cx, .call = call, .format = args->data[0]};
  printer.out.arena = cx->arena;
  printer.values = ARENA_ARRAY(cx->arena, TExpr *, args->count);
  read_format(&printer);
  uint32_t given = args->count - 1;
  if (!printer.is_wrong && printer.n_taken != given) {
    SEMA_ERROR(cx, call->span, format_count, DU(printer.n_taken), DU(given));
    printer.is_wrong = true;
  }
  if (printer.is_wrong)
    return build_poison(cx, call->span);
  TExpr *result =
      build_call_builtin(cx, BI_PRINTF, sema_basic(cx, TY_INT), printer.values,
                         printer.n_values, call->span);
  result->u.builtin.text = text_cstr(&printer.out);
  result->u.builtin.text_length = (uint32_t)printer.out.length;
  return result;
}
