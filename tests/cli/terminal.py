"""terminal.py NO_COLOR TERM COMMAND...: runs the command on a terminal; prints what it printed.

The terminal has as many columns as WIDTH says."""
import os
import pty
import sys

no_color, term, command = sys.argv[1], sys.argv[2], sys.argv[3:]
os.environ["TERM"] = term
os.environ.pop("NO_COLOR", None)
if no_color:
    os.environ["NO_COLOR"] = no_color
printed = bytearray()


def read(fd):
    data = os.read(fd, 4096)
    printed.extend(data)
    return data


stdout = os.dup(1)
null = os.open(os.devnull, os.O_RDWR)
os.dup2(null, 1)
width = int(os.environ.get("WIDTH", "0"))
if width:
    # The window must have its size before the command looks at it.
    command = [sys.executable, "-c",
               "import fcntl, os, struct, sys, termios\n"
               "fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(sys.argv[1]), 0, 0))\n"
               "os.execv(sys.argv[2], sys.argv[2:])", str(width)] + command
status = pty.spawn(command, read, lambda fd: b"")
os.write(stdout, bytes(printed))
sys.exit(os.waitstatus_to_exitcode(status))
