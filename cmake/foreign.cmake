# A toolchain for the other of the two architectures, with Debian's cross compiler and the
# libraries that scripts/setup arch installs beside those of this machine.
execute_process(COMMAND uname -m OUTPUT_VARIABLE here OUTPUT_STRIP_TRAILING_WHITESPACE)
if(here STREQUAL "x86_64")
    set(foreign aarch64)
else()
    set(foreign x86_64)
endif()
string(REPLACE "_" "-" prefix ${foreign}) # the compiler is called x86-64-linux-gnu-gcc

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${foreign})
set(CMAKE_C_COMPILER ${prefix}-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${foreign}-static)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/${foreign}-linux-gnu/pkgconfig:/usr/share/pkgconfig)
# Only what is mandatory: what find_path and find_library see belongs to this machine.
set(readstat_LIBRARY readstat_LIBRARY-NOTFOUND CACHE FILEPATH "")
