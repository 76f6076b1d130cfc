// SPDX-License-Identifier: Apache-2.0
// The file as a whole, and texts from elsewhere.
#include "cxx/cx_parse.h"

#include "base/panic.h"
#include "cxx/cx_parser.h"

#include <string.h>

// --- Set up ----------------------------------------------------------------

static void intern_names(CxParser *cx) {
  cx->names.final = intern_cstr(cx->interner, "final");
  cx->names.override = intern_cstr(cx->interner, "override");
  cx->names.nounroll = intern_cstr(cx->interner, "nounroll");
}

static bool has_ellipsis(const CxLexed *lexed) {
  for (uint32_t i = 0; i < lexed->n_main; i++)
    if (lexed->tokens.data[i].kind == CX_TOK_ELLIPSIS)
      return true;
  return false;
}

static CxParser *new_parser(Arena *arena, Interner *interner, DiagEngine *diags,
                            SourceText *source) {
  CxParser *cx = ARENA_NEW(arena, CxParser);
  *cx = (CxParser){.arena = arena,
                   .interner = interner,
                   .diags = diags,
                   .source = source,
                   .reported_at = UINT32_MAX};
  intern_names(cx);
  cx_words_init(&cx->words, arena, interner);
  cx_lex(&cx->lexed, arena, interner, &cx->words, source);
  cx->tokens = cx->lexed.tokens.data;
  cx->has_ellipsis = has_ellipsis(&cx->lexed);
  cx->limit = cx->lexed.n_main - 1;
  cx->file_scope = cx_scope_new(cx, CX_SCOPE_NAMESPACE, NULL);
  cx->scope = cx->file_scope;
  cx_go_to(cx, 0);
  return cx;
}

// --- Annotations -----------------------------------------------------------

static const char *parse_word_at(const CxParser *cx, uint32_t at,
                                 uint32_t end) {
  const CxToken *token = &cx->tokens[at];
  bool has_word = at < end && token->u.name &&
                  (token->kind == CX_TOK_IDENT ||
                   cx_token_is_word((CxTokenKind)token->kind));
  return has_word ? token->u.name : "";
}

// *is_harmful: the loader kept its word alone.
static CxAnnotation annotation_of(const CxParser *cx, const CxComment *comment,
                                  bool *is_harmful) {
  uint32_t at = comment->begin;
  const char *word = parse_word_at(cx, at, comment->end);
  *is_harmful = strcmp(word, "__heddle_harmful") == 0;
  if (*is_harmful)
    word = parse_word_at(cx, ++at, comment->end);
  return (CxAnnotation){.word = word,
                        .span = comment->span,
                        .tokens = {at + (*word != 0), comment->end}};
}

// One that changes nothing is told of.
static bool is_of_use(CxParser *cx, const CxAnnotation *annotation,
                      bool is_harmful, const CxDecl *function) {
  const char *why = NULL;
  if (strcmp(annotation->word, "requires") != 0 &&
      strcmp(annotation->word, "assume") != 0)
    why = "only 'requires' and 'assume' are known";
  else if (is_harmful)
    why = "its brackets must match, and no quotes are in it, nor a '\\' at its "
          "end";
  else if (!function)
    why = "no kernel follows";
  else if (!(function->specs & CX_SPEC_GLOBAL))
    why = arena_printf(cx->arena, "'%s', which it precedes, is not a kernel",
                       function->name ? function->name : "the function");
  if (why)
    DIAG_REPORT(cx->diags, DIAG_cuda_comment,
                source_place(cx->source, annotation->span),
                DS(annotation->word), DS(why));
  return !why;
}

// To the function whose body the comment is in, else to the next one. Bodies
// are in the order of the text, and so are comments.
static void attach_comments(CxParser *cx) {
  uint32_t body = 0;
  for (uint32_t i = 0; i < cx->lexed.comments.count; i++) {
    const CxComment *comment = &cx->lexed.comments.data[i];
    while (body < cx->bodies.count &&
           cx->bodies.data[body]->u.function.body.end <= comment->position)
      body++;
    bool is_harmful;
    CxAnnotation annotation = annotation_of(cx, comment, &is_harmful);
    CxDecl *function = body < cx->bodies.count ? cx->bodies.data[body] : NULL;
    if (is_of_use(cx, &annotation, is_harmful, function))
      cx_add_annotation(cx, function, &annotation);
  }
}

// --- The file --------------------------------------------------------------

static void report_unbalanced(CxParser *cx) {
  const CxUnbalanced *problem = &cx->lexed.unbalanced;
  if (!problem->is_found)
    return;
  const char *text = source_text(cx->source);
  Place place = source_place(cx->source, problem->span);
  bool is_end = problem->span.begin >= source_length(cx->source);
  const char *found =
      is_end ? "end of file"
      : text[problem->span.begin] == '}'
          ? "'}'"
          : arena_strndup(cx->arena, text + problem->span.begin,
                          problem->span.end - problem->span.begin);
  if (problem->opener.end == 0) {
    DIAG_REPORT(cx->diags, DIAG_stray_close, place, DS(found), DS("'{'"));
    return;
  }
  Diag *diag = DIAG_REPORT(cx->diags, DIAG_unclosed, place, DS("'}'"),
                           DS("'{'"), DS(found));
  diag_label(cx->diags, diag, source_place(cx->source, problem->opener),
             "opened here");
}

static bool parse_is_in_file(const CxParser *cx, Span span) {
  Place place = source_place(cx->source, span);
  return place.file && strcmp(place.file, source_name(cx->source)) == 0;
}

static bool has_kernel(const CxParser *cx, CxTokens tokens) {
  for (uint32_t i = tokens.begin; i < tokens.end; i++)
    if (cx->tokens[i].kind == CX_TOK_GLOBAL)
      return true;
  return false;
}

const char *cx_lost_kernel(const CxUnit *unit, const CxDecl *unknown,
                           Span *span) {
  const CxParser *cx = unit->parser;
  CxTokens range = unknown->u.unknown.tokens;
  bool is_kernel = false;
  for (uint32_t i = range.begin; i + 1 < range.end; i++) {
    is_kernel |= cx->tokens[i].kind == CX_TOK_GLOBAL;
    const CxToken *token = &cx->tokens[i];
    if (!is_kernel || token->kind != CX_TOK_IDENT ||
        token[1].kind != CX_TOK_LPAREN)
      continue;
    *span = (Span){token->begin, token->end};
    return parse_is_in_file(cx, unknown->span) ? token->u.name : NULL;
  }
  return NULL;
}

void cx_report_lost_kernels(CxUnit *unit, const Map *listed) {
  const CxParser *cx = unit->parser;
  const CxDecl *last = NULL;
  for (uint32_t i = 0; i < unit->n_unknowns; i++) {
    const CxDecl *decl = unit->unknowns[i];
    CxTokens tokens = decl->u.unknown.tokens;
    bool is_repeated = last && last->u.unknown.tokens.begin == tokens.begin;
    if (is_repeated || !has_kernel(cx, tokens) ||
        !parse_is_in_file(cx, decl->span) || map_has(listed, MAP_KEY(decl)))
      continue;
    cx_report_problems(unit, decl->u.unknown.problem);
    last = decl;
  }
}

CxUnit *cx_parse_unit(Arena *arena, Interner *interner, DiagEngine *diags,
                      SourceText *source) {
  CxParser *cx = new_parser(arena, interner, diags, source);
  CxUnit *unit = ARENA_NEW(arena, CxUnit);
  CxDeclVec decls = {0};
  cx->unit = unit;
  unit->source = source;
  unit->parser = cx;
  report_unbalanced(cx);
  while (!cx_at(cx, CX_TOK_EOF))
    cx_parse_declaration(cx, &decls, NULL, CX_ACCESS_NONE);
  attach_comments(cx);
  unit->decls = CX_LIST(CxDeclList, decls);
  unit->launches = cx->launches.data;
  unit->n_launches = cx->launches.count;
  unit->unknowns = cx->unknowns.data;
  unit->n_unknowns = cx->unknowns.count;
  unit->missing = cx->lexed.missing.data;
  unit->n_missing = cx->lexed.missing.count;
  return unit;
}

Span cx_tokens_span(const CxUnit *unit, CxTokens tokens) {
  HD_ASSERT(tokens.end <= unit->parser->lexed.tokens.count &&
            tokens.begin < unit->parser->lexed.tokens.count);
  const CxToken *all = unit->parser->lexed.tokens.data;
  if (tokens.begin >= tokens.end)
    return (Span){all[tokens.begin].begin, all[tokens.begin].begin};
  return (Span){all[tokens.begin].begin, all[tokens.end - 1].end};
}

bool cx_tokens_have(const CxUnit *unit, CxTokens tokens, const char *name) {
  const CxToken *all = unit->parser->lexed.tokens.data;
  for (uint32_t i = tokens.begin; i < tokens.end; i++)
    if (all[i].kind == CX_TOK_IDENT && strcmp(all[i].u.name, name) == 0)
      return true;
  return false;
}

// --- Pieces of text --------------------------------------------------------

static CxExpr *parse_whole(CxParser *cx) {
  CxExpr *expr = cx_parse_expr(cx);
  if (!cx_at(cx, CX_TOK_EOF))
    cx_expected(cx, "the end of the expression");
  return expr;
}

static CxScope *scope_for(CxParser *cx, const CxDecl *function) {
  return function ? cx_body_scope(cx, function) : cx->file_scope;
}

CxExpr *cx_parse_tokens(CxUnit *unit, CxDecl *function, CxTokens tokens) {
  HD_ASSERT(tokens.begin <= tokens.end &&
            tokens.end <= unit->parser->lexed.tokens.count);
  CxParser *cx = unit->parser;
  CxOutside outside = cx_begin(cx, scope_for(cx, function), tokens);
  CxExpr *expr = parse_whole(cx);
  const CxProblem *problems = cx_end(cx, &outside);
  cx_report_problems(unit, problems);
  if (problems)
    expr = cx_new_expr(cx, CX_EXPR_POISON, cx_tokens_span(unit, tokens));
  return expr;
}

static CxTokens lex_text(CxParser *cx, const char *text, Span span) {
  uint32_t begin =
      cx_lex_more(&cx->lexed, cx->arena, cx->interner, &cx->words, text, span);
  return (CxTokens){begin, cx->lexed.tokens.count - 1};
}

// What the first problem says, in words; NULL: none.
static const char *parse_explain(CxParser *cx, const CxProblem *problems) {
  while (problems && problems->next)
    problems = problems->next;
  if (!problems)
    return NULL;
  DiagEngine *engine = diag_engine_new(cx->arena, 1);
  CxUnit unit = *cx->unit;
  CxParser parser = *cx;
  parser.diags = engine;
  unit.parser = &parser;
  cx_report_problems(&unit, problems);
  uint32_t count;
  const Diag *const *list = diag_list(engine, &count);
  return count ? list[0]->message : "it is not understood";
}

CxExpr *cx_parse_text(CxUnit *unit, CxDecl *function, const char *text,
                      Span span, const char **why) {
  CxParser *cx = unit->parser;
  CxTokens tokens = lex_text(cx, text, span);
  CxOutside outside = cx_begin(cx, scope_for(cx, function), tokens);
  CxExpr *expr = parse_whole(cx);
  *why = parse_explain(cx, cx_end(cx, &outside));
  return *why ? NULL : expr;
}

const CxName *cx_parse_name_text(CxUnit *unit, const char *text,
                                 const char **why) {
  CxParser *cx = unit->parser;
  CxTokens tokens = lex_text(cx, text, (Span){0, 0});
  CxOutside outside = cx_begin(cx, cx->file_scope, tokens);
  const CxName *name = NULL;
  if (cx_at_name_start(cx))
    name = cx_parse_name(cx, true, NULL);
  if (!name || !cx_at(cx, CX_TOK_EOF))
    cx_expected(cx, name ? "the end of the name" : "a name");
  *why = parse_explain(cx, cx_end(cx, &outside));
  return *why ? NULL : name;
}
