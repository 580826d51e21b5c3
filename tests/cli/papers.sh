#!/bin/bash
# The page about the papers is what the optimized program finds.
# slow: searches on whole tables; changes with the searches alone
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
same_page docs/papers.md "$SOURCE/scripts/papers" "$MINGLE_RELEASE"
finish
