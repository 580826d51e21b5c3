#!/bin/bash
exec "$SOURCE/scripts/check-style"
