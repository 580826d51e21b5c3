# Runs the programs of examples/library; sourced by the tests that have built them.

# The job of examples/patients with its files, in the current folder; searched as fast as can be, which
# is enough for what the examples show.
make_example_files() {
    cp "$SOURCE"/examples/patients/*.csv "$SOURCE/examples/patients/job.yaml" .
    echo "effort: fast" >>job.yaml
    "$MAKE_PATIENTS" patients.csv
}

# run_examples FOLDER: the programs are in FOLDER.
run_examples() {
    local folder=$1
    rm -f release.csv
    "$folder/release" job.yaml 10 >summary
    grep -q '^privacy  *k-anonymity k=10 holds' summary
    [ "$(wc -l <release.csv)" -eq 20001 ]
    rm release.csv
    ! "$folder/release" nothere.yaml 2>message || return 1
    grep -q nothere.yaml message

    "$folder/session" job.yaml >answers
    [ "$(grep -c '^k = [0-9]*  *precision 0\.[0-9]*  classes [1-9][0-9]*$' answers)" -eq 3 ]
    # The larger k, the less is left.
    grep '^k = ' answers | awk '{ print $5 }' >precisions
    sort -rn precisions | cmp - precisions
    grep -qx 'release.csv has 20000 rows' answers
    [ "$(wc -l <release.csv)" -eq 20001 ]
    rm release.csv

    # Eight persons; every combination of age and sex occurs twice at least.
    "$folder/arrow" >rows
    [ "$(wc -l <rows)" -eq 8 ]
    [ "$(awk '{ print $1, $2 }' rows | sort | uniq -c | awk '$1 < 2' | wc -l)" -eq 0 ]
    [ "$(awk '{ print $3 }' rows | sort | uniq -c | awk '{ print $1 $2 }' | tr '\n' ' ')" = "4asthma 4flu " ]

    "$folder/cancel" job.yaml >words
    grep -qx 'cancelled; nothing was written' words
    [ ! -e release.csv ]
}
