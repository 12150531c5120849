# SPDX-License-Identifier: Apache-2.0
# find_package(yoloface) gives the target yoloface::yoloface.
if(NOT TARGET yoloface::yoloface)
  get_filename_component(yoloface_libraries "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
  get_filename_component(yoloface_include "${yoloface_libraries}/@UP@/include" ABSOLUTE)
  add_library(yoloface::yoloface SHARED IMPORTED)
  set_target_properties(yoloface::yoloface PROPERTIES
    IMPORTED_LOCATION "${yoloface_libraries}/@NAME@"
    IMPORTED_SONAME "@NAME@"
    INTERFACE_INCLUDE_DIRECTORIES "${yoloface_include}")
endif()
