# What the library stands on. scripts/setup installs the packages.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# What a program needs beside the static library: cmake/install.cmake writes it into the packages for
# CMake and pkg-config.
set(static_modules zlib libzstd jansson libfyaml libutf8proc) # of pkg-config
set(static_libraries m) # by name

add_library(mingle_dependencies INTERFACE)
foreach(name ${static_modules})
    pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${name})
    target_link_libraries(mingle_dependencies INTERFACE PkgConfig::${name})
endforeach()
target_link_libraries(mingle_dependencies INTERFACE Threads::Threads m)

# Of xxHash only the header is used.
pkg_check_modules(libxxhash REQUIRED libxxhash)
target_include_directories(mingle_dependencies SYSTEM INTERFACE ${libxxhash_INCLUDE_DIRS})

# Optional: what needs it says so when it is asked for.
find_path(readstat_INCLUDE_DIR readstat.h)
find_library(readstat_LIBRARY readstat)
if(readstat_INCLUDE_DIR AND readstat_LIBRARY)
    target_compile_definitions(mingle_dependencies INTERFACE MGL_READSTAT)
    target_include_directories(mingle_dependencies SYSTEM INTERFACE ${readstat_INCLUDE_DIR})
    target_link_libraries(mingle_dependencies INTERFACE ${readstat_LIBRARY})
    list(APPEND static_libraries readstat)
endif()
# Excel workbooks need all three: one writes them, two read them. The first two bring other
# libraries with them and are loaded when a workbook is used, by the name that their link leads to.
pkg_check_modules(xlsxwriter IMPORTED_TARGET xlsxwriter)
pkg_check_modules(libzip IMPORTED_TARGET libzip)
pkg_check_modules(expat IMPORTED_TARGET expat)
if(xlsxwriter_FOUND AND libzip_FOUND AND expat_FOUND)
    target_compile_definitions(mingle_dependencies INTERFACE MGL_XLSX)
    foreach(pair xlsxwriter:XLSXWRITER libzip:ZIP)
        string(REPLACE ":" ";" pair ${pair})
        list(GET pair 0 name)
        list(GET pair 1 engine)
        list(GET ${name}_LINK_LIBRARIES 0 file)
        if(IS_SYMLINK ${file})
            file(READ_SYMLINK ${file} file)
        endif()
        get_filename_component(file ${file} NAME)
        target_compile_definitions(mingle_dependencies INTERFACE MGL_${engine}_LIBRARY="${file}")
        target_include_directories(mingle_dependencies SYSTEM INTERFACE ${${name}_INCLUDE_DIRS})
    endforeach()
    target_link_libraries(mingle_dependencies INTERFACE PkgConfig::expat)
    list(APPEND static_modules expat)
else()
    message(STATUS "Without xlsxwriter, libzip or expat: no workbooks of Excel")
endif()
# Signatures: only headers are needed to build; libcrypto is loaded when one is made or checked.
if(MGL_SIGNATURES)
    find_package(OpenSSL COMPONENTS Crypto)
endif()
if(MGL_SIGNATURES AND OPENSSL_CRYPTO_LIBRARY AND OPENSSL_INCLUDE_DIR)
    set(file ${OPENSSL_CRYPTO_LIBRARY})
    if(IS_SYMLINK ${file})
        file(READ_SYMLINK ${file} file)
    endif()
    get_filename_component(file ${file} NAME)
    target_compile_definitions(mingle_dependencies INTERFACE MGL_CRYPTO_LIBRARY="${file}")
    target_include_directories(mingle_dependencies SYSTEM INTERFACE ${OPENSSL_INCLUDE_DIR})
else()
    message(STATUS "Without OpenSSL: no signatures")
endif()
# Databases: only headers are needed to build; the libraries are loaded when a database is used.
target_link_libraries(mingle_dependencies INTERFACE ${CMAKE_DL_LIBS})
list(APPEND static_libraries ${CMAKE_DL_LIBS})
foreach(pair libpq:POSTGRESQL sqlite3:SQLITE odbc:ODBC)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 name)
    list(GET pair 1 engine)
    pkg_check_modules(${name} ${name})
    if(${name}_FOUND)
        target_compile_definitions(mingle_dependencies INTERFACE MGL_${engine})
        target_include_directories(mingle_dependencies SYSTEM INTERFACE ${${name}_INCLUDE_DIRS})
    else()
        message(STATUS "Without ${name}: no tables of ${engine}")
    endif()
endforeach()
