#!/bin/bash
# scripts/setup with stand-ins for dpkg-query, apt-get and id: it asks apt only when
# something is missing and only as root, and says what to type otherwise.
set -u
. "$(dirname "$0")/support/by_hand.bash"
failed=0
setup=$SOURCE/scripts/setup
mkdir bin
cat >bin/dpkg-query <<'END'
#!/bin/sh
# Knows every package but those in $ABSENT; zstd is half removed in $HALF.
while [ "$1" != "${1#-}" ]; do [ "$1" = -f ] && shift; shift; done
for name; do
    case " ${ABSENT:-} " in *" $name "*) continue ;; esac
    case " ${HALF:-} " in *" $name "*) echo "$name config-files"; continue ;; esac
    echo "$name installed"
done
[ -z "${ABSENT:-}" ]
END
cat >bin/apt-get <<'END'
#!/bin/sh
# Another program installs packages for the first $HELD calls.
echo "$*" >>apt.log
if [ "$(wc -l <apt.log)" -le "${HELD:-0}" ]; then
    echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt-get)" >&2
    exit 100
fi
exit ${APT_EXIT:-0}
END
printf '#!/bin/sh\necho "dpkg $*" >>apt.log\n' >bin/dpkg
printf '#!/bin/sh\necho x86_64\n' >bin/uname
printf '#!/bin/sh\necho ${FAKE_UID:-0}\n' >bin/id
chmod +x bin/*

# check NAME EXIT TEXT-OF-OUTPUT TEXT-OF-APT-LOG COMMAND...
check() {
    local name=$1 wanted=$2 output=$3 apt=$4 code
    shift 4
    rm -f apt.log
    touch apt.log
    env PATH="$PWD/bin:$PATH" "$@" >out 2>&1 </dev/null
    code=$?
    if [ $code = "$wanted" ] && [ "$(cat out)" = "$output" ] && [ "$(cat apt.log)" = "$apt" ]; then
        echo "ok - $name"
    else
        echo "not ok - $name: exit $code"
        cat out apt.log
        failed=1
    fi
}

check "does nothing when all is there" 0 "" "" "$setup" build
check "does nothing for the tests when all is there" 0 "" "" FAKE_UID=1000 "$setup" test
check "root installs what is missing" 0 "Installing: cmake libzstd-dev" \
    "-q update
-q install -y --no-install-recommends cmake libzstd-dev" \
    ABSENT="cmake libzstd-dev" "$setup" build
check "others are told what to type" 2 "Some packages are missing. Install them with:
    sudo apt-get install -y --no-install-recommends cmake libzstd-dev
and run the same command again." "" \
    ABSENT="cmake libzstd-dev" FAKE_UID=1000 "$setup" build
check "what only tests need is no matter for the build" 0 "" "" \
    ABSENT="libcmocka-dev gcovr" "$setup" build
check "the tests' own list" 2 "Some packages are missing. Install them with:
    sudo apt-get install -y --no-install-recommends libcmocka-dev zstd
and run the same command again." "" \
    ABSENT="libcmocka-dev gcovr" HALF=zstd FAKE_UID=1000 "$setup" test
check "the linters' own list, which the tests do without" 2 "Some packages are missing. Install them with:
    sudo apt-get install -y --no-install-recommends cppcheck
and run the same command again." "" \
    ABSENT="cppcheck libcmocka-dev" FAKE_UID=1000 "$setup" lint
check "the tests need no linter" 0 "" "" ABSENT="cppcheck shellcheck" "$setup" test
check "a failure of apt-get is passed on" 100 "Installing: cmake" "-q update" \
    ABSENT=cmake APT_EXIT=100 "$setup" build
check "it waits for others that install packages" 0 "Installing: cmake
E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt-get)
Waiting until other packages are installed.
E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt-get)
Waiting until other packages are installed." "-q update
-q update
-q update
-q install -y --no-install-recommends cmake" ABSENT=cmake HELD=2 MGL_LOCK_WAIT=0 "$setup" build
check "an unknown list is wrong use" 2 "usage: scripts/setup [build|test|lint|all|arch|wasm]" "" "$setup" tests

check "nor for the other architecture" 0 "" "" "$setup" arch
check "its libraries stand beside those of this machine" 0 "Installing: libzstd-dev:arm64" \
    "dpkg --add-architecture arm64
-q update
-q install -y --no-install-recommends libzstd-dev:arm64" ABSENT="libzstd-dev:arm64" "$setup" arch
check "others are told to allow it" 2 "Some packages are missing. Install them with:
    sudo dpkg --add-architecture arm64
    sudo apt-get install -y --no-install-recommends qemu-user-static:amd64
and run the same command again." "" ABSENT="qemu-user-static:amd64" FAKE_UID=1000 "$setup" arch

# Elsewhere: no dpkg-query in the path, a cc and a pkg-config that know nothing.
mkdir elsewhere
for tool in sh awk dirname cat cmake ninja uname; do
    ln -s "$(command -v $tool)" elsewhere/$tool
done
printf '#!/bin/sh\n[ "$2" != jansson ]\n' >elsewhere/pkg-config
printf '#!/bin/sh\n' >elsewhere/cc
chmod +x elsewhere/*
check "other systems are told what is missing" 2 \
    "Missing, and this is not a Debian system; install with your package manager:
    pkg-config module jansson (in Debian: libjansson-dev)" "" \
    env PATH="$PWD/elsewhere" "$setup" build
exit $failed
