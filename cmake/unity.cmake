# Compiles files of a module together, which takes less time: the same headers are read once. cmake/unity.awk
# chooses what goes together, so that no names meet: when the project is configured, and again, in a
# second or two, before a build for which one of the files has changed.

find_program(MGL_AWK NAMES awk mawk gawk REQUIRED)

# mgl_unite(TARGET [FUNCTION...]): files that define one of the functions are compiled alone, so that
# the linker can put another one in its place.
function(mgl_unite target)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.c$")
    file(GLOB_RECURSE headers ${PROJECT_SOURCE_DIR}/src/*.h)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources} ${headers}
        ${PROJECT_SOURCE_DIR}/cmake/unity.awk)
    list(JOIN ARGN " " apart)
    # By their names within the project, so that the groups are the same wherever it lies.
    string(REPLACE "${PROJECT_SOURCE_DIR}/" "" names "${headers};${sources}")
    execute_process(COMMAND ${MGL_AWK} -v most=4000 -v "apart=${apart}" -f cmake/unity.awk ${names}
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
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
