/* A pack's manifest and metadata, read and checked. */
#ifndef WNN_PACKS_MANIFEST_H
#define WNN_PACKS_MANIFEST_H

#include "packs/ast.h"
#include "packs/types.h"

/* JSON into values; keys named $comment are dropped when their value is a string. */
pk_value pk_json_parse(pk_vm *vm, const char *data, size_t length, const char *what);

/* A JSON value in which every string is an expression. */
typedef enum pk_term_kind { PK_TERM_NONE, PK_TERM_CONSTANT, PK_TERM_EXPR, PK_TERM_LIST, PK_TERM_MAP } pk_term_kind;
typedef struct pk_term pk_term;
struct pk_term {
  pk_term_kind kind;
  pk_value constant;
  const pk_expr *expr;
  pk_term *items;
  const char **keys;
  uint32_t count;
};
pk_value pk_eval_term(pk_vm *vm, const pk_term *term, const pk_source *source);

typedef struct pk_named_term {
  const char *name;
  pk_term term;
} pk_named_term;
typedef struct pk_derives {
  pk_named_term *items;
  uint32_t count;
} pk_derives;

typedef enum pk_narrowing { PK_NARROW_NONE, PK_NARROW_CHECKED, PK_NARROW_SATURATING } pk_narrowing;

typedef struct pk_port {
  const char *name, *onnx, *description, *dtype, *rank, *shape_text;
  int type;       /* concrete logical type, or -1 */
  int variable;   /* type variable, or -1 */
  uint32_t types; /* mask of logical types */
  int storage;    /* declared storage type, or -1 */
  pk_narrowing narrowing;
  bool packed, optional, input, output;
  bool output_optional; /* of the output side of a tensor that is both */
  pk_term shape;        /* PK_TERM_NONE without a rule */
} pk_port;

typedef struct pk_variable {
  const char *name;
  uint32_t types; /* 0: any */
} pk_variable;

typedef enum pk_arg_kind { PK_ARG_U32, PK_ARG_I32, PK_ARG_F32, PK_ARG_BOOL, PK_ARG_STRING } pk_arg_kind;
typedef struct pk_arg {
  const char *name, *description;
  pk_arg_kind kind;
  bool required;
  pk_value one_of; /* list, or undefined */
} pk_arg;

typedef struct pk_attribute {
  const char *name, *description;
  bool has_default, required;
  pk_value value;  /* default */
  pk_value values; /* list of allowed ones, or undefined */
} pk_attribute;

typedef struct pk_tunable {
  const char *name, *description;
  pk_value value;
} pk_tunable;

typedef struct pk_field {
  const char *name;
  char type; /* 'u', 'i', 'f' */
  bool required;
  pk_term value, fallback;
} pk_field;

typedef enum pk_buffer { PK_BUFFER_READ, PK_BUFFER_WRITE, PK_BUFFER_UNIFORM } pk_buffer;
typedef struct pk_binding {
  const char *name, *arg, *scratch; /* arg and scratch NULL when not written */
  pk_buffer buffer;
  const char *element;     /* WGSL type, or "$name" */
  const char *length_name; /* "name" of "$name" */
  double length;           /* 0: none */
  const char *struct_name;
  pk_field *fields;
  uint32_t field_count;
} pk_binding;

typedef struct pk_matrix_config {
  const char *component, *result; /* NULL: any */
  double m, n, k;                 /* 0: any */
} pk_matrix_config;
typedef struct pk_limit {
  const char *name;
  double value;
} pk_limit;
typedef struct pk_requires {
  const char **features;
  pk_limit *limits;
  pk_matrix_config *configs;
  uint32_t feature_count, limit_count, config_count;
  double subgroup_min_size; /* 0: none */
} pk_requires;

typedef struct pk_intermediate {
  const char *id;
  int type; /* storage type */
  pk_term shape;
  bool zero;
} pk_intermediate;

typedef struct pk_step_node pk_step_node;
struct pk_step_node {
  const char *id;
  /* a repeat group: */
  bool repeat;
  pk_term count;
  const char *index;
  pk_step_node *steps;
  uint32_t step_count;
  /* a pass: */
  const char *name, *shader;
  pk_derives derive;
  const pk_binding **bindings;
  uint32_t binding_count;
  pk_term x, y, z;
  bool submit_after;
  const char **alias_inputs, **alias_outputs;
  uint32_t alias_count;
};

typedef struct pk_variant {
  const char *id, *description;
  double priority;
  const pk_expr **when, **demote;
  uint32_t when_count, demote_count;
  const char **superseded_names;
  uint32_t *superseded; /* variant numbers */
  uint32_t superseded_count;
  pk_requires requires;
  pk_tunable *tunables;
  uint32_t tunable_count;
  pk_derives derive;
  pk_intermediate *intermediates;
  uint32_t intermediate_count;
  pk_step_node *steps;
  uint32_t step_count;
} pk_variant;

typedef struct pk_manifest {
  const char *domain, *name, *op, *description;
  pk_variable *variables;
  uint32_t variable_count;
  pk_port *ports; /* inputs, then outputs that are not inputs too */
  uint32_t port_count;
  pk_arg *args;
  uint32_t arg_count;
  pk_attribute *attributes;
  uint32_t attribute_count;
  pk_tunable *tunables;
  uint32_t tunable_count;
  pk_derives derive;
  pk_binding *bindings; /* entries, named by handle */
  const char **handles;
  uint32_t binding_count;
  pk_variant *variants;
  uint32_t variant_count;
  uint32_t *order; /* variants by priority, high to low, stable */
  pk_map *exprs;   /* expressions by text, each read once */
} pk_manifest;

/* Reads a manifest into the vm's arena; false (and a failure naming the key) when it breaks a rule. */
bool pk_manifest_read(pk_vm *vm, const char *data, size_t length, pk_manifest *manifest);
const pk_port *pk_find_port(const pk_manifest *manifest, const char *name);

typedef struct pk_digest {
  const char *file;
  uint8_t sha256[32];
} pk_digest;
typedef struct pk_metadata {
  const char *name, *id, *license, *sha;
  double version; /* -1: none */
  pk_digest *files;
  uint32_t file_count;
  const pk_map *variants; /* id -> list of template names */
} pk_metadata;
bool pk_metadata_read(pk_vm *vm, const char *data, size_t length, pk_metadata *metadata);
const pk_digest *pk_metadata_file(const pk_metadata *metadata, const char *file);
/* Checks that metadata and manifest describe the same variants and shaders. */
bool pk_metadata_matches(pk_vm *vm, const pk_metadata *metadata, const pk_manifest *manifest);
/* True when the bytes have the digest. */
bool pk_digest_matches(const pk_digest *digest, const void *data, size_t size);

/* ---- Between the files that read manifests ------------------------------------------------------------ */

typedef struct pk_reader {
  pk_vm *vm;
  pk_manifest *manifest;
  const pk_expr **when; /* manifest-level clauses, prefixed to each variant's */
  uint32_t when_count;
  pk_requires requires;
} pk_reader;

bool pk_is_identifier(const char *name);
bool pk_is_variant_id(const char *name);
/* False for names such as "constructor", which the format reserves. */
bool pk_is_plain_name(const char *name);
/* Names that derives may not take. */
bool pk_is_reserved(const pk_manifest *manifest, const char *name);
/* Fails unless value is a map; returns it or NULL. */
const pk_map *pk_need_map(pk_vm *vm, pk_value value, const char *path);
/* Fails when the map has a key that is not in the space-separated list. */
bool pk_check_keys(pk_vm *vm, const pk_map *map, const char *path, const char *allowed);
/* A member that must be a non-empty string when present; NULL when absent. */
const char *pk_text_member(pk_vm *vm, const pk_map *map, const char *key, const char *path);
bool pk_bool_member(pk_vm *vm, const pk_map *map, const char *key, const char *path, bool fallback);
const char *pk_path(pk_vm *vm, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An expression; each text is read once a manifest. */
const pk_expr *pk_read_expr(pk_reader *r, pk_value text, const char *path);
bool pk_read_term(pk_reader *r, pk_value value, const char *path, pk_term *term);
bool pk_read_derives(pk_reader *r, const pk_value *value, const char *path, pk_derives *derives);
bool pk_read_tunables(pk_reader *r, const pk_value *value, const char *path, pk_tunable **tunables, uint32_t *count);
const pk_expr **pk_read_clauses(pk_reader *r, const pk_value *value, const char *path, uint32_t *count);
bool pk_read_requires(pk_reader *r, const pk_value *value, const char *path, pk_requires *requires);
/* variant: whose intermediates the binding may name, or NULL. handle: NULL for an inline entry. */
bool pk_read_binding(pk_reader *r, pk_value value, const char *handle, const char *path, const pk_variant *variant,
                     pk_binding *binding);
bool pk_read_variants(pk_reader *r, const pk_value *value);
/* The variants written out: families become their members. */
pk_value pk_expand_families(pk_vm *vm, pk_value variants);

#endif
