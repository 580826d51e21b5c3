# Notations: JSON, YAML, Unicode.

set(json_inline inline)
foreach(name long_long localeconv atomic_builtins sync_builtins)
    set(json_have_${name} 1)
endforeach()
configure_file(${SOURCES}/jansson/src/jansson_config.h.in jansson/jansson_config.h @ONLY)
file(WRITE ${PROJECT_BINARY_DIR}/jansson/jansson_private_config.h
    "#define INITIAL_HASHTABLE_ORDER 3\n#define USE_URANDOM 1\n")
foreach(name STDINT_H UNISTD_H FCNTL_H ENDIAN_H SYS_PARAM_H SYS_STAT_H SYS_TIME_H SYS_TYPES_H LOCALE_H
        OPEN CLOSE READ GETPID GETTIMEOFDAY STRTOLL SNPRINTF)
    file(APPEND ${PROJECT_BINARY_DIR}/jansson/jansson_private_config.h "#define HAVE_${name} 1\n")
endforeach()
file(GLOB files ${SOURCES}/jansson/src/*.c)
add_library(jansson STATIC ${files})
target_include_directories(jansson PRIVATE ${PROJECT_BINARY_DIR}/jansson)
target_compile_definitions(jansson PRIVATE HAVE_CONFIG_H)
dependency(jansson jansson ${SOURCES}/jansson/src/jansson.h
    ${PROJECT_BINARY_DIR}/jansson/jansson_config.h)

file(GLOB files ${SOURCES}/libfyaml/src/lib/*.c ${SOURCES}/libfyaml/src/xxhash/*.c)
add_library(fyaml STATIC ${files})
target_include_directories(fyaml PRIVATE ${SOURCES}/libfyaml/include ${SOURCES}/libfyaml/src/lib
    ${SOURCES}/libfyaml/src/xxhash ${SOURCES}/libfyaml/src/valgrind)
target_compile_definitions(fyaml PRIVATE _GNU_SOURCE VERSION="" HAVE_DECL_ENVIRON=1)
dependency(libfyaml fyaml ${SOURCES}/libfyaml/include/libfyaml.h)

add_library(utf8proc STATIC ${SOURCES}/utf8proc/utf8proc.c)
target_compile_definitions(utf8proc PUBLIC UTF8PROC_STATIC)
dependency(libutf8proc utf8proc ${SOURCES}/utf8proc/utf8proc.h)
