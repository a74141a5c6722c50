/* Elements between the caller's memory and the device: narrow integers take a word there. */
#include "base/error.h"
#include "packs/device.h"

static uint64_t elements(const wnn_pack_desc *desc) { return wnn_pack_desc_bytes(desc) / pk_types[desc->type].bytes; }

uint64_t pk_storage_bytes(const wnn_pack_desc *desc, int storage, bool packed) {
  uint64_t count = elements(desc), bytes = count * (packed ? 1 : pk_types[storage].storage_bytes);
  return bytes < 4 ? 4 : (bytes + 3) & ~UINT64_C(3);
}

bool pk_same_layout(const wnn_pack_desc *desc, int storage, bool packed) {
  if (desc->type == WNN_PACK_UINT8 && packed) return true;
  return pk_types[desc->type].bytes == pk_types[desc->type].storage_bytes &&
         (desc->type == WNN_PACK_INT64) == (storage == WNN_PACK_INT64);
}

static wnn_status narrow_int64(const wnn_pack_desc *desc, int storage, pk_narrowing narrowing, const char *name,
                               const void *from, uint32_t *to, wnn_error *error) {
  int64_t low = storage == WNN_PACK_INT32 ? INT32_MIN : 0, high = storage == WNN_PACK_INT32 ? INT32_MAX : UINT32_MAX;
  for (uint64_t i = 0, count = elements(desc); i < count; i++) {
    int64_t value;
    memcpy(&value, (const char *)from + 8 * i, 8);
    if (value < low || value > high) {
      if (narrowing != PK_NARROW_SATURATING)
        return wnn_error_set(error, WNN_TYPE_ERROR,
                             "%s: the value at index %llu (%lld) does not fit %s, in which it is stored", name,
                             (unsigned long long)i, (long long)value, pk_types[storage].name);
      value = value < low ? low : high;
    }
    to[i] = (uint32_t)value;
  }
  return WNN_OK;
}

wnn_status pk_widen(const wnn_pack_desc *desc, int storage, bool packed, pk_narrowing narrowing, const char *name,
                    const void *from, void *to, wnn_error *error) {
  uint64_t count = elements(desc);
  uint32_t *words = to;
  memset((char *)to + pk_storage_bytes(desc, storage, packed) - 4, 0, 4); /* the padding */
  if (pk_same_layout(desc, storage, packed)) {
    if (count) memcpy(to, from, wnn_pack_desc_bytes(desc));
    return WNN_OK;
  }
  switch (desc->type) {
  case WNN_PACK_INT8:
    for (uint64_t i = 0; i < count; i++) words[i] = (uint32_t)(int32_t)((const int8_t *)from)[i];
    break;
  case WNN_PACK_UINT8:
    for (uint64_t i = 0; i < count; i++) words[i] = ((const uint8_t *)from)[i];
    break;
  case WNN_PACK_BOOL:
    for (uint64_t i = 0; i < count; i++) words[i] = ((const uint8_t *)from)[i] != 0;
    break;
  case WNN_PACK_INT16:
    for (uint64_t i = 0; i < count; i++) {
      int16_t value;
      memcpy(&value, (const char *)from + 2 * i, 2);
      words[i] = (uint32_t)(int32_t)value;
    }
    break;
  case WNN_PACK_INT64: return narrow_int64(desc, storage, narrowing, name, from, words, error);
  default:
    return wnn_error_set(error, WNN_TYPE_ERROR, "%s: %s cannot be stored as %s", name, pk_types[desc->type].name,
                         pk_types[storage].name);
  }
  return WNN_OK;
}

void pk_narrow(const wnn_pack_desc *desc, int storage, const void *from, void *to) {
  uint64_t count = elements(desc);
  const uint32_t *words = from;
  if (pk_same_layout(desc, storage, false)) {
    if (count) memcpy(to, from, wnn_pack_desc_bytes(desc));
    return;
  }
  for (uint64_t i = 0; i < count; i++) {
    switch (desc->type) {
    case WNN_PACK_INT16: {
      uint16_t value = (uint16_t)words[i];
      memcpy((char *)to + 2 * i, &value, 2);
      break;
    }
    case WNN_PACK_INT64: {
      int64_t value = storage == WNN_PACK_INT32 ? (int64_t)(int32_t)words[i] : (int64_t)words[i];
      memcpy((char *)to + 8 * i, &value, 8);
      break;
    }
    default: ((uint8_t *)to)[i] = (uint8_t)words[i];
    }
  }
}
