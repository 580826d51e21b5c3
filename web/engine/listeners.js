// What engine.c calls: the module has the listeners of the job that runs.
mergeInto(LibraryManager.library, {
    engine_progress: function (stage, done, total) {
        return Module["onProgress"] && Module["onProgress"](UTF8ToString(stage), done, total) ? 1 : 0;
    },
    engine_refusal: function (json) {
        if (Module["onRefusal"]) Module["onRefusal"](UTF8ToString(json));
    },
    // Everywhere but in Node 18 there is a global crypto; there the package gives its own.
    // Memory that is shared is none that it would fill.
    getentropy__sig: "iii",
    getentropy__proxy: "sync",
    getentropy: function (buffer, size) {
        var bytes = new Uint8Array(size);
        (Module["crypto"] || crypto).getRandomValues(bytes);
        HEAPU8.set(bytes, buffer);
        return 0;
    },
});
