# make install: program, libraries, headers, packages for CMake and pkg-config, man pages, completions, documents.
# A component is a package (scripts/make-deb).

install(TARGETS mingle_static EXPORT mingle_static ARCHIVE COMPONENT dev
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET mingle_shared)
    install(TARGETS mingle_shared EXPORT mingle_shared
        LIBRARY COMPONENT library NAMELINK_COMPONENT dev
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(FILES include/mingle.h TYPE INCLUDE COMPONENT dev)
install(DIRECTORY include/mingle TYPE INCLUDE COMPONENT dev)

# find_package(mingle): a file of targets for each library, found from where it lies. The static one
# needs other libraries, which are looked for when it is asked for. Before 1.0 a minor version may
# break programs (docs/library.md).
include(CMakePackageConfigHelpers)
set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/mingle)
configure_file(cmake/mingle-config.cmake.in mingle-config.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mingle-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mingle-config.cmake
    ${PROJECT_BINARY_DIR}/mingle-config-version.cmake
    DESTINATION ${cmake_folder} COMPONENT dev)
install(EXPORT mingle_static FILE mingle-static.cmake NAMESPACE mingle::
    DESTINATION ${cmake_folder} COMPONENT dev)
if(TARGET mingle_shared)
    install(EXPORT mingle_shared FILE mingle-shared.cmake NAMESPACE mingle::
        DESTINATION ${cmake_folder} COMPONENT dev)
endif()

# By their names, not as Requires.private: that would hand the flags for compiling them
# (-DUTF8PROC_EXPORTS) to programs that never include their headers.
set(pc_libraries ${static_libraries})
foreach(name ${static_modules})
    list(APPEND pc_libraries ${${name}_LIBRARIES})
endforeach()
list(TRANSFORM pc_libraries PREPEND -l)
list(JOIN pc_libraries " " pc_libraries)
configure_file(cmake/mingle.pc.in mingle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/mingle.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

foreach(section 1 5)
    file(GLOB pages CONFIGURE_DEPENDS docs/man/*.${section})
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT program)
endforeach()

if(TARGET mingle)
    install(TARGETS mingle RUNTIME COMPONENT program)
    install(PROGRAMS scripts/duckdb TYPE BIN RENAME mingle-fetch-duckdb COMPONENT program)

    # The program knows its options; it writes the completions itself.
    set(completions ${PROJECT_BINARY_DIR}/completions)
    file(MAKE_DIRECTORY ${completions})
    if(NOT CMAKE_CROSSCOMPILING AND NOT MGL_SANITIZE)
        add_custom_command(TARGET mingle POST_BUILD VERBATIM
            COMMAND mingle completion bash > ${completions}/mingle
            COMMAND mingle completion zsh > ${completions}/_mingle
            COMMAND mingle completion fish > ${completions}/mingle.fish)
        install(FILES ${completions}/mingle COMPONENT program
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
        install(FILES ${completions}/_mingle COMPONENT program
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
        install(FILES ${completions}/mingle.fish COMPONENT program
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
    endif()
endif()

# The page that mingle studio serves, where make studio has made it.
install(FILES web/studio/dist/studio.html DESTINATION ${CMAKE_INSTALL_DATADIR}/mingle
    COMPONENT program OPTIONAL)

file(GLOB documents CONFIGURE_DEPENDS docs/*.md)
install(FILES ${documents} README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
foreach(example patients psensitive)
    install(DIRECTORY examples/${example} COMPONENT program USE_SOURCE_PERMISSIONS
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
        PATTERN "*.c" EXCLUDE PATTERN "*.h" EXCLUDE PATTERN ".gitignore" EXCLUDE)
endforeach()
install(DIRECTORY examples/library COMPONENT dev
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libmingle-dev/examples)
