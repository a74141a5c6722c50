/* Data types of packs: how they look to the caller, on the device and in WGSL. */
#ifndef WNN_PACKS_TYPES_H
#define WNN_PACKS_TYPES_H

#include <webnn/webnn_pack.h>

typedef struct pk_type_info {
  const char *name;      /* logical name */
  const char *scalar;    /* in WGSL */
  uint8_t bytes;         /* of an element in the caller's memory */
  uint8_t storage_bytes; /* of an element on the device: narrow integers are widened to a word */
  uint8_t onnx_code;
} pk_type_info;

/* By wnn_pack_type. */
extern const pk_type_info pk_types[WNN_PACK_TYPE_COUNT];

/* The type with a name such as "float32", or -1. */
int pk_type_find(const char *name);
/* The type stored as a WGSL scalar such as "f32" or "vec2<u32>", or -1. */
int pk_type_of_scalar(const char *scalar);

#endif
