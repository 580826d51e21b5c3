# Reads docs/rooms.txt, then sources: prints a line for each #include that docs/rooms.txt does not
# allow, and for each row of that table that breaks its own rules (docs/conventions.md, "Modules and
# public headers").

function complain(what) { print FILENAME ":" FNR ": " what }
function parent(room) { return room ~ /\// ? substr(room, 1, match(room, /\/[^\/]*$/) - 1) : "" }
function last(path, n, step) { n = split(path, step, "/"); return step[n] }
function inside(room, house) { return house == "" || index(room "/", house "/") == 1 }
function is_file(path, line, found) {
    found = (getline line < path) >= 0
    close(path)
    return found
}

# What the row of a room names, and what those of the rooms around it name outside themselves.
function named(room, other, house) {
    if ((room, other) in may)
        return 1
    for (house = parent(room); house != ""; house = parent(house))
        if ((house, other) in may && !inside(other, house))
            return 1
    return 0
}
function allowed(room, other, header) {
    if (other == "base") return 1
    if (room == "(facade)") return parent(other) == ""
    return named(room, other) || (!header && parent(other) == room)
}

# ---- The table ------------------------------------------------------------------------
function check_row(room, others, n, i, other, house) {
    house = parent(room)
    if (house != "" && !(house in known)) complain("there is no room around " room)
    for (i = 1; i <= n; i++) {
        other = others[i]
        if (!(other in known))
            complain("there is no room " other)
        else if (!inside(room, parent(other)))
            complain("room " other " is entered from inside " parent(other) " alone, not from " room)
        else if (house != "" && !inside(other, house) && !named(house, other))
            complain("room " room " may enter " other " if room " house " may")
    }
    if (room != "cli" && !is_file("src/" room "/" last(room) ".h"))
        complain("room " room " has no door")
}
FILENAME == "docs/rooms.txt" {
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
        FILENAME = "docs/rooms.txt"
        for (r = 1; r <= n_rows; r++) {
            n = split(rows[r], cell, " ")
            for (i = 1; i < n; i++) others[i] = cell[i + 1]
            check_row(cell[1], others, n - 1)
        }
        FILENAME = here
        checked = 1
    }
    header = FILENAME ~ /\.h$/
    room = parent(FILENAME)
    room = room == "src" ? "(facade)" : substr(room, 5)
    if (room != "(facade)" && !(room in known)) complain("room " room " is not in docs/rooms.txt")
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
    else if (other == "" || other == room) {        # its own room
        path = "src/" (other != "" ? "" : room == "(facade)" ? "" : room "/") name
        if (!is_file(path)) complain(name " is not in room " room)
    }
    else if (inside(room, "cli") && !inside(other, "cli"))
        complain("the program may include only mingle.h, not " name)
    else if (!(other in known)) complain("there is no room for " name)
    else if (last(name) != last(other) ".h") complain(name " is not the door of " other)
    else if (!allowed(room, other, header)) complain("room " room " may not include room " other)
}
