// Memory and files above 2 GB: emscripten takes addresses and places in files for signed numbers of 32 bits.
LibraryManager.library.$SYSCALLS.doReadv = function (stream, pieces, n, place) {
    for (var i = 0, all = 0; i < n; i++) {
        var to = HEAPU32[(pieces + 8 * i) >>> 2], size = HEAPU32[(pieces + 8 * i + 4) >>> 2];
        var done = FS.read(stream, HEAP8, to, size, place === undefined ? place : place + all);
        if (done < 0) return -1;
        all += done;
        if (done < size) break;
    }
    return all;
};
LibraryManager.library.$SYSCALLS.doWritev = function (stream, pieces, n, place) {
    for (var i = 0, all = 0; i < n; i++) {
        var from = HEAPU32[(pieces + 8 * i) >>> 2], size = HEAPU32[(pieces + 8 * i + 4) >>> 2];
        var done = FS.write(stream, HEAP8, from, size, place === undefined ? place : place + all);
        if (done < 0) return -1;
        all += done;
    }
    return all;
};
mergeInto(LibraryManager.library, {
    fd_pread__sig: "iiiiiii",
    fd_pread__proxy: "sync",
    fd_pread__deps: ["$SYSCALLS"],
    fd_pread: function (fd, pieces, n, low, high, done) {
        try {
            HEAPU32[done >>> 2] = SYSCALLS.doReadv(SYSCALLS.getStreamFromFD(fd), pieces, n, high * 4294967296 + (low >>> 0));
            return 0;
        } catch (error) {
            if (!(error instanceof FS.ErrnoError)) throw error;
            return error.errno;
        }
    },
    fd_pwrite__sig: "iiiiiii",
    fd_pwrite__proxy: "sync",
    fd_pwrite__deps: ["$SYSCALLS"],
    fd_pwrite: function (fd, pieces, n, low, high, done) {
        try {
            HEAPU32[done >>> 2] = SYSCALLS.doWritev(SYSCALLS.getStreamFromFD(fd), pieces, n, high * 4294967296 + (low >>> 0));
            return 0;
        } catch (error) {
            if (!(error instanceof FS.ErrnoError)) throw error;
            return error.errno;
        }
    },
});
