# SPDX-License-Identifier: Apache-2.0
"""What `heddle` did, for the tests of one run of CTest that look at the same.

A program in CUDA C++ is tested as it is, and beside what `heddle convert` makes
of it: both ask for the same verdicts and arrays. The fixture `outcomes` empties
the folder before the first of them and removes it after the last, and an
outcome belongs to the build, the text, the arguments and the environment that it
was made with. A test never reads what it wrote itself, so that repeating it
repeats the work.
"""

import marshal
import os
import zlib


def stamp_of(path):
    try:
        stat = os.stat(path)
    except FileNotFoundError:
        return None
    return stat.st_size, stat.st_mtime_ns


class Outcomes:
    def __init__(self, folder, reader, heddle, circumstances):
        """reader: the kind of test that asks. Without a folder, or where it isn't
        there, nothing is shared."""
        self.folder = folder if folder and os.path.isdir(folder) else None
        self.reader = reader
        library = os.path.join(os.path.dirname(os.path.dirname(heddle)),
                               "libheddle.so.0")
        self.circumstances = (stamp_of(heddle), stamp_of(library),
                              *circumstances)

    def place(self, words):
        """The whole key, and the file for it."""
        key = repr((self.circumstances, words)).encode()
        return key, os.path.join(self.folder, f"{zlib.crc32(key):08x}")

    def find(self, words, saved):
        """(status, stdout, stderr) of another test's command, after writing its
        arrays to the files `saved`; None: it must be run."""
        if not self.folder:
            return None
        key, path = self.place(words)
        try:
            with open(path, "rb") as file:
                known, writer, outcome, asked, arrays = marshal.load(file)
        except FileNotFoundError:
            return None
        if known != key or writer == self.reader or not asked.issuperset(saved):
            return None
        for name, target in saved.items():
            if name in arrays:
                with open(target, "wb") as file:
                    file.write(arrays[name])
        return outcome

    def keep(self, words, saved, outcome):
        if not self.folder:
            return
        key, path = self.place(words)
        arrays = {}
        for name, source in saved.items():
            if os.path.exists(source):
                with open(source, "rb") as file:
                    arrays[name] = file.read()
        mine = f"{path}.{os.getpid()}"
        try:
            with open(mine, "wb") as file:
                marshal.dump((key, self.reader, outcome, frozenset(saved), arrays),
                             file)
            os.replace(mine, path)
        except FileNotFoundError:
            self.folder = None  # another run of CTest in this build has ended
