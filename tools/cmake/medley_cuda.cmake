# CUDA and NCCL, where they are: CUDA_FOUND, CUDA_VERSION, NCCL_FOUND, NCCL_VERSION, target medley_cuda_libraries.
# Only host code is compiled against them (no .cu files), so nvcc is not needed and any CUDA from 12 on will do. Never link libcuda: a program
# that does fails to start where there is no driver.
set(CUDA_FOUND FALSE)
set(NCCL_FOUND FALSE)
find_package(CUDAToolkit 12 QUIET)  # CUDAToolkit_ROOT, CUDA_PATH, nvcc on PATH, /usr/local/cuda
if(CUDAToolkit_FOUND AND EXISTS "${CUDAToolkit_INCLUDE_DIRS}/cuda_runtime_api.h")
  set(CUDA_FOUND TRUE)
  set(CUDA_VERSION ${CUDAToolkit_VERSION})
  # NCCL has no package file.
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} $ENV{NCCL_ROOT}/include)
  find_library(NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/lib ${CUDAToolkit_LIBRARY_ROOT}/lib64 $ENV{NCCL_ROOT}/lib)
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    set(NCCL_FOUND TRUE)
    file(STRINGS ${NCCL_INCLUDE_DIR}/nccl.h numbers REGEX "^#define NCCL_(MAJOR|MINOR|PATCH) [0-9]+")
    list(TRANSFORM numbers REPLACE "^#define NCCL_[A-Z]+ ([0-9]+).*" "\\1")
    string(REPLACE ";" "." NCCL_VERSION "${numbers}")
    add_library(medley_cuda_libraries INTERFACE)
    target_include_directories(medley_cuda_libraries SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS} ${NCCL_INCLUDE_DIR})
    target_link_libraries(medley_cuda_libraries INTERFACE ${NCCL_LIBRARY} CUDA::cudart)
  endif()
endif()
