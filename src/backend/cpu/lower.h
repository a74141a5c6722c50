/* Fast lowerings, one per family, named in the rows of ops.c. */
#ifndef WNN_BACKEND_CPU_LOWER_H
#define WNN_BACKEND_CPU_LOWER_H

#include "backend/cpu/cpu.h"

#endif
