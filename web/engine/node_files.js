// What an open file is, asked by its number: emscripten asks by its name, which a file that was
// removed while it is open has no more. For the files of Node.
mergeInto(LibraryManager.library, {
    __syscall_fstat64__sig: "iii",
    __syscall_fstat64__deps: ["$SYSCALLS"],
    __syscall_fstat64: function (fd, to) {
        try {
            var stream = SYSCALLS.getStreamFromFD(fd);
            return SYSCALLS.doStat(function () { return require("fs").fstatSync(stream.nfd); }, stream.path, to);
        } catch (error) {
            if (!(error instanceof FS.ErrnoError)) throw error;
            return -error.errno;
        }
    },
});
