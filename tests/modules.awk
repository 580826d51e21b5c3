# Reads docs/modules.txt, then sources: prints a line for each #include that docs/modules.txt does not
# allow, and for each row of that table that breaks its own rules (docs/conventions.md, "Modules and
# public headers").

function complain(what) { print FILENAME ":" FNR ": " what }
function parent(module) { return module ~ /\// ? substr(module, 1, match(module, /\/[^\/]*$/) - 1) : "" }
function last(path, n, step) { n = split(path, step, "/"); return step[n] }
function inside(module, around) { return around == "" || index(module "/", around "/") == 1 }
function is_file(path, line, found) {
    found = (getline line < path) >= 0
    close(path)
    return found
}

# What the row of a module names, and what those of the modules around it name outside themselves.
function named(module, other, around) {
    if ((module, other) in may)
        return 1
    for (around = parent(module); around != ""; around = parent(around))
        if ((around, other) in may && !inside(other, around))
            return 1
    return 0
}
function allowed(module, other, header) {
    if (other == "base") return 1
    if (module == "(facade)") return parent(other) == ""
    return named(module, other) || (!header && parent(other) == module)
}

# ---- The table ------------------------------------------------------------------------
function check_row(module, others, n, i, other, around) {
    around = parent(module)
    if (around != "" && !(around in known)) complain("there is no module around " module)
    for (i = 1; i <= n; i++) {
        other = others[i]
        if (!(other in known))
            complain("there is no module " other)
        else if (!inside(module, parent(other)))
            complain("module " other " is entered from inside " parent(other) " alone, not from " module)
        else if (around != "" && !inside(other, around) && !named(around, other))
            complain("module " module " may enter " other " if module " around " may")
    }
    if (module != "cli" && !is_file("src/" module "/" last(module) ".h"))
        complain("module " module " has no public header")
}
FILENAME == "docs/modules.txt" {
    if ($0 ~ /^#/ || $0 ~ /^[ \t]*$/) next
    sub(/:/, " ")
    known[$1] = 1
    rows[++n_rows] = $0
    for (i = 2; i <= NF; i++) may[$1, $i] = 1
    next
}

# ---- The sources ------------------------------------------------------------------------
FNR == 1 {
    if (!checked) {
        here = FILENAME
        FILENAME = "docs/modules.txt"
        for (r = 1; r <= n_rows; r++) {
            n = split(rows[r], cell, " ")
            for (i = 1; i < n; i++) others[i] = cell[i + 1]
            check_row(cell[1], others, n - 1)
        }
        FILENAME = here
        checked = 1
    }
    header = FILENAME ~ /\.h$/
    module = parent(FILENAME)
    module = module == "src" ? "(facade)" : substr(module, 5)
    if (module != "(facade)" && !(module in known)) complain("module " module " is not in docs/modules.txt")
}
/^[ \t]*#[ \t]*include/ {
    if (!match($0, /["<][^">]*[">]/)) { complain("an include by macro"); next }
    quoted = substr($0, RSTART, 1) == "\""
    name = substr($0, RSTART + 1, RLENGTH - 2)
    other = parent(name)
    top = other
    sub(/\/.*/, "", top)
    if (name ~ /^mingle(\/[a-z_]+)?\.h$/) next
    if (!quoted && !(top in known)) next            # a system header
    if (name ~ /\.c$/) complain("includes the source file " name)
    else if (name ~ /\.\./) complain("includes by a path with ..: " name)
    else if (other == "" || other == module) {        # its own module
        path = "src/" (other != "" ? "" : module == "(facade)" ? "" : module "/") name
        if (!is_file(path)) complain(name " is not in module " module)
    }
    else if (inside(module, "cli") && !inside(other, "cli"))
        complain("the program may include only mingle.h, not " name)
    else if (!(other in known)) complain("there is no module for " name)
    else if (last(name) != last(other) ".h") complain(name " is not the public header of " other)
    else if (!allowed(module, other, header)) complain("module " module " may not include module " other)
}
