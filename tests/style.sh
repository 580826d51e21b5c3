#!/bin/bash
# The cheap linters; see there.
exec "$SOURCE/scripts/check-style"
