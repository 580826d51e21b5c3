// What engine.c calls: the module has the listeners of the job that runs.
mergeInto(LibraryManager.library, {
    engine_progress: function (stage, done, total) {
        return Module["onProgress"] && Module["onProgress"](UTF8ToString(stage), done, total) ? 1 : 0;
    },
    engine_refusal: function (json) {
        if (Module["onRefusal"]) Module["onRefusal"](UTF8ToString(json));
    },
    // Everywhere but in Node 18 there is a global crypto; there the package gives its own.
    getentropy: function (buffer, size) {
        (Module["crypto"] || crypto).getRandomValues(HEAPU8.subarray(buffer, buffer + size));
        return 0;
    },
});
