#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/internals/operations.md from src/ir/ops.def.

    op_table.py ROOT           rewrites the page
    op_table.py ROOT --check   fails if the page is stale
"""

import pathlib
import re
import sys

PAGE = "docs/internals/operations.md"
HEAD = """# Operations of the IR

`tools/op_table.py` writes this page from `src/ir/ops.def` and
`src/ir/families.def`; a lint test fails when it is stale. [The text form](ir.md)
says how attributes are written.

Letters of operands, one each:
"""
LETTERS = """
| | operand | | operand |
|---|---|---|---|
| `b` | bool | `v` | any value |
| `i` | integer | `p` | pointer |
| `j` | integer or bool | `x` | i32 or i64 |
| `f` | float | `l` | i64 |
| `g` | float or fp8 | `s` | i32 |
| `n` | integer or float | `t` | token |
| `q` | integer, bool or pointer | `*` | any number of any values |
| `=` | type of operand 0 | `2` | type of operand 1 |

Results have the same letters; `-` is none, `v` the type of operand 1, `@` a type that
the node states. *Pure*: no effect, may be removed, repeated and moved.
*Collective*: all threads of the group reach it together. *Alike*: all threads of
the group get the same result.
"""
COLUMNS = ("family id text args result form need flags memory proxy waits "
           "signals doc").split()
PURE = {"need": "NEED_NONE", "flags": "OPF_PURE", "memory": "MEM_NONE",
        "proxy": "PROXY_NONE", "waits": "EVENT_NONE", "signals": "EVENT_NONE"}
QUIET = {column for column in PURE if column not in ("need", "flags")}
NEEDS = {"NEED_NONE": "", "NEED_GROUP": "", "NEED_SINGLE": "one thread",
         "NEED_WARP": "a warp", "NEED_WARPGROUP": "a warpgroup",
         "NEED_WARPGROUPS": "whole warpgroups",
         "NEED_SINGLE_OR_WARP": "one thread or warp",
         "NEED_AT_LEAST_16": "16 threads or more"}
FLAGS = {"OPF_PURE": "pure", "OPF_COLLECTIVE": "collective",
         "OPF_REGION": "has regions", "OPF_EXIT": "ends its region",
         "OPF_BLOCKS": "may wait", "OPF_CANNOT_VARY": "reached by all",
         "OPF_ALIKE": "alike", "OPF_CHECKS": "only in checks",
         "OPF_ABOVE_TILES": "above the level tiles", "0": ""}
MEMORY = {"MEM_NONE": "", "MEM_READ": "reads", "MEM_WRITE": "writes",
          "MEM_ORDER": "orders"}
PROXIES = {"PROXY_NONE": "", "PROXY_GENERIC": "", "PROXY_ASYNC": "by the engines"}
EVENTS = {"EVENT_NONE": "", "EVENT_GROUP_BARRIER": "the group's barrier",
          "EVENT_MBARRIER": "an mbarrier's phase", "EVENT_TOKEN": "a token",
          "EVENT_COPY": "copies", "EVENT_SEMAPHORE": "a semaphore"}


def entries(text, names):
    """Calls of the macros, as lists of arguments."""
    text = re.sub(r"^\s*(//|#).*?(?<!\\)$", "", text, flags=re.M)
    token = re.compile(r'"(?:[^"\\]|\\.)*"|[^",()\s][^",()]*|[,()]')
    call = re.compile(r"^(%s)\(" % "|".join(names), re.M)
    for start in call.finditer(text):
        arguments, current, depth = [], "", 1
        for match in token.finditer(text, start.end()):
            word = match.group()
            depth += (word == "(") - (word == ")")
            if depth == 0:
                break
            if word == "," and depth == 1:
                arguments.append(current.strip())
                current = ""
            else:
                current += word[1:-1].replace('\\"', '"') if word[0] == '"' else word
        yield start.group(1), arguments + [current.strip()]


def rows(text):
    """A dictionary of columns for each operation."""
    found = []
    left_out = {"ROW": {}, "PURE": PURE, "QUIET": QUIET}
    for macro, arguments in entries(text, list(left_out)):
        names = [c for c in COLUMNS if c not in left_out[macro]]
        if len(arguments) != len(names):
            raise SystemExit(f"op_table.py can't read {arguments[:2]}")
        found.append({**PURE, **dict(zip(names, arguments))})
    if len(found) != len(re.findall(r"^(?:ROW|PURE|QUIET)\(", text, re.M)):
        raise SystemExit("op_table.py can't read all rows of ops.def")
    return found


def words(table, value):
    """What the bits of a column mean."""
    bits = value.replace(" ", "").split("|")
    for bit in bits:
        if bit not in table:
            raise SystemExit(f"op_table.py has no words for {bit}")
    return [table[bit] for bit in bits if table[bit]]


def effect(row):
    """Memory and events, in words."""
    memory = words(MEMORY, row["memory"])
    found = [" and ".join(memory + words(PROXIES, row["proxy"]))] if memory else []
    for verb in ("waits", "signals"):
        found += [f"{verb} {'for ' if verb == 'waits' else ''}{event}"
                  for event in words(EVENTS, row[verb])]
    return ", ".join(found).replace(" and by the", " by the")


def cell(text):
    return text.replace("|", "\\|")


def code(text):
    return f"`{text}`" if text else ""


def page(root):
    operations = rows((root / "src/ir/ops.def").read_text(encoding="utf-8"))
    families = (root / "src/ir/families.def").read_text(encoding="utf-8")
    parts = [HEAD, LETTERS]
    for _, (family, name, doc) in entries(families, ["FAMILY"]):
        own = [row for row in operations if row["family"] == family]
        if not own:
            continue
        parts.append(f"\n## {name[0].upper()}{name[1:]}\n{doc[0].upper()}{doc[1:]}.\n\n"
                     "| operation | operands | result | rules | memory, events | "
                     "meaning |\n|---|---|---|---|---|---|\n")
        for row in own:
            rules = words(FLAGS, row["flags"]) + words(NEEDS, row["need"])
            parts.append(f"| `{row['text']}` | {code(row['args'])} | "
                         f"`{row['result']}` | {', '.join(rules)} | {effect(row)} | "
                         f"{cell(row['doc'])} |\n")
    return "".join(parts)


def main():
    root = pathlib.Path(sys.argv[1])
    path = root / PAGE
    text = page(root)
    if sys.argv[2:] != ["--check"]:
        path.write_text(text, encoding="utf-8")
        return 0
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE} is stale: run tools/op_table.py .")
    return 1


if __name__ == "__main__":
    sys.exit(main())
