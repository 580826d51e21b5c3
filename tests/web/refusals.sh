#!/bin/bash
# shellcheck disable=SC2154 # what is sourced sets package
# Every refusal of tests/refusals through the package for npm.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/package.bash"
PACKAGE=$package node "$SOURCE/tests/web/refusals.mjs"
