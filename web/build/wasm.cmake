# The modules of WebAssembly: the engine of pages and of the package, and the program for Node. Where
# nothing is loaded (MGL_LOAD=OFF) and emcc links.

# Both: memory grows up to what there is; a module of its own that is handed its bytes.
file(GLOB listeners ${PROJECT_SOURCE_DIR}/web/engine/*.js) # each links some of them
add_library(mingle_module INTERFACE)
target_link_options(mingle_module INTERFACE -O3 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB
    -sINITIAL_MEMORY=32MB -sTOTAL_STACK=4MB -sMODULARIZE=1 -sDYNAMIC_EXECUTION=0 -sSUPPORT_LONGJMP=0
    "SHELL:--js-library ${PROJECT_SOURCE_DIR}/web/engine/listeners.js")

file(STRINGS web/engine/exports.txt exports)
list(TRANSFORM exports PREPEND _)
list(JOIN exports , exports)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS web/engine/exports.txt)

# Of the program the engine has how a job is typed; what it does not use is left out.
add_executable(engine web/engine/engine.c $<TARGET_OBJECTS:mingle>)
target_include_directories(engine PRIVATE include)
target_link_libraries(engine PRIVATE mingle_options mingle_static mingle_module)
target_link_options(engine PRIVATE --no-entry -sENVIRONMENT=web,worker -sEXPORT_ES6=1
    -sUSE_ES6_IMPORT_META=0 -sEXPORTED_FUNCTIONS=${exports}
    "SHELL:--js-library ${PROJECT_SOURCE_DIR}/web/engine/memory_files.js"
    -sEXPORTED_RUNTIME_METHODS=UTF8ToString,stringToUTF8,lengthBytesUTF8,FS)
set_target_properties(engine PROPERTIES OUTPUT_NAME mingle SUFFIX .mjs RUNTIME_OUTPUT_DIRECTORY web
    LINK_DEPENDS "${listeners};${PROJECT_SOURCE_DIR}/web/engine/exports.txt")

# The program sees the files of the machine, by Node.
target_link_libraries(mingle PRIVATE mingle_module)
target_link_options(mingle PRIVATE -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1
    -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0 -sEXPORTED_RUNTIME_METHODS=FS,ENV
    "SHELL:--js-library ${PROJECT_SOURCE_DIR}/web/engine/node_files.js")
set_target_properties(mingle PROPERTIES OUTPUT_NAME program RUNTIME_OUTPUT_DIRECTORY web
    LINK_DEPENDS "${listeners}")

# The package, ready to be packed: what TypeScript makes of web/mingle, with both modules.
set(package ${PROJECT_BINARY_DIR}/mingle)
file(GLOB sources CONFIGURE_DEPENDS web/mingle/src/*.ts web/mingle/src/*.mts web/mingle/bin/*
    web/mingle/*.json web/mingle/*.md)
add_custom_command(OUTPUT ${package}/package.json VERBATIM
    COMMAND ${PROJECT_SOURCE_DIR}/web/build/package ${PROJECT_BINARY_DIR}/web ${package}
    DEPENDS engine mingle ${sources} web/build/package)
add_custom_target(package_of_npm ALL DEPENDS ${package}/package.json)

# Tests of the core, for Node: cmocka leaves a test by longjmp, and a program ends with main. Little is
# optimized when they are linked, since that takes longer than they do.
target_compile_options(mingle_for_tests INTERFACE "SHELL:-mllvm -enable-emscripten-sjlj")
target_link_options(mingle_for_tests INTERFACE -O1 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB
    -sTOTAL_STACK=8MB -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1
    "SHELL:--js-library ${PROJECT_SOURCE_DIR}/web/engine/listeners.js"
    "SHELL:--js-library ${PROJECT_SOURCE_DIR}/web/engine/node_files.js"
    "SHELL:--pre-js ${PROJECT_SOURCE_DIR}/web/build/test_environment.js")
file(STRINGS tests/web/core_tests.txt core_tests REGEX "^[a-z]")
list(TRANSFORM core_tests REPLACE "/" "_")
add_custom_target(core_tests DEPENDS ${core_tests})
