#!/usr/bin/env python3
"""Writes the messy tables anew: tests/messy/make/make.py [NAME...].

Each table has its own random numbers, so that a new one changes no other."""
import pathlib
import sys
import zlib

import dialects
import leaks
import sheets
import traps
from people import Chance

TABLES = {**dialects.TABLES, **traps.TABLES, **leaks.TABLES, **sheets.TABLES}
folder = pathlib.Path(__file__).resolve().parent.parent
for name in sys.argv[1:] or TABLES:
    data = TABLES[name](Chance(zlib.crc32(name.encode())))
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
(folder / "empty.csv").write_bytes(b"")
