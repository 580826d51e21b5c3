// Of a module with threads: how many there may be is what it was started with.
mergeInto(LibraryManager.library, {
    emscripten_num_logical_cores: function () { return Module["threads"]; },
});
