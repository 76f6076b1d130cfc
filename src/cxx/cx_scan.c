// SPDX-License-Identifier: Apache-2.0
// Launches in the bodies of host functions, whose statements are not parsed:
// the name before <<<, the parts of the configuration, and the variables of
// the function that these may name; likewise of calls of cudaLaunchKernel.
#include "cxx/cx_parser.h"

#include <string.h>

typedef hd_vec(CxHostVar) HostVarVec;

static bool scan_is_opener(unsigned kind) {
  return kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACKET ||
         kind == CX_TOK_LBRACE;
}

// --- The name --------------------------------------------------------------

// The `<` that belongs to the `>` at `pos`; 0: none near.
static uint32_t back_over_args(const CxParser *cx, uint32_t pos,
                               uint32_t first) {
  uint32_t depth = 0;
  for (uint32_t at = pos; at > first; at--) {
    unsigned kind = cx->tokens[at].kind;
    bool is_closer = kind == CX_TOK_RPAREN || kind == CX_TOK_RBRACKET;
    if (cx_ends_statement(kind))
      return 0;
    if (is_closer && cx->tokens[at].u.match < at)
      at = cx->tokens[at].u.match;
    depth += kind == CX_TOK_GT;
    if (kind == CX_TOK_LT && --depth == 0)
      return at;
  }
  return 0;
}

// Where the name that ends before `end` begins; `end` if none does.
static uint32_t back_over_name(const CxParser *cx, uint32_t end,
                               uint32_t first) {
  uint32_t begin = end;
  for (uint32_t at = end; at > first;) {
    uint32_t last = at - 1;
    if (cx->tokens[last].kind == CX_TOK_GT) {
      last = back_over_args(cx, last, first);
      if (last <= first)
        return end;
      last--;
    }
    if (cx->tokens[last].kind != CX_TOK_IDENT)
      return begin;
    begin = at = last;
    if (at > first && cx->tokens[at - 1].kind == CX_TOK_TEMPLATE)
      at--;
    if (at <= first || cx->tokens[at - 1].kind != CX_TOK_COLON_COLON)
      return begin;
    begin = --at; // of ::x, or a::x
  }
  return begin;
}

static const CxName *parse_kernel(CxParser *cx, CxDecl *function,
                                  uint32_t begin, uint32_t end) {
  CxTokens tokens = {begin, end};
  CxScope *scope = function->u.function.inside;
  CxOutside outside = cx_begin(cx, scope, tokens);
  const CxName *name = NULL;
  if (cx_at_name_start(cx))
    name = cx_parse_name(cx, true, NULL);
  bool is_whole = cx_at(cx, CX_TOK_EOF);
  return cx_end(cx, &outside) || !is_whole ? NULL : name;
}

// --- The configuration -----------------------------------------------------

// A launch that is written `<< <` may end in `>> >`.
static bool at_end_of_config(const CxParser *cx, uint32_t pos,
                             bool may_have_gaps) {
  return cx_kind_at(cx, pos) == CX_TOK_GT &&
         cx_kind_at(cx, pos + 1) == CX_TOK_GT &&
         cx_kind_at(cx, pos + 2) == CX_TOK_GT &&
         cx->tokens[pos + 1].is_joined &&
         (may_have_gaps || cx->tokens[pos + 2].is_joined) &&
         cx_kind_at(cx, pos + 3) == CX_TOK_LPAREN;
}

// Splits what stands behind <<< at commas. Gives the position behind >>>, 0 if
// that doesn't come.
static uint32_t split_config(const CxParser *cx, uint32_t pos,
                             CxTokens parts[4]) {
  const CxToken *opener = &cx->tokens[pos - 1];
  bool has_gap = opener->end - opener->begin > 3;
  uint32_t part = 0;
  uint32_t end;
  parts[0].begin = pos;
  while (pos < cx->limit) {
    unsigned kind = cx->tokens[pos].kind;
    if (at_end_of_config(cx, pos, has_gap)) {
      parts[part].end = pos;
      return pos + 3;
    }
    if (kind == CX_TOK_SEMICOLON || kind == CX_TOK_RBRACE ||
        kind == CX_TOK_LAUNCH)
      return 0;
    if (kind == CX_TOK_COMMA && part < 3) {
      parts[part++].end = pos;
      parts[part].begin = pos + 1;
    }
    if (scan_is_opener(kind))
      pos = cx_behind_brackets(cx, pos);
    else if (kind == CX_TOK_LT && cx_looks_like_args(cx, pos, &end) &&
             cx_kind_at(cx, end) == CX_TOK_LPAREN &&
             !at_end_of_config(cx, end - 3, has_gap))
      pos = end;
    else
      pos++;
  }
  return 0;
}

// --- Variables -------------------------------------------------------------

static bool is_type_token(unsigned kind) {
  return kind == CX_TOK_IDENT || kind == CX_TOK_AUTO || kind == CX_TOK_INT ||
         kind == CX_TOK_UNSIGNED || kind == CX_TOK_LONG ||
         kind == CX_TOK_SHORT || kind == CX_TOK_CHAR_TYPE ||
         kind == CX_TOK_FLOAT || kind == CX_TOK_DOUBLE;
}

static bool begins_statement(unsigned before) {
  return cx_ends_statement(before) || before == CX_TOK_RPAREN ||
         before == CX_TOK_ELSE || before == CX_TOK_CONST ||
         before == CX_TOK_CONSTEXPR || before == CX_TOK_STATIC ||
         before == CX_TOK_COLON_COLON || is_type_token(before);
}

// The end of the initialiser behind `=` at `pos`: the `,` or `;`.
static uint32_t end_of_value(const CxParser *cx, uint32_t pos) {
  while (pos < cx->limit) {
    unsigned kind = cx->tokens[pos].kind;
    if (kind == CX_TOK_COMMA || kind == CX_TOK_SEMICOLON ||
        kind == CX_TOK_RBRACE || kind == CX_TOK_RPAREN)
      return pos;
    pos = scan_is_opener(kind) ? cx_behind_brackets(cx, pos) : pos + 1;
  }
  return pos;
}

// The initialiser at `pos`, behind the variable's name, if there is one. Gives
// the position behind it, or 0.
static uint32_t read_init(const CxParser *cx, uint32_t pos, CxHostVar *var) {
  unsigned kind = cx_kind_at(cx, pos);
  if (kind == CX_TOK_SEMICOLON || kind == CX_TOK_COMMA)
    return pos;
  if (kind == CX_TOK_EQ) {
    var->init_kind = CX_INIT_EQUAL;
    var->init = (CxTokens){pos + 1, end_of_value(cx, pos + 1)};
    return var->init.end;
  }
  if (kind != CX_TOK_LPAREN && kind != CX_TOK_LBRACE)
    return 0;
  uint32_t behind = cx_behind_brackets(cx, pos);
  var->init_kind = kind == CX_TOK_LPAREN ? CX_INIT_PAREN : CX_INIT_BRACE;
  var->init = (CxTokens){pos + 1, behind > pos + 1 ? behind - 1 : pos + 1};
  return behind;
}

// The declaration whose last type word is at `pos`: all its variables.
static void add_vars(CxParser *cx, uint32_t pos, HostVarVec *out) {
  const char *type = cx->tokens[pos].u.name;
  do {
    CxHostVar var = {
        .name = cx->tokens[pos + 1].u.name, .type = type, .at = pos + 1};
    uint32_t behind = read_init(cx, pos + 2, &var);
    if (behind == 0)
      return;
    VEC_PUSH(cx->arena, out, var);
    pos = behind;
  } while (cx_kind_at(cx, pos) == CX_TOK_COMMA &&
           cx_kind_at(cx, pos + 1) == CX_TOK_IDENT);
}

// The variables declared in [begin, end), in order.
static void find_vars(CxParser *cx, uint32_t begin, uint32_t end,
                      HostVarVec *out) {
  for (uint32_t at = begin + 1; at + 2 < end; at++) {
    unsigned next = cx_kind_at(cx, at + 2);
    bool is_variable = next == CX_TOK_EQ || next == CX_TOK_LPAREN ||
                       next == CX_TOK_LBRACE || next == CX_TOK_COMMA ||
                       next == CX_TOK_SEMICOLON;
    if (is_variable && is_type_token(cx->tokens[at].kind) &&
        cx->tokens[at + 1].kind == CX_TOK_IDENT &&
        begins_statement(cx->tokens[at - 1].kind))
      add_vars(cx, at, out);
  }
}

void cx_find_host_vars(const CxUnit *unit, const CxDecl *function, uint32_t at,
                       const CxHostVar **vars, uint32_t *n_vars) {
  HostVarVec found = {0};
  find_vars(unit->parser, function->u.function.body.begin, at, &found);
  *vars = found.data;
  *n_vars = found.count;
}

// --- Bodies ----------------------------------------------------------------

static void add_launch(CxParser *cx, CxDecl *function, uint32_t at,
                       const HostVarVec *vars) {
  uint32_t first = function->u.function.body.begin;
  uint32_t begin = back_over_name(cx, at, first);
  CxTokens parts[4] = {{0, 0}};
  uint32_t behind = split_config(cx, at + 1, parts);
  if (begin == at || behind == 0)
    return;
  CxLaunch launch = {
      .span = {cx->tokens[begin].begin, cx->tokens[behind - 1].end},
      .at = at,
      .kernel = parse_kernel(cx, function, begin, at),
      .name = {begin, at},
      .grid = parts[0],
      .block = parts[1],
      .shared = parts[2],
      .args = {behind + 1, cx_behind_brackets(cx, behind) - 1},
      .is_plain = true,
      .function = function,
      .vars = vars->data,
      .n_vars = vars->count};
  if (launch.kernel)
    VEC_PUSH(cx->arena, &cx->launches, launch);
}

// --- Calls -----------------------------------------------------------------

enum { MOST_ARGS = 8 };

// The arguments of the call whose `(` is at `pos`; the last of those that are
// kept has all that follows.
static uint32_t split_call(const CxParser *cx, uint32_t pos, uint32_t most,
                           CxTokens args[MOST_ARGS]) {
  uint32_t end = cx_behind_brackets(cx, pos) - 1, n = 0, behind;
  args[0].begin = ++pos;
  while (pos < end) {
    unsigned kind = cx->tokens[pos].kind;
    if (kind == CX_TOK_COMMA && n + 1 < most) {
      args[n++].end = pos;
      args[n].begin = pos + 1;
    }
    if (scan_is_opener(kind))
      pos = cx_behind_brackets(cx, pos);
    else if (kind == CX_TOK_LT && cx_looks_like_args(cx, pos, &behind) &&
             behind <= end)
      pos = behind;
    else
      pos++;
  }
  args[n].end = end;
  return n + 1;
}

// (void *)&k, reinterpret_cast<void *>(k<4>)
static const CxName *parse_function(CxParser *cx, CxDecl *function,
                                    CxTokens tokens) {
  uint32_t behind;
  if (cx_kind_at(cx, tokens.begin) == CX_TOK_REINTERPRET_CAST &&
      cx_looks_like_args(cx, tokens.begin + 1, &behind))
    tokens.begin = behind;
  while (tokens.begin < tokens.end &&
         cx_kind_at(cx, tokens.begin) == CX_TOK_LPAREN) {
    behind = cx_behind_brackets(cx, tokens.begin);
    if (behind == tokens.end)
      tokens = (CxTokens){tokens.begin + 1, behind - 1};
    else
      tokens.begin = behind;
  }
  tokens.begin += cx_kind_at(cx, tokens.begin) == CX_TOK_AMP;
  return tokens.begin < tokens.end
             ? parse_kernel(cx, function, tokens.begin, tokens.end)
             : NULL;
}

// cudaLaunchKernel(k, grid, block, args, bytes, stream)
static bool read_plain_call(CxParser *cx, CxLaunch *launch) {
  CxTokens args[MOST_ARGS] = {{0, 0}};
  if (split_call(cx, launch->at + 1, MOST_ARGS, args) < 4)
    return false;
  launch->kernel = parse_function(cx, launch->function, args[0]);
  launch->name = args[0];
  launch->grid = args[1];
  launch->block = args[2];
  launch->args = args[3];
  launch->shared = args[4];
  launch->has_pointers = true;
  return launch->kernel;
}

// cudaLaunchKernelEx(&config, k, …)
static bool read_config_call(CxParser *cx, CxLaunch *launch, bool is_c) {
  CxTokens args[MOST_ARGS] = {{0, 0}};
  uint32_t n = split_call(cx, launch->at + 1, 3, args);
  uint32_t name = args[0].end - 1;
  if (n < 2 || cx_kind_at(cx, name) != CX_TOK_IDENT)
    return false;
  launch->config = cx->tokens[name].u.name;
  launch->kernel = parse_function(cx, launch->function, args[1]);
  launch->name = args[1];
  launch->args = args[2];
  launch->has_pointers = is_c;
  return launch->kernel;
}

static void scan_add_call(CxParser *cx, CxDecl *function, uint32_t at,
                          const HostVarVec *vars) {
  const char *name = cx->tokens[at].u.name;
  bool is_c = strcmp(name, "cudaLaunchKernelExC") == 0;
  bool has_config = is_c || strcmp(name, "cudaLaunchKernelEx") == 0;
  bool is_plain = strcmp(name, "cudaLaunchKernel") == 0 ||
                  strcmp(name, "cudaLaunchCooperativeKernel") == 0;
  if ((!is_plain && !has_config) || cx_kind_at(cx, at + 1) != CX_TOK_LPAREN)
    return;
  uint32_t behind = cx_behind_brackets(cx, at + 1);
  CxLaunch launch = {.span = {cx->tokens[at].begin, cx->tokens[behind - 1].end},
                     .at = at,
                     .is_plain = strcmp(name, "cudaLaunchKernel") == 0,
                     .function = function,
                     .vars = vars->data,
                     .n_vars = vars->count};
  if (is_plain ? read_plain_call(cx, &launch)
               : read_config_call(cx, &launch, is_c))
    VEC_PUSH(cx->arena, &cx->launches, launch);
}

void cx_scan_body(CxParser *cx, CxDecl *function) {
  CxTokens body = function->u.function.body;
  uint32_t count = cx->lexed.launches.count;
  HostVarVec vars = {0};
  uint32_t begin = body.begin;
  for (; cx->next_launch < count; cx->next_launch++) {
    uint32_t at = cx->lexed.launches.data[cx->next_launch];
    bool is_config = cx_kind_at(cx, at) == CX_TOK_LAUNCH;
    if (at >= body.end)
      return;
    if (at < body.begin || (!is_config && cx_kind_at(cx, at) != CX_TOK_IDENT))
      continue;
    find_vars(cx, begin, at, &vars);
    begin = at;
    if (is_config)
      add_launch(cx, function, at, &vars);
    else
      scan_add_call(cx, function, at, &vars);
  }
}
