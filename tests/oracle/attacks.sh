#!/bin/bash
# Linking attacks on random releases, judged by the definitions.
. "$SOURCE/tests/oracle/judge.bash"
judge attacks 500
