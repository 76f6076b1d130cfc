#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The launches of CUDA tests, compiled by nvcc, beside Heddle's: value by value.

    compare_nvcc.py --heddle PATH FILE …      compiles, launches, compares
    compare_nvcc.py --build DIR FILE …        compiles only, for another machine
    compare_nvcc.py --heddle PATH --built DIR FILE …      with what that made

Every array that a test has an `OUT:` for must be what the expression says when
nvcc compiled the kernel, and Heddle's on the CPU and on the GPU must have the
same bits (or be within twice the test's `TOL:`). Launches that a test marks
with `NVCC: reason` are left out. Without nvcc or a GPU the exit status is 77.
"""

import argparse
import ctypes
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                os.path.dirname(os.path.abspath(__file__))]
import oracle  # noqa: E402
from server import Servers  # noqa: E402
from steps import (CPU_ONLY, SKIPPED, Outcome, Runner,  # noqa: E402
                   fill_options)
from test_file import read_test  # noqa: E402
from nvcc_textures import OBJECT, Bound, View  # noqa: E402

ARCH = "sm_90a"
SCALARS = {
    "void": "u1",  # of a pointer: bytes
    "bool": "?", "char": "i1", "signed char": "i1", "unsigned char": "u1",
    "short": "i2", "unsigned short": "u2", "int": "i4", "unsigned int": "u4",
    "long": "i8", "unsigned long": "u8", "long long": "i8",
    "unsigned long long": "u8", "float": "f4", "double": "f8", "__half": "f2",
    "size_t": "u8", "unsigned": "u4", "uint": "u4"}
VECTORS = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2",
           "int": "i4", "uint": "u4", "long": "i8", "ulong": "u8",
           "longlong": "i8", "ulonglong": "u8", "float": "f4", "double": "f8",
           "__half": "f2"}


class Unavailable(Exception):
    """What is needed isn't on this machine."""


# --- compiling ---------------------------------------------------------------

def find_tool(name):
    found = shutil.which(name) or shutil.which("/usr/local/cuda/bin/" + name)
    if not found:
        raise Unavailable(f"no {name}")
    return found


def kernel_of(words):
    return words[0] if words and "=" not in words[0].split("<")[0] and \
        not words[0].startswith("-") else None


def launches(test):
    """The launches that can be compared, with their number in the file."""
    steps = [s for s in test.steps if s.kind == "LAUNCH"]
    return [(n, s) for n, s in enumerate(steps) if s.all("OUT") and not
            any(w.split("=")[0] in CPU_ONLY
                for w in shlex.split(s.value) + test.args())]


def compile_file(path, test, folder):
    """NAME.ptx, NAME.cubin and NAME.json, which names the entries."""
    base = os.path.join(folder, key_of(path))
    source = base + ".cu"
    kernels = {kernel_of(shlex.split(s.value)) for _, s in launches(test)}
    templates = sorted(k for k in kernels if k and "<" in k)
    with open(source, "w", encoding="utf-8") as file:
        file.write(f'#include "{os.path.abspath(path)}"\n')
        for number, name in enumerate(templates):
            file.write(f"static void *instance_{number} = (void *){name};\n"
                       f"void *use_{number}() {{ return instance_{number}; }}\n")
    flags = ["-std=c++17", "-arch=" + ARCH, "--expt-relaxed-constexpr", "-I",
             os.path.dirname(os.path.abspath(path)), "-w"]
    for command in ([find_tool("nvcc"), *flags, *defines(test), "-ptx", source,
                     "-o", base + ".ptx"],
                    [find_tool("ptxas"), "-arch=" + ARCH, base + ".ptx", "-o",
                     base + ".cubin"]):
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise oracle.Failure(shlex.join(command) + "\n" +
                                   done.stdout.decode("utf-8", "replace"))
    os.remove(source)
    with open(base + ".ptx", encoding="utf-8") as file:
        symbols = re.findall(r"\.entry\s+([\w$]+)", file.read())
    names = subprocess.run(["c++filt", *symbols], stdout=subprocess.PIPE,
                           check=True).stdout.decode().split("\n")
    with open(base + ".json", "w", encoding="utf-8") as file:
        json.dump(dict(zip(symbols, names)), file, indent=1)
    return base


def defines(test):
    words = [w for s in test.steps for w in shlex.split(s.value)] + test.args()
    return sorted({"-D" + words[i + 1] for i, w in enumerate(words[:-1])
                   if w == "-D"})


def key_of(path):
    return "_".join(os.path.abspath(path).split(os.sep)[-2:])[:-len(".cu")]


# --- what the parameters are -------------------------------------------------

def squeeze(name):
    name = name.replace("(bool)1", "true").replace("(bool)0", "false")
    name = re.sub(r"\bconst (\w+)", r"\1 const", name)  # as c++filt has it
    name = re.sub(r"&\((?:[\w:]+ )?([\w:]+(?:<[^<>]*>)?)\([^()]*\)\)", r"\1",
                  name)  # an argument that is a function
    return re.sub(r"(?<=\d)u(?=[,>])|\s+", "", name)


def split_top(text):
    """Splits at the commas that no bracket encloses."""
    parts, depth, current = [], 0, ""
    for c in text:
        depth += (c in "<([{") - (c in ">)]}")
        if c == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    return parts + [current.strip()] if current.strip() else parts


def expanded(source):
    """The file with its own macros expanded: kernels may be made by one."""
    alone = re.sub(r"^\s*#\s*include[^\n]*", "", source, flags=re.M)
    return subprocess.run(["c++", "-E", "-P", "-x", "c++", "-"],
                          input=alone.encode(), stdout=subprocess.PIPE,
                          check=True).stdout.decode()


def parameter_texts(source, kernel):
    """The declarations of the kernel's parameters, as they stand in the file."""
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=re.S)
    name = re.escape(kernel.split("<")[0].split("::")[-1])
    pattern = r"__global__[^;{}#]*?\b" + name + r"\s*\("
    match = re.search(pattern, plain)
    if not match:
        plain = expanded(plain)
        match = re.search(pattern, plain)
    if not match:
        raise oracle.BadTest(f"no kernel '{kernel}'")
    depth, end = 1, match.end()
    while depth:
        depth += {"(": 1, ")": -1}.get(plain[end], 0)
        end += 1
    return split_top(plain[match.end():end - 1])


def entry_of(entries, kernel):
    """The symbol of a kernel and the types of its parameters, if mangled.

    A template with one instance may be named without its arguments.
    """
    instances = []
    for symbol, name in entries.items():
        if symbol == name and name == kernel:
            return symbol, None
        match = re.match(r"(?:void )?([\w:]+)(<.*>)?\((.*)\)$", name)
        if not match:
            continue
        found = symbol, split_top(match.group(3))
        if squeeze(match.group(1) + (match.group(2) or "")) == squeeze(kernel):
            return found
        if match.group(1) == kernel:
            instances.append(found)
    if len(instances) == 1:
        return instances[0]
    raise oracle.BadTest(f"no entry for '{kernel}' in {list(entries)}")


def element_type(np, text):
    """The NumPy type of a C type, and how many of them make one element."""
    text = re.sub(r"\b(const|volatile|__restrict__|struct)\b", "", text)
    text = " ".join(text.split())
    if text in SCALARS:
        return np.dtype(SCALARS[text]), 1
    match = re.match(r"(\w+?)([1234])$", text)
    if match and match.group(1) in VECTORS:
        return np.dtype(VECTORS[match.group(1)]), int(match.group(2))
    raise oracle.BadTest(f"no NumPy type for '{text}'")


def parameters(np, source, kernel, types):
    result = []
    texts = parameter_texts(source, kernel)
    if types and texts and "..." in texts[-1]:
        pack = re.search(r"\w+$", texts[-1]).group()
        texts[-1:] = [f"{pack}_{k}" for k in range(len(types) - len(texts) + 1)]
    for number, declaration in enumerate(texts):
        declaration = declaration.split("=")[0].strip()
        name = re.search(r"(\w+)\s*(\[\s*\w*\s*\])?$", declaration)
        kind = types[number] if types else declaration[:name.start()]
        if OBJECT.search(declaration):
            result.append((name.group(1), declaration, None, 1))
            continue
        if "[" in declaration and not types:
            kind += "*"
        pointer = "*" in kind
        dtype, width = element_type(np, kind.replace("*", " "))
        result.append((name.group(1), pointer, dtype, width))
    return result


# --- launching ---------------------------------------------------------------

class Config(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3),
                ("shared", ctypes.c_uint), ("stream", ctypes.c_void_p),
                ("attributes", ctypes.c_void_p), ("n", ctypes.c_uint)]


class Attribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint), ("pad", ctypes.c_uint),
                ("value", ctypes.c_uint * 16)]


class Driver:
    """As much of the CUDA driver as one launch after another needs."""

    def __init__(self, library):
        try:
            self.cuda = ctypes.CDLL(library)
            self.call("cuInit", 0)
        except (OSError, oracle.Failure) as error:
            raise Unavailable(str(error)) from error
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *args):
        status = getattr(self.cuda, name)(*args)
        if status != 0:
            raise oracle.Failure(f"{name}: error {status}")

    def launch(self, image, symbol, config, arguments):
        """Each argument is an array (copied there and back) or a ctypes value."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), image)
        self.call("cuModuleGetFunction", ctypes.byref(function), module,
                  symbol.encode())
        if config.shared > 0:
            self.call("cuFuncSetAttribute", function, 8, config.shared)
        values, arrays = [], []
        for argument in arguments:
            if isinstance(argument, ctypes.Array):
                values.append(argument)
                continue
            if isinstance(argument, Bound):
                values.append(argument.value)
                continue
            pointer, size = ctypes.c_uint64(), max(argument.nbytes, 1)
            self.call("cuMemAlloc_v2", ctypes.byref(pointer),
                      ctypes.c_size_t(size))
            self.copy("cuMemcpyHtoDAsync_v2", pointer, argument.ctypes, argument)
            values.append(pointer)
            arrays.append((pointer, argument))
        packed = (ctypes.c_void_p * max(len(values), 1))(
            *[ctypes.addressof(v) for v in values])
        self.call("cuLaunchKernelEx", ctypes.byref(config), function, packed,
                  None)
        self.call("cuStreamSynchronize", None)
        for pointer, array in arrays:
            self.copy("cuMemcpyDtoHAsync_v2", array.ctypes, pointer, array)
            self.call("cuStreamSynchronize", None)
            self.call("cuMemFree_v2", pointer)
        for argument in arguments:
            if isinstance(argument, Bound):
                argument.finish()
        self.call("cuModuleUnload", module)

    def copy(self, name, to, source, array):
        def raw(x):
            return x if isinstance(x, ctypes.c_uint64) else x.data_as(
                ctypes.c_void_p)
        self.call(name, raw(to), raw(source), ctypes.c_size_t(array.nbytes),
                  None)


def launch_config(words, source):
    def triple(option):
        text = words[words.index(option) + 1] if option in words else ""
        numbers = [int(n) for n in text.split(",") if n]
        return numbers + [1] * (3 - len(numbers)) if numbers else None
    block = triple("--block")
    if not block:
        raise oracle.BadTest("a launch without --block can't be compared")
    config = Config()
    config.grid[:] = triple("--grid") or [1, 1, 1]
    config.block[:] = block
    config.shared = (triple("--shared") or [0])[0]
    attributes = []
    if triple("--cluster"):
        attributes.append(Attribute(4, 0))
        attributes[-1].value[:3] = triple("--cluster")
    if "this_grid()" in source:
        attributes.append(Attribute(2, 0))
        attributes[-1].value[0] = 1
    keep = (Attribute * len(attributes))(*attributes)
    config.attributes = ctypes.addressof(keep) if attributes else None
    config.n = len(attributes)
    return config, keep


# --- comparing ---------------------------------------------------------------

class Comparison:
    """One launch: what it does when nvcc compiled it, and when Heddle did."""

    def __init__(self, options, test, step, number, scratch):
        self.options, self.test, self.step = options, test, step
        self.scratch, self.number = scratch, number
        self.runner = Runner(options, test, scratch)
        self.words = shlex.split(step.value)
        outcome = Outcome(f"nvcc's {test.path} {step.value}", 0, b"", "")
        self.expected = oracle.Oracle(self.runner, step, outcome)
        self.np = self.expected.np
        self.formulas = [oracle.parse_oracle(d) for d in step.all("OUT")]
        self.values = oracle.launch_values(self.words)

    def path(self, name, by):
        return os.path.join(self.scratch, f"{self.number}_{name}_{by}.npy")

    def initial(self, dtype, width, value):
        """The array that a launch word describes: [COUNT]=VALUES or @FILE."""
        count, spec = value
        if spec.startswith("@"):
            return self.np.ascontiguousarray(self.expected.load(spec[1:]))
        if count is None:
            raise oracle.BadTest("an array needs its count: x[100]=zeros")
        integers = {n: oracle.scalar_value(v[1]) for n, v in
                    self.values.items() if v[0] is None}
        extents = eval(count, {}, integers)
        shape = tuple(int(n) for n in (
            extents if isinstance(extents, tuple) else (extents,)))
        shape += (width,) if width > 1 else ()
        digits = {8: 53, 4: 24, 2: 11}[dtype.itemsize] if dtype.kind == "f" else 0
        return self.np.ascontiguousarray(self.expected.initial(
            spec, self.np.empty(shape, dtype), digits))

    def bound(self, driver, name, declaration, kernel):
        """A texture or surface, and the array behind it."""
        outcome = self.runner.run_heddle("convert", self.runner.name, kernel)
        view = View(name, "Surface" in declaration, outcome.text())
        dtype, width = element_type(self.np, view.element)
        array = self.initial(dtype, width, self.values[name])
        return Bound(driver, view, array, width, self.values)

    def run_nvcc(self, driver, base, image):
        with open(base + ".json", encoding="utf-8") as file:
            entries = json.load(file)
        kernel = kernel_of(self.words) or next(iter(entries.values())).split(
            "(")[0].split(" ")[-1]
        symbol, types = entry_of(entries, kernel)
        arguments, arrays = [], {}
        for name, pointer, dtype, width in parameters(
                self.np, self.test.text, kernel, types):
            if isinstance(pointer, str):
                arguments.append(self.bound(driver, name, pointer, kernel))
                arrays[name] = arguments[-1].array
            elif pointer:
                arrays[name] = self.initial(dtype, width, self.values[name])
                arguments.append(arrays[name])
            else:
                number = oracle.scalar_value(self.values[name][1])
                with self.np.errstate(all="ignore"):
                    raw = self.np.array(number).astype(dtype).tobytes()
                arguments.append((ctypes.c_char * len(raw))(*raw))
        config, keep = launch_config(self.words, self.test.text)
        driver.launch(image, symbol, config, arguments)
        del keep
        saved = {}
        for name in oracle.names_to_save(self.formulas):
            saved[name] = self.path(name, "nvcc")
            self.np.save(saved[name], arrays[name])
        self.expected.check(self.formulas, saved,
                          {n: v[1] for n, v in self.values.items()})
        return saved

    def run_heddle(self, device):
        saved, argv = {}, ["run", self.runner.name, *self.words,
                           *self.test.args(), "--device", device]
        for name in sorted(oracle.names_to_save(self.formulas)):
            saved[name] = self.path(name, device)
            argv += ["--save", f"{name}={saved[name]}"]
        outcome = self.runner.run_heddle(*argv)
        if outcome.status != 0:
            self.runner.fail(outcome, f"Heddle on {device}")
        return saved

    def compare(self, device, ours, theirs):
        relative, absolute = self.expected.tolerance or (0.0, 0.0)
        self.expected.tolerance = (2 * relative, 2 * absolute)
        for formula in self.formulas:
            got = self.np.load(ours[formula.name])
            want = self.np.load(theirs[formula.name])
            if got.size == want.size:
                want = want.reshape(got.shape)
            self.expected.outcome = self.expected.outcome._replace(
                command=f"Heddle on {device} against nvcc")
            self.expected.compare(formula, got, want)
        self.expected.tolerance = (relative, absolute)


def compare_file(options, path, driver, scratch):
    test = read_test(path)
    if test.last("NVCC") is not None:
        return f"left out: {test.last('NVCC')}", 0
    todo = launches(test)
    if not todo:
        return "left out: no launch with arrays", 0
    base = os.path.join(options.built, key_of(path)) if options.built else \
        compile_file(path, test, scratch)
    with open(base + (".ptx" if options.ptx else ".cubin"), "rb") as file:
        image = file.read() + b"\0"
    checked = 0
    for number, step in todo:
        one = Comparison(options, test, step, number, scratch)
        theirs = one.run_nvcc(driver, base, image)
        for device in options.devices:
            one.compare(device, one.run_heddle(device), theirs)
        checked += one.runner.checked
    return f"{len(todo)} launches, {checked} comparisons", checked


def build(options):
    os.makedirs(options.build, exist_ok=True)
    status = 0
    for path in options.files:
        try:
            test = read_test(path)
            if launches(test) and test.last("NVCC") is None:
                compile_file(path, test, options.build)
        except (oracle.BadTest, oracle.Failure) as error:
            print(f"{path}: {error}")
            status = 1
    return status


def compare(options):
    if not options.built:
        find_tool("nvcc")
    driver = Driver(options.library)
    counts = {"equal": 0, "left out": 0, "different": 0}
    for path in options.files:
        with tempfile.TemporaryDirectory(prefix="heddle_nvcc_") as scratch:
            try:
                text, checked = compare_file(options, path, driver, scratch)
                word = "equal" if checked else "left out"
            except (oracle.BadTest, oracle.Failure) as error:
                text, word = str(error), "different"
        counts[word] += 1
        print(f"{path}: {text if word != 'different' else 'FAILED: ' + text}",
              flush=True)
    if len(options.files) > 1:
        print(counts)
    if counts["different"]:
        return 1
    return 0 if counts["equal"] else SKIPPED


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--heddle", default="heddle")
    parser.add_argument("--build", metavar="DIR", help="compile only")
    parser.add_argument("--built", metavar="DIR", help="what --build made")
    parser.add_argument("--devices", default="cpu,cuda",
                        help="Heddle's, or nothing: only the expressions")
    parser.add_argument("--library", default="libcuda.so.1")
    parser.add_argument("--ptx", action="store_true",
                        help="give the driver PTX instead of machine code")
    options = parser.parse_args()
    options.devices = [d for d in options.devices.split(",") if d]
    fill_options(options)
    options.share, options.slower, options.servers = None, 1.0, Servers(None)
    try:
        return build(options) if options.build else compare(options)
    except Unavailable as reason:
        print(f"skipped: {reason}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
