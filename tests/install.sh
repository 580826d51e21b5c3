#!/bin/bash
# What make install puts in place is enough to build and run a program with
# pkg-config and with CMake, against the shared and the static library.
set -eu
. "$(dirname "$0")/support/by_hand.bash"
. "$SOURCE/tests/examples.bash"
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

# Programs are compiled without flags of libraries whose headers they never see.
! flags --cflags | grep -q -- -D || exit 1

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
library=$(dirname "$(find "$root" -name libmingle.so)")
LD_LIBRARY_PATH=$library ./shared
# shellcheck disable=SC2046
cc -std=c17 -Wall -Werror small.c -o static $(flags --cflags) "$library/libmingle.a" \
    $(flags --libs --static | sed 's/-lmingle//')
./static
[ "$(pkg-config --modversion mingle)" = "$(./static)" ]

program=$root$prefix/bin/mingle
[ "$("$program" --version)" != "" ]
[ -x "$root$prefix/bin/mingle-fetch-duckdb" ]
for page in "$SOURCE"/docs/man/*.[15]; do
    [ -e "$root$prefix/share/man/man${page##*.}/$(basename "$page")" ]
done
for file in bash-completion/completions/mingle zsh/vendor-completions/_mingle \
    fish/vendor_completions.d/mingle.fish doc/mingle/README.md; do
    [ -s "$root$prefix/share/$file" ]
done

# The examples of the library, as their page says: with pkg-config, then with CMake from a prefix that
# was moved, by the shared and by the static library.
cp -r "$SOURCE/examples/library" examples
make_example_files
mkdir by_pkg_config
# shellcheck disable=SC2046
for example in examples/*.c; do
    cc -std=c17 -Wall -Wextra -Werror "$example" -o "by_pkg_config/$(basename "$example" .c)" \
        $(flags --cflags --libs)
done
mv "$root$prefix" moved
rm -rf "$root"
unset PKG_CONFIG_PATH
for target in mingle static; do
    cmake -S examples -B "by_$target" -DCMAKE_PREFIX_PATH="$PWD/moved" -DMINGLE=mingle::$target \
        -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" >/dev/null
    cmake --build "by_$target" >/dev/null
done
ldd by_mingle/release | grep -q "$PWD/moved/.*libmingle.so.0"
! ldd by_static/release | grep -q libmingle || exit 1

library=$PWD/$(dirname "$(find moved -name libmingle.so)")
export LD_LIBRARY_PATH=$library
for folder in by_pkg_config by_mingle by_static; do
    run_examples "$folder"
done

# Another minor version is refused.
sed 's/find_package(mingle 0.2/find_package(mingle 0.3/' -i examples/CMakeLists.txt
! cmake -S examples -B newer -DCMAKE_PREFIX_PATH="$PWD/moved" >/dev/null 2>message || exit 1
grep -q 'version "0.3"' message

# What was installed can be taken away again, and nothing else is.
DESTDIR=$root cmake --install "$BUILD" >/dev/null
touch "$root$prefix/share/doc/mingle/mine" "$root$prefix/bin/mine"
DESTDIR=$root "$SOURCE/scripts/uninstall" "$BUILD/install_manifest.txt"
left=$(find "$root" -type f -o -type l | sort)
[ "$left" = "$(printf '%s\n' "$root$prefix/bin/mine" "$root$prefix/share/doc/mingle/mine")" ] ||
    { echo "left: $left"; exit 1; }
[ ! -e "$root$prefix/include/mingle" ] && [ ! -e "$root$prefix/share/doc/libmingle-dev" ]
