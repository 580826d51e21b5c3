# Compiles files of a module together, which takes less than half the time: the same headers are read
# once. cmake/unity.awk chooses what goes together, so that no names meet. It writes the groups into
# the build folder when the project is configured; `make` looks again before it builds.

find_program(MGL_AWK NAMES awk mawk gawk REQUIRED)

function(mgl_unite target)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.c$")
    file(GLOB_RECURSE headers ${PROJECT_SOURCE_DIR}/src/*.h)
    execute_process(COMMAND ${MGL_AWK} -v most=4000 -f ${PROJECT_SOURCE_DIR}/cmake/unity.awk
            ${headers} ${sources}
        OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
    string(STRIP "${lines}" lines)
    string(REPLACE "\n" ";" lines "${lines}")
    foreach(line ${lines})
        string(REGEX MATCH "^([^ ]+) (.*)$" line "${line}")
        set_property(SOURCE ${CMAKE_MATCH_2} PROPERTY UNITY_GROUP ${CMAKE_MATCH_1})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # What gcc takes for uninitialized depends on what it can inline; the test build warns.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
endfunction()
