// SPDX-License-Identifier: Apache-2.0
// <stddef.h> of Heddle C. size_t and ptrdiff_t are built in.
#ifndef HEDDLE_C_STDDEF_H
#define HEDDLE_C_STDDEF_H

typedef int wchar_t;

#define NULL                   0
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
