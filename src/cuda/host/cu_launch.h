// SPDX-License-Identifier: Apache-2.0
// What launches in host code tell about kernels.
#ifndef HD_CUDA_HOST_CU_LAUNCH_H
#define HD_CUDA_HOST_CU_LAUNCH_H

#include "cuda/host/cu_hosts.h"

// A launch by an instance of the function that it stands in.
typedef struct {
  const CxLaunch *launch;
  CuHostFunction host;
  const CxDecl *kernel;
  const char *base; // "ns::k"
  const char *name; // "ns::k<float>"; NULL: the kernel is no template, or its
                    // arguments aren't constant
} CuLaunch;

typedef hd_vec(CuLaunch) CuLaunches;

// All launches of the file whose kernel is known, in order.
void cu_find_launches(CuContext *cu, CuLaunches *out);

// "ns::k" of an entity.
const char *cu_base_name(CuContext *cu, const CuEntity *entity);
// The same with template arguments, "ns::k<>" if there are none.
const char *cu_instance_name(CuContext *cu, const CuEntity *entity,
                             CuArgs args);

// Where its sizes are read: with types that the host function, or a macro in
// it, declares and that it names.
CuScope *cu_launch_scope(CuContext *cu, const CuLaunch *launch);
// The block size of a launch; dimensions that aren't constant are 0. False:
// there are some. `is_loose`: variables that change have their first values.
bool cu_launch_block(CuContext *cu, const CuLaunch *launch, bool is_loose,
                     uint32_t block[3]);

// A guessed block gets the dimensions that are known (not 0), and is made
// smaller in others where it has too many threads then.
void cu_launch_fit(const uint32_t known[3], uint32_t block[3]);

#endif
