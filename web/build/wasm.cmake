# The modules of WebAssembly: the engine of pages and of the package, and the program for Node. Where
# nothing is loaded (MGL_LOAD=OFF) and emcc links.

# All: memory grows up to what there is; a module of its own that is handed its bytes. clang has optimized
# already: -O2 of the linker takes half a minute and makes a module smaller by 6 %, -O1 two seconds, and
# neither makes it faster. So only the module that pages have inside them gets more.
file(GLOB listeners ${PROJECT_SOURCE_DIR}/web/engine/*.js) # each links some of them
add_library(mingle_module INTERFACE)
target_link_options(mingle_module INTERFACE -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB
    -sINITIAL_MEMORY=32MB -sTOTAL_STACK=4MB -sMODULARIZE=1 -sDYNAMIC_EXECUTION=0 -sSUPPORT_LONGJMP=0
    "SHELL:--js-library ${PROJECT_SOURCE_DIR}/web/engine/listeners.js"
    "SHELL:--js-library ${PROJECT_SOURCE_DIR}/web/engine/large_files.js")

# Everything is compiled once, with or without threads. But where there are none, the linker of LLVM 14
# puts variables of threads where others are: files that have some are compiled anew as if there were no
# threads, and stand before the library that has them as well.
set(files_of_threads "")
foreach(file ${library_sources})
    file(STRINGS ${file} found REGEX "_Thread_local" LIMIT_COUNT 1)
    if(found)
        list(APPEND files_of_threads ${file})
    endif()
endforeach()
add_library(without_threads OBJECT ${files_of_threads})
target_link_libraries(without_threads PRIVATE mingle_objects)
target_compile_options(without_threads PRIVATE -no-pthread)
add_library(mingle_single INTERFACE)
target_sources(mingle_single INTERFACE $<TARGET_OBJECTS:without_threads>)

file(STRINGS web/engine/exports.txt exports)
list(TRANSFORM exports PREPEND _)
list(JOIN exports , exports)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS web/engine/exports.txt)

# Of the program an engine has how a job is typed; what it does not use is left out.
function(add_engine target name)
    add_executable(${target} web/engine/engine.c $<TARGET_OBJECTS:mingle>)
    target_include_directories(${target} PRIVATE include)
    target_link_libraries(${target} PRIVATE mingle_options mingle_static mingle_module)
    target_link_options(${target} PRIVATE --no-entry -sENVIRONMENT=web,worker -sEXPORT_ES6=1
        -sUSE_ES6_IMPORT_META=0 -sEXPORTED_FUNCTIONS=${exports}
        "SHELL:--js-library ${PROJECT_SOURCE_DIR}/web/engine/memory_files.js"
        -sEXPORTED_RUNTIME_METHODS=UTF8ToString,stringToUTF8,lengthBytesUTF8,FS ${ARGN})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX .mjs
        RUNTIME_OUTPUT_DIRECTORY web
        LINK_DEPENDS "${listeners};${PROJECT_SOURCE_DIR}/web/engine/exports.txt")
endfunction()
add_engine(engine mingle -O2)
target_link_libraries(engine PRIVATE mingle_single)

# The same with threads, where memory can be shared. Workers for all of them wait from the start: none
# could begin while the thread that asks for it is at work.
add_engine(engine_with_threads threads -O1 -pthread -sPTHREAD_POOL_SIZE=Module.threads-1
    -sPTHREAD_POOL_SIZE_STRICT=2 -sEXPORT_NAME=createModule -Wno-pthreads-mem-growth
    "SHELL:--js-library ${PROJECT_SOURCE_DIR}/web/engine/threads.js"
    "SHELL:--pre-js ${PROJECT_SOURCE_DIR}/web/engine/start_threads.js")

# The program sees the files of the machine, by Node.
target_link_libraries(mingle PRIVATE mingle_module mingle_single)
target_link_options(mingle PRIVATE -O1 -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1
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
    DEPENDS engine engine_with_threads mingle ${sources} web/build/package)
add_custom_target(package_of_npm ALL DEPENDS ${package}/package.json)

# Tests of the core, for Node: cmocka leaves a test by longjmp, and a program ends with main. Little is
# optimized when they are linked, since that takes longer than they do.
target_compile_options(mingle_for_tests INTERFACE "SHELL:-mllvm -enable-emscripten-sjlj")
target_link_libraries(mingle_for_tests INTERFACE mingle_single)
target_link_options(mingle_for_tests INTERFACE -O1 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB
    -sTOTAL_STACK=8MB -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1
    "SHELL:--js-library ${PROJECT_SOURCE_DIR}/web/engine/listeners.js"
    "SHELL:--js-library ${PROJECT_SOURCE_DIR}/web/engine/node_files.js"
    "SHELL:--pre-js ${PROJECT_SOURCE_DIR}/web/build/test_environment.js")
file(STRINGS tests/web/core_tests.txt core_tests REGEX "^[a-z]")
list(TRANSFORM core_tests REPLACE "/" "_")
add_custom_target(core_tests DEPENDS ${core_tests})
