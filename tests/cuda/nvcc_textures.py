# SPDX-License-Identifier: Apache-2.0
"""Texture and surface objects for the launches of compare_nvcc.py.

What an object holds and how it is sampled is what the kernel says that
`heddle convert` makes: `const float4 t[t_height][t_width]` and
`constexpr bool t_linear = true`, or the launch, `t_linear=true`.
"""

import ctypes
import re

OBJECT = re.compile(r"\b(cudaTextureObject_t|cudaSurfaceObject_t)\b")
FORMATS = {"u1": 1, "u2": 2, "u4": 3, "i1": 8, "i2": 9, "i4": 10, "f2": 16,
           "f4": 32}
ARRAY, LINEAR = 0, 2  # kinds of resources
LAYERED, SURFACE = 1, 2  # flags of arrays
AS_INTEGERS, NORMALIZED = 1, 2  # flags of textures
HOST, DEVICE_ARRAY = 1, 3  # kinds of memory


class ArrayDescriptor(ctypes.Structure):
    _fields_ = [("width", ctypes.c_size_t), ("height", ctypes.c_size_t),
                ("depth", ctypes.c_size_t), ("format", ctypes.c_uint),
                ("channels", ctypes.c_uint), ("flags", ctypes.c_uint)]


class CopyEnd(ctypes.Structure):
    _fields_ = [("x_bytes", ctypes.c_size_t), ("y", ctypes.c_size_t),
                ("z", ctypes.c_size_t), ("level", ctypes.c_size_t),
                ("kind", ctypes.c_uint), ("host", ctypes.c_void_p),
                ("device", ctypes.c_uint64), ("array", ctypes.c_void_p),
                ("reserved", ctypes.c_void_p), ("pitch", ctypes.c_size_t),
                ("height", ctypes.c_size_t)]


class Copy(ctypes.Structure):
    _fields_ = [("source", CopyEnd), ("to", CopyEnd),
                ("width_bytes", ctypes.c_size_t), ("height", ctypes.c_size_t),
                ("depth", ctypes.c_size_t)]


class Linear(ctypes.Structure):
    _fields_ = [("device", ctypes.c_uint64), ("format", ctypes.c_uint),
                ("channels", ctypes.c_uint), ("bytes", ctypes.c_size_t)]


class Memory(ctypes.Union):
    _fields_ = [("array", ctypes.c_void_p), ("linear", Linear),
                ("reserved", ctypes.c_int * 32)]


class Resource(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint), ("memory", Memory),
                ("flags", ctypes.c_uint)]


class Sampling(ctypes.Structure):
    _fields_ = [("address", ctypes.c_uint * 3), ("filter", ctypes.c_uint),
                ("flags", ctypes.c_uint), ("anisotropy", ctypes.c_uint),
                ("mipmap_filter", ctypes.c_uint),
                ("levels", ctypes.c_float * 3), ("border", ctypes.c_float * 4),
                ("reserved", ctypes.c_int * 12)]


class View:
    """A texture or surface that a kernel gets, as the converted one says."""

    def __init__(self, name, is_surface, converted):
        self.name, self.is_surface = name, is_surface
        text = re.sub(r"\s+", " ", converted)
        found = re.search(rf"((?:\w+ )*?\w+) {name}((?:\[\w+\])+)", text)
        self.element = found.group(1) if found else "unsigned char"
        extents = re.findall(r"\[\w+_(\w+)\]", found.group(2) if found else "")
        self.rank = len(extents)
        self.has_height = "height" in extents
        calls = " ".join(re.findall(
            rf"\b(?:tex|surf)\w+\([^;{{}}]*?\b{name}_view\b", text))
        self.is_layered = "Layered" in calls
        self.is_linear = "tex1Dfetch" in calls
        self.settings = dict(re.findall(
            rf"constexpr \w+ {name}_(\w+) = (\w+)", text))
        made = re.search(rf"\b{name}_view = \{{([^}}]*)\}}", text)
        is_fraction = made and not made.group(1).endswith(" 0")
        self.is_integer = not is_fraction and "float" not in self.element

    def setting(self, word, values):
        given = values.get(f"{self.name}_{word}")
        text = given[1] if given else self.settings.get(word, "0")
        return int({"true": "1", "false": "0"}.get(text, text))


class Bound:
    """A view with memory of the GPU: `value` is the argument."""

    def __init__(self, driver, view, array, width, values):
        self.driver, self.view, self.array = driver, view, array
        self.width = width
        kind = array.dtype.str[1:]
        if kind in ("i8", "u8", "f8"):
            kind, self.width = "u4", 2
        self.format = FORMATS[kind]
        self.value = ctypes.c_uint64()
        self.memory = ctypes.c_uint64() if view.is_linear else ctypes.c_void_p()
        resource = Resource()
        if view.is_linear:
            driver.call("cuMemAlloc_v2", ctypes.byref(self.memory),
                        ctypes.c_size_t(max(array.nbytes, 1)))
            driver.call("cuMemcpyHtoD_v2", self.memory,
                        array.ctypes.data_as(ctypes.c_void_p),
                        ctypes.c_size_t(array.nbytes))
            resource.kind = LINEAR
            resource.memory.linear = Linear(self.memory.value, self.format,
                                            self.width, array.nbytes)
        else:
            self.make_array()
            resource.kind = ARRAY
            resource.memory.array = self.memory.value
        if view.is_surface:
            driver.call("cuSurfObjectCreate", ctypes.byref(self.value),
                        ctypes.byref(resource))
        else:
            driver.call("cuTexObjectCreate", ctypes.byref(self.value),
                        ctypes.byref(resource),
                        ctypes.byref(self.sampling(values)), None)

    def sizes(self):
        """Width, height and depth: what the array doesn't have is 1."""
        shape = list(self.array.shape)[:self.view.rank]
        if not self.view.has_height and len(shape) == 2:
            shape.insert(1, 1)
        return (shape[::-1] + [1, 1])[:3]

    def make_array(self):
        width, height, depth = self.sizes()
        has_depth = self.view.rank == 3 or (self.view.rank == 2 and
                                            not self.view.has_height)
        descriptor = ArrayDescriptor(
            width, height if self.view.has_height else 0,
            depth if has_depth else 0, self.format, self.width,
            (LAYERED if self.view.is_layered else 0) | SURFACE)
        self.driver.call("cuArray3DCreate_v2", ctypes.byref(self.memory),
                         ctypes.byref(descriptor))
        self.copy(True)

    def copy(self, is_in):
        width, height, depth = self.sizes()
        row = self.array.nbytes // max(height * depth, 1)
        host = CopyEnd(kind=HOST, host=self.array.ctypes.data, pitch=row,
                       height=height)
        device = CopyEnd(kind=DEVICE_ARRAY, array=self.memory.value)
        copy = Copy(*((host, device) if is_in else (device, host)), row, height,
                    depth)
        self.driver.call("cuMemcpy3D_v2", ctypes.byref(copy))

    def sampling(self, values):
        view, how = self.view, Sampling()
        for i, axis in enumerate("xyz"):
            how.address[i] = view.setting(f"address_{axis}", values)
        how.filter = view.setting("linear", values)
        how.flags = NORMALIZED * view.setting("normalized", values)
        if view.is_integer:
            how.flags |= AS_INTEGERS
        return how

    def finish(self):
        """What the kernel wrote is in the array."""
        if self.view.is_surface:
            self.copy(False)
            self.driver.call("cuSurfObjectDestroy", self.value)
        else:
            self.driver.call("cuTexObjectDestroy", self.value)
        self.driver.call("cuMemFree_v2" if self.view.is_linear else
                         "cuArrayDestroy", self.memory)
