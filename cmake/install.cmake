# make install: program, libraries, header, pkg-config file, man pages.

set(installed mingle_static)
foreach(target mingle mingle_shared)
    if(TARGET ${target})
        list(APPEND installed ${target})
    endif()
endforeach()
install(TARGETS ${installed})
install(FILES include/mingle.h TYPE INCLUDE)

configure_file(cmake/mingle.pc.in mingle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/mingle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

foreach(section 1 3 5)
    file(GLOB pages CONFIGURE_DEPENDS docs/man/*.${section})
    if(pages)
        install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
    endif()
endforeach()
