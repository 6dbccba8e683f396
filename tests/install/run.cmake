# Installs BUILD_DIR into a folder below it, builds PROJECT_DIR against that, and runs it on an installed scene.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGV}\n${output}")
  endif()
  message(STATUS "${output}")
endfunction()

set(prefix ${BUILD_DIR}/install-test/prefix)
set(build ${BUILD_DIR}/install-test/build)
file(REMOVE_RECURSE ${BUILD_DIR}/install-test)
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${PROJECT_DIR} -B ${build} -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
run(${CMAKE_COMMAND} --build ${build})
run(${build}/run_scene ${prefix}/share/tippe/scenes/woodpecker.toml)
run(${build}/solve_contacts)
run(${build}/double_pendulum)
run(${build}/judge_instant)
run(${build}/judge_instant ${prefix}/share/tippe/scenes/four_legged_table.toml)
run(${prefix}/bin/tippe run ${prefix}/share/tippe/scenes/incline.toml --quiet --out ${BUILD_DIR}/install-test/results)

# An installation can be moved: the program finds its scenes by their names from where it lies.
set(moved ${BUILD_DIR}/install-test/moved)
file(RENAME ${prefix} ${moved})
execute_process(COMMAND ${moved}/bin/tippe check incline --json WORKING_DIRECTORY ${BUILD_DIR}/install-test
                OUTPUT_VARIABLE report RESULT_VARIABLE result)
string(JSON scene GET "${report}" scene)
if(NOT result EQUAL 0 OR NOT scene STREQUAL "${moved}/share/tippe/scenes/incline.toml")
  message(FATAL_ERROR "the moved program read the scene ${scene}, exit code ${result}")
endif()
