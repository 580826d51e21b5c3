# Tables that the quality of searches is measured on: each NAME_table writes NAME.csv and prints
# the columns of its quasi-identifier. They are made here, so that they are the same everywhere.

. "$SOURCE/tests/support/draws.bash"

table_functions='
    function head(columns) { print columns ",illness" }
    function numbered(n,    a, text) {
        for (a = 0; a < n; a++) text = text (a > 0 ? "," : "") "q" a
        return text
    }'

make_table() { # name program
    drawn "$table_functions BEGIN { $2 }" >"$1.csv"
    head -1 "$1.csv" | sed 's/,illness$//'
}

# Few values in each column, many rows: a survey of households.
survey_table() {
    make_table survey '
        state = 20
        head("urban,roof,walls,water,power,relation,sex")
        for (r = 0; r < 3000; r++)
            print skewed(2) "," skewed(5) "," skewed(5) "," skewed(8) "," skewed(3) "," \
                skewed(8) "," draw(2) "," draw(6)'
}

# Rows of 40 kinds, from which one cell in 20 differs.
kinds_table() {
    make_table kinds '
        state = 22
        head(numbered(9))
        for (i = 0; i < 40; i++)
            for (a = 0; a < 9; a++) kind[i, a] = draw(12)
        for (r = 0; r < 2500; r++) {
            i = skewed(40)
            for (a = 0; a < 9; a++) printf "%d,", draw(20) == 0 ? draw(12) : kind[i, a]
            print draw(6)
        }'
}

# Many columns, few rows, hardly two of them alike.
wide_table() {
    make_table wide '
        state = 23
        head(numbered(14))
        for (r = 0; r < 900; r++) {
            for (a = 0; a < 14; a++) printf "%d,", skewed(4 + a % 5)
            print draw(6)
        }'
}

# Fewer of both: none looks like another.
sparse_table() {
    make_table sparse '
        state = 21
        head(numbered(8))
        for (r = 0; r < 250; r++) {
            for (a = 0; a < 8; a++) printf "%d,", skewed(3 + a)
            print draw(6)
        }'
}

# The patients of the example.
patients_table() {
    "$MAKE_PATIENTS" patients.csv
    echo sex,race,zip,marital
}

# Adult is there if ../shared is; else the test ends here.
need_adult() {
    if [ -z "${SHARED:-}" ]; then
        echo "skipped: ../shared is not there"
        exit 77
    fi
}

value_of() { # key
    sed -n 's/^ *"'"$1"'": \([-0-9.e+]*\),*$/\1/p' result.json | head -1
}
