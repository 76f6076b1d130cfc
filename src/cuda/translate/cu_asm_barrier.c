// SPDX-License-Identifier: Apache-2.0
// Inline assembly of addresses and mbarriers: what is more than a call.
#include "cuda/form/cu_address.h"
#include "cuda/form/cu_barrier.h"
#include "cuda/form/cu_names.h"
#include "cuda/form/cu_report.h"
#include "cuda/form/cu_tree.h"
#include "cuda/translate/cu_asm_parts.h"

#include <ctype.h>
#include <string.h>

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

// ---------------------------------------------------------------- addresses

// An address stays one in a register of the other size.
static bool moves_address(CuContext *cu, const CuInstruction *instruction) {
  static const char *const moves[] = {"cvt.u32.u64", "cvt.u64.u32", "mov.u32",
                                      "mov.b32",     "mov.u64",     "mov.b64"};
  bool is_move = false;
  for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
    is_move = is_move || strcmp(instruction->op, moves[i]) == 0;
  if (!is_move || instruction->n_operands != 2)
    return false;
  CuTrial trial = cu_trial_begin(cu);
  CuValue value = cu_asm_operand(cu, instruction, 1);
  bool is_wrong = cu_trial_end(cu, trial);
  if (is_wrong || !value.expr || !cu_is_number(cu_plain(value.type)))
    return false;
  value = cu_asm_operand(cu, instruction, 1);
  if (!cu_asm_store(cu, instruction, 0, value))
    cu_asm_refuse(cu, instruction);
  return true;
}

// mapa d, address, rank
static void map(CuContext *cu, const CuInstruction *instruction) {
  Span span = instruction->stmt->keyword;
  CuValue address = {0}, rank = {0};
  if (instruction->n_operands == 3) {
    address = cu_asm_operand(cu, instruction, 1);
    rank = cu_asm_operand(cu, instruction, 2);
  }
  if (!address.expr || !rank.expr || !cu_is_number(cu_plain(address.type))) {
    cu_asm_refuse(cu, instruction);
    return;
  }
  CuValue mapped = cu_map_address(cu, address, rank, span);
  if (mapped.expr && !cu_asm_store(cu, instruction, 0, mapped))
    cu_asm_refuse(cu, instruction);
}

// ---------------------------------------------------------------- elections

static const char *asm_barrier_trimmed(CuContext *cu, const char *text,
                                       size_t length) {
  while (length && isspace((unsigned char)text[length - 1]))
    length--;
  while (length && isspace((unsigned char)*text)) {
    text++;
    length--;
  }
  return cu_format(cu, "%.*s", (int)length, text);
}

// elect.sync d|p, mask: d is the lane, p whether it is this one.
static void elect(CuContext *cu, const CuInstruction *instruction) {
  const char *both = instruction->operands[0];
  size_t length = instruction->n_operands == 2 ? strcspn(both, "|") : 0;
  if (length == 0 || !both[length]) {
    cu_asm_refuse(cu, instruction);
    return;
  }
  const char *rest = both + length + 1;
  CuInstruction lane = *instruction, chosen = *instruction;
  lane.op = "elect.lane";
  lane.operands[0] = asm_barrier_trimmed(cu, both, length);
  chosen.op = "elect.chosen";
  chosen.operands[0] = asm_barrier_trimmed(cu, rest, strlen(rest));
  cu_asm_call(cu, &chosen);
  if (strcmp(lane.operands[0], "_") != 0 && !instruction->scope->has_failed)
    cu_asm_call(cu, &lane);
}

// ---------------------------------------------------------------- mbarriers

static uint32_t bracket(const CuInstruction *instruction) {
  uint32_t i = 0;
  while (i < instruction->n_operands && instruction->operands[i][0] != '[')
    i++;
  return i;
}

// Of a barrier of another block: only arrivals of one thread, once.
static void arrive_there(CuContext *cu, const CuInstruction *instruction,
                         Expr *barrier, Expr *rank) {
  Span span = instruction->stmt->keyword;
  bool is_plain = begins(instruction->op, "mbarrier.arrive.") &&
                  !strstr(instruction->op, "expect_tx") &&
                  !strstr(instruction->op, "noComplete");
  uint32_t at = bracket(instruction);
  bool is_once = at + 1 == instruction->n_operands ||
                 strcmp(instruction->operands[at + 1], "1") == 0;
  if (!is_plain || !is_once) {
    cu_asm_refuse(cu, instruction);
    return;
  }
  cu_add_stmt(cu, cu_expr_stmt(cu,
                               cu_word_call(cu, "arrive_remote",
                                            cu_clone(cu, barrier, span),
                                            cu_clone(cu, rank, span), span),
                               span));
}

// An mbarrier that isn't known as one is refused in words of its own.
static bool mbarrier(CuContext *cu, const CuInstruction *instruction) {
  uint32_t at = bracket(instruction);
  if (at == instruction->n_operands)
    return false;
  CuTrial trial = cu_trial_begin(cu);
  CuValue value = cu_asm_operand(cu, instruction, at);
  if (cu_trial_end(cu, trial) || !value.expr) {
    (void)cu_asm_operand(cu, instruction, at);
    instruction->scope->has_failed = true;
    return true;
  }
  Expr *barrier, *rank;
  if (cu_is_mapped_barrier(cu, &value, &barrier, &rank)) {
    arrive_there(cu, instruction, barrier, rank);
    return true;
  }
  if (cu_is_barrier_pointer(value.type))
    return false;
  cu_refuse_barrier(cu, instruction->stmt->keyword);
  instruction->scope->has_failed = true;
  return true;
}

bool cu_asm_address(CuContext *cu, const CuInstruction *instruction) {
  if (begins(instruction->op, "mapa.")) {
    map(cu, instruction);
    return true;
  }
  if (begins(instruction->op, "mbarrier."))
    return mbarrier(cu, instruction);
  if (strcmp(instruction->op, "elect.sync") == 0) {
    elect(cu, instruction);
    return true;
  }
  return moves_address(cu, instruction);
}

// ---------------------------------------------------------------- loops

size_t cu_asm_label(const char *text) {
  size_t length = 0;
  while (isalnum((unsigned char)text[length]) ||
         (text[length] && strchr("_$%=", text[length])))
    length++;
  return length && text[length] == ':' && text[length + 1] != ':' ? length : 0;
}

static const char *after_blanks(const char *text) {
  return text + strspn(text, " \t\r\n");
}

// @p bra.uni LABEL
typedef struct {
  const char *predicate; // NULL: always
  bool is_negated;
  const char *label;
  size_t length; // of the predicate
} Branch;

static bool read_branch(const char *text, Branch *out) {
  *out = (Branch){0};
  if (*text == '@') {
    out->is_negated = text[1] == '!';
    out->predicate = text + 1 + out->is_negated;
    out->length = strcspn(out->predicate, " \t\r\n");
    text = after_blanks(out->predicate + out->length);
  }
  if (!begins(text, "bra"))
    return false;
  text += 3;
  if (begins(text, ".uni"))
    text += 4;
  out->label = after_blanks(text);
  return out->label > text;
}

static bool asm_barrier_is_label(const char *text, const char *label,
                                 size_t length) {
  return strlen(text) == length && memcmp(text, label, length) == 0;
}

// L: asks p; @p bra D; bra L; D:          L: asks p; @!p bra L;
static uint32_t loop_length(char **texts, size_t label, const char *predicate,
                            size_t length) {
  Branch first, second;
  if (!texts[1] || !read_branch(texts[1], &first) || !first.predicate ||
      first.length != length || memcmp(first.predicate, predicate, length) != 0)
    return 0;
  if (first.is_negated)
    return asm_barrier_is_label(first.label, texts[0], label) ? 2 : 0;
  if (!texts[2] || !texts[3] || !read_branch(texts[2], &second) ||
      second.predicate || !asm_barrier_is_label(second.label, texts[0], label))
    return 0;
  size_t done = cu_asm_label(texts[3]);
  return done && asm_barrier_is_label(first.label, texts[3], done) ? 3 : 0;
}

uint32_t cu_asm_wait_loop(CuContext *cu, CuAsmScope *scope, char **texts) {
  size_t label = cu_asm_label(texts[0]);
  if (!label)
    return 0;
  const char *asks = after_blanks(texts[0] + label + 1);
  bool is_parity = begins(asks, "mbarrier.try_wait.parity.") ||
                   begins(asks, "mbarrier.test_wait.parity.");
  bool is_state = !is_parity && (begins(asks, "mbarrier.try_wait.") ||
                                 begins(asks, "mbarrier.test_wait."));
  const char *operands = asks + strcspn(asks, " \t\r\n");
  const char *predicate = after_blanks(operands);
  size_t length = strcspn(predicate, ", \t\r\n");
  const char *rest = after_blanks(predicate + length);
  uint32_t n = (is_parity || is_state) && *rest == ','
                   ? loop_length(texts, label, predicate, length)
                   : 0;
  if (n == 0)
    return 0;
  char *wait = arena_strdup(
      cu->arena, cu_format(cu, "%s %s",
                           is_parity ? "mbarrier.wait.parity" : "mbarrier.wait",
                           rest + 1));
  cu_asm_instruction(cu, scope, wait);
  if (n == 3) { // what stands behind the other label
    texts[3] += cu_asm_label(texts[3]) + 1;
    texts[3] += strspn(texts[3], "{} \t\r\n");
  }
  return n;
}
