# Compression: zlib and zstd; hashes: the header of xxHash.

file(GLOB files ${SOURCES}/zlib/*.c)
add_library(z STATIC ${files})
target_include_directories(z PUBLIC ${SOURCES}/zlib)
target_compile_options(z PRIVATE -O2)
target_compile_definitions(z PRIVATE HAVE_UNISTD_H HAVE_HIDDEN)
dependency(zlib z ${SOURCES}/zlib/zlib.h ${SOURCES}/zlib/zconf.h)

set(zstd ${SOURCES}/libzstd/lib)
file(GLOB files ${zstd}/common/*.c ${zstd}/compress/*.c ${zstd}/decompress/*.c)
add_library(zstd STATIC ${files})
target_compile_definitions(zstd PRIVATE ZSTD_DISABLE_ASM ZSTD_LEGACY_SUPPORT=0)
dependency(libzstd zstd ${zstd}/zstd.h ${zstd}/zstd_errors.h)

dependency(libxxhash "" ${SOURCES}/xxhash/xxhash.h)
