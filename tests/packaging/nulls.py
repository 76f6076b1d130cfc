#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""NULL for any pointer of any public function is a status, never a crash.

usage: nulls.py HEADER COMPILER LIBRARY_FOLDER

Reads heddle.h and writes a C program that calls each function once for each
pointer that it takes, with NULL there and good arguments elsewhere, and once
with NULL for all. Each call is a process of its own. Functions that return a
status must return HD_ERROR_ARGUMENT, except for what OPTIONAL lists, which the
header says may be NULL: any status will do there.
"""
import os
import re
import subprocess
import sys
import tempfile

OPTIONAL = {
    "options", "embeds", "strides", "target", "data", "text", "handle",
    "hd_message_copy.buffer", "hd_program_find_kernel.name",
    "hd_kernel_get.name", "hd_check.name", "hd_launch.name", "hd_dump.kernel",
    "hd_dump_for.kernel", "hd_dump_after.kernel", "hd_convert.kernel", "hd_event_record.stream",
    "hd_graph_launch.stream", "hd_launch.stream", "hd_kernel_launch.stream",
    "hd_kernel_launch.args", "hd_args_launch.stream",
    "hd_global_write_on.device", "hd_global_read_on.device",
}
# A count behind these makes them needed.
COUNTED = {"embeds": "n_embeds", "data": "size_bytes", "text": "length",
           "args": "n_args", "extents": "rank"}

GOOD = {  # by type and name, then by type
    "HdSession *": "session", "HdProgram *": "program", "HdKernel *": "kernel",
    "HdArgs *": "args", "HdCheck *": "check", "HdDevice *": "device",
    "HdBuffer *": "buffer", "HdStream *": "stream", "HdEvent *": "event",
    "HdGraph *": "graph", "struct DLManagedTensor *": "NULL",
    "struct DLManagedTensorVersioned *": "NULL",
    "HdStatus": "HD_OK", "HdFormat": "HD_FORMAT_TEXT", "HdType": "HD_I32",
    "HdVerdict": "HD_VERDICT_BUG", "HdArg": "HD_INT(1)", "HdEmbed *": "embeds",
    "HdArg *": "values", "int": "1", "size_t": "4", "int64_t": "0",
    "int64_t *": "extents", "int *": "ints", "double *": "reals",
    "void *": "bytes", "char *name": '"n"', "char *path": '"none.hd"',
    "char *text": '"text"', "char *stage": '"ir"', "char *kind": '"cpu"',
    "char *code": '"HD0501"', "char *kernel": '"k"', "char *target": '"cpu"',
    "char *buffer": "bytes", "char *declaration": '"int t[8] layout(row_major)"', "HdSessionOptions *": "NULL",
    "HdCheckOptions *": "NULL", "HdConvertOptions *": "NULL",
    "HdLaunchOptions *": "NULL",
}

HEAD = r"""
#include "heddle/heddle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static HdSession *session; static HdProgram *program; static HdKernel *kernel;
static HdArgs *args; static HdCheck *check; static HdDevice *device;
static HdBuffer *buffer; static HdStream *stream; static HdEvent *event;
static HdGraph *graph;
static char bytes[4096];
static int ints[8];
static double reals[8];
static int64_t extents[8] = {1, 1, 1, 1, 1, 1, 1, 1};
static HdEmbed embeds[1] = {{"n", "1"}};
static HdArg values[1];
static int is_bad;
/* Out parameters of any type. */
static union { void *pointer; char room[4096]; } out;

static void need(HdStatus status) { if (status) { puts("setup"); exit(2); } }
static void judge(const char *what, int wants, int (*call)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(call());
  }
  int status;
  waitpid(child, &status, 0);
  int is_good = WIFEXITED(status) &&
                (!wants || WEXITSTATUS(status) == HD_ERROR_ARGUMENT);
  if (!is_good)
    printf("%s: status %#x\n", what, status);
  is_bad |= !is_good;
}
"""

SETUP = r"""
int main(void) {
  const char *source = "kernel void k(int n, int y[n]) grid(1) threads(32)"
                       " { if (rank() < n) y[rank()] = 1; }";
  HdSessionOptions options = HD_SESSION_OPTIONS_INIT;
  HdCheckOptions rules = HD_CHECK_OPTIONS_INIT;
  options.use_disk_cache = 0;
  rules.rules_only = 1;
  need(hd_session_new(&options, &session));
  need(hd_compile_text(session, "t.hd", source, strlen(source), &program));
  need(hd_kernel_get(program, "k", NULL, 0, &kernel));
  need(hd_args_new(kernel, &args));
  need(hd_check(program, "k", NULL, 0, &rules, &check));
"""


def functions(header):
    text = re.sub(r"/\*.*?\*/", "", open(header, encoding="utf-8").read(),
                  flags=re.S)
    text = re.sub(r"^#.*(\\\n.*)*$", "", text, flags=re.M)
    pattern = r"HD_API\s+(?:HD_MUST_USE\s+)?([\w\s*]*?)(hd_\w+)\(([^;]*)\);"
    for found in re.finditer(pattern, text):
        params = []
        for param in found.group(3).split(","):
            param = " ".join(param.split()).replace("const ", "")
            if param in ("void", "..."):
                continue
            name = re.search(r"(\w+)(\[\d\])?$", param)
            kind = param[:name.start()].strip() + " *" * bool(name.group(2))
            params.append((kind.replace("**", "* *").strip(), name.group(1)))
        yield found.group(1).strip(), found.group(2), params


def is_pointer(kind):
    return kind.endswith("*")


def good(kind, name):
    for key in (kind + name, kind):
        if key in GOOD:
            return GOOD[key]
    if is_pointer(kind):
        return "(void *)&out"
    raise SystemExit(f"no argument for '{kind} {name}': add it to GOOD")


def is_optional(function, name):
    return name in OPTIONAL or f"{function}.{name}" in OPTIONAL


def call(returns, function, params, nulls):
    given = ["NULL" if name in nulls else good(kind, name)
             for kind, name in params]
    if function == "hd_launch":
        given.append("HD_END")
    text = f"{function}({', '.join(given)})"
    if returns == "HdStatus":
        return f"return (int){text};"
    return f"{'' if returns == 'void' else '(void)'}{text}; return 0;"


def cases(header):
    for returns, function, params in functions(header):
        pointers = [name for kind, name in params if is_pointer(kind)]
        names = {name for _, name in params}
        for name in pointers:
            counted = COUNTED.get(name) in names
            wants = returns == "HdStatus" and (
                counted or not is_optional(function, name))
            yield f"{function}, {name}", wants, call(returns, function, params,
                                                     {name})
        if pointers:
            wants = returns == "HdStatus" and function != "hd_session_free"
            yield f"{function}, all", wants, call(returns, function, params,
                                                  set(pointers))


def program(header):
    bodies, calls = [], []
    for number, (what, wants, body) in enumerate(cases(header)):
        bodies.append(f"static int call_{number}(void) {{ {body} }}")
        calls.append((number, what, wants))
    text = HEAD + "\n".join(bodies) + SETUP
    # Those that need a device run after it: its threads don't survive a fork,
    # so no call may wait for one.
    text += """  need(hd_device_open(session, "cpu:1", &device));
  need(hd_buffer_new(device, HD_I32, 1, extents, &buffer));
  need(hd_stream_new(device, &stream));
  need(hd_event_new(device, &event));
  need(hd_graph_begin(stream));
  need(hd_graph_end(stream, &graph));
"""
    for number, what, wants in calls:
        text += f'  judge("{what}", {int(wants)}, call_{number});\n'
    return text + f'  printf("{len(calls)} calls\\n");\n  return is_bad;\n}}\n'


def main():
    header, compiler, folder = sys.argv[1:]
    include = os.path.dirname(os.path.dirname(os.path.abspath(header)))
    with tempfile.TemporaryDirectory() as work:
        source = os.path.join(work, "nulls.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(program(header))
        subprocess.run([compiler, "-std=c17", "-w", "-I", include, source, "-o",
                        source[:-2], "-L", folder, "-lheddle",
                        f"-Wl,-rpath,{os.path.abspath(folder)}"], check=True)
        return subprocess.run([source[:-2]], cwd=work, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
