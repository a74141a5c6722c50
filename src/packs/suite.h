/* Cases of test.json and bench.json. */
#ifndef WNN_PACKS_SUITE_H
#define WNN_PACKS_SUITE_H

#include "packs/kernel.h"

/* A call read from a case: everything lies in the vm. */
typedef struct pk_case {
  const char *name;
  wnn_kernel_call call;
  wnn_kernel_input *inputs;
  wnn_kernel_output *outputs;
  const pk_map *expected; /* outputs of the case */
} pk_case;

/* Reads a file of cases; NULL and a failure when it is malformed. */
const pk_list *pk_suite_read(pk_vm *vm, wnn_kernel *kernel, const char *file, pk_value *top, wnn_error *error);
/* The call of a case; with_data: its tensors are made. */
bool pk_suite_case(pk_vm *vm, pk_value top, pk_value value, bool with_data, pk_case *out);
/* Makes the elements that a data member describes ({"kind": "values" ...}, {"kind": "fillFloat32" ...}). */
void *pk_suite_data(pk_vm *vm, pk_value top, pk_value data, const wnn_pack_desc *desc, const char *path);
/* One element as a number. */
double pk_element(const wnn_pack_desc *desc, const void *data, uint64_t index);

#endif
