# For tests of the page: studio.html, built once for a build folder, and a browser.
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
    {
        flock 9
        packages "$SOURCE/web/studio" || return 77
        if [ ! -e "$STUDIO_PAGE" ] || [ -n "$(find "$SOURCE/web/studio/src" "$SOURCE/web/studio/scripts" "$SOURCE/web/mingle/src" \
            "$engine/dist/mingle.wasm" -newer "$STUDIO_PAGE" -print -quit)" ]; then
            (cd "$SOURCE/web/studio" && npx tsc --noEmit && node scripts/build.mjs --engine "$engine" --output "$STUDIO_PAGE")
        fi
    } 9>"$folder.lock" >page.log 2>&1
    local code=$?
    [ $code -eq 0 ] || { cat page.log; [ $code -ne 77 ] || echo "skipped: the packages of the page cannot be had here"; }
    return $code
}

# packages FOLDER: what its lock file names, once.
packages() {
    cmp -s "$1/package-lock.json" "$1/node_modules/.installed" && return
    (cd "$1" && timeout 900 npm ci --no-audit --no-fund --ignore-scripts) && cp "$1/package-lock.json" "$1/node_modules/.installed"
}

# run_page_tests NAME: the tests of web/studio/tests/NAME.mjs
run_page_tests() {
    command -v chromium >/dev/null || { echo "skipped: there is no chromium"; exit 77; }
    make_page || exit
    node "$SOURCE/web/studio/tests/$1.mjs"
}
