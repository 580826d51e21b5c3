# Files of SPSS, Stata and SAS: readstat. Its converters of command files are not used.

set(readstat ${SOURCES}/readstat/src)
file(GLOB files ${readstat}/*.c ${readstat}/sas/*.c ${readstat}/spss/*.c ${readstat}/stata/*.c)
add_library(readstat STATIC ${files})
target_include_directories(readstat PRIVATE ${SOURCES}/zlib)
target_compile_definitions(readstat PRIVATE HAVE_ZLIB=1)
dependency(readstat readstat ${readstat}/readstat.h)
