/* The operator table: all families as one. */
#include <string.h>

#include "import.h"

static const ox_family *const families[] = {
#define X(name) &ox_##name##_family,
    OX_FAMILY_LIST(X)
#undef X
};
enum { FAMILY_COUNT = sizeof families / sizeof *families };

const ox_op *ox_find_op(const char *domain, const char *name, int64_t opset, bool *known) {
  const ox_op *best = NULL;
  *known = false;
  for (size_t f = 0; f < FAMILY_COUNT; f++) {
    for (size_t i = 0; i < families[f]->count; i++) {
      const ox_op *op = &families[f]->ops[i];
      if (op->name[0] != name[0] || strcmp(op->name, name) || strcmp(op->domain, domain)) continue;
      *known = true;
      if (op->since <= opset && (!best || op->since > best->since)) best = op;
    }
  }
  return best;
}

static const char *plain_domain(const char *domain) { return domain && strcmp(domain, "ai.onnx") ? domain : ""; }

/* Rows that take any attribute only say why the operator is refused. */
static bool refused(const ox_op *op) { return !strcmp(op->attrs, "*"); }

bool wnn_onnx_knows(const char *domain, const char *op, int64_t opset) {
  bool known;
  const ox_op *row = op ? ox_find_op(plain_domain(domain), op, opset, &known) : NULL;
  return row && !refused(row);
}

bool wnn_onnx_get_operator(size_t index, const char **domain, const char **op, int64_t *since) {
  for (size_t f = 0; f < FAMILY_COUNT; f++) {
    for (size_t i = 0; i < families[f]->count; i++) {
      const ox_op *row = &families[f]->ops[i];
      if (refused(row) || index--) continue;
      *domain = row->domain;
      *op = row->name;
      *since = row->since;
      return true;
    }
  }
  return false;
}
