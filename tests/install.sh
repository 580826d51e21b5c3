#!/bin/bash
# What make install puts in place is enough to build and run a program with
# pkg-config, against the shared and the static library.
set -eu
[ -e "$BUILD/mingle" ] || { echo "skipped: no program is built"; exit 77; }

# As make install does it, but without changing the build folder's prefix: the
# folder is staged, and pkg-config is told of it.
root=$PWD/root
DESTDIR=$root cmake --install "$BUILD" >/dev/null
pc=$(find "$root" -name mingle.pc)
prefix=$(sed -n 's/^prefix=//p' "$pc")
export PKG_CONFIG_PATH=${pc%/*}
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
flags() { pkg-config "$@" mingle | sed "s#\([IL]\)$prefix#\1$root$prefix#g"; }

cat >small.c <<'END'
#include <mingle.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    mgl_error err;
    mgl_job *job;
    if (mgl_job_new(&err, &job) != MGL_OK)
        return 1;
    mgl_job_free(job);
    puts(mgl_version());
    return strcmp(mgl_version(), MGL_VERSION) != 0 || mgl_version_number() != MGL_VERSION_NUMBER;
}
END
# shellcheck disable=SC2046
cc -std=c17 -Wall -Werror small.c -o shared $(flags --cflags --libs)
library=$(dirname "$(find "$root" -name libmingle.so.0)")
LD_LIBRARY_PATH=$library ./shared
# shellcheck disable=SC2046
cc -std=c17 -Wall -Werror small.c -o static $(flags --cflags) "$library/libmingle.a" \
    $(flags --libs --static | sed 's/-lmingle//')
./static
[ "$(pkg-config --modversion mingle)" = "$(./static)" ]

program=$root$prefix/bin/mingle
[ "$("$program" --version)" != "" ]
for page in "$SOURCE"/docs/man/*.[15]; do
    [ -e "$root$prefix/share/man/man${page##*.}/$(basename "$page")" ]
done
for file in bash-completion/completions/mingle zsh/vendor-completions/_mingle \
    fish/vendor_completions.d/mingle.fish doc/mingle/README.md; do
    [ -s "$root$prefix/share/$file" ]
done

# The example of the library, as its page says.
cp "$SOURCE/examples/library/release.c" "$SOURCE"/examples/patients/*.csv \
    "$SOURCE/examples/patients/job.yaml" .
"$MAKE_PATIENTS" patients.csv
# shellcheck disable=SC2046
cc -std=c17 -Wall -Wextra -Werror release.c -o release $(flags --cflags --libs)
LD_LIBRARY_PATH=$library ./release job.yaml 10 >summary
grep -q '^privacy  *k-anonymity k=10 holds' summary
[ "$(wc -l <release.csv)" -eq 20001 ]
! LD_LIBRARY_PATH=$library ./release nothere.yaml 2>message || exit 1
grep -q nothere.yaml message
