# Groups sources into units that are compiled together: prints "GROUP FILE" for each. Two files of a
# group share no name of file scope (functions, types, constants, macros that the other one uses):
# such a file opens another group. Groups are of one folder at the top of src (headers of two modules
# may define the same name), and of MOST lines, counted in fifties, so that few changes of a file move
# others. A file that asks for more of the system than the others, or that defines one of the functions
# of APART (names with blanks between), is compiled alone: no line.
#
#   awk -v most=4000 -v apart="NAME..." -f cmake/unity.awk src/FILE...

# Names of the system that a file may have for itself, until another one of its group includes them.
BEGIN {
    n = split("write read open close link select index remove rename truncate send accept pipe " \
        "listen bind connect shutdown", taken_names)
    for (i = 1; i <= n; i++) of_system[taken_names[i]] = 1
    n = split(apart, apart_names)
    for (i = 1; i <= n; i++) is_apart[apart_names[i]] = 1
}

function flush(    g, k, clash, folder, parts, w) {
    if (file ~ /\.h$/ && !guarded) plain[file] = 1
    for (k in names)
        if (k in of_system) alone = 1
    if (file == "" || alone || file ~ /\.h$/) return
    size = 50 * int((size + 49) / 50)
    split(file, parts, "/")
    folder = parts[2]
    for (g = 1; g <= groups; g++) {
        if (of[g] != folder || lines[g] + size > most) continue
        clash = 0
        for (k in names)
            if ((g, k) in taken || (g, k) in uses && (k in macros)) { clash = 1; break }
        if (!clash)
            for (w in words)
                if ((g, w) in macro) { clash = 1; break }
        if (!clash) break
    }
    if (g > groups) { groups = g; of[g] = folder; lines[g] = 0 }
    lines[g] += size
    for (k in names) taken[g, k] = 1
    for (k in macros) macro[g, k] = 1
    for (w in words) uses[g, w] = 1
    print folder "_" g, file
}

FNR == 1 {
    flush()
    file = FILENAME
    alone = size = in_enum = guarded = 0
    split("", names); split("", words); split("", macros)
}

{ size++ }

# A header without a guard is a piece of its file, with names of its own.
/^#ifndef MGL_/ { guarded = 1 }
/^#include "/ {
    name = $2
    gsub(/"/, "", name)
    for (k in plain)
        if (substr(k, length(k) - length(name)) == "/" name) alone = 1
}

/^#define _[A-Z]/ { alone = 1 }
/^#pragma GCC/ { alone = 1 } # for instructions that not every processor has
/^[a-z].*\(/ && !/;$/ {
    name = $0
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    if (name in is_apart) alone = 1
}
/^#define / {
    name = $2
    sub(/\(.*/, "", name)
    names[name] = 1
    macros[name] = 1
}

# Words of the code, to see whether a macro of another file would change them.
{
    line = $0
    while (match(line, /[A-Za-z_][A-Za-z_0-9]*/)) {
        words[substr(line, RSTART, RLENGTH)] = 1
        line = substr(line, RSTART + RLENGTH)
    }
}

# static TYPE NAME(..., static TYPE NAME[..., static TYPE NAME = ..., static TYPE NAME;
/^(static|MGL_[A-Z_]+) / {
    line = $0
    sub(/^(static|MGL_[A-Z_]+) +/, "", line)
    gsub(/(__attribute__|_Alignas|[A-Z][A-Z_]+)\([^)]*\)+/, "", line)
    if (line ~ /, *[a-z_0-9]+ *(\[|=|;|,)/) { # several of them: every word before a mark
        rest = line
        while (match(rest, /[A-Za-z_][A-Za-z_0-9]* *[,;=[]/)) {
            name = substr(rest, RSTART, RLENGTH)
            sub(/ *[,;=[]$/, "", name)
            names[name] = 1
            rest = substr(rest, RSTART + RLENGTH)
        }
    }
    sub(/[(;=[].*/, "", line)
    sub(/ +$/, "", line)
    if (match(line, /[A-Za-z_][A-Za-z_0-9]*$/))
        names[substr(line, RSTART, RLENGTH)] = 1
}
# Types, and what closes an anonymous one: "} NAME;", "} NAME[] = {".
/^(typedef |static (const )?)?(struct|enum|union) [a-z_0-9]+ *\{/ {
    line = $0
    sub(/ *\{.*/, "", line)
    match(line, /[A-Za-z_0-9]+$/)
    names[substr(line, RSTART, RLENGTH)] = 1
}
/^\} *\**[A-Za-z_0-9]+/ {
    line = $0
    sub(/^\} *\**/, "", line)
    while (match(line, /^[ ,*]*[A-Za-z_][A-Za-z_0-9]*/)) {
        name = substr(line, 1, RLENGTH)
        gsub(/[ ,*]/, "", name)
        names[name] = 1
        line = substr(line, RLENGTH + 1)
        sub(/^[^,;]*/, "", line)
        if (substr(line, 1, 1) != ",") break
    }
}
/^typedef .*;$/ {
    line = $0
    sub(/;$/, "", line)
    sub(/\(.*/, "", line)
    if ($0 ~ /\(\*/) { line = $0; sub(/.*\(\* */, "", line); sub(/\).*/, "", line) }
    sub(/\[.*/, "", line)
    if (match(line, /[A-Za-z_][A-Za-z_0-9]*$/))
        names[substr(line, RSTART, RLENGTH)] = 1
}
/^typedef .*[^;{]$/ { # goes on in the next line: the name stands before the parenthesis
    line = $0
    sub(/\(.*/, "", line)
    if (match(line, /[A-Za-z_][A-Za-z_0-9]*$/))
        names[substr(line, RSTART, RLENGTH)] = 1
}
# Constants of enumerations of file scope.
/^(typedef |static (const )?)?enum/ { in_enum = 1; sub(/^[^{]*\{?/, "") }
in_enum {
    line = $0
    sub(/\/\*.*/, "", line)
    while (match(line, /[A-Z][A-Z_0-9]+/)) {
        names[substr(line, RSTART, RLENGTH)] = 1
        line = substr(line, RSTART + RLENGTH)
    }
    if ($0 ~ /\}/) in_enum = 0
}

END { flush() }
