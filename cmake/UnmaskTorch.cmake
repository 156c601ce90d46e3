# LibTorch 2.11 as the target unmask_torch: the libraries inside the PyTorch wheel, no Python at run time.
# Looked for in UNMASK_TORCH_DIR (a folder with include/ and lib/), then in the user's cache.
set(_cache $ENV{UNMASK_CACHE})
if(NOT _cache)
  set(_cache $ENV{HOME}/.cache/unmask)
endif()
set(_default ${_cache}/libtorch-2.11.0/torch)
if(DEFINED ENV{UNMASK_TORCH_DIR})
  set(_default $ENV{UNMASK_TORCH_DIR})
endif()
set(UNMASK_TORCH_DIR ${_default} CACHE PATH "Folder of LibTorch 2.11: include/ and lib/")
if(NOT EXISTS ${UNMASK_TORCH_DIR}/lib/libtorch_cpu.so)
  message(FATAL_ERROR "LibTorch 2.11 is not in ${UNMASK_TORCH_DIR}. './run build' fetches it; or set UNMASK_TORCH_DIR.")
endif()

add_library(unmask_torch INTERFACE)
target_include_directories(unmask_torch SYSTEM INTERFACE ${UNMASK_TORCH_DIR}/include
  ${UNMASK_TORCH_DIR}/include/torch/csrc/api/include)
target_link_libraries(unmask_torch INTERFACE ${UNMASK_TORCH_DIR}/lib/libtorch_cpu.so ${UNMASK_TORCH_DIR}/lib/libc10.so)
# The wheel's libraries name CUDA ones in sibling folders by their own RPATH, which the linker does not follow.
target_link_options(unmask_torch INTERFACE -Wl,--allow-shlib-undefined -Wl,--unresolved-symbols=ignore-in-shared-libs)
