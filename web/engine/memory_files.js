// The same as node_files.js for files that are in the memory of the module.
mergeInto(LibraryManager.library, {
    __syscall_fstat64__sig: "iii",
    __syscall_fstat64__deps: ["$SYSCALLS"],
    __syscall_fstat64: function (fd, to) {
        try {
            var stream = SYSCALLS.getStreamFromFD(fd);
            return SYSCALLS.doStat(function () { return stream.node.node_ops.getattr(stream.node); }, stream.path, to);
        } catch (error) {
            if (!(error instanceof FS.ErrnoError)) throw error;
            return -error.errno;
        }
    },
});
