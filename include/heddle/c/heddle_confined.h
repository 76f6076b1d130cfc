// SPDX-License-Identifier: Apache-2.0
// Read first with --confine-includes, for its macros only. What asks for files
// by other ways than #include leaves no trace in the output, and tells whether
// a file exists: none of it can be used.
#ifndef HEDDLE_C_HEDDLE_CONFINED_H
#define HEDDLE_C_HEDDLE_CONFINED_H
#pragma GCC system_header // no warning that macros of these names are there

#ifdef __has_embed
#pragma GCC poison embed __has_embed
#endif
#pragma GCC poison __has_include __has_include_next dependency

#endif
