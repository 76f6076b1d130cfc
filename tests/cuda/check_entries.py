#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every name that include/heddle/cuda declares stands in a test program.

    check_entries.py ROOT

Functions, members, classes, types, variables and enumerators count, whatever
their namespace but `__hd…`, which are the headers' own. What the headers say is
not supported must be named by a program in tests/cuda/diag. Where a program
pastes names, as `__int2half_##mode`, the macro's argument may be any word of the
programs.
"""

import os
import re
import sys

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|::|\S')
WORD = re.compile(r"[A-Za-z_]\w*")
PTX = "ptx_"  # inline assembly names what these parts of the prelude declare
CLASS_KEYS = ("struct", "class", "enum", "union")
NO_NAMES = {"operator", "decltype", "sizeof", "static_assert"}
# Of the headers themselves, though they stand among CUDA's names.
OWN_NAMES = {"__nv_atomic_cas_value", "all_alike", "arrival_token_type",
             "barrier_token", "left", "swap_value",
             # private in classes of CUB
             "Blocked", "Callback", "Lanes", "Loading", "Merging", "Nothing", "Place",
             "Reduction", "Scanning", "Storing", "Striped", "WarpStriped", "exclusive",
             "heads", "segment_end", "share", "tails",
             # what a texture holds for its filters
             "address_x", "address_y", "address_z", "is_linear", "is_normalized",
             "unit"}


def tokens_of(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"//[^\n]*|^\s*#(?:\\\n|[^\n])*", "", file.read(), flags=re.M)
    return TOKEN.findall(text)


def skip_group(tokens, at):
    """Behind the bracket that closes the one at `at`."""
    pairs = {"(": ")", "{": "}", "[": "]"}
    opener, depth = tokens[at], 0
    while at < len(tokens):
        depth += (tokens[at] == opener) - (tokens[at] == pairs[opener])
        at += 1
        if depth == 0:
            break
    return at


def skip_template(tokens, at):
    """Behind `template <…>` at `at`."""
    depth, at = 0, at + 1
    while at < len(tokens):
        depth += (tokens[at] == "<") - (tokens[at] == ">")
        at += 1
        if depth == 0:
            break
    return at


class Header:
    """The names that one header declares."""

    def __init__(self, path):
        self.tokens = tokens_of(path)
        self.names = {}  # name: whether a use of it is supported

    def add(self, name, is_supported):
        if WORD.fullmatch(name) and name not in NO_NAMES | OWN_NAMES:
            self.names[name] = self.names.get(name, False) or is_supported

    def scope(self, at, name):
        """Declarations up to the closing brace; `name` of a class, or None."""
        tokens = self.tokens
        while at < len(tokens) and tokens[at] != "}":
            if tokens[at] == "namespace":
                end = tokens.index("{", at)
                if tokens[end - 1] .startswith("__hd") and end == at + 2:
                    at = skip_group(tokens, end)
                else:
                    at = self.scope(end + 1, None) + 1
            elif tokens[at] in ("public", "private", "protected"):
                at += 2
            elif tokens[at] == "using":
                at = tokens.index(";", at) + 1
            else:
                at = self.declaration(at, name)
        return at

    def declaration(self, at, class_name):
        tokens, begin = self.tokens, at
        while tokens[at] == "template":
            at = skip_template(tokens, at)
        if tokens[at] in CLASS_KEYS:
            return self.class_(at)
        name = None
        while tokens[at] not in (";", "{"):
            if tokens[at] == "(":
                if name is None and WORD.fullmatch(tokens[at - 1]) and \
                        not tokens[at - 1].startswith(("__heddle", "__align")):
                    name = tokens[at - 1]
                at = skip_group(tokens, at)
            elif tokens[at] == "=" and name is None:
                name = tokens[at - 1]
                at += 1
            else:
                at += 1
        words = tokens[begin:at]
        refused = "__heddle_unsupported" in words and \
            "__heddle_when" not in words
        fields = self.fields(words) if name is None or \
            words[0] == "typedef" or "extern" in words else [name]
        for field in fields:
            if field != class_name:
                self.add(field, not refused)
        if tokens[at] == "{":
            return skip_group(tokens, at)
        return at + 1

    @staticmethod
    def fields(words):
        """The names of `T a, b` and `typedef T a`."""
        flat = " ".join(re.sub(r"__\w+", "", w) if w.startswith("__heddle")
                        else w for w in words if not w.startswith('"'))
        flat = re.sub(r"\([^()]*\)", "", flat)
        return [WORD.findall(re.sub(r"\[.*", "", part))[-1]
                for part in re.sub(r"<[^<>]*>", "", flat).split(",")
                if WORD.findall(part)]

    def class_(self, at):
        tokens, is_enum = self.tokens, self.tokens[at] == "enum"
        at += 1 + (is_enum and tokens[at + 1] in CLASS_KEYS)
        is_supported = True
        while tokens[at].startswith("__"):
            if tokens[at + 1] == "(":
                is_supported &= tokens[at] != "__heddle_unsupported"
                at = skip_group(tokens, at + 1)
            elif tokens[at] in ("__heddle_group", "__heddle_token",
                                "__heddle_barrier", "__heddle_pipeline"):
                at += 1
            else:
                break
        name = tokens[at] if WORD.fullmatch(tokens[at]) else None
        if name:
            self.add(name, is_supported)
        while tokens[at] not in ("{", ";"):
            at += 1
        if tokens[at] == ";":
            return at + 1
        if is_enum:
            end = skip_group(tokens, at)
            for i in range(at + 1, end - 1):
                if tokens[i - 1] in ("{", ","):
                    self.add(tokens[i], True)
        elif not is_supported:
            end = skip_group(tokens, at)
        else:
            end = self.scope(at + 1, name) + 1
        return end + (end < len(tokens) and tokens[end] == ";")


class Named:
    """The words of the programs below a folder."""

    def __init__(self, folder):
        self.words, self.pasted = set(), set()
        for place, _, names in os.walk(folder):
            for name in names:
                if name.endswith((".cu", ".cuh")):
                    self.read(os.path.join(place, name))

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        code = re.sub(r"//[^\n]*", "", text)
        self.words.update(WORD.findall(code))
        arguments = set()
        for line in re.findall(r"#define \w+\(([^)]*)\)", code):
            arguments.update(WORD.findall(line))
        for chain in re.findall(r"\w+(?: ?## ?\w+)+", code):
            parts = re.split(r" ?## ?", chain)
            self.pasted.add("".join(r"(\w+)" if p in arguments else re.escape(p)
                                    for p in parts))

    def has(self, name):
        if name in self.words:
            return True
        found = (re.fullmatch(p, name) for p in self.pasted)
        return any(f and self.words.issuperset(f.groups()) for f in found)


def main():
    root = sys.argv[1]
    declared, n_missing = {}, 0
    headers = os.path.join(root, "include", "heddle", "cuda")
    for place, _, names in sorted(os.walk(headers)):
        for name in sorted(n for n in names if not n.startswith(PTX)):
            path = os.path.join(place, name)
            header = Header(path)
            header.scope(0, None)
            for entry, is_supported in header.names.items():
                old = declared.get(entry, (None, False))
                declared[entry] = (old[0] or path, old[1] or is_supported)
    tests = os.path.join(root, "tests", "cuda")
    used = {True: Named(tests), False: Named(os.path.join(tests, "diag"))}
    for entry, (path, is_supported) in sorted(declared.items()):
        if not used[is_supported].has(entry):
            n_missing += 1
            where = "tests/cuda" if is_supported else "tests/cuda/diag"
            print(f"{os.path.relpath(path, root)}: '{entry}': no program in "
                  f"{where} names it")
    print(f"{len(declared)} entries, {n_missing} without a test")
    return 1 if n_missing or not declared else 0


if __name__ == "__main__":
    sys.exit(main())
