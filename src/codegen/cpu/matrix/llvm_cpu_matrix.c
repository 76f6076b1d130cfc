// SPDX-License-Identifier: Apache-2.0
// Note [Matrix registers]
// AMX has eight registers of 16 rows of 64 bytes. One instruction adds to 16 x
// 16 sums the products of 16 rows of 16 words and 16 rows of 16 words, which
// are those of A and B as the nest has them (Note [Nests of products] in
// cpu_matrix.c). Two registers of A and two of B make four products, so that
// each is loaded for two: a block of sums has 32 rows and the 32 lanes. What is
// left over, rows or words, takes registers that are configured to have fewer.
// Registers are named here, so that nothing depends on what LLVM does with
// them. To configure them takes as long as three steps: a number in a slot
// says how they are now, and the function that runs blocks releases them.
#include "codegen/cpu/llvm_cpu.h"
#include "codegen/cpu/matrix/cpu_matrix.h"

enum {
  MATRIX_ROWS = 16,  // of a register
  MATRIX_WORDS = 16, // in its rows
  MATRIX_ROW_BYTES = 64,
  MATRIX_SUMS = 0, // registers 0 to 3, by row and column
  MATRIX_A = 4,    // 4 and 5
  MATRIX_B = 6,    // 6 and 7
  NOT_CONFIGURED = 0,
  OF_A_REST = -1,
  CONFIG_BYTES = 64,
  CONFIG_ROW_BYTES = 16, // where the bytes of rows stand, 16 bits each
  CONFIG_ROWS = 48,      // where the numbers of rows stand
};

typedef struct {
  CpuEmit *e;
  const CpuMatrix *nest;
  LLVMValueRef sums, a, b; // where they begin
  LLVMValueRef n;          // words, i64
  LLVMValueRef config;     // for the words that are left over
  uint32_t rows[2];        // of the block's registers; the second may be 0
  uint32_t words;          // of a step, where that is constant
  bool is_from_zero;
} Matrix;

// ----------------------------------------------------------- instructions

static void matrix_call(const Matrix *m, const char *name, LLVMValueRef *args,
                        unsigned n) {
  cpu_intrinsic(m->e, name, NULL, 0, args, n);
}

static LLVMValueRef matrix_register(const Matrix *m, uint32_t number) {
  return LLVMConstInt(m->e->i8, number, 0);
}

static void matrix_move(const Matrix *m, const char *name, uint32_t to,
                        LLVMValueRef from, int64_t row_bytes) {
  LLVMValueRef args[] = {matrix_register(m, to), from,
                         cpu_i64(m->e, row_bytes)};
  matrix_call(m, name, args, 3);
}

static const char *matrix_product(const CpuMatrix *nest) {
  switch ((int)nest->link) {
  case IR_DOT4:
    return nest->is_swapped ? "llvm.x86.tdpbsud" : "llvm.x86.tdpbusd";
  case IR_DOT4_S: return "llvm.x86.tdpbssd";
  case IR_DOT4_U: return "llvm.x86.tdpbuud";
  default: return "llvm.x86.tdpbf16ps";
  }
}

// The bytes that configure registers for blocks of these rows and so many
// words.
static void matrix_set(uint8_t *config, const uint32_t *rows, uint32_t words) {
  config[0] = 1; // the palette
  for (uint32_t i = 0; i < 8; i++) {
    bool is_a = i == MATRIX_A || i == MATRIX_A + 1;
    uint32_t part = is_a ? i - MATRIX_A : i / 2;
    config[CONFIG_ROW_BYTES + 2 * i] =
        (uint8_t)(is_a ? words * 4 : MATRIX_ROW_BYTES);
    config[CONFIG_ROWS + i] = (uint8_t)(i >= MATRIX_B ? words : rows[part]);
    if (config[CONFIG_ROWS + i] == 0) // all must have some
      config[CONFIG_ROWS + i] = 1;
  }
}

static LLVMValueRef matrix_bytes(const Matrix *m, const uint8_t *config) {
  CpuEmit *e = m->e;
  LLVMValueRef bytes[CONFIG_BYTES];
  for (uint32_t i = 0; i < CONFIG_BYTES; i++)
    bytes[i] = LLVMConstInt(e->i8, config[i], 0);
  return LLVMConstArray2(e->i8, bytes, CONFIG_BYTES);
}

static void matrix_configure(const Matrix *m, LLVMValueRef config) {
  matrix_call(m, "llvm.x86.ldtilecfg", &config, 1);
}

static LLVMValueRef matrix_now(CpuEmit *e) {
  if (e->matrix_now == NULL) {
    e->matrix_now = cpu_alloca(e, e->i32);
    LLVMBuildStore(e->hoist, cpu_i32(e, NOT_CONFIGURED), e->matrix_now);
  }
  return e->matrix_now;
}

static void matrix_note(const Matrix *m, int64_t how) {
  CpuEmit *e = m->e;
  LLVMBuildStore(e->b, cpu_i32(e, how), matrix_now(e));
}

static void matrix_configure_steps(const Matrix *m) {
  CpuEmit *e = m->e;
  uint8_t config[CONFIG_BYTES] = {0};
  const uint32_t base = MATRIX_ROWS + 1;
  int64_t how = 1 + (m->rows[0] * base + m->rows[1]) * base + m->words;
  LLVMBasicBlockRef other = cpu_new_block(e, "configure");
  LLVMBasicBlockRef done = cpu_new_block(e, "configured");
  LLVMValueRef now = LLVMBuildLoad2(e->b, e->i32, matrix_now(e), CPU_NAME);
  LLVMValueRef is =
      LLVMBuildICmp(e->b, LLVMIntEQ, now, cpu_i32(e, how), CPU_NAME);
  LLVMBuildCondBr(e->b, is, done, other);
  cpu_begin_block(e, other);
  matrix_set(config, m->rows, m->words);
  matrix_configure(m, cpu_constant_table(e, matrix_bytes(m, config)));
  matrix_note(m, how);
  LLVMBuildBr(e->b, done);
  cpu_begin_block(e, done);
}

static void matrix_put_byte(const Matrix *m, uint32_t at, LLVMValueRef value) {
  CpuEmit *e = m->e;
  value = LLVMBuildTrunc(e->b, value, e->i8, CPU_NAME);
  LLVMBuildStore(e->b, value, cpu_byte_offset(e, m->config, at));
}

// For `words` words, i64, which are fewer than a register has.
static void matrix_configure_rest(const Matrix *m, LLVMValueRef words) {
  CpuEmit *e = m->e;
  uint8_t config[CONFIG_BYTES] = {0};
  matrix_set(config, m->rows, MATRIX_WORDS);
  LLVMBuildStore(e->b, matrix_bytes(m, config), m->config);
  LLVMValueRef bytes = LLVMBuildMul(e->b, words, cpu_i64(e, 4), CPU_NAME);
  for (uint32_t i = 0; i < 2; i++) {
    matrix_put_byte(m, CONFIG_ROW_BYTES + 2 * (MATRIX_A + i), bytes);
    matrix_put_byte(m, CONFIG_ROWS + MATRIX_B + i, words);
  }
  matrix_configure(m, m->config);
  matrix_note(m, OF_A_REST);
}

// ------------------------------------------------------------------ blocks

static LLVMValueRef amx_at(const Matrix *m, LLVMValueRef base,
                           LLVMValueRef index, int64_t bytes) {
  CpuEmit *e = m->e;
  LLVMValueRef by = LLVMBuildMul(e->b, index, cpu_i64(e, bytes), CPU_NAME);
  return LLVMBuildGEP2(e->b, e->i8, base, &by, 1, CPU_NAME);
}

static uint32_t matrix_parts(const Matrix *m) {
  return m->rows[1] > 0 ? 2 : 1;
}

// Loads or stores the sums of the block at `at`.
static void matrix_sums(const Matrix *m, const char *name, LLVMValueRef at) {
  int64_t row = m->nest->sums.at.row;
  for (uint32_t i = 0; i < matrix_parts(m); i++)
    for (uint32_t j = 0; j < 2; j++)
      matrix_move(m, name, MATRIX_SUMS + 2 * i + j,
                  cpu_byte_offset(m->e, at,
                                  MATRIX_ROWS * row * i + MATRIX_ROW_BYTES * j),
                  row);
}

static void matrix_begin(const Matrix *m, LLVMValueRef at) {
  if (!m->is_from_zero) {
    matrix_sums(m, "llvm.x86.tileloadd64", at);
    return;
  }
  for (uint32_t i = 0; i < 2 * matrix_parts(m); i++) {
    LLVMValueRef number = matrix_register(m, MATRIX_SUMS + i);
    matrix_call(m, "llvm.x86.tilezero", &number, 1);
  }
}

// Adds the products of words from `k` on; `a` is where the block's rows begin.
static void matrix_step(const Matrix *m, LLVMValueRef a, LLVMValueRef k) {
  const CpuMatrix *nest = m->nest;
  LLVMValueRef from_a = amx_at(m, a, k, nest->a.at.k);
  LLVMValueRef from_b = amx_at(m, m->b, k, nest->b.at.k);
  for (uint32_t i = 0; i < matrix_parts(m); i++)
    matrix_move(m, "llvm.x86.tileloadd64", MATRIX_A + i,
                cpu_byte_offset(m->e, from_a, MATRIX_ROWS * nest->a.at.row * i),
                nest->a.at.row);
  for (uint32_t j = 0; j < 2; j++)
    matrix_move(m, "llvm.x86.tileloadd64", MATRIX_B + j,
                cpu_byte_offset(m->e, from_b, MATRIX_ROW_BYTES * j),
                nest->b.at.k);
  for (uint32_t i = 0; i < matrix_parts(m); i++)
    for (uint32_t j = 0; j < 2; j++) {
      LLVMValueRef args[] = {matrix_register(m, MATRIX_SUMS + 2 * i + j),
                             matrix_register(m, MATRIX_A + i),
                             matrix_register(m, MATRIX_B + j)};
      matrix_call(m, matrix_product(nest), args, 3);
    }
}

typedef struct {
  LLVMBasicBlockRef header, end;
  LLVMValueRef count; // i64
  int64_t step;
} MatrixLoop;

// From 0 to below `end`, a multiple of `step`; maybe no turn.
static MatrixLoop matrix_loop(const Matrix *m, LLVMValueRef end, int64_t step) {
  CpuEmit *e = m->e;
  MatrixLoop loop = {.step = step};
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef body = cpu_new_block(e, "matrix_body");
  LLVMValueRef zero = cpu_i64(e, 0);
  loop.header = cpu_new_block(e, "matrix");
  loop.end = cpu_new_block(e, "matrix_end");
  LLVMBuildBr(e->b, loop.header);
  cpu_begin_block(e, loop.header);
  loop.count = LLVMBuildPhi(e->b, e->i64, CPU_NAME);
  LLVMAddIncoming(loop.count, &zero, &before, 1);
  LLVMValueRef more =
      LLVMBuildICmp(e->b, LLVMIntSLT, loop.count, end, CPU_NAME);
  LLVMBuildCondBr(e->b, more, body, loop.end);
  cpu_begin_block(e, body);
  return loop;
}

static void matrix_loop_end(const Matrix *m, const MatrixLoop *loop) {
  CpuEmit *e = m->e;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
  LLVMValueRef next =
      LLVMBuildAdd(e->b, loop->count, cpu_i64(e, loop->step), CPU_NAME);
  LLVMAddIncoming(loop->count, &next, &here, 1);
  LLVMBuildBr(e->b, loop->header);
  cpu_begin_block(e, loop->end);
}

// `to` links (NULL: one step) from link `from` on, of a block whose first row
// is `row`, i64.
static void matrix_block(const Matrix *m, LLVMValueRef row, LLVMValueRef from,
                         LLVMValueRef to) {
  CpuEmit *e = m->e;
  LLVMValueRef sums = amx_at(m, m->sums, row, m->nest->sums.at.row);
  LLVMValueRef a = amx_at(m, m->a, row, m->nest->a.at.row);
  matrix_begin(m, sums);
  if (to == NULL) {
    matrix_step(m, a, from);
  } else {
    MatrixLoop chain = matrix_loop(m, to, m->words);
    matrix_step(m, a, LLVMBuildAdd(e->b, from, chain.count, CPU_NAME));
    matrix_loop_end(m, &chain);
  }
  matrix_sums(m, "llvm.x86.tilestored64", sums);
}

// --------------------------------------------------------------- the nest

// Full blocks of rows, then what is left of them.
static void matrix_each_block(Matrix *m, LLVMValueRef from, LLVMValueRef to,
                              LLVMValueRef words) {
  CpuEmit *e = m->e;
  const uint32_t most = 2 * MATRIX_ROWS;
  uint32_t full = m->nest->n_rows / most * most, rest = m->nest->n_rows - full;
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t rows = i == 0 ? most : rest;
    if ((i == 0 ? full : rest) == 0)
      continue;
    m->rows[0] = rows > MATRIX_ROWS ? MATRIX_ROWS : rows;
    m->rows[1] = rows - m->rows[0];
    if (words)
      matrix_configure_rest(m, words);
    else
      matrix_configure_steps(m);
    if (i == 1) {
      matrix_block(m, cpu_i64(e, full), from, to);
      continue;
    }
    MatrixLoop blocks = matrix_loop(m, cpu_i64(e, full), most);
    matrix_block(m, blocks.count, from, to);
    matrix_loop_end(m, &blocks);
  }
}

static LLVMValueRef matrix_number(CpuEmit *e, const CpuLinear *form) {
  LLVMValueRef sum = cpu_i64(e, form->constant);
  for (uint32_t i = 0; i < form->n_terms; i++) {
    const IrNode *node = form->terms[i].node;
    CpuLeaf leaf =
        form->terms[i].is_inside
            ? cpu_load_var(e, e->plan->var_leaf[node->u.variable.var],
                           node->type)
            : cpu_leaf(e, node, 0);
    LLVMValueRef term = LLVMBuildMul(
        e->b, cpu_base(e, leaf), cpu_i64(e, form->terms[i].times), CPU_NAME);
    sum = LLVMBuildAdd(e->b, sum, term, CPU_NAME);
  }
  return sum;
}

static LLVMValueRef matrix_place(CpuEmit *e, const CpuMatrixPlace *place) {
  LLVMValueRef offset = matrix_number(e, &place->at);
  return LLVMBuildGEP2(e->b, e->i8, cpu_object_base(e, place->object), &offset,
                       1, CPU_NAME);
}

// A number of links that only the launch knows: those of as many words as fill
// registers, then those of the words left over.
static void matrix_emit_some(Matrix *m) {
  CpuEmit *e = m->e;
  LLVMBasicBlockRef some = cpu_new_block(e, "matrix_rest");
  LLVMBasicBlockRef end = cpu_new_block(e, "matrix_done");
  LLVMValueRef rest =
      LLVMBuildAnd(e->b, m->n, cpu_i64(e, MATRIX_WORDS - 1), CPU_NAME);
  LLVMValueRef full = LLVMBuildSub(e->b, m->n, rest, CPU_NAME);
  matrix_each_block(m, cpu_i64(e, 0), full, NULL);
  m->is_from_zero = false;
  LLVMValueRef is_more =
      LLVMBuildICmp(e->b, LLVMIntNE, rest, cpu_i64(e, 0), CPU_NAME);
  LLVMBuildCondBr(e->b, is_more, some, end);
  cpu_begin_block(e, some);
  matrix_each_block(m, full, NULL, rest);
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
}

// Steps of equal lengths, if there are such; else of full length and a rest.
static void matrix_emit_constant(Matrix *m, int64_t n) {
  CpuEmit *e = m->e;
  int64_t n_steps = (n + MATRIX_WORDS - 1) / MATRIX_WORDS;
  if (n_steps > 0 && n % n_steps == 0)
    m->words = (uint32_t)(n / n_steps);
  int64_t rest = n % m->words;
  if (n > rest || m->is_from_zero)
    matrix_each_block(m, cpu_i64(e, 0), cpu_i64(e, n - rest), NULL);
  if (rest == 0)
    return;
  m->is_from_zero &= n == rest;
  m->words = (uint32_t)rest;
  matrix_each_block(m, cpu_i64(e, n - rest), cpu_i64(e, rest), NULL);
}

static void matrix_emit(Matrix *m) {
  const CpuLinear *n = &m->nest->n_words;
  if (n->n_terms == 0)
    matrix_emit_constant(m, n->constant > 0 ? n->constant : 0);
  else
    matrix_emit_some(m);
}

bool cpu_emit_matrix(CpuEmit *e, const IrNode *node) {
  CpuMatrix nest;
  if (!e->target->has_matrix || e->mask || e->lanes != CPU_WARP ||
      e->first_lane || e->is_coroutine ||
      !cpu_matrix_find(e->plan, node, &nest))
    return false;
  Matrix m = {.e = e,
              .nest = &nest,
              .words = MATRIX_WORDS,
              .is_from_zero = nest.is_from_zero};
  m.config = cpu_alloca(e, LLVMArrayType2(e->i8, CONFIG_BYTES));
  m.sums = matrix_place(e, &nest.sums);
  m.a = matrix_place(e, &nest.a);
  m.b = matrix_place(e, &nest.b);
  LLVMValueRef n = matrix_number(e, &nest.n_words), none = cpu_i64(e, 0);
  LLVMValueRef is_some = LLVMBuildICmp(e->b, LLVMIntSGT, n, none, CPU_NAME);
  m.n = LLVMBuildSelect(e->b, is_some, n, none, CPU_NAME);
  cpu_forget_object(e, nest.sums.object);
  cpu_see_rows(e, nest.a.object);
  cpu_see_rows(e, nest.b.object);
  matrix_emit(&m);
  return true;
}

void cpu_end_matrix(CpuEmit *e) {
  if (e->matrix_now == NULL)
    return;
  LLVMBasicBlockRef some = cpu_new_block(e, "release");
  LLVMBasicBlockRef end = cpu_new_block(e, "released");
  LLVMValueRef now = LLVMBuildLoad2(e->b, e->i32, e->matrix_now, CPU_NAME);
  LLVMValueRef is =
      LLVMBuildICmp(e->b, LLVMIntEQ, now, cpu_i32(e, NOT_CONFIGURED), CPU_NAME);
  LLVMBuildCondBr(e->b, is, end, some);
  cpu_begin_block(e, some);
  cpu_intrinsic(e, "llvm.x86.tilerelease", NULL, 0, NULL, 0);
  LLVMBuildBr(e->b, end);
  cpu_begin_block(e, end);
}
