# cmocka, for tests. It leaves a test that failed by longjmp, which WebAssembly knows as an exception
# of JavaScript. Tests have no threads (wasm.cmake says why that matters).
file(WRITE ${PROJECT_BINARY_DIR}/cmocka/config.h "")
foreach(name ASSERT_H INTTYPES_H MALLOC_H MEMORY_H SETJMP_H SIGNAL_H STDARG_H STDDEF_H STDINT_H
        STDIO_H STDLIB_H STRINGS_H STRING_H SYS_STAT_H SYS_TYPES_H TIME_H UNISTD_H CALLOC EXIT FPRINTF
        FREE LONGJMP SIGLONGJMP MALLOC MEMCPY MEMSET PRINTF SETJMP SIGNAL STRSIGNAL STRCMP STRCPY
        VSNPRINTF SNPRINTF CLOCK_GETTIME STRUCT_TIMESPEC)
    file(APPEND ${PROJECT_BINARY_DIR}/cmocka/config.h "#define HAVE_${name} 1\n")
endforeach()
add_library(cmocka STATIC ${SOURCES}/cmocka/src/cmocka.c)
target_include_directories(cmocka PRIVATE ${PROJECT_BINARY_DIR}/cmocka ${SOURCES}/cmocka/include)
# It would define the type itself, as glibc has it.
target_compile_definitions(cmocka PRIVATE HAVE_CONFIG_H PUBLIC _UINTPTR_T)
target_compile_options(cmocka PRIVATE "SHELL:-mllvm -enable-emscripten-sjlj" -no-pthread)
file(GLOB headers ${SOURCES}/cmocka/include/cmocka*.h)
dependency(cmocka cmocka ${headers})
