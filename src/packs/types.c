/* Data types of packs. */
#include "packs/types.h"

#include <string.h>

const pk_type_info pk_types[WNN_PACK_TYPE_COUNT] = {
    [WNN_PACK_FLOAT32] = {"float32", "f32", 4, 4, 1},   [WNN_PACK_FLOAT16] = {"float16", "f16", 2, 2, 10},
    [WNN_PACK_INT32] = {"int32", "i32", 4, 4, 6},       [WNN_PACK_UINT32] = {"uint32", "u32", 4, 4, 12},
    [WNN_PACK_INT64] = {"int64", "vec2<u32>", 8, 8, 7}, [WNN_PACK_INT16] = {"int16", "i32", 2, 4, 5},
    [WNN_PACK_INT8] = {"int8", "i32", 1, 4, 3},         [WNN_PACK_UINT8] = {"uint8", "u32", 1, 4, 2},
    [WNN_PACK_BOOL] = {"bool", "u32", 1, 4, 9}};

int pk_type_find(const char *name) {
  for (int i = 0; i < WNN_PACK_TYPE_COUNT; i++)
    if (!strcmp(pk_types[i].name, name)) return i;
  return -1;
}

int pk_type_of_scalar(const char *scalar) {
  /* i32 and u32 are also the scalars of narrow types; the wide ones come first in the table */
  for (int i = 0; i < WNN_PACK_TYPE_COUNT; i++)
    if (!strcmp(pk_types[i].scalar, scalar)) return i;
  return -1;
}

const char *wnn_pack_type_name(wnn_pack_type type) {
  return (unsigned)type < WNN_PACK_TYPE_COUNT ? pk_types[type].name : "?";
}

int wnn_pack_type_find(const char *name) { return name ? pk_type_find(name) : -1; }

size_t wnn_pack_desc_bytes(const wnn_pack_desc *desc) {
  if (!desc || (unsigned)desc->type >= WNN_PACK_TYPE_COUNT || desc->rank > WNN_MAX_RANK) return SIZE_MAX;
  uint64_t bytes = pk_types[desc->type].bytes;
  bool empty = false;
  for (uint32_t i = 0; i < desc->rank; i++) {
    empty = empty || !desc->shape[i];
    if (desc->shape[i] && bytes > (UINT64_C(1) << 48) / desc->shape[i]) return SIZE_MAX;
    if (desc->shape[i]) bytes *= desc->shape[i];
  }
  return empty ? 0 : (size_t)bytes;
}
