# make install: program, libraries, headers, pkg-config file, man pages, completions, documents.
# A component is a package (scripts/make-deb).

install(TARGETS mingle_static ARCHIVE COMPONENT dev)
if(TARGET mingle_shared)
    install(TARGETS mingle_shared
        LIBRARY COMPONENT library NAMELINK_COMPONENT dev)
endif()
install(FILES include/mingle.h TYPE INCLUDE COMPONENT dev)
install(DIRECTORY include/mingle TYPE INCLUDE COMPONENT dev)

configure_file(cmake/mingle.pc.in mingle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/mingle.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

foreach(section 1 5)
    file(GLOB pages CONFIGURE_DEPENDS docs/man/*.${section})
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT program)
endforeach()

if(TARGET mingle)
    install(TARGETS mingle RUNTIME COMPONENT program)

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

file(GLOB documents CONFIGURE_DEPENDS docs/*.md)
install(FILES ${documents} README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
foreach(example patients psensitive)
    install(DIRECTORY examples/${example} COMPONENT program USE_SOURCE_PERMISSIONS
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
        PATTERN "*.c" EXCLUDE PATTERN "*.h" EXCLUDE PATTERN ".gitignore" EXCLUDE)
endforeach()
install(DIRECTORY examples/library COMPONENT dev
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libmingle-dev/examples)
