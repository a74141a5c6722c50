/* Slots of the vector family: elementwise, reductions, softmax, normalization, movement. */
#ifndef WNN_KERNELS_UKERNELS_VECTOR_H
#define WNN_KERNELS_UKERNELS_VECTOR_H

#include "kernels/kernel.h"

#define WNN_UKERNEL_VECTOR(X)

#endif
