// SPDX-License-Identifier: Apache-2.0
// Loads and stores with a cache modifier.
#pragma once

namespace cub {
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier M, class It> __device__ auto ThreadLoad(It p) {
  if constexpr (M == LOAD_CG)
    return __ldcg(p);
  else if constexpr (M == LOAD_CS)
    return __ldcs(p);
  else if constexpr (M == LOAD_CV)
    return __ldcv(p);
  else if constexpr (M == LOAD_LDG)
    return __ldg(p);
  else
    return *p;
}
template <CacheStoreModifier M, class It, class T> __device__ void ThreadStore(It p, T v) {
  if constexpr (M == STORE_CG)
    __stcg(p, v);
  else if constexpr (M == STORE_CS)
    __stcs(p, v);
  else if constexpr (M == STORE_WT)
    __stwt(p, v);
  else
    *p = v;
}
}
