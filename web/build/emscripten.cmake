# A toolchain for WebAssembly, with Debian's clang and emscripten. clang compiles and emcc links:
# emcc would start Python for every file.
set(emscripten /usr/share/emscripten)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_C_COMPILER_TARGET wasm32-unknown-emscripten)
set(CMAKE_SYSROOT ${emscripten}/cache/sysroot)
set(CMAKE_AR /usr/bin/llvm-ar-14 CACHE FILEPATH "")
set(CMAKE_RANLIB /usr/bin/llvm-ranlib-14 CACHE FILEPATH "")
# Threads or none is decided when a module is linked (wasm.cmake).
set(CMAKE_C_FLAGS_INIT "-msimd128 -pthread -fignore-exceptions")
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)

# What CMake tries out is compiled and not linked; of threads there are the functions, and none starts.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_HAVE_LIBC_PTHREAD TRUE CACHE BOOL "")
set(CMAKE_EXECUTABLE_SUFFIX_C .js)
set(CMAKE_C_LINK_EXECUTABLE
    "${CMAKE_CURRENT_LIST_DIR}/emcc <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")

# Only what web/build/dependencies made is found.
get_property(trying GLOBAL PROPERTY IN_TRY_COMPILE)
if(NOT trying) # in a folder elsewhere, and with the same environment
    set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_BINARY_DIR}/dependencies/lib/pkgconfig)
endif()
set(CMAKE_FIND_ROOT_PATH ${CMAKE_BINARY_DIR}/dependencies)
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
