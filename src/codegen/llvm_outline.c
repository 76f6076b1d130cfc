// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters that the processor doesn't have become a branch a lane
// (LLVM's scalarize-masked-mem-intrin), each of which splits the block that it
// is in: the time grows by the square of what a block holds. In functions with
// many of them each kind is a function of its own, which is split once.
#include "codegen/llvm_outline.h"

#include "base/vec.h"
#include <stdio.h>
#include <string.h>

enum { MANY = 256, FUNCTION_INDEX = -1 };

typedef struct {
  LLVMValueRef intrinsic, made;
  uint64_t align_bytes;
} Outlined;

typedef struct {
  Arena *arena;
  LLVMModuleRef module;
  hd_vec(LLVMValueRef) calls;
  hd_vec(Outlined) made;
} Outliner;

// Index of the parameter that holds the addresses, from 1; 0: another call.
static unsigned addresses_of(LLVMValueRef call) {
  static const char gather[] = "llvm.masked.gather.",
                    scatter[] = "llvm.masked.scatter.";
  size_t length = 0;
  if (LLVMGetInstructionOpcode(call) != LLVMCall)
    return 0;
  LLVMValueRef callee = LLVMGetCalledValue(call);
  const char *name = LLVMGetValueName2(callee, &length);
  if (strncmp(name, gather, strlen(gather)) == 0)
    return 1;
  return strncmp(name, scatter, strlen(scatter)) == 0 ? 2 : 0;
}

static void outline_collect(Outliner *o, LLVMValueRef function) {
  o->calls.count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
         at = LLVMGetNextInstruction(at))
      if (addresses_of(at))
        VEC_PUSH(o->arena, &o->calls, at);
}

static LLVMAttributeRef outline_align_of(LLVMValueRef call) {
  unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
  return LLVMGetCallSiteEnumAttribute(call, addresses_of(call), kind);
}

// What the function is compiled for decides how vectors are passed.
static void copy_target(LLVMValueRef from, LLVMValueRef to) {
  static const char *const names[] = {"target-cpu", "target-features",
                                      "min-legal-vector-width",
                                      "prefer-vector-width"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(from, (LLVMAttributeIndex)FUNCTION_INDEX,
                                      names[i], (unsigned)strlen(names[i]));
    if (attribute)
      LLVMAddAttributeAtIndex(to, (LLVMAttributeIndex)FUNCTION_INDEX,
                              attribute);
  }
}

static LLVMValueRef outline_make(Outliner *o, LLVMValueRef caller,
                                 LLVMValueRef call) {
  LLVMContextRef cx = LLVMGetModuleContext(o->module);
  LLVMValueRef intrinsic = LLVMGetCalledValue(call);
  LLVMTypeRef type = LLVMGlobalGetValueType(intrinsic);
  char name[32];
  snprintf(name, sizeof name, "outlined.%u", (unsigned)o->made.count);
  LLVMValueRef made = LLVMAddFunction(o->module, name, type);
  LLVMSetLinkage(made, LLVMInternalLinkage);
  unsigned noinline = LLVMGetEnumAttributeKindForName("noinline", 8);
  LLVMAddAttributeAtIndex(made, (LLVMAttributeIndex)FUNCTION_INDEX,
                          LLVMCreateEnumAttribute(cx, noinline, 0));
  copy_target(caller, made);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(cx);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(cx, made, ""));
  LLVMValueRef args[4];
  unsigned n = LLVMCountParams(made);
  LLVMGetParams(made, args);
  LLVMValueRef inner = LLVMBuildCall2(b, type, intrinsic, args, n, "");
  LLVMAttributeRef align = outline_align_of(call);
  if (align)
    LLVMAddCallSiteAttribute(inner, addresses_of(call), align);
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(b);
  else
    LLVMBuildRet(b, inner);
  LLVMDisposeBuilder(b);
  return made;
}

static LLVMValueRef outlined(Outliner *o, LLVMValueRef caller,
                             LLVMValueRef call) {
  LLVMAttributeRef align = outline_align_of(call);
  uint64_t align_bytes = align ? LLVMGetEnumAttributeValue(align) : 0;
  LLVMValueRef intrinsic = LLVMGetCalledValue(call);
  for (uint32_t i = 0; i < o->made.count; i++)
    if (o->made.data[i].intrinsic == intrinsic &&
        o->made.data[i].align_bytes == align_bytes)
      return o->made.data[i].made;
  Outlined entry = {intrinsic, outline_make(o, caller, call), align_bytes};
  VEC_PUSH(o->arena, &o->made, entry);
  return entry.made;
}

void llvm_outline(Arena *arena, LLVMModuleRef module) {
  Outliner o = {.arena = arena, .module = module};
  LLVMValueRef last = LLVMGetLastFunction(module);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    outline_collect(&o, function);
    for (uint32_t i = 0; o.calls.count > MANY && i < o.calls.count; i++) {
      LLVMValueRef call = o.calls.data[i];
      unsigned n = (unsigned)LLVMGetNumOperands(call);
      LLVMSetOperand(call, n - 1, outlined(&o, function, call));
    }
    if (function == last)
      break;
  }
}
