# What the library stands on. scripts/setup installs the packages.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

add_library(mingle_dependencies INTERFACE)
foreach(name zlib libzstd jansson libfyaml libutf8proc)
    pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${name})
    target_link_libraries(mingle_dependencies INTERFACE PkgConfig::${name})
endforeach()
target_link_libraries(mingle_dependencies INTERFACE Threads::Threads m)

# Of xxHash only the header is used.
pkg_check_modules(libxxhash REQUIRED libxxhash)
target_include_directories(mingle_dependencies SYSTEM INTERFACE ${libxxhash_INCLUDE_DIRS})

# Optional: what needs it says so when it is asked for.
set(optional_libraries "") # for pkg-config
find_path(readstat_INCLUDE_DIR readstat.h)
find_library(readstat_LIBRARY readstat)
if(readstat_INCLUDE_DIR AND readstat_LIBRARY)
    target_compile_definitions(mingle_dependencies INTERFACE MGL_READSTAT)
    target_include_directories(mingle_dependencies SYSTEM INTERFACE ${readstat_INCLUDE_DIR})
    target_link_libraries(mingle_dependencies INTERFACE ${readstat_LIBRARY})
    string(APPEND optional_libraries " -lreadstat")
endif()
# Excel workbooks need all three: one writes them, two read them.
set(optional_modules "") # for pkg-config
pkg_check_modules(xlsxwriter IMPORTED_TARGET xlsxwriter)
pkg_check_modules(libzip IMPORTED_TARGET libzip)
pkg_check_modules(expat IMPORTED_TARGET expat)
if(xlsxwriter_FOUND AND libzip_FOUND AND expat_FOUND)
    target_compile_definitions(mingle_dependencies INTERFACE MGL_XLSX)
    target_link_libraries(mingle_dependencies INTERFACE
        PkgConfig::xlsxwriter PkgConfig::libzip PkgConfig::expat)
    string(APPEND optional_modules ", xlsxwriter, libzip, expat")
else()
    message(STATUS "Without xlsxwriter, libzip or expat: no workbooks of Excel")
endif()
# Databases: only headers are needed to build; the libraries are loaded when a database is used.
target_link_libraries(mingle_dependencies INTERFACE ${CMAKE_DL_LIBS})
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
