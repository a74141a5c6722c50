/* Multiply-adds without memory traffic, compiled once for each instruction set: the arithmetic limit of a core. PEAK is
 * the function's name, WIDTH the bytes of a vector. */
#include "limits.h"

typedef float vec __attribute__((vector_size(WIDTH)));

/* More chains than a core has multiply-adds in flight, in few enough registers. */
enum { CHAINS = 12 };

/* Keeps the compiler from moving the products out of the loop. */
#ifdef __aarch64__
#define PIN(v) "+w"(v)
#elif WIDTH == 64
#define PIN(v) "+v"(v)
#else
#define PIN(v) "+x"(v)
#endif

double PEAK(long rounds, float *sink) {
  vec acc[CHAINS], a = (vec){0} + sink[0], b = (vec){0} + sink[1];
  for (int i = 0; i < CHAINS; i++) acc[i] = (vec){0} + (float)i;
  for (long r = 0; r < rounds; r++) {
    for (int i = 0; i < CHAINS; i++) acc[i] += a * b;
    __asm__ volatile("" : PIN(a), PIN(b));
  }
  for (int i = 1; i < CHAINS; i++) acc[0] += acc[i];
  sink[2] = acc[0][0] + acc[0][WIDTH / 4 - 1];
  return 2.0 * CHAINS * (WIDTH / 4) * (double)rounds;
}
