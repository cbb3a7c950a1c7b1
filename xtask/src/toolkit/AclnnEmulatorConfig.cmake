# Defines targets for the libraries of this directory, under the names that CANN's libraries have:
#
#     find_package(AclnnEmulator REQUIRED)
#     target_link_libraries(program PRIVATE AclnnEmulator::ascendcl AclnnEmulator::nnopbase AclnnEmulator::opapi)
#
# AclnnEmulator_ROOT is this directory. AclnnEmulator_LIBRARIES names every target.

get_filename_component(AclnnEmulator_ROOT "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(AclnnEmulator_INCLUDE_DIRS "${AclnnEmulator_ROOT}/include" "${AclnnEmulator_ROOT}/include/aclnnop")
set(AclnnEmulator_LIBRARIES "")

file(GLOB _aclnn_emulator_files "${AclnnEmulator_ROOT}/lib64/lib*.so")
foreach(_aclnn_emulator_file IN LISTS _aclnn_emulator_files)
    get_filename_component(_aclnn_emulator_name "${_aclnn_emulator_file}" NAME_WE)
    string(REGEX REPLACE "^lib" "" _aclnn_emulator_name "${_aclnn_emulator_name}")
    # The library behind all others is not linked: they open it.
    if(_aclnn_emulator_name STREQUAL "cann_stubs")
        continue()
    endif()
    set(_aclnn_emulator_target "AclnnEmulator::${_aclnn_emulator_name}")
    if(NOT TARGET "${_aclnn_emulator_target}")
        add_library("${_aclnn_emulator_target}" SHARED IMPORTED)
        set_target_properties("${_aclnn_emulator_target}" PROPERTIES
            IMPORTED_LOCATION "${_aclnn_emulator_file}"
            INTERFACE_INCLUDE_DIRECTORIES "${AclnnEmulator_INCLUDE_DIRS}"
            INTERFACE_LINK_OPTIONS "LINKER:-rpath-link,${AclnnEmulator_ROOT}/lib64")
    endif()
    list(APPEND AclnnEmulator_LIBRARIES "${_aclnn_emulator_target}")
endforeach()

unset(_aclnn_emulator_files)
unset(_aclnn_emulator_file)
unset(_aclnn_emulator_name)
unset(_aclnn_emulator_target)
