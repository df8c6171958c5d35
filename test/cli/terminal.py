"""Runs a command on a pseudo-terminal of a given width: what comes on standard input is typed, what the terminal shows
goes to standard output, and the command's exit code is ours. Usage: terminal.py COLUMNS COMMAND [ARGUMENT...]"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(command[0], command)

watched = [terminal, 0]
while terminal in watched:
    ready, _, _ = select.select(watched, [], [])
    if terminal in ready:
        try:
            shown = os.read(terminal, 65536)
        except OSError:  # the last process on it has gone
            shown = b""
        if shown == b"":
            watched.remove(terminal)
        else:
            os.write(1, shown)
    if 0 in ready and terminal in watched:
        typed = os.read(0, 65536)
        if typed == b"":
            watched.remove(0)
        else:
            os.write(terminal, typed)

_, status = os.waitpid(child, 0)
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
