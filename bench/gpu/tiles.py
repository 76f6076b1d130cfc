#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tile kernels of examples/tiles and programs of warp groups on a GPU, beside PyTorch
and Triton.

    tiles.py [--build build/release] [--runs 31] [ROW …]

One process, the peers interleaved run by run on the same arrays, another one first in
each round, random contents, several sets of arrays in turn where they would fit the cache. Prints a Markdown
table: medians of the GPU's own time of a launch, and how many times as fast as each
peer Heddle is. Results are compared first; a row whose results differ says so and has
no times. Needs PyTorch and Triton, both built for CUDA.
"""

import argparse
import ctypes
import os
import statistics

import torch
import triton
import triton.language as tl
from torch.nn.attention import SDPBackend, sdpa_kernel

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HD_TYPES = {torch.bool: 1, torch.int32: 4, torch.float16: 10, torch.bfloat16: 11,
            torch.float32: 12}
NAMES = {torch.float16: "half", torch.bfloat16: "bfloat16", torch.float32: "float"}


class Arg(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("integer", ctypes.c_int64),
                ("real", ctypes.c_double), ("buffer", ctypes.c_void_p),
                ("bytes", ctypes.c_void_p), ("size_bytes", ctypes.c_size_t)]


class Embed(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("text", ctypes.c_char_p)]


class Heddle:
    """The C API, for one device and PyTorch's current stream of it."""

    def __init__(self, library, device):
        self.api = ctypes.CDLL(library)
        self.api.hd_last_message.restype = ctypes.c_char_p
        self.session = ctypes.c_void_p()
        self.device = ctypes.c_void_p()
        self.stream = ctypes.c_void_p()
        torch.zeros(1, device="cuda")  # so that both share PyTorch's context
        self.call("session_new", None, ctypes.byref(self.session))
        self.call("device_open", self.session, device.encode(),
                  ctypes.byref(self.device))
        handle = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        self.call("stream_wrap", self.device, handle, ctypes.byref(self.stream))

    def call(self, name, *args):
        if getattr(self.api, "hd_" + name)(*args) != 0:
            raise RuntimeError(self.api.hd_last_message(self.session).decode())

    def kernel(self, file, name, **embeds):
        """A function that launches the kernel on tensors and integers."""
        program, kernel = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("compile_file", self.session, os.path.join(ROOT, file).encode(),
                  ctypes.byref(program))
        table = (Embed * max(len(embeds), 1))(*[
            Embed(k.encode(), str(v).encode()) for k, v in embeds.items()])
        self.call("kernel_get", program, name.encode(), table, len(embeds),
                  ctypes.byref(kernel))
        buffers = {}

        def buffer_of(tensor):
            key = (tensor.data_ptr(), tensor.shape)
            if key not in buffers:
                extents = (ctypes.c_int64 * tensor.dim())(*tensor.shape)
                buffers[key] = ctypes.c_void_p()
                self.call("buffer_wrap", self.device,
                          ctypes.c_void_p(tensor.data_ptr()), HD_TYPES[tensor.dtype],
                          tensor.dim(), extents, None, ctypes.byref(buffers[key]))
            return buffers[key]

        def launch(*given):
            args = (Arg * len(given))()
            for arg, value in zip(args, given):
                if isinstance(value, int):
                    arg.kind, arg.integer = 1, value
                else:
                    arg.kind, arg.buffer = 4, buffer_of(value)
            self.call("kernel_launch", kernel, self.stream, None, args, len(given))

        return launch


# -------------------------------------------------------------- Triton's kernels

@triton.jit
def triton_softmax(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * n + at, e / tl.sum(e, 0), mask=at < n)


@triton.jit
def triton_layer_norm(x, w, b, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < n
    v = tl.load(x + row * n + at, mask=inside, other=0.0)
    d = tl.where(inside, v - tl.sum(v, 0) / n, 0.0)
    scale = 1 / tl.sqrt(tl.sum(d * d, 0) / n + 1e-5)
    w_at = tl.load(w + at, mask=inside)
    b_at = tl.load(b + at, mask=inside)
    tl.store(y + row * n + at, d * scale * w_at + b_at, mask=inside)


@triton.jit
def triton_rms_norm(x, residual, w, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < n
    both = (tl.load(x + row * n + at, mask=inside, other=0.0) +
            tl.load(residual + row * n + at, mask=inside, other=0.0))
    tl.store(residual + row * n + at, both, mask=inside)
    v = both.to(tl.float32)
    scale = tl.rsqrt(tl.sum(v * v, 0) / n + 1e-6)
    w_at = tl.load(w + at, mask=inside)
    tl.store(y + row * n + at, (v * scale * w_at).to(tl.float16), mask=inside)


MATMUL_CONFIGS = [
    triton.Config({"BM": bm, "BN": bn, "BK": bk}, num_warps=w, num_stages=s)
    for bm, bn, bk, w, s in ((128, 256, 64, 8, 3), (128, 128, 64, 8, 3),
                             (128, 128, 32, 4, 4), (64, 128, 32, 4, 4))]


@triton.autotune(configs=MATMUL_CONFIGS, key=["m", "n", "k"])
@triton.jit
def triton_matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr,
                  BK: tl.constexpr):
    pid = tl.program_id(0)
    n_rows, n_columns = tl.cdiv(m, BM), tl.cdiv(n, BN)
    first = pid // (8 * n_columns) * 8
    height = min(n_rows - first, 8)
    i = first + pid % (8 * n_columns) % height
    j = pid % (8 * n_columns) // height
    rows = i * BM + tl.arange(0, BM)
    columns = j * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for at in range(0, tl.cdiv(k, BK)):
        x = tl.load(a + rows[:, None] * k + (at * BK + depth)[None, :])
        y = tl.load(b + (at * BK + depth)[:, None] * n + columns[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + rows[:, None] * n + columns[None, :], acc)


# -------------------------------------------------------------------------- rows

def random(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=torch.float32).to(dtype)


def softmax(heddle):
    rows, n = 16384, 4096
    x, y, y2, z = (random(rows, n) for _ in range(4))
    run = heddle.kernel("examples/tiles/softmax.hd", "softmax", BM=1, BN=4096)
    return {
        "Heddle": (lambda i: run(rows, n, x, y), y),
        "Triton": (lambda i: triton_softmax[(rows,)](x, y2, n, BLOCK=4096,
                                                     num_warps=8), y2),
        "PyTorch": (lambda i: torch.softmax(x, 1), None),
        "copy": (lambda i: z.copy_(x), None),
    }, 1e-6


def long_softmax(heddle):
    rows, n = 16384, 4096
    x, y, y2, z = (random(rows, n) for _ in range(4))
    run = heddle.kernel("examples/tiles/softmax.hd", "long_rows", BM=1, BN=4096)
    return {
        "Heddle": (lambda i: run(rows, n, x, y), y),
        "Triton": (lambda i: triton_softmax[(rows,)](x, y2, n, BLOCK=4096,
                                                     num_warps=8), y2),
        "copy": (lambda i: z.copy_(x), None),
    }, 1e-6


def layer_norm(heddle):
    rows, n = 65536, 1024
    x, y, y2, z = (random(rows, n) for _ in range(4))
    w, b, mean, scale = random(n), random(n), random(rows), random(rows)
    run = heddle.kernel("examples/tiles/layer_norm.hd", "forward")
    return {
        "Heddle": (lambda i: run(rows, n, x, w, b, y, mean, scale), y),
        "Triton": (lambda i: triton_layer_norm[(rows,)](x, w, b, y2, n, BLOCK=1024,
                                                        num_warps=4), y2),
        "PyTorch": (lambda i: torch.nn.functional.layer_norm(x, (n,), w, b), None),
        "copy": (lambda i: z.copy_(x), None),
    }, 1e-4


def rms_norm(heddle):
    rows, n = 32768, 4096
    f16 = torch.float16
    x, w = random(rows, n, dtype=f16), random(n, dtype=f16)
    residuals = [torch.zeros(rows, n, device="cuda", dtype=f16) for _ in range(2)]
    y, y2 = random(rows, n, dtype=f16), random(rows, n, dtype=f16)
    run = heddle.kernel("examples/tiles/rms_norm.hd", "rms_norm", BM=1, BN=4096)
    both = random(rows, 2 * n, dtype=f16), random(rows, 2 * n, dtype=f16)
    return {
        "Heddle": (lambda i: run(rows, n, x, residuals[0], w, y), y),
        "Triton": (lambda i: triton_rms_norm[(rows,)](x, residuals[1], w, y2, n,
                                                      BLOCK=4096, num_warps=8), y2),
        "copy": (lambda i: both[0].copy_(both[1]), None),
    }, 1e-2


def product(dtype, size, **embeds):
    def make(heddle):
        sets = [[random(size, size, dtype=dtype) for _ in range(2)] for _ in range(3)]
        out = random(size, size), random(size, size)
        run = heddle.kernel("examples/tiles/product.hd", "product", T=NAMES[dtype],
                            **embeds)
        peers = {"Heddle": (lambda i: run(size, size, size, *sets[i % 3], out[0]),
                            out[0]),
                 "cuBLAS": (lambda i: torch.matmul(*sets[i % 3]), None)}
        if dtype != torch.float32:
            peers["Triton"] = (lambda i: triton_matmul[lambda m: (
                triton.cdiv(size, m["BM"]) * triton.cdiv(size, m["BN"]),)](
                    *sets[i % 3], out[1], size, size, size), out[1])
        else:
            torch.matmul(*sets[0], out=out[1])
            peers["compared"] = (lambda i: None, out[1])
        return peers, 1e-2
    return make


def gemm(size):
    def make(heddle):
        f16 = torch.bfloat16
        sets = [[random(size, size, dtype=f16) for _ in range(2)] for _ in range(3)]
        out = random(size, size, dtype=f16), random(size, size, dtype=f16)
        run = heddle.kernel("examples/warpgroups/gemm.hd", "product")
        # As many tiles for each cluster.
        tiles = triton.cdiv(size, 256) ** 2
        most = torch.cuda.get_device_properties(0).multi_processor_count // 2
        clusters = triton.cdiv(tiles, triton.cdiv(tiles, most))
        return {
            "Heddle": (lambda i: run(size, size, size, *sets[i % 3], out[0], clusters),
                       out[0]),
            "cuBLAS": (lambda i: torch.matmul(sets[i % 3][0], sets[i % 3][1].T,
                                              out=out[1]), out[1]),
        }, 1e-2
    return make


def attention(heads, n, d):
    def make(heddle):
        q, k, v = (random(heads, n, d, dtype=torch.float16) for _ in range(3))
        out = random(heads, n, d, dtype=torch.float16)
        run = heddle.kernel("examples/warpgroups/flash.hd", "attention")

        def sdpa(_):
            with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
                return torch.nn.functional.scaled_dot_product_attention(
                    q[None], k[None], v[None])
        return {
            "Heddle": (lambda i: run(heads, n, q, k, v, out), out),
            "cuDNN": (sdpa, sdpa(0)[0]),
        }, 1e-2
    return make


ROWS = {
    "softmax 16384 x 4096 float": (softmax, 2 * 16384 * 4096 * 4, "GB/s"),
    "softmax in pieces 16384 x 4096 float": (long_softmax, 2 * 16384 * 4096 * 4,
                                             "GB/s"),
    "layer norm 65536 x 1024 float": (layer_norm, 2 * 65536 * 1024 * 4, "GB/s"),
    "RMS norm, residual 32768 x 4096 half": (rms_norm, 4 * 32768 * 4096 * 2, "GB/s"),
    "product 4096 half": (product(torch.float16, 4096, BM=128, BN=128, BK=64),
                          2 * 4096**3, "GFLOP/s"),
    "product 4096 bfloat16": (product(torch.bfloat16, 4096, BM=128, BN=128, BK=64),
                              2 * 4096**3, "GFLOP/s"),
    "product 2048 float": (product(torch.float32, 2048, BM=128, BN=128, BK=16),
                           2 * 2048**3, "GFLOP/s"),
    "warp groups, product 4096 bfloat16": (gemm(4096), 2 * 4096**3, "GFLOP/s"),
    "warp groups, product 8192 bfloat16": (gemm(8192), 2 * 8192**3, "GFLOP/s"),
    "warp groups, attention 16 x 8192 x 128 half": (
        attention(16, 8192, 128), 4 * 16 * 8192**2 * 128, "GFLOP/s"),
    "warp groups, attention 32 x 4096 x 128 half": (
        attention(32, 4096, 128), 4 * 32 * 4096**2 * 128, "GFLOP/s"),
}


def time_all(peers, n_runs):
    """Milliseconds of the GPU, by peer: medians of interleaved runs."""
    events = {name: [] for name in peers}
    names = list(peers)
    for i in range(n_runs + 3):
        names.append(names.pop(0))
        for name in names:
            run = peers[name][0]
            ends = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
            ends[0].record()
            run(i)
            ends[1].record()
            if i >= 3:
                events[name].append(ends)
    torch.cuda.synchronize()
    return {name: statistics.median(a.elapsed_time(b) for a, b in pairs)
            for name, pairs in events.items()}


def difference(peers):
    """The largest one between results, relative to the largest element."""
    outs = [out for _, out in peers.values() if out is not None]
    wanted = outs[1].float()
    return float((outs[0].float() - wanted).abs().max() / wanted.abs().max())


def measure(heddle, name, n_runs):
    make, work, unit = ROWS[name]
    peers, tolerance = make(heddle)
    for run, _ in peers.values():
        run(0)
    torch.cuda.synchronize()
    worst = difference(peers)
    if not worst <= tolerance:
        return f"| {name} | results differ by {worst:.3g} | |"
    times = time_all(peers, n_runs)
    ours = times.pop("Heddle")
    others = ", ".join(f"{peer} {t / ours:.2f}" for peer, t in times.items()
                       if peer != "compared")
    return f"| {name} | {ours:.4f} ms, {work / ours / 1e6:.0f} {unit} | {others} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--runs", type=int, default=31)
    parser.add_argument("rows", nargs="*", help="part of a row's name")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    heddle = Heddle(os.path.join(options.build, "libheddle.so.0"), "cuda:0")
    print(f"{torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}, "
          f"Triton {triton.__version__}, {options.runs} runs\n")
    print("| kernel | Heddle | times as fast as |\n|---|---|---|")
    for name in ROWS:
        if options.rows and not any(part in name for part in options.rows):
            continue
        try:
            print(measure(heddle, name, options.runs), flush=True)
        except RuntimeError as error:
            print(f"| {name} | {str(error).splitlines()[0]} | |", flush=True)
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
