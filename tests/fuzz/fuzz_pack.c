/* Fuzz target of the pack readers: the first byte chooses expression, template, manifest, metadata or shader text. */
#include <stddef.h>
#include <stdint.h>

#include "packs/plan.h"

static bool look_up(void *user, const char *name, size_t length, pk_value *value) {
  static const uint32_t dims[] = {2, 3, 4};
  if (length == 1 && *name == 's') return *value = pk_list_of_u32(user, dims, 3), true;
  if (length == 1 && *name == 'x') return *value = pk_int(8), true;
  *value = pk_helper(user, name, length);
  return value->kind != PK_UNDEFINED;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  const char *text = (const char *)data + 1;
  pk_vm vm;
  pk_vm_init(&vm, &wnn_default_allocator, 200000, (size_t)8 << 20);
  pk_source names = {look_up, &vm};
  pk_template template;
  pk_manifest manifest;
  pk_metadata metadata;
  const pk_expr *expr;
  size--;
  switch (data[0] % 5) {
  case 0:
    expr = pk_parse_expr(&vm, text, size);
    if (expr) pk_show(&vm, pk_eval_expr(&vm, expr, &names));
    break;
  case 1:
    if (pk_parse_template(&vm, text, size, &template)) pk_render(&vm, &template, &names);
    break;
  case 2: pk_manifest_read(&vm, text, size, &manifest); break;
  case 3: pk_metadata_read(&vm, text, size, &metadata); break;
  default: {
    static const char *const bound[] = {"a"};
    pk_value source = pk_wgsl_enable(&vm, pk_string(&vm, text, size));
    if (!vm.failed) pk_wgsl_check_int64(&vm, source, bound, 1);
  }
  }
  pk_vm_free(&vm);
  return 0;
}
