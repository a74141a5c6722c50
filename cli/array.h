/* Arrays as files hold them, tensors as models want them, and the conversions between. */
#ifndef WNN_CLI_ARRAY_H
#define WNN_CLI_ARRAY_H

#include "cli.h"

/* kind: 'f' float, 'i' signed, 'u' unsigned, 'b' boolean; size: bytes of an element (f 2 4 8, others 1 2 4 8).
 * Row-major, native byte order. A dimension may be 0. */
typedef struct cli_array {
  char kind;
  int size;
  uint32_t rank;
  uint32_t shape[WNN_MAX_RANK];
  void *data;
} cli_array;

/* A named tensor that owns its name and data. desc may hold zero dimensions, then size is 0. */
typedef struct cli_tensor {
  char *name;
  wnn_desc desc;
  void *data;
  size_t size;
} cli_tensor;
typedef struct cli_tensors {
  cli_tensor *at;
  size_t count;
} cli_tensors;

enum { CLI_MAX_ELEMENTS = 1 << 29 };

/* Number of elements; false when a shape is larger than any tensor. */
bool cli_count(uint32_t rank, const uint32_t *shape, uint64_t *count);
/* Memory for a shape that is set; complains and gives false when it is too large. */
bool cli_array_alloc(cli_array *array, const char *what);
void cli_array_free(cli_array *array);
/* The array as a tensor of a data type. Values out of range are clamped, floats rounded to nearest even. */
bool cli_array_convert(const cli_array *array, const char *name, wnn_data_type type, cli_tensor *tensor);

double cli_half(uint16_t bits);
/* An element as a double; 64-bit integers are rounded. */
double cli_element(const wnn_desc *desc, const void *data, uint64_t index);
bool cli_is_float(wnn_data_type type);

cli_tensor *cli_tensors_find(const cli_tensors *tensors, const char *name);
/* Takes over the tensor; replaces one of the same name. */
bool cli_tensors_add(cli_tensors *tensors, cli_tensor *tensor);
void cli_tensor_free(cli_tensor *tensor);
void cli_tensors_free(cli_tensors *tensors);

enum { CLI_SHAPE_TEXT = 96 };
/* "float32 1x3x48x320", "int64 scalar". */
const char *cli_desc_text(const wnn_desc *desc, char text[CLI_SHAPE_TEXT]);
const char *cli_shape_text(uint32_t rank, const uint32_t *shape, char text[CLI_SHAPE_TEXT]);
/* Reads "1x3x48x320", "1,3,48" or "scalar". */
bool cli_parse_shape(const char *text, uint32_t *rank, uint32_t shape[WNN_MAX_RANK]);

/* How pictures become tensors. */
typedef struct cli_picture_options {
  uint32_t width, height; /* 0: as declared by the input, or as the picture is */
  double mean[3], std[3];
  double scale; /* of the values 0..255, before mean and std */
  int channels; /* 0: as declared; 1: grey; 3, 4 */
  bool bgr;
  int layout; /* 0: as declared; 1: nchw; 2: nhwc */
} cli_picture_options;
#define CLI_PICTURE_OPTIONS_INIT                                                                                       \
  { 0, 0, {0, 0, 0}, {1, 1, 1}, 1.0 / 255, 0, false, 0 }

/* What an input declares: -1 for open dimensions; rank -1 when unknown. */
typedef struct cli_wanted {
  int rank;
  int64_t dims[WNN_MAX_RANK];
} cli_wanted;

/* Readers. All complain and give false on failure. */
bool cli_read_npy(const char *path, cli_array *array);
bool cli_read_picture(const char *path, const cli_picture_options *options, const cli_wanted *wanted, cli_array *array);
bool cli_read_sound(const char *path, const cli_wanted *wanted, cli_array *array);
/* Files with several arrays: each is handed over with its name; the callback frees or keeps it. */
typedef bool (*cli_array_fn)(void *user, const char *name, cli_array *array);
bool cli_read_npz(const char *path, cli_array_fn take, void *user);
bool cli_read_json(const char *path, cli_array_fn take, void *user);

bool cli_write_npy(const char *path, const wnn_desc *desc, const void *data, size_t size);
struct json_object *cli_tensor_json(const wnn_desc *desc, const void *data);
bool cli_write_json(const char *path, struct json_object *object); /* path "-": standard output */
/* Whole file, terminated with a NUL that does not count. */
char *cli_read_file(const char *path, size_t *size);
bool cli_is_folder(const char *path);
/* folder/NAME + suffix; bytes of the name that could mean something to a file system become %XX. */
void cli_file_name(const char *folder, const char *name, const char *suffix, char *path, size_t size);
bool cli_has_suffix(const char *path, const char *suffix);

#endif
