# SPDX-License-Identifier: Apache-2.0
"""Runs a program many times, in processes that fork from one in which its
libraries are loaded (serve/serve.c)."""

import os
import select
import struct
import subprocess
import tempfile


class Server:
    """Stands for `program`, with the library serve.c preloaded."""

    def __init__(self, program, library):
        self.program = program
        self.scratch = tempfile.TemporaryDirectory(prefix="heddle_serve_")
        self.files = [os.path.join(self.scratch.name, name)
                      for name in ("in", "out", "err")]
        self.child = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
            env={**os.environ, "LD_PRELOAD": library})

    def answer(self, timeout=None):
        """The next number that the program says; None: not in time."""
        if timeout is not None and not select.select(
                [self.child.stdout], [], [], timeout)[0]:
            return None
        data = self.child.stdout.read(4)
        if len(data) < 4:
            raise RuntimeError(f"serve.c: no answer from {self.program}")
        return struct.unpack("i", data)[0]

    def run(self, argv, cwd, env, stdin, timeout, end):
        """(status as subprocess has it, output, errors) of the program with these
        arguments. The status is None if it ran for too long: then end(PID) has
        ended it."""
        words = [cwd, *self.files, str(len(argv)), *argv,
                 *(f"{k}={v}" for k, v in env.items())]
        if stdin:
            with open(self.files[0], "wb") as file:
                file.write(stdin)
        else:
            words[1] = os.devnull
        text = b"".join(os.fsencode(word) + b"\0" for word in words)
        self.child.stdin.write(struct.pack("I", len(text)) + text)
        pid = self.answer()
        status = self.answer(timeout)
        is_late = status is None
        if is_late:
            end(pid)
            status = self.answer()
        out, err = (self.read(path) for path in self.files[1:])
        return (None if is_late else os.waitstatus_to_exitcode(status), out, err)

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            return file.read()

    def close(self):
        self.child.stdin.close()
        self.child.wait()
        self.child.stdout.close()
        self.scratch.cleanup()


class Servers:
    """A server for each program, started when it is first asked for."""

    def __init__(self, library):
        """library: None: programs are started anew each time."""
        self.library = library
        self.servers = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        while self.servers:
            self.servers.popitem()[1].close()

    def of(self, program):
        if not self.library:
            return None
        if program not in self.servers:
            self.servers[program] = Server(program, self.library)
        return self.servers[program]
