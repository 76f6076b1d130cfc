#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guess: mma of half with float accumulators rounds its sum to the nearest float,
#   as a chain of FMAs does, or at least rounds the exact sum; and -0 stays -0.
# Seen: the products and the accumulator are aligned to the largest of them, cut
#   two bits below its last, and what is left is cut off, not rounded: 1 +
#   1.5 * 2^-24 is 1 (the nearest is 1 + 2^-23), 2^25 + 1 - 2^25 is 1 but
#   2^26 + 1 - 2^26 is 0. An accumulator of -0 comes back as +0, every NaN as
#   0x7fffffff. Subnormal numbers are kept.
# So: products by tensor cores can't have the bits of a chain of FMAs; where
#   bits are compared, tolerances are stated.
# GPU: NVIDIA H200, driver 580.159.04 (CUDA 13.0).
set -euo pipefail
command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q GPU ||
  { echo "no NVIDIA GPU here: nothing tried"; exit 0; }
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader

seen=$(python3 - <<'END'
import ctypes
import struct

cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *args):
    status = getattr(cuda, name)(*args)
    if status:
        raise SystemExit(f"{name}: {status}")


device, context = ctypes.c_int(), ctypes.c_void_p()
call("cuInit", 0)
call("cuDeviceGet", ctypes.byref(device), 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
call("cuCtxSetCurrent", context)
module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
call("cuModuleLoadData", ctypes.byref(module), b"""
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 from, .param .u64 to)
{
    .reg .b64 %p, %q, %o;
    .reg .b32 %l, %a<4>, %b<2>, %c<4>;
    ld.param.u64 %p, [from];
    ld.param.u64 %q, [to];
    mov.u32 %l, %tid.x;
    mul.wide.u32 %o, %l, 32;
    add.u64 %p, %p, %o;
    ld.global.v4.b32 {%a0, %a1, %a2, %a3}, [%p];
    ld.global.v2.b32 {%b0, %b1}, [%p+16];
    ld.global.b32 %c0, [%p+24];
    mov.b32 %c1, %c0;
    mov.b32 %c2, %c0;
    mov.b32 %c3, %c0;
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
        {%c0, %c1, %c2, %c3}, {%a0, %a1, %a2, %a3}, {%b0, %b1},
        {%c0, %c1, %c2, %c3};
    mul.wide.u32 %o, %l, 4;
    add.u64 %q, %q, %o;
    st.global.b32 [%q], %c0;
    ret;
}
""")
call("cuModuleGetFunction", ctypes.byref(kernel), module, b"k")
source, target = ctypes.c_uint64(), ctypes.c_uint64()
call("cuMemAlloc_v2", ctypes.byref(source), ctypes.c_size_t(32 * 32))
call("cuMemAlloc_v2", ctypes.byref(target), ctypes.c_size_t(32 * 4))


def mma(a, b, c):
    """Bits of the sum of a[i] * b[i] and of c, given as bits."""
    a, b = ([*v, *[0.0] * (16 - len(v))] for v in (a, b))
    lanes = b""
    for lane in range(32):
        at = 2 * (lane % 4)
        parts = [a[at:at + 2], [0, 0], a[at + 8:at + 10], [0, 0], b[at:at + 2],
                 b[at + 8:at + 10]]
        if lane >= 4:  # other rows and columns
            parts = [[0, 0]] * 6
        lanes += b"".join(struct.pack("<2e", *part) for part in parts)
        lanes += struct.pack("<II", c, 0)
    call("cuMemcpyHtoD_v2", source, lanes, ctypes.c_size_t(len(lanes)))
    args = (ctypes.c_void_p * 2)(*(ctypes.cast(ctypes.pointer(p),
                                               ctypes.c_void_p)
                                   for p in (source, target)))
    call("cuLaunchKernel", kernel, 1, 1, 1, 32, 1, 1, 0, None, args, None)
    made = ctypes.create_string_buffer(4)
    call("cuMemcpyDtoH_v2", made, target, ctypes.c_size_t(4))
    return int.from_bytes(made.raw, "little")


def show(what, bits):
    print(what, "=", hex(bits), struct.unpack("<f", struct.pack("<I", bits))[0])


one, small = 0x3f800000, 2.0**-12
show("1 + 1.5 * 2^-24", mma([1.5 * small], [small], one))
show("1 + 2^-24 + 2^-24", mma([small] * 2, [small] * 2, one))
show("2^25 + 1 - 2^25", mma([8192, 1, -8192], [4096, 1, 4096], 0))
show("2^26 + 1 - 2^26", mma([8192, 1, -8192], [8192, 1, 8192], 0))
show("-0 + nothing", mma([-0.0] * 16, [1] * 16, 0x80000000))
show("NaN of another payload", mma([], [], 0xffc12345))
show("subnormal", mma([], [], 1))
END
)
stated="1 + 1.5 * 2^-24 = 0x3f800000 1.0
1 + 2^-24 + 2^-24 = 0x3f800001 1.0000001192092896
2^25 + 1 - 2^25 = 0x3f800000 1.0
2^26 + 1 - 2^26 = 0x0 0.0
-0 + nothing = 0x0 0.0
NaN of another payload = 0x7fffffff nan
subnormal = 0x1 1.401298464324817e-45"
echo "guess: 1.0000001, 1.0000001, 1.0, 1.0, -0.0, a NaN, 1.4e-45"
echo "$seen"
[ "$seen" = "$stated" ] || { echo "changed: it was: $stated"; exit 1; }
