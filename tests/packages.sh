#!/bin/bash
# The Debian packages: lintian has nothing to say, they hold what they should, and they install and
# run in a bare Debian (where one can be made) or at least from a folder of their own.
# slow: builds the program once more
set -u
. "$(dirname "$0")/support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
for tool in dpkg-deb dpkg-shlibdeps; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed (scripts/setup test)"; exit 77; }
done

quietly() { "$@" >/dev/null; }

cd "$SOURCE" && cmake --preset deb -B "$BUILD-deb" >/dev/null && cmake --build "$BUILD-deb" >/dev/null
cd "$OLDPWD" || exit 1
truth "the packages are made" quietly "$SOURCE/scripts/make-deb" "$BUILD-deb" packages
mkdir again
"$SOURCE/scripts/make-deb" "$BUILD-deb" again >/dev/null
for package in packages/*.deb; do
    truth "the same sources give the same ${package##*/}" cmp -s "$package" "again/${package##*/}"
done
# The maintainer of a package that was built here has no address, and no bug asked for it.
if command -v lintian >/dev/null; then
    truth "lintian" lintian --fail-on error,warning --allow-root \
        --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs \
        packages/*.deb
else
    echo "# skipped: lintian is not installed (scripts/setup all)"
fi

# ---- In a folder -------------------------------------------------------------------------------
for package in packages/*.deb; do
    dpkg-deb -x "$package" root
done
library=$(dirname "$(find "$PWD/root" -name 'libmingle.so.*' -type l)")
so=$(basename "$(find "$PWD/root" -name 'libmingle.so.*' -type l)")
package=libmingle${so#libmingle.so.}
truth "the packaged program runs" test "$(root/usr/bin/mingle --version)" = "$("$MINGLE_RELEASE" --version)"
for file in bin/mingle include/mingle.h include/mingle/job.h share/man/man1/mingle.1.gz share/man/man1/mingle-report.1.gz \
    share/man/man5/mingle-job.5.gz share/man/man5/mingle-files.5.gz share/bash-completion/completions/mingle \
    share/doc/mingle/examples/patients/job.yaml share/doc/libmingle-dev/examples/library/release.c \
    share/doc/$package/copyright; do
    truth "$file" test -s "root/usr/$file"
done
truth "CMake finds the packaged library" quietly cmake -S root/usr/share/doc/libmingle-dev/examples/library \
    -B by_cmake -DCMAKE_PREFIX_PATH="$(realpath root/usr)"
truth "the library says whose it is" \
    grep -q "^libmingle ${so#libmingle.so.} $package (>= " <(dpkg-deb --info "packages/${package}_"*.deb shlibs)
PKG_CONFIG_LIBDIR=$library/pkgconfig:$(pkg-config --variable pc_path pkg-config)
export PKG_CONFIG_LIBDIR
export PKG_CONFIG_SYSROOT_DIR=$PWD/root PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
# shellcheck disable=SC2046
cc root/usr/share/doc/libmingle-dev/examples/library/release.c -o release \
    $(pkg-config --cflags --libs mingle)
cp -r root/usr/share/doc/mingle/examples/patients/. .
"$MAKE_PATIENTS" patients.csv
LD_LIBRARY_PATH=$library ./release job.yaml 20 >summary 2>&1
truth "the example of the library runs" grep -q 'k-anonymity k=20 holds' summary

# ---- In a bare Debian --------------------------------------------------------------------------
mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | head -1)
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null || [ -z "$mirror$suite" ] ||
    [ -z "${MGL_TEST_LONG:-}" ]; then
    echo "# skipped: a bare Debian is made only by root, with debootstrap, in make test-all"
elif ! debootstrap --variant=minbase "$suite" "$PWD/debian" "$mirror" >debootstrap.log 2>&1; then
    echo "# skipped: debootstrap cannot make a bare Debian here"
else
    cp /etc/apt/sources.list debian/etc/apt/ 2>/dev/null
    cp /etc/apt/sources.list.d/* debian/etc/apt/sources.list.d/ 2>/dev/null
    cp packages/*.deb debian/tmp/
    chroot debian sh -c 'apt-get -q update && apt-get -q install -y --no-install-recommends /tmp/*.deb' \
        >install.log 2>&1
    truth "packages install in a bare Debian" test -x debian/usr/bin/mingle
    truth "the program runs in a bare Debian" quietly chroot debian mingle help methods
    cp job.yaml ./*.csv debian/tmp/
    truth "the program anonymizes in a bare Debian" chroot debian mingle anonymize /tmp/job.yaml --effort fast --quiet
    truth "packages can be removed" quietly chroot debian dpkg --purge libmingle-dev "$package" mingle
fi
finish
