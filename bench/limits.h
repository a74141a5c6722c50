/* Loops of the machine's limits. */
#ifndef BENCH_LIMITS_H
#define BENCH_LIMITS_H

/* Runs multiply-adds; sink holds two factors and takes a result. Returns the floating-point operations done. */
double bench_peak_baseline(long rounds, float *sink);
double bench_peak_avx2(long rounds, float *sink);
double bench_peak_avx512(long rounds, float *sink);

#endif
