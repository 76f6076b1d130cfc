// SPDX-License-Identifier: Apache-2.0
// Note [Chains across suspensions]
// LLVM keeps in a coroutine's frame what is used behind a suspension, except
// sums, casts, comparisons and the like: those it computes again, from whatever
// they are made of, without a limit. A sum that grows from barrier to barrier
// is then computed from its start behind each of them, and the code grows by
// the square of their number. A `freeze` is kept in the frame instead; values
// that take more than a few operations get one.
#include "codegen/llvm_chain.h"

#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

// Operations that are computed again for one value.
#define MOST_AGAIN 8

typedef struct {
  LLVMValueRef value;
  uint32_t cost;
} Cost;

typedef struct {
  Arena *arena;
  LLVMBuilderRef b;
  hd_vec(Cost) costs; // of one function, by number
  uint32_t *table;    // open addressing: number + 1
  size_t mask;
} Chains;

// Those that LLVM computes again (coro::defaultMaterializable).
static bool is_again(LLVMValueRef value) {
  return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
         LLVMIsACmpInst(value) || LLVMIsASelectInst(value) ||
         LLVMIsAGetElementPtrInst(value);
}

static uint32_t *chain_place_of(const Chains *c, LLVMValueRef value) {
  size_t at = ((uintptr_t)value >> 4) * 0x9E3779B97F4A7C15u >> 7 & c->mask;
  while (c->table[at] && c->costs.data[c->table[at] - 1].value != value)
    at = (at + 1) & c->mask;
  return &c->table[at];
}

static uint32_t cost_of(const Chains *c, LLVMValueRef value) {
  uint32_t number = *chain_place_of(c, value);
  return number ? c->costs.data[number - 1].cost : 0;
}

static void set_cost(Chains *c, LLVMValueRef value, uint32_t cost) {
  Cost entry = {value, cost};
  VEC_PUSH(c->arena, &c->costs, entry);
  *chain_place_of(c, value) = c->costs.count;
}

static void chain_cut(Chains *c, LLVMValueRef value) {
  LLVMPositionBuilderBefore(c->b, LLVMGetNextInstruction(value));
  LLVMValueRef frozen = LLVMBuildFreeze(c->b, value, "");
  LLVMReplaceAllUsesWith(value, frozen);
  LLVMSetOperand(frozen, 0, value); // which was replaced as well
}

static void chain_visit(Chains *c, LLVMValueRef value) {
  if (!is_again(value))
    return;
  uint32_t cost = 1;
  int n = LLVMGetNumOperands(value);
  for (int i = 0; i < n; i++)
    cost += cost_of(c, LLVMGetOperand(value, (unsigned)i));
  if (cost <= MOST_AGAIN)
    set_cost(c, value, cost);
  else
    chain_cut(c, value);
}

static void cut_function(Chains *c, LLVMValueRef function) {
  size_t n = 0, capacity = 64;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
         at = LLVMGetNextInstruction(at))
      n++;
  while (capacity < n * 2)
    capacity *= 2;
  c->mask = capacity - 1;
  c->costs.count = 0;
  c->table = ARENA_ARRAY(c->arena, uint32_t, capacity);
  // Blocks lie nearly in the order of control: an operand that comes later
  // counts as kept, which makes a chain longer by what is before it.
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
         at = LLVMGetNextInstruction(at))
      chain_visit(c, at);
}

void llvm_cut_chains(Arena *arena, LLVMModuleRef module) {
  Chains c = {.arena = arena};
  c.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    if (LLVMGetFirstBasicBlock(function))
      cut_function(&c, function);
  LLVMDisposeBuilder(c.b);
}
