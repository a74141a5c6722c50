/* Slots of the recurrent family: LSTM and GRU steps. */
#ifndef WNN_KERNELS_UKERNELS_RECURRENT_H
#define WNN_KERNELS_UKERNELS_RECURRENT_H

#include "kernels/kernel.h"

#define WNN_UKERNEL_RECURRENT(X)

#endif
