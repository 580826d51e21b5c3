# Workbooks: expat and libzip read them, libxlsxwriter and minizip write them.

set(expat ${SOURCES}/expat/expat/lib)
file(WRITE ${PROJECT_BINARY_DIR}/expat/expat_config.h "") # what it would say is said below
add_library(expat STATIC ${expat}/xmlparse.c ${expat}/xmltok.c ${expat}/xmlrole.c)
target_include_directories(expat PRIVATE ${PROJECT_BINARY_DIR}/expat)
target_compile_definitions(expat PRIVATE HAVE_MEMMOVE XML_NS XML_DTD XML_CONTEXT_BYTES=1024
    XML_DEV_URANDOM BYTEORDER=1234)
dependency(expat expat ${expat}/expat.h ${expat}/expat_external.h)

# libzip: all but encryption and other compressions; headers that it makes of what it finds out.
set(zip ${SOURCES}/libzip/lib)
foreach(bits 8 16 32 64)
    set(ZIP_INT${bits}_T int${bits}_t)
    set(ZIP_UINT${bits}_T uint${bits}_t)
endforeach()
set(LIBZIP_TYPES_INCLUDE "#include <stdint.h>")
set(ZIP_NULLABLE_DEFINES "#define _Nullable\n#define _Nonnull")
set(ZIP_STATIC 1)
foreach(name FILENO FSEEKO FTELLO LOCALTIME_R MKSTEMP SNPRINTF STRCASECMP STRDUP STRTOLL STRTOULL
        STDBOOL_H STRINGS_H UNISTD_H DIRENT_H)
    set(HAVE_${name} 1)
endforeach()
set(SIZEOF_OFF_T 8)
set(SIZEOF_SIZE_T 4)
configure_file(${SOURCES}/libzip/cmake-config.h.in libzip/config.h)
configure_file(${SOURCES}/libzip/cmake-zipconf.h.in libzip/zipconf.h)
file(READ ${SOURCES}/libzip/lib/CMakeLists.txt errors) # which makes a file of the errors' texts
string(REGEX REPLACE ".*# create zip_err_str.h" "#" errors "${errors}")
string(REPLACE "\${PROJECT_SOURCE_DIR}/lib" "${zip}" errors "${errors}")
file(WRITE ${PROJECT_BINARY_DIR}/libzip/errors.cmake "${errors}")
include(${PROJECT_BINARY_DIR}/libzip/errors.cmake)
file(GLOB files ${zip}/zip_*.c)
list(FILTER files EXCLUDE REGEX "crypto|winzip|win32|uwp|bzip2|_xz")
add_library(zip STATIC ${files} ${CMAKE_BINARY_DIR}/zip_err_str.c)
target_include_directories(zip PRIVATE ${PROJECT_BINARY_DIR}/libzip ${zip} ${SOURCES}/zlib)
target_compile_definitions(zip PRIVATE HAVE_CONFIG_H)
dependency(libzip zip ${zip}/zip.h ${PROJECT_BINARY_DIR}/libzip/zipconf.h)

# libxlsxwriter with minizip of zlib, as in Debian.
set(xlsx ${SOURCES}/libxlsxwriter)
set(minizip ${SOURCES}/zlib/contrib/minizip)
file(GLOB files ${xlsx}/src/*.c)
add_library(xlsxwriter STATIC ${files} ${minizip}/zip.c ${minizip}/ioapi.c
    ${xlsx}/third_party/md5/md5.c ${xlsx}/third_party/tmpfileplus/tmpfileplus.c)
target_include_directories(xlsxwriter PRIVATE ${xlsx}/include ${SOURCES}/zlib)
target_include_directories(xlsxwriter BEFORE PRIVATE ${PROJECT_BINARY_DIR}/minizip)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/minizip)
file(CREATE_LINK ${minizip} ${PROJECT_BINARY_DIR}/minizip/minizip SYMBOLIC)
target_compile_definitions(xlsxwriter PRIVATE USE_SYSTEM_MINIZIP NOCRYPT NOUNCRYPT USE_FILE32API)
dependency(xlsxwriter xlsxwriter ${xlsx}/include/xlsxwriter.h)
install(DIRECTORY ${xlsx}/include/xlsxwriter DESTINATION include)
