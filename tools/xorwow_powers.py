#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of include/heddle/cuda/heddle_xorwow.h.

    xorwow_powers.py
"""

N_ROWS = 131  # offsets need 64, sequences, which are 2^67 apart, 64 more


def step(words):
    """The linear part of XORWOW."""
    t = words[0] ^ words[0] >> 2
    last = words[4] ^ words[4] << 4 ^ t ^ t << 1
    return words[1:] + [last & 0xffffffff]


def characteristic():
    """Its polynomial, bit i for x^i, by Berlekamp and Massey from one bit of each state."""
    words, bits = [1, 2, 3, 4, 5], []
    for _ in range(400):
        bits.append(words[4] & 1)
        words = step(words)
    now, before, length, since = 1, 1, 0, 1
    for n in range(len(bits)):
        if sum(bits[n - i] for i in range(length + 1) if now >> i & 1) % 2 == 0:
            since += 1
        elif 2 * length <= n:
            now, before = now ^ before << since, now
            length, since = n + 1 - length, 1
        else:
            now ^= before << since
            since += 1
    assert length == 160
    return sum((now >> i & 1) << (160 - i) for i in range(161))


def main():
    modulus, power = characteristic(), 2
    for _ in range(N_ROWS):
        print("  {" + ", ".join(f"0x{power >> 32 * i & 0xffffffff:08x}u" for i in range(5)) + "},")
        power = sum((power >> i & 1) << 2 * i for i in range(160))
        while power.bit_length() > 160:
            power ^= modulus << (power.bit_length() - 161)


main()
