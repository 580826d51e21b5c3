#!/bin/bash
# Jobs in memory leave no trace on a disk: a trace of their system calls finds no file that is
# created or opened for writing, nothing that is written, and no memory that is a file.
set -u
program=$VARIANT_BUILD/tests/traced/in_memory

if ! strace -f -o trace -e trace=openat true 2>/dev/null; then
    echo "1..0 # SKIP strace cannot trace here"
    echo "skipped: strace cannot trace here"
    exit 77
fi

echo "1..2"
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
    echo "ok 1 - jobs in memory write to no file"
else
    echo "not ok 1 - jobs in memory write to no file"
    printf 'exit %s\n%s\n' "$code" "$found"
fi

# The same looks see files where there are some.
strace -f -e signal=none -e "trace=$calls" -o trace "$program" files
code=$?
if [ $code = 0 ] && writes | grep -q 'release.csv.mingle-'; then
    echo "ok 2 - jobs with files are seen to write them"
else
    echo "not ok 2 - jobs with files are seen to write them"
fi
