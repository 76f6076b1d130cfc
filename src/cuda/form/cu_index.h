// SPDX-License-Identifier: Apache-2.0
// What the namespaces of a file declare, by name. CUDA's own declarations in
// front of it are thousands, of which a kernel needs a dozen: so the index is
// made once for a file, and a translation declares what a name means when it
// first asks for it (cu_scope.c).
#ifndef HD_CUDA_FORM_CU_INDEX_H
#define HD_CUDA_FORM_CU_INDEX_H

#include "base/map.h"
#include "cxx/cx_ast.h"

typedef struct CuIndex CuIndex;

typedef hd_vec(CxDecl *) CuIndexed;

struct CuIndex {                // of a namespace, all parts of it together
  CuIndexed parts;              // its declarations; of the whole file none
  Map names;                    // interned -> CuIndexed, in the file's order
  CuIndexed others;             // what no name leads to
  hd_vec(CuIndex *) namespaces; // in it
  Map namespace_names;          // interned -> CuIndex
};

// In the arena, as long as which it may be used.
const CuIndex *cu_index_new(Arena *arena, const CxDeclList *decls);

// What declares `name`; NULL: nothing.
const CuIndexed *cu_indexed(const CuIndex *index, const char *name);

// The name that a using declaration brings.
const char *cu_using_name(const CxDecl *decl);
// A member that is declared outside of its class.
bool cu_is_outside_member(const CxDecl *decl);
// The class or enumeration that is defined in the type of something else; NULL:
// none.
CxDecl *cu_tag_in_type(const CxDecl *decl);

#endif
