# SPDX-License-Identifier: Apache-2.0
"""Writes .npy files that must be refused into the folder bad/."""
import os
import struct

import numpy as np

os.mkdir("bad")
GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (8,), }"
DATA = np.arange(8, dtype="<f4").tobytes()


def write(name, content):
    with open(f"bad/{name}.npy", "wb") as file:
        file.write(content)


def npy(header, data=DATA, version=(1, 0), length=None):
    text = header.encode("latin1") + b"\n"
    size = "<H" if version[0] == 1 else "<I"
    count = len(text) if length is None else length
    return b"\x93NUMPY" + bytes(version) + struct.pack(size, count) + text + data


whole = npy(GOOD)
write("truncated", whole[:-1])
write("no_data", npy(GOOD, b""))
write("cut_in_header", whole[:40])
write("cut_in_length", whole[:9])
write("cut_in_magic", whole[:4])
write("empty", b"")
write("too_long", whole + b"\0")
write("text", b"1 2 3 4\n" * 20)
write("bad_magic", b"\x93NUMPZ" + whole[6:])
write("version_9", b"\x93NUMPY\x09\x00" + whole[8:])
write("version_0", b"\x93NUMPY\x00\x00" + whole[8:])
write("header_too_long", npy(GOOD, length=60000))
write("header_huge", npy(GOOD, version=(2, 0), length=0xFFFFFFF0))
write("header_short", npy(GOOD, length=10))
write("header_zero", npy(GOOD, length=0))
write("no_brace", npy(GOOD.replace("{", " ")))
write("no_end", npy(GOOD.replace("}", " ")))
write("no_descr", npy(GOOD.replace("descr", "descX")))
write("no_shape", npy("{'descr': '<f4', 'fortran_order': False}"))
write("bad_order", npy(GOOD.replace("False", "Maybe")))
write("negative", npy(GOOD.replace("(8,)", "(-8,)")))
write("huge_extent", npy(GOOD.replace("(8,)", "(99999999999999999999,)")))
write("huge_product", npy(GOOD.replace("(8,)", "(4294967296, 4294967296, 4294967296)")))
write("overflow_to_zero", npy(GOOD.replace("(8,)", "(4611686018427387904,)"), b""))
write("many_dimensions", npy(GOOD.replace("(8,)", "(1,) * 40")))
write("deep", npy(GOOD.replace("(8,)", "(" + "1, " * 64 + ")")))
write("shape_text", npy(GOOD.replace("(8,)", "'8'")))
write("wrong_type", npy(GOOD.replace("<f4", "<i4")))
write("wrong_width", npy(GOOD.replace("<f4", "<f8"), DATA * 2))
write("objects", npy(GOOD.replace("<f4", "|O")))
write("unicode", npy(GOOD.replace("<f4", "<U4"), DATA * 4))
write("records", npy(GOOD.replace("'<f4'", "[('a', '<f4')]")))
write("rank2", npy(GOOD.replace("(8,)", "(2, 4)")))
write("single_value", npy(GOOD.replace("(8,)", "()"), DATA[:4]))
