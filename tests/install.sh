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
    return strcmp(mgl_version(), MGL_VERSION) != 0;
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
for page in "$SOURCE"/docs/man/*.1; do
    [ -e "$page" ] || continue
    [ -e "$root$prefix/share/man/man1/$(basename "$page")" ]
done
