// SPDX-License-Identifier: Apache-2.0
// TEST: lanes that left before, in a turn of a loop or by a helper, are missed by shuffles
// REF: docs/errors/HD0603.md
// check-args: --block 64 --grid 1 --assume '256 <= len(out)' --assume '64 <= len(x)' --assume 'n <= len(out)'

// check own_turn: bug HD0603 'the value of an absent lane'
// sanitize own_turn: out[256]=zeros --block 64 --grid 1
__global__ void own_turn(int *out) {
  int v = threadIdx.x, lane = threadIdx.x % 32;
  for (int k = 0;; k++) {
    if (k == lane + 3)
      break;
    v = __shfl_xor_sync(0xffffffff, v, 1);
    out[threadIdx.x] = v;
  }
}

// check until_lane: bug HD0603 'the value of an absent lane'
// sanitize until_lane: out[256]=zeros --block 64 --grid 1
__global__ void until_lane(int *out) {
  int v = threadIdx.x, lane = threadIdx.x % 32;
  for (int k = 0; k != lane; k++) {
    v = __shfl_xor_sync(0xffffffff, v, 1);
    out[threadIdx.x] = v;
  }
}

// check returned_before: bug HD0603 'the value of an absent lane'
// sanitize returned_before: n=5 out[256]=zeros --block 64 --grid 1
__global__ void returned_before(int n, int *out) {
  int v = threadIdx.x;
  for (int k = 0; k < n; k++)
    if (threadIdx.x == k)
      return;
  out[threadIdx.x] = __shfl_xor_sync(0xffffffff, v, 1);
}

// check returned_inside: bug HD0603 'the value of an absent lane'
// sanitize returned_inside: n=5 out[256]=zeros --block 64 --grid 1
__global__ void returned_inside(int n, int *out) {
  int v = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (threadIdx.x == k)
      return;
    v = __shfl_xor_sync(0xffffffff, v, 1);
  }
  out[threadIdx.x] = v;
}

// check skipped_exit: bug HD0603 'the value of an absent lane'
// sanitize skipped_exit: n=5 out[256]=zeros --block 64 --grid 1
__global__ void skipped_exit(int n, int *out) {
  int v = threadIdx.x;
  for (int k = 0; k < n; k++) {
    v = __shfl_xor_sync(0xffffffff, v, 1);
    out[threadIdx.x] = v;
    if (threadIdx.x == 3)
      continue;
    if (k == 1)
      break;
  }
}

// check strided: bug HD0603 'the value of an absent lane'
// sanitize strided: n=41 out[256]=zeros --block 64 --grid 1
__global__ void strided(int n, int *out) {
  for (int i = threadIdx.x; i < n; i += 64) {
    out[i] = __shfl_xor_sync(0xffffffff, i, 1);
  }
}

// check guarded: bug HD0603 'the value of an absent lane'
// sanitize guarded: n=41 out[256]=zeros --block 64 --grid 1
__global__ void guarded(int n, int *out) {
  if (threadIdx.x < n) {
    out[threadIdx.x] = __shfl_xor_sync(0xffffffff, (int)threadIdx.x, 1);
  }
}

// check nested: bug HD0603 'the value of an absent lane'
// sanitize nested: n=9 m=3 out[256]=zeros --block 64 --grid 1
__global__ void nested(int n, int m, int *out) {
  int i = threadIdx.x;
  if (i < n) {
    if (i >= m) {
      if (i % 2)
        return;
    }
  }
  out[i] = __shfl_xor_sync(0xffffffff, i, 1);
}

// check halves: bug HD0603 'the value of an absent lane'
// sanitize halves: n=9 out[256]=zeros --block 64 --grid 1
__global__ void halves(int n, int *out) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  out[i] = __shfl_xor_sync(0xffffffff, i, 8, 16);
}

// check done_later: bug HD0705 this assertion can fail
// sanitize done_later: out[256]=zeros --block 64 --grid 1
__global__ void done_later(int *out) {
  int i = threadIdx.x, v = i;
  bool done = false;
  for (int k = 0; k < 4; k++) {
    if (!done) {
      v += __shfl_xor_sync(0xffffffff, v, 1);
      out[i] = v;
    }
    if (i == k)
      done = true;
  }
}

__device__ bool odd(int i) {
  if (i == 5)
    return false;
  return true;
}

// check helper: bug HD0603 'the value of an absent lane'
// sanitize helper: out[256]=zeros --block 64 --grid 1
__global__ void helper(int *out) {
  int i = threadIdx.x;
  if (!odd(i))
    return;
  out[i] = __shfl_xor_sync(0xffffffff, i, 1);
}

// check from_first: bug HD0603 'the value of an absent lane'
// sanitize from_first: n=8 out[256]=zeros --block 64 --grid 1
__global__ void from_first(int n, int *out) {
  int i = threadIdx.x;
  if (i < n)
    return;
  out[i] = __shfl_sync(0xffffffff, i, 0);
}

// check up_to_own: bug HD0603 'the value of an absent lane'
// sanitize up_to_own: out[256]=zeros --block 64 --grid 1
__global__ void up_to_own(int *out) {
  for (int i = 0; i < (int)threadIdx.x; i++) {
    int v = __shfl_xor_sync(0xffffffff, i, 1);
    out[threadIdx.x] = v;
  }
}

// check down_from_own: bug HD0603 'the value of an absent lane'
// sanitize down_from_own: out[256]=zeros --block 64 --grid 1
__global__ void down_from_own(int *out) {
  for (int i = threadIdx.x; i > 0; i -= 2) {
    int v = __shfl_xor_sync(0xffffffff, i, 1);
    out[threadIdx.x] = v;
  }
}

// Who is there is for data to say.
// check by_data: unknown HD0603
__global__ void by_data(const int *x, int *out) {
  if (x[threadIdx.x / 16])
    return;
  out[threadIdx.x] = __shfl_xor_sync(0xffffffff, (int)threadIdx.x, 16);
}

// What holds on one way says nothing about the other.
// check by_size: bug HD0603 line @by_size
// sanitize by_size: n=41 out[256]=zeros --block 64 --grid 1
__global__ void by_size(int n, int *out) {
  int i = threadIdx.x;
  if (n % 32 == 0) {
    if (i < n)
      out[i] = __shfl_xor_sync(0xffffffff, i, 1);
  } else {
    if (i < n)
      out[i] = __shfl_xor_sync(0xffffffff, i, 1); //@by_size
  }
}
