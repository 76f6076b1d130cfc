// SPDX-License-Identifier: Apache-2.0
// Changes of host variables in branches: what rounds a number of blocks up,
// and what keeps it within bounds.
#include "cuda/host/cx_host.h"
#include "cuda/host/cx_writes.h"
#include "cxx/cx_parser.h"

// A branch with the change at its beginning.
typedef struct {
  uint32_t begin, end; // with its braces
  CxTokens place;
  CxArm arm;
} ChangedArm;

static uint32_t branches_end_of_statement(const CxParser *cx, uint32_t pos) {
  while (pos < cx->limit && cx_kind_at(cx, pos) != CX_TOK_SEMICOLON) {
    unsigned kind = cx_kind_at(cx, pos);
    if (kind == CX_TOK_RPAREN || kind == CX_TOK_RBRACE || kind == CX_TOK_COMMA)
      return 0;
    bool opens = kind == CX_TOK_LPAREN || kind == CX_TOK_LBRACE ||
                 kind == CX_TOK_LBRACKET;
    pos = opens ? cx_behind_brackets(cx, pos) : pos + 1;
  }
  return pos;
}

// place = value; place += value; place++; ++place;
static bool branches_read_change(const CxParser *cx, const CxPlace *place,
                                 uint32_t pos, ChangedArm *out) {
  uint32_t behind = pos + 1;
  for (uint32_t i = 0; i < place->n_members; i++) {
    if (cx_kind_at(cx, behind) != CX_TOK_DOT ||
        !cx_is_named(cx, behind + 1, place->members[i]))
      return false;
    behind += 2;
  }
  unsigned op = cx_kind_at(cx, behind), before = cx_kind_at(cx, pos - 1);
  bool is_raised = op == CX_TOK_PLUS_PLUS || before == CX_TOK_PLUS_PLUS;
  uint32_t end = branches_end_of_statement(cx, behind);
  out->place = (CxTokens){pos, behind};
  out->begin = pos - (before == CX_TOK_PLUS_PLUS);
  out->end = end + 1;
  out->arm.kind = op == CX_TOK_EQ        ? CX_ARM_VALUE
                  : op == CX_TOK_PLUS_EQ ? CX_ARM_ADDED
                  : is_raised            ? CX_ARM_RAISED
                                         : CX_ARM_NONE;
  if (!is_raised)
    out->arm.value = (CxTokens){behind + 1, end};
  bool is_whole =
      end == behind + (op == CX_TOK_PLUS_PLUS) || (!is_raised && end > behind);
  for (uint32_t at = out->arm.value.begin; at < out->arm.value.end; at++)
    if (cx_assigns_at(cx, at))
      return false;
  return end > 0 && is_whole && out->arm.kind != CX_ARM_NONE;
}

static bool branches_read_arm(const CxParser *cx, const CxPlace *place,
                              uint32_t pos, ChangedArm *out) {
  *out = (ChangedArm){0};
  if (!branches_read_change(cx, place, pos, out))
    return false;
  if (cx_kind_at(cx, out->begin - 1) == CX_TOK_LBRACE) {
    out->begin--;
    out->end = cx_behind_brackets(cx, out->begin);
  }
  return true;
}

// The `if` whose first branch begins at `begin`; 0: none.
static uint32_t branches_if_before(const CxParser *cx, uint32_t begin) {
  uint32_t open = cx_kind_at(cx, begin - 1) == CX_TOK_RPAREN
                      ? cx->tokens[begin - 1].u.match
                      : 0;
  return open > 1 && open < begin && cx_kind_at(cx, open - 1) == CX_TOK_IF
             ? open - 1
             : 0;
}

// From the `if` on, by the branch that changes the place last and the change
// before it (0: none).
static bool branches_read(const CxParser *cx, const CxPlace *place,
                          uint32_t last, uint32_t previous, CxBranch *out,
                          uint32_t *end) {
  ChangedArm arm, first;
  if (!branches_read_arm(cx, place, last, &arm))
    return false;
  bool is_no = cx_kind_at(cx, arm.begin - 1) == CX_TOK_ELSE;
  if (!is_no) {
    first = arm;
  } else if (previous == 0 || !branches_read_arm(cx, place, previous, &first) ||
             first.end != arm.begin - 1) {
    return false;
  }
  *out = (CxBranch){.place = arm.place,
                    .yes = first.arm,
                    .at = branches_if_before(cx, first.begin)};
  if (out->at == 0)
    return false;
  if (is_no)
    out->no = arm.arm;
  out->condition = (CxTokens){out->at + 2, first.begin - 1};
  *end = arm.end;
  return true;
}

bool cx_last_branch(const CxUnit *unit, const CxDecl *function,
                    const CxPlace *place, uint32_t from, uint32_t at,
                    CxBranch *out) {
  const CxParser *cx = unit->parser;
  uint32_t first = function->u.function.body.begin + 1, end;
  uint32_t last = 0, previous = 0;
  for (uint32_t pos = from ? from + 1 : first; pos < at; pos++) {
    if (!cx_writes_place(cx, place, pos))
      continue;
    previous = last;
    last = pos;
  }
  return last > 0 && branches_read(cx, place, last, previous, out, &end) &&
         end <= at && cx_is_always_done(unit, out->at, at) &&
         !cx_is_known_elsewhere(unit, function, place, at) &&
         cx_is_unchanged(unit, function, place, end, at);
}
