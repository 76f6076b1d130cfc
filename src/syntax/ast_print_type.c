// SPDX-License-Identifier: Apache-2.0
// Types and declarations without bodies.
#include "syntax/ast_print.h"

#include "syntax/parse.h"

// --- Types -----------------------------------------------------------------

typedef struct {
  uint32_t bit;
  const char *spelling;
} BitName;

static const BitName qual_names[] = {
#define AST_QUAL(kind, bit, spelling) {QUAL_##kind, spelling},
#include "syntax/ast.def"
};

static const BitName storage_names[] = {
#define AST_STORAGE(kind, bit, spelling) {STORAGE_##kind, spelling},
#include "syntax/ast.def"
};

enum {
  N_QUALS = sizeof(qual_names) / sizeof(qual_names[0]),
  N_STORAGE = sizeof(storage_names) / sizeof(storage_names[0]),
};

// From the last to the first, each with a blank behind it: a space is only
// known as one before another word, and the spaces come last in the table.
static void print_type_quals(AstOut *out, uint32_t quals) {
  for (int i = N_QUALS; i > 0; i--)
    if (quals & qual_names[i - 1].bit)
      text_printf(out->text, "%s ", qual_names[i - 1].spelling);
}

const TypeSyntax *type_base(const TypeSyntax *type) {
  for (;;) {
    if (type->kind == TYPE_POINTER)
      type = type->u.pointer.pointee;
    else if (type->kind == TYPE_ARRAY)
      type = type->u.array.element;
    else if (type->kind == TYPE_FUNCTION)
      type = type->u.function.result;
    else
      return type;
  }
}

static void print_type_record(AstOut *out, const TypeSyntax *type) {
  const DeclList *fields = &type->u.record.fields;
  text_add(out->text, type->kind == TYPE_UNION ? "union" : "struct");
  if (type->u.record.tag)
    text_printf(out->text, " %s", type->u.record.tag);
  if (!type->u.record.is_definition)
    return;
  text_add(out->text, " {");
  out->indent++;
  for (uint32_t i = 0; i < fields->count;) {
    text_add_char(out->text, out->is_pretty ? '\n' : ' ');
    if (out->is_pretty)
      print_indent(out);
    i = print_declaration(out, fields, i);
  }
  out->indent--;
  text_add_char(out->text, out->is_pretty ? '\n' : ' ');
  if (out->is_pretty)
    print_indent(out);
  text_add_char(out->text, '}');
}

static void print_type_enum(AstOut *out, const TypeSyntax *type) {
  const DeclList *names = &type->u.enumeration.enumerators;
  text_add(out->text, "enum");
  if (type->u.enumeration.tag)
    text_printf(out->text, " %s", type->u.enumeration.tag);
  if (!type->u.enumeration.is_definition)
    return;
  for (uint32_t i = 0; i < names->count; i++) {
    text_printf(out->text, "%s%s", i ? ", " : " { ", names->data[i]->name);
    if (!names->data[i]->u.enumerator.value)
      continue;
    text_add(out->text, " = ");
    print_level(out, names->data[i]->u.enumerator.value, LEVEL_BINARY);
  }
  text_add(out->text, " }");
}

static void print_sized(AstOut *out, const char *word, const Expr *size) {
  text_add(out->text, word);
  if (!size)
    return;
  text_add_char(out->text, '(');
  print_expr(out, size);
  text_add_char(out->text, ')');
}

static void print_type_wrapped(AstOut *out, const char *word,
                               const TypeSyntax *inner) {
  text_printf(out->text, "%s(", word);
  print_type_name(out, inner);
  text_add_char(out->text, ')');
}

void print_base_type(AstOut *out, const TypeSyntax *type) {
  print_type_quals(out, type->quals);
  switch (type->kind) {
  case TYPE_BUILTIN:
    text_add(out->text, ast_builtin_spelling(type->u.builtin));
    break;
  case TYPE_NAMED: text_add(out->text, type->u.named); break;
  case TYPE_STRUCT:
  case TYPE_UNION: print_type_record(out, type); break;
  case TYPE_ENUM: print_type_enum(out, type); break;
  case TYPE_TYPEOF_EXPR: print_sized(out, "typeof", type->u.expr); break;
  case TYPE_TYPEOF_TYPE:
    print_type_wrapped(out, "typeof", type->u.inner);
    break;
  case TYPE_ATOMIC: print_type_wrapped(out, "_Atomic", type->u.inner); break;
  case TYPE_TILE:
    text_add(out->text, "tile ");
    print_base_type(out, type->u.inner);
    break;
  case TYPE_GROUP: print_sized(out, "group", type->u.expr); break;
  case TYPE_TOKEN: text_add(out->text, "token"); break;
  case TYPE_MBARRIER: print_sized(out, "mbarrier", type->u.expr); break;
  case TYPE_PIPELINE: print_sized(out, "pipeline", type->u.expr); break;
  case TYPE_POISON:
  case TYPE_POINTER:
  case TYPE_ARRAY:
  case TYPE_FUNCTION: text_add(out->text, "<error>"); break;
  }
}

// --- Declarators -----------------------------------------------------------

static void print_aligns(AstOut *out, const Decl *decl) {
  for (uint32_t i = 0; i < decl->n_aligns; i++) {
    text_add(out->text, "_Alignas(");
    if (decl->aligns[i].type)
      print_type_name(out, decl->aligns[i].type);
    else
      print_operand(out, decl->aligns[i].expr);
    text_add(out->text, ") ");
  }
}

static void print_specifiers(AstOut *out, const Decl *decl) {
  for (int i = 0; i < N_STORAGE; i++)
    if (decl->storage & storage_names[i].bit)
      text_printf(out->text, "%s ", storage_names[i].spelling);
  print_aligns(out, decl);
  if (decl->type)
    print_base_type(out, type_base(decl->type));
}

static void print_type_array(AstOut *out, const TypeSyntax *type) {
  text_add_char(out->text, '[');
  text_add(out->text, type->u.array.has_static ? "static " : "");
  print_type_quals(out, type->u.array.quals);
  if (type->u.array.is_star)
    text_add_char(out->text, '*');
  else if (type->u.array.extent)
    print_argument(out, type->u.array.extent);
  text_add_char(out->text, ']');
}

static void print_type_param(AstOut *out, const Decl *param) {
  text_printf(out->text, "constexpr type %s", param->name);
  if (!param->u.param.default_type)
    return;
  text_add(out->text, " = ");
  print_type_name(out, param->u.param.default_type);
}

static void print_param(AstOut *out, const Decl *param) {
  if (param->u.param.is_type) {
    print_type_param(out, param);
    return;
  }
  print_specifiers(out, param);
  print_declarator(out, param->type, param->name);
  if (param->u.param.has_strides) {
    text_add(out->text, " stride");
    print_arguments(out, &param->u.param.strides);
  }
  if (param->u.param.init) {
    text_add(out->text, " = ");
    print_argument(out, param->u.param.init);
  }
}

static bool has_comments(AstOut *out, const DeclList *params) {
  for (uint32_t i = 0; i + 1 < params->count; i++)
    if (print_has_comment_behind(out, params->data[i]->span) &&
        !print_is_same_line(out, params->data[i]->span,
                            params->data[i + 1]->span))
      return true;
  return false;
}

// One a line.
static void print_params_with_comments(AstOut *out, const DeclList *params) {
  for (uint32_t i = 0; i < params->count; i++) {
    bool is_last = i + 1 == params->count;
    text_add(out->text, "\n    ");
    print_param(out, params->data[i]);
    text_add(out->text, is_last ? ")" : ",");
    if (is_last || !print_is_same_line(out, params->data[i]->span,
                                       params->data[i + 1]->span))
      print_comment_behind(out, params->data[i]->span);
  }
}

static void print_params(AstOut *out, const TypeSyntax *type) {
  const DeclList *params = &type->u.function.params;
  text_add_char(out->text, '(');
  if (has_comments(out, params)) {
    print_params_with_comments(out, params);
    return;
  }
  for (uint32_t i = 0; i < params->count; i++) {
    text_add(out->text, i ? ", " : "");
    print_param(out, params->data[i]);
  }
  if (type->u.function.is_variadic)
    text_add(out->text, params->count ? ", ..." : "...");
  else if (params->count == 0 && type->u.function.has_prototype)
    text_add(out->text, "void");
  text_add_char(out->text, ')');
}

// Puts the pointer before `inner`, in parentheses where an array or function
// would bind first.
static void print_pointer(AstOut *out, const TypeSyntax *type,
                          const char *inner) {
  TypeSyntaxKind kind = type->u.pointer.pointee->kind;
  bool needs_parens = kind == TYPE_ARRAY || kind == TYPE_FUNCTION;
  text_add(out->text, needs_parens ? "(*" : "*");
  print_type_quals(out, type->quals);
  text_add(out->text, inner);
  text_add(out->text, needs_parens ? ")" : "");
}

void print_declarator(AstOut *out, const TypeSyntax *type, const char *name) {
  const char *inner = name ? name : "";
  for (;;) {
    Text text = {.arena = out->text->arena};
    AstOut outer = *out;
    outer.text = &text;
    if (type->kind == TYPE_POINTER) {
      print_pointer(&outer, type, inner);
      type = type->u.pointer.pointee;
    } else if (type->kind == TYPE_ARRAY) {
      text_add(&text, inner);
      print_type_array(&outer, type);
      type = type->u.array.element;
    } else if (type->kind == TYPE_FUNCTION) {
      text_add(&text, inner);
      print_params(&outer, type);
      type = type->u.function.result;
    } else {
      text_printf(out->text, "%s%s", *inner ? " " : "", inner);
      return;
    }
    inner = text_cstr(&text);
  }
}

void print_type_name(AstOut *out, const TypeSyntax *type) {
  print_base_type(out, type_base(type));
  print_declarator(out, type, NULL);
}

// --- Declarations ----------------------------------------------------------

void print_function_head(AstOut *out, const Decl *decl) {
  text_add(out->text, decl->kind == DECL_KERNEL ? "kernel " : "");
  print_specifiers(out, decl);
  print_declarator(out, decl->type, decl->name);
  if (out->is_pretty)
    print_clause_lines(out, &decl->u.function.clauses);
  else
    print_clauses(out, &decl->u.function.clauses);
}

static void print_layout_parts(AstOut *out, const LayoutSyntax *layout) {
  for (uint32_t i = 0; i < layout->parts.count; i++) {
    text_add(out->text, i ? " " : "");
    print_argument(out, layout->parts.data[i]);
  }
}

static void print_var_rest(AstOut *out, const Decl *decl) {
  if (decl->u.var.layout.parts.count) {
    text_add(out->text, " layout(");
    print_layout_parts(out, &decl->u.var.layout);
    text_add_char(out->text, ')');
  }
  if (!decl->u.var.init)
    return;
  text_add(out->text, " = ");
  print_argument(out, decl->u.var.init);
}

static void print_type_one(AstOut *out, const Decl *decl) {
  print_declarator(out, decl->type, decl->name);
  if (decl->kind == DECL_VAR)
    print_var_rest(out, decl);
  else if (decl->kind == DECL_FUNCTION || decl->kind == DECL_KERNEL)
    print_clauses(out, &decl->u.function.clauses);
  else if (decl->kind == DECL_FIELD && decl->u.field.bit_width) {
    text_add(out->text, " : ");
    print_operand(out, decl->u.field.bit_width);
  }
}

static void print_static_assert(AstOut *out, const Decl *decl) {
  text_add(out->text, "static_assert(");
  print_argument(out, decl->u.static_assertion.condition);
  if (decl->u.static_assertion.message) {
    text_add(out->text, ", ");
    print_expr(out, decl->u.static_assertion.message);
  }
  text_add(out->text, ");");
}

// Declarations that share the node of their type were written as one.
static bool is_same_declaration(const Decl *a, const Decl *b) {
  return a->type && b->type && type_base(a->type) == type_base(b->type) &&
         !((b->kind == DECL_FUNCTION || b->kind == DECL_KERNEL) &&
           b->u.function.body);
}

uint32_t print_declaration(AstOut *out, const DeclList *decls, uint32_t first) {
  const Decl *decl = decls->data[first];
  uint32_t next = first + 1;
  if (decl->kind == DECL_STATIC_ASSERT) {
    print_static_assert(out, decl);
    return next;
  }
  if (decl->kind == DECL_LAYOUT) {
    text_printf(out->text, "constexpr layout %s = ", decl->name);
    print_layout_parts(out, &decl->u.var.layout);
    text_add_char(out->text, ';');
    return next;
  }
  text_add(out->text, decl->kind == DECL_KERNEL ? "kernel " : "");
  print_specifiers(out, decl);
  if (decl->kind != DECL_TAG)
    print_type_one(out, decl);
  for (; next < decls->count && is_same_declaration(decl, decls->data[next]);
       next++) {
    text_add_char(out->text, ',');
    print_type_one(out, decls->data[next]);
  }
  text_add_char(out->text, ';');
  return next;
}
