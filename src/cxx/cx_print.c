// SPDX-License-Identifier: Apache-2.0
#include "cxx/cx_print.h"

#include "cxx/cx_parse.h"

// --- What stands before and behind a declaration ---------------------------

static void print_specs(CxPrinter *cx, uint32_t specs) {
  static const struct {
    uint32_t spec;
    const char *spelling;
  } rows[] = {

#define CX_SPEC(kind, bit, spelling) {CX_SPEC_##kind, spelling},
#include "cxx/cx_ast.def"
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    if (specs & rows[i].spec)
      text_printf(cx->out, "%s ", rows[i].spelling);
}

static void print_template_param(CxPrinter *cx, const CxDecl *param) {
  if (param->u.template_param.is_type)
    text_add(cx->out, "type");
  else if (param->type)
    cx_print_type(cx, param->type);
  text_printf(cx->out, "%s %s", param->u.template_param.is_pack ? "..." : "",
              param->name ? param->name : "");
  if (param->u.template_param.default_type) {
    text_add(cx->out, " = ");
    cx_print_type(cx, param->u.template_param.default_type);
  }
  if (param->u.template_param.default_value) {
    text_add(cx->out, " = ");
    cx_print_expr(cx, param->u.template_param.default_value);
  }
}

static void print_templates(CxPrinter *cx, const CxDecl *decl) {
  for (uint32_t i = 0; i < decl->n_templates; i++) {
    CxDeclList params = decl->templates[i].params;
    text_add(cx->out, "template<");
    for (uint32_t k = 0; k < params.count; k++) {
      text_add(cx->out, k ? ", " : "");
      print_template_param(cx, params.data[k]);
    }
    text_add(cx->out, "> ");
  }
}

static void cx_print_attributes(CxPrinter *cx, const CxDecl *decl) {
  for (uint32_t i = 0; i < decl->n_attributes; i++) {
    text_printf(cx->out, " %s(", decl->attributes[i].word);
    cx_print_list(cx, decl->attributes[i].args);
    text_add(cx->out, ")");
  }
  if (decl->align || decl->align_type) {
    text_add(cx->out, " align(");
    if (decl->align)
      cx_print_expr(cx, decl->align);
    else
      cx_print_type(cx, decl->align_type);
    text_add(cx->out, ")");
  }
  if (decl->unsupported)
    text_printf(cx->out, " unsupported(%s)", decl->unsupported);
}

static void print_names_and_type(CxPrinter *cx, const CxDecl *decl) {
  if (decl->full)
    cx_print_name(cx, decl->full);
  else
    text_add(cx->out, decl->name ? decl->name : "{}");
  if (decl->type && decl->kind != CX_DECL_FUNCTION) {
    text_add(cx->out, ": ");
    cx_print_type(cx, decl->type);
  }
}

static void print_decls(CxPrinter *cx, CxDeclList decls) {
  text_add(cx->out, " {");
  cx->indent++;
  for (uint32_t i = 0; i < decls.count; i++) {
    cx_print_line(cx);
    cx_print_decl(cx, decls.data[i]);
  }
  cx->indent--;
  cx_print_line(cx);
  text_add(cx->out, "}");
}

// --- Kinds -----------------------------------------------------------------

static void cx_print_init(CxPrinter *cx, const CxDecl *decl) {
  if (decl->u.var.bit_width) {
    text_add(cx->out, " bits ");
    cx_print_expr(cx, decl->u.var.bit_width);
  }
  switch (decl->u.var.init_kind) {
  case CX_INIT_NONE: break;
  case CX_INIT_EQUAL:
    text_add(cx->out, " = ");
    cx_print_expr(cx, decl->u.var.init);
    break;
  case CX_INIT_PAREN:
    text_add(cx->out, " (");
    cx_print_list(cx, decl->u.var.args);
    text_add(cx->out, ")");
    break;
  case CX_INIT_BRACE:
    text_add(cx->out, " ");
    cx_print_expr(cx, decl->u.var.init);
    break;
  }
}

static void print_tokens(CxPrinter *cx, CxTokens tokens) {
  Span span = cx_tokens_span(cx->unit, tokens);
  text_add_n(cx->out, source_text(cx->unit->source) + span.begin,
             span.end - span.begin);
}

static void print_clauses(CxPrinter *cx, const CxDecl *decl) {
  if (decl->u.function.launch_bounds.count) {
    text_add(cx->out, " launch_bounds(");
    cx_print_list(cx, decl->u.function.launch_bounds);
    text_add(cx->out, ")");
  }
  if (decl->u.function.cluster_dims.count) {
    text_add(cx->out, " cluster_dims(");
    cx_print_list(cx, decl->u.function.cluster_dims);
    text_add(cx->out, ")");
  }
  for (uint32_t i = 0; i < decl->u.function.n_annotations; i++) {
    text_printf(cx->out, " @%s(", decl->u.function.annotations[i].word);
    print_tokens(cx, decl->u.function.annotations[i].tokens);
    text_add(cx->out, ")");
  }
  text_add(cx->out, decl->u.function.is_defaulted ? " default" : "");
  text_add(cx->out, decl->u.function.is_deleted ? " delete" : "");
}

static void cx_print_body(CxPrinter *cx, CxDecl *decl) {
  const CxBody *body = cx_parse_body(cx->unit, decl);
  for (uint32_t i = 0; i < body->n_inits; i++) {
    text_add(cx->out, " ");
    if (body->inits[i].name)
      cx_print_name(cx, body->inits[i].name);
    text_add(cx->out, body->inits[i].is_braced ? "{" : "(");
    cx_print_list(cx, body->inits[i].args);
    text_add(cx->out, body->inits[i].is_braced ? "}" : ")");
  }
  text_add(cx->out, " ");
  cx_print_stmt(cx, body->block);
}

static void cx_print_function(CxPrinter *cx, CxDecl *decl) {
  const CxType *type = decl->type;
  cx_print_params(cx, type);
  text_add(cx->out, type->u.function.quals & CX_QUAL_CONST ? " const" : "");
  text_add(cx->out, " -> ");
  cx_print_type(cx, type->u.function.result);
  print_clauses(cx, decl);
  cx_print_attributes(cx, decl);
  if (decl->u.function.has_body && cx->with_bodies)
    cx_print_body(cx, decl);
  else
    text_add(cx->out, decl->u.function.has_body ? " {…}" : ";");
}

static void print_record(CxPrinter *cx, CxDecl *decl) {
  static const char *const accesses[] = {"", "public", "protected", "private"};
  cx_print_attributes(cx, decl);
  for (uint32_t i = 0; i < decl->u.record.n_bases; i++) {
    text_printf(cx->out, " : %s ", accesses[decl->u.record.bases[i].access]);
    cx_print_type(cx, decl->u.record.bases[i].type);
  }
  if (decl->u.record.is_definition)
    print_decls(cx, decl->u.record.members);
  else
    text_add(cx->out, ";");
}

static void print_binding(CxPrinter *cx, const CxDecl *decl) {
  bool is_reference = decl->type && decl->type->kind == CX_TYPE_REFERENCE;
  text_add(cx->out, is_reference ? "& [" : " [");
  for (uint32_t i = 0; i < decl->u.binding.n_names; i++)
    text_printf(cx->out, "%s%s", i ? ", " : "", decl->u.binding.names[i]);
  text_add(cx->out, "]");
  if (decl->u.binding.init) {
    text_add(cx->out, " = ");
    cx_print_expr(cx, decl->u.binding.init);
  }
}

static void print_enum(CxPrinter *cx, const CxDecl *decl) {
  if (decl->u.enumeration.is_class)
    text_add(cx->out, " class");
  if (decl->u.enumeration.underlying) {
    text_add(cx->out, " : ");
    cx_print_type(cx, decl->u.enumeration.underlying);
  }
  print_decls(cx, decl->u.enumeration.enumerators);
}

static void print_assert(CxPrinter *cx, const CxDecl *decl) {
  text_add(cx->out, " ");
  cx_print_expr(cx, decl->u.static_assertion.condition);
  if (decl->u.static_assertion.message) {
    text_add(cx->out, ", ");
    cx_print_expr(cx, decl->u.static_assertion.message);
  }
}

static void print_rest(CxPrinter *cx, CxDecl *decl) {
  switch (decl->kind) {
  case CX_DECL_UNKNOWN:
    for (uint32_t i = 0; i < decl->u.unknown.n_names; i++)
      text_printf(cx->out, " %s", decl->u.unknown.names[i]);
    return;
  case CX_DECL_NAMESPACE: print_decls(cx, decl->u.space.decls); return;
  case CX_DECL_NAMESPACE_ALIAS:
  case CX_DECL_USING_DIRECTIVE:
  case CX_DECL_USING:
    text_add(cx->out, " = ");
    cx_print_name(cx, decl->u.target);
    return;
  case CX_DECL_RECORD: print_record(cx, decl); return;
  case CX_DECL_ENUM: print_enum(cx, decl); return;
  case CX_DECL_ENUMERATOR:
    if (decl->u.enumerator.value) {
      text_add(cx->out, " = ");
      cx_print_expr(cx, decl->u.enumerator.value);
    }
    return;
  case CX_DECL_VAR:
  case CX_DECL_FIELD:
  case CX_DECL_PARAM:
    cx_print_init(cx, decl);
    cx_print_attributes(cx, decl);
    return;
  case CX_DECL_FUNCTION: cx_print_function(cx, decl); return;
  case CX_DECL_STATIC_ASSERT: print_assert(cx, decl); return;
  case CX_DECL_FRIEND:
  case CX_DECL_INSTANTIATION:
    text_add(cx->out, " ");
    cx_print_decl(cx, decl->u.inner);
    return;
  case CX_DECL_BINDING: print_binding(cx, decl); return;
  case CX_DECL_ALIAS:
  case CX_DECL_TEMPLATE_PARAM: cx_print_attributes(cx, decl); return;
  }
}

void cx_print_decl(CxPrinter *cx, CxDecl *decl) {
  bool has_name =
      decl->kind != CX_DECL_STATIC_ASSERT && decl->kind != CX_DECL_BINDING &&
      decl->kind != CX_DECL_FRIEND && decl->kind != CX_DECL_INSTANTIATION &&
      decl->kind != CX_DECL_UNKNOWN;
  print_templates(cx, decl);
  print_specs(cx, decl->specs);
  text_add(cx->out, cx_decl_kind_name(decl->kind));
  if (has_name) {
    text_add(cx->out, " ");
    print_names_and_type(cx, decl);
  }
  print_rest(cx, decl);
}

void cx_print(CxUnit *unit, bool with_bodies, Text *out) {
  CxPrinter cx = {.unit = unit, .out = out, .with_bodies = with_bodies};
  for (uint32_t i = 0; i < unit->decls.count; i++) {
    cx_print_decl(&cx, unit->decls.data[i]);
    text_add_char(out, '\n');
  }
}
