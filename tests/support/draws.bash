# shellcheck shell=bash
# drawn ARGUMENT... PROGRAM: awk, with the project's generator in place of its own (draws.awk).
drawn() {
    awk -v moved="${MGL_SEED:-0}" "${@:1:$#-1}" "$(cat "$SOURCE/tests/support/draws.awk") ${!#}"
}
