#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: linear filtering in two dimensions is the formula of the programming
#   guide: (1-a)(1-b) T00 + a(1-b) T10 + (1-a)b T01 + ab T11, with a and b of 8
#   bits behind the point. The weight of one texel is then a multiple of 2^-16.
# Seen: the weights that the GPU uses are multiples of 2^-8: the products are
#   rounded to 8 bits again, up or down by up to 2^-9 (and their sum stays 1), so
#   that results differ from the formula by more than float's precision. In one
#   dimension the formula holds.
# And: a texture of one dimension is filtered as a row of a texture of two, at
#   y = 0. With addressMode[1] of border, which one would leave out of account,
#   every value is half of itself.
# So: include/heddle/cuda/heddle_texture.h follows the guide's formula; tests
#   beside nvcc take weights of one dimension, or states of a tolerance.
# GPU: NVIDIA H200, driver 580.159.04 (CUDA 13.0); nvcc 13.0 of the machine.
set -euo pipefail
command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q GPU ||
  { echo "no NVIDIA GPU here: nothing tried"; exit 0; }
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "no nvcc"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat > "$folder/weights.cu" <<'END'
#include <cmath>
#include <cstdio>

// Texels 4 x 4, of which (1, 1) is 1; without height: a row of ones.
cudaTextureObject_t make(int height, cudaTextureAddressMode second) {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 4, height);
  float texels[4][4] = {};
  texels[1][1] = 1;
  if (height == 0)
    for (int i = 0; i < 4; i++)
      texels[0][i] = 1;
  cudaMemcpy2DToArray(array, 0, 0, texels, 16, 16, height ? height : 1,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc source = {};
  source.resType = cudaResourceTypeArray;
  source.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = cudaAddressModeClamp;
  how.addressMode[1] = second;
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t made;
  cudaCreateTextureObject(&made, &source, &how, nullptr);
  return made;
}

// Weights of texel (1, 1) for all a and b of 8 bits.
__global__ void weights(cudaTextureObject_t t, float *w) {
  int a = threadIdx.x, b = blockIdx.x;
  w[b * 256 + a] = tex2D<float>(t, 1.5f + a / 256.0f, 1.5f + b / 256.0f);
}
__global__ void row(cudaTextureObject_t t, float *at) {
  *at = tex1D<float>(t, 2.0f);
}

int main() {
  float *w;
  cudaMallocManaged(&w, 65536 * sizeof(float));
  weights<<<256, 256>>>(make(4, cudaAddressModeClamp), w);
  if (cudaDeviceSynchronize())
    return 1;
  int multiples = 0, others = 0;
  double most = 0;
  for (int b = 0; b < 256; b++)
    for (int a = 0; a < 256; a++) {
      double seen = w[b * 256 + a];
      double formula = (256 - a) * (256 - b) / 65536.0;
      multiples += seen * 256 == floor(seen * 256);
      others += seen != formula;
      most = fmax(most, fabs(seen - formula));
    }
  printf("multiples of 1/256: %d of 65536\n", multiples);
  printf("other than the formula: %s, by %g/256 at most\n",
         others > 30000 ? "most" : others ? "some" : "none", most * 256);
  for (int mode = 0; mode < 2; mode++) {
    row<<<1, 1>>>(make(0, mode ? cudaAddressModeBorder : cudaAddressModeClamp),
                  w);
    cudaDeviceSynchronize();
    printf("row of ones, addressMode[1] %s: %g\n", mode ? "border" : "clamp",
           *w);
  }
}
END
nvcc -arch=native -o "$folder/weights" "$folder/weights.cu"
seen=$("$folder/weights")
stated="multiples of 1/256: 65536 of 65536
other than the formula: most, by 0.5/256 at most
row of ones, addressMode[1] clamp: 1
row of ones, addressMode[1] border: 0.5"
echo "guess: few multiples, none other than the formula, 1 and 1"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
