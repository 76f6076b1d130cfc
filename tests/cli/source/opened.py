# SPDX-License-Identifier: Apache-2.0
"""opened.py FILE COMMAND…: runs the command, then says whether anything opened the file."""
import ctypes
import os
import struct
import subprocess
import sys

IN_OPEN = 0x20

libc = ctypes.CDLL(None, use_errno=True)
fd = libc.inotify_init1(os.O_NONBLOCK)
if fd < 0 or libc.inotify_add_watch(fd, os.fsencode(sys.argv[1]), IN_OPEN) < 0:
    sys.exit(os.strerror(ctypes.get_errno()))
status = subprocess.run(sys.argv[2:]).returncode
try:
    mask = struct.unpack_from("iI", os.read(fd, 4096))[1]
except BlockingIOError:
    mask = 0
print("opened" if mask & IN_OPEN else "not opened")
sys.exit(status)
