#!/bin/bash
# Messy tables: what is advised, released, checked and attacked is judged by tests/messy.
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$SOURCE/tests/messy/judge.py" "$@"
