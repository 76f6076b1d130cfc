# SPDX-License-Identifier: Apache-2.0
"""Reads 8-bit PNG images without a library, for the oracles of tests."""

import struct
import zlib

import numpy as np

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def chunks(data):
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def paeth(left, above, corner):
    guess = left + above - corner
    distances = abs(guess - left), abs(guess - above), abs(guess - corner)
    return (left, above, corner)[distances.index(min(distances))]


def unfilter(kind, row, above, step):
    """One row of bytes, its filter undone (PNG specification, section 9)."""
    for i, value in enumerate(row):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        row[i] = (value + (0, left, above[i], (left + above[i]) // 2,
                           paeth(left, above[i], corner))[kind]) & 255
    return row


def read_png(path):
    """Height x width, or height x width x channels."""
    with open(path, "rb") as file:
        data = file.read()
    found = list(chunks(data))
    width, height, depth, colour, _, _, interlaced = struct.unpack(
        ">IIBBBBB", found[0][1])
    if data[:8] != b"\x89PNG\r\n\x1a\n" or depth != 8 or interlaced or \
            colour not in CHANNELS:
        raise ValueError(f"{path}: not a plain PNG of 8 bits a channel")
    step = CHANNELS[colour]
    raw = zlib.decompress(b"".join(d for k, d in found if k == b"IDAT"))
    rows, above = [], bytearray(width * step)
    for y in range(height):
        start = y * (width * step + 1)
        row = bytearray(raw[start + 1:start + 1 + width * step])
        above = unfilter(raw[start], row, above, step)
        rows.append(np.frombuffer(bytes(above), np.uint8))
    shape = (height, width) if step == 1 else (height, width, step)
    return np.stack(rows).reshape(shape)
