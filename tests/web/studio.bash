# For tests of the page: studio.html, built once for a build folder.
# shellcheck shell=bash

# make_page: sets STUDIO_PAGE; 77: something that it needs cannot be had here.
make_page() {
    local engine=$BUILD-wasm/mingle folder=$BUILD/studio tool
    for tool in node npm; do
        command -v $tool >/dev/null || { echo "skipped: there is no $tool"; return 77; }
    done
    [ -e "$engine/dist/mingle.wasm" ] || { echo "skipped: there is no module (make wasm)"; return 77; }
    export STUDIO_PAGE=$folder/studio.html
    mkdir -p "$folder"
    exec 9>"$folder.lock"
    flock 9
    if [ ! -e "$STUDIO_PAGE" ] || [ -n "$(find "$SOURCE/web/studio/src" "$SOURCE/web/studio/scripts" "$SOURCE/web/mingle/src" \
        "$engine/dist/mingle.wasm" -newer "$STUDIO_PAGE" -print -quit)" ]; then
        (cd "$SOURCE/web/studio" && npm ping) >/dev/null 2>&1 || [ -e "$SOURCE/web/studio/node_modules/.installed" ] || {
            echo "skipped: the packages of the page cannot be had here"
            return 77
        }
        "$SOURCE/web/studio/scripts/make" "$engine" "$folder" >page.log 2>&1 || { cat page.log; return 1; }
    fi
    exec 9>&-
}

# What takes long is for make test-studio.
long_only() {
    [ -n "${MGL_TEST_LONG:-}" ] || { echo "skipped: it takes long (make test-studio)"; exit 77; }
}

# run_page_tests NAME: the tests of web/studio/tests/NAME.mjs
run_page_tests() {
    command -v chromium >/dev/null || { echo "skipped: there is no chromium"; exit 77; }
    make_page || exit
    node "$SOURCE/web/studio/tests/$1.mjs"
}
