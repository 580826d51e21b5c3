#!/bin/bash
# A system with nothing but its base: make installs what it needs, builds, runs the example and
# installs. Uses debootstrap and the package sources of this system; only root can.
set -u
. "$(dirname "$0")/support/by_hand.bash"
skip() { echo "skipped: $1"; exit 77; }
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
[ "$(id -u)" = 0 ] || skip "only root can make a system in a folder"
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    awk '$1 == "URIs:" { print $2; exit } $1 == "deb" { sub(/\[.*\]/, ""); print $2; exit }')
[ -n "$suite" ] && [ -n "$mirror" ] || skip "no package sources of a Debian system"

root=$PWD/root
debootstrap --variant=minbase "$suite" "$root" "$mirror" >debootstrap.log 2>&1 || {
    grep -qiE 'mknod|permitted|cannot (mount|install)' debootstrap.log "$root/debootstrap/debootstrap.log" 2>/dev/null &&
        skip "this system does not let root make another one"
    tail -n 20 debootstrap.log
    exit 1
}
# The same sources as here.
cp -r /etc/apt/sources.list* "$root/etc/apt/" 2>/dev/null
rm -f "$root/etc/apt/sources.list.d/"*.save
mkdir "$root/mingle"
(cd "$SOURCE" && git ls-files -z | xargs -0 cp --parents -t "$root/mingle") || exit 1

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }
inside sh -c 'apt-get -q update && apt-get -q install -y --no-install-recommends make' >apt.log 2>&1 ||
    { tail -n 20 apt.log; exit 1; }
failed=0
step() { # NAME COMMAND...
    local name=$1
    shift
    if inside "$@" >step.log 2>&1; then
        echo "ok - $name"
    else
        echo "not ok - $name"
        tail -n 40 step.log | sed 's/^/# /'
        failed=1
    fi
}
step "make installs what is missing and builds" make -C /mingle
step "make run anonymizes the example" make -C /mingle run
step "make install" make -C /mingle install
step "the installed program runs" /usr/local/bin/mingle --version
exit $failed
