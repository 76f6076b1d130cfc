// SPDX-License-Identifier: Apache-2.0
// From a base class to the class that is derived from it.
//
// Note [Bases that know what is derived]
// template <class D> struct Base { … static_cast<D &>(*this) … };
// struct Own : Base<Own> { … };
// The members of such a base, and functions that take a reference to it, are
// about the object of class Own. A const base may be passed by value, and an
// empty one isn't in the object at all, so an address of the base leads
// nowhere: they get the object itself, in place of its base (cu_whole_class),
// and see it as the base (CuVariable.seen_as). A value that is the base of an
// object keeps what the object is (CuValue.whole), and a cast down gives it
// back.
#ifndef HD_CUDA_FORM_CU_DERIVED_H
#define HD_CUDA_FORM_CU_DERIVED_H

#include "cuda/form/cu.h"

// The class that the record, a base, was made for: the argument of its template
// that is derived from it. NULL: none.
CuRecord *cu_whole_class(CuContext *cu, const CuRecord *record);
// The type that is passed for a reference to `type`, or for an object of it:
// that of the whole object, with the qualifiers of `type`; else `type`.
const CuType *cu_passed_type(CuContext *cu, const CuType *type);
// `object` as it is passed where a `type` is expected; false: reported.
bool cu_pass_whole(CuContext *cu, CuValue *object, const CuType *type);
// A cast of a value, or of what a pointer points to, to `type`, whose class is
// derived from the value's. False: it isn't that. May give poison.
bool cu_cast_down(CuContext *cu, CuValue value, const CuType *type, Span span,
                  CuValue *out);

#endif
