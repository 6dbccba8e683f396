# The target tippe_httplib: cpp-httplib, as Debian has it (a compiled library with a header for it) or as its authors do (a header).
find_path(HTTPLIB_INCLUDE_DIR httplib.h)
if(NOT HTTPLIB_INCLUDE_DIR)
  message(FATAL_ERROR "cpp-httplib is missing: no httplib.h was found. On Debian: apt install libcpp-httplib-dev")
endif()
find_library(HTTPLIB_LIBRARY cpp-httplib)
mark_as_advanced(HTTPLIB_INCLUDE_DIR HTTPLIB_LIBRARY)

add_library(tippe_httplib INTERFACE)
target_include_directories(tippe_httplib SYSTEM INTERFACE ${HTTPLIB_INCLUDE_DIR})
target_link_libraries(tippe_httplib INTERFACE Threads::Threads)
if(HTTPLIB_LIBRARY)
  # What the library was compiled with: its header declares other types without.
  target_compile_definitions(tippe_httplib INTERFACE CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)
  target_link_libraries(tippe_httplib INTERFACE ${HTTPLIB_LIBRARY})
endif()
