// SPDX-License-Identifier: Apache-2.0
// Values that stay what they are where CUDA names another type: addresses of
// shared memory as integers, mbarriers that are words of 64 bits.
#ifndef HD_CUDA_FORM_CU_ADDRESS_H
#define HD_CUDA_FORM_CU_ADDRESS_H

#include "cuda/form/cu_value.h"

// An integer of 64 bits.
bool cu_is_word(const CuType *type);
// A pointer to an mbarrier that the program declares as a word.
bool cu_is_word_barrier(const CuType *pointer);
// A reference to a word of type `inner` is bound to such an mbarrier.
bool cu_is_bound_word(const CuType *value, const CuType *inner);
// What a __shared__ variable, or a member, of this type is in the kernel: of
// words that are mbarriers an array of those.
const CuType *cu_shared_type(CuContext *cu, const CxDecl *decl,
                             const CuType *type);
// The class of such mbarriers.
const CuType *cu_word_barrier(CuContext *cu);
// The variable made of a declaration may be words that are mbarriers.
void cu_try_word(CuContext *cu, CxDecl *decl, CuVariable *variable);

// The value may stand for one of type `to` without being converted: an address
// for an integer, a pointer to an mbarrier for any pointer, a token for a word.
// CU_RANK_NONE: no.
CuRank cu_rank_kept(const CuType *from, const CuType *to);
// Then *value gets the type that it has there. False: it is to be converted.
bool cu_keep(CuContext *cu, CuValue *value, const CuType *to);
// The type of a variable declared as `type` that `value` initialises.
const CuType *cu_kept_type(CuContext *cu, const CuValue *value,
                           const CuType *type);

// The address of what `pointer` points to as an integer of `bytes` bytes.
CuValue cu_address_number(CuContext *cu, CuValue pointer, uint32_t bytes);
// The pointer that a number is of; other values stay.
CuValue cu_behind_number(CuContext *cu, CuValue value);
// An explicit conversion of or to an address; false: it is none.
bool cu_cast_address(CuContext *cu, CuValue value, const CuType *to, Span span,
                     CuValue *out);
// "the number of an address here"
CuValue cu_refuse_address(CuContext *cu, Span span);
// The same of an address or a token.
CuValue cu_refuse_kept(CuContext *cu, const CuValue *value);
// A sum, difference or comparison of an address.
CuValue cu_address_binary(CuContext *cu, BinaryOp op, CuValue left,
                          CuValue right, Span span);
// `x = address` where x was declared as an integer and has no value yet: x is
// an address from its declaration on. False: it isn't such a variable.
bool cu_adopt(CuContext *cu, CuVariable *variable, CuValue *value, Span span);

// The function for arguments that stay what they are.
CuFunction *cu_with_kept(CuContext *cu, CuFunction *function, CuValues args);

// mapa: the same place in another block of the cluster.
CuValue cu_map_address(CuContext *cu, CuValue address, CuValue rank, Span span);
// The barrier and the rank of the block that a mapped barrier is made of.
bool cu_is_mapped_barrier(CuContext *cu, const CuValue *value, Expr **barrier,
                          Expr **rank);

#endif
