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

# The GPU half: where a CUDA toolkit was found and this LibTorch has its CUDA libraries, the worker trains on GPUs.
set(UNMASK_GPU OFF)
if(UNMASK_HAS_CUDA AND EXISTS ${UNMASK_TORCH_DIR}/lib/libtorch_cuda.so)
  get_filename_component(_nvidia ${UNMASK_TORCH_DIR}/../nvidia ABSOLUTE)
  find_library(UNMASK_CUBLASLT NAMES libcublasLt.so.13 HINTS ${_nvidia}/cu13/lib)
  find_library(UNMASK_CUDNN NAMES libcudnn.so.9 HINTS ${_nvidia}/cudnn/lib)
  find_library(UNMASK_NVRTC NAMES libnvrtc.so.13 HINTS ${_nvidia}/cu13/lib)  # cuDNN's frontend names it
  find_path(UNMASK_CUDNN_INCLUDE cudnn_graph.h HINTS ${_nvidia}/cudnn/include)
  find_path(UNMASK_CUDNN_FRONTEND_INCLUDE cudnn_frontend.h HINTS ${_nvidia}/../cudnn_frontend/include)
  if(UNMASK_CUBLASLT AND UNMASK_NVRTC AND UNMASK_CUDNN AND UNMASK_CUDNN_INCLUDE AND UNMASK_CUDNN_FRONTEND_INCLUDE)
    set(UNMASK_GPU ON)
    add_library(unmask_torch_cuda INTERFACE)
    target_include_directories(unmask_torch_cuda SYSTEM INTERFACE ${UNMASK_CUDNN_INCLUDE} ${UNMASK_CUDNN_FRONTEND_INCLUDE})
    # LibTorch registers its GPU half when the library is loaded, whether or not a symbol of it is named.
    target_link_libraries(unmask_torch_cuda INTERFACE unmask_torch CUDA::cudart ${UNMASK_TORCH_DIR}/lib/libc10_cuda.so
      -Wl,--push-state,--no-as-needed ${UNMASK_TORCH_DIR}/lib/libtorch_cuda.so -Wl,--pop-state
      ${UNMASK_CUBLASLT} ${UNMASK_CUDNN} ${UNMASK_NVRTC})
  endif()
endif()
message(STATUS "Unmask: GPU training ${UNMASK_GPU}")
