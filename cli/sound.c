/* Sound files as arrays: one channel, values -1 to 1. */
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

/* The samples along the last axis, ones before it; an input that says nothing gets [1, samples]. */
bool cli_read_sound(const char *path, const cli_wanted *wanted, cli_array *array) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (!file) {
    cli_fail("%s: %s", path, sf_strerror(NULL));
    return false;
  }
  bool fits = info.channels > 0 && info.channels <= 64 && info.frames > 0 && info.frames <= CLI_MAX_ELEMENTS / 64;
  *array = (cli_array){'f', 4, wanted->rank > 0 ? (uint32_t)wanted->rank : 2, {0}, NULL};
  for (uint32_t i = 0; i < array->rank; i++) array->shape[i] = 1;
  if (fits) array->shape[array->rank - 1] = (uint32_t)info.frames;
  float *frame = fits ? malloc(sizeof *frame * (size_t)info.channels) : NULL;
  if (!fits) cli_fail("%s: it has no samples, or too many.", path);
  bool done = frame && cli_array_alloc(array, path);
  float *out = array->data;
  for (sf_count_t i = 0; done && i < info.frames; i++) {
    if (sf_readf_float(file, frame, 1) != 1) {
      cli_fail("%s is cut short.", path);
      cli_array_free(array);
      done = false;
      break;
    }
    float sum = 0;
    for (int c = 0; c < info.channels; c++) sum += frame[c];
    out[i] = sum / (float)info.channels;
  }
  free(frame);
  sf_close(file);
  return done;
}
