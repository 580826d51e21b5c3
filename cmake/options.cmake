# How everything of ours is compiled. Targets link mingle_options to get it.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE) # a toolchain may say otherwise
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
# No flag for a particular machine: what needs one is chosen at run time.
# Functions and lines for a stack trace; variables, which take a fifth of the time, are in the build for
# the debugger.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
if(MGL_SANITIZE)
    set(CMAKE_C_FLAGS_DEBUG "-O1 -g1 -fno-omit-frame-pointer")
else()
    set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")
endif()

include(CheckPIESupported)
check_pie_supported()

add_library(mingle_options INTERFACE)
target_compile_definitions(mingle_options INTERFACE _POSIX_C_SOURCE=200809L
    $<$<BOOL:${MGL_FAULTS}>:MGL_FAULTS>)
# clang fuses a*b+c on aarch64, gcc with -std=c17 does not: results would differ.
target_compile_options(mingle_options INTERFACE -Wall -Wextra -ffp-contract=off
    $<$<BOOL:${MGL_WERROR}>:-Werror>)

if(MGL_SANITIZE)
    target_compile_options(mingle_options INTERFACE
        -fsanitize=${MGL_SANITIZE} -fno-sanitize-recover=all)
    target_link_options(mingle_options INTERFACE -fsanitize=${MGL_SANITIZE})
    if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
        # Checked arithmetic on __int128 is in clang's own runtime, not in libgcc.
        target_link_options(mingle_options INTERFACE --rtlib=compiler-rt --unwindlib=libgcc)
    endif()
elseif(CMAKE_BUILD_TYPE STREQUAL "Release" AND MGL_HARDEN)
    target_compile_options(mingle_options INTERFACE -fstack-protector-strong
        -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
    target_link_options(mingle_options INTERFACE -Wl,-z,relro,-z,now)
endif()
