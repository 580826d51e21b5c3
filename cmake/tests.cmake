# Every tests/{unit,seeds,property}/test_*.c is one program, every
# tests/fuzz/fuzz_*.c one fuzz target. tests/run runs them.

add_library(mingle_for_tests INTERFACE)
target_include_directories(mingle_for_tests INTERFACE include src tests/support)
target_link_libraries(mingle_for_tests INTERFACE mingle_options mingle_static)

pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)
file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.c)
if(support_sources)
    add_library(testsupport STATIC ${support_sources})
    target_link_libraries(testsupport PUBLIC mingle_for_tests PkgConfig::cmocka)
    if(libzip_FOUND) # makes workbooks
        target_link_libraries(testsupport PUBLIC PkgConfig::libzip)
    endif()
    if(MGL_FUZZ) # what the tests do themselves is nothing to cover
        target_compile_options(testsupport PRIVATE -fno-sanitize=fuzzer-no-link)
    endif()
endif()

if(MGL_TESTS)
    foreach(kind unit seeds property)
        file(GLOB sources CONFIGURE_DEPENDS tests/${kind}/test_*.c)
        foreach(source ${sources})
            get_filename_component(name ${source} NAME_WE)
            add_executable(${kind}_${name} ${source})
            target_link_libraries(${kind}_${name} PRIVATE
                $<TARGET_NAME_IF_EXISTS:testsupport> mingle_for_tests PkgConfig::cmocka)
            set_target_properties(${kind}_${name} PROPERTIES
                OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY tests/${kind})
        endforeach()
    endforeach()
endif()

# The toys of tests/toys, in a program of their own: the tables are compiled once more, and find the
# lists of rows in tests/toys first.
if(MGL_TESTS)
    file(GLOB toy_sources CONFIGURE_DEPENDS tests/toys/*.c)
    add_executable(mingle_with_toys ${program_sources} ${toy_sources} src/privacy/models.c
        src/utility/measures.c src/search/methods.c src/io/formats.c src/feature/features.c
        src/job/keys/keys.c)
    target_include_directories(mingle_with_toys BEFORE PRIVATE tests/toys)
    target_include_directories(mingle_with_toys PRIVATE include src)
    target_link_libraries(mingle_with_toys PRIVATE mingle_options mingle_static)
    set_target_properties(mingle_with_toys PROPERTIES
        OUTPUT_NAME mingle RUNTIME_OUTPUT_DIRECTORY tests/toys)
endif()

# Rooms that compute compare numbers, not input: libFuzzer learns nothing from the operands there,
# and recording them takes half of the time of a search.
if(MGL_FUZZ)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/classes/*.c src/privacy/*.c src/recoding/*.c
        src/risk/*.c src/search/*.c src/utility/*.c src/base/sha256*.c)
    set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS
        -fno-sanitize-coverage=trace-cmp)
endif()

# With libFuzzer its own main drives a target; without it replay.c feeds files.
file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    if(MGL_FUZZ)
        add_executable(${name} ${source} tests/fuzz/fuzz.c)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    else()
        add_executable(${name} ${source} tests/fuzz/fuzz.c tests/fuzz/replay.c)
    endif()
    target_link_libraries(${name} PRIVATE
        $<TARGET_NAME_IF_EXISTS:testsupport> mingle_for_tests)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests/fuzz)
endforeach()
# Requests of the studio are answered by the program, of which the target's main is another one.
add_library(program_for_fuzz OBJECT ${program_sources})
target_compile_definitions(program_for_fuzz PRIVATE main=main_of_the_program)
target_compile_options(program_for_fuzz PRIVATE -Wno-missing-prototypes)
target_link_libraries(program_for_fuzz PRIVATE mingle_for_tests)
target_link_libraries(fuzz_studio PRIVATE program_for_fuzz)

# Jobs whose system calls are traced (tests/cli/in_memory.sh).
if(MGL_TESTS)
    add_executable(traced_in_memory tests/traced/in_memory.c)
    target_link_libraries(traced_in_memory PRIVATE testsupport mingle_for_tests PkgConfig::cmocka)
    set_target_properties(traced_in_memory PROPERTIES
        OUTPUT_NAME in_memory RUNTIME_OUTPUT_DIRECTORY tests/traced)
endif()

# The examples of the library, which tests/examples.sh runs.
if(MGL_TESTS)
    file(GLOB sources CONFIGURE_DEPENDS examples/library/*.c)
    foreach(source ${sources})
        get_filename_component(name ${source} NAME_WE)
        add_executable(example_${name} ${source})
        target_include_directories(example_${name} PRIVATE include)
        target_link_libraries(example_${name} PRIVATE mingle_options mingle_static)
        set_target_properties(example_${name} PROPERTIES
            OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY examples)
    endforeach()
endif()

# Random jobs for as long as one likes (make soak).
if(support_sources)
    add_executable(soak EXCLUDE_FROM_ALL tests/soak/soak.c)
    target_link_libraries(soak PRIVATE testsupport mingle_for_tests PkgConfig::cmocka)
endif()
