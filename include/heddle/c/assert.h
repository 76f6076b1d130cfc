// SPDX-License-Identifier: Apache-2.0
// <assert.h> of Heddle C. `assert` is built in: it is proved, or checked at run
// time. With NDEBUG it says nothing, as in C, each time this file is included.
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#endif
