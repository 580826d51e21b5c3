# What tests of the package for npm share: it is there, and Node can run it. Sourced.

# package: the folder that make wasm has made. Ends the test with a word where there is none.
package=$BUILD-wasm/mingle
if ! command -v node >/dev/null; then
    echo "skipped: no Node (scripts/setup wasm)"
    exit 77
fi
if [ ! -e "$package/package.json" ]; then
    echo "skipped: no build for WebAssembly; make wasm makes one"
    exit 77
fi
if [ "$("$MINGLE_RELEASE" --version)" != "$(node "$package/bin/mingle.mjs" --version)" ]; then
    echo "skipped: $package is of another version; make wasm"
    exit 77
fi
