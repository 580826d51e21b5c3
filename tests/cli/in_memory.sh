#!/bin/bash
# Jobs in memory leave no trace on a disk: a trace of their system calls finds no file that is
# created or opened for writing, nothing that is written, and no memory that is a file. The program
# has nothing in memory, and says so.
# sanitized: what is traced is built so
set -u
. "$(dirname "$0")/../support/by_hand.bash"
program=$VARIANT_BUILD/tests/traced/in_memory

echo "1..4"
printf 'a,b\n1,2\n1,2\n1,2\n' >table.csv

# refuses NUMBER EXIT WORDS ARGUMENTS...: the program does, and writes nothing.
refuses() {
    local number=$1 code=$2 words=$3
    shift 3
    "$MINGLE" "$@" >out 2>err
    if [ $? = "$code" ] && grep -q "$words" err && [ ! -e release.csv ]; then
        echo "ok $number - $*"
    else
        echo "not ok $number - $*"
        cat err
    fi
}
refuses 1 3 'memory:t.csv: nothing in memory has this name' \
    anonymize memory:t.csv --qi a,b -k 2 -o release.csv
refuses 2 2 'memory:r.csv: nothing can be taken out of the memory of this program' \
    anonymize table.csv --qi a,b -k 2 -o memory:r.csv
rm -f table.csv out err

if ! strace -f -o trace -e trace=openat true 2>/dev/null; then
    echo "ok 3 # SKIP strace cannot trace here"
    echo "ok 4 # SKIP strace cannot trace here"
    exit 0
fi

calls=open,openat,openat2,creat,mkdir,mkdirat,mknod,mknodat,link,linkat,symlink,symlinkat
calls+=,rename,renameat,renameat2,memfd_create,shmget,write,pwrite64,writev,pwritev,pwritev2
calls+=,sendfile,copy_file_range,truncate,ftruncate

# What may put bytes into a file. Text for the terminal (descriptors 1 and 2) is none.
writes() {
    grep -vE '^[0-9]+ +(---|\+\+\+|<\.\.\.)' trace | # signals, ends, second halves of calls
        grep -E 'O_WRONLY|O_RDWR|O_CREAT|O_TMPFILE|^[0-9]+ +[a-z0-9_]+\(' |
        grep -vE '^[0-9]+ +open(at2?)?\([^)]*O_RDONLY' | grep -vE '^[0-9]+ +p?writev?(64|2)?\([12],'
}

strace -f -e signal=none -e "trace=$calls" -o trace "$program"
code=$?
found=$(writes)
if [ $code = 0 ] && [ -z "$found" ] && [ "$(find . -type f ! -name trace)" = "" ]; then
    echo "ok 3 - jobs in memory write to no file"
else
    echo "not ok 3 - jobs in memory write to no file"
    printf 'exit %s\n%s\n' "$code" "$found"
fi

# The same looks see files where there are some.
strace -f -e signal=none -e "trace=$calls" -o trace "$program" files
code=$?
if [ $code = 0 ] && writes | grep -q 'release.csv.mingle-'; then
    echo "ok 4 - jobs with files are seen to write them"
else
    echo "not ok 4 - jobs with files are seen to write them"
fi
