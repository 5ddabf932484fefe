/*
 * cuda.h: the version of the API whose behaviour the virtual GPU has. The driver API (cu… calls) is
 * not part of it.
 */
#ifndef VGPU_CUDA_H
#define VGPU_CUDA_H
#define __cuda_cuda_h__

#define CUDA_VERSION 13000

#endif
