#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many lines printed_tiles.hd has printed, and which blocks' were torn."""

import sys


def pieces(b):
    """What block b prints, each in one piece."""
    n = [b + i for i in range(8)]
    yield (f"t = [[[{n[0]} {n[1]}]\n      [{n[2]} {n[3]}]]\n"
           f"     [[{n[4]} {n[5]}]\n      [{n[6]} {n[7]}]]]\n")
    yield "wide = [" + " ".join(str(b + i) for i in range(96)) + "]\n"


with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
torn = [b for b in range(512) if any(piece not in text for piece in pieces(b))]
print(text.count("\n"), torn)
