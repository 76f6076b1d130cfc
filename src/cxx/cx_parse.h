// SPDX-License-Identifier: Apache-2.0
// CUDA C++ text to tree.
//
// Expects  a SourceText, preprocessed for CUDA mode (syntax/load/load.h).
// Gives    a CxUnit, always. Only a brace without its partner is reported:
//          what is not understood is an UNKNOWN, what is wrong inside a body
//          is told when it is parsed.
// Owns     nothing: the tree lives in `arena`, names in the interner.
#ifndef HD_CXX_CX_PARSE_H
#define HD_CXX_CX_PARSE_H

#include "base/intern.h"
#include "base/map.h"
#include "base/text.h"
#include "cxx/cx_ast.h"
#include "diag/diag.h"

CxUnit *cx_parse_unit(Arena *arena, Interner *interner, DiagEngine *diags,
                      SourceText *source);

// The body of `function`, which has one: parsed at the first call. Its errors
// are reported at every call (of another round, say).
const CxBody *cx_parse_body(CxUnit *unit, CxDecl *function);
// Likewise, but errors (has_errors) are not reported.
const CxBody *cx_parse_quietly(CxUnit *unit, CxDecl *function);

// The expression that `tokens` are, all of them, in the scope of `function`
// (NULL: of the file): parts of launches, annotations. Its errors are
// reported; POISON then.
CxExpr *cx_parse_tokens(CxUnit *unit, CxDecl *function, CxTokens tokens);

// The expression that `text` is, which is not of the file (an assumption, the
// text of __heddle), in the scope of `function` (or NULL). All spans in it are
// `span`. NULL if it isn't one: nothing is reported, *why says it.
CxExpr *cx_parse_text(CxUnit *unit, CxDecl *function, const char *text,
                      Span span, const char **why);
// Likewise a name as on a command line: "k", "ns::k<float, 128>".
const CxName *cx_parse_name_text(CxUnit *unit, const char *text,
                                 const char **why);

// Reports the error of an UNKNOWN, or of all in a list.
void cx_report_problems(CxUnit *unit, const CxProblem *problems);

// A kernel whose declaration is not understood: its name, and where that
// stands. NULL: it is something else, is in a header, or has no name.
const char *cx_lost_kernel(const CxUnit *unit, const CxDecl *unknown,
                           Span *span);
// Reports the errors of such kernels, also of those without a name, that are
// not keys of `listed`: nobody would ask for them.
void cx_report_lost_kernels(CxUnit *unit, const Map *listed);

Span cx_tokens_span(const CxUnit *unit, CxTokens tokens);
// Whether the identifier `name` is among them.
bool cx_tokens_have(const CxUnit *unit, CxTokens tokens, const char *name);

// For tests: the tree as text, one node a line, bodies parsed where
// `with_bodies`.
void cx_print(CxUnit *unit, bool with_bodies, Text *out);

const char *cx_expr_kind_name(CxExprKind kind);
const char *cx_stmt_kind_name(CxStmtKind kind);
const char *cx_decl_kind_name(CxDeclKind kind);
const char *cx_type_kind_name(CxTypeKind kind);
const char *cx_builtin_spelling(CxBuiltin builtin);
const char *cx_cast_spelling(CxCastKind kind);

// The variables of the function that are declared before token `at`.
void cx_find_host_vars(const CxUnit *unit, const CxDecl *function, uint32_t at,
                       const CxHostVar **vars, uint32_t *n_vars);

#endif
